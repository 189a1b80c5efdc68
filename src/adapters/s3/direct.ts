// Uploads in parts and downloads by presigned addresses: the bytes go between the client and the store (port
// DirectStorage).

import { withoutUndefined } from "../../shared/objects.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { isOwnName, isStorageKey, PRESIGNED_MAX_SECONDS } from "../../storage/limits.ts";
import type { Completion, DirectStorage, MultipartUpload, PartUrl, UploadedPart } from "../../storage/storage.ts";
import { checkParts, compositeOf, lackingParts, partCount } from "../upload-parts.ts";
import { elementsOf, NO_BUCKET, refusal, textOf } from "./client.ts";
import { type Bucket, createUpload, headOf, joinParts, listAll } from "./operations.ts";

export function directUploads(bucket: Bucket, newKey: () => string): DirectStorage {
  const { client, prefix } = bucket;
  return {
    async startMultipart(sizeBytes, partBytes) {
      checkParts(sizeBytes, partBytes);
      const key = newKey();
      return { key, uploadId: await createUpload(bucket, prefix + key), sizeBytes, partBytes };
    },
    putCopy: null,
    putPart: null,
    presignParts: (upload) => partUrls(bucket, upload),
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

/** Addresses signed before others have their turn. */
const SIGNED_AT_ONCE = 200;

async function partUrls(bucket: Bucket, upload: MultipartUpload): Promise<readonly PartUrl[]> {
  const object = objectOf(bucket, upload.key);
  const urls: PartUrl[] = [];
  for (let number = 1; number <= partCount(upload); number += 1) {
    if (number % SIGNED_AT_ONCE === 0) await yieldToEventLoop();
    const query = { partNumber: String(number), uploadId: upload.uploadId };
    urls.push({ number, ...bucket.client.presign({ method: "PUT", object, query }, PRESIGNED_MAX_SECONDS) });
  }
  return urls;
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
  const lacking = lackingParts(upload, parts);
  if (lacking !== null) return lacking;
  const etags = parts.slice(0, partCount(upload)).map((part) => part.etag);
  await joinParts(bucket, object, upload.uploadId, etags);
  return { completed: true, sizeBytes: upload.sizeBytes, composite: compositeOf(etags.map(bareTag)) };
}

const bareTag = (etag: string): string => etag.replaceAll('"', "").toLowerCase();
/** What the tag of an object that was joined looks like. */
const JOINED_TAG = /^([0-9a-f]{32})-\d+$/;

/** A completion whose answer was lost: the upload is gone and the object is there. */
async function completedBefore({ client }: Bucket, object: string): Promise<Completion> {
  const answer = await headOf(client, object);
  if (answer === null) return { completed: false, gone: true };
  const composite = JOINED_TAG.exec(bareTag(answer.headers.get("etag") ?? ""))?.[1] ?? null;
  return { completed: true, sizeBytes: Number(answer.headers.get("content-length")), composite };
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
