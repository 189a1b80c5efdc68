// How the repository's interfaces render refusals (R9): `{code, message, status}` for records and administration,
// `{code, description, message}` for indexes. SWORD has its own error documents (sword-errors.ts), pages theirs.
import { ServiceError, ValidationRefusal } from "../../src/shared/errors.ts";
import { FieldFault } from "../../src/shared/field-faults.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import { JSON_TYPE } from "../http/answer.ts";
import type { Dialect } from "../http/errors.ts";
import { contextOf } from "../http/request-context.ts";

/** Status, message and headers of a refusal, for every dialect of the repository. */
type RenderedError = {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
};

const INTERNAL = "Internal Server Error";

/** Wrong fields of a body are one invalid request here; an internal error returns only the id of the request. */
export function renderRefusal(refusal: Refusal, request: Request): RenderedError {
  if (refusal.kind === "internal") {
    return { status: 500, message: INTERNAL, headers: { "x-request-id": contextOf(request).id } };
  }
  const { status, headers } = refusal;
  if (refusal instanceof ValidationRefusal) return { status: 400, message: firstProblem(refusal), headers };
  return { status, message: refusal instanceof ServiceError ? messageOf(refusal) : refusal.message, headers };
}

function firstProblem({ problems: [first], message }: ValidationRefusal): string {
  if (first === undefined) return message;
  const [where, ...path] = first.loc;
  const member = path.join(".").slice(0, 100);
  const what = first.msg.replace("Value error, ", "");
  return where === "body" ? `${member}: ${what}` : `${where}${member === "" ? "" : ` "${member}"`}: ${what}`;
}

function messageOf(error: ServiceError): string {
  const [name, value] = Object.entries(error.detail)[0] ?? [];
  if (name === undefined) return error.message;
  return `${error.message} (${name}: ${typeof value === "string" ? value : JSON.stringify(value)})`;
}

function json(body: object, { status, headers }: RenderedError): Response {
  return Response.json(body, {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers },
  });
}

type Fault = { readonly field: string; readonly message: string };

/** The parts of a request that are wrong, each with its sentence, where there are at least `least`. */
function faultsOf(refusal: Refusal, least: number): { readonly errors?: readonly Fault[] } {
  if (!(refusal instanceof FieldFault) || refusal.all.length < least) return {};
  return { errors: refusal.all.map(({ path, message }) => ({ field: path, message })) };
}

/** `{code, message, status, errors?}`: records, authors, activities, administration. `code` is the HTTP status. */
export const recordsDialect: Dialect = (refusal, request) => {
  const error = renderRefusal(refusal, request);
  return json({ code: error.status, status: error.status, message: error.message, ...faultsOf(refusal, 2) }, error);
};

/** `{code, status, message, errors?}`: the author database. `errors` names each part of the request that is wrong. */
export const authorDialect: Dialect = (refusal, request) => {
  const error = renderRefusal(refusal, request);
  return json({ code: error.status, status: error.status, message: error.message, ...faultsOf(refusal, 1) }, error);
};

/** `{code, status, message, items?}`: bulk changes. `items` has those that cannot be changed, each with its refusal. */
export const bulkDialect: Dialect = (refusal, request) => {
  const error = renderRefusal(refusal, request);
  const { items } = refusal.detail;
  const refused = refusal.kind === "conflict" && Array.isArray(items) ? { items } : {};
  const faults = faultsOf(refusal, 2);
  return json({ code: error.status, status: error.status, message: error.message, ...faults, ...refused }, error);
};

/** `{code, description, message}`: the index tree (specification 2, "Author and index errors"). */
export const indexDialect: Dialect = (refusal, request) => {
  const error = renderRefusal(refusal, request);
  const faults = faultsOf(refusal, 2);
  return json({ code: error.status, description: error.message, message: error.message, ...faults }, error);
};

const VERSIONS: readonly string[] = ["v1"];

/** The part `{version}` of an address of an interface (R9). Throws invalid. */
export function requireVersion(version: string | undefined): void {
  if (version === undefined || !VERSIONS.includes(version)) {
    throw new Refusal("invalid", "This API version does not found");
  }
}
