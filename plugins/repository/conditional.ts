// Whether a reader has an answer of the records interface already (specification 3, "Response headers"; R29; RFC 9110
// section 13).
import { matchedWords, namesTag } from "../../src/shared/http/entity-tags.ts";
import type { Instant } from "../../src/shared/time/instant.ts";

/** Validators of a response. `changedAt`: null if nothing has ever changed. */
export type Validators = { readonly etag: string; readonly changedAt: Instant | null };

/** Responses that depend on the caller and the language: no shared cache stores them, and each use is validated. */
export function validatorHeaders({ etag, changedAt }: Validators): Headers {
  const headers = new Headers({ etag, "cache-control": "private, no-cache", vary: "Authorization, Accept-Language" });
  if (changedAt !== null) headers.set("last-modified", new Date(changedAt).toUTCString());
  return headers;
}

/**
 * By `If-None-Match`; without it by `If-Modified-Since`, which has whole seconds and is ignored if it is not a date.
 */
export function isUnchanged({ headers }: Request, { etag, changedAt }: Validators): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return namesTag(tags, etag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  if (Number.isNaN(since) || changedAt === null) return false;
  return Math.floor(Date.parse(changedAt) / 1000) <= Math.floor(since / 1000);
}

/**
 * The revisions that `If-Match` names, with quotes and without; null: any. `.older` marks the tag of a version that is
 * not the latest.
 */
export function seenBy({ headers }: Request): { readonly revisions: readonly string[] | null } {
  const words = matchedWords(headers.get("if-match"));
  return { revisions: words?.map((word) => word.replace(/\.older$/, "")) ?? null };
}
