// How probes, figures and the interface pages describe themselves in the interface description (L70, A15): kept apart
// from the routes.

import { Type } from "@sinclair/typebox";
import { ERRORS, type ErrorCode } from "../../src/shared/errors.ts";
import {
  type Headers,
  operation,
  pathParameter,
  RETRY_AFTER,
  response,
  ServiceErrorShape,
  WRONG_HOST,
} from "./document-parts.ts";

const refusal = (code: ErrorCode, description: string = ERRORS[code].message, headers: Headers = {}) =>
  response(`SVC-${code}: ${description}`, ServiceErrorShape, headers);

const ALIVE = Type.Object(
  { ok: Type.Literal(true), version: Type.String({ description: "The version of the program" }) },
  { $id: "Alive" },
);
const READY = Type.Object(
  {
    ok: Type.Literal(true),
    degraded: Type.Optional(
      Type.Array(Type.String(), { description: "What it does without meanwhile, one sentence each" }),
    ),
  },
  { $id: "Ready" },
);
const DOCUMENT = Type.Object({}, { additionalProperties: true });
const PAGE = response("A page", Type.String(), {}, "text/html");

/** What clients are refused with, and probes are not. */
const FOR_CLIENTS = {
  429: refusal(1602, "Too many requests from one address", RETRY_AFTER),
  503: refusal(1901, "Too many requests at once", RETRY_AFTER),
};

/** A public route and all it can answer. */
const detail = (
  id: string,
  tag: string,
  summary: string,
  description: string,
  answers: Readonly<Record<number, object>>,
  parameters: readonly object[] = [],
) => {
  const responses = { ...answers, 400: response(WRONG_HOST, ServiceErrorShape), 500: refusal(1999) };
  return { ...operation({ id, tag, summary, description, parameters, responses }), security: [] };
};

export const HEALTH_DETAIL = detail("healthz", "Operations", "Is the process alive", "Asks nothing of the database.", {
  200: response("It is", ALIVE),
});

export const READY_DETAIL = detail(
  "readyz",
  "Operations",
  "Can the service do its work",
  "503 while the database it reads is away or the resolver's table is not loaded; at a minter and a repository also while they cannot write or store.",
  {
    200: response("It can", READY),
    503: refusal(1901, "Not ready; `detail.reasons` lists the reasons", RETRY_AFTER),
  },
);

export const METRICS_DETAIL = detail(
  "metrics",
  "Operations",
  "Figures for Prometheus",
  "For this machine alone unless SVC_METRICS=public.",
  {
    200: response("The figures in the Prometheus text format", Type.String(), {}, "text/plain"),
    404: refusal(1101, "Asked from another machine"),
  },
);

export const DOCUMENT_DETAIL = detail(
  "interfaceDescription",
  "Interface",
  "The interface description",
  "OpenAPI 3.1.0, generated from the implementation: what this instance serves.",
  { 200: response("This document", DOCUMENT), ...FOR_CLIENTS },
);

export const SCHEMA_DETAIL = detail(
  "shapeSchema",
  "Interface",
  "The JSON Schema of a shape",
  "One of the shapes that the interface description names; references lead to the others.",
  {
    ...FOR_CLIENTS,
    200: response("The schema", DOCUMENT, {}, "application/schema+json"),
    404: refusal(1101, "There is no shape of that name"),
  },
  [pathParameter("file", "The name with `.json`", { example: "Community.json" })],
);

export const SWAGGER_DETAIL = detail(
  "interactiveDocumentation",
  "Interface",
  "Interactive documentation",
  "The interface description in Swagger UI. Everything comes from this host.",
  { 200: PAGE, ...FOR_CLIENTS },
);

export const REDOC_DETAIL = detail(
  "referencePage",
  "Interface",
  "Reference page",
  "The interface description in Redoc. Everything comes from this host.",
  { 200: PAGE, ...FOR_CLIENTS },
);
