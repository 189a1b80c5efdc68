// The section `files` of a record (R37; reference 2.4): whether it has files, which is shown first, in which order. The
// files themselves have a separate interface.

import { type FieldError, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { FileOptions, ItemContent } from "../../model/items/item.ts";
import { isObject, memberOf, withoutUndefined } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
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
  const kept: FileOptions = {
    ...(filesEnabled === undefined ? {} : { filesEnabled }),
    ...(defaultPreview === undefined ? {} : { defaultPreview }),
    ...(fileOrder === undefined ? {} : { fileOrder }),
  };
  // The reader of the body reports a section of another shape.
  if (!isObject(sent)) return { options: kept, errors: [] };
  const errors: FieldError[] = [];
  const known = new Map(before.files.map(({ name }) => [keyOf(name), name]));
  return {
    options: withoutUndefined({
      ...kept,
      ...readEnabled(enabled, before, held, errors),
      ...readPreview(memberOf(sent, "default_preview"), kept, known, errors),
      ...readOrder(memberOf(sent, "order"), kept, known, errors),
    }),
    errors,
  };
}

function readEnabled(
  sent: boolean | undefined,
  before: PresentFiles,
  { locked, pending }: HeldFiles,
  errors: FieldError[],
): FileOptions {
  const wrong = (message: string): FileOptions => {
    errors.push({ field: "files.enabled", messages: [message] });
    return {};
  };
  if (sent === undefined || sent === areFilesEnabled(before)) return {};
  if (locked) return wrong("Files of a published record change with a new version only.");
  if (!sent && before.files.length + pending > 0) return wrong(FILE_SENTENCES.stillThere);
  return { filesEnabled: sent };
}

/**
 * What was never chosen is shown as nothing, and stays so when it is sent back (R37: saving nothing new makes no
 * revision).
 */
function readPreview(sent: unknown, kept: FileOptions, known: ReadonlyMap<string, string>, errors: FieldError[]) {
  if (sent === undefined) return {};
  if ((sent === null || sent === "") && kept.defaultPreview === undefined) return {};
  if (sent === null || sent === "") return { defaultPreview: "" };
  const name = typeof sent === "string" ? known.get(sent) : undefined;
  if (name !== undefined) return { defaultPreview: name };
  errors.push({ field: "files.default_preview", messages: [noFile(sent)] });
  return {};
}

function readOrder(sent: unknown, kept: FileOptions, known: ReadonlyMap<string, string>, errors: FieldError[]) {
  if (sent === undefined) return {};
  if (Array.isArray(sent) && sent.length === 0 && kept.fileOrder === undefined) return {};
  if (!Array.isArray(sent)) {
    errors.push({ field: "files.order", messages: ["Not a valid list."] });
    return {};
  }
  const names = new Set<string>();
  for (const each of sent) {
    const name = typeof each === "string" ? known.get(each) : undefined;
    if (name !== undefined) names.add(name);
    else errors.push({ field: "files.order", messages: [noFile(each)] });
    if (errors.length > 0) return {};
  }
  return { fileOrder: [...names] };
}

const noFile = (key: unknown): string =>
  typeof key === "string" ? `File '${key.slice(0, 100)}' does not exist.` : "Not a valid string.";

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
