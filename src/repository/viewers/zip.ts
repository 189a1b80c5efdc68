// A ZIP archive as a list of its entries, folder by folder (Q.104, Q.105), and one entry of it (Q.106). Of the archive
// the directory is read, or its beginning, and the bytes of the entry that is asked for.
import { isCrateName } from "../../formats/view/crate-tree.ts";
import {
  FOLDER_DEPTH,
  type Folder,
  fileTree,
  folderAt,
  type NamedFile,
  withUnseenShown,
} from "../../model/files/file-names.ts";
import { type ByteSource, joined } from "../../shared/bytes/byte-streams.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { type InParts, inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { totalAllowed, ZIP_LIMITS, ZipError } from "../../shared/zip/limits.ts";
import { type EntryFault, type ListedEntry, listEntries } from "../../shared/zip/listing.ts";
import type { DirectoryExtent } from "../../shared/zip/reading.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { findDirectory, readOneEntry } from "../deposit/zip-archive.ts";
import { type CrateContent, crateOf } from "./crate.ts";
import { type FileReader, NotShown, readBytes, type ViewedFile, type ViewRequest } from "./reading.ts";

/** A file in the archive. `number`: its place in the directory; null where it cannot be downloaded by itself. */
type ZipFile = {
  readonly number: number | null;
  readonly sizeBytes: number;
  readonly modified: string | null;
  readonly fault: EntryFault | "too-large" | null;
};

export type ZipListing = {
  /** Entries of the archive, as it states, and those that are listed. */
  readonly count: number;
  readonly listed: number;
  /** The directory is broken after the listed entries. */
  readonly isBroken: boolean;
  readonly folder: readonly string[];
  readonly folders: readonly Pick<Folder<unknown>, "name" | "path" | "count" | "sizeBytes">[];
  readonly files: readonly NamedFile<ZipFile>[];
  readonly page: number;
  readonly pages: number;
  /** The number of the metadata of an RO-Crate in it. */
  readonly crate: number | null;
};

export type ZipContent =
  | { readonly kind: "listing"; readonly listing: ZipListing }
  | { readonly kind: "crate"; readonly crate: CrateContent };

/** No size of a directory refuses an archive: its beginning is read. */
const ANY_DIRECTORY = { ...ZIP_LIMITS, entries: Number.MAX_SAFE_INTEGER, directoryBytes: Number.MAX_SAFE_INTEGER };
const ENTRIES_MOST = most("viewZipEntries");
const DIRECTORY_BYTES_MOST = most("viewZipDirectoryBytes");
/** Parsed without yielding. */
const AT_ONCE = 1_000;
const PAGE_ENTRIES = 200;
/** Characters of a name that are shown. */
const NAME_MOST = 255;
/** The part of the file that is its RO-Crate. */
export const CRATE_PART = "ro-crate:";

export async function viewZip(reader: FileReader, { part, page }: ViewRequest): Promise<ZipContent> {
  const source = sourceOf(reader);
  try {
    const { entries, extent } = await listedEntries(source);
    const crate = crateEntry(entries);
    if (part === CRATE_PART) return { kind: "crate", crate: await crateIn(reader, source, entries, crate) };
    const listing = await listingOf(entries, part === "" ? [] : part.split("/"), page);
    const isBroken = entries.length < Math.min(extent.entries, ENTRIES_MOST) && extent.bytes <= DIRECTORY_BYTES_MOST;
    return {
      kind: "listing",
      listing: { ...listing, count: extent.entries, listed: entries.length, isBroken, crate: crate?.number ?? null },
    };
  } catch (error) {
    if (error instanceof ZipError) throw new NotShown(error.kind === "encrypted" ? "encrypted" : "wrong-content");
    throw error;
  }
}

const sourceOf = ({ file, read }: Pick<FileReader, "file" | "read">): ByteSource => ({ size: file.sizeBytes, read });

async function listedEntries(
  source: ByteSource,
  count: number = ENTRIES_MOST,
): Promise<{ readonly entries: readonly ListedEntry[]; readonly extent: DirectoryExtent }> {
  const extent = await findDirectory(source, ANY_DIRECTORY);
  const bytes = await source.read(extent.offset, Math.min(extent.bytes, DIRECTORY_BYTES_MOST));
  const entries: ListedEntry[] = [];
  const wanted = Math.min(count, extent.entries);
  for (let from = 0; entries.length < wanted; ) {
    const some = Math.min(AT_ONCE, wanted - entries.length);
    const part = listEntries(bytes, { from, first: entries.length + 1, count: some }, extent.offset);
    entries.push(...part.entries);
    from = part.next;
    if (part.entries.length < some) break;
    await yieldToEventLoop();
  }
  return { entries, extent };
}

/** A name that leads elsewhere, or has an empty part, is not split: it is shown whole. */
function shownParts(path: string): readonly string[] {
  const parts = path.split("/");
  const isPath = parts.every((part) => part !== "" && part !== "." && part !== "..");
  return (isPath ? parts : [path]).map((part) => {
    const shown = withUnseenShown(part.slice(0, NAME_MOST));
    return part.length > NAME_MOST ? `${shown}…` : shown;
  });
}

function fileOf({ number, sizeBytes, modified, fault, entry }: ListedEntry): ZipFile {
  const isLarge = entry !== null && sizeBytes > allowedBytes(entry.compressedBytes);
  return {
    number: entry === null || isLarge ? null : number,
    sizeBytes,
    modified,
    fault: isLarge ? "too-large" : fault,
  };
}

