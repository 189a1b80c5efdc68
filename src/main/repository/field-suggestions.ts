// Suggestions for fields of deposits (R42), for the interface of programs and the pages alike.
import { journalCompletion } from "../../repository/search/query/journal-completion.ts";
import type { RepositoryStore } from "../../repository/store/store.ts";
import { type FieldSuggestions, fieldSuggestions } from "../../repository/suggestions/field-suggestions.ts";
import type { Runtime } from "./feature.ts";

/** One for each store: it keeps the names of indexes. */
const made = new WeakMap<RepositoryStore, FieldSuggestions>();

export function fieldSuggestionsOf({
  store,
  finder,
  items,
}: Pick<Runtime, "store" | "finder" | "items">): FieldSuggestions {
  const known = made.get(store);
  if (known !== undefined) return known;
  const service = fieldSuggestions({ store, journals: journalCompletion(finder), today: items.today });
  made.set(store, service);
  return service;
}
