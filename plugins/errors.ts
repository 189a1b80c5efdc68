// Errors at the edge: each API family has one dialect that renders every refusal (house style 19; A28, A29).

import type { ValueError } from "@sinclair/typebox/errors";
import { Elysia } from "elysia";
import { errorEnvelope, type FieldProblem, ServiceError, ValidationRefusal } from "../src/domain/errors.ts";
import { contextOf } from "./request-context.ts";
import { problemsOf } from "./validation-problems.ts";

export type Refusal = ServiceError | ValidationRefusal;

export type Dialect = {
  render(refusal: Refusal, request: Request): Response;
};

export const JSON_TYPE = "application/json; charset=utf-8";

const SECRET_TEXT = /\bsvc_[A-Za-z0-9]+_[A-Za-z0-9_-]{16,}/;

/** A secret sent in the wrong field is not given back (A29). */
function withoutSecret(problem: FieldProblem): FieldProblem {
  if (typeof problem.input !== "string" || !SECRET_TEXT.test(problem.input)) return problem;
  const { input: _, ...rest } = problem;
  return rest;
}

/** The ARK family: the service envelope, or the 422 list. */
export const arkDialect: Dialect = {
  render(refusal) {
    if (refusal instanceof ValidationRefusal) {
      const detail = refusal.problems.map(withoutSecret);
      return Response.json({ detail }, { status: 422, headers: { "content-type": JSON_TYPE } });
    }
    return Response.json(errorEnvelope(refusal), {
      status: refusal.status,
      headers: { "content-type": JSON_TYPE, ...refusal.headers },
    });
  },
};

/** Every route of the plugin that uses this answers its errors in `dialect`. Unknown routes are left to the root of the app. */
export const errors = (dialect: Dialect) =>
  new Elysia().onError({ as: "scoped" }, ({ error, code, request }) => {
    if (code === "NOT_FOUND") return;
    return dialect.render(refusalOf(error, code, request), request);
  });

const WHERE: Readonly<Record<string, string>> = { params: "path", headers: "header", cookie: "header" };

/** What went wrong, as something a dialect can say. Anything unexpected becomes 1999 and is kept for the log, as is what lies behind a refusal. */
export function refusalOf(error: unknown, code: string | number, request: Request): Refusal {
  if (error instanceof ServiceError && error.cause !== undefined) contextOf(request).unexpected = error.cause;
  if (error instanceof ServiceError || error instanceof ValidationRefusal) return error;
  if (code === "VALIDATION" && isElysiaValidation(error) && error.type !== "response") {
    return new ValidationRefusal(problemsOf(error.all, WHERE[error.type] ?? error.type));
  }
  const context = contextOf(request);
  context.unexpected = error;
  return new ServiceError(1999, { request_id: context.id });
}

function isElysiaValidation(error: unknown): error is { type: string; all: Iterable<ValueError> } {
  return (
    typeof error === "object" && error !== null && "type" in error && "all" in error && typeof error.type === "string"
  );
}
