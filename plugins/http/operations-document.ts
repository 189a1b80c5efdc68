// How probes, figures and the interface pages describe themselves in the interface description (L70, A15): kept apart
// from the routes.

import type { DocumentDecoration } from "elysia";
import { type Headers, REQUEST_ID, RETRY_AFTER } from "./document-parts.ts";

type Schema = { readonly type: "object" | "string"; readonly [member: string]: unknown };
type Answer = {
  readonly description: string;
  readonly headers?: Headers;
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
};

function answer(description: string, type: string, schema: Schema, headers: Headers = {}): Answer {
  return { description, headers: { ...REQUEST_ID, ...headers }, content: { [type]: { schema } } };
}

/** The envelope with one code. */
function refusal(code: string, description: string, headers: Headers = {}): Answer {
  const schema: Schema = {
    type: "object",
    required: ["code", "message", "detail"],
    properties: {
      code: { type: "string", enum: [code] },
      message: { type: "string" },
      detail: { type: "object", additionalProperties: true },
    },
  };
  return answer(`${code}: ${description}`, "application/json", schema, headers);
}

const ALIVE: Schema = {
  type: "object",
  required: ["ok", "version"],
  properties: {
    ok: { type: "boolean", const: true },
    version: { type: "string", description: "The version of the program, such as 0.1.0" },
  },
};
const READY: Schema = {
  type: "object",
  required: ["ok"],
  properties: {
    ok: { type: "boolean", const: true },
    degraded: {
      type: "array",
      items: { type: "string" },
      description: "What it does without meanwhile, one sentence each",
    },
  },
};
const WRONG_HOST = refusal("SVC-1105", "This host name is not served here");
const INTERNAL = refusal("SVC-1999", "Internal error");

/**
 * A public route and all it can answer. The type the framework has for schemas knows OpenAPI 3.0 only; these are of
 * 3.1.
 */
function detail(id: string, tag: string, summary: string, description: string, responses: Record<number, Answer>) {
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: [],
    responses: { ...responses, 500: INTERNAL } as unknown as NonNullable<DocumentDecoration["responses"]>,
  };
}

export const HEALTH_DETAIL = detail("healthz", "Operations", "Is the process alive", "Asks nothing of the database.", {
  200: answer("It is", "application/json", ALIVE),
  400: WRONG_HOST,
});

export const READY_DETAIL = detail(
  "readyz",
  "Operations",
  "Can the service do its work",
  "503 while the database it reads is away or the resolver's table is not loaded; at a minter and a repository also while they cannot write or store.",
  {
    200: answer("It can", "application/json", READY),
    400: WRONG_HOST,
    503: refusal("SVC-1901", "Not ready; `detail.reasons` lists the reasons", RETRY_AFTER),
  },
);

export const METRICS_DETAIL = detail(
  "metrics",
  "Operations",
  "Figures for Prometheus",
  "For this machine alone unless SVC_METRICS=public.",
  {
    200: answer("The figures in the Prometheus text format", "text/plain", { type: "string" }),
    400: WRONG_HOST,
    404: refusal("SVC-1101", "Asked from another machine"),
  },
);

export const DOCUMENT_DETAIL = detail(
  "interfaceDescription",
  "Interface",
  "The interface description",
  "OpenAPI 3.1.0, generated from the implementation: what this instance serves.",
  { 200: answer("This document", "application/json", { type: "object", additionalProperties: true }), 400: WRONG_HOST },
);

export const SCHEMA_DETAIL = {
  ...detail(
    "shapeSchema",
    "Interface",
    "The JSON Schema of a shape",
    "One of the shapes that the interface description names, as `Community.json`; references lead to the others.",
    {
      200: answer("The schema", "application/schema+json", { type: "object", additionalProperties: true }),
      400: WRONG_HOST,
      404: refusal("SVC-1101", "There is no shape of that name"),
    },
  ),
  parameters: [
    {
      name: "file",
      in: "path",
      required: true,
      description: "The name with `.json`",
      schema: { type: "string" as const },
      example: "Community.json",
    },
  ],
};

export const SWAGGER_DETAIL = detail(
  "interactiveDocumentation",
  "Interface",
  "Interactive documentation",
  "The interface description in Swagger UI. Everything comes from this host.",
  { 200: answer("A page", "text/html", { type: "string" }), 400: WRONG_HOST },
);

export const REDOC_DETAIL = detail(
  "referencePage",
  "Interface",
  "Reference page",
  "The interface description in Redoc. Everything comes from this host.",
  { 200: answer("A page", "text/html", { type: "string" }), 400: WRONG_HOST },
);
