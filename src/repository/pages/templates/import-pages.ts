// The pages where a draft is filled in from a DOI or a file (issue 25): what to read, which work of several, and what
// was found next to what is there.
import type { ImportFormat } from "../../../formats/import/read.ts";
import { IMPORT_FORMATS } from "../../../formats/import/read.ts";
import type { FieldError } from "../../../model/input/record-refusals.ts";
import type { MetadataMember } from "../../../model/metadata/metadata-schema.ts";
import { button, buttonRow, csrfField, linkButton } from "../../../pages/components/buttons.ts";
import { checkbox, choices } from "../../../pages/components/choices.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { hiddenField, keptField, selectField, textArea, textField } from "../../../pages/components/fields.ts";
import { table } from "../../../pages/components/lists.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { most } from "../../../shared/limits.ts";
import type { ImportRow, ImportRows, WorkLine } from "../import-rows.ts";
import { type SiteView, sitePage, sizeText, wordOf } from "./layout.ts";

type OfDraft = { readonly id: number; readonly csrf: string; readonly problems: readonly FieldProblem[] };

export type ImportFormView = OfDraft & {
  /** Names of the services that know DOIs. */
  readonly sources: readonly string[];
  readonly doi: string;
  readonly text: string;
  readonly format: string;
};

const pathOf = ({ rootPath }: SiteView, id: number, rest = ""): string => `${rootPath}/deposit/${id}${rest}`;
const page = (
  site: SiteView,
  title: string,
  problems: readonly FieldProblem[],
  switchable: boolean,
  body: Html,
): string => sitePage(site, { title, noindex: true, problems, switchable, body: html`${pageHeading(title)}\n${body}` });

export function importPage(view: ImportFormView, site: SiteView): string {
  const { texts } = site;
  const words = texts.imports;
  const { id, csrf, problems, sources, doi, text, format } = view;
  const error = (name: string): string | null => problemAt(problems, name);
  const formats = IMPORT_FORMATS.map((value) => ({ value, label: words.formats[value] }));
  const size = sizeText(most("importBytes"), texts);
  const doiField = textField(
    { id: "doi", label: words.doi, hint: words.doiHint(sources.join(", ")), value: doi, error: error("doi") },
    texts,
  );
  return page(
    site,
    words.heading,
    problems,
    problems.length === 0,
    html`<p>${words.intro}</p>
<form method="post" enctype="multipart/form-data" action="${pathOf(site, id, "/import")}" novalidate>${csrfField(csrf)}
${sources.length === 0 ? NOTHING : doiField}${textField({ id: "file", type: "file", label: words.file, hint: words.fileHint(size), error: error("file") }, texts)}${textArea({ id: "text", label: words.text, value: text, rows: 8, error: error("text"), control: { spellcheck: "false" } }, texts)}${selectField({ id: "format", label: words.format, value: format, choices: formats, blank: words.formatAuto, error: error("format") }, texts)}${buttonRow(
  [button({ label: words.show }), linkButton(texts.deposit.back, pathOf(site, id), "quiet")],
)}</form>
`,
  );
}

/** A document that was read, sent again with the next form. */
export type KeptDocument = { readonly format: ImportFormat; readonly text: string; readonly source: string | null };

const keptFields = ({ format, text, source }: KeptDocument): Html =>
  html`${keptField("text", text)}${hiddenField("format", format)}${source === null ? NOTHING : hiddenField("source", source)}`;

export type ChooseWorkView = OfDraft & { readonly document: KeptDocument; readonly works: readonly WorkLine[] };

export function chooseWorkPage({ id, csrf, document, works, problems }: ChooseWorkView, site: SiteView): string {
  const { texts } = site;
  const words = texts.imports;
  // Items of a list of CSL have no lines.
  const hasLines = works.some(({ line }) => line > 1);
  const radios = works.map(({ title, by, line }, at) => ({
    value: `${at}`,
    label: title === "" ? words.untitled : title,
    hint: [by, hasLines ? words.atLine(line) : ""].filter((each) => each !== "").join(" · "),
    isChosen: at === 0,
  }));
  return page(
    site,
    words.choose,
    problems,
    false,
    html`<form method="post" enctype="multipart/form-data" action="${pathOf(site, id, "/import")}">${csrfField(csrf)}${keptFields(document)}
${choices({ id: "entry", kind: "radio", legend: words.choose, isLegendHidden: true, hint: words.chooseIntro(works.length), isWide: true, choices: radios }, texts)}${buttonRow(
  [button({ label: words.proceed }), linkButton(texts.deposit.back, pathOf(site, id), "quiet")],
)}</form>
`,
  );
}

