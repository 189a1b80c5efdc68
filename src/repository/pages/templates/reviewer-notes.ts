// Comments of reviewers in the form of a draft (R44): a list at its top, and each at the field it is about.
import { commentedMember } from "../../../model/metadata/commented-field.ts";
import { banner } from "../../../pages/components/notes.ts";
import { sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { FieldNote } from "../../requests/field-comments.ts";
import { fieldLabel } from "./field-comments.ts";
import type { SiteView } from "./layout.ts";

/** `at`: the control of the form that it leads to; null: the form has none for it. */
export type ReviewerNote = FieldNote & { readonly at: string | null };

export function reviewerNotes(notes: readonly ReviewerNote[], { texts, rootPath }: SiteView, id: number | null): Html {
  if (notes.length === 0) return NOTHING;
  const { review } = texts;
  const lines = notes.map(({ field, text, at }) => {
    const label = fieldLabel(field, texts);
    const isFiles = commentedMember(field) === "files" && id !== null;
    const href = at !== null ? `#${at}` : isFiles ? `${rootPath}/deposit/${id}/files` : null;
    return html`<li>${href === null ? label : html`<a href="${href}">${label}</a>`}${texts.site.colon}${text}</li>`;
  });
  return banner("warn", html`${sectionHeading(review.notes)}<ul>${lines}</ul><p>${review.notesHint}</p>`);
}

/** The hint of a control with the comments of reviewers. */
export function notedHint(
  name: string,
  hint: string | undefined,
  notes: readonly ReviewerNote[],
  { texts }: SiteView,
): string | Html | undefined {
  const own = notes.filter(({ at }) => at === name);
  if (own.length === 0) return hint;
  return html`${hint === undefined ? NOTHING : html`${hint} `}<strong>${texts.review.noteHere}</strong> ${own.map(({ text }) => html`${text} `)}`;
}
