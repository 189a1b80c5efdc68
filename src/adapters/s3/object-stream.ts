// Reading an object of an S3 store piece by piece; where the connection ends early, it is read on from there.

import { errorMessage } from "../../shared/error-message.ts";
import { type ByteRange, lengthOf } from "../../shared/http/byte-range.ts";
import { inTime } from "../../shared/time/event-loop.ts";
import { StorageProblem } from "../../storage/limits.ts";
import { isPassing, refusal, type S3Request } from "./client.ts";
import type { Bucket } from "./operations.ts";

/** After this time without bytes the connection is closed and the rest is requested again. */
const IDLE_MS = 30_000;

type RangeRequest = {
  readonly range: ByteRange;
  /** The tag of the object at its first answer: another version is never read on from. */
  readonly etag: string | null;
  /** Aborted when nobody waits for the bytes any more. */
  readonly signal: AbortSignal | undefined;
};

export async function* readPieces(
  { client, prefix }: Bucket,
  key: string,
  { range, etag, signal }: RangeRequest,
): AsyncGenerator<Uint8Array> {
  const end = range.first + lengthOf(range);
  const patience = client.patience(signal);
  let problem: unknown = null;
  for (let at = range.first; at < end; ) {
    const request: S3Request = {
      method: "GET",
      object: prefix + key,
      headers: { range: `bytes=${at}-${end - 1}`, ...(etag === null ? {} : { "if-match": etag }) },
      signal,
    };
    try {
      for await (const piece of piecesOf(await client.open(request), request)) {
        // More than was asked for would shift what follows.
        const fitting = piece.subarray(0, end - at);
        at += fitting.length;
        patience.progressed();
        yield fitting;
        if (at === end) return;
      }
      problem = new Error(`the connection ended before byte ${end}`);
    } catch (error) {
      if (error instanceof StorageProblem) throw error;
      problem = error;
    }
    if (!(await patience.another())) {
      const reason = errorMessage(problem);
      throw new StorageProblem("unavailable", `Cannot read on from byte ${at}: ${reason}`, { cause: problem });
    }
  }
}

async function* piecesOf(answer: Response, request: S3Request): AsyncGenerator<Uint8Array> {
  if (answer.status !== 206) {
    const text = (await answer.text()).slice(0, 10_000);
    if (isPassing(answer.status)) throw new Error(`the store answered ${answer.status}`);
    throw refusal(request, { status: answer.status, headers: answer.headers, text });
  }
  const reader = answer.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), IDLE_MS, silent);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function silent(): never {
  throw new Error(`nothing came for ${IDLE_MS} ms`);
}
