// The page of hits (R40): one form without script, facets as boxes or links, what was chosen as chips that undo it,
// hits with the words that were found. Its address is the search.
import { pagination } from "../../../pages/components/lists.ts";
import { type Html, html, NOTHING, raw } from "../../../pages/html.ts";
import type { YearBin } from "../year-bins.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { type SiteView, searchInput, sitePage } from "./layout.ts";

type Choosable = { readonly value: string; readonly label: string };

/** A parameter of the address: its name and one value. */
export type Parameter = readonly [name: string, value: string];

export type FacetView = {
  /** Its English name: the parameter. */
  readonly name: string;
  readonly heading: string;
  readonly display: "select" | "checkboxes";
  readonly open: boolean;
  /** Values shown at once; the others behind a line. */
  readonly shown: number;
  readonly values: readonly {
    readonly value: string;
    readonly label: string;
    readonly count: number;
    readonly chosen: boolean;
    /** The search with this value chosen, or without it where it is. */
    readonly href: string;
  }[];
  /** The search with all values of this facet; null: these are all. */
  readonly all: string | null;
  /** Of a facet of years: the ends that were chosen, and how many hits there are of which years. */
  readonly years: {
    readonly from: YearEnd;
    readonly to: YearEnd;
    readonly bins: readonly (YearBin & { readonly href: string })[];
  } | null;
};

type YearEnd = { readonly name: string; readonly value: number | null };

type Searched = { readonly label: string; readonly href: string };

export type SearchView = {
  /** Another spelling of the query, and the query as it was typed; null: there is no other. */
  readonly correction: {
    readonly meant: Searched;
    readonly typed: Searched;
    readonly use: "instead" | "after" | "offered";
  } | null;
  readonly words: string;
  readonly total: number;
  readonly items: readonly ItemLine[];
  /** How the words were understood; none: as they are. */
  readonly notes: readonly string[];
  readonly page: number;
  readonly pages: number;
  readonly size: number;
  /** True where there are more hits than pages reach. */
  readonly isDeep: boolean;
  readonly sizes: readonly number[];
  readonly sort: string;
  readonly facets: readonly FacetView[];
  readonly chips: readonly { readonly label: string; readonly href: string }[];
  /** Values of the detailed fields by parameter, as they were sent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly types: readonly Choosable[];
  readonly languages: readonly Choosable[];
  readonly isExact: boolean;
  readonly isFullText: boolean;
  /** Parameters that are neither a field of the form, a facet, nor a way of showing. */
  readonly others: readonly Parameter[];
  /** This search with another page, and without anything chosen. */
  readonly pageAt: (page: number) => string;
  readonly clear: string;
  readonly feed: string;
};

/** Fields of words of the detailed search, in their order. */
export const WORD_FIELDS = ["title", "creator", "des", "publisher", "srctitle", "cname"] as const;
export const CHOICE_FIELDS = ["type", "lang"] as const;

/** The sort of the newest items first. */
const NEWEST = "-controlnumber";

const hidden = (parameters: readonly Parameter[]): Html =>
  html`${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

export function searchPage(view: SearchView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { search } = texts;
  const heading = view.words === "" ? search.heading : search.headingFor(view.words);
  return sitePage(site, {
    title: `${heading} (${search.hits(view.total)})`,
    searched: true,
    noindex: true,
    head: html`<link rel="alternate" type="application/atom+xml" title="${search.feed}" href="${view.feed}">\n`,
    body: html`<h1>${heading}</h1>
<form class="search" role="search" aria-label="${search.heading}" action="${rootPath}/search">
${hidden(view.others)}<div class="line">${searchInput(site, search.words, { value: view.words })}<button class="go">${search.go}</button></div>
${detailed(view, site)}
<p class="total" role="status">${search.hits(view.total)}${
      view.total === 0
        ? NOTHING
        : html` <span class="kind">${search.shown((view.page - 1) * view.size + 1, (view.page - 1) * view.size + view.items.length, view.total)}</span>`
    }</p>
