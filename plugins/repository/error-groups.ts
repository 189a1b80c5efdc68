// What the operations of each dialect of errors share (R9): the named shape of its refusals and what they mean.
import { type TSchema, Type } from "@sinclair/typebox";
import { Refusal } from "../../src/shared/refusal.ts";
import { JSON_TYPE } from "../http/answer.ts";
import type { Dialect } from "../http/errors.ts";
import type { EndpointGroup } from "./endpoint.ts";
import { authorDialect, bulkDialect, indexDialect, recordsDialect } from "./errors.ts";

const CODE = Type.Integer({ description: "HTTP status" });
const FAULT = Type.Object({ field: Type.String(), message: Type.String() });
const FAULTS = Type.Optional(
  Type.Array(FAULT, {
    description: "Where several members of a body are wrong: each, by its path; `message` names the first",
  }),
);
const STATUS = Type.Integer({ description: "The same as code" });
export const ErrorShape = Type.Object(
  { code: CODE, status: STATUS, message: Type.String(), errors: FAULTS },
  { $id: "Error" },
);
const IndexError = Type.Object(
  {
    code: CODE,
    description: Type.String(),
    message: Type.String({ description: "The same as description" }),
    errors: FAULTS,
  },
  { $id: "IndexError" },
);
const MEANINGS: Readonly<Record<number, string>> = {
  400: "Something sent is wrong: `message` names it",
  403: "The role of the caller or the scope of the token does not permit this",
  404: "There is none, or it was deleted",
  408: "The body came too slowly",
  409: "It contradicts existing data, or something else is changing it: `message` names it",
  410: "It was deleted",
  412: "Another revision is there than `If-Match` names",
  413: "The body is too large",
};

type GroupPart = Pick<EndpointGroup, "name" | "tag" | "scopes" | "pathParameters"> & Partial<EndpointGroup>;

/** A group whose refusals are rendered by this dialect, in this shape. */
const groupIn =
  (dialect: Dialect, error: TSchema) =>
  (group: GroupPart): EndpointGroup => ({
    prefix: "/api/:version",
    rateGroup: group.name,
    access: "signed-in",
    dialect,
    error,
    meanings: MEANINGS,
    readBody: (guard, request) => guard.json(request),
    sent: (field, value) => () => field.read(value, ""),
    answerWith: (body, status, headers) =>
      Response.json(body, {
        status,
        headers: { "content-type": JSON_TYPE, "cache-control": "private, no-store", ...headers },
      }),
    ...group,
  });

/** Operations whose refusals are `{code, status, message}`. */
export const plainGroup = groupIn(recordsDialect, ErrorShape);
const AuthorError = Type.Object(
  {
    ...ErrorShape.properties,
    errors: Type.Optional(Type.Array(FAULT, { description: "What is wrong, part by part" })),
  },
  { $id: "AuthorError" },
);
/** Operations of authors. */
export const authorGroup = (group: GroupPart): EndpointGroup => ({
  ...groupIn(authorDialect, AuthorError)(group),
  requireVersion(version) {
    if (version !== "v1") throw new Refusal("invalid", "This API version does not found.");
  },
});
/** Operations whose refusals are `{code, description, message}`. */
export const indexGroup = groupIn(indexDialect, IndexError);
/** Operations of bulk changes; `item`: how one that cannot be changed is shown. */
export const bulkGroup = (item: TSchema, group: GroupPart): EndpointGroup => {
  const items = Type.Optional(Type.Array(item, { description: "409: those that are refused" }));
  return groupIn(bulkDialect, Type.Object({ ...ErrorShape.properties, items }, { $id: "BulkError" }))(group);
};
