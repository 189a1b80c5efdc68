// How filing and bulk changes describe themselves in the interface description (R32): kept apart from the routes.
import { Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { RepositoryScope } from "../../../src/auth/account.ts";
import { CHANGE_FIELDS } from "../../../src/repository/items/bulk-change-input.ts";
import { FILING_FIELDS } from "../../../src/repository/items/filing.ts";
import { object } from "../../../src/shared/fields.ts";
import { most } from "../../../src/shared/limits.ts";
import {
  CHALLENGE,
  locationOf,
  pathParameter,
  RETRY_AFTER,
  type OperationIn as RouteIn,
  response,
  operation as route,
} from "../../http/document-parts.ts";

const TreeErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  description: Type.String(),
  message: Type.String({ description: "The same as description" }),
});
const RefusalOut = Type.Union([Type.Object({ status: Type.Integer(), message: Type.String() }), Type.Null()]);
const StandingOut = Type.Object({
  indexes: Type.Array(Type.Integer()),
  access: Type.Object({ record: Type.String(), files: Type.String() }),
});
const standing = (description: string) => Type.Union([StandingOut, Type.Null()], { description });
const ITEM = {
  id: Type.Integer({ description: "Number of the item" }),
  before: standing("Null where the caller may not change the item, and while it waits"),
  after: standing("Null where it is refused, and while it waits"),
  refusal: RefusalOut,
};
const BulkErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  status: Type.Integer({ description: "The same as code" }),
  message: Type.String(),
  items: Type.Optional(Type.Array(Type.Object(ITEM), { description: "409: those that would be refused, and why" })),
});
type ErrorOut = typeof TreeErrorOut | typeof BulkErrorOut;

const common = (error: ErrorOut) => ({
  400: response("Something sent is wrong; unknown version", error),
  401: response("No access token, or one that is not valid", error, CHALLENGE),
  403: response("Role or token scope does not permit this", error),
  429: response("Too many requests", error, RETRY_AFTER),
  500: response("Internal error", error),
  503: response("The database does not answer", error, RETRY_AFTER),
});
const withBody = (error: ErrorOut) => ({
  408: response("The body came too slowly", error),
  413: response("The body is too large", error),
});
const MISSING = {
  404: response("There is no such item, or it was never published", TreeErrorOut),
  410: response("The item was deleted", TreeErrorOut),
};
const CHANGED = {
  ...MISSING,
  409: response("Somebody else works on the item: an edit, an import, an activity or a review", TreeErrorOut),
  412: response("Another revision is there than `If-Match` names", TreeErrorOut),
};

type OperationIn = Omit<RouteIn, "tag" | "parameters"> & {
  readonly scope: RepositoryScope;
  readonly error: ErrorOut;
  readonly parameters?: readonly object[];
};

function operation({ scope, error, ...of }: OperationIn): DocumentDecoration {
  const version = pathParameter("version", "Version of the interface", { example: "v1" });
  const parameters = [version, ...(of.parameters ?? [])];
  const description = `${of.description}\n\nScope: \`${scope}\`.`;
  const responses = { ...common(error), ...of.responses };
  return { ...route({ ...of, tag: "Filing", description, parameters, responses }), "x-scopes": [scope] } as object;
}

const ETAG = { ETag: { description: "The revision of the item", schema: { type: "string" } } };
const RECID = pathParameter("recid", "Number of the item", { example: 12 });
const INDEX_ID = pathParameter("index_id", "Id of the index", { example: 1 });
const IF_MATCH = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "Revision of the item that the caller has seen; another one is 412",
  schema: { type: "string" },
};
const FilingOut = Type.Object({
  item: Type.Integer(),
  revision: Type.Integer(),
  publish_status: Type.Union([Type.Literal("public"), Type.Literal("private")]),
  indexes: Type.Array(Type.Integer(), { description: "Ids of the indexes that the item is filed in, in their order" }),
});
const filed = response("Where the item is filed now", FilingOut, ETAG);

export const READ_DETAIL = operation({
  id: "readItemIndexes",
  summary: "Read where an item is filed",
  description: "For those who may change the item.",
  scope: "item:read",
  error: TreeErrorOut,
  parameters: [RECID],
  responses: { ...MISSING, 200: filed, 304: response("The item matches the ETag sent", null, ETAG) },
});

