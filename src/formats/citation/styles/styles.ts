// The citation styles, by their names in the Citation Style Language.
import type { CslItem } from "../../csl/item.ts";
import { apa } from "./apa.ts";
import { harvard } from "./harvard.ts";
import { vancouver } from "./vancouver.ts";

export type CitationStyle = {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly write: (item: CslItem, locale: string) => string;
};

/** In the order in which they are offered. */
export const CITATION_STYLES: readonly CitationStyle[] = [
  { id: "apa", name: "APA", write: apa },
  { id: "harvard-cite-them-right", name: "Harvard", write: harvard },
  { id: "vancouver", name: "Vancouver", write: vancouver },
];

export const DEFAULT_STYLE = "harvard-cite-them-right";
export const DEFAULT_LOCALE = "en-US";

/** Styles by other names that existing clients ask for. */
const ALIASES: Readonly<Record<string, string>> = {
  harvard1: "harvard-cite-them-right",
  harvard: "harvard-cite-them-right",
  "apa-7th-edition": "apa",
  "nlm-citation-sequence": "vancouver",
};

/** Null for an unknown style; upper and lower case are equal. */
export function citationStyle(id: string): CitationStyle | null {
  const name = id.toLowerCase();
  const asked = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return CITATION_STYLES.find((style) => style.id === asked) ?? null;
}