${corrected(view, site)}${view.notes.map((note) => html`<p class="note">${note}</p>`)}${chips(view, site)}
<div class="found"><div class="hits">
${view.total === 0 ? noHits(view, site) : html`${ordering(view, site)}${itemList(view.items, texts, rootPath)}`}
${pagination(view, view.pageAt, texts)}
${view.isDeep && view.page === view.pages ? html`<p class="note">${search.deep}</p>` : NOTHING}
<p class="links"><a href="${view.feed}">${search.feed}</a></p>
</div>
${facets(view, site)}</div>
</form>`,
  });
}

function corrected({ correction }: SearchView, { texts: { search } }: SiteView): Html {
  if (correction === null) return NOTHING;
  const { meant, typed, use } = correction;
  const link = html`<a href="${meant.href}">${meant.label}</a>`;
  if (use === "offered") return html`<p class="note">${search.spelling.meant} ${link}</p>`;
  if (use === "after") {
    return html`<p class="note">${search.spelling.meant} ${link}. ${search.spelling.after(typed.label)} <a href="${typed.href}">${search.spelling.insist(typed.label)}</a></p>`;
  }
  return html`<p class="note">${search.spelling.applied(typed.label)} ${link}. <a href="${typed.href}">${search.spelling.insist(typed.label)}</a></p>`;
}

function detailed(view: SearchView, { texts: { search } }: SiteView): Html {
  const isOpen = [...WORD_FIELDS, ...CHOICE_FIELDS].some((name) => (view.fields[name] ?? "") !== "");
  const word = (name: (typeof WORD_FIELDS)[number]): Html =>
    html`<div class="field"><label for="f-${name}">${search.fields[name]}</label><input type="search" id="f-${name}" name="${name}" value="${view.fields[name] ?? ""}"></div>`;
  const choice = (name: (typeof CHOICE_FIELDS)[number], values: readonly Choosable[]): Html =>
    html`<div class="field"><label for="f-${name}">${search.fields[name]}</label><select id="f-${name}" name="${name}"><option value="">${search.any}</option>${values.map(
      ({ value, label }) =>
        html`<option value="${value}"${value === view.fields[name] ? raw(" selected") : NOTHING}>${label}</option>`,
    )}</select></div>`;
  return html`<details class="detailed"${isOpen ? raw(" open") : NOTHING}><summary>${search.detailed}</summary>
<div class="fields">${WORD_FIELDS.map(word)}${choice("type", view.types)}${choice("lang", view.languages)}</div>
<div class="checks"><label><input type="checkbox" name="exact_title_match" value="true"${checked(view.isExact)}>${search.exact}</label>
<label><input type="radio" name="search_type" value="0"${checked(view.isFullText)}>${search.fullText}</label><label><input type="radio" name="search_type" value="1"${checked(!view.isFullText)}>${search.metadataOnly}</label></div></details>`;
}

const checked = (yes: boolean): Html => (yes ? raw(" checked") : NOTHING);

function chips({ chips: chosen, clear }: SearchView, { texts: { search } }: SiteView): Html {
  if (chosen.length === 0) return NOTHING;
  return html`<nav aria-label="${search.chosen}"><ul class="chips">${chosen.map(
    ({ label, href }) =>
      html`<li><a href="${href}" aria-label="${search.without(label)}">${label}<span aria-hidden="true"> ×</span></a></li>`,
  )}<li><a href="${clear}">${search.clear}</a></li></ul></nav>`;
}

function ordering(view: SearchView, { texts: { search } }: SiteView): Html {
  const option = (value: string, label: string, now: string): Html =>
    html`<option value="${value}"${value === now ? raw(" selected") : NOTHING}>${label}</option>`;
  const { "": best, [NEWEST]: newest, ...orders } = search.sorts;
  // Without words nothing is a better match than another.
  const first = view.words === "" ? { "": newest } : { "": best, [NEWEST]: newest };
  const sorts = Object.entries({ ...first, ...orders }).map(([value, label]) => option(value, label, view.sort));
  const sizes = view.sizes.map((size) => option(`${size}`, `${size}`, `${view.size}`));
  return html`<div class="ordering"><label>${search.sortBy} <select name="sort">${sorts}</select></label><label>${search.perPage} <select name="size">${sizes}</select></label><button class="plain">${search.show}</button></div>
`;
}

function noHits(view: SearchView, { texts: { search }, rootPath }: SiteView): Html {
  const kept: Parameter[] = [["size", `${view.size}`]];
  if (view.sort !== "") kept.push(["sort", view.sort]);
  return html`${hidden(kept)}<p>${search.none}</p><ul>${search.help.map((line) => html`<li>${line}</li>`)}</ul>
