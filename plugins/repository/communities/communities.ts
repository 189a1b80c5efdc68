// Communities and their members over HTTP (R6a, R37; specification 3, search_communities to create_community).
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import type { Communities } from "../../../src/repository/communities/communities.ts";
import type { CommunityJson } from "../../../src/repository/communities/community-json.ts";
import type { Members } from "../../../src/repository/communities/members.ts";
import { matchedWords } from "../../../src/shared/http/entity-tags.ts";
import { errors } from "../../http/errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordAnswer, recordBody, recordDialect } from "../record-dialect.ts";
import * as detail from "./document.ts";

type CommunityPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyoneOrGuest" | "viewer" | "json">;
  readonly communities: Communities;
  readonly members: Members;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "communities";
/** R37: for more than guests may see. */
const SCOPE = "user:activity";

export const communityPlugin = ({ guard, communities, members }: CommunityPluginNeeds) => {
  const person = (request: Request): Promise<Viewer> => guard.viewer(request, GROUP, [SCOPE]);
  const anyone = (request: Request): Promise<Viewer> => guard.anyoneOrGuest(request, GROUP, [SCOPE]);
  return new Elysia({ name: "communities", prefix: "/api" })
    .use(errors(recordDialect))
    .get(
      "/communities",
      async ({ request }) => recordAnswer(await communities.search(await anyone(request), asked(request))),
      {
        detail: detail.SEARCH,
      },
    )
    .get(
      "/user/communities",
      async ({ request }) => recordAnswer(await communities.searchOwn(await person(request), asked(request))),
      { detail: detail.SEARCH_OWN },
    )
    .post(
      "/communities",
      async ({ request }) => {
        const viewer = await person(request);
        return answer(await communities.create(viewer, await recordBody(guard, request)), 201);
      },
      { parse: "none", detail: detail.CREATE },
    )
    .get(
      "/communities/:id",
      async ({ request, params }) => answer(await communities.read(await anyone(request), params.id)),
      { detail: detail.READ },
    )
    .put(
      "/communities/:id",
      async ({ request, params }) => {
        const viewer = await person(request);
        const body = await recordBody(guard, request);
        return answer(await communities.update(viewer, params.id, body, expected(request)));
      },
      { parse: "none", detail: detail.UPDATE },
    )
    .post(
      "/communities/:id/rename",
      async ({ request, params }) => {
        const viewer = await person(request);
        const body = await recordBody(guard, request);
        return answer(await communities.rename(viewer, params.id, body, expected(request)));
      },
      { parse: "none", detail: detail.RENAME },
    )
    .delete(
      "/communities/:id",
      async ({ request, params }) => {
        await communities.remove(await person(request), params.id, expected(request));
        return nothing();
      },
      { parse: "none", detail: detail.REMOVE },
    )
    .get(
      "/communities/:id/members",
      async ({ request, params }) => recordAnswer(await members.list(await person(request), params.id, asked(request))),
      { detail: detail.MEMBERS },
    )
    .get(
      "/communities/:id/members/public",
      async ({ request, params }) =>
        recordAnswer(await members.listVisible(await anyone(request), params.id, asked(request))),
      { detail: detail.PUBLIC_MEMBERS },
    )
    .post(
      "/communities/:id/members",
      async ({ request, params }) => {
        const viewer = await person(request);
        await members.add(viewer, params.id, await recordBody(guard, request));
        return nothing();
      },
      { parse: "none", detail: detail.ADD_MEMBERS },
    )
    .put(
      "/communities/:id/members",
      async ({ request, params }) => {
        const viewer = await person(request);
        await members.update(viewer, params.id, await recordBody(guard, request));
        return nothing();
      },
      { parse: "none", detail: detail.UPDATE_MEMBERS },
    )
    .delete(
      "/communities/:id/members",
      async ({ request, params }) => {
        const viewer = await person(request);
        await members.remove(viewer, params.id, await recordBody(guard, request));
        return nothing();
      },
      { parse: "none", detail: detail.REMOVE_MEMBERS },
    );
};

const asked = (request: Request): URLSearchParams => new URL(request.url).searchParams;
const nothing = (): Response => new Response(null, { status: 204 });
const answer = (community: CommunityJson, status = 200): Response =>
  recordAnswer(community, status, { etag: `"${community.revision_id}"` });

/** The revisions that `If-Match` names; null: any. */
const expected = ({ headers }: Request): readonly string[] | null => matchedWords(headers.get("if-match"));
