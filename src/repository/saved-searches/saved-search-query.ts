// The query of a saved search (issue 26): the parameters of the search page that decide what is found and in which
// order, without those of the display.
import type { Viewer } from "../../auth/account.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { FacetValues } from "../search/detail/facet-values.ts";
import type { Finder } from "../search/query/finder.ts";
import { type Parameters, parametersOf } from "../search/query/parameters.ts";
import { type ReaderQuestion, readerQuestion } from "../search/query/reader-question.ts";

const SHOWING: ReadonlySet<string> = new Set(["page", "size", "cursor", "pretty", "facet", "format"]);
/** The languages of pages: `lang` is a parameter of searches, too, with other values. */
const PAGE_LANGUAGES: ReadonlySet<string> = new Set(["en", "ja"]);

/** @throws Refusal `invalid` for one that is too long */
export function normalQuery(sent: string): string {
  const kept = [...new URLSearchParams(sent.replace(/^\?/, ""))].filter(
    ([name, value]) => !SHOWING.has(name) && value.trim() !== "" && !(name === "lang" && PAGE_LANGUAGES.has(value)),
  );
  const query = new URLSearchParams(kept).toString();
  const max = most("savedSearchCharacters");
  if (query.length > max) {
    throw new Refusal("invalid", `query of ${query.length} characters is too long: at most ${max}`, {
      detail: { field: "query" },
    });
  }
  return query;
}

export type SavedSearchQuestions = {
  readonly finder: Pick<Finder, "settings">;
  readonly values: Pick<FacetValues, "searched">;
};

/** What a saved query asks, as its words are written. @throws Refusal `invalid` */
export async function savedQuestion(
  { finder, values }: SavedSearchQuestions,
  viewer: Viewer,
  query: string,
): Promise<Pick<ReaderQuestion, "where" | "chosen">> {
  const settings = await finder.settings();
  const parameters: Parameters = await values.searched(viewer, parametersOf(query), settings);
  const { where, chosen } = readerQuestion(parameters, settings, "opensearch");
  return { where, chosen };
}
