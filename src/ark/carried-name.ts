// A name as one Arkstone hands it to another (A51): its whole row and its whole history, as NDJSON. The line that
// begins a name holds its row; a history that is too long for one line goes on in the lines below it:
//
//   row      = {"ark", the eleven strings, "state", times, hold, "shoulder", "origin", "organisation", …, "history": [step, …]}
//   goes on  = {"ark", "history_from": N, "history": [step, …]}     N steps of the same name are above it
//   receipt  = {"receipt": {"client_id", "request_id", "kind", "ark", "created_at"}}     behind the names (A13)
//
// Only the form is judged here; whether row, history and what is registered agree is judged by the rules of `arkstone
// verify`.
import { type Instant, readInstant } from "../shared/time/instant.ts";
import { ARK_MAX, REASON_MAX, REQUEST_ID_MAX, storedTargetProblem, TEXT_MAX, textProblems, URL_MAX } from "./inputs.ts";
import {
  ARK_ORIGINS,
  ARK_STATES,
  type ArkOrigin,
  type ArkRecord,
  type ArkState,
  DESCRIPTIVE_FIELDS,
  type DescriptiveField,
  RECEIPT_KINDS,
  type ReceiptKind,
} from "./record.ts";
import type { HistoryEntry, Receipt } from "./store.ts";
import { formatArk, parseArk } from "./syntax.ts";

export type CarriedName = {
  readonly ark: string;
  /** Organisations have other numbers elsewhere: they are identified by name. */
  readonly record: Omit<ArkRecord, "organisationId">;
  readonly organisation: string | null;
  readonly history: readonly HistoryEntry[];
};

/** A line that goes on with the history of the name above it. */
type CarriedMore = { readonly ark: string; readonly from: number; readonly history: readonly HistoryEntry[] };

/** The entry that tells when a name came here from another service; it changes nothing of the name. */
export const TRANSFER = "transfer";

/** Steps of one name at most. */
const HISTORY_MAX = 100_000;
/** Characters of one line, where its row alone is not longer; a reader takes `ROW_MAX`. */
const LINE_MAX = 200_000;
const ACTION_MAX = 100;
const CLIENT_MAX = 300;

const TIMES = [
  ["created_at", "createdAt"],
  ["updated_at", "updatedAt"],
  ["published_at", "publishedAt"],
  ["first_published_at", "firstPublishedAt"],
  ["tombstoned_at", "tombstonedAt"],
  ["withdrawn_at", "withdrawnAt"],
  ["hold_until", "holdUntil"],
] as const satisfies (readonly [string, keyof ArkRecord])[];
type TimeMember = (typeof TIMES)[number][0];

const RECEIPT_MEMBERS: readonly string[] = ["client_id", "request_id", "kind", "ark", "created_at"];

/** Members of a row that an import of names minted elsewhere does not know. */
const OWN_MEMBERS: readonly string[] = [
  ...TIMES.map(([member]) => member),
  "ark",
  "state",
  "hold_reason",
  "shoulder",
  "origin",
  "organisation",
  "withdrawn_reason",
  "history",
];

// --- written ---

export function receiptLine({ clientId, requestId, kind, key, createdAt }: Receipt): string {
  const receipt = { client_id: clientId, request_id: requestId, kind, ark: formatArk(key), created_at: createdAt };
  return `${JSON.stringify({ receipt })}\n`;
}

/** The lines of a name, each with its line end. */
export function carriedLines(name: CarriedName): string {
  const steps = name.history.map((step) => JSON.stringify(stepOut(step)));
  let begun = JSON.stringify(rowOut(name)).slice(0, -1);
  let lines = "";
  for (let start = 0, isRow = true; ; isRow = false) {
    let end = start;
    let length = begun.length;
    // The row may be as long as a line by itself; a line that only goes on takes one step at least.
    while (end < steps.length && (length + stepLength(steps, end) <= LINE_MAX || (!isRow && end === start))) {
      length += stepLength(steps, end);
      end++;
    }
    lines += `${begun},"history":[${steps.slice(start, end).join(",")}]}\n`;
    if (end >= steps.length) return lines;
    start = end;
    begun = JSON.stringify({ ark: name.ark, history_from: start }).slice(0, -1);
  }
}

function stepLength(steps: readonly string[], index: number): number {
  return (steps[index]?.length ?? 0) + 1;
}

