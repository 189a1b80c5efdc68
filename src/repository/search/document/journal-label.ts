// A journal as the index counts it (R42): its titles and its identifiers in one text, which is never shown as it is.
import type { Container } from "../../../model/metadata/metadata.ts";
import { maybe } from "../../../shared/objects.ts";
import { labelOf } from "./keys.ts";

export type Journal = Pick<Container, "titles" | "ids">;

const TITLES = 4;
const IDS = 4;

/** As much of a journal as a label has room for; null: it has no title, or none that is short enough. */
export function journalLabel({ titles, ids }: Journal): string | null {
  const named = titles.flatMap(({ value, lang = "" }) => (value.trim() === "" ? [] : [[value.trim(), lang]]));
  const known = ids.flatMap(({ scheme, value }) => (value.trim() === "" ? [] : [[scheme, value.trim()]]));
  const written = [
    [named.slice(0, TITLES), known.slice(0, IDS)],
    [named.slice(0, 1), known.slice(0, IDS)],
    [named.slice(0, 1), []],
  ].map((each) => JSON.stringify(each));
  return named.length === 0 ? null : (written.find((text) => labelOf(text) === text) ?? null);
}

/** The journal of a label. */
export function journalIn(label: string): Journal | null {
  try {
    // Written above only.
    const [titles, ids] = JSON.parse(label) as readonly (readonly (readonly [string, string])[])[];
    return {
      titles: (titles ?? []).map(([value, lang]) => ({ value, ...maybe("lang", lang === "" ? undefined : lang) })),
      ids: (ids ?? []).map(([scheme, value]) => ({ scheme, value })),
    };
  } catch {
    return null;
  }
}
