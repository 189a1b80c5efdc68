// Every refusal of the ARK service: one table of codes (decision A28) and the error that carries one.
import { kindOfStatus, Refusal } from "./refusal.ts";

/** Status and English sentence of a code. Clients match the code, never the sentence. */
type ErrorEntry = { readonly status: number; readonly message: string };

export const ERRORS = {
  1001: { status: 400, message: "Not an ARK" },
  1002: { status: 400, message: "The qualifier must begin with / or ." },
  1003: { status: 400, message: "The qualifier is empty or leaves its base" },
  1004: { status: 400, message: "Too long" },
  1005: { status: 409, message: "This name exists already" },
  1007: { status: 400, message: "Name the shoulder: this credential reaches more than one organisation" },
  1008: { status: 400, message: "No such shoulder" },
  1009: { status: 400, message: "This shoulder exists under several NAANs: name it with its NAAN" },
  1010: { status: 400, message: "No shoulder was named and the organisation has no default shoulder" },
  1011: { status: 400, message: "Too many rows in one request" },
  1012: { status: 400, message: "The check character is wrong" },
  1013: { status: 400, message: "The name lies outside every shoulder" },
  1014: { status: 409, message: "This name was withdrawn and is never assigned again" },
  1015: { status: 400, message: "Purging needs a reason" },
  1016: { status: 400, message: "Purging needs confirm to repeat the ARK" },
  1017: { status: 400, message: "Withdrawing a name that was ever published needs a reason" },
  1018: { status: 400, message: "Withdrawing a name that was ever published needs confirm to repeat the ARK" },
  1019: { status: 400, message: "The request names the same ARK twice" },
  1020: { status: 400, message: "The end of a hold must be in the future and within the limit" },
  1101: { status: 404, message: "No such route" },
  1102: { status: 405, message: "This route does not take that method" },
  1103: { status: 413, message: "The body is too large" },
  1104: { status: 415, message: "The body must be application/json" },
  1105: { status: 400, message: "This host name is not served here" },
  1106: { status: 400, message: "The token request is malformed" },
  1107: { status: 408, message: "The body came too slowly" },
  1201: { status: 401, message: "A Bearer credential is needed" },
  1202: { status: 401, message: "The credential is not valid" },
  1203: { status: 404, message: "This service does not issue tokens" },
  1204: { status: 400, message: "Only the grant type client_credentials is served" },
  1301: { status: 403, message: "The credential lacks a scope" },
  1302: { status: 403, message: "Outside the reach of this credential" },
  1303: { status: 403, message: "The credential belongs to no active organisation" },
  1304: { status: 403, message: "The shoulder takes no new names" },
  1305: { status: 400, message: "The scope asked for is not registered for this client" },
  1306: { status: 307, message: "Names of this shoulder are minted elsewhere" },
  1307: { status: 403, message: "The shoulder takes no imports" },
  1308: { status: 403, message: "This NAAN is not ours to assign under" },
  1309: { status: 403, message: "Names of this shoulder are minted elsewhere" },
  1401: { status: 404, message: "No such ARK within reach" },
  1402: { status: 404, message: "No such name" },
  1403: { status: 404, message: "No such name: the check character does not fit, check for a typing mistake" },
  1404: { status: 404, message: "Unknown NAAN, and no global resolver is set" },
  1501: { status: 409, message: "A published name cannot be deleted: unpublish it first" },
  1502: { status: 409, message: "Qualified names hang below this one" },
  1503: { status: 409, message: "This name is not published" },
  1504: { status: 409, message: "A name in this request was published once: delete it by itself, with a reason" },
  1505: { status: 409, message: "This name is tombstoned" },
  1506: { status: 409, message: "This request_id belongs to a name that was withdrawn" },
  1507: { status: 409, message: "This request_id was used by another kind of call" },
  1601: { status: 429, message: "The daily quota is used up" },
  1602: { status: 429, message: "Too many requests" },
  1901: { status: 503, message: "Not ready" },
  1999: { status: 500, message: "Internal error" },
} as const satisfies Record<number, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
type ErrorDetail = { readonly [name: string]: unknown };

/**
 * A refusal of the registry of names: its kind, status and sentence follow from the code. `message` replaces the code's
 * sentence where a call asks for something else under the same code.
 */
export class ServiceError extends Refusal {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;

  constructor(
    code: ErrorCode,
    detail: ErrorDetail = {},
    headers: Readonly<Record<string, string>> = {},
    message: string = ERRORS[code].message,
  ) {
    super(kindOfStatus(ERRORS[code].status), message, { detail, headers });
    this.code = code;
  }

  /** The code as it is written on the wire: `SVC-1001`. */
  get wireCode(): string {
    return `SVC-${this.code}`;
  }

  /** The same refusal, saying which row of a bulk call (from 0) it is about (A14). */
  inRow(row: number): ServiceError {
    return new ServiceError(this.code, { ...this.detail, row }, this.headers, this.message);
  }
}

/** The envelope of every service error (specification 1, "Service error envelope"). */
export function errorEnvelope(error: ServiceError): { code: string; message: string; detail: ErrorDetail } {
  return { code: error.wireCode, message: error.message, detail: error.detail };
}

/** One wrong field of a 422 body (specification 1, "Validation error body"; A29). */
export type FieldProblem = {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: { readonly [name: string]: unknown };
};

/** Input that fails validation: HTTP 422 with the list of all wrong fields. */
export class ValidationRefusal extends Refusal {
  override readonly name = "ValidationRefusal";
  readonly problems: readonly FieldProblem[];

  constructor(problems: readonly FieldProblem[]) {
    super("unprocessable", "Request validation failed", { detail: { problems } });
    this.problems = problems;
  }
}