function rowOut({ ark, record, organisation }: CarriedName): { readonly [member: string]: unknown } {
  const texts = Object.fromEntries(DESCRIPTIVE_FIELDS.map((field) => [field, record[field]]));
  const times = Object.fromEntries(TIMES.map(([member, field]) => [member, record[field]]));
  const { state, shoulder, origin } = record;
  return {
    ark,
    ...texts,
    state,
    ...times,
    hold_reason: record.holdReason,
    withdrawn_reason: record.withdrawnReason,
    shoulder,
    origin,
    organisation,
  };
}

function stepOut({ at, action, beforeUrl, afterUrl, fields, by, reason }: HistoryEntry) {
  return { at, action, before_url: beforeUrl, after_url: afterUrl, fields, by, reason };
}

// --- read ---

type Fields = { readonly [name: string]: unknown };
type CarriedRow =
  | { readonly value: CarriedName | { readonly receipt: Receipt } }
  | { readonly more: CarriedMore }
  | { readonly wrong: string };

/** True for what an operator's export writes: only that states the origin of a name. */
export function isCarried(object: Fields): boolean {
  return object.origin !== undefined || object.history_from !== undefined || object.receipt !== undefined;
}

/** What makes a row unfit; thrown and caught in this file alone. */
class LineFault extends Error {
  override readonly name = "Wrong";
}

/** One object of an operator's export. @throws ServiceError where `ark` names none. */
export function readCarried(object: Fields): CarriedRow {
  try {
    if (object.receipt !== undefined) return { value: { receipt: readReceipt(object) } };
    return object.history_from === undefined ? { value: readName(object) } : { more: readMore(object) };
  } catch (error) {
    if (error instanceof LineFault) return { wrong: error.message };
    throw error;
  }
}

function readMore(object: Fields): CarriedMore {
  const stray = Object.keys(object).find((name) => !["ark", "history_from", "history"].includes(name));
  if (stray !== undefined) throw new LineFault(`unknown field ${JSON.stringify(stray)}`);
  const { history_from: from } = object;
  if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 0)
    throw new LineFault("history_from must be a number");
  return { ark: formatArk(parseArk(textOf(object, "ark", ARK_MAX))), from, history: stepsOf(object.history) };
}

function readReceipt(object: Fields): Receipt {
  const { receipt } = object;
  if (Object.keys(object).length > 1) throw new LineFault("a receipt must be alone in its line");
  if (typeof receipt !== "object" || receipt === null) throw new LineFault("receipt must be an object");
  // An object of JSON: its keys are texts.
  const fields = receipt as Fields;
  const stray = Object.keys(fields).find((name) => !RECEIPT_MEMBERS.includes(name));
  if (stray !== undefined) throw new LineFault(`unknown field ${JSON.stringify(stray)}`);
  const clientId = textOf(fields, "client_id", CLIENT_MAX);
  if (clientId === "" || clientId.startsWith("(")) throw new LineFault("client_id must be that of a client");
  const requestId = textOf(fields, "request_id", REQUEST_ID_MAX * 2);
  if (requestId === "") throw new LineFault("request_id must not be empty");
  return {
    clientId,
    requestId,
    kind: oneOf<ReceiptKind>(fields, "kind", RECEIPT_KINDS),
    key: parseArk(textOf(fields, "ark", ARK_MAX)).key,
    createdAt: instantOf(fields, "created_at"),
  };
}

function readName(object: Fields): CarriedName {
  const fields: readonly string[] = DESCRIPTIVE_FIELDS;
  const stray = Object.keys(object).find((name) => !OWN_MEMBERS.includes(name) && !fields.includes(name));
  if (stray !== undefined) throw new LineFault(`unknown field ${JSON.stringify(stray)}`);
  const ark = parseArk(textOf(object, "ark", ARK_MAX));
  const record = {
    ...describedAs(object),
    ...timesOf(object),
    key: ark.key,
    naan: ark.naan,
    shoulder: textOf(object, "shoulder", 64),
    origin: oneOf<ArkOrigin>(object, "origin", ARK_ORIGINS),
    state: oneOf<ArkState>(object, "state", ARK_STATES),
    withdrawnReason: textOrNull(object, "withdrawn_reason", TEXT_MAX),
    holdReason: textOrNull(object, "hold_reason", REASON_MAX),
  };
  return {
    ark: formatArk(ark),
    record,
    organisation: textOrNull(object, "organisation", CLIENT_MAX),
    history: stepsOf(object.history),
  };
}

