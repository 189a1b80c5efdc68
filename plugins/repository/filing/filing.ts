// Where items are filed, over HTTP (R16a, R25), in the dialect of the index tree; and bulk changes of many items (R47).
import { Elysia } from "elysia";
import type { RepositoryScope, Viewer } from "../../../src/auth/account.ts";
import { readBulkRequest } from "../../../src/repository/items/bulk-change-input.ts";
import type { BulkChanges } from "../../../src/repository/items/bulk-changes.ts";
import type { Filing, ItemFiling } from "../../../src/repository/items/filing.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { JSON_TYPE } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { bulkDialect, indexDialect, requireVersion } from "../errors.ts";
import { seenBy } from "../record-dialect.ts";
import { ADD_DETAIL, BULK_DETAIL, READ_BULK_DETAIL, READ_DETAIL, REMOVE_DETAIL, REPLACE_DETAIL } from "./document.ts";

type FilingPluginNeeds = {
  readonly filing: ItemFiling;
  readonly bulk: BulkChanges;
  readonly guard: {
    /** Throws unauthenticated, too_many, or forbidden for a token that lacks one of the scopes. */
    readonly viewer: (request: Request, group: string, scopes: readonly RepositoryScope[]) => Promise<Viewer>;
    /** Undefined without a body. @throws invalid for a body that is not JSON. */
    readonly json: (request: Request) => Promise<unknown>;
  };
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "filing";
const ITEM_ID = /^[1-9]\d{0,14}$/;

export const filingPlugin = (needs: FilingPluginNeeds) =>
  new Elysia({ name: "filing", prefix: "/api" }).use(filingRoutes(needs)).use(bulkRoutes(needs));

const filingRoutes = ({ filing, guard }: FilingPluginNeeds) =>
  new Elysia({ name: "item-filing" })
    .use(errors(indexDialect))
    .get(
      "/:version/items/:recid/indexes",
      async ({ request, params }) => {
        requireVersion(params.version);
        const viewer = await guard.viewer(request, GROUP, ["item:read"]);
        return shown(await filing.read(viewer, itemId(params.recid)), request);
      },
      { detail: READ_DETAIL },
    )
    .put(
      "/:version/items/:recid/indexes",
      async ({ request, params }) => {
        requireVersion(params.version);
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        const sent = await guard.json(request);
        return shown(await filing.replace(viewer, itemId(params.recid), sent, seenBy(request).revisions));
      },
      { parse: "none", detail: REPLACE_DETAIL },
    )
    .put(
      "/:version/items/:recid/indexes/:index_id",
      async ({ request, params }) => {
        requireVersion(params.version);
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        const index = indexId(params.index_id);
        return shown(await filing.add(viewer, itemId(params.recid), index, seenBy(request).revisions));
      },
      { parse: "none", detail: ADD_DETAIL },
    )
    .delete(
      "/:version/items/:recid/indexes/:index_id",
      async ({ request, params }) => {
        requireVersion(params.version);
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        const index = indexId(params.index_id);
        return shown(await filing.remove(viewer, itemId(params.recid), index, seenBy(request).revisions));
      },
      { parse: "none", detail: REMOVE_DETAIL },
    );

const bulkRoutes = ({ bulk, guard }: FilingPluginNeeds) =>
  new Elysia({ name: "bulk-changes" })
    .use(errors(bulkDialect))
    .post(
      "/:version/bulk-changes",
      async ({ request, params }) => {
        requireVersion(params.version);
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        const sent = readBulkRequest(await guard.json(request));
        if (sent.dryRun) {
          const items = await bulk.check(viewer, sent);
          const refused = items.filter(({ refusal }) => refusal !== null).length;
          return answer({ dry_run: true, change: sent.change, total: items.length, refused, items });
        }
        const started = await bulk.start(viewer, sent);
        return answer(started, 202, { location: `/api/v1/bulk-changes/${started.id}` });
      },
      { parse: "none", detail: BULK_DETAIL },
    )
    .get(
      "/:version/bulk-changes/:id",
      async ({ request, params }) => {
        requireVersion(params.version);
        return answer(await bulk.read(await guard.viewer(request, GROUP, ["item:read"]), params.id));
      },
      { detail: READ_BULK_DETAIL },
    );

function itemId(text: string): number {
  if (ITEM_ID.test(text)) return Number(text);
  throw new Refusal("not_found", `There is no item ${text.slice(0, 100)}`);
}

function indexId(text: string): number {
  if (ITEM_ID.test(text)) return Number(text);
  throw new Refusal("not_found", `Index not found: ${text.slice(0, 100)}.`);
}

function answer(body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const all = { "content-type": JSON_TYPE, "cache-control": "private, no-store", ...headers };
  return Response.json(body, { status, headers: all });
}

/** With the revision as its tag. `request`: one that may have it already. */
function shown(filing: Filing, request?: Request): Response {
  const headers = { etag: `"${filing.revision}"`, "cache-control": "private, no-cache", vary: "Authorization" };
  const isKnown = request !== undefined && namesTag(request.headers.get("if-none-match"), headers.etag);
  return isKnown ? new Response(null, { status: 304, headers }) : answer(filing, 200, headers);
}
