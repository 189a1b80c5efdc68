// Errors at the edge: each API family has one dialect that renders every refusal (A28, A29).

import type { ValueError } from "@sinclair/typebox/errors";
import { Elysia } from "elysia";
import { errorEnvelope, type FieldProblem, ServiceError, ValidationRefusal } from "../../src/shared/errors.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import { JSON_TYPE } from "./answer.ts";
import { contextOf } from "./request-context.ts";
import { problemsOf } from "./validation-problems.ts";

/** How one family of interfaces reports a refusal. */
export type Dialect = (refusal: Refusal, request: Request) => Response | Promise<Response>;

const SECRET_TEXT = /\bsvc_[A-Za-z0-9]+_[A-Za-z0-9_-]{16,}/;

/** A secret sent in the wrong field is not returned (A29). */
function withoutSecret(problem: FieldProblem): FieldProblem {
  if (typeof problem.input !== "string" || !SECRET_TEXT.test(problem.input)) return problem;
  const { input: _, ...rest } = problem;
  return rest;
}

/** The ARK family: the service envelope, or the 422 list. */
export function arkDialect(refusal: Refusal, request: Request): Response {
  if (refusal instanceof ValidationRefusal) {
    const detail = refusal.problems.map(withoutSecret);
    return Response.json({ detail }, { status: 422, headers: { "content-type": JSON_TYPE } });
  }
  const error = serviceErrorOf(refusal, request);
  return Response.json(errorEnvelope(error), {
    status: error.status,
    headers: { "content-type": JSON_TYPE, ...error.headers },
  });
}

/** The refusal with its code; a refusal without a code was not expected in an interface with codes, and is logged. */
export function serviceErrorOf(refusal: Refusal, request: Request): ServiceError {
  if (refusal instanceof ServiceError) return refusal;
  const context = contextOf(request);
  context.unexpected = refusal;
  return new ServiceError(1999, { request_id: context.id });
}

/**
 * Every route of the plugin that uses this answers its errors in `dialect`. Unknown routes are left to the root of the
 * app. A part of the address that cannot be decoded, which the router gives as null, is empty: the name of nothing.
 */
export const errors = (dialect: Dialect) =>
  new Elysia()
    .onTransform({ as: "scoped" }, ({ params }) => {
      for (const name in params) params[name] ??= "";
    })
    .onError({ as: "scoped" }, ({ error, code, request }) => {
      if (code === "NOT_FOUND") return;
      return dialect(refusalOf(error, code, request), request);
    });

const WHERE: Readonly<Record<string, string>> = { params: "path", headers: "header", cookie: "header" };

/**
 * The error in a form that a dialect can report. Anything unexpected becomes 1999, kind `internal`, without a word from
 * inside, and is kept for the log, as is what lies behind a refusal.
 */
export function refusalOf(error: unknown, code: string | number, request: Request): Refusal {
  const context = contextOf(request);
  if (error instanceof Refusal) {
    if (error.status >= 500 && (error.cause !== undefined || error.kind === "internal")) {
      context.unexpected = error.cause ?? error;
    }
    return error;
  }
  if (code === "VALIDATION" && isElysiaValidation(error) && error.type !== "response") {
    return new ValidationRefusal(problemsOf(error.all, WHERE[error.type] ?? error.type));
  }
  context.unexpected = error;
  return new ServiceError(1999, { request_id: context.id });
}

function isElysiaValidation(error: unknown): error is { type: string; all: Iterable<ValueError> } {
  return (
    typeof error === "object" && error !== null && "type" in error && "all" in error && typeof error.type === "string"
  );
}
