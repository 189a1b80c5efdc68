// Comments on a request (R37; reference 1.2, comment_on_request): `{payload: {content, format}}`, HTML that is cleaned.
import { Type } from "@sinclair/typebox";
import { sentRecord } from "../../model/input/record-refusals.ts";
import { COMMENTED_FIELD, type FieldComment } from "../../model/metadata/commented-field.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, oneOf, optional, orNull, refined, sequenceOf, trimmed } from "../../shared/fields.ts";
import { cleanHtml } from "../../shared/html/html-clean.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { most } from "../../shared/limits.ts";
import { isObject } from "../../shared/objects.ts";
import { LAST_DAY } from "./access-body.ts";

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
const COMMENT_MEMBERS = {
  content: CONTENT,
  format: optional(oneOf(["html"])),
  files: optional(FILES),
  field: optional(COMMENTED_FIELD),
};
const PAYLOAD = object(COMMENT_MEMBERS, { $id: "CommentPayload" });
/** Comments on fields of one decision. */
const FIELD_COMMENTS = sequenceOf(object({ field: COMMENTED_FIELD, content: CONTENT }), most("fieldComments"));
const DECISION_PAYLOAD = object(
  { ...COMMENT_MEMBERS, content: optional(CONTENT), comments: optional(FIELD_COMMENTS) },
  { $id: "DecisionPayload" },
);

/** A body that is not an object has no members. */
export const lenient = <T>({ schema, read }: Field<T>): Field<T> => ({
  schema,
  read: (value, path) => read(isObject(value) ? value : {}, path),
});

/** A comment, cleaned; `field`: what it is about, "" for no field. */
export const COMMENT: Field<FieldComment> = refined(
  lenient(object({ payload: PAYLOAD }, { others: "ignored", $id: "NewComment" })),
  ({ payload: { content, field = "" } }) => ({ content, field }),
);

/** What accompanies a decision: a comment, and comments on fields. */
export const DECISION_COMMENTS = optional(
  refined(
    lenient(
      object(
        { payload: optional(DECISION_PAYLOAD), expires_at: optional(orNull(LAST_DAY)) },
        { others: "ignored", $id: "RequestDecision" },
      ),
    ),
    ({ payload: { content = null, field = "", comments = [] } = {}, expires_at: endsOn = null }) =>
      field === "" || content === null
        ? { comment: content, fields: comments, endsOn }
        : { comment: null, fields: [...comments, { field, content }], endsOn },
  ),
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

/** HTML that shows a text as it was typed; lines that begin with `> ` are a quotation. */
export function typedHtml(text: string): string {
  const parts: { readonly isQuote: boolean; readonly lines: string[] }[] = [];
  for (const line of text.trim().split(/\r\n|\r|\n/)) {
    const isQuote = line.startsWith("> ");
    const escaped = (isQuote ? line.slice(2) : line).replace(/[&<>]/g, (each) => ESCAPED[each] ?? "");
    const last = parts.at(-1);
    if (last !== undefined && last.isQuote === isQuote) last.lines.push(escaped);
    else parts.push({ isQuote, lines: [escaped] });
  }
  return parts
    .map(({ isQuote, lines }) => (isQuote ? `<blockquote>${lines.join("<br>")}</blockquote>` : lines.join("<br>")))
    .join("");
}

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** A comment as plain text, in parts: what it quotes, and what it adds. */
export function commentParts(html: string): readonly { readonly isQuote: boolean; readonly text: string }[] {
  let depth = 0;
  const parts: { readonly isQuote: boolean; readonly text: string }[] = [];
  for (const piece of html.split(/(<\/?blockquote>)/)) {
    if (piece === "<blockquote>") depth += 1;
    else if (piece === "</blockquote>") depth -= 1;
    else {
      const text = htmlToText(piece).trim();
      if (text !== "") parts.push({ isQuote: depth > 0, text });
    }
  }
  return parts;
}

/** The same text again, as a quotation to answer. */
export const quoted = (text: string): string =>
  `${text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")}\n`;
