// A ZIP among the files of a draft becomes the files in it (R43), on request: their folders stay in their names. All of
// them, or none; the archive can be put back as any removed file.
import type { Viewer } from "../../auth/account.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { type ByteSource, joined } from "../../shared/bytes/byte-streams.ts";
import { object, refined, type Sent, withSentence, words } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { maybe } from "../../shared/objects.ts";
import { normalForm } from "../../shared/text/text.ts";
import { shown, ZIP_LIMITS, ZipError, type ZipLimits } from "../../shared/zip/limits.ts";
import { MD5_JOB } from "../items/storage-jobs.ts";
import { writeAs } from "../people/current-viewer.ts";
import { itemFileOf } from "./completing.ts";
import { type FileList, keyOf, keyProblem } from "./entries.ts";
import { ruleOfFile } from "./file-access.ts";
import { checkCount, type FileListing } from "./listing.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { draftSeenBy, fileOf, keepFiles, lockDraft, requireOpenFiles, requireUnheld } from "./open-draft.ts";
import type { Receiver } from "./receiving-slots.ts";
import { FILE_SENTENCES, fileExists, noSuchFile, refusedFile, tooLargeFile } from "./sentences.ts";
import { comparedKey, takenKeys } from "./taken-keys.ts";

/** One member of an archive; its bytes are verified while they are read. */
export type ArchiveMember = {
  readonly path: string;
  readonly isFolder: boolean;
  readonly sizeBytes: number;
  readonly pieces: () => AsyncIterable<Uint8Array>;
};

/** What an archive that is unpacked while somebody waits may be. */
export const UNPACKED_LIMITS: ZipLimits = {
  ...ZIP_LIMITS,
  entries: most("unpackedEntries"),
  entryBytes: most("unpackedBytes"),
  totalBytes: most("unpackedBytes"),
};

export interface FileUnpacking {
  unpack(viewer: Viewer, id: ItemId, body: Sent<string>): Promise<FileList>;
}

/** The key of the archive. */
export const UNPACKED_FILE = refined(
  object(
    { key: withSentence(words(most("fileKeyCharacters")), FILE_SENTENCES.text) },
    { others: "ignored", $id: "UnpackedFile" },
  ),
  ({ key }) => key,
);

type Member = { readonly key: string; readonly member: ArchiveMember };

export const unpackingFiles = (
  needs: RecordFilesNeeds & { readonly openArchive: (source: ByteSource) => Promise<readonly ArchiveMember[]> },
  lists: Pick<FileListing, "ofDraft">,
  received: Receiver,
): FileUnpacking => {
  const { store, storage, clock } = needs;

  async function keepMember(archive: ItemFile, { key, member }: Member): Promise<ItemFile> {
    const stored = await storage.put(member.pieces(), { sizeBytes: member.sizeBytes });
    return itemFileOf(
      { storageKey: stored.key, sha256: stored.sha256, md5: stored.md5 },
      { key, sizeBytes: stored.sizeBytes, metadata: null, ...maybe("rule", ruleOfFile(archive)) },
    );
  }

  return {
    async unpack(viewer, id, body) {
      const seen = await draftSeenBy(store, viewer, id);
      requireOpenFiles(seen);
      await requireUnheld(store, viewer, seen);
      const key = body();
      const archive = fileOf(seen.draft, key);
      if (archive === undefined) throw noSuchFile(id, key);
      const others = seen.draft.content.files.filter((file) => file !== archive);
      const rest = { ...seen.draft, content: { ...seen.draft.content, files: others } };
      const files = await received(() =>
        inArchiveWords(async () => {
          const members = membersOf(await needs.openArchive(sourceOf(needs.storage, archive)), needs.maxBytes);
          const pending = await store.draftFiles.draftFiles(id);
          checkCount(rest, pending, members.length);
          requireFree(takenKeys(rest, pending), members);
          const all: ItemFile[] = [];
          for (const member of members) all.push(await keepMember(archive, member));
          return all;
        }),
      );
      return await writeAs(needs, viewer, async (tx, now) => {
        const open = await lockDraft(tx, now, id);
        requireOpenFiles(open);
        const there = fileOf(open.draft, key);
        if (there?.storageKey !== archive.storageKey) throw noSuchFile(id, key);
        const staying = open.draft.content.files.filter((file) => file !== there);
        const draft = { ...open.draft, content: { ...open.draft.content, files: staying } };
        const pending = await tx.draftFiles.draftFiles(id);
        checkCount(draft, pending, files.length);
        requireFree(
          takenKeys(draft, pending),
          files.map(({ name }) => ({ key: keyOf(name) })),
        );
        const at = clock.now();
        const next = await keepFiles(tx, open, at, { files: [...staying, ...files] });
        for (const { md5, storageKey } of files) {
          if (md5 === null) await tx.jobs.enqueue({ kind: MD5_JOB, subject: storageKey }, at);
        }
        return await lists.ofDraft(tx, now, id, next);
      });
    },
  };
};

/** The files of an archive by their keys. @throws Refusal for the first that cannot be one */
function membersOf(all: readonly ArchiveMember[], maxBytes: number): readonly Member[] {
  const members = all
    .filter(({ isFolder }) => !isFolder)
    .map((member) => ({ key: normalForm(member.path, "NFC"), member }));
  if (members.length === 0) throw refusedFile("The archive has no files.");
  const keys = new Set<string>();
  for (const { key, member } of members) {
    const problem = keyProblem(key);
    if (problem !== null) throw refusedFile(`The archive cannot be unpacked: ${shown(key)}: ${problem}`);
    if (keys.has(comparedKey(key))) {
      throw refusedFile(`The archive cannot be unpacked: it has two files ${shown(key)}.`);
    }
    keys.add(comparedKey(key));
    if (member.sizeBytes > maxBytes) throw tooLargeFile();
  }
  return members;
}

function requireFree(taken: ReadonlySet<string>, files: readonly { readonly key: string }[]): void {
  for (const { key } of files) if (taken.has(comparedKey(key))) throw fileExists(key);
}

async function inArchiveWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    const refusal = refusedFile(`The archive cannot be unpacked: ${error.message}.`);
    refusal.cause = error;
    throw refusal;
  }
}

/** The bytes of a stored file, in any order. */
const sourceOf = (
  storage: Pick<RecordFilesNeeds["storage"], "read">,
  { storageKey, sizeBytes }: ItemFile,
): ByteSource => ({
  size: sizeBytes,
  async read(offset, length) {
    if (length === 0) return new Uint8Array(0);
    const read = await storage.read(storageKey, { first: offset, last: Math.min(offset + length, sizeBytes) - 1 });
    if (read === null) throw new RangeError(`The bytes of "${storageKey}" do not exist`);
    return await joined(read.stream);
  },
});
