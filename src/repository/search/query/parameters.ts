// Parameters of item search as conditions, sorts and pages (R10, R27, R28; specification 3, "Query parameters" and
// rules 1 to 9). Pure: a request and the settings become queries of an index. What the specification calls
// unusable is left out; what would cost too much is refused.
import { most } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/refusal.ts";
import { RECORD_FACETS } from "../detail/record-schema.ts";
import { FIELDS } from "../document/document.ts";
import { facetKey, keyOf, numberKey } from "../document/keys.ts";
import type { Condition, RankedWord, SortBy } from "../index/index-port.ts";
import {
  facetField,
  fileDateField,
  freeField,
  identifierField,
  isAssigned,
  KEYS,
  NUMBERS,
  SORTS,
  TEXTS,
} from "../settings/search-schema.ts";
import {
  type Choice,
  type ChoiceList,
  choicesNamed,
  type FacetItem,
  FREE_FIELDS,
  type SearchSettings,
} from "../settings/settings.ts";
import { dayRange } from "./days.ts";
import type { ItemQuery } from "./finder.ts";
import { identifierRanking, orIdentified } from "./identifier-query.ts";
import { allOf, anyOf, NOTHING, parseQueryText, sizeOf } from "./query-text.ts";
import { NEWEST_WORK, rankingOf } from "./ranking.ts";
import { inField, textCondition, type WordPlace } from "./word-conditions.ts";

