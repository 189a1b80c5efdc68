// The bytes of files in a store of the S3 kind (port Storage; R7, R7a, R7c): random keys, because presigned parts never
// pass through us.
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { unlink } from "node:fs/promises";
import { MARKER_MAX_BYTES, MARKER_NAME } from "../repository/store/storage-marker.ts";
import { type ByteRange, checkInside } from "../shared/http/byte-range.ts";
import {
  checkEnded,
  checkGrowing,
  isOwnName,
  isStorageKey,
  PART_MIN_BYTES,
  PARTS_MAX,
  StorageProblem,
} from "../storage/limits.ts";
import type {
  AdoptedObject,
  FinishedUpload,
  PutOptions,
  Storage,
  StoredBytes,
  StoredObject,
} from "../storage/storage.ts";
import { elementsOf, NO_BUCKET, refusal, type S3ClientNeeds, s3Client, textOf } from "./s3/client.ts";
import { directUploads } from "./s3/direct.ts";
import { readPieces } from "./s3/object-stream.ts";
import { type Bucket, createUpload, headOf, joinParts, listAll, listOne, putText, sendPart } from "./s3/operations.ts";
import { writeHashes } from "./unpacking.ts";

export type S3StorageNeeds = S3ClientNeeds & {
  /** The prefix of every key, without slashes at its ends; empty for none. */
  readonly prefix: string;
  /** How much is sent at once; for tests. */
  readonly partBytes?: number;
};

/** Parts of a put: this much is held in memory. */
const PART_BYTES = PART_MIN_BYTES;
const FIRST_BUFFER_BYTES = 64 * 1024;
const KEY_BYTES = 20;
/** Rewritten by each probe that writes. */
const PROBE_NAME = "arkstone-probe.json";

/** @throws TypeError for an endpoint that is not a bare http(s) address. */
export function openS3Storage(needs: S3StorageNeeds): Storage {
  const bucket: Bucket = { client: s3Client(needs), prefix: needs.prefix === "" ? "" : `${needs.prefix}/` };
  const newKey = (): string => randomBytes(KEY_BYTES).toString("hex");
  const direct = directUploads(bucket, newKey);
  return {
    put: (stream, options = {}) => putInto(bucket, newKey(), stream, options, needs.partBytes ?? PART_BYTES),
    adopt: (upload) => adoptInto(bucket, newKey(), upload, needs.partBytes ?? PART_BYTES),
    read: (key, range, signal) => readFrom(bucket, key, range, signal),
    stat: (key) => statOf(bucket, key),
    keys: (olderThan) => keysIn(bucket, olderThan),
    remove: (key, unlessPutSince) => removeFrom(bucket, key, unlessPutSince),
    readMarker: () => markerOf(bucket),
    writeMarker: (text) => putText(bucket, bucket.prefix + MARKER_NAME, text),
    async probe({ write, withinMs }) {
      const untilMs = performance.now() + withinMs;
      await listOne(bucket, withinMs);
      const leftMs = Math.max(1, untilMs - performance.now());
      if (write) await putText(bucket, bucket.prefix + PROBE_NAME, "{}\n", leftMs);
    },
    multipart: direct,
    direct,
  };
}

/** The bytes are sent from the work folder; the key is this object's alone, so taking it away again hurts nobody. */
async function adoptInto(
  bucket: Bucket,
  key: string,
  upload: FinishedUpload,
  partBytes: number,
): Promise<AdoptedObject> {
  const { path, sizeBytes } = upload;
  try {
    const stored = await putInto(bucket, key, createReadStream(path), { sizeBytes }, partBytes);
    if (stored.sha256 !== upload.sha256) {
      throw new StorageProblem(
        "wrong_size",
        "Cannot keep an upload: its bytes changed on the disk after they were checked",
      );
    }
    return { ...stored, undo: async () => void (await removeFrom(bucket, key, undefined)) };
  } finally {
    await unlink(path).catch(() => {});
  }
}

async function statOf({ client, prefix }: Bucket, key: string, signal?: AbortSignal) {
  if (!isStorageKey(key)) return null;
  const answer = await headOf(client, prefix + key, signal);
  if (answer === null) return null;
  const modifiedMs = Date.parse(answer.headers.get("last-modified") ?? "");
  const length = answer.headers.get("content-length");
  if (length === null || Number.isNaN(modifiedMs)) {
    throw new StorageProblem("refused", `Cannot HEAD "${prefix}${key}": the store tells no length or no time`);
  }
  const etag = answer.headers.get("etag");
  return { sizeBytes: Number(length), modifiedAt: new Date(modifiedMs).toISOString(), etag };
}

/** @throws StorageProblem */
async function markerOf({ client, prefix }: Bucket): Promise<string | null> {
  const request = { method: "GET", object: prefix + MARKER_NAME } as const;
  const answer = await client.ask(request);
  if (answer.status === 404 && textOf(answer.text, "Code") !== NO_BUCKET) return null;
  if (answer.status !== 200) throw refusal(request, answer);
  return answer.text.slice(0, MARKER_MAX_BYTES);
}

