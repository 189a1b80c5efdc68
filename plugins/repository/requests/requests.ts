// Requests, their timeline and comments over HTTP (R37; specification 3, list_requests to request_action).
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import { matchedWords } from "../../../src/shared/http/entity-tags.ts";
import { errors } from "../../http/errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordAnswer, recordBody, recordDialect, recordIdOf } from "../record-dialect.ts";
import * as detail from "./document.ts";

type RequestPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "viewer" | "json">;
  readonly requests: Requests;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "requests";
const SCOPES = ["user:activity"] as const;

export const requestPlugin = ({ guard, requests }: RequestPluginNeeds) => {
  const person = (request: Request): Promise<Viewer> => guard.viewer(request, GROUP, SCOPES);
  return new Elysia({ name: "requests", prefix: "/api" })
    .use(errors(recordDialect))
    .get("/requests", async ({ request }) => recordAnswer(await requests.list(await person(request), asked(request))), {
      detail: detail.LIST,
    })
    .get(
      "/user/requests",
      async ({ request }) => recordAnswer(await requests.listOwn(await person(request), asked(request))),
      { detail: detail.LIST_OWN },
    )
    .get(
      "/communities/:id/requests",
      async ({ request, params }) =>
        recordAnswer(await requests.listOfCommunity(await person(request), params.id, asked(request))),
      { detail: detail.LIST_OF_COMMUNITY },
    )
    .get(
      "/communities/:id/invitations",
      async ({ request, params }) =>
        recordAnswer(await requests.invitations.list(await person(request), params.id, asked(request))),
      { detail: detail.INVITATIONS },
    )
    .post(
      "/communities/:id/invitations",
      async ({ request, params }) => {
        const viewer = await person(request);
        await requests.invitations.invite(viewer, params.id, await recordBody(guard, request));
        return new Response(null, { status: 204 });
      },
      { parse: "none", detail: detail.INVITE },
    )
    .get(
      "/records/:id/requests",
      async ({ request, params }) =>
        recordAnswer(await requests.listOfRecord(await person(request), recordIdOf(params.id), asked(request))),
      { detail: detail.LIST_OF_RECORD },
    )
    .get(
      "/requests/:id",
      async ({ request, params }) => recordAnswer(await requests.read(await person(request), params.id)),
      { detail: detail.READ },
    )
    .post(
      "/requests/:id/actions/:action",
      async ({ request, params }) => {
        const viewer = await person(request);
        await requests.decide(viewer, params.id, params.action, await recordBody(guard, request));
        return recordAnswer(await requests.read(viewer, params.id));
      },
      { parse: "none", detail: detail.ACT },
    )
    .get(
      "/requests/:id/timeline",
      async ({ request, params }) =>
        recordAnswer(await requests.timeline(await person(request), params.id, asked(request))),
      { detail: detail.TIMELINE },
    )
    .post(
      "/requests/:id/comments",
      async ({ request, params }) => {
        const viewer = await person(request);
        return recordAnswer(await requests.addComment(viewer, params.id, await recordBody(guard, request)), 201);
      },
      { parse: "none", detail: detail.ADD_COMMENT },
    )
    .get(
      "/requests/:id/comments/:comment",
      async ({ request, params }) =>
        recordAnswer(await requests.comment(await person(request), params.id, params.comment)),
      { detail: detail.READ_COMMENT },
    )
    .put(
      "/requests/:id/comments/:comment",
      async ({ request, params: { id, comment } }) => {
        const viewer = await person(request);
        const body = await recordBody(guard, request);
        return recordAnswer(await requests.changeComment(viewer, id, comment, body, expected(request)));
      },
      { parse: "none", detail: detail.CHANGE_COMMENT },
    )
    .delete(
      "/requests/:id/comments/:comment",
      async ({ request, params: { id, comment } }) => {
        await requests.removeComment(await person(request), id, comment, expected(request));
        return new Response(null, { status: 204 });
      },
      { parse: "none", detail: detail.REMOVE_COMMENT },
    );
};

const asked = (request: Request): URLSearchParams => new URL(request.url).searchParams;

/** The revisions that `If-Match` names; null: any. */
const expected = ({ headers }: Request): readonly string[] | null => matchedWords(headers.get("if-match"));
