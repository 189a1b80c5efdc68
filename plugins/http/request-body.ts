// Reading the body of a request: no larger than allowed (1103), no slower than a client may be (1107).

import { ServiceError } from "../../src/shared/errors.ts";
import { inTime } from "../../src/shared/time/deadline.ts";
import { smallPieces } from "./small-pieces.ts";

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
