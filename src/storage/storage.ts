// Where the bytes of files lie (R7, R7a, R7b, R7c), as small as the services need it: a folder of this machine or an
// S3-compatible store. test/contracts/storage-contract.ts is the suite every adapter passes.

import type { ByteRange } from "../shared/http/byte-range.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { PutLimits } from "./limits.ts";

/** What is known of bytes once they are stored. */
export type StoredObject = {
  /** Opaque; never made from a file's name. Made of `A-Za-z0-9` only, at most 100 characters. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower case hex. */
  readonly sha256: string;
  /** Lower case hex; null above `MD5_AT_ONCE_BYTES`: a job reckons it (R7b). */
  readonly md5: string | null;
};

/**
 * `sizeBytes`: bytes of another size are refused (kind `wrong_size`), and an S3 store gets parts to match. `maxBytes`:
 * more is refused (kind `too_large`).
 */
export type PutOptions = PutLimits;

/** An IncomingFile after `finish()`. */
export type FinishedUpload = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly md5: string | null;
};

/** `undo` takes the bytes away again when nobody else has put the same: for a deposit that fails after all. */
export type AdoptedObject = StoredObject & { readonly undo: () => Promise<void> };

export type StoredStat = { readonly sizeBytes: number; readonly modifiedAt: Instant };

/**
 * Bytes as they come. Nothing is opened before the first piece is asked for; leaving the loop early lets go of
 * everything.
 */
export type StoredBytes = {
  /** Of the whole object, also when a range was asked for. */
  readonly sizeBytes: number;
  readonly stream: AsyncIterable<Uint8Array>;
};

