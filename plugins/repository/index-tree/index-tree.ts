// The index tree over HTTP (specification 2, "Index tree endpoints (management)" and "Legacy index creation"; R9, R24
// to R26).

import { Elysia } from "elysia";
import type { RepositoryScope, Viewer } from "../../../src/auth/account.ts";
import type { ExistingGroups } from "../../../src/model/indexes/index-fields.ts";
import { type IndexNode, ROOT_INDEX } from "../../../src/model/indexes/index-node.ts";
import { echoOf } from "../../../src/repository/index-tree/index-answers.ts";
import { readIndexChange, readLegacyIndex, readNewIndex } from "../../../src/repository/index-tree/index-input.ts";
import { stillNamed } from "../../../src/repository/index-tree/index-mentions.ts";
import type { IndexTree, LeftItems } from "../../../src/repository/index-tree/index-tree.ts";
import { textStream } from "../../../src/shared/bytes/byte-streams.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { most } from "../../../src/shared/limits.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { JSON_TYPE } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { indexDialect, requireVersion } from "../errors.ts";
import {
  BROWSE_DETAIL,
  CREATE_DETAIL,
  DELETE_DETAIL,
  LEGACY_DETAIL,
  LIST_DETAIL,
  READ_DETAIL,
  UPDATE_DETAIL,
} from "./document.ts";

type IndexTreePluginNeeds = {
  readonly indexTree: IndexTree;
  readonly guard: {
    /** Throws unauthenticated, too_many, or forbidden for a token that lacks one of the scopes. */
    readonly viewer: (request: Request, group: string, scopes: readonly RepositoryScope[]) => Promise<Viewer>;
    /** Null without a body. @throws invalid for a body that is not JSON. */
    readonly json: (request: Request, deepest?: number) => Promise<unknown>;
  };
  /** `json`: the legacy creation answers 201 with the index (SVC_LEGACY_INDEX_CREATE). */
  readonly legacyIndexCreate: "text" | "json";
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "index";
/** What is private to a viewer is asked for again each time, by its ETag. */
const PRIVATE = { "cache-control": "private, no-cache", vary: "Authorization" };
/**
 * The legacy call answers with the text of an error that its first implementation ran into after the work was done
 * (R26).
 */
const LEGACY_ANSWER = "'NoneType' object is not iterable";
const DEEPEST = most("indexDepth");
/** The value of `action` that requests the indexes below the root, without the root. */
const BROWSING = "browsing";
const INDEX_ID = /^(?:0|[1-9]\d{0,15})$/;

export const indexTreePlugin = (needs: IndexTreePluginNeeds) => {
  const { guard, indexTree } = needs;
  const known = async (): Promise<ExistingGroups> => ({ groups: await indexTree.groups() });
  /** Token, scope and role come before the request is read. */
  const manager = async (request: Request, scope: RepositoryScope): Promise<Viewer> => {
    const viewer = await guard.viewer(request, GROUP, [scope]);
    indexTree.admit(viewer);
    return viewer;
  };
  return (
    new Elysia({ name: "index-tree", prefix: "/api" })
      .use(errors(indexDialect))
      // Clients that were made for existing repositories ask without a version before they deposit, and want the list
      // alone.
      .get(
        "/tree",
        async ({ request }) => {
          const bare = new URL(request.url).searchParams.get("action") === BROWSING;
          return await tree(needs, request, ROOT_INDEX, bare);
        },
        { detail: BROWSE_DETAIL },
      )
      .get(
        "/:version/tree",
        async ({ request, params }) => {
          requireVersion(params.version);
          return await tree(needs, request, ROOT_INDEX);
        },
        { detail: LIST_DETAIL },
      )
      .get(
        "/:version/tree/:index_id",
        async ({ request, params }) => {
          requireVersion(params.version);
          return await tree(needs, request, params.index_id);
        },
        { detail: READ_DETAIL },
      )
      .post(
        "/:version/tree/index",
        async ({ request, params }) => {
          requireVersion(params.version);
          const viewer = await manager(request, "index:create");
          return created(
            await indexTree.create(viewer, readNewIndex(await guard.json(request, DEEPEST), await known())),
          );
        },
        { parse: "none", detail: CREATE_DETAIL },
      )
      .put(
        "/:version/tree/index/:index_id",
        async ({ request, params }) => {
          requireVersion(params.version);
          const viewer = await manager(request, "index:update");
          const change = readIndexChange(await guard.json(request, DEEPEST), await known());
          return answer(await indexTree.update(viewer, indexId(params.index_id), change), 200);
        },
        { parse: "none", detail: UPDATE_DETAIL },
      )
      .delete(
        "/:version/tree/index/:index_id",
        async ({ request, params }) => {
          requireVersion(params.version);
          const viewer = await manager(request, "index:delete");
          const { named } = await indexTree.remove(viewer, indexId(params.index_id), leftItems(request));
          const still = stillNamed(named);
          // The body is empty: the rest is in headers (R16a).
          const headers = still === null ? {} : { warning: `299 - "${still}"` };
          return new Response(null, { status: 204, headers });
        },
        { parse: "none", detail: DELETE_DETAIL },
      )
      .post(
        "/indextree/create",
        async ({ request }) => {
          const viewer = await manager(request, "index:create");
          const node = await indexTree.create(viewer, readLegacyIndex(await legacyBody(guard, request)));
          if (needs.legacyIndexCreate === "json") return created(node);
          return new Response(LEGACY_ANSWER, { headers: { "content-type": "text/plain; charset=utf-8" } });
        },
        { parse: "none", detail: LEGACY_DETAIL },
      )
  );
};

/** Text that is not an id: no index has it. */
function indexId(text: string): number {
  const id = Number(text);
  if (!INDEX_ID.test(text) || !Number.isSafeInteger(id)) {
    throw new Refusal("not_found", `Index not found: ${text.slice(0, 100)}.`);
  }
  return id;
}

function leftItems(request: Request): LeftItems {
  const items = new URL(request.url).searchParams.get("items");
  if (items === null) return "keep";
  if (items !== "delete") {
    throw new Refusal("invalid", `items must be "delete" or left out, not ${JSON.stringify(items.slice(0, 100))}`);
  }
  return items;
}

/** A body that is not JSON counts as empty (R26). */
async function legacyBody(guard: IndexTreePluginNeeds["guard"], request: Request): Promise<unknown> {
  try {
    return await guard.json(request, DEEPEST);
  } catch (error) {
    if (isRefusal(error, "invalid")) return null;
    throw error;
  }
}

function answer(node: IndexNode, status: number, headers: Readonly<Record<string, string>> = {}): Response {
  const all = { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers };
  return Response.json({ index: echoOf(node) }, { status, headers: all });
}

const created = (node: IndexNode): Response => answer(node, 201, { location: `/api/v1/tree/${node.id}` });

async function tree(
  needs: IndexTreePluginNeeds,
  request: Request,
  id: number | string,
  bare = false,
): Promise<Response> {
  const viewer = await needs.guard.viewer(request, GROUP, ["index:read"]);
  const { etag, text } = await needs.indexTree.open(viewer, typeof id === "string" ? indexId(id) : id);
  const headers = { ...PRIVATE, etag };
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const full = { ...headers, "content-type": JSON_TYPE };
  if (request.method === "HEAD") return new Response(null, { headers: full });
  const pretty = new URL(request.url).searchParams.get("pretty");
  return new Response(await textStream(text(pretty !== null && /^(?:true|1)$/i.test(pretty), bare)), { headers: full });
}
