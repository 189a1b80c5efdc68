// Metadata as a description list: labels in the reader's language, values as they are, each in its own language (R19a).

import { PLAIN_MEMBERS } from "../../../model/metadata/metadata-schema.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { isLinkable } from "../../../shared/http/web-url.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { langOf, type Term, type Title, titleIn, wordOf } from "./layout.ts";
import { orcidLink } from "./orcid.ts";

type DetailView = {
  readonly text: string;
  readonly lang?: string;
  readonly href?: string;
  readonly orcid?: string;
  /** The person confirmed the ORCID iD by signing in there. */
  readonly isConfirmed?: boolean;
};
export type ValueView = DetailView & {
  readonly kind?: Term;
  readonly term?: Term;
  /** What the repository's own vocabulary calls it. */
  readonly names?: Title;
  readonly details?: readonly DetailView[];
  /** The page of all items with this value. */
  readonly filedAt?: string;
};
/** `count`: how many values the field has; `values` may be the first of them. */
export type RowView = {
  readonly field: string;
  readonly values: readonly ValueView[];
  readonly count: number;
  /** Texts of it are cut: the page of the field has them whole. */
  readonly isCut?: boolean;
};

/** Values that are seen at once; where there are some more than this, the rest unfolds. */
const SEEN = 10;
const SPARE = 2;

/** Where a field is on its page. */
export const fieldAnchor = (field: string): string => `field-${field}`;

/** Fields of an item type that have no path in the canonical model, with the labels the item type gives them (R4a). */
export type OwnFieldView = {
  readonly group: { readonly en: string; readonly ja?: string };
  readonly field: { readonly en: string; readonly ja?: string };
  readonly row: number;
  readonly value: string;
};

/** Fields whose value is looked up as a word of a vocabulary, and whose day is shown as people write it. */
const SHOWN_AS_WORD: ReadonlySet<string> = new Set(["type", "languages", "originalLanguages", "rights"]);

/** `valuesAt`: the address, without the field's name, where all values of a field are listed. */
/** `below`: what follows the values of a field. */
export function metadataRows(
  rows: readonly RowView[],
  texts: RepositoryTexts,
  valuesAt: string,
  below: (field: string, label: string) => Html = () => NOTHING,
): Html {
  return html`${rows.map(({ field, values, count, isCut = false }) => {
    const shown = values.map((value) => shownValue(field, value, texts));
    const all =
      count <= values.length && !isCut
        ? NOTHING
        : html`<p class="all"><a href="${valuesAt}${field}">${isCut ? texts.item.whole : texts.record.all(count)}</a></p>`;
    return html`<div><dt id="${fieldAnchor(field)}">${texts.record.fields[field] ?? field}</dt><dd>${list(shown, texts)}${all}${below(field, texts.record.fields[field] ?? field)}</dd></div>\n`;
  })}`;
}

/** Values as items of a list. */
export const valueList = (field: string, values: readonly ValueView[], texts: RepositoryTexts): Html =>
  html`${values.map((value) => html`<li>${shownValue(field, value, texts)}</li>\n`)}`;

function list(values: readonly Html[], { record }: RepositoryTexts): Html {
  const [first] = values;
  if (first === undefined) return NOTHING;
  if (values.length === 1) return first;
  const items = values.map((value) => html`<li>${value}</li>`);
  if (items.length <= SEEN + SPARE) return html`<ul>${items}</ul>`;
  return html`<ul>${items.slice(0, SEEN)}</ul><details class="rest"><summary>${record.more(items.length - SEEN)}</summary><ul>${items.slice(SEEN)}</ul></details>`;
}

const FLAGS: ReadonlySet<string> = new Set(PLAIN_MEMBERS.filter(({ kind }) => kind === "flag").map(({ name }) => name));

