// Documents that become drafts of records (R38): DataCite JSON and XML, an answer of Crossref, CSL-JSON, BibTeX, RIS,
// JSON-LD of schema.org, and a record as this repository exports it.
import { metadataExcess } from "../../model/metadata/metadata-limits.ts";
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject, readJsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { importBibtex } from "./bibtex.ts";
import { importCrossref } from "./crossref.ts";
import { importCsl } from "./csl.ts";
import { importDatacite } from "./datacite.ts";
import { importDataciteXml } from "./datacite-xml.ts";
import { trackReads } from "./read-tracker.ts";
import { importRis } from "./ris.ts";
import { importSchemaOrg } from "./schema-org.ts";
import type { ImportedWork } from "./works.ts";

/** A record in the tools' model, whose vocabulary entries are still to be looked up. */
export type ImportedRecord = { readonly body: JsonObject; readonly lost: readonly string[]; readonly line: number };

export const IMPORT_FORMATS = [
  "datacite-json",
  "datacite-xml",
  "crossref",
  "csl",
  "bibtex",
  "ris",
  "jsonld",
  "json",
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Media types of the formats, as exports name them. */
export const IMPORT_TYPES: Readonly<Record<string, ImportFormat>> = {
  "application/vnd.datacite.datacite+json": "datacite-json",
  "application/vnd.datacite.datacite+xml": "datacite-xml",
  "application/vnd.crossref-api-message+json": "crossref",
  "application/vnd.citationstyles.csl+json": "csl",
  "application/x-bibtex": "bibtex",
  "text/x-bibtex": "bibtex",
  "application/x-research-info-systems": "ris",
  "application/ld+json": "jsonld",
  "application/json": "json",
  "application/vnd.inveniordm.v1+json": "json",
};

/** Works of one document. */
const IMPORT_WORKS_MAX = 1_000;

/** @throws DocumentError for a document of another format, and for one that holds no work. */
export function readImport(format: ImportFormat, bytes: Uint8Array): readonly (ImportedWork | ImportedRecord)[] {
  const works = readWorks(format, bytes);
  if (works.length === 0) throw new DocumentError("The document holds no work");
  if (works.length > IMPORT_WORKS_MAX)
    throw new DocumentError(`The document holds more than ${IMPORT_WORKS_MAX} works`);
  for (const work of works) {
    const excess = "metadata" in work ? metadataExcess(work.metadata) : null;
    if (excess !== null) throw new DocumentError(`Line ${work.line}: The metadata ${excess}`);
  }
  return works;
}

function readWorks(format: ImportFormat, bytes: Uint8Array): readonly (ImportedWork | ImportedRecord)[] {
  switch (format) {
    case "bibtex":
      return importBibtex(textOf(bytes));
    case "ris":
      return importRis(textOf(bytes));
    case "csl":
      return importCsl(listOrObject(bytes));
    case "datacite-json":
      return [importDatacite(readJsonObject(bytes, "the document"))];
    case "datacite-xml":
      return [importDataciteXml(bytes)];
    case "crossref":
      return [importCrossref(readJsonObject(bytes, "the document"))];
    case "jsonld":
      return [importSchemaOrg(readJsonObject(bytes, "the document"), bytes.length)];
    case "json":
      return [importRecord(readJsonObject(bytes, "the document"))];
  }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > most("documentBytes"))
    throw new DocumentError(`The document has more than ${most("documentBytes")} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentError("The document is not UTF-8");
  }
}

const OPEN_LIST = 0x5b;

/** CSL is an item or a list of items; a list is read as the only member of an object, under the same limits. */
function listOrObject(bytes: Uint8Array): Json {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  if (first !== OPEN_LIST) return readJsonObject(bytes, "the document");
  const wrapped = new TextEncoder().encode('{"items":');
  const whole = new Uint8Array(wrapped.length + bytes.length + 1);
  whole.set(wrapped);
  whole.set(bytes, wrapped.length);
  whole[whole.length - 1] = "}".charCodeAt(0);
  const { items = [] } = readJsonObject(whole, "the document");
  if (isJsonArray(items) && items.every(isJsonObject)) return items;
  throw new DocumentError("The document holds something that is not an item");
}

/** Members that are valid only in the repository that wrote the record. */
const AROUND =
  /^(?:id|recid|created|updated|revision_id|is_published|is_draft|status|state|deletion_status|versions|links|ui|stats|errors|expanded|parent\.id|parent\.access|access\.status|media_files)(?:\.|$)/;

/** Of this program's own records, metadata, custom fields and access are taken; the document has no files. */
function importRecord(document: JsonObject): ImportedRecord {
  const watch = trackReads(document);
  const seen = isJsonObject(watch.document) ? watch.document : {};
  const body = {
    metadata: seen.metadata ?? {},
    custom_fields: seen.custom_fields ?? {},
    ...(seen.access === undefined ? {} : { access: seen.access }),
  };
  // Of the member that ties versions together, each part is reported by itself.
  const { parent } = seen;
  if (isJsonObject(parent)) for (const name of Object.keys(parent)) if (name === "id") void parent[name];
  // The draft reports errors inside these members.
  const taken: JsonObject = JSON.parse(JSON.stringify(body));
  const lost = watch.unread().filter((path) => !AROUND.test(path));
  return { body: taken, lost, line: 1 };
}
