// A record as one line of text in a citation style (text/x-bibliography).
import { citedLanguage } from "../../model/metadata/reader-language.ts";
import { Refusal } from "../../shared/refusal.ts";
import { cslItem } from "../csl/item.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { type CitedItem, citedOf } from "./cited-item.ts";
import { apa } from "./styles/apa.ts";
import { withArk } from "./styles/parts.ts";
import { citationStyle, DEFAULT_LOCALE, DEFAULT_STYLE } from "./styles/styles.ts";

const STYLE_UNKNOWN = "Citation string style not found.";

/**
 * `locale`: the language of the words around what the record states, such as `en-GB` or `ja`; null: American English.
 * `reader`: the language in which translated titles and names are requested; null: that of the main title. A citation
 * leaves out what no citation has, without a warning.
 * @throws Refusal invalid for an unknown style.
 */
export function writeCitation(
  record: ExportedRecord,
  style: string | null,
  locale: string | null,
  reader: string | null = locale,
): WrittenExport {
  const asked = citationStyle(style ?? DEFAULT_STYLE);
  if (asked === null) throw new Refusal("invalid", STYLE_UNKNOWN);
  const item = cslItem(String(record.id), citedOf(record), reader ?? undefined, true);
  return { text: `${withArk(asked.write(item, locale ?? DEFAULT_LOCALE), record.arkUrl)}\n`, leftOut: [] };
}

// "Cite this" in APA style: one line of plain text for landing pages and for tombstones, where it outlives the item
// (R2c, R19a).

/**
 * The citation for a reader of a language, else in the language of the title. Never empty: without a title the item is
 * `[Untitled]`, without a date `n.d.`. Holds no line break and no mail address.
 */
export function citationText(item: CitedItem, reader?: string): string {
  return withArk(apa(cslItem("", item, reader), citedLanguage(item.metadata, reader) ?? "en"), item.ark);
}
