// A file becomes one of those of a draft (R2b, R7b, R37): from a transfer, or sent in one piece; a file with the same
// key is deleted in the same transaction. Bytes are durable in the storage before a row names them.

import type { Draft, ItemFile } from "../../model/items/item.ts";
import { mediaTypeOf } from "../../shared/http/media-types.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { MD5_JOB } from "../items/storage-jobs.ts";
import type { DraftFile, ReceivedBytes } from "../store/draft-files.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { completedEntry, type FileEntry, keyOf, nameOf } from "./entries.ts";
import { OPEN_FILE } from "./file-access.ts";
import { keepFiles, type OpenDraft, optionsOf } from "./open-draft.ts";

/** What is done besides: files are enabled where they are not, and what has the key gives way. */
export type CompletionOptions = { readonly enabling?: boolean; readonly replacing?: boolean };

/** Everything of a file but its bytes. */
type FileDescription = Pick<DraftFile, "key" | "sizeBytes" | "metadata" | "rule"> & { readonly composite?: string };

/** From here on a transferred file is one of the draft's files; a job computes its missing hashes (R7b). */
export async function completeIn(
  tx: RepositoryWriter,
  open: OpenDraft,
  pending: DraftFile & { readonly composite?: string },
  at: Instant,
): Promise<FileEntry> {
  const { received, createdAt } = pending;
  if (received === null) throw new RangeError(`"${pending.key}" has no bytes to be committed`);
  await tx.draftFiles.removeDraftFile(pending.id);
  return await standIn(tx, open, itemFileOf(received, pending), { created: createdAt, updated: at });
}

/** @param open without what had the key before. */
export async function standIn(
  tx: RepositoryWriter,
  open: OpenDraft,
  file: ItemFile,
  at: { readonly created: Instant; readonly updated: Instant },
): Promise<FileEntry> {
  await keepFiles(tx, open, at.updated, { files: [...open.draft.content.files, file] });
  if (file.md5 === null) await tx.jobs.enqueue({ kind: MD5_JOB, subject: file.storageKey }, at.updated);
  return completedEntry(file, at);
}

export function itemFileOf(
  { storageKey, sha256, md5 }: ReceivedBytes,
  { key, sizeBytes, metadata, rule = OPEN_FILE, composite }: FileDescription,
): ItemFile {
  return {
    storageKey,
    sha256,
    md5,
    name: nameOf(key),
    sizeBytes: sizeBytes ?? 0,
    mediaType: mediaTypeOf(key),
    ...rule,
    ...(metadata === null ? {} : { metadata }),
    ...(composite === undefined ? {} : { composite }),
  };
}

/**
 * The draft without the files of these keys, where they may be replaced, and with its files enabled, where requested.
 * The caller writes it with the new files.
 */
export function roomIn(draft: Draft, keys: ReadonlySet<string>, { enabling, replacing }: CompletionOptions): Draft {
  const { content } = draft;
  const files = replacing === true ? content.files.filter(({ name }) => !keys.has(keyOf(name))) : content.files;
  const options = enabling === true && content.filesEnabled === false ? { filesEnabled: true } : {};
  return { ...draft, content: { ...content, ...options, files } };
}

/** The same, written: nothing is, where it is as it was. */
export async function makeRoomIn(
  tx: RepositoryWriter,
  open: OpenDraft,
  keys: ReadonlySet<string>,
  making: CompletionOptions,
  at: Instant,
): Promise<OpenDraft> {
  const { content: before } = open.draft;
  const { content } = roomIn(open.draft, keys, making);
  if (content.files.length === before.files.length && content.filesEnabled === before.filesEnabled) return open;
  return { ...open, draft: await keepFiles(tx, open, at, { files: content.files, options: optionsOf(content) }) };
}
