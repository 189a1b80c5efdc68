// Drafts made of documents in other formats (R38): read first, then written as any draft is.
import type { Viewer } from "../../auth/account.ts";
import { type ImportedRecord, type ImportFormat, readImport } from "../../formats/import/read.ts";
import type { ImportedWork } from "../../formats/import/works.ts";
import { writeCustomFields } from "../../formats/record/custom-fields.ts";
import { writeMetadataInParts } from "../../formats/record/record.ts";
import { NO_ENTRIES } from "../../formats/record/record-input.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { Refusal } from "../../shared/refusal.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { RecordView } from "./record-json.ts";
import type { RecordWriting } from "./record-writing.ts";

/** A document of more bytes takes tens of milliseconds to be read. */
const LONG_DOCUMENT = 64 * 1024;

type ImportResult = { readonly view: RecordView; readonly lost: readonly string[] };

export interface RecordImport {
  importWork(viewer: Viewer, work: ImportedWork | ImportedRecord): Promise<ImportResult>;
  importRecord(viewer: Viewer, format: ImportFormat, bytes: Uint8Array): Promise<ImportResult>;
}

export const recordImport = ({ create }: Pick<RecordWriting, "create">): RecordImport => {
  /** A draft of one work that was read. */
  async function importWork(viewer: Viewer, work: ImportedWork | ImportedRecord): Promise<ImportResult> {
    const { body, from } = await describedWork(work);
    return { view: await create(viewer, () => body, from), lost: work.lost };
  }

  /** A draft of the one work of a document. @throws Refusal invalid for what is none. */
  async function importRecord(viewer: Viewer, format: ImportFormat, bytes: Uint8Array): Promise<ImportResult> {
    const [work, ...others] = worksOf(format, bytes);
    if (work === undefined || others.length > 0) {
      throw new Refusal("invalid", `The document holds ${others.length + 1} works, one is imported at a time`);
    }
    // Reading it and making a draft of it are two pieces of work.
    if (bytes.length > LONG_DOCUMENT) await yieldToEventLoop();
    return await importWork(viewer, work);
  }

  return { importWork, importRecord };
};

/** The body of a draft of a work, and the metadata that it changes in part. */
export async function describedWork(
  work: ImportedWork | ImportedRecord,
): Promise<{ readonly body: object; readonly from?: Metadata }> {
  if ("body" in work) return { body: work.body };
  const { metadata } = work;
  const written = await inTurns(writeMetadataInParts(metadata, NO_ENTRIES));
  return { body: { metadata: written, custom_fields: writeCustomFields(metadata) }, from: metadata };
}

/** @throws Refusal `invalid` for what is not a document of this format */
export function worksOf(format: ImportFormat, bytes: Uint8Array): readonly (ImportedWork | ImportedRecord)[] {
  try {
    return readImport(format, bytes);
  } catch (error) {
    if (error instanceof DocumentError) throw new Refusal("invalid", error.message, { cause: error });
    throw error;
  }
}
