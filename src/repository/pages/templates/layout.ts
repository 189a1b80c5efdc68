// The frame of every page of the repository: head, top line with links and account, foot (R19a).
import { SHIPPED_TYPES, shippedEntry, shippedVocabulary } from "../../../assets/vocabularies/index.ts";
import { csrfField } from "../../../pages/components/buttons.ts";
import { comboboxData } from "../../../pages/components/combobox.ts";
import type { FieldProblem } from "../../../pages/components/errors.ts";
import type { Control } from "../../../pages/components/fields.ts";
import { type LanguageLink, pageDocument } from "../../../pages/components/page.ts";
import { attributes, type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Look } from "../../../pages/static-files.ts";
import { writeByteSize } from "../../../shared/bytes/byte-size.ts";
import type { NamedLink } from "../../../shared/settings/setting-parsers.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { FooterLink } from "../../administration/footer-links.ts";
import { REPOSITORY_LANGUAGES, type RepositoryTexts, repositoryTexts } from "../languages/index.ts";

/** What every page knows in addition to its content. */
export type SiteView = {
  readonly texts: RepositoryTexts;
  readonly repositoryName: string;
  readonly look?: Look | undefined;
  /** The static pages at the foot of every page, and the links of the settings after them. */
  readonly footer?: readonly FooterLink[];
  readonly footerLinks?: readonly NamedLink[];
  /** The mount prefix, for our own links. */
  readonly rootPath: string;
  /** Path and query of this page, without mount prefix and without `lang`. */
  readonly here: string;
  /** Who is signed in; null for guests. `csrf` is in every form. */
  readonly person: {
    readonly id: number;
    readonly name: string;
    readonly csrf: string;
    /** Tasks and offers that wait for them. */
    readonly waiting: number;
    /** The list of authors is open to them. */
    readonly managesAuthors: boolean;
    /** They write the static pages. */
    readonly writesPages: boolean;
  } | null;
};

type PageParts = {
  readonly title: string;
  readonly body: Html;
  readonly noindex?: boolean;
  /** Further lines of the head: meta tags, typed links, data. */
  readonly head?: Html;
  /** The text of the search box: a page of hits has its box in the page itself. */
  readonly searched?: true;
  /** False where the address has no other language: answers to a form. */
  readonly switchable?: boolean;
  /** What is wrong with the form of the page. */
  readonly problems?: readonly FieldProblem[];
  /** Scripts of `src/pages/scripts`. */
  readonly scripts?: readonly string[];
};

export function sitePage(site: SiteView, parts: PageParts): string {
  const { texts, rootPath, repositoryName } = site;
  const { title, body, head, noindex, problems, scripts = [], switchable = true } = parts;
  return pageDocument({
    texts,
    rootPath,
    title: title === repositoryName ? repositoryName : `${title} · ${repositoryName}`,
    mark: repositoryName,
    look: site.look,
    ...(noindex === undefined ? {} : { noindex }),
    ...(problems === undefined ? {} : { problems }),
    scripts: [SEARCH_SCRIPT, ...(site.person === null ? [] : ["sign-out"]), ...scripts],
    head: html`<link rel="icon" href="${rootPath}/favicon.ico" sizes="32x32">
<link rel="search" type="application/opensearchdescription+xml" title="${repositoryName}" href="${rootPath}/opensearch.xml">
${head ?? NOTHING}
`,
    header: html`${parts.searched === true ? NOTHING : searchBox(site)}<nav aria-label="${texts.site.pages}"><a href="${rootPath}/deposit">${texts.deposit.link}</a><a href="${rootPath}/index">${texts.site.indexes}</a><a href="${rootPath}/communities">${texts.community.heading}</a>${account(site)}</nav>
`,
    languages: switchable ? languages(site) : [],
    body,
    foot: html`${texts.site.footer} <a href="${rootPath}/api/docs">${texts.site.interfaces}</a> <a href="${rootPath}/oai?verb=Identify">OAI-PMH</a>${footerPages(site)}`,
  });
}

function footerPages({ footer = [], footerLinks = [], texts, rootPath, person }: SiteView): Html {
  const all = html` <a href="${rootPath}/pages">${texts.staticPages.heading}</a>`;
  return html`${footer.map(({ path, titleEn, titleJa }) => {
    const { text, lang } = inLanguage({ en: titleEn, ja: titleJa }, texts.tag);
    return html` <a href="${rootPath}${path}"${langOf(lang, texts)}>${text}</a>`;
  })}${footerLinks.map(({ label, href }) => html` <a href="${href}">${label}</a>`)}${person?.writesPages === true ? all : NOTHING}`;
}

/** A text in the language of the page, else in the other one. */
export function inLanguage({ en, ja }: Title, tag: string): { readonly text: string; readonly lang: "en" | "ja" } {
  return tag === "ja"
    ? ja === ""
      ? { text: en, lang: "en" }
      : { text: ja, lang: "ja" }
    : en === ""
      ? { text: ja, lang: "ja" }
      : { text: en, lang: "en" };
}

/** The box of every page; the search page has a larger one. */
function searchBox(site: SiteView): Html {
  const { texts, rootPath } = site;
  const { box, go } = texts.search;
  return html`<form class="find" role="search" aria-label="${box}" action="${rootPath}/search">${searchInput(site, box, { placeholder: box })}<button>${go}</button></form>
`;
}

/** The script of {@link searchInput}. */
const SEARCH_SCRIPT = "combobox";

/** Words that are searched for, completed while they are typed (R27j). */
export function searchInput({ texts, rootPath }: SiteView, label: string, control: Control): Html {
  const source = `${rootPath}/search/suggestions?lang=${texts.tag}`;
  const data = comboboxData({ source, label, kinds: texts.search.kinds });
  return html`<div class="combobox"><input type="search" name="q"${attributes({ ...control, "aria-label": label, ...data })}></div>`;
}

