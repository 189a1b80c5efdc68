// A record in another format, for every interface alike (R38, R19a): the same record gives the same bytes everywhere.
import type { Viewer } from "../../auth/account.ts";
import type { ExportedRecord, WrittenExport } from "../../formats/exported-record.ts";
import { STATUS_RIGHTS } from "../../model/access/openness.ts";
import { isLong } from "../../model/items/long-item.ts";
import { withImprint } from "../../model/metadata/imprint.ts";
import { publicMetadata } from "../../model/metadata/public-metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { listedFiles, type ReadableItem } from "../items/item-views.ts";
import { writeInBackground } from "../items/item-writing.ts";
import type { Exporting } from "../store/exporting.ts";
import type { RepositoryReader } from "../store/store.ts";
import { type DocumentOrder, documentWriter } from "./document-writing.ts";
import { type ExportedNeeds, exportedRecords } from "./export-input.ts";
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportFormatId,
  type ExportOptions,
  exportFormat,
  isRecordFormat,
  type OwnFormatId,
  writeRecord,
} from "./formats.ts";

export type RecordExport = {
  readonly format: ExportFormat;
  readonly text: string;
  readonly contentType: string;
  readonly fileName: string;
  /** What of the record the document could not carry, a sentence each. */
  readonly leftOut: readonly string[];
  readonly id: ItemId;
  readonly revision: number;
  readonly updatedAt: Instant;
  readonly landingPage: string;
  /** The request named the parent, which leads to this version (R2a). */
  readonly byParent: boolean;
};

/** Formats that other parts of the program write, from more than the record. */
type OwnWriters = {
  readonly [Id in OwnFormatId]: (viewer: Viewer, readable: ReadableItem, options: ExportOptions) => Promise<string>;
};

export type RecordExportsNeeds = ExportedNeeds & {
  readonly store: Pick<RepositoryReader, "items" | "communities" | "settings">;
  readonly exporting: Exporting;
  readonly own: OwnWriters;
};

export interface RecordExports {
  /**
   * @throws Refusal `not_found` for an unknown format and for a record that was never published, `invalid` for an
   * unknown citation style, `unavailable` when a very long record takes too long
   */
  write(viewer: Viewer, readable: ReadableItem, format: string, options: ExportOptions): Promise<RecordExport>;
}

/** The mapping by which items are written as crates, as the repository keeps it (R14). */
const CRATE_MAPPING = "ro-crate-default";

type ItemOrder = Exclude<DocumentOrder, { readonly format: "record" }>;

/**
 * A record in a format that needs the record alone; very long ones in the background.
 *
 * @throws Refusal `unavailable` when it takes too long
 */
export async function writtenRecord(
  writer: string,
  record: ExportedRecord,
  options: ExportOptions,
  exporting: Exporting,
): Promise<WrittenExport> {
  if (!isLong(record)) return writeRecord(writer, record, options);
  const order = { format: "record" as const, writer, record, options };
  // The thread answers with what `writeRecord` gives, as JSON.
  return JSON.parse(
    await writeInBackground<DocumentOrder>(order, record, documentWriter(), exporting),
  ) as WrittenExport;
}

export function recordExports(needs: RecordExportsNeeds): RecordExports {
  const { store, addresses, exporting, own } = needs;
  const records = exportedRecords(needs);
  const writeHere = documentWriter();
  let kept: { readonly text: string; readonly definition: Json } | null = null;

  async function crateMapping(): Promise<Json> {
    const stored = (await store.settings.mappings()).find(({ name, deleted }) => name === CRATE_MAPPING && !deleted);
    const definition = stored?.definition ?? {};
    const text = JSON.stringify(definition);
    if (kept?.text !== text) kept = { text, definition };
    return kept.definition;
  }

  async function orderOf(format: ItemOrder["format"], readable: ReadableItem): Promise<ItemOrder> {
    const { content, item, privileged, accessStatus } = readable;
    const source = {
      // The owner gets all of it; everybody else no e-mail address, and no hash of a file they may not read (R2g).
      metadata: withImprint(privileged ? content.metadata : publicMetadata(content.metadata)),
      files: listedFiles(readable).map(({ file, readable: may }) => ({
        file,
        url: addresses.filePage(item.id, file.name),
        hashed: may,
      })),
      landingPage: addresses.landingPage(item.id),
      ark: item.ark === null ? null : addresses.arkUrl(item.ark),
    };
    if (format === "jpcoar") return { format, ...source, accessRights: STATUS_RIGHTS[accessStatus] };
    return { format, ...source, pubdate: content.access.openDate, definition: await crateMapping() };
  }

  async function ofItem(format: ItemOrder["format"], readable: ReadableItem): Promise<string> {
    const order = await orderOf(format, readable);
    return await writeInBackground<ItemOrder>(order, order, writeHere, exporting);
  }

  async function written(
    viewer: Viewer,
    readable: ReadableItem,
    format: ExportFormatId,
    options: ExportOptions,
  ): Promise<WrittenExport> {
    if (isRecordFormat(format)) {
      return await writtenRecord(format, await records.ofReadable(readable), options, exporting);
    }
    if (format === "jpcoar" || format === "ro-crate") return { text: await ofItem(format, readable), leftOut: [] };
    return { text: await own[format](viewer, readable, options), leftOut: [] };
  }

  return {
    async write(viewer, readable, id, options) {
      const format = exportFormat(id);
      if (format === null) {
        const formats = EXPORT_FORMATS.map((each) => each.id).join(", ");
        throw new Refusal("not_found", `Format "${id.slice(0, 100)}" does not exist; there are ${formats}`);
      }
      const { item, draft, byParent } = readable;
      if (draft !== null) throw new Refusal("not_found", `Item ${item.id} was never published and cannot be exported`);
      return {
        format,
        ...(await written(viewer, readable, format.id, options)),
        contentType: format.contentType ?? format.mediaType,
        fileName: format.fileName(item.id),
        id: item.id,
        revision: item.revision,
        updatedAt: item.updatedAt,
        landingPage: addresses.landingPage(item.id),
        byParent,
      };
    },
  };
}
