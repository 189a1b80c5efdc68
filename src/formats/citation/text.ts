// "Cite this" in APA style: one line of plain text for landing pages and for tombstones, where it outlives the item
// (R2c, R19a).
import { citedLanguage } from "../../model/metadata/reader-language.ts";
import { cslItem } from "../csl/item.ts";
import type { CitedItem } from "./cited-item.ts";
import { apa } from "./styles/apa.ts";
import { withArk } from "./styles/parts.ts";

/**
 * The citation for a reader of a language, else in the language of the title. Never empty: without a title the item is
 * `[Untitled]`, without a date `n.d.`. Holds no line break and no mail address.
 */
export function citationText(item: CitedItem, reader?: string): string {
  return withArk(apa(cslItem("", item, reader), citedLanguage(item.metadata, reader) ?? "en"), item.ark);
}
