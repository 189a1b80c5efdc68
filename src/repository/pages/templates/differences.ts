// What differs between two states of an item, as a page shows it (R44): what went is crossed out, what came is
// underlined, and screen readers get both in words.
import { table } from "../../../pages/components/lists.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { TextPart } from "../../../shared/text/text-difference.ts";
import type { ContentDifference, FieldDifference, FileDifference } from "../differences.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { sizeText } from "./layout.ts";

/** Characters around a change that are shown of a long text. */
const CONTEXT = 120;
/** Characters of one value that went or came; the page of the version has all of it. */
const CHANGED_CHARACTERS = 2_000;
/** Values of a field, and files, that are listed. */
const VALUES_LISTED = 100;
const FILES_LISTED = 500;

/** `below`: what follows the values of a field. */
export function differences(
  view: ContentDifference,
  texts: RepositoryTexts,
  below: (field: string, label: string) => Html = () => NOTHING,
  { noChanges, compared }: { readonly noChanges: string; readonly compared: string } = texts.review,
): Html {
  if (view.fields.length === 0 && view.files.length === 0) return html`<p>${noChanges}</p>`;
  const rows = view.fields.map((field) => fieldRow(field, texts, below));
  return html`<p class="hint">${compared}</p>
<dl class="changes">
${rows}</dl>
${view.files.length === 0 ? NOTHING : fileTable(view, texts)}`;
}

function fieldRow(
  { field, values, same, isCut, differsLater }: FieldDifference,
  texts: RepositoryTexts,
  below: (field: string, label: string) => Html,
): Html {
  const { review, record } = texts;
  const own: Readonly<Record<string, string>> = review.fields;
  const lines = values.slice(0, VALUES_LISTED).map((parts) => html`<li>${changedText(parts, texts)}</li>`);
  const unlisted = values.length - lines.length;
  const notes = [
    ...(unlisted > 0 ? [texts.item.unlisted(unlisted)] : []),
    ...(same > 0 ? [review.same(same)] : []),
    ...(isCut ? [review.cut] : []),
    ...(differsLater ? [texts.item.differsLater] : []),
  ];
  const label = own[field] ?? record.fields[field] ?? field;
  return html`<div><dt>${label}</dt><dd><ul class="bare">${lines}</ul>${notes.map((note) => html`<p class="hint">${note}</p>`)}${below(field, label)}</dd></div>
`;
}

/** A text in parts, as all comparisons show it. */
export const changedText = (parts: readonly TextPart[], texts: RepositoryTexts): Html =>
  html`${parts.map((part, at) => partOf(part, at, parts.length, texts))}`;

function partOf({ kind, text }: TextPart, at: number, parts: number, { review }: RepositoryTexts): Html {
  if (kind === "same") return html`${shortened(text, at, parts)}`;
  const heard = (words: string): Html => html`<span class="off">${words}</span>`;
  const shown = text.length > CHANGED_CHARACTERS ? `${text.slice(0, CHANGED_CHARACTERS).toWellFormed()} …` : text;
  return kind === "gone"
    ? html`<del>${heard(review.gone)}${shown}${heard(review.end)}</del>`
    : html`<ins>${heard(review.came)}${shown}${heard(review.end)}</ins>`;
}

/** Of a long text that stays, what is near a change. */
function shortened(text: string, at: number, parts: number): string {
  if (text.length <= 2 * CONTEXT + 20) return text;
  const characters = Array.from(text);
  const head = at === 0 ? "" : characters.slice(0, CONTEXT).join("");
  const tail = at === parts - 1 ? "" : characters.slice(-CONTEXT).join("");
  return `${head} … ${tail}`;
}

function fileTable({ files, sameFiles }: ContentDifference, texts: RepositoryTexts): Html {
  const { review } = texts;
  const unlisted = files.length - FILES_LISTED;
  return html`${table({
    caption: review.files,
    head: [texts.file.name, review.changes, texts.file.size, "SHA-256"],
    rows: files
      .slice(0, FILES_LISTED)
      .map((file) => [file.name, review.fileKinds[file.kind], sizes(file, texts), hashes(file)]),
  })}${unlisted > 0 ? html`<p class="hint">${texts.item.unlistedFiles(unlisted)}</p>` : NOTHING}${sameFiles > 0 ? html`<p class="hint">${review.sameFiles(sameFiles)}</p>` : NOTHING}`;
}

function sizes({ before, after }: FileDifference, texts: RepositoryTexts): string {
  const size = (file: FileDifference["after"]): string => (file === null ? "" : sizeText(file.sizeBytes, texts));
  return before !== null && after !== null ? texts.review.bytes(size(before), size(after)) : size(before ?? after);
}

const hashes = ({ before, after }: FileDifference): Html => {
  const short = (file: FileDifference["after"]): string => (file?.sha256 ?? "").slice(0, 16);
  return html`<code>${[short(before), short(after)].filter((hash) => hash !== "").join(" → ")}</code>`;
};
