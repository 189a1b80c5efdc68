// Comments on a request (R37; reference 1.2, comment_on_request): `{payload: {content, format}}`, HTML that is cleaned.
import { Type } from "@sinclair/typebox";
import { sentRecord } from "../../model/input/record-refusals.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, oneOf, optional, refined, trimmed } from "../../shared/fields.ts";
import { cleanHtml } from "../../shared/html/html-clean.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { most } from "../../shared/limits.ts";
import { isObject } from "../../shared/objects.ts";

/** Characters of a comment, before it is cleaned. */
export const COMMENT_MAX = most("commentCharacters");

const ABOUT = { description: "HTML, which is cleaned" };
const CONTENT = refined(trimmed({ min: 1, max: COMMENT_MAX, about: ABOUT }), (content, path) => {
  const cleaned = cleanHtml(content);
  if (htmlToText(cleaned).trim() === "") throw faultSentence(path, "Shorter than minimum length 1.");
  return cleaned;
});
/** Clients send files too, which are ignored. */
const FILES: Field<unknown> = { schema: Type.Unknown(), read: (value) => value };
const PAYLOAD = object(
  { content: CONTENT, format: optional(oneOf(["html"])), files: optional(FILES) },
  { $id: "CommentPayload" },
);

/** A body that is not an object has no members. */
export const lenient = <T>({ schema, read }: Field<T>): Field<T> => ({
  schema,
  read: (value, path) => read(isObject(value) ? value : {}, path),
});

/** A comment, cleaned. */
export const COMMENT: Field<string> = refined(
  lenient(object({ payload: PAYLOAD }, { others: "ignored", $id: "NewComment" })),
  ({ payload }) => payload.content,
);

const REQUIRE_REVIEW: Field<boolean> = {
  schema: Type.Boolean({ default: false }),
  read(value, path) {
    if (typeof value === "boolean") return value;
    throw faultSentence(path, "Must be a boolean, true or false");
  },
};

/** A comment that may accompany an action, cleaned; null: none. */
export const OPTIONAL_COMMENT = optional(
  refined(
    lenient(object({ payload: optional(PAYLOAD) }, { others: "ignored", $id: "OptionalComment" })),
    ({ payload }) => payload?.content ?? null,
  ),
);

/** What accompanies the submission of a draft. */
export const SUBMISSION = optional(
  refined(
    lenient(
      object(
        { payload: optional(PAYLOAD), require_review: optional(REQUIRE_REVIEW) },
        { others: "ignored", $id: "ReviewSubmission" },
      ),
    ),
    ({ payload, require_review: requireReview = false }) => ({ comment: payload?.content ?? null, requireReview }),
  ),
);

/**
 * Plain text that somebody typed, as a comment; null where it is empty. @throws Refusal `invalid` where it is too long.
 */
export function commentFromText(text: string): string | null {
  if (text.trim() === "") return null;
  return sentRecord(OPTIONAL_COMMENT, { payload: { content: text } })();
}

/**
 * The same of text that is not meant as HTML, as a form sends it: `<` stays what it is, and lines stay lines.
 *
 * @throws Refusal `invalid` where it is too long
 */
export const commentAsTyped = (text: string): string | null => commentFromText(typedHtml(text));

/** HTML that shows a text as it was typed. */
export function typedHtml(text: string): string {
  const escaped = text.replace(/[&<>]/g, (each) => (each === "&" ? "&amp;" : each === "<" ? "&lt;" : "&gt;"));
  return escaped.trim().replace(/\r\n|\r|\n/g, "<br>");
}
