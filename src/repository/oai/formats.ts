// The formats in which records are disseminated (R31, R36): a prefix, where its schema is, and how an item is written.
// One more is one more entry.

import { DATACITE_NAMESPACE, DATACITE_SCHEMA } from "../../formats/datacite/write.ts";
import type { ExportedRecord } from "../../formats/exported-record.ts";
import { jpcoarFileOf, writeJpcoar } from "../../formats/jpcoar/write.ts";
import { MARC_NAMESPACE, MARC_SCHEMA } from "../../formats/marc/write.ts";
import { OAI_DC, OAI_DC_SCHEMA } from "../../formats/oai-dc/write.ts";
import { OPENAIRE_NAMESPACE, OPENAIRE_SCHEMA } from "../../formats/openaire/write.ts";
import { NO_OPTIONS } from "../exports/formats.ts";
import { writtenRecord } from "../exports/record-exports.ts";
import { writeInBackground } from "../items/item-writing.ts";
import type { Exporting, ExportOrder } from "../store/exporting.ts";

/** An item as everybody may see it, with its addresses; and the same as writers of exports take it. */
type DisseminatedItem = Omit<Extract<ExportOrder, { readonly format: "jpcoar" }>, "format"> & {
  readonly record: ExportedRecord;
};

export type OaiFormat = {
  readonly prefix: string;
  readonly schema: string;
  readonly namespace: string;
  /**
   * An element with all its declarations, without XML declaration.
   *
   * @throws Refusal `unavailable` when a very long item takes too long
   */
  readonly write: (item: DisseminatedItem, exporting: Exporting) => string | Promise<string>;
};

const DECLARATION = /^<\?xml[^>]*\?>\s*/;

/** The same document as every other interface returns (R38). Long ones are written in the background. */
async function jpcoar({ record: _, ...item }: DisseminatedItem, exporting: Exporting): Promise<string> {
  const here = ({ files, ...rest }: typeof item): string =>
    writeJpcoar({ ...rest, files: files.map(({ file, url }) => jpcoarFileOf(file, url)) }).xml;
  const written = await writeInBackground({ ...item, format: "jpcoar" as const }, item, here, exporting);
  return written.replace(DECLARATION, "");
}

/** The same document as the export of records (R38), without its XML declaration. */
const exported =
  (format: string): OaiFormat["write"] =>
  async ({ record }, exporting) =>
    (await writtenRecord(format, record, NO_OPTIONS, exporting)).text.replace(DECLARATION, "");

const OAI_DATACITE = "http://schema.datacite.org/oai/oai-1.1/";
const DATACITE_VERSION = /kernel-([\d.]+)\//.exec(DATACITE_SCHEMA)?.[1] ?? "";

/** The document of `datacite` in the envelope by which DataCite's own provider hands it on. */
async function oaiDatacite(item: DisseminatedItem, exporting: Exporting): Promise<string> {
  const document = await exported("datacite-xml")(item, exporting);
  return `<oai_datacite xmlns="${OAI_DATACITE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${OAI_DATACITE} ${OAI_DATACITE}oai.xsd">
  <schemaVersion>${DATACITE_VERSION}</schemaVersion>
  <payload>
${document.trimEnd()}
  </payload>
</oai_datacite>
`;
}

const JPCOAR = {
  schema: "https://raw.githubusercontent.com/JPCOAR/schema/master/2.0/jpcoar_scm.xsd",
  namespace: "https://github.com/JPCOAR/schema/blob/master/2.0/",
  write: jpcoar,
};

/** `jpcoar` is what existing repositories call it. */
export const OAI_FORMATS: readonly OaiFormat[] = [
  { prefix: "oai_dc", schema: OAI_DC_SCHEMA, namespace: OAI_DC, write: exported("dublincore") },
  { prefix: "jpcoar_2.0", ...JPCOAR },
  { prefix: "jpcoar", ...JPCOAR },
  { prefix: "datacite", schema: DATACITE_SCHEMA, namespace: DATACITE_NAMESPACE, write: exported("datacite-xml") },
  { prefix: "oai_datacite", schema: `${OAI_DATACITE}oai.xsd`, namespace: OAI_DATACITE, write: oaiDatacite },
  { prefix: "oai_openaire", schema: OPENAIRE_SCHEMA, namespace: OPENAIRE_NAMESPACE, write: exported("openaire") },
  { prefix: "marcxml", schema: MARC_SCHEMA, namespace: MARC_NAMESPACE, write: exported("marcxml") },
];

export const formatOf = (prefix: string): OaiFormat | undefined => OAI_FORMATS.find((each) => each.prefix === prefix);
