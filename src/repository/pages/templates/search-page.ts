// The page of hits (R40): one form without script, facets as boxes or links, what was chosen as chips that undo it,
// hits with the words that were found. Its address is the search.
import { barEnds, bars } from "../../../pages/components/bars.ts";
import { button } from "../../../pages/components/buttons.ts";
import { checkbox, choiceBox, choices, fieldset } from "../../../pages/components/choices.ts";
import { fieldRow, hiddenField, selectField, textField } from "../../../pages/components/fields.ts";
import { pagination } from "../../../pages/components/lists.ts";
import { banner } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING, raw } from "../../../pages/html.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import type { YearBin } from "../year-bins.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { type SiteView, searchInput, sitePage } from "./layout.ts";
import { type HitFilesView, hitFileLinks, saveSearch } from "./search-extras.ts";

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
    /** The search with this value chosen, or without it where it is; null: the display has no links. */
    readonly href: string | null;
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
  readonly files: HitFilesView;
  /** The parameters of this search, encoded, without those of the display. */
  readonly query: string;
};

/** Fields of words of the detailed search, in their order. */
export const WORD_FIELDS = ["title", "creator", "des", "publisher", "srctitle", "cname"] as const;
export const CHOICE_FIELDS = ["type", "lang"] as const;

/** The sort of the newest items first. */
const NEWEST = "-controlnumber";

const hidden = (parameters: readonly Parameter[]): Html =>
  html`${parameters.map(([name, value]) => hiddenField(name, value))}`;

export function searchPage(view: SearchView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { search } = texts;
  const heading = view.words === "" ? search.heading : search.headingFor(view.words);
  return sitePage(site, {
    title: `${heading} (${search.hits(view.total)})`,
    searched: true,
    noindex: true,
    head: html`<link rel="alternate" type="application/atom+xml" title="${search.feed}" href="${view.feed}">\n`,
    body: html`${pageHeading(heading)}<form class="search" role="search" aria-label="${search.heading}" action="${rootPath}/search">
${hidden(view.others)}<div class="line">${searchInput(site, search.words, { value: view.words })}${button({ label: search.go })}</div>
${detailed(view, site)}
<p class="total" role="status">${search.hits(view.total)}${
      view.total === 0
        ? NOTHING
        : html` <span class="kind">${search.shown((view.page - 1) * view.size + 1, (view.page - 1) * view.size + view.items.length, view.total)}</span>`
    }</p>
${corrected(view, site)}${view.notes.map((note) => banner("info", note))}${chips(view, site)}
<div class="found"><div class="hits">
${view.total === 0 ? noHits(view, site) : html`${ordering(view, site)}${itemList(view.items, texts, rootPath)}`}
${pagination(view, view.pageAt, texts)}
${view.isDeep && view.page === view.pages ? banner("info", search.deep) : NOTHING}
<p class="links"><a href="${view.feed}">${search.feed}</a></p>${hitFileLinks(view.files, site)}
</div>
${facets(view, site)}</div>
</form>${saveSearch(view.query, view.words, site)}`,
  });
}

function corrected({ correction }: SearchView, { texts: { search } }: SiteView): Html {
  if (correction === null) return NOTHING;
  const { meant, typed, use } = correction;
  const link = html`<a href="${meant.href}">${meant.label}</a>`;
  const insist = html`<a href="${typed.href}">${search.spelling.insist(typed.label)}</a>`;
  if (use === "offered") return banner("info", html`<p>${search.spelling.meant} ${link}</p>`);
  if (use === "after") {
    return banner(
      "info",
      html`<p>${search.spelling.meant} ${link}. ${search.spelling.after(typed.label)} ${insist}</p>`,
    );
  }
  return banner("info", html`<p>${search.spelling.applied(typed.label)} ${link}. ${insist}</p>`);
}

function detailed(view: SearchView, { texts }: SiteView): Html {
  const { search } = texts;
  const isOpen = [...WORD_FIELDS, ...CHOICE_FIELDS].some((name) => (view.fields[name] ?? "") !== "");
  const own = (name: keyof typeof search.fields) => ({
    id: `f-${name}`,
    name,
    label: search.fields[name],
    value: view.fields[name] ?? "",
  });
  const choice = (name: (typeof CHOICE_FIELDS)[number], values: readonly Choosable[]): Html =>
    selectField({ ...own(name), choices: values, blank: search.any }, texts);
  const fields = [
    ...WORD_FIELDS.map((name) => textField({ ...own(name), type: "search" }, texts)),
    choice("type", view.types),
    choice("lang", view.languages),
  ];
  const where = choices(
    {
      id: "search_type",
      kind: "radio",
      legend: search.where,
      choices: [
        { value: "0", label: search.fullText, isChosen: view.isFullText },
        { value: "1", label: search.metadataOnly, isChosen: !view.isFullText },
      ],
    },
    texts,
  );
  return html`<details class="detailed"${isOpen ? raw(" open") : NOTHING}><summary>${search.detailed}</summary>
${fieldRow(fields)}${checkbox({ id: "exact_title_match", label: search.exact, isChecked: view.isExact })}${where}</details>`;
}