/** What an entry of this size may inflate to. */
const allowedBytes = (compressedBytes: number): number =>
  Math.min(ZIP_LIMITS.entryBytes, totalAllowed(ZIP_LIMITS, compressedBytes));

type ListingPart = Pick<ZipListing, "folder" | "folders" | "files" | "page" | "pages">;

type PlacedEntry = ListedEntry & { readonly parts: readonly string[] };

/**
 * The files in a folder and below it, an entry at a time: a name may have thousands of parts. What is below its folders
 * is counted, so no more of these names is kept.
 */
function* placedIn(entries: readonly ListedEntry[], folder: readonly string[]): InParts<readonly PlacedEntry[]> {
  const most = folder.length < FOLDER_DEPTH ? folder.length + 2 : Number.POSITIVE_INFINITY;
  const placed: PlacedEntry[] = [];
  for (const entry of entries) {
    const parts = entry.isFolder ? [] : shownParts(entry.path);
    const isInside = parts.length > folder.length && folder.every((name, at) => parts[at] === name);
    if (isInside) placed.push({ ...entry, parts: parts.slice(0, most) });
    yield;
  }
  return placed;
}

async function listingOf(
  entries: readonly ListedEntry[],
  folder: readonly string[],
  page: number,
): Promise<ListingPart> {
  const files = await inTurns(placedIn(entries, folder));
  const at = folderAt(
    fileTree(files, ({ parts }) => parts),
    folder,
  );
  if (at === null) throw new Refusal("not_found", `There is no folder "${folder.join("/").slice(0, 200)}"`);
  const pages = Math.max(1, Math.ceil((at.folders.length + at.files.length) / PAGE_ENTRIES));
  if (page > pages) throw new Refusal("not_found", `There are ${pages} pages of entries, not ${page}`);
  const from = (page - 1) * PAGE_ENTRIES;
  const folders = at.folders.slice(from, from + PAGE_ENTRIES);
  const first = Math.max(0, from - at.folders.length);
  const shown = at.files.slice(first, first + PAGE_ENTRIES - folders.length);
  return { folder, folders, files: shown.map(({ name, file }) => ({ name, file: fileOf(file) })), page, pages };
}

/** The metadata of an RO-Crate at the top of the archive or in its one folder. */
const crateEntry = (entries: readonly ListedEntry[]): ListedEntry | null =>
  entries.find(({ path, entry }) => entry !== null && isCrateName(path) && path.split("/").length <= 2) ?? null;

async function crateIn(
  { unpacking }: FileReader,
  source: ByteSource,
  entries: readonly ListedEntry[],
  metadata: ListedEntry | null,
): Promise<CrateContent> {
  if (metadata === null) throw new Refusal("not_found", "The archive has no RO-Crate");
  if (metadata.sizeBytes > most("viewDataBytes")) throw new NotShown("too-large", most("viewDataBytes"));
  const bytes = await joined((await openEntry(source, unpacking, metadata)).pieces);
  const folder = metadata.path.slice(0, metadata.path.lastIndexOf("/") + 1);
  const links = new Map(
    entries
      .filter(({ entry, path }) => entry !== null && path.startsWith(folder))
      .map(({ path, number }) => [path.slice(folder.length), { entry: number }] as const),
  );
  return crateOf(bytes, links);
}

export type OpenedEntry = {
  /** As the archive has it. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Size and CRC-32 are verified at the end: the loop fails where they differ. */
  readonly pieces: AsyncIterable<Uint8Array>;
};

/** One entry by its place in the directory. @throws Refusal `not_found`, or `unprocessable` for one that cannot be read */
export const zipEntryOf =
  (storage: Pick<Storage, "read">, unpacking: Unpacking) =>
  async (file: ViewedFile, number: number): Promise<OpenedEntry> => {
    const read = (first: number, length: number) => readBytes(storage, file, first, length);
    const opened = await zipEntry({ size: file.sizeBytes, read }, unpacking, number);
    return { ...opened, pieces: readable(opened.pieces) };
  };

/** What is wrong with the bytes is a refusal too, where the answer has not begun. */
async function* readable(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw error instanceof ZipError ? unreadable(error.message) : error;
  }
}

async function zipEntry(source: ByteSource, unpacking: Unpacking, number: number): Promise<OpenedEntry> {
  try {
    const { entries } = number > ENTRIES_MOST ? { entries: [] } : await listedEntries(source, number);
    const listed = entries[number - 1];
    if (listed === undefined || listed.isFolder)
      throw new Refusal("not_found", `There is no file ${number} in the archive`);
    return await openEntry(source, unpacking, listed);
  } catch (error) {
    if (error instanceof ZipError) throw unreadable(error.message);
    throw error;
  }
}

const unreadable = (why: string): Refusal => new Refusal("unprocessable", `The entry cannot be read: ${why}`);

async function openEntry(source: ByteSource, unpacking: Unpacking, listed: ListedEntry): Promise<OpenedEntry> {
  const { entry, fault, number, path, sizeBytes } = listed;
  if (entry === null)
    throw new ZipError(`it is ${fault === "encrypted" ? "encrypted" : "packed or named in another way"}`);
  if (sizeBytes > allowedBytes(entry.compressedBytes)) throw new ZipError("it inflates to more than is allowed");
  return { path, sizeBytes, pieces: await readOneEntry(source, unpacking, entry, number - 1) };
}