/** The values of each parameter, in the order in which they were sent; never an empty one. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Reads the query of an address. Throws invalid for more parameters than a search could have. */
export function parametersOf(query: string | URLSearchParams): Parameters {
  const sent = new URLSearchParams(query);
  if (sent.size > most("queryParameters")) {
    throw new Refusal("invalid", `A search may have ${most("queryParameters")} parameters at most`);
  }
  const found = new Map<string, string[]>();
  for (const [name, value] of sent) {
    if (value.trim() === "") continue;
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}

const valuesOf = (parameters: Parameters, name: string): readonly string[] => parameters.get(name) ?? [];
const firstOf = (parameters: Parameters, name: string): string | undefined => parameters.get(name)?.[0]?.trim();

/** `true` and `1`, in any case; everything else is false. */
export const isYes = (parameters: Parameters, name: string): boolean =>
  ["true", "1"].includes(firstOf(parameters, name)?.toLowerCase() ?? "");

/**
 * Words of a query that any metadata of an item, or any file that its reader may read, has to have (`search_type` 0),
 * or metadata alone (1).
 */
const ANYWHERE: WordPlace = (...words) => anyOf([inField(FIELDS.all)(...words), inField(FIELDS.files)(...words)]);

/** Parameters whose words are searched in one text of an item. */
export const WORD_PARAMETERS: Readonly<Record<string, string>> = {
  creator: TEXTS.creator,
  des: TEXTS.description,
  publisher: TEXTS.publisher,
  cname: TEXTS.contributor,
  srctitle: TEXTS.sourceTitle,
  degreename: TEXTS.degreeName,
  dgname: TEXTS.degreeGrantor,
};

/** Parameters whose value an item has exactly. */
export const EXACT_PARAMETERS: Readonly<Record<string, string>> = {
  spatial: KEYS.spatial,
  temporal: KEYS.temporal,
  mimetype: KEYS.mediaType,
  dissno: KEYS.dissertationNumber,
};

/** Parameters whose value is one that items are filed by, as pages of subjects, funders and licences list it (R40). */
export const FILED_PARAMETERS: Readonly<Record<string, string>> = {
  subject_is: RECORD_FACETS.subject,
  funder_is: RECORD_FACETS.funder,
  license_is: RECORD_FACETS.license,
};

const CHOSEN: Readonly<Record<string, { readonly list: ChoiceList; readonly field: string }>> = {
  type: { list: "type", field: KEYS.type },
  lang: { list: "lang", field: KEYS.language },
  version: { list: "version", field: KEYS.version },
  license: { list: "license", field: KEYS.license },
};

/**
 * The interfaces differ in one parameter: `wid` is an identifier of a creator in item search and the number of an item
 * in OpenSearch.
 */
export type SearchApi = "records" | "opensearch";

/** What has to be true of an item for it to be found, without facets. @throws invalid for what is too long */
export function whereOf(parameters: Parameters, settings: SearchSettings, api: SearchApi = "records"): Condition {
  const condition = allOf(conditionsOf(parameters, settings, api));
  // Of very many words other forms are not searched for.
  return sizeOf(condition) <= most("queryParts")
    ? condition
    : bounded(allOf(conditionsOf(parameters, settings, api, true)));
}

function conditionsOf(
  parameters: Parameters,
  settings: SearchSettings,
  api: SearchApi,
  isExact = false,
): readonly Condition[] {
  const wordsIn: typeof wordsOf = (sent, name, place) => wordsOf(sent, name, place, isExact);
  const place = wordPlace(parameters);
  return [
    ...anythingIn(parameters, "q", place, isExact),
    ...linkedPersons(parameters),
    ...(api === "opensearch" ? anythingIn(parameters, "keyword", place, isExact) : []),
    ...titles(parameters, isExact),
    ...Object.entries(WORD_PARAMETERS).flatMap(([name, field]) => wordsIn(parameters, name, inField(field))),
    ...Object.entries(EXACT_PARAMETERS).flatMap(([name, field]) =>
      valuesOf(parameters, name).map((value) => keyed(field, [keyOf(value.trim())])),
    ),
    ...Object.entries(FILED_PARAMETERS).flatMap(([name, field]) =>
      valuesOf(parameters, name).map((value) => keyed(field, [facetKey(value.trim())])),
    ),
    ...Object.entries(CHOSEN).flatMap(([name, { list, field }]) => {
      const choices = chosenIn(parameters, name, settings.choices[list]);
      return choices.length === 0
        ? []
        : [
            keyed(
              field,
              choices.map(({ value }) => keyOf(value)),
            ),
          ];
    }),
    ...subjects(parameters, settings),
    ...identifiers(parameters, settings),
    ...days(parameters, "dategranted", [NUMBERS.dateGranted]),
    ...fileDates(parameters, settings),
    ...numbers(parameters, api),
    ...freeFields(parameters, settings),
  ];
}

/** Where words of a query are searched for. */
export const wordPlace = (parameters: Parameters): WordPlace =>
  firstOf(parameters, "search_type") === "1" ? inField(FIELDS.all) : ANYWHERE;

function wordsOf(parameters: Parameters, name: string, place: WordPlace, isExact = false): readonly Condition[] {
  return valuesOf(parameters, name).flatMap((value) => {
    const query = parseQueryText(value, name);
    return query === null ? [] : [textCondition(query, place, isExact)];
  });
}

/** Words anywhere in an item, or an identifier. */
const anythingIn = (parameters: Parameters, name: string, place: WordPlace, isExact: boolean): readonly Condition[] =>
  valuesOf(parameters, name).flatMap((value) => {
    const [words] = wordsOf(new Map([[name, [value]]]), name, place, isExact);
    return words === undefined ? [] : [orIdentified(words, value)];
  });

const keyed = (field: string, anyOf: readonly string[]): Condition => ({ kind: "key", field, anyOf });

/** Items in which a person of the author database is linked, by number: pages and feeds of persons ask for it (R40). */
function linkedPersons(parameters: Parameters): readonly Condition[] {
  return valuesOf(parameters, "author").map((value) => {
    const written = value.trim();
    return NUMBER.test(written) ? keyed(KEYS.person, [numberKey(Number(written))]) : NOTHING;
  });
}

/** Exactly (rule 3), or by words. */
function titles(parameters: Parameters, isExact: boolean): readonly Condition[] {
  if (!isYes(parameters, "exact_title_match")) return wordsOf(parameters, "title", inField(TEXTS.title), isExact);
  return valuesOf(parameters, "title").map((title) => keyed(KEYS.exactTitle, [keyOf(title)]));
}

/** The choices that a parameter names, its values between commas; unusable ones are left out (rule 4). */
function chosenIn(parameters: Parameters, name: string, list: readonly Choice[]): readonly Choice[] {
  const written = valuesOf(parameters, name).flatMap((value) => value.split(",", most("queryParts")));
  return [...new Set(written.flatMap((each) => choicesNamed(list, each)))];
}

/** A subject under one of the schemes (rule 5). */
function subjects(parameters: Parameters, { choices }: SearchSettings): readonly Condition[] {
  const schemes = chosenIn(parameters, "sbjscheme", choices.sbjscheme);
  if (schemes.length === 0) return [];
  return valuesOf(parameters, "subject").map((subject) =>
    keyed(
      KEYS.subject,
      schemes.map(({ value }) => keyOf(value, subject.trim())),
    ),
  );
}

/** Words of an identifier of one of the kinds (rule 5). */
function identifiers(parameters: Parameters, { choices }: SearchSettings): readonly Condition[] {
  const kinds = chosenIn(parameters, "id_attr", choices.id_attr);
  if (kinds.length === 0) return [];
  return valuesOf(parameters, "id").flatMap((value) => {
    const query = parseQueryText(value, "id");
    const fields = kinds.map((kind) => identifierField(choices.id_attr.indexOf(kind)));
    return query === null ? [] : [anyOf(fields.map((field) => textCondition(query, inField(field), true)))];
  });
}

function fileDates(parameters: Parameters, { choices }: SearchSettings): readonly Condition[] {
  const types = chosenIn(parameters, "fd_attr", choices.fd_attr);
  return days(
    parameters,
    "filedate",
    types.map((type) => fileDateField(choices.fd_attr.indexOf(type))),
  );
}

/** Both ends or nothing (rule 5); of a year or a month the first day and the last. */
function days(parameters: Parameters, name: string, fields: readonly string[]): readonly Condition[] {
  const from = dayRange(firstOf(parameters, `${name}_from`) ?? "")?.from;
  const to = dayRange(firstOf(parameters, `${name}_to`) ?? "")?.to;
  if (fields.length === 0 || from === undefined || to === undefined) return [];
  return [anyOf(fields.map((field) => ({ kind: "range", field, from, to })))];
}

const WHOLE = /^[+-]?\d{1,15}$/;
const BROKEN = /^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,3})?$/;