function chips({ chips: chosen, clear }: SearchView, { texts: { search } }: SiteView): Html {
  if (chosen.length === 0) return NOTHING;
  return html`<nav aria-label="${search.chosen}"><ul class="chips">${chosen.map(
    ({ label, href }) =>
      html`<li><a href="${href}" aria-label="${search.without(label)}">${label}<span aria-hidden="true"> ×</span></a></li>`,
  )}<li><a href="${clear}">${search.clear}</a></li></ul></nav>`;
}

function ordering(view: SearchView, { texts }: SiteView): Html {
  const { search } = texts;
  const { "": best, [NEWEST]: newest, ...orders } = search.sorts;
  // Without words nothing is a better match than another.
  const first = view.words === "" ? { "": newest } : { "": best, [NEWEST]: newest };
  const sorts = Object.entries({ ...first, ...orders }).map(([value, label]) => ({ value, label }));
  const sizes = view.sizes.map((size) => ({ value: `${size}`, label: `${size}` }));
  return html`<div class="ordering">${selectField({ id: "sort", label: search.sortBy, value: view.sort, choices: sorts }, texts)}${selectField({ id: "size", label: search.perPage, value: `${view.size}`, choices: sizes }, texts)}${button({ label: search.show, kind: "quiet" })}</div>
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

function facets(view: SearchView, { texts }: SiteView): Html {
  const { search } = texts;
  const shown = view.facets.filter(({ values, years }) => values.length > 0 || isChosen(years));
  if (shown.length === 0) return NOTHING;
  return html`<section class="facets" aria-label="${search.narrow}">${sectionHeading(search.narrow)}${shown.map(
    (facet, at) => {
      const isOpen = facet.open || facet.values.some(({ chosen }) => chosen);
      const id = `facet-${at}`;
      const inside = facet.years === null ? valuesOf(facet, id, search) : yearsOf(facet.years, id, texts);
      const legend = `${search.narrowBy}: ${facet.heading}`;
      return html`<details${isOpen ? raw(" open") : NOTHING}><summary>${facet.heading}</summary>${fieldset({ id, legend, isLegendHidden: true }, texts, inside)}</details>\n`;
    },
  )}${button({ label: search.apply, kind: "quiet" })}</section>`;
}

type SearchTexts = SiteView["texts"]["search"];

function valuesOf({ display, name, heading, values, shown, all }: FacetView, id: string, search: SearchTexts): Html {
  const line = display === "select" ? linkOf : boxOf(name, id);
  const atOnce = Math.max(shown, values.filter(({ chosen }) => chosen).length);
  const rest = values.slice(atOnce);
  const whole = all === null ? NOTHING : html`<p><a href="${all}">${search.years.allOf(heading)}</a></p>`;
  return html`${values.slice(0, atOnce).map(line)}${
    rest.length === 0
      ? whole
      : html`<details><summary>${search.more(rest.length)}</summary>${rest.map((each, at) => line(each, atOnce + at))}${whole}</details>`
  }`;
}

const yearsText = (from: number, to: number): string => (from === to ? `${from}` : `${from}–${to}`);

/** The histogram is a picture of the table below it. */
function yearsOf({ from, to, bins }: NonNullable<FacetView["years"]>, id: string, texts: RepositoryTexts): Html {
  const { years } = texts.search;
  const linked = bins.map(({ from: first, to: last, count, href }) => ({
    count,
    link: { href, title: `${yearsText(first, last)}${texts.site.colon}${years.items(count)}` },
  }));
  const end = ({ name, value }: YearEnd, which: "from" | "to"): Html => {
    const view = { id: `${id}-${which}`, name, label: years[which], value: value === null ? "" : `${value}` };
    return textField(
      { ...view, control: { inputmode: "numeric", pattern: "[0-9]{1,4}", maxlength: 4, size: 5 } },
      texts,
    );
  };
  const rows = bins
    .filter(({ count }) => count > 0)
    .map(
      (bin) =>
        html`<tr><th scope="row"><a href="${bin.href}">${yearsText(bin.from, bin.to)}</a></th><td>${years.items(bin.count)}</td></tr>`,
    );
  return html`<div class="years">${end(from, "from")}${end(to, "to")}</div>${
    bins.length === 0
      ? NOTHING
      : html`${bars(linked)}${barEnds(`${bins[0]?.from ?? ""}`, `${bins.at(-1)?.to ?? ""}`)}<details><summary>${years.numbers}</summary><table class="even"><thead><tr><th scope="col">${years.year}</th><th scope="col">${years.hits}</th></tr></thead><tbody>${rows}</tbody></table></details>`
  }`;
}

type FacetValue = FacetView["values"][number];

const boxOf =
  (name: string, id: string) =>
  ({ value, label, count, chosen }: FacetValue, at: number): Html =>
    choiceBox(
      { value, label: html`${label} <span class="kind">(${count})</span>`, isChosen: chosen },
      { kind: "checkbox", id: `${id}-${at}`, name },
    );

/** A link changes one value and keeps the rest; what is chosen by links stays chosen when the form is sent. */
const linkOf = ({ label, count, chosen, href }: FacetValue): Html =>
  html`<p><a href="${href ?? ""}"${chosen ? raw(' aria-current="true"') : NOTHING}>${label}</a> <span class="kind">(${count})</span></p>`;
