// The bytes of a file as a viewer reads them (R49, Q.81): parts of a known size, never more than the viewer's limit.
import { shownFileName } from "../../model/files/file-names.ts";
import { type ViewerKind, viewerBytes } from "../../model/files/viewers.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { joined } from "../../shared/bytes/byte-streams.ts";
import type { ZipLimits } from "../../shared/zip/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import { orStorageAway } from "../../storage/unavailable.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { openZip, type ZipArchive } from "../deposit/zip-archive.ts";

/**
 * Why nothing of a file is shown. `none`: no viewer suits it. `wrong-content`: it is not what its name or media type
 * states. `too-complex`: it has more, or nests deeper, than is read. `no-degrees`, `no-places`: of maps.
 */
export type NotShownReason =
  | "none"
  | "empty"
  | "too-large"
  | "too-complex"
  | "wrong-content"
  | "encrypted"
  | "unsupported"
  | "too-many-pixels"
  | "no-degrees"
  | "no-places";

/** Thrown by a viewer; the page states the reason and offers the download. `limit`: bytes, for `too-large`. */
export class NotShown extends Error {
  override readonly name = "NotShown";

  constructor(
    readonly reason: NotShownReason,
    readonly limit: number | null = null,
  ) {
    super(`The file is not shown: ${reason}`);
  }
}

/** What of a file is asked for. `as`: a viewer; `page` from 1; `part`: a sheet, a folder, an entry … of the file. */
export type ViewRequest = { readonly as: string; readonly page: number; readonly part: string };

export type ViewedFile = Pick<
  ItemFile,
  "name" | "mediaType" | "sizeBytes" | "storageKey" | "sha256" | "label" | "metadata"
>;
/** Another file of the same item that the reader may have. Paths below the repository's address; `view`: of its page. */
export type Sibling = { readonly file: ItemFile; readonly path: string; readonly view: string | null };

/** The words of a content, as they were read for the search. */
export type ExtractedText = (sha256: string, characters: number) => Promise<string>;

export type FileReader = {
  readonly file: ViewedFile;
  /** The first bytes of the file: all of a short one. */
  readonly head: Uint8Array;
  /** A part of the file; it must be inside of it. Shorter only where the file ends. */
  read(first: number, length: number): Promise<Uint8Array>;
  /** A part of another file of the item. */
  readOther(file: ViewedFile, first: number, length: number): Promise<Uint8Array>;
  /** The whole file. @throws NotShown `too-large` above the limit of the viewer */
  whole(kind: ViewerKind): Promise<Uint8Array>;
  /** The file as a ZIP archive, read by ranges. @throws ZipError */
  archive(limits: ZipLimits): Promise<ZipArchive>;
  readonly unpacking: Unpacking;
  /** The first characters of the words that were read for the search; "" where there are none. */
  words(characters: number): Promise<string>;
  /** Other files of the item. */
  siblings(): Promise<readonly Sibling[]>;
};

/** Bytes that every viewer sees: what they are is decided by them. */
const HEAD_BYTES = 64 * 1024;

/** @throws Refusal `unavailable` when the storage is away */
export async function fileReader(
  storage: Pick<Storage, "read">,
  file: ViewedFile,
  siblings: () => Promise<readonly Sibling[]>,
  unpacking: Unpacking,
  extracted: ExtractedText = async () => "",
): Promise<FileReader> {
  const read = (first: number, length: number) => readBytes(storage, file, first, length);
  return {
    file,
    head: await headOf(storage, file),
    read,
    readOther: (other, first, length) => readBytes(storage, other, first, length),
    async whole(kind) {
      const most = viewerBytes(kind);
      if (most !== null && file.sizeBytes > most) throw new NotShown("too-large", most);
      return await read(0, file.sizeBytes);
    },
    unpacking,
    archive: (limits) => openZip({ size: file.sizeBytes, read }, unpacking, limits),
    words: async (characters) => (file.sha256 === "" ? "" : await extracted(file.sha256, characters)),
    siblings,
  };
}

/** The first bytes of a file. */
export const headOf = (storage: Pick<Storage, "read">, file: ViewedFile): Promise<Uint8Array> =>
  readBytes(storage, file, 0, Math.min(file.sizeBytes, HEAD_BYTES));

/** A part of a file. @throws Refusal `unavailable` when the storage is away */
export async function readBytes(
  storage: Pick<Storage, "read">,
  { name, storageKey, sizeBytes }: ViewedFile,
  first: number,
  length: number,
): Promise<Uint8Array> {
  if (length <= 0) return new Uint8Array();
  const range = { first, last: Math.min(sizeBytes, first + length) - 1 };
  try {
    const found = await storage.read(storageKey, range);
    if (found !== null) return await joined(found.stream, length);
  } catch (error) {
    throw orStorageAway(error);
  }
  throw new Error(`The bytes of "${shownFileName(name)}" are not in the storage`);
}
