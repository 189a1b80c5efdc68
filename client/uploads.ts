// A file of a draft, sent in parts: progress, pause, resume, and going on where an earlier upload ended. Small files are
// sent in one body.
import type { RepositoryClient } from "./calls.ts";
import { RefusalError } from "./errors.ts";
import type { Operations } from "./generated/repository.ts";
import { membersOf } from "./members.ts";

export type UploadedFile = Operations["commitDraftFile"]["answer"];
export type UploadProgress = { readonly sentBytes: number; readonly totalBytes: number };
export type UploadInput = {
  /** Number of the draft. */
  readonly id: string | number;
  /** Path of the file in the record. */
  readonly key: string;
  /** A `File` of a browser, `Bun.file(path)`, `openAsBlob(path)` of Node.js: it is read part by part. */
  readonly file: Blob;
  /** Of every part but the last; at least 5 MiB, 16 MiB where it is left out. */
  readonly partBytes?: number;
  /**
   * By which this file is recognised: an upload of another file, under way in parts under the same key, is not continued
   * but refused.
   */
  readonly fingerprint?: string;
  /** Parts that are sent at the same time. */
  readonly inParallel?: number;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
};

/** An upload that has begun. */
export type Upload = {
  /** The committed file. @throws RefusalError, ConnectionError, the reason of the signal */
  readonly done: Promise<UploadedFile>;
  /** No further part is sent; those that are being sent are sent to their end. */
  pause(): void;
  resume(): void;
};

const MIB = 1024 * 1024;
const PART_BYTES = 16 * MIB;
const SMALLEST_PART_BYTES = 5 * MIB;
const PARTS_MOST = 10_000;
const IN_PARALLEL = 3;

/**
 * Sends a file and commits it. Where an earlier upload of the same file ended, only the parts that are missing are sent:
 * `partBytes` must be the same.
 */
export function uploadFile(client: RepositoryClient, input: UploadInput): Upload {
  let gate: Promise<void> | null = null;
  let open = (): void => {};
  const pause = (): void => {
    gate ??= new Promise((resolve) => {
      open = resolve;
    });
  };
  const resume = (): void => {
    gate = null;
    open();
  };
  return { done: upload(client, input, async () => await gate), pause, resume };
}

async function upload(client: RepositoryClient, input: UploadInput, paused: () => Promise<unknown>) {
  const { id, key, file, onProgress, signal } = input;
  const asked = Math.max(input.partBytes ?? PART_BYTES, SMALLEST_PART_BYTES);
  const partBytes = Math.max(asked, Math.ceil(file.size / PARTS_MOST));
  const options = { timeoutMs: 0, ...(signal === undefined ? {} : { signal }) };
  const path = { id, key };
  // A pause right after the call holds everything.
  await Promise.resolve();
  await paused();
  if (file.size > partBytes) await sendParts(client, input, partBytes, paused);
  else {
    await entryOf(client, input, null);
    onProgress?.({ sentBytes: 0, totalBytes: file.size });
    await client.uploadDraftFile({ path, body: file }, { ...options, onRetry: () => isReadable(file) });
    onProgress?.({ sentBytes: file.size, totalBytes: file.size });
  }
  return client.commitDraftFile({ path }, options);
}

async function sendParts(
  client: RepositoryClient,
  input: UploadInput,
  partBytes: number,
  paused: () => Promise<unknown>,
): Promise<void> {
  const { id, key, file, onProgress, inParallel = IN_PARALLEL } = input;
  const parts = Math.ceil(file.size / partBytes);
  const { fingerprint } = input;
  const own = fingerprint === undefined ? {} : { fingerprint };
  const { links, transfer } = await entryOf(client, input, { type: "M", parts, part_size: partBytes, ...own });
  const uploaded = membersOf(transfer).uploaded_parts;
  const missing = partNumbers(parts).filter((part) => !(Array.isArray(uploaded) && uploaded.includes(part)));
  const bytesOf = (part: number): Blob => file.slice((part - 1) * partBytes, part * partBytes);
  let sentBytes = file.size - missing.reduce((sum, part) => sum + bytesOf(part).size, 0);
  onProgress?.({ sentBytes, totalBytes: file.size });
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(input.signal === undefined ? [] : [input.signal])]);
  const sendNext = async (): Promise<void> => {
    for (let part = missing.shift(); part !== undefined; part = missing.shift()) {
      await paused();
      signal.throwIfAborted();
      const bytes = bytesOf(part);
      const address = partAddress(links, part);
      if (address !== null) await client.put(address, bytes, { signal });
      else {
        const headers = await digestOf(bytes);
        const options = { signal, timeoutMs: 0, headers, onRetry: () => isReadable(file) };
        await client.uploadDraftFilePart({ path: { id, key, part }, body: bytes }, options);
      }
      sentBytes += bytes.size;
      onProgress?.({ sentBytes, totalBytes: file.size });
    }
  };
  await Promise.all(
    partNumbers(inParallel).map(() =>
      sendNext().catch((error: unknown) => {
        stop.abort(error);
        throw error;
      }),
    ),
  );
}

/**
 * The hash of a part, which the repository compares (RFC 9530). Browsers compute hashes on pages that came over https
 * or from this machine.
 */
async function digestOf(bytes: Blob): Promise<Record<string, string>> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return {};
  const hash = new Uint8Array(await subtle.digest("SHA-256", await bytes.arrayBuffer()));
  return { "content-digest": `sha-256=:${btoa(String.fromCharCode(...hash))}:` };
}

/** False for a file that was changed or removed after it was opened: sending it again would never end well. */
const isReadable = (file: Blob): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

const partNumbers = (parts: number): number[] => Array.from({ length: parts }, (_, index) => index + 1);

/** The address of a part in another store, which needs no token; null where the part is sent to the repository. */
function partAddress(links: unknown, part: number): string | null {
  const listed = membersOf(links).parts;
  const found = (Array.isArray(listed) ? listed.map(membersOf) : []).find((each) => each.part === part)?.url;
  return typeof found === "string" && !new URL(found).pathname.endsWith(`/content/${part}`) ? found : null;
}

type PartsTransfer = {
  readonly type: "M";
  readonly parts: number;
  readonly part_size: number;
  readonly fingerprint?: string;
};

/** The file as an earlier upload left it, else registered now. */
async function entryOf(
  client: RepositoryClient,
  { id, key, file, signal }: UploadInput,
  transfer: PartsTransfer | null,
) {
  const options = signal === undefined ? {} : { signal };
  const before = await client.readDraftFile({ path: { id, key } }, options).catch((error: unknown) => {
    if (error instanceof RefusalError && error.status === 404) return null;
    throw error;
  });
  if (before?.status === "pending" && isSame(before, file.size, transfer)) return before;
  const registered = { key, size: file.size, ...(transfer === null ? {} : { transfer }) };
  const { entries } = await client.registerDraftFiles({ path: { id }, body: [registered] }, options);
  const entry = entries.find((each) => each.key === key);
  if (entry === undefined) throw new TypeError(`The repository did not register "${key}"`);
  return entry;
}

/** Whether what an earlier upload left belongs to this one. */
function isSame(entry: unknown, size: number, transfer: PartsTransfer | null): boolean {
  const { transfer: own, size: ownSize } = membersOf(entry);
  const { type, parts, part_size: partBytes, fingerprint } = membersOf(own);
  if (transfer === null) return type === "L" && (ownSize === undefined || ownSize === size);
  const isFile = transfer.fingerprint === undefined || fingerprint === transfer.fingerprint;
  return isFile && ownSize === size && type === "M" && parts === transfer.parts && partBytes === transfer.part_size;
}
