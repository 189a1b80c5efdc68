// Where items are filed, over HTTP (R16a, R25), in the dialect of the index tree; and bulk changes of many items (R47).
import { Elysia } from "elysia";
import { BULK_REQUEST } from "../../../src/repository/items/bulk-change-input.ts";
import {
  type BulkChanges,
  BulkCheckShape,
  BulkReportShape,
  CheckedItemShape,
} from "../../../src/repository/items/bulk-changes.ts";
import { FILING, type Filing, FilingShape, type ItemFiling } from "../../../src/repository/items/filing.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { locationOf } from "../../http/document-parts.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { bulkGroup, indexGroup } from "../error-groups.ts";
import { seenBy } from "../record-dialect.ts";

type Services = { readonly filing: ItemFiling; readonly bulk: BulkChanges };

const SHARED = { tag: "Filing", rateGroup: "filing", scopes: ["item:update"], always: [] };
const FILING_GROUP = indexGroup({
  ...SHARED,
  name: "item-filing",
  pathParameters: { recid: "Number of the item", index_id: "Id of the index" },
});
const BULK_GROUP = bulkGroup(CheckedItemShape, {
  ...SHARED,
  name: "bulk-changes",
  pathParameters: { id: "Id of the bulk change" },
});

const headers = { ETag: { description: "The revision of the item", schema: { type: "string" } } };
/** With the revision as its tag. */
const headersOf = ({ revision }: Filing) => ({
  etag: `"${revision}"`,
  "cache-control": "private, no-cache",
  vary: "Authorization",
});
const filed = { status: 200, description: "Where the item is filed now", schema: FilingShape, headers, headersOf };
const changed = { conditional: true, answer: filed, refuses: [404, 409, 410] } as const;

const { get, post, put, remove } = endpointsOf<Services>();

const FILING_ENDPOINTS = [
  get("/items/:recid/indexes", {
    id: "readItemIndexes",
    summary: "Read where an item is filed",
    description: "For those who may change the item.",
    scopes: ["item:read"],
    answer: filed,
    also: { 304: { description: "The item matches the ETag sent", schema: null, headers } },
    refuses: [404, 410],
    async run({ filing }, { viewer, params, request }) {
      const found = await filing.read(viewer, itemId(params.recid));
      const isKnown = namesTag(request.headers.get("if-none-match"), `"${found.revision}"`);
      return isKnown ? new Response(null, { status: 304, headers: headersOf(found) }) : found;
    },
  }),
  put("/items/:recid/indexes", {
    id: "replaceItemIndexes",
    summary: "File an item in exactly these indexes",
    description:
      "For those who may change the item and put items into each index that is new. An item that leaves its last index never becomes more public; " +
      "filed again it is what it was. What changes nothing makes no revision.",
    body: FILING,
    ...changed,
    run: ({ filing }, { viewer, params, body, request }) =>
      filing.replace(viewer, itemId(params.recid), body, seenBy(request).revisions),
  }),
  put("/items/:recid/indexes/:index_id", {
    id: "addItemIndex",
    summary: "File an item in one more index",
    description: "As replaceItemIndexes; the other places stay.",
    ...changed,
    refuses: [400, ...changed.refuses],
    run: ({ filing }, { viewer, params, request }) => {
      const index = indexId(params.index_id);
      return filing.add(viewer, itemId(params.recid), index, seenBy(request).revisions);
    },
  }),
  remove("/items/:recid/indexes/:index_id", {
    id: "removeItemIndex",
    summary: "Take an item out of an index",
    description: "As replaceItemIndexes; the other places stay.",
    ...changed,
    run: ({ filing }, { viewer, params, request }) => {
      const index = indexId(params.index_id);
      return filing.remove(viewer, itemId(params.recid), index, seenBy(request).revisions);
    },
  }),
];

const BULK_ENDPOINTS = [
  post("/bulk-changes", {
    id: "startBulkChange",
    summary: "Change many items",
    description:
      "One change for all of them: `file` into an index, `unfile` from one, set `access` to the record, to files or to both, or set " +
      "`publish_status`, which is access to the record in other words. An embargo stays. All items are checked first: when one would be refused, nothing is changed (409, with " +
      "those items). Otherwise a job changes each item in a separate transaction, with the rights that the account has at that moment. " +
      "`dry_run`: the check alone, with what each item is and would be.",
    body: BULK_REQUEST,
    answer: {
      status: 202,
      description: "The job is enqueued",
      schema: BulkReportShape,
      headers: locationOf("report"),
      headersOf: ({ id }) => ({ location: `/api/v1/bulk-changes/${id}` }),
    },
    also: { 200: { description: "The check, where `dry_run` was sent", schema: BulkCheckShape } },
    refuses: [409],
    async run({ bulk }, { viewer, body, request }) {
      const sent = body();
      if (!sent.dryRun) return await bulk.start(viewer, sent);
      return BULK_GROUP.answerWith(await bulk.check(viewer, sent), 200, {}, request);
    },
  }),
  get("/bulk-changes/:id", {
    id: "readBulkChange",
    summary: "Read what came of a bulk change",
    description:
      "Each item with what it was and is, or why it was refused. For the account that asked and for administrators.",
    scopes: ["item:read"],
    answer: { status: 200, description: "The report", schema: BulkReportShape },
    refuses: [404],
    run: ({ bulk }, { viewer, params }) => bulk.read(viewer, params.id),
  }),
];

export const filingPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  new Elysia({ name: "filing" })
    .use(mountEndpoints(FILING_GROUP, FILING_ENDPOINTS, services, guard))
    .use(mountEndpoints(BULK_GROUP, BULK_ENDPOINTS, services, guard));

const ID = /^[1-9]\d{0,14}$/;

function itemId(text: string): number {
  if (ID.test(text)) return Number(text);
  throw new Refusal("not_found", `There is no item ${text.slice(0, 100)}`);
}

function indexId(text: string): number {
  if (ID.test(text)) return Number(text);
  throw new Refusal("not_found", `Index not found: ${text.slice(0, 100)}.`);
}
