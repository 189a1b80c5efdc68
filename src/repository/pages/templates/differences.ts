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

/** `below`: what follows the values of a field. */
export function differences(
  view: ContentDifference,
  texts: RepositoryTexts,
  below: (field: string, label: string) => Html = () => NOTHING,
): Html {
  const { review } = texts;
  if (view.fields.length === 0 && view.files.length === 0) return html`<p>${review.noChanges}</p>`;
  const rows = view.fields.map((field) => fieldRow(field, texts, below));
  return html`<p class="hint">${review.compared}</p>
<dl class="changes">
${rows}</dl>
${view.files.length === 0 ? NOTHING : fileTable(view, texts)}`;
}

function fieldRow(
  { field, values, same, isCut }: FieldDifference,
  texts: RepositoryTexts,
  below: (field: string, label: string) => Html,
): Html {
  const { review, record } = texts;
  const own: Readonly<Record<string, string>> = review.fields;
  const lines = values.map((parts) => html`<li>${parts.map((part, at) => partOf(part, at, parts.length, texts))}</li>`);
  const notes = [...(same > 0 ? [review.same(same)] : []), ...(isCut ? [review.cut] : [])];
  const label = own[field] ?? record.fields[field] ?? field;
  return html`<div><dt>${label}</dt><dd><ul class="bare">${lines}</ul>${notes.map((note) => html`<p class="hint">${note}</p>`)}${below(field, label)}</dd></div>
`;
}

function partOf({ kind, text }: TextPart, at: number, parts: number, { review }: RepositoryTexts): Html {
  if (kind === "same") return html`${shortened(text, at, parts)}`;
  const heard = (words: string): Html => html`<span class="off">${words}</span>`;
  return kind === "gone"
    ? html`<del>${heard(review.gone)}${text}${heard(review.end)}</del>`
    : html`<ins>${heard(review.came)}${text}${heard(review.end)}</ins>`;
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
  return html`${table({
    caption: review.files,
    head: [texts.file.name, review.changes, texts.file.size, "SHA-256"],
    rows: files.map((file) => [file.name, review.fileKinds[file.kind], sizes(file, texts), hashes(file)]),
  })}${sameFiles > 0 ? html`<p class="hint">${review.sameFiles(sameFiles)}</p>` : NOTHING}`;
}

function sizes({ before, after }: FileDifference, texts: RepositoryTexts): string {
  const size = (file: FileDifference["after"]): string => (file === null ? "" : sizeText(file.sizeBytes, texts));
  return before !== null && after !== null ? texts.review.bytes(size(before), size(after)) : size(before ?? after);
}

const hashes = ({ before, after }: FileDifference): Html => {
  const short = (file: FileDifference["after"]): string => (file?.sha256 ?? "").slice(0, 16);
  return html`<code>${[short(before), short(after)].filter((hash) => hash !== "").join(" → ")}</code>`;
};