function between(parameters: Parameters, name: string, form: RegExp): readonly Condition[] {
  const [from, to] = ["from", "to"].map((end) => {
    const written = firstOf(parameters, `${name}_${end}`) ?? "";
    const number = form.test(written) ? Number(written) : Number.NaN;
    return Number.isFinite(number) ? number : undefined;
  });
  return from === undefined || to === undefined ? [] : [{ kind: "range", field: freeField(name), from, to }];
}

function freeFields(parameters: Parameters, settings: SearchSettings): readonly Condition[] {
  const assigned = (names: readonly string[]) => names.filter((name) => isAssigned(settings, name));
  return [
    ...assigned(FREE_FIELDS.text).flatMap((name) => wordsOf(parameters, name, inField(freeField(name)), true)),
    ...assigned(FREE_FIELDS.integer).flatMap((name) => between(parameters, name, WHOLE)),
    ...assigned(FREE_FIELDS.float).flatMap((name) => between(parameters, name, BROKEN)),
    ...assigned(FREE_FIELDS.date).flatMap((name) => days(parameters, name, [freeField(name)])),
  ];
}

const NUMBER = /^[1-9]\d{0,15}$/;

/** Numbers of items and indexes: no item has text that is not a number. */
function numbers(parameters: Parameters, api: SearchApi): readonly Condition[] {
  const numbered = (name: string, field: string): readonly Condition[] =>
    valuesOf(parameters, name).map((value) => {
      const written = value.trim();
      return NUMBER.test(written) ? keyed(field, [numberKey(Number(written))]) : NOTHING;
    });
  const under = [...numbered("iid", FIELDS.under)];
  if (api === "opensearch") return [...under, ...numbered("Iid", FIELDS.under), ...numbered("wid", KEYS.number)];
  return [
    ...under,
    ...valuesOf(parameters, "wid").map((value) => keyed(KEYS.creatorIdentifier, [keyOf(value.trim())])),
  ];
}

/** What was chosen of the facets: values of one by OR, facets by AND (rule 8). Null: nothing was. */
export function chosenOf(parameters: Parameters, { facets }: SearchSettings): Condition | null {
  const chosen = facets.flatMap((facet) => {
    const { name, active } = facet;
    const values = active ? valuesOf(parameters, name.en) : [];
    const years = active ? yearsOf(parameters, facet) : [];
    return [...(values.length === 0 ? [] : [keyed(facetField(facet), values.map(facetKey))]), ...years];
  });
  return chosen.length === 0 ? null : bounded(allOf(chosen));
}

/** The ends of a range of a facet of years: its English name with these. */
const YEAR_ENDS = { from: "_from", to: "_to" } as const;
const YEAR = /^\d{1,4}$/;

export const isOfYears = ({ id, sources }: FacetItem): boolean => facetField({ id, sources }) === RECORD_FACETS.year;

/** The parameters by which values of a facet are chosen. */
export const facetParameters = (facet: FacetItem): readonly string[] => {
  const { en } = facet.name;
  return isOfYears(facet) ? [en, ...Object.values(YEAR_ENDS).map((end) => `${en}${end}`)] : [en];
};

export type YearRange = { readonly from: number | null; readonly to: number | null };

/** From one year on, up to one, or both; null: neither was given. Text that is not a year counts as not sent. */
export function yearRange(parameters: Parameters, facet: FacetItem): YearRange | null {
  if (!isOfYears(facet)) return null;
  const [from, to] = [YEAR_ENDS.from, YEAR_ENDS.to].map((end) => {
    const written = firstOf(parameters, `${facet.name.en}${end}`) ?? "";
    return YEAR.test(written) ? Number(written) : null;
  });
  return from === null && to === null ? null : { from: from ?? null, to: to ?? null };
}

