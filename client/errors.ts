// What a call can end with besides its answer: a refusal of the service, in whatever dialect its interface has, or a
// connection that broke.
import { type Members, membersOf } from "./members.ts";

/** A member of the input that is wrong, by its path. */
export type FieldFault = { readonly field: string; readonly messages: readonly string[] };

/**
 * The form of a refusal's body. `records`: `{status, message, errors}`; `names`: `{code, message, detail}`, and lists
 * of faults with the status 422; `sword`: an error document; `oauth`: `{error, error_description}`; `index`:
 * `{code, description}`; `other`: text.
 */
export type Dialect = "records" | "names" | "sword" | "oauth" | "index" | "other";

/** The service answered, and refused. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  /** Id of the operation. */
  readonly operation: string;
  readonly status: number;
  readonly dialect: Dialect;
  /** What programs match: `SVC-1601`, `BadRequest`, `invalid_client`; null where the dialect has none. */
  readonly code: string | null;
  /** Every member that is wrong; empty where the refusal names none. */
  readonly errors: readonly FieldFault[];
  readonly headers: Headers;
  /** The body as JSON, else as text. */
  readonly body: unknown;

  constructor(operation: string, { status, headers }: Response, text: string) {
    const body = jsonIn(text);
    const members = membersOf(body);
    super(messageOf(members) ?? `${operation} was refused with the status ${status}`);
    this.operation = operation;
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.dialect = dialectOf(members);
    this.code = codeOf(members);
    this.errors = faultsOf(members);
  }
}

/** No answer came: the connection was not made, broke, or took too long. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly operation: string;
  /** `unsent`: the service has not received the request. `timeout`: it did not answer within the time. */
  readonly kind: "unsent" | "broken" | "timeout";
  /** The code of what broke, else its words. */
  readonly reason: string;

  constructor(operation: string, kind: ConnectionError["kind"], reason: string, cause: unknown) {
    super(`${operation}: ${reason}`, { cause });
    this.operation = operation;
    this.kind = kind;
    this.reason = reason;
  }
}

/** Codes of Bun, Deno and Node.js for a connection that was never made. */
const UNSENT: ReadonlySet<string> = new Set([
  "ConnectionRefused",
  "ECONNREFUSED",
  "FailedToOpenSocket",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** What `fetch` threw, as an error of this client. */
export function connectionError(operation: string, error: unknown, timedOutMs: number | null): ConnectionError {
  if (timedOutMs !== null) {
    return new ConnectionError(operation, "timeout", `no answer within ${timedOutMs / 1000} s`, error);
  }
  const reason = reasonOf(error);
  return new ConnectionError(operation, UNSENT.has(reason) ? "unsent" : "broken", reason, error);
}

/** The code of what broke, else its words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no reason is known";
  const cause = error.cause instanceof Error ? error.cause : error;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

function dialectOf(members: Members): Dialect {
  if (typeof members["@type"] === "string") return "sword";
  if (typeof members.error === "string") return "oauth";
  if (typeof members.code === "string" && typeof members.message === "string") return "names";
  if (Array.isArray(members.detail)) return "names";
  if (typeof members.code !== "undefined" && typeof members.description === "string") return "index";
  return typeof members.message === "string" ? "records" : "other";
}

function codeOf(members: Members): string | null {
  const [found] = [members.code, members["@type"], members.error].filter((each) => typeof each === "string");
  return found ?? null;
}

function messageOf(members: Members): string | null {
  const { message, error_description: description, description: words, error, detail } = members;
  const [found] = [message, description, words, error].filter((each) => typeof each === "string");
  if (found !== undefined || !Array.isArray(detail)) return found ?? null;
  return faultsOf(members)
    .map(({ field, messages }) => `${field}: ${messages.join("; ")}`)
    .join("; ");
}

/** Records name fields by path, names by a list of steps. */
function faultsOf({ errors, detail }: Members): readonly FieldFault[] {
  const listed = Array.isArray(errors) ? errors : Array.isArray(detail) ? detail : [];
  return listed.map(membersOf).map(({ field, messages, loc, msg }) => ({
    field: Array.isArray(loc) ? loc.join(".") : String(field ?? ""),
    messages: Array.isArray(messages) ? messages.map(String) : msg === undefined ? [] : [String(msg)],
  }));
}

/** JSON, else the text itself. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
