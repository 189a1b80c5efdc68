// What is asked of a list of communities in words (R37): `q` of search_communities, as conditions on their fields.
import type { Sought } from "../model/sought.ts";

/** Words of a question that are looked for. */
const WORDS_MAX = 20;

export function communitiesSought(q: string): Sought {
  const words = q.split(/\s+/u, WORDS_MAX).filter((word) => word !== "");
  return { kind: "any", of: words.map((text) => ({ kind: "contains", field: "words", text })) };
}
