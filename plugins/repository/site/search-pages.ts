// The page of hits (R40): the parameters of its address are those of item search for programs.
import { REPOSITORY_LANGUAGES, repositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import {
  PAGE_SIZES,
  type SearchedFacet,
  type SearchResults,
  type SearchShowing,
  WHOLE_FACET,
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
import type { FacetValue } from "../../../src/repository/search/detail/facet-values.ts";
import { EXPORTED_MOST, HIT_FORMATS } from "../../../src/repository/search/detail/hit-export.ts";
import { NAME_KIND, titleKind } from "../../../src/repository/search/detail/hit-reasons.ts";
import type { Completion } from "../../../src/repository/search/query/completion.ts";
import { marked } from "../../../src/repository/search/query/marking.ts";
import { PARAMETER_NAMES } from "../../../src/repository/search/query/parameter-names.ts";
import {
  facetParameters,
  isYes,
  type Parameters,
  parametersOf,
} from "../../../src/repository/search/query/parameters.ts";
import type { FacetItem } from "../../../src/repository/search/settings/settings.ts";
import { queryOf } from "../../http/answer.ts";
import { queryParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { SUGGESTION_QUERY, SuggestionsShape, suggestionsIn } from "../opensearch/suggestions.ts";
import { htmlAnswer, openPage, type PageNeeds } from "./answers.ts";
import { FORBIDDEN, html, mountPages, PAGE } from "./page-routes.ts";
import { itemLine } from "./views.ts";

export type SearchPagesNeeds = PageNeeds & { readonly searching: SearchShowing; readonly completion: Completion };

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
  get("/search/suggestions", {
    id: "searchSuggestions",
    summary: "Complete what is being typed into a search field of the pages",
    description: "As `/api/suggestions`, for the person who is signed in; addresses are relative to this host.",
    parameters: SUGGESTION_QUERY.parameters.map(({ name, description, schema }) =>
      queryParameter(name, description, schema),
    ),
    answers: {
      200: response("Suggestions, those of a kind together", SuggestionsShape),
      ...FORBIDDEN,
      400: html("A parameter is invalid"),
    },
    run: suggest,
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

async function suggest(needs: SearchPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const { text, size } = SUGGESTION_QUERY.read(new URLSearchParams(queryOf(request)));
  const all = await needs.completion.suggest(viewer, text, size, site.texts.tag);
  const headers = { "cache-control": "private, no-store", "x-content-type-options": "nosniff" };
  return Response.json(suggestionsIn(text, all, site.rootPath), { headers });
}

/** Parameters of the display, not of the search. */
const SHOWING: ReadonlySet<string> = new Set(["page", "size", "sort", "cursor", "pretty", WHOLE_FACET]);
const FORM_FIELDS: ReadonlySet<string> = new Set([
  ...["q", "exact_title_match", "search_type"],
  ...WORD_FIELDS,
  ...CHOICE_FIELDS,
]);

/** Filters without a field in the form. */
const HIDDEN_FILTERS: ReadonlySet<string> = new Set(
  [...PARAMETER_NAMES].filter((name) => !FORM_FIELDS.has(name) && !SHOWING.has(name) && name !== "format"),
);

const firstOf = (parameters: Parameters, name: string): string => parameters.get(name)?.[0]?.trim() ?? "";

function searchView(searched: SearchResults, parameters: Parameters, tag: string, rootPath: string): SearchView {
  const all = [...parameters].flatMap(([name, values]) => values.map((value): Parameter => [name, value]));
  const asked = all.filter(([name]) => name !== "page" && name !== "cursor");
  const address = addresses(`${rootPath}/search`);
  const whole = address(asked);
  const also = ([name, value]: Parameter): string =>
    `${whole}${asked.length === 0 ? "?" : "&"}${new URLSearchParams([[name, value]])}`;
  const without = (gone: Parameter): string =>
    address(asked.filter(([name, value]) => name !== gone[0] || value !== gone[1]));
  const facetNames = new Set(searched.facets.flatMap(({ item }) => facetParameters(item)));
  const clear = address(asked.filter((each) => !facetNames.has(each[0]) && !isFieldFilter(each)));
  const searchedFor = all.filter(([name]) => !SHOWING.has(name));
  // In the order of the page; how much of it a page shows does not matter.
  const kept = asked.filter(([name]) => name === "sort" || !SHOWING.has(name));
  const query = new URLSearchParams(kept.map((each) => [...each])).toString();
  const { choices } = searched.settings;
  const inTag = ({ en, ja }: { readonly en: string; readonly ja: string }): string => (tag === "ja" ? ja : en);
  const choosable = (list: "type" | "lang") =>
    choices[list].map(({ value, label }) => ({ value, label: inTag(label) }));
  return {
    words: firstOf(parameters, "q"),
    total: searched.total,
    items: searched.items.map((item) => {
      const line = itemLine(item, tag);
      return {
        ...line,
        version: item.version,
        parts: marked(line.title.text, searched.marks, titleKind(line.title.lang)),
        names: line.people.map((name) => marked(name, searched.marks, NAME_KIND)),
        snippet: item.snippet(tag),
        ...(item.reason === null ? {} : item.reason),
      };
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
    facets: searched.facets.map((facet) => facetView(facet, { asked, address, also, without, tag })),
    chips: [
      ...fieldChips(asked, { types: choosable("type"), languages: choosable("lang") }, without, tag),
      ...searched.facets.flatMap((facet) => chipsOf(facet, { asked, address, also, without, tag })),
    ],
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
      ([name, value]) => (!FORM_FIELDS.has(name) && !isInForm(name, searched.facets)) || isPageLanguage(name, value),
    ),
    pageAt: (page) => (page > 1 ? also(["page", `${page}`]) : whole),
    clear,
    feed: feedOf(searchedFor, rootPath),
    query,
    files: {
      total: searched.total,
      most: EXPORTED_MOST,
      links: HIT_FORMATS.map((format) => ({
        format,
        href: `${rootPath}/search/export?${query}${query === "" ? "" : "&"}format=${format}`,
      })),
    },
  };
}

/** Addresses of one page: a parameter that many of them have is encoded once. */
function addresses(path: string): (kept: readonly Parameter[]) => string {
  const known = new Map<Parameter, string>();
  const encoded = (parameter: Parameter): string => {
    const text = known.get(parameter) ?? new URLSearchParams([[...parameter]]).toString();
    known.set(parameter, text);
    return text;
  };
  return (kept) => (kept.length === 0 ? path : `${path}?${kept.map(encoded).join("&")}`);
}

/** Between quotation marks words are found as they are typed. */
function correctionView(
  correction: SearchResults["correction"],
  addressOf: (query: string) => string,
): SearchView["correction"] {
  if (correction === null) return null;
  const { meant, typed, use } = correction;
  const insisted = typed
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => `"${word}"`);
  return {
    meant: { label: meant, href: addressOf(meant) },
    typed: { label: typed, href: addressOf(insisted.join(" ")) },
    use,
  };
}

type ReadingTexts = ReturnType<typeof repositoryTexts>["search"]["reading"];

function notesOf({ readings, isWidened, isBegun, total }: SearchResults, texts: ReadingTexts): readonly string[] {
  const notes = readings.flatMap(({ searched, ignored, unknown }) => [
    ...(searched.length === 0 ? [] : [texts.searched(searched)]),
    ...(ignored.length === 0 ? [] : [texts.ignored(ignored)]),
    ...(unknown.length === 0 ? [] : [texts.unknown(unknown)]),
  ]);
  if (isBegun === true) return [...notes, texts.begun];
  return isWidened && total > 0 ? [...notes, texts.widened] : notes;
}

/** The page's own language has a parameter of the same name as that of the items sought. */
const isPageLanguage = (name: string, value: string): boolean =>
  name === "lang" && REPOSITORY_LANGUAGES.includes(value);

const languageSought = (parameters: Parameters): string =>
  parameters.get("lang")?.find((value) => !isPageLanguage("lang", value)) ?? "";

/** Boxes and the ends of years are fields of the form; what was chosen by a link goes along unseen. */
const isInForm = (name: string, facets: readonly SearchedFacet[]): boolean =>
  facets.some(({ item, years }) => {
    const [values, ...ends] = facetParameters(item);
    return years === null ? name === values && item.display === "checkboxes" : ends.includes(name);
  });

/** Who follows a feed asks for what is new. */
function feedOf(parameters: readonly Parameter[], rootPath: string): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  if (query.has("q")) query.set("sort", "-controlnumber");
  query.set("format", "atom");
  return `${rootPath}/api/opensearch/search?${query}`;
}

type Choosable = SearchView["types"];

const FIELD_NAMES: ReadonlySet<string> = new Set([...WORD_FIELDS, ...CHOICE_FIELDS]);

/** What narrows the search in addition to facets: fields of the detailed search, and parameters that no field shows. */
const isFieldFilter = ([name, value]: Parameter): boolean =>
  (FIELD_NAMES.has(name) || HIDDEN_FILTERS.has(name)) && value.trim() !== "" && !isPageLanguage(name, value);

/** Each with the search without it. */
function fieldChips(
  asked: readonly Parameter[],
  { types, languages }: { readonly types: Choosable; readonly languages: Choosable },
  without: (gone: Parameter) => string,
  tag: string,
): SearchView["chips"] {
  const { search, site } = repositoryTexts(tag);
  return asked.filter(isFieldFilter).map(([name, value]) => {
    const label = Object.entries(search.fields).find(([field]) => field === name)?.[1] ?? name;
    const choices = name === "type" ? types : name === "lang" ? languages : [];
    const shown = choices.find((choice) => choice.value === value)?.label ?? value;
    return { label: `${label}${site.colon}${shown}`, href: without([name, value]) };
  });
}

type FacetWords = {
  readonly asked: readonly Parameter[];
  readonly address: (kept: readonly Parameter[]) => string;
  /** What is asked for, and one more. */
  readonly also: (more: Parameter) => string;
  readonly without: (gone: Parameter) => string;
  readonly tag: string;
};

function facetView(facet: SearchedFacet, { asked, address, also, without, tag }: FacetWords): FacetView {
  const { item, values, hasMore, years } = facet;
  const { name, display, open, shown } = item;
  const [, from = "", to = ""] = facetParameters(item);
  const kept = asked.filter(([each]) => each !== from && each !== to);
  return {
    name: name.en,
    heading: tag === "ja" ? name.ja : name.en,
    display,
    open,
    shown: asked.find(([each]) => each === WHOLE_FACET)?.[1] === name.en ? values.length : shown,
    values: values.map((value) => {
      const parameter: Parameter = [name.en, value.value];
      const href = display !== "select" ? null : value.chosen ? without(parameter) : also(parameter);
      return { value: value.value, label: labelOf(item, value, tag), count: value.count, chosen: value.chosen, href };
    }),
    all: hasMore ? address([...asked.filter(([each]) => each !== WHOLE_FACET), [WHOLE_FACET, name.en]]) : null,
    years:
      years === null
        ? null
        : {
            from: { name: from, value: years.from },
            to: { name: to, value: years.to },
            bins: years.bins.map((bin) => ({
              ...bin,
              href: address([...kept, [from, `${bin.from}`], [to, `${bin.to}`]]),
            })),
          },
  };
}

/** What was chosen of a facet, each with the search without it. */
function chipsOf(facet: SearchedFacet, { asked, address, without, tag }: FacetWords): SearchView["chips"] {
  const { item, values, years } = facet;
  const { colon } = repositoryTexts(tag).site;
  const heading = tag === "ja" ? item.name.ja : item.name.en;
  const chosen = values.filter((value) => value.chosen);
  const chips = chosen.map((value) => ({
    label: `${heading}${colon}${labelOf(item, value, tag)}`,
    href: without([item.name.en, value.value]),
  }));
  if (years === null || (years.from === null && years.to === null)) return chips;
  const [, ...ends] = facetParameters(item);
  const label = `${heading}${colon}${years.from ?? ""}–${years.to ?? ""}`;
  return [...chips, { label, href: address(asked.filter(([name]) => !ends.includes(name))) }];
}

/** Codes of languages and types and the words for access by their names; everything else as items have it. */
function labelOf({ sources }: FacetItem, { value, names }: FacetValue, tag: string): string {
  if (names !== null) return tag === "ja" ? names.ja : names.en;
  const isOf = (source: string): boolean => sources.every((each) => each === source);
  const vocabulary = isOf("languages") ? "languages" : isOf("type.id") ? "resourcetypes" : null;
  if (vocabulary !== null) return wordOf({ vocabulary, id: value }, tag) ?? value;
  if (!isOf("accessRights.label") && !isOf("access.status")) return value;
  const [kind = ""] = value.toLowerCase().split(" access");
  return repositoryTexts(tag).access[kind.replaceAll(" ", "-")] ?? value;
}
