// Which format a text that somebody pasted or chose is of: by how it begins, and of JSON by its members.
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, parseJson } from "../../shared/json/read.ts";
import { own } from "../../shared/objects.ts";
import type { ImportFormat } from "./read.ts";

/** Characters of the beginning that are read of it, but for JSON. */
const READ = 64 * 1024;

/** Null: no format begins like it. The text may still turn out not to be of the format that is named. */
export function detectFormat(text: string): ImportFormat | null {
  const start = text
    .slice(0, READ)
    .replace(/^\ufeff/, "")
    .trimStart();
  if (start.startsWith("<")) return "datacite-xml";
  if (start.startsWith("[")) return "csl";
  if (start.startsWith("{")) return formatOfJson(text);
  if (/^TY {0,4}-/m.test(start)) return "ris";
  return start.includes("@") ? "bibtex" : null;
}

/** JSON that cannot be read is that of the usual format, whose reader names the fault. */
function formatOfJson(text: string): ImportFormat {
  let read: unknown;
  try {
    read = parseJson(text.replace(/^\ufeff/, ""));
  } catch {
    return "csl";
  }
  // What is parsed from JSON is JSON.
  const document = read as Json;
  if (!isJsonObject(document)) return "csl";
  const has = (...names: readonly string[]): boolean => names.some((name) => own(document, name) !== undefined);
  if (has("@context", "@graph", "@type")) return "jsonld";
  if (has("message")) return "crossref";
  if (has("metadata")) return "json";
  return has("data", "attributes", "titles", "creators", "schemaVersion") ? "datacite-json" : "csl";
}
