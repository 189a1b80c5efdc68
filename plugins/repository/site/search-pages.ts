// The page of hits (R40): the parameters of its address are those of item search for programs.
import { REPOSITORY_LANGUAGES, repositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import {
  PAGE_SIZES,
  type SearchedFacet,
  type SearchResults,
  type SearchShowing,
} from "../../../src/repository/pages/searching.ts";
import { wordOf } from "../../../src/repository/pages/templates/layout.ts";
import {
  CHOICE_FIELDS,
  type FacetView,
  type Parameter,
  type SearchView,
  searchPage,
  WORD_FIELDS,
} from "../../../src/repository/pages/templates/search-page.ts";
import { marked } from "../../../src/repository/search/query/marking.ts";
import { isYes, type Parameters, parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { queryOf } from "../../http/answer.ts";
import { queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds } from "./answers.ts";
import { html, mountPages, PAGE } from "./page-routes.ts";
import { itemLine } from "./views.ts";

export type SearchPagesNeeds = PageNeeds & { readonly searching: SearchShowing };

const { get } = routesOf<SearchPagesNeeds>();

const ROUTES = [
  get("/search", {
    id: "searchPage",
    summary: "Items that a search finds, with facets; its parameters are those of item search",
    parameters: [
      queryParameter("q", "Words", { type: "string" }),
      queryParameter("page", "Number of the page", { type: "integer" }),
      queryParameter("size", "Items on a page, at most 100", { type: "integer" }),
      queryParameter("sort", "Sort key, `-` before it for descending", { type: "string" }),
    ],
    answers: { ...PAGE, 400: html("The search is invalid") },
    run: search,
  }),
];

export const searchPages = (needs: SearchPagesNeeds) => mountPages("search-pages", ROUTES, needs);

async function search(needs: SearchPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const parameters = parametersOf(queryOf(request));
  const searched = await needs.searching.search(viewer, parameters);
  return await htmlAnswer(
    request,
    site,
    searchPage(searchView(searched, parameters, site.texts.tag, site.rootPath), site),
  );
}

/** Parameters of the display, not of the search. */
const SHOWING: ReadonlySet<string> = new Set(["page", "size", "sort", "cursor", "pretty"]);
const FORM_FIELDS: ReadonlySet<string> = new Set([
  ...["q", "exact_title_match", "search_type"],
  ...WORD_FIELDS,
  ...CHOICE_FIELDS,
]);

const firstOf = (parameters: Parameters, name: string): string => parameters.get(name)?.[0]?.trim() ?? "";

function searchView(searched: SearchResults, parameters: Parameters, tag: string, rootPath: string): SearchView {
  const all = [...parameters].flatMap(([name, values]) => values.map((value): Parameter => [name, value]));
  const asked = all.filter(([name]) => name !== "page" && name !== "cursor");
  const address = (kept: readonly Parameter[], page = 1): string => {
    const query = new URLSearchParams(kept.map(([name, value]) => [name, value]));
    if (page > 1) query.set("page", `${page}`);
    const text = query.toString();
    return `${rootPath}/search${text === "" ? "" : `?${text}`}`;
  };
  const without = (gone: Parameter): string =>
    address(asked.filter(([name, value]) => name !== gone[0] || value !== gone[1]));
  const facetNames = new Set(searched.facets.map(({ item }) => item.name.en));
  const chosen = asked.filter(([name]) => facetNames.has(name));
  const searchedFor = all.filter(([name]) => !SHOWING.has(name));
  const { choices } = searched.settings;
  const inTag = ({ en, ja }: { readonly en: string; readonly ja: string }): string => (tag === "ja" ? ja : en);
  const choosable = (list: "type" | "lang") =>
    choices[list].map(({ value, label }) => ({ value, label: inTag(label) }));
  return {
    words: firstOf(parameters, "q"),
    total: searched.total,
    items: searched.items.map((item) => {
      const line = itemLine(item, tag);
      return { ...line, parts: marked(line.title.text, searched.pieces), snippet: item.snippet(tag) };
    }),
    correction: correctionView(searched.correction, (query) =>
      address([...asked.filter(([name]) => name !== "q"), ["q", query]]),
    ),
    notes: notesOf(searched, repositoryTexts(tag).search.reading),
    page: searched.page,
    pages: searched.pages,
    size: searched.size,
    isDeep: searched.total > searched.pages * searched.size,
    sizes: PAGE_SIZES,
    sort: firstOf(parameters, "sort").replace(/^-?relevance$/, ""),
    facets: searched.facets.map((facet) => facetView(facet, { asked, address, without, tag })),
    chips: chosen.map(([name, value]) => {
      const facet = searched.facets.find(({ item }) => item.name.en === name);
      const heading = facet === undefined ? name : inTag(facet.item.name);
      return {
        label: `${heading}${repositoryTexts(tag).site.colon}${labelOf(facet, value, tag)}`,
        href: without([name, value]),
      };
    }),
    fields: Object.fromEntries(
      [...WORD_FIELDS, ...CHOICE_FIELDS].map((name) => [
        name,
        name === "lang" ? languageSought(parameters) : firstOf(parameters, name),
      ]),
    ),
    types: choosable("type"),
    languages: choosable("lang"),
    isExact: isYes(parameters, "exact_title_match"),
    isFullText: firstOf(parameters, "search_type") !== "1",
    others: searchedFor.filter(
      ([name, value]) => (!FORM_FIELDS.has(name) && !isBox(name, searched.facets)) || isPageLanguage(name, value),
    ),
    pageAt: (page) => address(asked, page),
    clear: address(asked.filter(([name]) => !facetNames.has(name))),
    feed: feedOf(searchedFor, rootPath),
  };
}

/** Between quotation marks words are found as they are typed. */
function correctionView(
  correction: SearchResults["correction"],
  addressOf: (query: string) => string,
): SearchView["correction"] {
  if (correction === null) return null;
  const { meant, typed, isApplied } = correction;
  const insisted = typed
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => `"${word}"`);
  return {
    meant: { label: meant, href: addressOf(meant) },
    typed: { label: typed, href: addressOf(insisted.join(" ")) },
    isApplied,
  };
}

type ReadingTexts = ReturnType<typeof repositoryTexts>["search"]["reading"];

function notesOf({ readings, isWidened, total }: SearchResults, texts: ReadingTexts): readonly string[] {
  const notes = readings.flatMap(({ searched, ignored, unknown }) => [
    ...(searched.length === 0 ? [] : [texts.searched(searched)]),
    ...(ignored.length === 0 ? [] : [texts.ignored(ignored)]),
    ...(unknown.length === 0 ? [] : [texts.unknown(unknown)]),
  ]);
  return isWidened && total > 0 ? [...notes, texts.widened] : notes;
}

/** The page's own language has a parameter of the same name as that of the items sought. */
const isPageLanguage = (name: string, value: string): boolean =>
  name === "lang" && REPOSITORY_LANGUAGES.includes(value);

const languageSought = (parameters: Parameters): string =>
  parameters.get("lang")?.find((value) => !isPageLanguage("lang", value)) ?? "";

/** Boxes of the form send their own values; what was chosen by a link goes along unseen. */
const isBox = (name: string, facets: readonly SearchedFacet[]): boolean =>
  facets.some(({ item }) => item.name.en === name && item.display === "checkboxes");

/** Who follows a feed asks for what is new. */
function feedOf(parameters: readonly Parameter[], rootPath: string): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  if (query.has("q")) query.set("sort", "-controlnumber");
  query.set("format", "atom");
  return `${rootPath}/api/opensearch/search?${query}`;
}

