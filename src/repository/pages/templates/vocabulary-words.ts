// Words of the shipped vocabularies on pages: kinds of dates and relations, roles, licences, types (R6a, R19a).

import { SHIPPED_TYPES, shippedEntry, shippedVocabulary } from "../../../assets/vocabularies/index.ts";
import type { RepositoryTexts } from "../languages/index.ts";

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
export function dayIn(value: string, locale: string): string {
  const time = new Date(value.length === 10 ? `${value}T00:00:00Z` : value);
  if (Number.isNaN(time.getTime())) return value;
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(time);
}