function textOf(object: Fields, name: string, limit: number): string {
  const value = object[name];
  if (typeof value !== "string") throw new LineFault(value === undefined ? `has no ${name}` : `${name} must be text`);
  if (value.length > limit) throw new LineFault(`${name} is longer than ${limit} characters`);
  if (!value.isWellFormed() || value.includes("\0")) throw new LineFault(`${name} holds characters no text has`);
  return value;
}

function textOrNull(object: Fields, name: string, limit: number): string | null {
  return object[name] === undefined || object[name] === null ? null : textOf(object, name, limit);
}

function oneOf<T extends string>(object: Fields, name: string, values: readonly T[]): T {
  const found = values.find((value) => value === object[name]);
  if (found !== undefined) return found;
  throw new LineFault(`${name} must be one of ${values.join(", ")}, not ${JSON.stringify(object[name])}`);
}

/** A moment exactly as the service writes it. */
function instantOf(object: Fields, name: string): Instant {
  const text = textOf(object, name, 24);
  if (readInstant(text) !== text)
    throw new LineFault(`${name} must be a moment such as 2026-01-01T00:00:00.000Z, not "${text}"`);
  return text;
}

function timesOf(object: Fields) {
  const timeOrNull = (name: TimeMember) =>
    object[name] === undefined || object[name] === null ? null : instantOf(object, name);
  return {
    createdAt: instantOf(object, "created_at"),
    updatedAt: instantOf(object, "updated_at"),
    publishedAt: timeOrNull("published_at"),
    firstPublishedAt: timeOrNull("first_published_at"),
    tombstonedAt: timeOrNull("tombstoned_at"),
    withdrawnAt: timeOrNull("withdrawn_at"),
    holdUntil: timeOrNull("hold_until"),
  };
}

/**
 * The eleven strings. A target that was taken when fewer were refused leads where it led: only what harms a reader is
 * refused here.
 */
function describedAs(object: Fields): Readonly<Record<DescriptiveField, string>> {
  const read = (field: DescriptiveField): string =>
    object[field] === undefined || object[field] === null
      ? ""
      : textOf(object, field, field === "url" ? URL_MAX : TEXT_MAX);
  const [url, title, type, identifier] = [read("url"), read("title"), read("type"), read("identifier")];
  const [format, relation, source, commitment] = [read("format"), read("relation"), read("source"), read("commitment")];
  const [metadata, who, when] = [read("metadata"), read("who"), read("when")];
  const texts = { title, type, identifier, format, relation, source, commitment, metadata, who, when };
  const [problem] = textProblems(texts, []);
  if (problem !== undefined)
    throw new LineFault(`${problem.loc.join(".")} ${problem.msg.replace("Value error, ", "")}`);
  const unfit = storedTargetProblem(url);
  if (unfit !== null) throw new LineFault(`url ${unfit}`);
  return { url, ...texts };
}

function stepsOf(value: unknown): readonly HistoryEntry[] {
  if (!Array.isArray(value)) throw new LineFault("history must be a list");
  if (value.length > HISTORY_MAX) throw new LineFault(`history is longer than ${HISTORY_MAX} steps`);
  return value.map((step: unknown, index) => {
    try {
      return stepOf(step);
    } catch (error) {
      if (error instanceof LineFault) throw new LineFault(`history[${index}]: ${error.message}`);
      throw error;
    }
  });
}

function stepOf(value: unknown): HistoryEntry {
  if (typeof value !== "object" || value === null) throw new LineFault("must be an object");
  // An object of JSON: its keys are texts.
  const step = value as Fields;
  const { fields } = step;
  if (
    !Array.isArray(fields) ||
    !fields.every((field): field is string => typeof field === "string" && field.length <= 100)
  ) {
    throw new LineFault("fields must be a list of names");
  }
  return {
    at: instantOf(step, "at"),
    action: textOf(step, "action", ACTION_MAX),
    beforeUrl: textOf(step, "before_url", URL_MAX),
    afterUrl: textOf(step, "after_url", URL_MAX),
    fields,
    by: textOf(step, "by", CLIENT_MAX),
    reason: textOf(step, "reason", TEXT_MAX),
  };
}

export const NO_HISTORY_ABOVE = "continues a history that is not above it";

/** Adds the steps of a line below a name to those above it; a text states why they do not belong together. */
export function continueHistory(ark: string, above: HistoryEntry[], more: CarriedMore): string | null {
  if (more.ark !== ark || more.from !== above.length) return NO_HISTORY_ABOVE;
  if (above.length + more.history.length > HISTORY_MAX) return `history is longer than ${HISTORY_MAX} steps`;
  for (const step of more.history) above.push(step);
  return null;
}
