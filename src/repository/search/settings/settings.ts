// What is set of searching (R27, R28; specification 3, rules 4, 5 and 8): facet items, lists of choices, and what the
// free fields look into. A part of an index' schema: documents are made by it, so that another setting rebuilds the
// index (search-schema.ts).

import { boundedCompatible } from "../../../shared/text/text.ts";

type Words = { readonly en: string; readonly ja: string };

/** A facet: its values are counted, and chosen by a parameter that has its English name (rule 8). */
export type FacetItem = {
  readonly id: number;
  readonly name: Words;
  /** Where its values come from (source.ts). */
  readonly sources: readonly string[];
  /** One that is not is neither counted nor a parameter. */
  readonly active: boolean;
  readonly display: "select" | "checkboxes";
  /** Values shown before somebody asks for more. */
  readonly shown: number;
  /** Whether the page shows it unfolded. */
  readonly open: boolean;
};

/** Parameters whose values come from a list (rule 4). */
export const CHOICE_LISTS = ["sbjscheme", "fd_attr", "id_attr", "type", "lang", "version", "license"] as const;
export type ChoiceList = (typeof CHOICE_LISTS)[number];
/** Those whose choices mean places (source.ts) where others mean values. */
export const PLACE_LISTS: readonly ChoiceList[] = ["fd_attr", "id_attr"];

export type Choice = {
  /** The value of a parameter; its place in the list, counted from 0, means the same. */
  readonly value: string;
  readonly label: Words;
  /**
   * `fd_attr`, `id_attr`: the sources of its days, of its words. Other lists: values as items have them, compared by
   * `choiceText`; null: every value that no other choice of the list means.
   */
  readonly means: readonly string[] | null;
};

const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

/**
 * The free fields of the detailed search by what they hold (specification 3, text1 to text10 and the three kinds of
 * ranges).
 */
export const FREE_FIELDS = {
  text: numbered("text", 10),
  integer: numbered("integer_range", 5),
  float: numbered("float_range", 5),
  date: numbered("date_range", 5),
} as const;

export const ALL_FREE_FIELDS: readonly string[] = Object.values(FREE_FIELDS).flat();

export type SearchSettings = {
  /** In the order in which they are shown. */
  readonly facets: readonly FacetItem[];
  readonly choices: Readonly<Record<ChoiceList, readonly Choice[]>>;
  /**
   * By the names of `FREE_FIELDS`: where its values come from. One that is not there, or has no source, finds nothing
   * and is ignored.
   */
  readonly fields: Readonly<Record<string, readonly string[]>>;
};

/** Two values of a choice are one when this is one text: letters of any case and width, blanks around them left out. */
/** No choice is longer. */
const CHOICE_READ = 1_000;
export const choiceText = (value: string): string => boundedCompatible(value, CHOICE_READ).trim().toLowerCase();

/** The choices of a list that mean a value an item has; of none, those that mean whatever is left. */
export function choicesMeaning(list: readonly Choice[], value: string): readonly Choice[] {
  const wanted = choiceText(value);
  const named = list.filter(({ means }) => means?.some((each) => choiceText(each) === wanted) === true);
  return named.length > 0 ? named : list.filter(({ means }) => means === null);
}

/**
 * The choices a parameter names: by their values, or by their places in the list; what is none is left out (rule 4).
 */
export function choicesNamed(list: readonly Choice[], written: string): readonly Choice[] {
  const wanted = choiceText(written);
  const named = list.filter(({ value }) => choiceText(value) === wanted);
  const at = /^\d{1,4}$/.test(wanted) ? list[Number(wanted)] : undefined;
  return named.length > 0 || at === undefined ? named : [at];
}

/** What was set, by name, over what is shipped (src/repository/store/settings.ts). */
export function searchSettingsFrom(stored: Readonly<Record<string, unknown>>, shipped: SearchSettings): SearchSettings {
  const setOf = <T>(name: string, start: T): T => (Object.hasOwn(stored, name) ? (stored[name] as T) : start); // checked when it was written
  const choices = CHOICE_LISTS.map((list) => [list, setOf(list, shipped.choices[list])]);
  const fields = ALL_FREE_FIELDS.map((name) => [name, setOf(name, shipped.fields[name] ?? [])]);
  return {
    facets: setOf("facets", shipped.facets),
    // Each list, and each field, was looked up by its own name.
    choices: Object.fromEntries(choices) as SearchSettings["choices"],
    fields: Object.fromEntries(fields) as SearchSettings["fields"],
  };
}
