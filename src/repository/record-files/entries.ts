// Files of a record as its interface lists them (R37; reference 1.2): completed and pending ones. Pure.
import { type Static, Type } from "@sinclair/typebox";
import { writtenName } from "../../model/files/file-names.ts";
import type { FileOptions, ItemFile } from "../../model/items/item.ts";
import { sha256Hex, uuidOf } from "../../shared/hash/digests.ts";
import { mediaTypeOf } from "../../shared/http/media-types.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import { most } from "../../shared/limits.ts";
import { MomentShape, manyOf, membersOf, UuidShape, wordOf } from "../../shared/shapes.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { flattenName } from "../items/content.ts";
import type { DraftFile, FileTransfer } from "../store/draft-files.ts";
import { FileAccessShape, type FileRule, fileAccessJson, OPEN_FILE } from "./file-access.ts";

/** One part of an upload: where it is sent, and until when. */
export type PartLink = { readonly part: number; readonly url: string; readonly expiration: Instant };

export type FileEntry = {
  readonly key: string;
  readonly status: "pending" | "completed" | "failed";
  readonly transfer: FileTransfer;
  readonly error: string | null;
  readonly sizeBytes: number | null;
  /** `md5:…`, or what is known before the MD5 is. */
  readonly checksum: string | null;
  readonly mediaType: string;
  readonly metadata: { readonly [member: string]: Json } | null;
  readonly rule: FileRule;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Null while nothing came. */
  readonly storageKey: string | null;
  /** Numbers of parts that are there, where that was asked for. */
  readonly uploaded?: readonly number[];
  readonly partLinks?: readonly PartLink[];
};

export type FileList = {
  readonly record: ItemId;
  readonly isDraft: boolean;
  readonly enabled: boolean;
  readonly options: FileOptions;
  /** There are files that this reader may not have. */
  readonly restricted: boolean;
  /** By key. */
  readonly entries: readonly FileEntry[];
};

/** `at`: when the files of the record were changed last. */
export function completedEntry(
  file: ItemFile,
  at: { readonly created: Instant; readonly updated: Instant },
): FileEntry {
  return {
    key: keyOf(file.name),
    status: "completed",
    transfer: { type: "L" },
    error: null,
    sizeBytes: file.sizeBytes,
    checksum: checksumOf(file),
    mediaType: file.mediaType,
    metadata: file.metadata ?? null,
    rule: file,
    createdAt: at.created,
    updatedAt: at.updated,
    storageKey: file.storageKey,
  };
}

/** MD5 where it is known (R7b). */
function checksumOf({ md5, composite, sha256 }: ItemFile): string {
  if (md5 !== null) return `md5:${md5}`;
  return composite ?? `sha256:${sha256}`;
}

export function pendingEntry(file: DraftFile): FileEntry {
  const isReceived = file.transfer.type === "L" && file.received !== null;
  return {
    key: file.key,
    status: file.error === null ? "pending" : "failed",
    transfer: file.transfer,
    error: file.error,
    sizeBytes: file.sizeBytes,
    checksum: null,
    mediaType: mediaTypeOf(file.key),
    metadata: file.metadata,
    rule: file.rule ?? OPEN_FILE,
    createdAt: file.createdAt,
    updatedAt: file.updatedAt,
    storageKey: isReceived ? (file.received?.storageKey ?? null) : null,
  };
}

export const byKey = (entries: readonly FileEntry[]): readonly FileEntry[] =>
  entries.toSorted(({ key: one }, { key: other }) => (one < other ? -1 : one > other ? 1 : 0));

type LinkNeeds = { readonly baseUrl: string };

/** A file of a record or of its draft, as every answer has it. */
export const RecordFileShape = Type.Object(
  {
    key: Type.String({ description: "A path; in addresses its slashes are percent-encoded" }),
    created: MomentShape,
    updated: MomentShape,
    status: wordOf(["pending", "completed", "failed"]),
    metadata: Type.Union([membersOf(Type.Unsafe<Json>(Type.Unknown())), Type.Null()]),
    mimetype: Type.String(),
    size: Type.Optional(Type.Integer({ description: "Bytes" })),
    checksum: Type.Optional(
      Type.String({ description: "`md5:…`; until a job has computed it `multipart:…` or `sha256:…`" }),
    ),
    file_id: Type.Optional(UuidShape),
    version_id: Type.Optional(UuidShape),
    bucket_id: Type.Optional(UuidShape),
    storage_class: wordOf(["L"]),
    access: FileAccessShape,
    ext: Type.Optional(Type.String({ description: "The end of the name; in records only" })),
    transfer: Type.Object({
      type: Type.Unsafe<FileTransfer["type"]>({
        ...wordOf(["L", "M", "F"]),
        description: "L: one body; M: in parts; F: fetched from an address",
      }),
      parts: Type.Optional(Type.Integer()),
      part_size: Type.Optional(Type.Integer({ description: "Bytes of every part but the last" })),
      fingerprint: Type.Optional(Type.String({ description: "As it was registered" })),
      uploaded_parts: Type.Optional(manyOf(Type.Integer({ description: "Number of a part that has arrived" }))),
      error: Type.Optional(Type.String({ description: "Why it failed" })),
    }),
    links: Type.Object({
      self: Type.String(),
      content: Type.Optional(Type.String()),
      commit: Type.Optional(Type.String()),
      parts: Type.Optional(
        manyOf(
          Type.Object(
            { part: Type.Integer(), url: Type.String(), expiration: MomentShape },
            { $id: "PartLink", description: "Where a part is sent, and until when" },
          ),
        ),
      ),
    }),
  },
  { $id: "RecordFile" },
);

