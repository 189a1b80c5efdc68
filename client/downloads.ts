// The bytes of a file, as a stream that goes on where a connection broke.
import type { RepositoryClient } from "./calls.ts";
import { ConnectionError, RefusalError } from "./errors.ts";
import { retryWaitMs, sleep } from "./transport.ts";

export type DownloadInput = {
  /** Number of the record. */
  readonly id: string | number;
  /** Path of the file in the record. */
  readonly key: string;
  /** The file is one of a draft. */
  readonly isDraft?: boolean;
  /** Where an earlier download ended. */
  readonly fromByte?: number;
  readonly onProgress?: (progress: { readonly receivedBytes: number }) => void;
  readonly signal?: AbortSignal;
};

/** How often it goes on without a single byte in between. */
const ATTEMPTS = 4;

/**
 * The bytes of a file. A connection that breaks is made again, from the byte where it broke, as long as the file is the
 * same. The stream ends with a RefusalError, a ConnectionError or the reason of the signal.
 */
export function downloadFile(client: RepositoryClient, input: DownloadInput): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { id, key, isDraft = false, fromByte = 0, onProgress, signal } = input;
  let receivedBytes = fromByte;
  let failures = 0;
  let etag: string | null = null;
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;

  async function open() {
    const headers = {
      ...(receivedBytes > 0 ? { range: `bytes=${receivedBytes}-` } : {}),
      ...(etag === null ? {} : { "if-match": etag }),
    };
    const options = { headers, ...(signal === undefined ? {} : { signal }) };
    const path = { id, key };
    const response = isDraft
      ? await client.fetch("downloadDraftFile", { path }, options)
      : await client.fetch("downloadRecordFile", { path }, options);
    if (receivedBytes > 0 && response.status !== 206) throw new RangeError(`"${key}" is sent from its beginning only`);
    etag = response.headers.get("etag");
    return response.body?.getReader();
  }

  async function wait(error: unknown): Promise<void> {
    reader = undefined;
    failures += 1;
    if (signal?.aborted) throw signal.reason;
    const isFinal = error instanceof RefusalError || error instanceof ConnectionError || error instanceof RangeError;
    if (isFinal || failures >= ATTEMPTS) throw error;
    await sleep(retryWaitMs(null, failures, Date.now()), signal);
  }

  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        try {
          reader ??= await open();
          const next = await reader?.read();
          if (next === undefined || next.done) return controller.close();
          failures = 0;
          receivedBytes += next.value.byteLength;
          controller.enqueue(next.value);
          return onProgress?.({ receivedBytes });
        } catch (error) {
          await wait(error);
        }
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}
