// What is chosen about the files of a draft (R2b, R37; reference 1.2): whether it has any, which is shown first, in
// which order; and that it takes those of the version before, whose bytes are shared.
import type { Viewer } from "../../auth/account.ts";
import { type FieldError, invalidRecord } from "../../model/input/record-refusals.ts";
import type { FileOptions, ItemContent, ItemFile } from "../../model/items/item.ts";
import {
  boolean,
  object,
  optional,
  orNull,
  refined,
  type Sent,
  sequenceOf,
  type ValueOf,
  withSentence,
  words,
} from "../../shared/fields.ts";
import type { ItemId, ParentId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type FileList, keyOf } from "./entries.ts";
import { type FileListing, isEnabled } from "./listing.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { keepFiles, lockDraft, optionsOf, requireOpenFiles } from "./open-draft.ts";
import { FILE_SENTENCES, refusedImport } from "./sentences.ts";

const previewOf = orNull(withSentence(words(most("fileKeyCharacters")), FILE_SENTENCES.text));
const orderOf = orNull(withSentence(sequenceOf(words(most("fileKeyCharacters")), most("files")), "Not a valid list."));

/** Absent members stay as they are; null: none. */
export const CHOICE = object(
  {
    enabled: optional(withSentence(boolean(), FILE_SENTENCES.truth)),
    default_preview: optional(refined(previewOf, (key) => (key === "" ? null : key))),
    order: optional(orderOf),
  },
  { others: "ignored", $id: "FileChoice" },
);
type Choice = ValueOf<typeof CHOICE>;

export interface FileChoices {
  /** Also in the edit of a published record: the file that is shown first, and the order. */
  choose(viewer: Viewer, id: ItemId, body: Sent<Choice>): Promise<FileList>;
  /** @throws Refusal with the reason why nothing is imported. */
  importPrevious(viewer: Viewer, id: ItemId): Promise<FileList>;
}

export const choices = (needs: RecordFilesNeeds, lists: FileListing): FileChoices => ({
  async choose(viewer, id, body) {
    return await writeAs(needs, viewer, async (tx, now) => {
      const open = await lockDraft(tx, now, id);
      const choice = body();
      const { content } = open.draft;
      const pending = (await tx.draftFiles.draftFiles(id)).length;
      if (choice.enabled !== undefined && choice.enabled !== isEnabled(content, pending)) requireOpenFiles(open);
      const options = chosen(id, content, choice, pending);
      const draft = await keepFiles(tx, open, needs.clock.now(), { options });
      return await lists.ofDraft(tx, now, id, draft);
    });
  },
  importPrevious(viewer, id) {
    return writeAs(needs, viewer, async (tx, now) => {
      const open = await lockDraft(tx, now, id);
      requireOpenFiles(open);
      const { content } = open.draft;
      const pending = await tx.draftFiles.draftFiles(id);
      if (content.files.length + pending.length > 0) throw refusedImport(FILE_SENTENCES.removeFirst);
      if (content.filesEnabled === false) throw refusedImport(FILE_SENTENCES.notEnabled);
      const before = await previousContent(tx, open.item);
      if (before === null || before.files.length === 0) throw refusedImport(FILE_SENTENCES.noFiles);
      const { files } = before;
      const options = { ...optionsOf(before), filesEnabled: true };
      const draft = await keepFiles(tx, open, needs.clock.now(), { files, options });
      return await lists.ofDraft(tx, now, id, draft);
    });
  },
});

/** The content of the version before, however it was published. */
async function previousContent(
  tx: RepositoryWriter,
  { parentId, versionIndex }: { readonly parentId: ParentId; readonly versionIndex: number },
): Promise<ItemContent | null> {
  const earlier = (await tx.items.versionLines(parentId)).filter(
    (version) => version.state === "published" && version.versionIndex < versionIndex,
  );
  const last = earlier.at(-1);
  return last === undefined ? null : ((await tx.items.item(last.id))?.content ?? null);
}

/** @throws Refusal naming the field whose key does not name a file, or stating that the files must be deleted first */
function chosen(id: ItemId, content: ItemContent, choice: Choice, pending: number): FileOptions {
  const errors: FieldError[] = [];
  const names = new Map(content.files.map(({ name }: ItemFile) => [keyOf(name), name]));
  const nameOf = (field: string, key: string): readonly string[] => {
    const name = names.get(key);
    if (name === undefined) errors.push({ field, messages: [`Record '${id}' has no file '${key.slice(0, 200)}'.`] });
    return name === undefined ? [] : [name];
  };
  const { enabled, default_preview: preview, order } = choice;
  if (enabled === false && names.size + pending > 0) {
    errors.push({ field: "files.enabled", messages: [FILE_SENTENCES.stillThere] });
  }
  const before = optionsOf(content);
  const [first] = typeof preview === "string" ? nameOf("default_preview", preview) : [before.defaultPreview];
  const placed =
    order === undefined ? before.fileOrder : [...new Set((order ?? []).flatMap((key) => nameOf("order", key)))];
  if (errors.length > 0) throw invalidRecord(errors.slice(0, 100));
  return {
    ...(enabled === undefined ? before : { filesEnabled: enabled }),
    ...(preview === null || first === undefined ? { defaultPreview: "" } : { defaultPreview: first }),
    fileOrder: placed ?? [],
  };
}