export const RecordFileListShape = Type.Object(
  {
    enabled: Type.Boolean(),
    access: Type.Optional(
      Type.Unsafe<"restricted">({
        ...wordOf(["restricted"]),
        description: "There are files that the caller may not have",
      }),
    ),
    links: Type.Object({ self: Type.String(), archive: Type.String() }),
    entries: manyOf(RecordFileShape),
    default_preview: Type.Union([Type.String(), Type.Null()]),
    order: manyOf(Type.String()),
  },
  { $id: "RecordFileList" },
);

/** Where the files of a record are found. */
function filesPath(record: ItemId, isDraft: boolean): string {
  return `/api/records/${record}${isDraft ? "/draft" : ""}/files`;
}

export const entryPath = (record: ItemId, isDraft: boolean, key: string): string =>
  `${filesPath(record, isDraft)}/${encodeURIComponent(key)}`;

export function fileListJson(
  { record, isDraft, enabled, options, restricted, entries }: FileList,
  needs: LinkNeeds,
): Static<typeof RecordFileListShape> {
  const self = needs.baseUrl + filesPath(record, isDraft);
  const { defaultPreview = null, fileOrder = [] } = options;
  return {
    enabled,
    ...(restricted ? { access: "restricted" } : {}),
    links: { self, archive: `${self}-archive` },
    entries: entries.map((entry) => fileEntryJson(entry, { record, isDraft }, needs)),
    default_preview: defaultPreview === null ? null : keyOf(defaultPreview),
    order: fileOrder.map(keyOf),
  };
}

/** A name that the same file has for ever and that tells nothing else of it. */
const uuidFrom = (text: string): string =>
  uuidOf(Uint8Array.from(sha256Hex(text).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

export function fileEntryJson(
  entry: FileEntry,
  { record, isDraft }: Pick<FileList, "record" | "isDraft">,
  { baseUrl }: LinkNeeds,
): Static<typeof RecordFileShape> {
  const { key, sizeBytes, checksum, storageKey, status, metadata, uploaded, partLinks, transfer } = entry;
  const self = baseUrl + entryPath(record, isDraft, key);
  const isInParts = transfer.type === "M";
  return {
    key,
    created: entry.createdAt,
    updated: entry.updatedAt,
    status,
    metadata,
    mimetype: entry.mediaType,
    ...(sizeBytes === null ? {} : { size: sizeBytes }),
    ...(checksum === null ? {} : { checksum }),
    ...(storageKey === null
      ? {}
      : {
          file_id: uuidFrom(`file ${storageKey}`),
          version_id: uuidFrom(`version ${record} ${key} ${storageKey}`),
          bucket_id: uuidFrom(`bucket ${record}`),
        }),
    storage_class: "L",
    access: fileAccessJson(entry.rule, isDraft),
    transfer: {
      type: transfer.type,
      ...(isInParts ? { parts: transfer.parts, part_size: transfer.partBytes } : {}),
      ...(isInParts && transfer.fingerprint !== undefined ? { fingerprint: transfer.fingerprint } : {}),
      ...(uploaded === undefined ? {} : { uploaded_parts: uploaded }),
      ...(entry.error === null ? {} : { error: entry.error }),
    },
    links: {
      self,
      ...(isInParts ? {} : { content: `${self}/content` }),
      ...(isDraft ? { commit: `${self}/commit` } : {}),
      ...(partLinks === undefined ? {} : { parts: partLinks }),
    },
  };
}

// Keys of files at the interface of records (R37; reference 2.4): a path as people write it. An item keeps a path with
// folders as deposits flatten it (R13a), so that every interface has the same name for a file.

const KEY_MAX = most("fileKeyCharacters");
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/** They make a name look like another one. */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** The key of a file that an item keeps under this name. */
export const keyOf = (name: string): string => writtenName(name);

/** The name an item keeps a new file under. */
export const nameOf = (key: string): string => flattenName(key);

/** The names under which an item may keep the file of a key. */
export const namesOf = (key: string): readonly string[] => [...new Set([flattenName(key), key])];

/** What is wrong with the key of a new file; null where nothing is. */
export function keyProblem(key: string): string | null {
  if (key === "") return "A file needs a key.";
  if (key.length > KEY_MAX || nameOf(key).length > KEY_MAX) return `Longer than maximum length ${KEY_MAX}.`;
  if (!key.isWellFormed() || CONTROL.test(key)) return "A key has no control characters.";
  if (BIDI.test(key)) return "A key has no characters that reverse the text next to them.";
  if (key.split("/").some((part) => part === "" || part === "." || part === "..")) {
    return 'No part of a key is empty, "." or "..".';
  }
  // It would be read as another path.
  return keyOf(nameOf(key)) === key ? null : "A key is not a percent-encoded path.";
}
