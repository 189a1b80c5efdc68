// Reading the body of a request: no larger than allowed (1103), no slower than a client may be (1107).

import { ServiceError } from "../../src/shared/errors.ts";
import { LIMITS } from "../../src/shared/limits.ts";
import { inTime, yieldToEventLoop } from "../../src/shared/time/event-loop.ts";

export type BodyLimits = {
  /** Largest body, in bytes (SVC_BODY_LIMIT). */
  readonly bodyLimit: number;
  /** Seconds a body may take, and as many more as it takes at the least rate (SVC_CLIENT_SECONDS). */
  readonly clientSeconds: number;
};

/** Slower than this nobody sends who means it. */
const LEAST_BYTES_PER_SECOND = 16_384;

/** Bodies up to this length are read at once. */
const WHOLE_BYTES = 1024 * 1024;
const FIRST_BUFFER_BYTES = 8_192;

function tooLarge(limit: number): ServiceError {
  return new ServiceError(1103, { limit });
}

/** Refuses a body by its declared length, before anything of it is read (1103). */
export function refuseDeclaredSize(request: Request, limit: number): void {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit);
}

/** The bytes of a body. */
export async function readBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const { bodyLimit, clientSeconds } = limits;
  refuseDeclaredSize(request, bodyLimit);
  const declared = request.headers.get("content-length");
  // A short body of known length is read without a stream being made of it.
  if (declared !== null && Number(declared) <= WHOLE_BYTES) {
    return inTime(readWhole(request, bodyLimit), patience(clientSeconds, Number(declared)), tooSlow);
  }
  if (request.body === null) return new Uint8Array(0);
  return await readChunks(request.body, limits);
}

/** How long a client may take to send `bytes` bytes, counted from the first. */
const patience = (clientSeconds: number, bytes: number): number =>
  (clientSeconds + bytes / LEAST_BYTES_PER_SECOND) * 1000;

async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  const whole = new Uint8Array(await request.arrayBuffer());
  if (whole.length > limit) throw tooLarge(limit);
  return whole;
}

/** Each piece in its time: what a long body may take is not given to one that does not come. */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  { bodyLimit: limit, clientSeconds }: BodyLimits,
): Promise<Uint8Array> {
  const beganAt = performance.now();
  const reader = body.getReader();
  const areLargeEnough = smallPieces();
  // One buffer that doubles: a body that arrives byte by byte takes no more memory than one that arrives whole.
  let bytes = new Uint8Array(FIRST_BUFFER_BYTES);
  let length = 0;
  for (;;) {
    const left = beganAt + patience(clientSeconds, length) - performance.now();
    const { done, value: chunk } = await inTime(reader.read(), Math.max(0, left), tooSlow);
    if (done) break;
    const end = length + chunk.byteLength;
    if (end > limit) {
      void reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * bytes.length)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    length = end;
    if (await areLargeEnough(chunk.byteLength)) continue;
    void reader.cancel().catch(() => {});
    tooSlow();
  }
  return bytes.subarray(0, length);
}

/** Not whole in time: the connection ends with the answer, as the rest of it is not waited for. */
function tooSlow(): never {
  throw new ServiceError(1107, {}, { connection: "close" });
}

// Bodies that come in many small pieces: reading them yields to the event loop, and one of nothing but tiny pieces is
// ended (R9a).

/**
 * A network packet holds more: only chunked encoding makes smaller pieces, and the runtime joins those that arrive
 * during a turn.
 */
const SMALL_BYTES = 1024;
/** What a tiny piece has at most, on average over a body. */
const TINY_BYTES = 16;

/** For one body: called with the bytes of each piece; false when the body must be ended. */
function smallPieces(): (bytes: number) => Promise<boolean> {
  let [pieces, received] = [0, 0];
  return async (bytes) => {
    pieces += 1;
    received += bytes;
    if (bytes < SMALL_BYTES) await yieldToEventLoop();
    return pieces <= LIMITS.tinyPieces.most || received >= pieces * TINY_BYTES;
  };
}

// The body of a request as it comes, for what may be large (R13, R37): only the time that is spent waiting for the
// client counts.

export type SlowLimits = {
  /**
   * Seconds without a byte of the body; the whole body may take this long plus its time at the lowest rate
   * (SVC_CLIENT_SECONDS).
   */
  readonly clientSeconds: number;
  /** Slower than this nobody sends who means it: a place is not held with single bytes (SVC_LEAST_UPLOAD_RATE). */
  readonly leastBytesPerSecond: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

type BodyRefusals = { readonly tooSlow: () => never; readonly brokenOff: (cause: unknown) => never };

/**
 * A body that stops for too long, comes too slowly or in tiny pieces, or whose client has left, ends with what
 * `refusing` throws.
 */
export async function* bodyPieces(
  request: Request,
  { clientSeconds, leastBytesPerSecond, now }: SlowLimits,
  { tooSlow, brokenOff }: BodyRefusals,
): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  let isDone = false;
  let [received, waitedMs] = [0, 0];
  const areLargeEnough = smallPieces();
  try {
    for (;;) {
      const leftSeconds = clientSeconds + received / leastBytesPerSecond - waitedMs / 1000;
      const began = now();
      const waitMs = Math.max(0, Math.min(clientSeconds, leftSeconds)) * 1000;
      const { done, value } = await inTime(reader.read().catch(brokenOff), waitMs, tooSlow);
      waitedMs += Math.max(0, now() - began);
      received += value?.length ?? 0;
      if (done) {
        isDone = true;
        return;
      }
      yield value;
      if (!(await areLargeEnough(value.length))) tooSlow();
    }
  } finally {
    // What is refused is not read to its end.
    if (!isDone) await reader.cancel().catch(() => {});
  }
}
