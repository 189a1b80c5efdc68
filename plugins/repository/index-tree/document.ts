// How the index tree describes itself in the interface description (R24 to R26, R32): kept apart from the routes.

import { type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { RepositoryScope } from "../../../src/auth/account.ts";
import { IN_TREE, INDEX_FIELDS, type IndexField } from "../../../src/model/indexes/index-fields.ts";
import {
  indexFields,
  LEGACY_FIELDS,
  PARENT,
  PARENT_OR_PATH,
  POSITION,
} from "../../../src/repository/index-tree/index-input.ts";
import { sentName } from "../../../src/shared/declared.ts";
import type { Fields } from "../../../src/shared/fields.ts";
import {
  locationOf,
  pathParameter,
  type OperationIn as RouteIn,
  refusals,
  response,
  operation as route,
} from "../../http/document-parts.ts";

type Schemas = { readonly [name: string]: TSchema };

/** The fields as members of a body that may leave each of them out. */
function optional(fields: Fields): Schemas {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, Type.Optional(schema)]));
}

const { publicState, ...belowTheRoot } = IN_TREE;

/** Settings that the tree shows of indexes and not of the root. */
function shownBelow(): Schemas {
  const declared: { readonly [name: string]: IndexField<unknown> } = INDEX_FIELDS;
  return Object.fromEntries(
    Object.entries(belowTheRoot).map(([name, schema]) => [sentName(name, declared[name]), Type.Optional(schema)]),
  );
}

const NO_GROUPS = { groups: new Set<number>() };
const SETTINGS = optional(indexFields(NO_GROUPS));
const parent = PARENT.schema;
const parentOrPath = PARENT_OR_PATH.schema;
const position = POSITION.schema;

const CreateIn = Type.Object({ index: Type.Object({ parent, ...SETTINGS }) });
const UpdateIn = Type.Object({
  index: Type.Object({ parent: Type.Optional(parentOrPath), position: Type.Optional(position), ...SETTINGS }),
});
const LegacyIn = Type.Object({
  parent_id: Type.Optional(Type.Integer({ default: 0, description: "Id of the parent, 0: directly under the root" })),
  index_info: Type.Object(optional(LEGACY_FIELDS), { description: "At least one of the five" }),
});
const moment = Type.String({ format: "date-time" });
const EchoOut = Type.Object({
  index: Type.Object({ id: Type.Integer(), parent, position, ...SETTINGS, created: moment, updated: moment }),
});

const node = {
  cid: Type.Integer({ description: "Index id" }),
  id: Type.String({ description: "Index id as text" }),
  name: Type.String({ description: "Japanese name; also index_name and value" }),
  value: Type.String(),
  index_name: Type.String(),
  index_name_english: Type.String({ description: "English name; also value_english" }),
  value_english: Type.String(),
  index_link_name_english: Type.String(),
  public_state: publicState,
  children: Type.Array(Type.Object({}, { additionalProperties: true }), {
    description: "Indexes of the same shape, by position, then id",
  }),
};
const below = {
  pid: Type.Optional(Type.Integer({ description: "Parent id; not of the root" })),
  position: Type.Optional(Type.Integer()),
  parent: Type.Optional(Type.String({ description: "Ids of all ancestors, outermost first; not of top indexes" })),
  link_name: Type.Optional(Type.String()),
  ...shownBelow(),
  is_deleted: Type.Optional(Type.Boolean()),
  emitLoadNextLevel: Type.Optional(Type.Boolean()),
  settings: Type.Optional(Type.Object({ checked: Type.Boolean(), isCollapsedOnInit: Type.Boolean() })),
};
const TreeOut = Type.Object({ index: Type.Object({ ...node, ...below }) });

const ErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  description: Type.String(),
  message: Type.String({ description: "The same as description" }),
});

const ETAG = {
  ETag: { description: "Changes with the tree and with what the caller may see of it", schema: { type: "string" } },
};
const WARNING = {
  Warning: {
    description: "Only where settings still name the index: which ones, each of which counts as not set now",
    schema: { type: "string" },
  },
};

/** What every route may answer. */
const COMMON = refusals(ErrorOut, {
  400: "Something sent is wrong; unknown version",
  403: "Role or token scope does not permit this index",
  404: "The index, or the parent, does not exist or was deleted",
});
const WITH_BODY = {
  408: response("The body came too slowly", ErrorOut),
  413: response("The body is too large", ErrorOut),
};

