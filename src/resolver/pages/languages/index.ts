// The languages the pages are written in. The first one whose tag a reader wants is used (specification 1, "Resolution"
// rule 3).
import { en, type Texts } from "./en.ts";
import { ja } from "./ja.ts";

export type { Texts } from "./en.ts";

const ALL: readonly Texts[] = [en, ja];

export const LANGUAGES: readonly string[] = ALL.map((texts) => texts.tag);

/** The texts of a language; of an unknown one, English. */
export function textsOf(tag: string): Texts {
  return ALL.find((texts) => texts.tag === tag) ?? en;
}