function shownValue(field: string, value: ValueView, texts: RepositoryTexts): Html {
  const kind =
    value.kind === undefined || value.kind.id === "" ? null : (wordOf(value.kind, texts.tag) ?? value.kind.id);
  const shipped = SHOWN_AS_WORD.has(field) && value.term !== undefined ? wordOf(value.term, texts.tag) : null;
  const word = value.names === undefined ? shipped : titleIn(value.names, texts.tag);
  const own = field === "accessRights" ? rightsWord(value.text, texts) : value.text;
  const bare = FLAGS.has(field) ? yesOrNo(value.text, texts) : (word ?? own);
  const text =
    word === null ? linkedText({ ...value, text: bare }, texts) : linkedText({ text: bare, ...hrefOf(value) }, texts);
  const details = field === "rights" && word !== null ? detailsOfLicensed(value) : (value.details ?? []);
  const shown = details.map((detail) => html`<span class="more">${linkedText(detail, texts)}</span>`);
  return html`${kind === null ? NOTHING : html`<span class="kind">${kind}${texts.site.colon}</span>`}${text}${filedLink(value, word ?? own, texts)}${shown}`;
}

/** The way to all items with the value, after it. */
const filedLink = ({ filedAt }: ValueView, text: string, { filed, site }: RepositoryTexts): Html =>
  filedAt === undefined
    ? NOTHING
    : html` <a class="kind apart" href="${filedAt}" aria-label="${filed.filed}${site.colon}${text}">${filed.filed}</a>`;

/** What an item states about its licence in addition to the licence's name, id and address. */
function detailsOfLicensed({ text, lang, href, term, names, details = [] }: ValueView): readonly DetailView[] {
  const shipped = term === undefined ? [] : [wordOf(term, "en"), wordOf(term, "ja"), term.id];
  const known = new Set([...shipped, names?.en, names?.ja, href].map((each) => each?.toLowerCase()));
  const own = { text, ...(lang === undefined ? {} : { lang }) };
  return [own, ...details].filter((detail) => !known.has(detail.text.toLowerCase()));
}

/** Access rights as labels of the COAR vocabulary, and the words we have for them. */
const RIGHTS: Readonly<Record<string, string>> = {
  "open access": "open",
  "embargoed access": "embargoed",
  "restricted access": "restricted",
  "metadata only access": "metadata-only",
};

/**
 * A label of access rights in the reader's language; in English, and for a word that the vocabulary does not have,
 * unchanged.
 */
export function rightsWord(label: string, { tag, access }: RepositoryTexts): string {
  return tag === "en" ? label : (access[RIGHTS[label.trim().toLowerCase()] ?? ""] ?? label);
}

const hrefOf = ({ href }: DetailView): { readonly href?: string } => (href === undefined ? {} : { href });

const yesOrNo = (text: string, { record }: RepositoryTexts): string => (text === "true" ? record.yes : record.no);

/** A text in its language, a link where it leads somewhere. */
function linkedText({ text, lang, href, orcid, isConfirmed = false }: DetailView, texts: RepositoryTexts): Html {
  if (orcid !== undefined) return orcidLink({ id: orcid, isConfirmed }, texts);
  const own = langOf(lang, texts);
  const address = href ?? (isLinkable(text) ? text : null);
  if (address === null) return own.markup === "" ? html`${text}` : html`<span${own}>${text}</span>`;
  return html`<a href="${address}" rel="nofollow noopener"${own}>${text}</a>`;
}

/** Values of one group of an item type that a page shows; the exports have the others. */
const OWN_SHOWN = 100;

export function ownRows(fields: readonly OwnFieldView[], texts: RepositoryTexts): Html {
  const named = (label: { readonly en: string; readonly ja?: string }): string =>
    texts.tag === "ja" ? (label.ja ?? label.en) : label.en;
  const groups = Map.groupBy(fields, ({ group }) => named(group));
  const rows = [...groups].map(([group, values]) => {
    const shown = values.slice(0, OWN_SHOWN).map(({ field, value }) => {
      const own = named(field);
      return html`${own === group ? NOTHING : html`<span class="kind">${own}${texts.site.colon}</span>`}${linkedText({ text: value }, texts)}`;
    });
    const others = values.length - shown.length;
    const rest = others === 0 ? NOTHING : html`<span class="more">${texts.record.inExports(others)}</span>`;
    return html`<div><dt>${group}</dt><dd>${list(shown, texts)}${rest}</dd></div>\n`;
  });
  return html`${rows}`;
}
