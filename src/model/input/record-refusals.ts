// The sentences of the records interface (R37; specification 3, "Errors"), as clients of existing record repositories
// know them: one table, which every use case of that interface refuses by.
import { Refusal } from "../../shared/refusal.ts";

/** One fault of a record: where, by dots from the root of the body, and every sentence about it. */
export type FieldError = { readonly field: string; readonly messages: readonly string[] };

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
} as const;

/** The request is not valid. @returns Refusal 400 that names every field. */
export function invalidRecord(errors: readonly FieldError[]): Refusal {
  return new Refusal("invalid", RECORD_SENTENCES.validation, { detail: { errors } });
}

export const oneError = (field: string, ...messages: readonly string[]): Refusal =>
  invalidRecord([{ field, messages }]);

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
