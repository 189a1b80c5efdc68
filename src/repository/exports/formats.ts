// The formats in which a record is available (R38, R19a), once for all interfaces: a name, a media type, a writer. A
// new format is one more entry, and TypeScript asks for its writer.
import { writeBibtex } from "../../formats/bibtex/write.ts";
import { citedOf } from "../../formats/citation/cited-item.ts";
import { linksetOf, linksetText } from "../../formats/citation/linkset.ts";
import type { DescribedBy } from "../../formats/citation/signposting.ts";
import { writeCitation } from "../../formats/citation/write.ts";
import { writeCsl } from "../../formats/csl/write.ts";
import { writeDataciteJson, writeDataciteXml } from "../../formats/datacite/write.ts";
import { writeDcat } from "../../formats/dcat/write.ts";
import type { ExportedRecord, WrittenExport } from "../../formats/exported-record.ts";
import { writeGeoJson } from "../../formats/geojson/write.ts";
import { writeMarcXml } from "../../formats/marc/write.ts";
import { writeOaiDc } from "../../formats/oai-dc/write.ts";
import { writeOpenaire } from "../../formats/openaire/write.ts";
import { writeRis } from "../../formats/ris/write.ts";
import { writeSchemaOrg } from "../../formats/schema-org/write.ts";
import type { ItemId } from "../../shared/ids.ts";

/** Options of a document besides its format. */
export type ExportOptions = {
  /** Of a citation; null: the style and the language of words that a citation has when none is asked for. */
  readonly style: string | null;
  readonly locale: string | null;
  /** The language in which the reader asks for titles and names by name; null: that of the main title. */
  readonly reader: string | null;
};

export const NO_OPTIONS: ExportOptions = { style: null, locale: null, reader: null };

type FormatRow = {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** By which it is asked for and linked to. */
  readonly mediaType: string;
  readonly profile?: string;
  /** The media type of the answer, where it differs from the type of the format. */
  readonly contentType?: string;
  readonly fileName: (id: ItemId) => string;
  /** Not among the formats that people are offered. */
  readonly isForMachines?: true;
};

const FORMATS = [
  {
    id: "json",
    name: "JSON",
    mediaType: "application/json",
    contentType: "application/json; charset=utf-8",
    fileName: (id) => `${id}.json`,
  },
  {
    id: "inveniordm",
    name: "JSON with labels (InvenioRDM)",
    mediaType: "application/vnd.inveniordm.v1+json",
    fileName: (id) => `${id}-inveniordm.json`,
  },
  {
    id: "jsonld",
    name: "JSON-LD (schema.org)",
    mediaType: "application/ld+json",
    fileName: (id) => `${id}.jsonld`,
  },
  {
    id: "datacite-json",
    name: "DataCite JSON",
    mediaType: "application/vnd.datacite.datacite+json",
    fileName: (id) => `${id}-datacite.json`,
  },
  {
    id: "datacite-xml",
    name: "DataCite XML",
    mediaType: "application/vnd.datacite.datacite+xml",
    fileName: (id) => `${id}-datacite.xml`,
  },
  {
    id: "dublincore",
    name: "Dublin Core",
    mediaType: "application/x-dc+xml",
    fileName: (id) => `${id}-dublincore.xml`,
  },
  {
    id: "marcxml",
    name: "MARCXML",
    mediaType: "application/marcxml+xml",
    fileName: (id) => `${id}-marc.xml`,
  },
  { id: "dcat", name: "DCAT", mediaType: "application/dcat+xml", fileName: (id) => `${id}-dcat.xml` },
  {
    id: "csl",
    name: "CSL-JSON",
    mediaType: "application/vnd.citationstyles.csl+json",
    fileName: (id) => `${id}-csl.json`,
  },
  {
    id: "bibtex",
    name: "BibTeX",
    mediaType: "application/x-bibtex",
    contentType: "application/x-bibtex; charset=utf-8",
    fileName: (id) => `${id}.bib`,
  },
  {
    id: "ris",
    name: "RIS",
    mediaType: "application/x-research-info-systems",
    contentType: "application/x-research-info-systems; charset=utf-8",
    fileName: (id) => `${id}.ris`,
  },
  {
    id: "citation",
    name: "Citation",
    mediaType: "text/x-bibliography",
    contentType: "text/plain; charset=utf-8",
    fileName: (id) => `${id}.txt`,
  },
  { id: "geojson", name: "GeoJSON", mediaType: "application/vnd.geo+json", fileName: (id) => `${id}.geojson` },
  {
    id: "jpcoar",
    name: "JPCOAR XML",
    mediaType: "application/xml",
    profile: "https://github.com/JPCOAR/schema/blob/master/2.0/",
    contentType: "application/xml; charset=utf-8",
    fileName: (id) => `${id}.xml`,
  },
  {
    id: "ro-crate",
    name: "RO-Crate (JSON-LD)",
    mediaType: "application/ld+json",
    profile: "https://w3id.org/ro/crate",
    fileName: (id) => `${id}-ro-crate-metadata.json`,
  },
  {
    id: "openaire",
    name: "OpenAIRE XML",
    mediaType: "application/xml",
    profile: "http://namespace.openaire.eu/schema/oaire/",
    contentType: "application/xml; charset=utf-8",
    fileName: (id) => `${id}-openaire.xml`,
  },
  {
    id: "linkset",
    name: "Linkset",
    mediaType: "application/linkset+json",
    fileName: (id) => `${id}-linkset.json`,
    isForMachines: true,
  },
  {
    id: "linkset-text",
    name: "Linkset (text)",
    mediaType: "application/linkset",
    fileName: (id) => `${id}-linkset.txt`,
    isForMachines: true,
  },
] as const satisfies readonly FormatRow[];