async function readFrom(
  bucket: Bucket,
  key: string,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredBytes | null> {
  const head = await statOf(bucket, key, signal);
  if (head === null) return null;
  const { sizeBytes, etag } = head;
  if (range !== undefined) checkInside(range, sizeBytes);
  const wanted = range ?? { first: 0, last: sizeBytes - 1 };
  const stream = { [Symbol.asyncIterator]: () => readPieces(bucket, key, { range: wanted, etag, signal }) };
  return { sizeBytes, stream };
}

async function* keysIn(bucket: Bucket, olderThan: string) {
  const query = { "list-type": "2", prefix: bucket.prefix };
  const marks = { from: ["NextContinuationToken"], to: ["continuation-token"] };
  for await (const page of listAll(bucket, query, marks)) {
    for (const entry of elementsOf(page, "Contents")) {
      const key = textOf(entry, "Key").slice(bucket.prefix.length);
      const modifiedMs = Date.parse(textOf(entry, "LastModified"));
      if (!isOwnName(key) || !(modifiedMs < Date.parse(olderThan))) continue;
      yield { key, modifiedAt: new Date(modifiedMs).toISOString() };
    }
  }
}

async function removeFrom(bucket: Bucket, key: string, unlessPutSince: string | undefined): Promise<boolean> {
  const head = await statOf(bucket, key);
  if (head === null) return false;
  if (unlessPutSince !== undefined && Date.parse(head.modifiedAt) >= Date.parse(unlessPutSince)) return false;
  const request = { method: "DELETE", object: bucket.prefix + key } as const;
  const answer = await bucket.client.ask(request);
  if (answer.status !== 204 && answer.status !== 200 && answer.status !== 404) throw refusal(request, answer);
  return true;
}

/** What fits into one part is one request; anything larger, or of unknown length, becomes an upload in parts. */
async function putInto(
  bucket: Bucket,
  key: string,
  stream: AsyncIterable<Uint8Array>,
  options: PutOptions,
  leastPartBytes: number,
): Promise<StoredObject> {
  const object = bucket.prefix + key;
  const partBytes = Math.max(leastPartBytes, Math.ceil((options.sizeBytes ?? options.maxBytes ?? 0) / PARTS_MAX));
  const hashes = writeHashes();
  const buffer = partBuffer(Math.min(partBytes, options.sizeBytes ?? partBytes), partBytes);
  const etags: string[] = [];
  let uploadId: string | null = null;
  let sizeBytes = 0;
  try {
    for await (const chunk of stream) {
      sizeBytes += chunk.length;
      checkGrowing(sizeBytes, options);
      if (sizeBytes > partBytes * PARTS_MAX) throw tooManyParts(partBytes);
      hashes.update(chunk);
      for (let rest = chunk; rest.length > 0; ) {
        if (buffer.isFull()) {
          uploadId ??= await createUpload(bucket, object);
          etags.push(await sendPart(bucket, { object, uploadId, number: etags.length + 1 }, buffer.take()));
        }
        rest = buffer.add(rest);
      }
    }
    checkEnded(sizeBytes, options);
    const stored = { key, ...hashes.finish() };
    if (uploadId === null) {
      await sendPart(bucket, { object, uploadId, number: 1, sha256: stored.sha256 }, buffer.take());
    } else {
      etags.push(await sendPart(bucket, { object, uploadId, number: etags.length + 1 }, buffer.take()));
      await joinParts(bucket, object, uploadId, etags);
    }
    return stored;
  } catch (error) {
    // What cannot be ended now, the sweep ends: nothing names this key.
    if (uploadId !== null) {
      await bucket.client.ask({ method: "DELETE", object, query: { uploadId } }).catch(() => null);
    }
    throw error;
  }
}

function tooManyParts(partBytes: number): StorageProblem {
  return new StorageProblem("too_large", `Cannot keep the bytes: there are more than ${partBytes * PARTS_MAX}`);
}

/** Memory for one part, which grows as small files need it and is used again for the next part. */
function partBuffer(expectedBytes: number, partBytes: number) {
  let bytes = new Uint8Array(Math.max(1, Math.min(expectedBytes, FIRST_BUFFER_BYTES)));
  let length = 0;
  return {
    isFull: () => length === partBytes,
    /** Takes what fits and returns the rest. */
    add(chunk: Uint8Array): Uint8Array {
      const count = Math.min(chunk.length, partBytes - length);
      if (length + count > bytes.length) {
        const larger = new Uint8Array(Math.min(partBytes, Math.max(bytes.length * 2, length + count)));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(chunk.subarray(0, count), length);
      length += count;
      return chunk.subarray(count);
    },
    /** Good until the next `add`. */
    take(): Uint8Array<ArrayBuffer> {
      const part = bytes.subarray(0, length);
      length = 0;
      return part;
    },
  };
}
