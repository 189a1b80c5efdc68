// The review of a draft, and the communities of a record, over HTTP (R6a, R37; specification 3, submit_to_community).
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import type { RecordCommunities } from "../../../src/repository/requests/record-communities.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import { errors } from "../../http/errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordAnswer, recordBody, recordDialect, recordIdOf } from "../record-dialect.ts";
import * as detail from "./document.ts";

type ReviewPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyoneOrGuest" | "viewer" | "json">;
  readonly requests: Pick<Requests, "read" | "reviews" | "inclusions">;
  readonly communities: RecordCommunities;
};

const GROUP = "requests";
const SCOPE = "user:activity";

/** Mounted under /api, in the interface of requests. */
export const reviewPlugin = ({ guard, requests, communities }: ReviewPluginNeeds) => {
  const { read, reviews, inclusions } = requests;
  const person = (request: Request): Promise<Viewer> => guard.viewer(request, GROUP, [SCOPE]);
  const anyone = (request: Request): Promise<Viewer> => guard.anyoneOrGuest(request, GROUP, [SCOPE]);
  return new Elysia({ name: "reviews", prefix: "/records" })
    .use(errors(recordDialect))
    .get(
      "/:id/draft/review",
      async ({ request, params }) => {
        const viewer = await person(request);
        return recordAnswer(await read(viewer, await reviews.read(viewer, recordIdOf(params.id))));
      },
      { detail: detail.READ_REVIEW },
    )
    .put(
      "/:id/draft/review",
      async ({ request, params }) => {
        const viewer = await person(request);
        const id = await reviews.set(viewer, recordIdOf(params.id), await recordBody(guard, request));
        return recordAnswer(await read(viewer, id));
      },
      { parse: "none", detail: detail.SET_REVIEW },
    )
    .delete(
      "/:id/draft/review",
      async ({ request, params }) => {
        await reviews.remove(await person(request), recordIdOf(params.id));
        return new Response(null, { status: 204 });
      },
      { parse: "none", detail: detail.REMOVE_REVIEW },
    )
    .post(
      "/:id/draft/actions/submit-review",
      async ({ request, params }) => {
        const viewer = await person(request);
        const id = await reviews.submit(viewer, recordIdOf(params.id), await recordBody(guard, request));
        return recordAnswer(await read(viewer, id), 202);
      },
      { parse: "none", detail: detail.SUBMIT_REVIEW },
    )
    .get(
      "/:id/communities",
      async ({ request, params }) =>
        recordAnswer(await communities.list(await anyone(request), recordIdOf(params.id), asked(request))),
      { detail: detail.RECORD_COMMUNITIES },
    )
    .get(
      "/:id/communities-suggestions",
      async ({ request, params }) =>
        recordAnswer(await communities.suggestions(await person(request), recordIdOf(params.id), asked(request))),
      { detail: detail.SUGGESTED_COMMUNITIES },
    )
    .post(
      "/:id/communities",
      async ({ request, params }) => {
        const viewer = await person(request);
        return outcome(await inclusions.add(viewer, recordIdOf(params.id), await recordBody(guard, request)), true);
      },
      { parse: "none", detail: detail.ADD_COMMUNITIES },
    )
    .delete(
      "/:id/communities",
      async ({ request, params }) => {
        const viewer = await person(request);
        return outcome(await inclusions.remove(viewer, recordIdOf(params.id), await recordBody(guard, request)), false);
      },
      { parse: "none", detail: detail.REMOVE_COMMUNITIES },
    )
    .put(
      "/:id/communities",
      async ({ request, params }) => {
        const viewer = await person(request);
        return recordAnswer(
          await inclusions.setDefault(viewer, recordIdOf(params.id), await recordBody(guard, request)),
        );
      },
      { parse: "none", detail: detail.SET_DEFAULT },
    );
};

type Outcome = { readonly processed: readonly object[]; readonly errors: readonly object[] };

/** 200 where one was done at least. */
function outcome({ processed, errors: refused }: Outcome, withProcessed: boolean): Response {
  const body = {
    ...(withProcessed && processed.length > 0 ? { processed } : {}),
    ...(refused.length > 0 ? { errors: refused } : {}),
  };
  return recordAnswer(body, processed.length > 0 ? 200 : 400);
}

const asked = (request: Request): URLSearchParams => new URL(request.url).searchParams;
