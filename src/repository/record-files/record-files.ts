// Files of records (R2b, R7, R37; specification 3, "Tool-server records and requests" and "States and transitions"):
// one set of functions behind the records interface and the tools.

import type { ItemFile } from "../../model/items/item.ts";
import type { ByteSource } from "../../shared/bytes/byte-streams.ts";
import type { Log } from "../../shared/log.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { type Archive, archiveOf } from "./archiving.ts";
import { choices, type FileChoices } from "./choices.ts";
import { type DraftOverview, draftOverview } from "./draft-overview.ts";
import { type FileListing, listing } from "./listing.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { partsView } from "./part-links.ts";
import { receiver } from "./receiving-slots.ts";
import { type RemovedFiles, removedFiles } from "./removed-files.ts";
import { type SignedParts, signedParts } from "./signed-parts.ts";
import { type ArchiveMember, type FileUnpacking, unpackingFiles } from "./unpacking-files.ts";
import { type FileUploads, uploading } from "./uploading.ts";
import { uploadsInParts } from "./uploads-in-parts.ts";
import { type WholeFiles, wholeFiles } from "./whole-files.ts";

export type RecordFiles = Omit<FileListing, "ofDraft" | "entryIn"> &
  FileUploads &
  SignedParts &
  WholeFiles &
  FileChoices &
  RemovedFiles &
  DraftOverview &
  FileUnpacking & {
    zipOf(files: readonly ItemFile[], signal?: AbortSignal): Promise<Archive>;
  };

type ServiceNeeds = {
  readonly log: Pick<Log, "warn">;
  readonly unpacking: Pick<Unpacking, "crc32">;
  /** The members of a ZIP. @throws ZipError */
  readonly openArchive: (source: ByteSource) => Promise<readonly ArchiveMember[]>;
};

export function recordFiles({ log, unpacking, openArchive, ...needs }: RecordFilesNeeds & ServiceNeeds): RecordFiles {
  const { store, storage, baseUrl, clock } = needs;
  const parts = partsView({ storage, baseUrl, now: () => clock.now() });
  const lists = listing(needs, parts);
  const { draftEntry, draftList, entry, list, content, draftContent, archive, draftArchive } = lists;
  const uploads = uploadsInParts({ store, storage, log });
  const received = receiver();
  return {
    draftEntry,
    draftList,
    entry,
    list,
    content,
    draftContent,
    archive,
    draftArchive,
    ...uploading(needs, lists, uploads, received),
    ...signedParts({ store, clock, baseUrl, partsComeHere: () => storage.direct === null }, parts),
    ...wholeFiles(needs, lists, uploads, received),
    ...choices(needs, lists),
    ...removedFiles(needs),
    ...draftOverview(needs, lists),
    ...unpackingFiles({ ...needs, openArchive }, lists, received),
    zipOf: (files, signal) => archiveOf({ storage, unpacking }, files, signal),
  };
}
