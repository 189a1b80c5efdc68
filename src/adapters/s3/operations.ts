// The requests an S3 store is asked, each with what counts as its success.
import { StorageProblem } from "../../storage/limits.ts";
import {
  elementsOf,
  NO_BUCKET,
  printText,
  refusal,
  type S3Answer,
  type S3Client,
  type S3Request,
  textOf,
} from "./client.ts";

export type Bucket = {
  readonly client: S3Client;
  /** The prefix of every key, with its slash; or empty. */
  readonly prefix: string;
};

/** Thousands of parts may be joined for minutes. */
const JOIN_WORK_MS = 10 * 60_000;
/** More pages than any of our lists has: the list of a store that never ends is not read for ever. */
const LIST_PAGES_MAX = 1_000_000;

async function mustAnswer(client: S3Client, request: S3Request): Promise<S3Answer> {
  const answer = await client.ask(request);
  if (answer.status !== 200) throw refusal(request, answer);
  return answer;
}

/**
 * The store's answer about an object; null where there is none. An answer to HEAD has no text: where it is not a plain
 * success, the same is asked as GET, which distinguishes a missing object from a missing bucket, and gives the reason.
 *
 * @throws StorageProblem
 */
export async function headOf(client: S3Client, object: string, signal?: AbortSignal): Promise<S3Answer | null> {
  const answer = await client.ask({ method: "HEAD", object, signal });
  if (answer.status === 200) return answer;
  const request = { method: "GET", object, headers: { range: "bytes=0-0" }, signal } as const;
  const ranged = await client.ask(request);
  // Put in between, or refused to HEAD alone.
  if (ranged.status === 200 || ranged.status === 206 || ranged.status === 416) {
    if (answer.status === 404) return await secondHead(client, object, signal);
    throw refusal({ method: "HEAD", object }, answer);
  }
  if (ranged.status === 404 && textOf(ranged.text, "Code") !== NO_BUCKET) return null;
  throw refusal({ method: "HEAD", object }, ranged);
}

async function secondHead(client: S3Client, object: string, signal?: AbortSignal): Promise<S3Answer | null> {
  const answer = await client.ask({ method: "HEAD", object, signal });
  if (answer.status === 200) return answer;
  throw refusal({ method: "HEAD", object }, answer);
}

/** One name of a list, signed: whether the store knows us, here and now. @throws StorageProblem */
export async function listOne({ client, prefix }: Bucket, withinMs: number): Promise<void> {
  const query = { "list-type": "2", "max-keys": "1", prefix };
  await mustAnswer(client, { method: "GET", object: "", query, withinMs });
}

/** Writes a few bytes under a separate name. @throws StorageProblem */
export async function putText({ client }: Bucket, object: string, text: string, withinMs?: number): Promise<void> {
  const body = new TextEncoder().encode(text);
  const headers = { "content-type": "application/json" };
  await mustAnswer(client, { method: "PUT", object, headers, body, ...(withinMs === undefined ? {} : { withinMs }) });
}

/** @returns the id of the upload. */
export async function createUpload({ client }: Bucket, object: string): Promise<string> {
  const request = { method: "POST", object, query: { uploads: "" } } as const;
  const { text } = await mustAnswer(client, request);
  const uploadId = textOf(text, "UploadId");
  if (uploadId === "")
    throw new StorageProblem("refused", `Cannot begin an upload of "${object}": the store named none`);
  return uploadId;
}

type PartKey = {
  readonly object: string;
  /** Null: the bytes are the whole object. */
  readonly uploadId: string | null;
  readonly number: number;
  /** Of these bytes, where it is known already. */
  readonly sha256?: string;
};

/** Sends bytes with their SHA-256 signed, so that the store refuses what was damaged in transit. Returns the ETag. */
export async function sendPart({ client }: Bucket, part: PartKey, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const { object, uploadId, number, sha256 } = part;
  const query = uploadId === null ? {} : { partNumber: String(number), uploadId };
  const payload = sha256 === undefined ? {} : { payload: sha256 };
  const { headers } = await mustAnswer(client, { method: "PUT", object, query, body, ...payload });
  return headers.get("etag") ?? "";
}

/** Makes the object out of parts 1, 2, … A store may answer 200 and yet report a failure in the text. */
export async function joinParts(
  { client }: Bucket,
  object: string,
  uploadId: string,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${printText(etag)}</ETag></Part>`,
  );
  const body = new TextEncoder().encode(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  const request = { method: "POST", object, query: { uploadId }, body, workMs: JOIN_WORK_MS } as const;
  const answer = await client.ask(request);
  if (answer.status === 404 && (await headOf(client, object)) !== null) return;
  if (answer.status !== 200 || elementsOf(answer.text, "Error").length > 0) throw refusal(request, answer);
}

/** The pages of a list. `from` names the elements that lead on, `to` the parameters they become. */
export async function* listAll(
  { client }: Bucket,
  query: Readonly<Record<string, string>>,
  marks: { readonly from: readonly string[]; readonly to: readonly string[] },
  object = "",
): AsyncGenerator<string> {
  let on: Record<string, string> = {};
  for (let page = 0; page < LIST_PAGES_MAX; page++) {
    const request = { method: "GET", object, query: { ...query, ...on } } as const;
    const { text } = await mustAnswer(client, request);
    yield text;
    if (textOf(text, "IsTruncated") !== "true") return;
    const next = Object.fromEntries(marks.to.map((name, index) => [name, textOf(text, marks.from[index] ?? "")]));
    if (marks.to.every((name) => next[name] === on[name])) break;
    on = next;
  }
  throw new StorageProblem("refused", "Cannot list what the store holds: its list has no end");
}