export interface Storage {
  /**
   * Keeps the bytes; they are durable once this resolves. When the stream fails, or differs from `options`, nothing is
   * kept.
   *
   * @throws StorageProblem
   */
  put(stream: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>;
  /**
   * Takes over a finished upload without its bytes being read again where that can be; they are durable once this
   * resolves, and the upload is gone.
   *
   * @throws StorageProblem
   */
  adopt(upload: FinishedUpload): Promise<AdoptedObject>;
  /**
   * Null when there are no such bytes. A range must lie inside of them (RangeError). `signal`: nobody waits for them
   * any more.
   */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<StoredBytes | null>;
  stat(key: string): Promise<StoredStat | null>;
  /** Everything under a name of our form that was last put before this moment, in no particular order. */
  keys(olderThan: Instant): AsyncIterable<{ readonly key: string; readonly modifiedAt: Instant }>;
  /**
   * Takes the bytes away. False when there were none, or when they were put (again) at or after `unlessPutSince`: what
   * a deposit put a moment ago is never taken away from under it.
   */
  remove(key: string, unlessPutSince?: Instant): Promise<boolean>;
  /** The content of the store's mark (R7c, src/repository/store/storage-marker.ts); null where it has none. */
  readMarker(): Promise<string | null>;
  /** Whole or not at all. */
  writeMarker(text: string): Promise<void>;
  /**
   * Whether the store gives now and, with `write`, whether it takes.
   *
   * @throws StorageProblem with the store's own reason; `unavailable` when it does not answer in time.
   */
  probe(options: ProbeOptions): Promise<void>;
  /** Files that clients upload in parts, in any order, each part as often as they like. */
  readonly multipart: MultipartStorage;
  /** What only some stores can: parts that never pass through us. Null for a local folder. */
  readonly direct: DirectStorage | null;
}

type ProbeOptions = { readonly write: boolean; readonly withinMs: number };

/** An upload in parts; its owner keeps all of this. */
export type MultipartUpload = {
  readonly key: string;
  readonly uploadId: string;
  readonly sizeBytes: number;
  readonly partBytes: number;
};

export type PartUrl = { readonly number: number; readonly url: string; readonly expiresAt: Instant };
export type UploadedPart = { readonly number: number; readonly sizeBytes: number; readonly etag: string };
type UnfinishedUpload = { readonly key: string; readonly uploadId: string; readonly startedAt: Instant };

export type Completion =
  /** `composite`: MD5 of the MD5s of the parts, in hex; null where the store tells no MD5 of its parts. */
  | { readonly completed: true; readonly sizeBytes: number; readonly composite: string | null }
  /**
   * Numbers of parts that were never uploaded, and of those with another size than they must have. The upload goes on.
   */
  | { readonly completed: false; readonly missing: readonly number[]; readonly wrongSize: readonly number[] }
  /** There is no such upload and no such object: it was ended, or never begun. */
  | { readonly completed: false; readonly gone: true };

/** Uploads in parts. The hashes of the whole are known only after it was read (R7b). */
export interface MultipartStorage {
  /**
   * Keeps a copy of what another storage of this kind has joined, under the key it has there. Null where nobody copies
   * into it.
   *
   * @throws StorageProblem; RangeError for a key that was not made by joining parts.
   */
  readonly putCopy: ((key: string, sizeBytes: number, stream: AsyncIterable<Uint8Array>) => Promise<void>) | null;
  /**
   * Every part but the last has `partBytes`. At most `CLIENT_PARTS_MAX` parts. Parts of other than 5 MiB to 5 GiB are a
   * RangeError.
   */
  startMultipart(sizeBytes: number, partBytes: number): Promise<MultipartUpload>;
  /**
   * Keeps a part that comes through this server, in place of one of this number that was there; durable once this
   * resolves. Null where parts go to the store itself (`DirectStorage`). `wrong_size` for a part of another size than
   * it must have.
   *
   * @throws StorageProblem; RangeError for a number that the upload does not have.
   */
  readonly putPart:
    | ((upload: MultipartUpload, number: number, stream: AsyncIterable<Uint8Array>) => Promise<UploadedPart>)
    | null;
  /** What is there so far, by number; null when there is no such upload. */
  listParts(upload: Pick<MultipartUpload, "key" | "uploadId">): Promise<readonly UploadedPart[] | null>;
  /** Joins the parts when all are there with the size they must have. Asked twice it gives the same answer. */
  completeMultipart(upload: MultipartUpload): Promise<Completion>;
  /** Ends an upload and drops its parts; nothing to do when there is none. */
  abortMultipart(upload: Pick<MultipartUpload, "key" | "uploadId">): Promise<void>;
  /** Uploads begun before this moment and neither completed nor aborted. */
  unfinished(olderThan: Instant): AsyncIterable<UnfinishedUpload>;
}

/** Presigned addresses: the bytes go between the client and the store. */
export interface DirectStorage extends MultipartStorage {
  /** Addresses for the parts of an upload under way, made again each time. */
  presignParts(upload: MultipartUpload): Promise<readonly PartUrl[]>;
  /** An address that returns the bytes to every holder of it, as an attachment where that is asked for. */
  presignGet(key: string, options: PresignGet): Promise<string>;
}

type PresignGet = {
  readonly expiresSeconds: number;
  readonly contentType?: string;
  readonly contentDisposition?: string;
};

/**
 * The work folder of one process: uploads in progress. What it leaves behind when it dies is dropped when another one
 * starts.
 */
export interface IncomingFiles {
  create(): Promise<IncomingFile>;
  /** Room on its disk, in bytes; null when the system does not report it. */
  freeBytes(): Promise<number | null>;
}

/** One upload, hashed while it is written. */
export interface IncomingFile {
  readonly path: string;
  /** Waits for the disk, so memory stays bounded. */
  write(chunk: Uint8Array): Promise<void>;
  /** Closes it; the file stays until `discard`. Not synced: only what `Storage.put` took is durable. */
  finish(): Promise<{ readonly sizeBytes: number; readonly sha256: string; readonly md5: string | null }>;
  /** The file is gone afterwards, written whole or not. May be called more than once. */
  discard(): Promise<void>;
}