export type ExportFormatId = (typeof FORMATS)[number]["id"];
/** Written by the interface of records. */
export type OwnFormatId = "json" | "inveniordm";
/** Written from an item and its files. */
type ItemFormatId = "jpcoar" | "ro-crate";
/** Written from the record alone. */
type RecordFormatId = Exclude<ExportFormatId, OwnFormatId | ItemFormatId>;
export type ExportFormat = FormatRow & { readonly id: ExportFormatId };

export const EXPORT_FORMATS: readonly ExportFormat[] = FORMATS;

type Writer = (record: ExportedRecord, options: ExportOptions) => WrittenExport;

const WRITERS: Readonly<Record<RecordFormatId, Writer>> = {
  jsonld: writeSchemaOrg,
  "datacite-json": writeDataciteJson,
  "datacite-xml": writeDataciteXml,
  dublincore: writeOaiDc,
  marcxml: writeMarcXml,
  dcat: writeDcat,
  csl: writeCsl,
  bibtex: writeBibtex,
  ris: writeRis,
  citation: (record, { style, locale, reader }) => writeCitation(record, style, locale, reader),
  geojson: writeGeoJson,
  openaire: writeOpenaire,
  linkset: (record) => linksetOf(citedOf(record), describedBy(record.landingPage)),
  "linkset-text": (record) => linksetText(citedOf(record), describedBy(record.landingPage)),
};

export const exportFormat = (id: string): ExportFormat | null => EXPORT_FORMATS.find((each) => each.id === id) ?? null;

export const isRecordFormat = (id: string): id is RecordFormatId => Object.hasOwn(WRITERS, id);

/** @throws TypeError for a format that is written from more than the record. */
export function writeRecord(id: string, record: ExportedRecord, options: ExportOptions): WrittenExport {
  if (!isRecordFormat(id)) throw new TypeError(`No writer for "${id}"`);
  return WRITERS[id](record, options);
}

const documentsOf = (landingPage: string, formats: readonly ExportFormat[]): readonly DescribedBy[] =>
  formats.map(({ id, mediaType, profile }) => ({
    url: `${landingPage}/export/${id}`,
    type: mediaType,
    ...(profile === undefined ? {} : { profile }),
  }));

const LINKSETS = EXPORT_FORMATS.filter(({ isForMachines }) => isForMachines === true);
const DESCRIPTIONS = EXPORT_FORMATS.filter(({ isForMachines }) => isForMachines !== true);

/** Documents that describe an item, for links between machines. */
export const describedBy = (landingPage: string): readonly DescribedBy[] => documentsOf(landingPage, DESCRIPTIONS);

/** Documents with all links of an item. */
export const linksetsOf = (landingPage: string): readonly DescribedBy[] => documentsOf(landingPage, LINKSETS);