type FacetWords = {
  readonly asked: readonly Parameter[];
  readonly address: (kept: readonly Parameter[]) => string;
  readonly without: (gone: Parameter) => string;
  readonly tag: string;
};

function facetView(facet: SearchedFacet, { asked, address, without, tag }: FacetWords): FacetView {
  const { name, display, open, shown } = facet.item;
  return {
    name: name.en,
    heading: tag === "ja" ? name.ja : name.en,
    display,
    open,
    shown,
    values: facet.values.map(({ label, count, chosen }) => {
      const parameter: Parameter = [name.en, label];
      const href = chosen ? without(parameter) : address([...asked, parameter]);
      return { value: label, label: labelOf(facet, label, tag), count, chosen, href };
    }),
  };
}

/** Codes of languages and the words for access by their names; everything else as items have it. */
function labelOf(facet: SearchedFacet | undefined, label: string, tag: string): string {
  const isOf = (source: string): boolean => facet?.item.sources.every((each) => each === source) === true;
  if (isOf("languages")) return wordOf({ vocabulary: "languages", id: label }, tag) ?? label;
  if (!isOf("accessRights.label")) return label;
  const [kind = ""] = label.toLowerCase().split(" access");
  return repositoryTexts(tag).access[kind.replaceAll(" ", "-")] ?? label;
}