const VERSION = pathParameter("version", "Version of the interface", { example: "v1" });
const INDEX_ID = pathParameter("index_id", "Id of the index", { example: 1 });
const PRETTY = {
  name: "pretty",
  in: "query",
  required: false,
  description: "Indented by four blanks",
  schema: { type: "boolean", default: false },
};
const ACTION = {
  name: "action",
  in: "query",
  required: false,
  description: "browsing: the indexes below the root as a list",
  schema: { type: "string", enum: ["browsing"] },
};
const ITEMS = {
  name: "items",
  in: "query",
  required: false,
  description:
    "Delete the items that would be in no index any more, instead of making them private; administrators only",
  schema: { type: "string", enum: ["delete"] },
};

type OperationIn = Omit<RouteIn, "tag"> & {
  readonly scope: RepositoryScope;
  /** The root is always there. */
  readonly neverMissing?: boolean;
};

function operation(of: OperationIn): DocumentDecoration & { readonly "x-scopes": readonly RepositoryScope[] } {
  const { 404: missing, ...always } = COMMON;
  const maybeMissing = of.neverMissing === true ? {} : { 404: missing };
  const description = `${of.description}\n\nScope: \`${of.scope}\`.`;
  const responses = { ...always, ...maybeMissing, ...of.responses };
  return { ...route({ ...of, tag: "Index tree", description, responses }), "x-scopes": [of.scope] };
}

const NOT_MODIFIED = response("The tree matches the ETag sent", null, ETAG);

export const LIST_DETAIL = operation({
  id: "readIndexTree",
  summary: "Read the whole tree",
  description:
    "The root with all indexes the caller may browse below it, streamed. Own subtrees of a community's administrator are all shown.",
  scope: "index:read",
  neverMissing: true,
  parameters: [VERSION, PRETTY],
  responses: { 200: response("The tree", TreeOut, ETAG), 304: NOT_MODIFIED },
});

export const BROWSE_DETAIL = operation({
  id: "browseIndexTree",
  summary: "Read the whole tree, without a version",
  description:
    "As readIndexTree. With `action=browsing` the indexes below the root come as a list, without the root, as clients of existing repositories ask for them.",
  scope: "index:read",
  neverMissing: true,
  parameters: [ACTION, PRETTY],
  responses: {
    200: response("The tree, or the list", Type.Union([TreeOut, Type.Array(TreeOut.properties.index)]), ETAG),
    304: NOT_MODIFIED,
  },
});

export const READ_DETAIL = operation({
  id: "readIndex",
  summary: "Read one index",
  description: "The index with all indexes below it that the caller may browse. 0 is the root.",
  scope: "index:read",
  parameters: [VERSION, INDEX_ID, PRETTY],
  responses: { 200: response("The index", TreeOut, ETAG), 304: NOT_MODIFIED },
});

export const CREATE_DETAIL = operation({
  id: "createIndex",
  summary: "Create an index",
  description:
    "It comes after its siblings. What is not sent is taken from the parent (display format, harvesting, and each setting whose " +
    "`recursive_` flag is on there), else the default. For administrators of the repository, and of a community below its own indexes.",
  scope: "index:create",
  parameters: [VERSION],
  body: CreateIn,
  responses: { ...WITH_BODY, 201: response("The index as it was made", EchoOut, locationOf("index")) },
});

export const UPDATE_DETAIL = operation({
  id: "updateIndex",
  summary: "Change or move an index",
  description: "Changes what is sent. Another `parent` or `position` moves it; below itself it cannot be moved.",
  scope: "index:update",
  parameters: [VERSION, INDEX_ID],
  body: UpdateIn,
  responses: { ...WITH_BODY, 200: response("The index as it is now", EchoOut) },
});

export const DELETE_DETAIL = operation({
  id: "deleteIndex",
  summary: "Delete an index and all below it",
  description:
    "Items are removed from these indexes. Those left without an index become private until they are filed again or made public.",
  scope: "index:delete",
  parameters: [VERSION, INDEX_ID, ITEMS],
  responses: { 204: response("It is deleted", null, WARNING) },
});

export const LEGACY_DETAIL = operation({
  id: "createIndexLegacy",
  summary: "Create an index (legacy)",
  description:
    "For clients written for it; new ones use `POST /api/v1/tree/index`. The body counts as JSON whatever its media type. Unless " +
    "SVC_LEGACY_INDEX_CREATE is `json` (201 with the index) the answer is a fixed text that sounds like an error: the index was made.",
  scope: "index:create",
  parameters: [],
  body: LegacyIn,
  responses: {
    ...WITH_BODY,
    200: response("The index was made", Type.String(), {}, "text/plain"),
    201: response("The index was made (SVC_LEGACY_INDEX_CREATE=json)", EchoOut, locationOf("index")),
  },
});
