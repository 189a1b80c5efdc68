// How the repository's doors render refusals (R9): `{code, message, status}` for records and administration, `{code, description, message}` for
// indexes. SWORD has its own error documents (sword-errors.ts), pages theirs.
import { Elysia } from "elysia";
import { ServiceError, ValidationRefusal } from "../src/domain/errors.ts";
import { RepositoryRefusal } from "../src/domain/repository/refusal.ts";
import { contextOf } from "./request-context.ts";

/** A refusal as every door of the repository can say it. */
export type Told = {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type RepositoryDialect = (told: Told, request: Request) => Response | Promise<Response>;

const JSON_TYPE = "application/json; charset=utf-8";
const INTERNAL = "Internal Server Error";

/** What went wrong, in one shape. Anything unexpected becomes 500 without a word from inside, and is kept for the log. */
export function toldOf(error: unknown, code: string | number, request: Request): Told {
  if (error instanceof RepositoryRefusal) {
    const { status, message, headers, detail } = error;
    if (status >= 500 && error.cause !== undefined) contextOf(request).unexpected = error.cause;
    return { status, message, headers, detail };
  }
  if (error instanceof ServiceError) {
    if (error.cause !== undefined) contextOf(request).unexpected = error.cause;
    return { status: error.status, message: messageOf(error), headers: error.headers, detail: {} };
  }
  if (error instanceof ValidationRefusal) {
    const [first] = error.problems;
    const where = first === undefined ? "" : `${first.loc.slice(1).join(".")}: `;
    const what = first?.msg.replace("Value error, ", "") ?? error.message;
    return { status: 400, message: `${where}${what}`, headers: {}, detail: { problems: error.problems } };
  }
  if (code === "VALIDATION" && hasMessage(error) && error.type !== "response") {
    return { status: 400, message: summaryOf(error), headers: {}, detail: {} };
  }
  const context = contextOf(request);
  context.unexpected = error;
  return { status: 500, message: INTERNAL, headers: { "x-request-id": context.id }, detail: {} };
}

function messageOf(error: ServiceError): string {
  const [name, value] = Object.entries(error.detail)[0] ?? [];
  if (name === undefined) return error.message;
  return `${error.message} (${name}: ${typeof value === "string" ? value : JSON.stringify(value)})`;
}

type ValidationLike = { readonly type: string; readonly all: readonly unknown[] };

function hasMessage(error: unknown): error is ValidationLike {
  return typeof error === "object" && error !== null && "type" in error && "all" in error;
}

function summaryOf({ type, all }: ValidationLike): string {
  const [first] = all;
  const path = typeof first === "object" && first !== null && "path" in first ? String(first.path).slice(1) : "";
  const what =
    typeof first === "object" && first !== null && "message" in first ? String(first.message) : "is not valid";
  return `${type}${path === "" ? "" : ` "${path.slice(0, 100)}"`}: ${what}`;
}

/** Every route of the plugin that uses this answers its errors in `dialect`. Unknown routes are left to the frame. */
export const repositoryErrors = (dialect: RepositoryDialect) =>
  new Elysia().onError({ as: "scoped" }, ({ error, code, request }) => {
    if (code === "NOT_FOUND") return;
    return dialect(toldOf(error, code, request), request);
  });

function json(body: object, { status, headers }: Told): Response {
  return Response.json(body, {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers },
  });
}

/** `{code, message, status}`: records, workflow activities, administration. `code` is the HTTP status, as `status`. */
export const recordsDialect: RepositoryDialect = (told) =>
  json({ code: told.status, status: told.status, message: told.message }, told);

/** `{code, description, message}`: the index tree (specification 2, "Author and index errors"). */
export const indexDialect: RepositoryDialect = (told) =>
  json({ code: told.status, description: told.message, message: told.message }, told);
