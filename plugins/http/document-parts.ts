// Parts of the interface description that all interfaces share (L70, R32).
import { type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";

type Header = { readonly description: string; readonly schema: { readonly type: string } };
export type Headers = Readonly<Record<string, Header>>;

export const REQUEST_ID: Headers = {
  "X-Request-Id": { description: "The id of this request, as sent or made up", schema: { type: "string" } },
};
export const RETRY_AFTER: Headers = { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } };
export const CHALLENGE: Headers = {
  "WWW-Authenticate": { description: "The Bearer challenge", schema: { type: "string" } },
};
export const locationOf = (thing: string): Headers => ({
  Location: { description: `Where the ${thing} is read`, schema: { type: "string" } },
});

/** An answer, which always has the id of its request; without a body where `schema` is null. */
export function response(
  description: string,
  schema: TSchema | null,
  headers: Headers = {},
  type = "application/json",
) {
  return {
    description,
    headers: { ...REQUEST_ID, ...headers },
    ...(schema === null ? {} : { content: { [type]: { schema } } }),
  };
}

/** The same answer in these media types, of which only the types are described. */
export const contentIn = (types: readonly string[]): Readonly<Record<string, { readonly schema: TSchema }>> =>
  Object.fromEntries(types.map((type) => [type, { schema: type.endsWith("json") ? Type.Any() : Type.String() }]));

/** The envelope of service errors (A28). */
export const ServiceErrorShape = Type.Object(
  {
    code: Type.String({ pattern: "^SVC-[0-9]{4}$", description: "Match this; answers list the codes they can have" }),
    message: Type.String({ description: "English sentence" }),
    detail: Type.Record(Type.String(), Type.Unknown(), { description: "Empty without details" }),
  },
  { $id: "ServiceError" },
);

/** What any request is refused with whose header `Host` names no host of the service (A15). */
export const WRONG_HOST = "This host name is not served here";

/** A part of the address. */
export function pathParameter(name: string, description: string, more: { readonly example?: string | number } = {}) {
  const type = typeof more.example === "number" ? ("integer" as const) : ("string" as const);
  return { name, in: "path" as const, required: true, description, schema: { type }, ...more };
}

/** A part of the query that may be left out. */
export function queryParameter(
  name: string,
  description: string,
  schema: TSchema | { readonly type: "integer" | "string" | "number" | "boolean" },
) {
  return { name, in: "query" as const, description, schema };
}

export type OperationIn = {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly object[];
  readonly body?: TSchema | undefined;
  readonly isBodyOptional?: boolean;
  readonly responses: Readonly<Record<number, object>>;
};

/** A route behind a token. The type the framework has for schemas knows OpenAPI 3.0 only; these are of 3.1. */
export function operation(of: OperationIn): DocumentDecoration {
  const content = { "application/json": { schema: of.body } };
  const body = of.body === undefined ? {} : { requestBody: { required: of.isBodyOptional !== true, content } };
  const described: object = { parameters: of.parameters, ...body, responses: of.responses };
  return {
    operationId: of.id,
    summary: of.summary,
    description: of.description,
    tags: [of.tag],
    security: [{ bearer: [] }],
    ...described,
  };
}

/**
 * The refusals that every route has, with the body of its interface; `others`: what the other ones mean, by their
 * status.
 */
export function refusals<Status extends number>(error: TSchema, others: Readonly<Record<Status, string>>) {
  return {
    400: response(WRONG_HOST, error),
    401: response("No access token, or one that is not valid", error, CHALLENGE),
    429: response("Too many requests", error, RETRY_AFTER),
    500: response("Internal error", error),
    503: response("The database does not answer", error, RETRY_AFTER),
    // The statuses stay those of `others`.
    ...(Object.fromEntries(
      Object.entries<string>(others).map(([status, words]) => [status, response(words, error)]),
    ) as Readonly<Record<Status, ReturnType<typeof response>>>),
  };
}

/** A header that may be left out. */
export const headerParameter = (name: string, description: string) => ({
  name,
  in: "header" as const,
  description,
  schema: { type: "string" as const },
});
