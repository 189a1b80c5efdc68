// Reading the body of a request: no larger than allowed (1103), no slower than a client may be (1107).
import { inTime } from "../../src/shared/deadline.ts";
import { ServiceError } from "../../src/shared/errors.ts";

export type BodyLimits = {
  /** Largest body, in bytes (SVC_BODY_LIMIT). */
  readonly bodyLimit: number;
  /** Seconds a body may take, and as many more as it takes at the least rate (SVC_CLIENT_SECONDS). */
  readonly clientSeconds: number;
};

/** Slower than this nobody sends who means it. */
const LEAST_BYTES_PER_SECOND = 16_384;

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
  const within = (length: number): number => (clientSeconds + length / LEAST_BYTES_PER_SECOND) * 1000;
  // A body of known length is read without a stream being made of it.
  if (declared !== null) return inTime(readWhole(request, bodyLimit), within(Number(declared)), tooSlow);
  if (request.body === null) return new Uint8Array(0);
  return inTime(readChunks(request.body, bodyLimit), within(bodyLimit), tooSlow);
}

async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  const whole = new Uint8Array(await request.arrayBuffer());
  if (whole.length > limit) throw tooLarge(limit);
  return whole;
}

async function readChunks(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  // One buffer that doubles: a body that comes octet by octet takes no more memory than one that comes whole.
  let bytes = new Uint8Array(FIRST_BUFFER_BYTES);
  let length = 0;
  for await (const chunk of body) {
    const end = length + chunk.byteLength;
    if (end > limit) throw tooLarge(limit);
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * bytes.length)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    length = end;
  }
  return bytes.subarray(0, length);
}

/** Not whole in time: the connection ends with the answer, as the rest of it is not waited for. */
function tooSlow(): never {
  throw new ServiceError(1107, {}, { connection: "close" });
}