export const REPLACE_DETAIL = operation({
  id: "replaceItemIndexes",
  summary: "File an item in exactly these indexes",
  description:
    "For those who may change the item and put items into each index that is new. An item that leaves its last index never becomes more public; " +
    "filed again it is what it was. What changes nothing makes no revision.",
  scope: "item:update",
  error: TreeErrorOut,
  parameters: [RECID, IF_MATCH],
  body: object(FILING_FIELDS).schema,
  responses: { ...CHANGED, ...withBody(TreeErrorOut), 200: filed },
});

export const ADD_DETAIL = operation({
  id: "addItemIndex",
  summary: "File an item in one more index",
  description: "As replaceItemIndexes; the other places stay.",
  scope: "item:update",
  error: TreeErrorOut,
  parameters: [RECID, INDEX_ID, IF_MATCH],
  responses: { ...CHANGED, 200: filed },
});

export const REMOVE_DETAIL = operation({
  id: "removeItemIndex",
  summary: "Take an item out of an index",
  description: "As replaceItemIndexes; the other places stay.",
  scope: "item:update",
  error: TreeErrorOut,
  parameters: [RECID, INDEX_ID, IF_MATCH],
  responses: { ...CHANGED, 200: filed },
});

const ChangeIn = Type.Partial(object(CHANGE_FIELDS).schema as ReturnType<typeof Type.Object>, {
  description: "Exactly one of the members",
  examples: [{ file: 1 }, { unfile: 1 }, { access: { record: "restricted" } }, { publish_status: "private" }],
});
const BulkIn = Type.Object({
  items: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: most("bulkItems") }),
  change: ChangeIn,
  dry_run: Type.Optional(Type.Boolean({ default: false })),
});
const ChangeOut = Type.Object(
  {},
  { additionalProperties: true, description: "The change; a publish status as access" },
);
const DryRunOut = Type.Object({
  dry_run: Type.Literal(true),
  change: ChangeOut,
  total: Type.Integer(),
  refused: Type.Integer(),
  items: Type.Array(Type.Object(ITEM)),
});
const STATES = ["waiting", "changed", "unchanged", "refused"] as const;
const ReportOut = Type.Object({
  id: Type.String(),
  state: Type.Union(["waiting", "running", "done", "failed"].map((state) => Type.Literal(state))),
  created_at: Type.String({ format: "date-time" }),
  change: ChangeOut,
  total: Type.Integer(),
  counts: Type.Object(Object.fromEntries(STATES.map((state) => [state, Type.Integer()]))),
  items: Type.Array(Type.Object({ ...ITEM, state: Type.Union(STATES.map((state) => Type.Literal(state))) })),
});

export const BULK_DETAIL = operation({
  id: "startBulkChange",
  summary: "Change many items",
  description:
    "One change for all of them: `file` into an index, `unfile` from one, set `access` to the record, to files or to both, or set " +
    "`publish_status`, which is access to the record in other words. An embargo stays. All items are checked first: when one would be refused, nothing is changed (409, with " +
    "those items). Otherwise a job changes each item in a separate transaction, with the rights that the account has at that moment. " +
    "`dry_run`: the check alone, with what each item is and would be.",
  scope: "item:update",
  error: BulkErrorOut,
  body: BulkIn,
  responses: {
    ...withBody(BulkErrorOut),
    200: response("The check, where `dry_run` was sent", DryRunOut),
    202: response("The job is enqueued", ReportOut, locationOf("report")),
    409: response("Items would be refused: nothing was changed", BulkErrorOut),
  },
});

export const READ_BULK_DETAIL = operation({
  id: "readBulkChange",
  summary: "Read what came of a bulk change",
  description:
    "Each item with what it was and is, or why it was refused. For the account that asked and for administrators.",
  scope: "item:read",
  error: BulkErrorOut,
  parameters: [pathParameter("id", "Id of the bulk change", { example: "4x7bq2k9d0zw5tnc4x7bq2k9" })],
  responses: { 200: response("The report", ReportOut), 404: response("There is no such bulk change", BulkErrorOut) },
});
