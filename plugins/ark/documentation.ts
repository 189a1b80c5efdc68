// How a route of the ARK service is described in the OpenAPI document: every status, header, error code and scope (L70,
// A28, A50).
import type { TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { Scope } from "../../src/auth/caller.ts";
import { ERRORS, type ErrorCode } from "../../src/shared/errors.ts";
import { ServiceErrorShape } from "../http/document-parts.ts";
import { ValidationOut } from "./schemas.ts";

type Header = { readonly description: string; readonly schema: { readonly type: string }; readonly required?: boolean };
type Media = { readonly schema: TSchema };
type ResponseDocument = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header>>;
  readonly content: Readonly<Record<string, Media>>;
};

/** What a route answers when all goes well. */
export type Success = {
  readonly description: string;
  readonly schema: TSchema;
  /** Media types of the body; `application/json` by default. */
  readonly media?: readonly string[];
  readonly headers?: readonly (keyof typeof HEADERS)[];
};

export type OperationIn = {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** One of these is needed. */
  readonly scopes: readonly Scope[];
  readonly success: Readonly<Record<number, Success>>;
  /** Codes beyond those every route can answer with. */
  readonly errors: readonly ErrorCode[];
  readonly body: boolean;
};

const HEADERS = {
  "X-Request-Id": { description: "The id of this request, as sent or made up", schema: { type: "string" } },
  Location: { description: "Where names of this shoulder are minted", schema: { type: "string" }, required: true },
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer" }, required: true },
  "WWW-Authenticate": { description: "The Bearer challenge", schema: { type: "string" }, required: true },
  "Idempotency-Replayed": { description: "true: a repeat of an earlier request_id", schema: { type: "string" } },
  Vary: { description: "Accept", schema: { type: "string" } },
  "Content-Disposition": { description: "A file name for what is saved", schema: { type: "string" } },
} as const satisfies Record<string, Header>;

const STATUS_HEADERS: Readonly<Record<number, keyof typeof HEADERS>> = {
  307: "Location",
  401: "WWW-Authenticate",
  429: "Retry-After",
  503: "Retry-After",
};

/** Every route may answer with these: host, credential, rate, not ready, internal. */
const ALWAYS: readonly ErrorCode[] = [1105, 1201, 1202, 1301, 1602, 1901, 1999];
const WITH_BODY: readonly ErrorCode[] = [1103, 1104, 1107];

function errorResponses(codes: readonly ErrorCode[]): Record<string, ResponseDocument> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort((a, b) => a - b)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, ResponseDocument> = {};
  for (const [status, group] of byStatus) {
    const header = STATUS_HEADERS[status];
    responses[status] = {
      description: group.map((code) => `SVC-${code}: ${ERRORS[code].message}`).join("; "),
      headers: {
        "X-Request-Id": HEADERS["X-Request-Id"],
        ...(header === undefined ? {} : { [header]: HEADERS[header] }),
      },
      content: { "application/json": { schema: ServiceErrorShape } },
    };
  }
  return responses;
}

function successResponse(success: Success): ResponseDocument {
  const headers: Record<string, Header> = { "X-Request-Id": HEADERS["X-Request-Id"] };
  for (const name of success.headers ?? []) headers[name] = HEADERS[name];
  const media = success.media ?? ["application/json"];
  return {
    description: success.description,
    headers,
    content: Object.fromEntries(media.map((type) => [type, { schema: success.schema }])),
  };
}

/** The `detail` of a route. */
export function operation(of: OperationIn): DocumentDecoration & { readonly "x-scopes": readonly Scope[] } {
  const codes = [...ALWAYS, ...(of.body ? WITH_BODY : []), ...of.errors];
  const responses: Record<string, ResponseDocument> = errorResponses(codes);
  responses[422] = {
    description: "The request does not fit the schema",
    headers: { "X-Request-Id": HEADERS["X-Request-Id"] },
    content: { "application/json": { schema: ValidationOut } },
  };
  for (const [status, success] of Object.entries(of.success)) responses[status] = successResponse(success);
  const scopes = of.scopes.map((scope) => `\`${scope}\``).join(" or ");
  return {
    operationId: of.id,
    summary: of.summary,
    description: `${of.description}\n\nScope: ${scopes}.`,
    tags: [of.tag],
    security: [{ bearer: [] }],
    "x-scopes": [...of.scopes],
    // TypeBox schemas are JSON Schema, which OpenAPI 3.1 takes as it is; Elysia's type knows only the subset of 3.0.
    responses: responses as unknown as NonNullable<DocumentDecoration["responses"]>,
  };
}