/** What was published in one of the years: a period also where it begins before and ends after them. */
function yearsOf(parameters: Parameters, facet: FacetItem): readonly Condition[] {
  const range = yearRange(parameters, facet);
  if (range === null) return [];
  const [from, to] = [range.from ?? 0, range.to ?? LAST_YEAR];
  const within: Condition = {
    ...{ kind: "range", field: NUMBERS.published },
    ...{ from: from * DAYS_OF_YEAR, to: (to + 1) * DAYS_OF_YEAR - 1 },
  };
  return [from > to ? NOTHING : anyOf([within, keyed(RECORD_FACETS.year, [facetKey(String(from).padStart(4, "0"))])])];
}
const LAST_YEAR = 9999;
/** Days are numbers: 20240229. */
const DAYS_OF_YEAR = 10_000;

/** @throws invalid for a condition with too many parts */
export function bounded(condition: Condition): Condition {
  if (sizeOf(condition) <= most("queryParts")) return condition;
  throw new Refusal("invalid", `A search may compare ${most("queryParts")} words and values at most`);
}

const SORT_KEYS: Readonly<Record<string, string>> = {
  controlnumber: "id",
  wtl: SORTS.title,
  creator: SORTS.creator,
  upd: SORTS.updated,
  createdate: SORTS.created,
  pyear: SORTS.published,
  publish_date: SORTS.opened,
  itemType: SORTS.itemType,
  temporal: SORTS.temporal,
};

/**
 * Sort keys between commas, the first with the highest priority, `-` for descending (rule 7). Unknown keys are left
 * out.
 */
export function sortOf(parameters: Parameters): readonly SortBy[] {
  const sorts = new Map<string, SortBy>();
  for (const written of (firstOf(parameters, "sort") ?? "").split(",", SORT_KEYS_READ)) {
    const key = written.trim();
    const descending = key.startsWith("-");
    const name = descending ? key.slice(1) : key;
    const field = Object.hasOwn(SORT_KEYS, name) ? SORT_KEYS[name] : undefined;
    if (field !== undefined && !sorts.has(field)) sorts.set(field, { field, descending });
  }
  return [...sorts.values()];
}
/** The words of `q`, by which hits are ranked. */
function rankedBy(parameters: Parameters): readonly RankedWord[] {
  const texts = valuesOf(parameters, "q");
  const words = texts.flatMap((value) => parseQueryText(value, "q") ?? []).flat();
  return [...rankingOf(words), ...texts.flatMap(identifierRanking)];
}

/**
 * How hits are ordered. The sort key `relevance`, where it is the first: best matches first, and those that match as
 * well by the other keys. Without words there is nothing to be relevant to. `byRank`: where no sort is given, too.
 * `words`: by which hits are ranked.
 */
export function orderOf(
  parameters: Parameters,
  byRank: "always" | "on request",
  words: readonly RankedWord[] = rankedBy(parameters),
): Pick<ItemQuery, "sort" | "ranking"> {
  const sort = sortOf(parameters);
  const key = (firstOf(parameters, "sort") ?? "").split(",", 1)[0]?.trim() ?? "";
  const isRanked = key === "relevance" || key === "-relevance" || (byRank === "always" && key === "");
  if (!isRanked || words.length === 0) return { sort };
  return { sort: sort.length === 0 ? [NEWEST_WORK] : sort, ranking: words };
}

/** Keys that are read: there are fewer. */
const SORT_KEYS_READ = 100;

/** A window that no engine shows (rule 9, R10), in the words of existing repositories. */
const WINDOW = "Maximum number of results have been reached.";
const WINDOW_MAX = 10_000;

/**
 * Offset pagination, or by cursor where one is sent and no page (rule 7). Throws invalid for a window that is too large
 * (R10).
 */
export function pageOf(parameters: Parameters, defaultSize: number): ItemQuery["page"] {
  const size = positive(firstOf(parameters, "size")) ?? defaultSize;
  const page = positive(firstOf(parameters, "page"));
  const cursor = firstOf(parameters, "cursor");
  if (size > WINDOW_MAX) throw new Refusal("invalid", WINDOW);
  if (cursor !== undefined && page === null) return { cursor, size };
  const number = page ?? 1;
  if (number * size > WINDOW_MAX) throw new Refusal("invalid", WINDOW);
  return { number, size };
}

/** Text that is not a number from 1 counts as not sent. */
function positive(written: string | undefined): number | null {
  if (written === undefined || !/^\d+$/.test(written)) return null;
  const number = Number(written);
  return number > 0 ? number : null;
}
