// Comments on single fields (R44): those that were made, at the field they are about, and a box to write one, which is
// sent with the decision.
import { commentedMember } from "../../../model/metadata/commented-field.ts";
import { textArea } from "../../../pages/components/fields.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { RepositoryTexts } from "../languages/index.ts";

export type FieldCommenting = {
  /** The form with which comments are sent; null: the reader may not comment. */
  readonly formId: string | null;
  /** Characters of a comment. */
  readonly most: number;
  /** Comments that were made. */
  readonly made: readonly { readonly field: string; readonly text: string }[];
  /** What was typed, by field, where the form is shown again. */
  readonly sent: ReadonlyMap<string, string>;
};

/** Names of the boxes begin with it. */
export const FIELD_PREFIX = "field:";

/** The comments on a field, and the box for one. */
export function fieldComments(field: string, label: string, commenting: FieldCommenting, texts: RepositoryTexts): Html {
  const { review } = texts;
  const { formId, most, sent } = commenting;
  const made = commenting.made
    .filter((each) => each.field === field || each.field.startsWith(`${field}.`))
    .map(({ text }) => html`<blockquote class="comment">${text}</blockquote>`);
  if (formId === null) return html`${made}`;
  const name = `${FIELD_PREFIX}${field}`;
  const value = sent.get(field) ?? "";
  const box = textArea(
    { id: name, label: review.commentOn(label), value, rows: 2, control: { form: formId, maxlength: most } },
    texts,
  );
  return html`${made}<details${value === "" ? NOTHING : html` open`}><summary>${review.commentHere}<span class="off">${texts.site.colon}${label}</span></summary>${box}</details>`;
}

/** A field as it is called where its values are shown. */
export function fieldLabel(field: string, { review, record }: RepositoryTexts): string {
  const own: Readonly<Record<string, string>> = { ...review.fields, files: record.files };
  const name = commentedMember(field);
  const number = /\.(\d+)$/.exec(field)?.[1];
  const label = own[name] ?? record.fields[name] ?? name;
  return number === undefined ? label : `${label} ${Number(number) + 1}`;
}