function account({ texts, rootPath, person, here }: SiteView): Html {
  if (person === null) {
    const back = here === "/" || here.startsWith("/account/") ? "" : `?return_to=${encodeURIComponent(here)}`;
    return html`<a href="${rootPath}/account/login${back}">${texts.site.signIn}</a>`;
  }
  return html`<a href="${rootPath}/me">${texts.work.count(texts.work.heading, person.waiting)}</a><a href="${rootPath}/workflow/activities">${texts.site.activities}</a>${person.managesAuthors ? html`<a href="${rootPath}/authors">${texts.person.all}</a>` : NOTHING}<a class="who" href="${rootPath}/account">${person.name}</a><form method="post" action="${rootPath}/account/logout" data-sign-out="${person.id}">${csrfField(person.csrf)}<button class="plain">${texts.site.signOut}</button></form>`;
}

const languages = ({ rootPath, here }: SiteView): readonly LanguageLink[] =>
  REPOSITORY_LANGUAGES.map((tag) => ({
    tag,
    name: repositoryTexts(tag).ownName,
    href: `${rootPath}${here}${here.includes("?") ? "&" : "?"}lang=${tag}`,
  }));

/**
 * A day (`YYYY-MM-DD`) or a moment as people write it; the exact text is in the markup. Text that is not a day stays as
 * written.
 */
export function day(value: string, texts: RepositoryTexts): Html {
  const text = dayText(value, texts);
  return html`<time datetime="${value}">${text}</time>`;
}

export const dayText = (value: string, { locale }: RepositoryTexts): string => dayIn(value, locale);

export function moment(instant: Instant, texts: RepositoryTexts): Html {
  const format = dateFormat(texts.locale, "short");
  return html`<time datetime="${instant}">${format.format(new Date(instant))} UTC</time>`;
}

/** The language of a text, where it is another one than that of the page. */
export const otherLang = (lang: string | undefined, { tag }: RepositoryTexts): string | undefined =>
  lang !== undefined && lang !== tag && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(lang) ? lang : undefined;

/** `lang` where a text is in another language than the page. */
export const langOf = (lang: string | undefined, texts: RepositoryTexts): Html =>
  attributes({ lang: otherLang(lang, texts) });

/** Sizes as people read them: 1.2 MiB. */
export const sizeText = (bytes: number, { locale }: RepositoryTexts): string =>
  writeByteSize(bytes, (value) => numberFormat(locale, value >= 100 ? 0 : 1).format(value));

/** Made once for each language: making one takes longer than using it a hundred times. */
const NUMBERS = new Map<string, Intl.NumberFormat>();

function numberFormat(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  const format = NUMBERS.get(key) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
  NUMBERS.set(key, format);
  return format;
}

// Words of the shipped vocabularies on pages: kinds of dates and relations, roles, licences, types (R6a, R19a).

/** A word that a vocabulary may have, by its type and its id in the spelling of a format. */
export type Term = { readonly vocabulary: string; readonly id: string };

/** A word in both languages. */
export type Title = { readonly en: string; readonly ja: string };

const plainId = (id: string): string => id.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Languages are many, and their ids are plain as they are. */
const LANGUAGES = "languages";

const TITLES: ReadonlyMap<string, Title> = new Map(
  SHIPPED_TYPES.filter((type) => type !== LANGUAGES)
    .flatMap(shippedVocabulary)
    .map(({ type, id, title }) => [`${type} ${plainId(id)}`, title]),
);

/** Ids that formats write and the vocabulary spells otherwise. */
const SAME: Readonly<Record<string, string>> = { "titletypes alternative": "titletypes alternativetitle" };

export const titleIn = ({ en, ja }: Title, tag: string): string => (tag === "ja" ? ja || en : en || ja);

/** The word in a language; null for what no vocabulary knows. */
export function wordOf({ vocabulary, id }: Term, tag: string): string | null {
  const key = `${vocabulary} ${plainId(id)}`;
  const title = vocabulary === LANGUAGES ? shippedEntry(LANGUAGES, plainId(id))?.title : TITLES.get(SAME[key] ?? key);
  if (title === undefined) return null;
  return titleIn(title, tag);
}

/** How open an item is to everybody, and the day on which more of it opens by itself. */
export type OpennessView = {
  readonly kind: "open" | "partly" | "later" | "embargoed" | "restricted" | "metadata-only";
  readonly opensOn: string | null;
};

export function opennessText({ kind, opensOn }: OpennessView, { access, openness, locale }: RepositoryTexts): string {
  const on = opensOn === null ? null : dayIn(opensOn, locale);
  if (kind === "partly") return on === null ? openness.partly : openness.partlyUntil(on);
  if (kind === "later" && on !== null) return openness.later(on);
  if (kind === "embargoed" && on !== null) return openness.embargoed(on);
  return access[kind] ?? kind;
}

/** A day (`YYYY-MM-DD`) or a moment as people write it; text that is not a day stays as written. */
function dayIn(value: string, locale: string): string {
  const time = new Date(value.length === 10 ? `${value}T00:00:00Z` : value);
  if (Number.isNaN(time.getTime())) return value;
  return dateFormat(locale).format(time);
}

const DATES = new Map<string, Intl.DateTimeFormat>();

function dateFormat(locale: string, timeStyle?: "short"): Intl.DateTimeFormat {
  const key = `${locale} ${timeStyle}`;
  const style = timeStyle === undefined ? {} : { timeStyle };
  const format = DATES.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC", ...style });
  DATES.set(key, format);
  return format;
}
