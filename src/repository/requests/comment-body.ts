// Comments on a request (R37; reference 1.2, comment_on_request): `{payload: {content, format}}`, HTML that is cleaned.

import { bodyReading, partOf } from "../../model/input/body-reading.ts";
import { oneError } from "../../model/input/record-refusals.ts";
import { isObject } from "../../shared/fields.ts";
import { cleanHtml } from "../../shared/html/html-clean.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { most } from "../../shared/limits.ts";

/** Characters of a comment, before it is cleaned. */
const COMMENT_MAX = most("commentCharacters");

/** Cleaned. @throws Refusal `invalid` for none, an empty one, or one that is too long. */
export function commentIn(body: unknown): string {
  return (isObject(body) ? optionalCommentIn(body) : null) ?? missing();
}

function missing(): never {
  throw oneError("payload", "Missing data for required field.");
}

/** A comment sent with an action, where it is optional: null. */
export function optionalCommentIn(body: unknown): string | null {
  if (!isObject(body) || body.payload === undefined) return null;
  const reading = bodyReading();
  const payload = reading.object(body.payload, "payload", { known: ["content", "format", "files"] });
  const rule = { min: 1, max: COMMENT_MAX, required: payload !== null };
  const content = reading.text(partOf(payload, "content"), "payload.content", rule);
  reading.choice(partOf(payload, "format"), "payload.format", ["html"]);
  const cleaned = content === null ? null : cleanHtml(content);
  // A comment that is empty once it is cleaned is missing.
  if (cleaned !== null && htmlToText(cleaned).trim() === "") {
    reading.fail("payload.content", "Shorter than minimum length 1.");
  }
  reading.end();
  return cleaned;
}

/**
 * Plain text that somebody typed, as a comment; null where it is empty. @throws Refusal `invalid` where it is too long.
 */
export function commentFromText(text: string): string | null {
  if (text.trim() === "") return null;
  return optionalCommentIn({ payload: { content: text } });
}
