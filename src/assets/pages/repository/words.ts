// Words of the shipped vocabularies on pages: kinds of dates and relations, roles, licences, types (R6a, R19a).
import { SHIPPED_VOCABULARIES } from "../../vocabularies/index.ts";

/** A word that may stand in a vocabulary, by its type and its id in whatever spelling a format has for it. */
export type Term = { readonly vocabulary: string; readonly id: string };

type Title = { readonly en: string; readonly ja: string };

const plainId = (id: string): string => id.toLowerCase().replace(/[^a-z0-9]/g, "");

const TITLES: ReadonlyMap<string, Title> = new Map(
  SHIPPED_VOCABULARIES.map(({ type, id, title }) => [`${type} ${plainId(id)}`, title]),
);

/** Ids that formats write and the vocabulary spells otherwise. */
const SAME: Readonly<Record<string, string>> = { "titletypes alternative": "titletypes alternativetitle" };

/** The word in a language; null for what no vocabulary knows. */
export function wordOf({ vocabulary, id }: Term, tag: string): string | null {
  const key = `${vocabulary} ${plainId(id)}`;
  const title = TITLES.get(SAME[key] ?? key);
  if (title === undefined) return null;
  return tag === "ja" ? title.ja : title.en;
}