<p class="links">${view.chips.length === 0 ? NOTHING : html`<a href="${view.clear}">${search.clear}</a>`}<a href="${rootPath}/search">${search.allItems}</a></p>`;
}

const isChosen = (years: FacetView["years"]): boolean =>
  years !== null && (years.from.value !== null || years.to.value !== null);

function facets(view: SearchView, { texts: { search } }: SiteView): Html {
  const shown = view.facets.filter(({ values, years }) => values.length > 0 || isChosen(years));
  if (shown.length === 0) return NOTHING;
  return html`<section class="facets" aria-label="${search.narrow}"><h2>${search.narrow}</h2>
${shown.map((facet) => {
  const isOpen = facet.open || facet.values.some(({ chosen }) => chosen);
  const inside = facet.years === null ? valuesOf(facet, search) : yearsOf(facet.years, search);
  return html`<details${isOpen ? raw(" open") : NOTHING}><summary>${facet.heading}</summary><fieldset><legend class="off">${search.narrowBy}: ${facet.heading}</legend>${inside}</fieldset></details>\n`;
})}<button class="go quiet">${search.apply}</button></section>`;
}

type SearchTexts = SiteView["texts"]["search"];

function valuesOf({ display, name, heading, values, shown, all }: FacetView, search: SearchTexts): Html {
  const line = display === "select" ? linkOf : boxOf(name);
  const atOnce = Math.max(shown, values.filter(({ chosen }) => chosen).length);
  const rest = values.slice(atOnce);
  const whole = all === null ? NOTHING : html`<p><a href="${all}">${search.years.allOf(heading)}</a></p>`;
  return html`${values.slice(0, atOnce).map(line)}${
    rest.length === 0
      ? whole
      : html`<details><summary>${search.more(rest.length)}</summary>${rest.map(line)}${whole}</details>`
  }`;
}

const BAR = 10;
const HEIGHT = 48;

/** The histogram is a picture of the table below it. */
function yearsOf({ from, to, bins }: NonNullable<FacetView["years"]>, { years }: SearchTexts): Html {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const bars = bins.map(({ count }, at) => {
    const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT));
    return html`<rect x="${at * BAR + 1}" y="${HEIGHT - height}" width="${BAR - 2}" height="${height}"/>`;
  });
  const end = ({ name, value }: YearEnd, label: string): Html =>
    html`<label>${label} <input name="${name}" value="${value === null ? "" : `${value}`}" inputmode="numeric" pattern="[0-9]{1,4}" maxlength="4" size="5"></label>`;
  const rows = bins
    .filter(({ count }) => count > 0)
    .map(
      (bin) =>
        html`<tr><th scope="row"><a href="${bin.href}">${bin.from === bin.to ? `${bin.from}` : `${bin.from}–${bin.to}`}</a></th><td>${years.items(bin.count)}</td></tr>`,
    );
  return html`<div class="years">${end(from, years.from)}${end(to, years.to)}</div>${
    bins.length === 0
      ? NOTHING
      : html`<svg class="bars" viewBox="0 0 ${bins.length * BAR} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<p class="ends" aria-hidden="true"><span>${bins[0]?.from ?? ""}</span><span>${bins.at(-1)?.to ?? ""}</span></p>
<details><summary>${years.numbers}</summary><table class="even"><thead><tr><th scope="col">${years.year}</th><th scope="col">${years.hits}</th></tr></thead><tbody>${rows}</tbody></table></details>`
  }`;
}

type FacetValue = FacetView["values"][number];

const boxOf =
  (name: string) =>
  ({ value, label, count, chosen }: FacetValue): Html =>
    html`<label><input type="checkbox" name="${name}" value="${value}"${checked(chosen)}><span>${label} <span class="kind">(${count})</span></span></label>`;

/** A link changes one value and keeps the rest; what is chosen by links stays chosen when the form is sent. */
const linkOf = ({ label, count, chosen, href }: FacetValue): Html =>
  html`<p><a href="${href}"${chosen ? raw(' aria-current="true"') : NOTHING}>${label}</a> <span class="kind">(${count})</span></p>`;
