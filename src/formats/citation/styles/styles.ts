// The citation styles, by their names in the Citation Style Language.
import type { CslItem } from "../../csl/item.ts";
import { apa } from "./apa.ts";
import { chicagoAuthorDate, chicagoNotes } from "./chicago.ts";
import { harvard } from "./harvard.ts";
import { ieee } from "./ieee.ts";
import { mla } from "./mla.ts";
import { sist02 } from "./sist02.ts";
import { vancouver } from "./vancouver.ts";

export type CitationStyle = {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly write: (item: CslItem, locale: string) => string;
  /** The words it adds are in the language of the item on pages, not in that of the page. */
  readonly followsItem?: true;
};

/** In the order in which they are offered. */
export const CITATION_STYLES: readonly CitationStyle[] = [
  { id: "apa", name: "APA", write: apa, followsItem: true },
  { id: "harvard-cite-them-right", name: "Harvard", write: harvard },
  { id: "vancouver", name: "Vancouver", write: vancouver },
  { id: "chicago-author-date", name: "Chicago (author-date)", write: chicagoAuthorDate },
  { id: "chicago-notes-bibliography", name: "Chicago (notes and bibliography)", write: chicagoNotes },
  { id: "modern-language-association", name: "MLA", write: mla },
  { id: "ieee", name: "IEEE", write: ieee },
  { id: "sist02", name: "SIST 02", write: sist02, followsItem: true },
];

export const DEFAULT_STYLE = "harvard-cite-them-right";
export const DEFAULT_LOCALE = "en-US";

/** Styles by other names that existing clients ask for. */
const ALIASES: Readonly<Record<string, string>> = {
  harvard1: "harvard-cite-them-right",
  harvard: "harvard-cite-them-right",
  "apa-7th-edition": "apa",
  "nlm-citation-sequence": "vancouver",
  chicago: "chicago-author-date",
  "chicago-note-bibliography": "chicago-notes-bibliography",
  mla: "modern-language-association",
  "sist-02": "sist02",
};

/** Null for an unknown style; upper and lower case are equal. */
export function citationStyle(id: string): CitationStyle | null {
  const name = id.toLowerCase();
  const asked = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return CITATION_STYLES.find((style) => style.id === asked) ?? null;
}
