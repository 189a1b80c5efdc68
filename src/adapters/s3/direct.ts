// Uploads in parts and downloads by presigned addresses: the bytes go between the client and the store (port DirectStorage).
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  isOwnName,
  isStorageKey,
  PART_MAX_BYTES,
  PART_MIN_BYTES,
  PARTS_MAX,
  PRESIGNED_MAX_SECONDS,
} from "../../storage/limits.ts";
import type { Completion, DirectStorage, MultipartUpload, PartUrl, UploadedPart } from "../../storage/storage.ts";
import { NO_BUCKET, refusal } from "./client.ts";
import { type Bucket, createUpload, headOf, joinParts, listAll } from "./operations.ts";
import { elementsOf, textOf } from "./xml.ts";

export function directUploads(bucket: Bucket, newKey: () => string): DirectStorage {
  const { client, prefix } = bucket;
  return {
    async startMultipart(sizeBytes, partBytes) {
      checkParts(sizeBytes, partBytes);
      const key = newKey();
      const upload = { key, uploadId: await createUpload(bucket, prefix + key), sizeBytes, partBytes };
      return { ...upload, parts: partUrls(bucket, upload) };
    },
    presignParts: async (upload) => partUrls(bucket, upload),
    listParts: (upload) => partsOf(bucket, upload),
    completeMultipart: (upload) => complete(bucket, upload),
    async abortMultipart({ key, uploadId }) {
      const request = { method: "DELETE", object: objectOf(bucket, key), query: { uploadId } } as const;
      const answer = await client.ask(request);
      if (answer.status !== 204 && answer.status !== 200 && answer.status !== 404) throw refusal(request, answer);
    },
    unfinished: (olderThan) => unfinishedIn(bucket, olderThan),
    async presignGet(key, { expiresSeconds, contentType, contentDisposition }) {
      const query = {
        ...withoutUndefined({
          "response-content-type": contentType,
          "response-content-disposition": contentDisposition,
        }),
      };
      return client.presign({ method: "GET", object: objectOf(bucket, key), query }, expiresSeconds).url;
    },
  };
}

function objectOf({ prefix }: Bucket, key: string): string {
  if (!isStorageKey(key)) throw new RangeError(`Cannot use the key "${key}": no key of the storage looks like that`);
  return prefix + key;
}

/** An empty file has one part, which is empty. */
function countOf({ sizeBytes, partBytes }: Pick<MultipartUpload, "sizeBytes" | "partBytes">): number {
  return Math.max(1, Math.ceil(sizeBytes / partBytes));
}

function checkParts(sizeBytes: number, partBytes: number): void {
  const whole = Number.isSafeInteger(sizeBytes) && sizeBytes >= 0 && Number.isSafeInteger(partBytes) && partBytes >= 1;
  if (!whole) throw new RangeError(`Cannot upload ${sizeBytes} bytes in parts of ${partBytes}`);
  const count = countOf({ sizeBytes, partBytes });
  if (count > PARTS_MAX) throw new RangeError(`Cannot upload in ${count} parts: ${PARTS_MAX} are possible`);
  if (partBytes > PART_MAX_BYTES || (count > 1 && partBytes < PART_MIN_BYTES)) {
    throw new RangeError(
      `Cannot upload in parts of ${partBytes} bytes: ${PART_MIN_BYTES} to ${PART_MAX_BYTES} are possible`,
    );
  }
}

function partUrls(bucket: Bucket, upload: MultipartUpload): readonly PartUrl[] {
  const object = objectOf(bucket, upload.key);
  return Array.from({ length: countOf(upload) }, (_, index) => {
    const query = { partNumber: String(index + 1), uploadId: upload.uploadId };
    return { number: index + 1, ...bucket.client.presign({ method: "PUT", object, query }, PRESIGNED_MAX_SECONDS) };
  });
}

async function partsOf(
  bucket: Bucket,
  upload: Pick<MultipartUpload, "key" | "uploadId">,
): Promise<readonly UploadedPart[] | null> {
  const object = objectOf(bucket, upload.key);
  const query = { uploadId: upload.uploadId };
  const first = { method: "GET", object, query: { ...query, "max-parts": "1" } } as const;
  const found = await bucket.client.ask(first);
  if (found.status === 404 && textOf(found.text, "Code") !== NO_BUCKET) return null;
  if (found.status !== 200) throw refusal(first, found);
  const parts: UploadedPart[] = [];
  const marks = { from: ["NextPartNumberMarker"], to: ["part-number-marker"] };
  for await (const page of listAll(bucket, query, marks, object)) {
    for (const part of elementsOf(page, "Part")) {
      parts.push({
        number: Number(textOf(part, "PartNumber")),
        sizeBytes: Number(textOf(part, "Size")),
        etag: textOf(part, "ETag"),
      });
    }
  }
  return parts.sort((one, other) => one.number - other.number);
}

async function complete(bucket: Bucket, upload: MultipartUpload): Promise<Completion> {
  const object = objectOf(bucket, upload.key);
  const parts = await partsOf(bucket, upload);
  if (parts === null) return await completedBefore(bucket, object);
  const byNumber = new Map(parts.map((part) => [part.number, part]));
  const count = countOf(upload);
  const missing: number[] = [];
  const wrongSize: number[] = [];
  for (let number = 1; number <= count; number++) {
    const part = byNumber.get(number);
    const mustBe = number < count ? upload.partBytes : upload.sizeBytes - (count - 1) * upload.partBytes;
    if (part === undefined) missing.push(number);
    else if (part.sizeBytes !== mustBe) wrongSize.push(number);
  }
  if (missing.length > 0 || wrongSize.length > 0) return { completed: false, missing, wrongSize };
  await joinParts(
    bucket,
    object,
    upload.uploadId,
    parts.slice(0, count).map((part) => part.etag),
  );
  return { completed: true, sizeBytes: upload.sizeBytes };
}

/** A completion whose answer was lost: the upload is gone and the object is there. */
async function completedBefore({ client }: Bucket, object: string): Promise<Completion> {
  const answer = await headOf(client, object);
  if (answer === null) return { completed: false, gone: true };
  return { completed: true, sizeBytes: Number(answer.headers.get("content-length")) };
}

async function* unfinishedIn(bucket: Bucket, olderThan: string) {
  const marks = { from: ["NextKeyMarker", "NextUploadIdMarker"], to: ["key-marker", "upload-id-marker"] };
  for await (const page of listAll(bucket, { uploads: "", prefix: bucket.prefix }, marks)) {
    for (const upload of elementsOf(page, "Upload")) {
      const key = textOf(upload, "Key").slice(bucket.prefix.length);
      const startedMs = Date.parse(textOf(upload, "Initiated"));
      if (!isOwnName(key) || !(startedMs < Date.parse(olderThan))) continue;
      yield { key, uploadId: textOf(upload, "UploadId"), startedAt: new Date(startedMs).toISOString() };
    }
  }
}
