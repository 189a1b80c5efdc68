// The section `files` of a record (R37; reference 2.4): whether it has files, which is shown first, in which order. The
// files themselves have a separate interface.

import { Type } from "@sinclair/typebox";
import { line, listed, NO_ENTRIES, type RecordInput, recordInput } from "../../formats/record/record-input.ts";
import { type FieldError, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { FileOptions, ItemContent, ItemFile } from "../../model/items/item.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, optional, orNull, withSentence } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isJsonArray, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { isObject, maybe, withoutUndefined } from "../../shared/objects.ts";
import { keyOf } from "../record-files/entries.ts";
import { FILE_SENTENCES } from "../record-files/sentences.ts";
import type { RepositoryReader } from "../store/store.ts";
import { areFilesEnabled } from "./record-json.ts";

type SectionResult = { readonly options: FileOptions; readonly errors: readonly FieldError[] };
type PresentFiles = FileOptions & Pick<ItemContent, "files">;

/** `locked`: the files are those of the published version. `pending`: the number of pending files. */
export type HeldFiles = { readonly locked: boolean; readonly pending: number };
export const NO_FILES: HeldFiles = { locked: false, pending: 0 };

/** What a record has that was given none: files are expected (specification of existing repositories). */
export const FILES_EXPECTED: FileOptions = { filesEnabled: true };

/**
 * Applies the section that was sent to the present options; a faulty member keeps its present value and is reported.
 */
export function readFileOptions(
  sent: unknown,
  enabled: boolean | undefined,
  before: PresentFiles,
  held: HeldFiles,
): SectionResult {
  const { filesEnabled, defaultPreview, fileOrder } = before;
  const kept = withoutUndefined({ filesEnabled, defaultPreview, fileOrder });
  // The reader of the body reports a section of another shape.
  if (!isObject(sent)) return { options: kept, errors: [] };
  const to = recordInput(NO_ENTRIES);
  const file = fileIn(before.files);
  // Bodies of this interface are JSON.
  const { default_preview: preview, order } = sent as JsonObject;
  // What was never chosen is shown as nothing, and stays so when it is sent back (R37: saving nothing new makes no
  // revision).
  const isNoPreview = (preview === null || preview === "") && defaultPreview === undefined;
  const isNoOrder = isJsonArray(order) && order.length === 0 && fileOrder === undefined;
  return {
    options: {
      ...kept,
      ...maybe("filesEnabled", readEnabled(enabled, before, held, to)),
      ...(isNoPreview ? {} : maybe("defaultPreview", to.read(previewOf(file), preview, "files.default_preview"))),
      ...(isNoOrder ? {} : maybe("fileOrder", to.read(orderOf(file), order, "files.order"))),
    },
    errors: to.faults(),
  };
}

function readEnabled(
  sent: boolean | undefined,
  before: PresentFiles,
  { locked, pending }: HeldFiles,
  to: RecordInput,
): boolean | undefined {
  if (sent === undefined || sent === areFilesEnabled(before)) return undefined;
  const isStill = !sent && before.files.length + pending > 0;
  if (!locked && !isStill) return sent;
  const sentence = locked ? "Files of a published record change with a new version only." : FILE_SENTENCES.stillThere;
  to.fault("files.enabled", sentence);
  return undefined;
}

/** The key of one of these files, read as the name that the record has for it. */
function fileIn(files: readonly ItemFile[]): Field<string> {
  const known = new Map(files.map(({ name }) => [keyOf(name), name]));
  return {
    schema: Type.String(),
    read(key, path) {
      if (typeof key !== "string") throw faultSentence(path, FILE_SENTENCES.text);
      const name = known.get(key);
      if (name === undefined) throw faultSentence(path, `File '${key.slice(0, 100)}' does not exist.`);
      return name;
    },
  };
}

const previewOf = (file: Field<string>): Field<string> =>
  optional({
    schema: orNull(file).schema,
    read: (key, path) => (key === null || key === "" ? "" : file.read(key, path)),
  });

const KEYS = withSentence(listed(line(), most("files")), "Not a valid list.");

const orderOf = (file: Field<string>): Field<readonly string[]> =>
  optional({
    schema: KEYS.schema,
    read: (keys, path) => [...new Set(KEYS.read(keys, path).map((key) => file.read(key, path)))],
  });

/** Reasons not to publish a draft: its files are missing or pending. */
export async function fileFaults(
  reader: Pick<RepositoryReader, "draftFiles">,
  id: ItemId,
  content: ItemContent,
): Promise<readonly FieldError[]> {
  if (!areFilesEnabled(content)) return [];
  if ((await reader.draftFiles.draftFiles(id)).length > 0) {
    return [{ field: "files", messages: [RECORD_SENTENCES.filesPending] }];
  }
  return content.files.length > 0 ? [] : [{ field: "files.enabled", messages: [RECORD_SENTENCES.filesMissing] }];
}
