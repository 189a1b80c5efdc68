// Activities in the interface description (R16).

import { type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";

const ErrorBody = Type.Object({ code: Type.Integer(), status: Type.Integer(), message: Type.String() });
const text = (description: string) => Type.String({ description });

const ACTIVITY = {
  activity_id: text("A-YYYYMMDD-00001; deletions begin with D-"),
  item_name: Type.String(),
  item_id: Type.Union([Type.Integer(), Type.Null()]),
  kind: Type.Unsafe<string>({ type: "string", enum: ["registration", "update", "deletion"] }),
  workflow_type: text("Name of the workflow"),
  action: text("The current step"),
  status: Type.Unsafe<string>({ type: "string", enum: ["M", "B", "P", "F", "C", "E"] }),
  user: text("Who deposited it"),
  note: text("Why it does not move on; empty otherwise"),
  created: Type.String({ format: "date-time" }),
  updated: Type.String({ format: "date-time" }),
};

const Step = Type.Object({
  number: Type.Integer(),
  action: Type.String(),
  action_endpoint: Type.String(),
  action_status: Type.Unsafe<string>({ type: "string", enum: ["B", "F", "P", "R", "M", "T", "S", "E", "C"] }),
  action_user: Type.String(),
  action_comment: Type.String(),
  action_date: Type.String({ format: "date-time" }),
});

const List = Type.Object({
  total: Type.Integer(),
  condition: Type.Object({ status: Type.String(), limit: Type.Integer(), page: Type.Integer() }),
  activities: Type.Array(Type.Object(ACTIVITY)),
});

const One = Type.Object({
  ...ACTIVITY,
  may: Type.Object({ approve: Type.Boolean(), throw_out: Type.Boolean(), cancel: Type.Boolean() }),
  needs_index: Type.Boolean({ description: "Approving needs an index" }),
  steps: Type.Array(Step),
});

const Decided = Type.Object({
  next_action: Type.Object({ id: Type.String(), endpoint: Type.String() }),
  status: Type.String(),
  action_info: Type.Union([
    Type.Object({
      action_id: Type.String(),
      action_date: Type.String({ format: "date-time" }),
      action_user: Type.String(),
      action_status: Type.String(),
      action_comment: Type.String(),
    }),
    Type.Null(),
  ]),
});

const json = (description: string, schema: TSchema) => ({
  description,
  content: { "application/json": { schema } },
});

const REFUSED = {
  401: json("No token, or one that is not valid", ErrorBody),
  403: json("The token lacks the scope user:activity, or the decision is not the caller's", ErrorBody),
  404: json("There is no such activity, or it is not for the caller to see", ErrorBody),
};
const ANYWHERE = {
  429: {
    ...json("Too many requests", ErrorBody),
    headers: { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" as const } } },
  },
  500: json("An internal error; X-Request-Id contains the id of the request", ErrorBody),
  503: json("The database does not answer", ErrorBody),
};
const OF_BODIES = {
  408: json("The body came too slowly", ErrorBody),
  409: json("Somebody works on the item at this moment", ErrorBody),
  413: json("The body is too large", ErrorBody),
};
const WRONG = { 400: json("The request is invalid, or the current step does not allow this", ErrorBody) };

const ID = pathParameter("activity_id", "Id of an activity");

const comment = Type.Optional(Type.String({ maxLength: 2_000 }));
const index = Type.Optional(Type.Integer({ description: "Where an item is filed that names no index" }));
const body = (schema: TSchema) => ({ required: false, content: { "application/json": { schema } } });

const shared = { tags: ["Workflow"], security: [{ bearer: [] }] };

export const ACTIVITIES_DETAIL: DocumentDecoration = {
  ...shared,
  operationId: "listActivities",
  summary: "Activities",
  description: "Newest first. Scope user:activity.",
  parameters: [
    queryParameter(
      "status",
      "What waits for the caller, what of theirs waits for others, or all they may see",
      Type.Unsafe<string>({ type: "string", enum: ["todo", "wait", "all"], default: "todo" }),
    ),
    queryParameter("limit", "Activities on a page", Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    queryParameter("page", "Page, from 1", Type.Integer({ minimum: 1, default: 1 })),
  ],
  responses: { 200: json("The page", List), ...WRONG, 401: REFUSED[401], 403: REFUSED[403], ...ANYWHERE },
};

export const ACTIVITY_DETAIL: DocumentDecoration = {
  ...shared,
  operationId: "readActivity",
  summary: "One activity with its steps",
  description: "Scope user:activity.",
  parameters: [ID],
  responses: { 200: json("The activity", One), ...REFUSED, ...ANYWHERE },
};

const decision = (operationId: string, summary: string, description: string, schema: TSchema): DocumentDecoration => ({
  ...shared,
  operationId,
  summary,
  description: `${description} Scope user:activity.`,
  parameters: [ID],
  requestBody: body(schema),
  responses: { 200: json("The activity after the change", Decided), ...WRONG, ...REFUSED, ...OF_BODIES, ...ANYWHERE },
});

export const APPROVE_DETAIL = decision(
  "approveActivity",
  "Approve",
  "The item is published, or deleted, when no step is left.",
  Type.Object({ comment, index }),
);
export const THROW_OUT_DETAIL = decision(
  "throwOutActivity",
  "Send back to the depositor",
  "A deletion that is sent back ends, and its item stays.",
  Type.Object({ comment }),
);
export const CANCEL_DETAIL = decision(
  "cancelActivity",
  "Cancel",
  "A new item disappears, a published one stays as it was.",
  Type.Object({ comment }),
);
