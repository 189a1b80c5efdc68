// A record as one line of text in a citation style (text/x-bibliography).
import { Refusal } from "../../shared/refusal.ts";
import { cslItem } from "../csl/item.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { citedOf } from "./exported.ts";
import { citationStyle, DEFAULT_LOCALE, DEFAULT_STYLE } from "./styles/styles.ts";

const STYLE_UNKNOWN = "Citation string style not found.";

/**
 * `locale`: a tag such as `en-GB` or `ja`; null: the language of the record's title, in the words of English. A citation leaves out what no
 * citation tells, and nobody is told of it. @throws Refusal invalid for a style there is none of.
 */
export function writeCitation(record: ExportedRecord, style: string | null, locale: string | null): WrittenExport {
  const asked = citationStyle(style ?? DEFAULT_STYLE);
  if (asked === null) throw new Refusal("invalid", STYLE_UNKNOWN);
  const item = cslItem(String(record.id), citedOf(record), locale ?? undefined);
  return { text: `${asked.write(item, locale ?? DEFAULT_LOCALE)}\n`, leftOut: [] };
}