export type CompareView = OfDraft & {
  readonly base: string;
  readonly document: KeptDocument;
  readonly entry: number;
  readonly rows: ImportRows;
  /** Members that were chosen; null: those that the draft lacks. */
  readonly chosen: readonly string[] | null;
  readonly lost: readonly string[];
  readonly faults: readonly FieldError[];
};

export function comparePage(view: CompareView, site: SiteView): string {
  const { texts } = site;
  const words = texts.imports;
  const { id, csrf, base, document, entry, rows, problems, lost, faults } = view;
  const back = linkButton(texts.deposit.back, pathOf(site, id), "quiet");
  const offered = html`<form method="post" action="${pathOf(site, id, "/import/take")}">${csrfField(csrf)}${hiddenField("base", base)}${hiddenField("entry", `${entry}`)}${keptFields(document)}
${table({
  caption: words.compareIntro,
  head: [words.take, words.now, words.next],
  rows: rows.offered.map((row) => [
    takeBox(row, view, site),
    valueList(words.now, wordsOf(row, row.now, site), site),
    valueList(words.next, wordsOf(row, row.next, site), site),
  ]),
})}${buttonRow([button({ label: words.save }), back])}</form>
`;
  const same = rows.same.map((member) => labelOf(member, site)).join(", ");
  return page(
    site,
    words.compare,
    problems,
    false,
    html`${document.source === null ? NOTHING : html`<p>${words.from(document.source)}</p>`}
${rows.offered.length === 0 ? html`<p>${words.nothingNew}</p>${buttonRow([back])}` : offered}${same === "" ? NOTHING : html`<p>${words.same} ${same}</p>`}
${lost.length === 0 ? NOTHING : html`${sectionHeading(words.lost)}<p>${words.lostText}</p><ul>${lost.map((path) => html`<li><code>${path}</code></li>`)}</ul>`}
${faults.length === 0 ? NOTHING : html`${sectionHeading(words.faults)}<p>${words.faultsText}</p><ul>${faults.map(({ field, messages }) => html`<li><code>${field}</code>: ${messages.join(" ")}</li>`)}</ul>`}
`,
  );
}

function labelOf(member: MetadataMember, { texts }: SiteView): string {
  const own: Readonly<Record<string, string>> = texts.record.fields;
  return member === "titles" ? texts.imports.titles : (own[member] ?? member);
}

function takeBox({ member, now }: ImportRow, { chosen, problems }: CompareView, site: SiteView): Html {
  const id = `take-${member}`;
  const isChecked = chosen === null ? now.length === 0 : chosen.includes(member);
  const error = problemAt(problems, id);
  return checkbox({ id, name: "take", value: member, label: labelOf(member, site), isChecked, error });
}

/** Values of a field, and characters of a value, that are shown. */
const VALUES_SHOWN = 10;
const CHARACTERS_SHOWN = 400;

/** Types by their names. */
const wordsOf = ({ member }: ImportRow, values: readonly string[], { texts }: SiteView): readonly string[] =>
  member === "type" ? values.map((id) => wordOf({ vocabulary: "resourcetypes", id }, texts.tag) ?? id) : values;

/** With its heading, which small screens do not show above the columns. */
function valueList(heading: string, values: readonly string[], { texts }: SiteView): Html {
  const words = texts.imports;
  if (values.length === 0) return html`<p class="hint">${heading}: ${words.empty}</p>`;
  const shown = values.slice(0, VALUES_SHOWN).map((text) => {
    const cut = [...text.slice(0, CHARACTERS_SHOWN + 1)].slice(0, CHARACTERS_SHOWN).join("");
    return html`<li>${cut.length < text.length ? `${cut}…` : text}</li>`;
  });
  const rest = values.length - shown.length;
  return html`<p class="hint">${heading}:</p><ul class="bare">${shown}${rest === 0 ? NOTHING : html`<li class="hint">${words.more(rest)}</li>`}</ul>`;
}
