// The author database over HTTP (specification 2, "Author database endpoints"; R9, R20 to R22).
import { Elysia } from "elysia";
import type { RepositoryScope, Viewer } from "../../../src/auth/account.ts";
import { authorAnswer } from "../../../src/repository/authors/author-answers.ts";
import { invalidAt } from "../../../src/repository/authors/author-input.ts";
import type { Authors } from "../../../src/repository/authors/authors.ts";
import { isObject, quoted } from "../../../src/shared/fields.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { JSON_TYPE } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { authorDialect } from "../errors.ts";
import { CREATE_DETAIL, DELETE_DETAIL, MERGE_DETAIL, SEARCH_DETAIL, UPDATE_DETAIL } from "./document.ts";

type AuthorPluginNeeds = {
  readonly authors: Authors;
  readonly guard: {
    /** Throws unauthenticated, too_many, or forbidden for a token that lacks one of the scopes. */
    readonly viewer: (request: Request, group: string, scopes: readonly RepositoryScope[]) => Promise<Viewer>;
    /** Null without a body. @throws invalid for a body that is not JSON. */
    readonly json: (request: Request) => Promise<unknown>;
  };
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "author";
const VERSIONS: readonly string[] = ["v1"];

export const authorPlugin = ({ authors, guard }: AuthorPluginNeeds) => {
  /** Version, token, scope and role come before the request is read. */
  const manager = async (request: Request, version: string, scope: RepositoryScope): Promise<Viewer> => {
    if (!VERSIONS.includes(version)) throw new Refusal("invalid", "This API version does not found.");
    const viewer = await guard.viewer(request, GROUP, [scope]);
    authors.admit(viewer);
    return viewer;
  };
  return new Elysia({ name: "authors", prefix: "/api" })
    .use(errors(authorDialect))
    .get(
      "/:version/authors",
      async ({ request, params }) => {
        const viewer = await manager(request, params.version, "author:search");
        const found = await authors.search(viewer, new URL(request.url).searchParams);
        return answer({ authors: found.map(authorAnswer) });
      },
      { detail: SEARCH_DETAIL },
    )
    .post(
      "/:version/authors",
      async ({ request, params }) => {
        const viewer = await manager(request, params.version, "author:create");
        const author = await authors.create(viewer, await guard.json(request));
        return answer({ message: "Author successfully registered.", author: authorAnswer(author) });
      },
      { parse: "none", detail: CREATE_DETAIL },
    )
    .put(
      "/:version/authors/:identifier",
      async ({ request, params }) => {
        const viewer = await manager(request, params.version, "author:update");
        const author = await authors.update(viewer, params.identifier, await guard.json(request));
        return answer({ message: "Author successfully updated.", author: authorAnswer(author) });
      },
      { parse: "none", detail: UPDATE_DETAIL },
    )
    .post(
      "/:version/authors/:identifier/merge",
      async ({ request, params }) => {
        const viewer = await manager(request, params.version, "author:update");
        const author = await authors.merge(viewer, params.identifier, intoOf(await guard.json(request)));
        return answer({ message: "Author successfully merged.", author: authorAnswer(author) });
      },
      { parse: "none", detail: MERGE_DETAIL },
    )
    .delete(
      "/:version/authors/:identifier",
      async ({ request, params }) => {
        const viewer = await manager(request, params.version, "author:delete");
        await authors.remove(viewer, params.identifier);
        return answer({ message: "Author successfully deleted." });
      },
      { parse: "none", detail: DELETE_DETAIL },
    );
};

/** `{"into": …}`: the number or UUID of the author who stays. Throws invalid. */
function intoOf(body: unknown): string {
  const into = isObject(body) ? body.into : undefined;
  const text = typeof into === "number" ? String(into) : into;
  if (typeof text === "string" && isObject(body) && Object.keys(body).length === 1) return text;
  throw invalidAt("into", `The body must be {"into": number or UUID of the author who stays}, not ${quoted(body)}`);
}

const answer = (body: object): Response =>
  Response.json(body, { headers: { "content-type": JSON_TYPE, "cache-control": "private, no-store" } });
