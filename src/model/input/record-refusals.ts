// The sentences of the records interface (R37; specification 3, "Errors"), as clients of existing record repositories
// know them: one table, which every use case of that interface refuses by.
import { type Static, Type } from "@sinclair/typebox";
import { BODY, type FaultReason, FieldFault } from "../../shared/field-faults.ts";
import type { Field, Sent } from "../../shared/fields.ts";
import { Refusal } from "../../shared/refusal.ts";
import { manyOf } from "../../shared/shapes.ts";

/** One fault of a record: where, by dots from the root of the body, and every sentence about it. */
export const FieldErrorShape = Type.Object(
  { field: Type.String(), messages: manyOf(Type.String()) },
  { $id: "FieldError" },
);
export type FieldError = Readonly<Static<typeof FieldErrorShape>>;

/** Characters of a tag that a message quotes. */
const SHOWN_TAG = 50;

export const RECORD_SENTENCES = {
  validation: "A validation error occurred.",
  query: "Invalid querystring parameters.",
  json: "Unable to decode JSON data in request body.",
  denied: "Permission denied.",
  unknown: "The persistent identifier does not exist.",
  unregistered: "The persistent identifier is not registered.",
  notFound: "Not found.",
  gone: "Record deleted",
  hidden: "Record not found",
  deletionStatus: "Record in unexpected deletion status.",
  openReview: "You cannot publish a draft with an open review request. Please cancel the review request first.",
  openReviewDeleted: "You cannot delete a draft with an open review. Please cancel the review first.",
  filesMissing: "Missing uploaded files. To disable files for this record please mark it as metadata-only.",
  filesPending: "One or more files have not completed their transfer, please wait.",
  missing: "Missing data for required field.",
  nullValue: "Field may not be null.",
  notObject: "Invalid input type.",
  otherMember: "Unknown field.",
} as const;

/** The request is not valid. @returns Refusal 400 that names every field. */
export function invalidRecord(errors: readonly FieldError[]): Refusal {
  return new Refusal("invalid", RECORD_SENTENCES.validation, { detail: { errors } });
}

export const oneError = (field: string, ...messages: readonly string[]): Refusal =>
  invalidRecord([{ field, messages }]);

const TYPES: Readonly<Record<Extract<FaultReason, { kind: "type" }>["type"], string>> = {
  text: "Not a valid string.",
  number: "Not a valid number.",
  flag: "Not a valid boolean.",
  list: "Not a valid list.",
  object: RECORD_SENTENCES.notObject,
};

/** The sentence of a fault in this interface. */
function recordSentence({ path, reason, sentence }: FieldFault): string {
  switch (reason.kind) {
    case "missing":
      return RECORD_SENTENCES.missing;
    case "null":
      return path === BODY ? RECORD_SENTENCES.notObject : RECORD_SENTENCES.nullValue;
    case "unknown":
      return RECORD_SENTENCES.otherMember;
    case "type":
      return TYPES[reason.type];
    case "choice":
      return `Must be one of: ${reason.values.join(", ")}.`;
    case "length":
      return reason.short ? `Shorter than minimum length ${reason.min}.` : `Longer than maximum length ${reason.max}.`;
    case "sentence":
      return reason.sentence;
    case "other":
      return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`;
  }
}

/** Every fault of a body, by its field: `metadata.organizations.0.name`; the body as a whole is `_schema`. */
export function recordErrors(fault: FieldFault): readonly FieldError[] {
  const byField = new Map<string, string[]>();
  for (const each of fault.all) {
    const field = each.path === BODY ? "_schema" : each.path.replace(/\[(\d+)\]/g, ".$1").replace(/^\./, "");
    const messages = byField.get(field);
    if (messages === undefined) byField.set(field, [recordSentence(each)]);
    else messages.push(recordSentence(each));
  }
  return [...byField].map(([field, messages]) => ({ field, messages }));
}

/** What was sent to this interface. @returns a reader that throws Refusal `invalid` with every fault in its sentences. */
export const sentRecord =
  <T>(field: Field<T>, value: unknown): Sent<T> =>
  () => {
    try {
      return field.read(value, "");
    } catch (error) {
      throw error instanceof FieldFault ? invalidRecord(recordErrors(error)) : error;
    }
  };

/** An unknown id, or one whose existence the caller may not know. */
export const unknownRecord = (): Refusal => new Refusal("not_found", RECORD_SENTENCES.unknown);

export const permissionDenied = (): Refusal => new Refusal("forbidden", RECORD_SENTENCES.denied);

/** The record has another revision than the one the caller has read. */
export function otherRevision(expected: number | string, revision: number): Refusal {
  return new Refusal("precondition", `Revision id provided(${expected}) doesn't match record's one(${revision})`, {
    detail: { expected, revision },
  });
}

/**
 * @param expected the revisions that the caller names; null: any.
 * @throws Refusal `precondition` where this one is not among them.
 */
export function requireRevision(expected: readonly string[] | null, revision: number): void {
  if (expected === null || expected.includes(String(revision))) return;
  throw otherRevision((expected[0] ?? "").slice(0, SHOWN_TAG), revision);
}

/** Somebody else is working on the record (R2f); the message does not name them. */
export const recordBusy = (): Refusal =>
  new Refusal("conflict", "The record is being changed by another activity. Try again when that has ended.");
