// An answer of HTTP/1.1 read from a connection that ends behind it (RFC 9112), for files that are fetched: every length
// is bounded, and a body that is not long as its header states is an error.
import { FetchRefused } from "../repository/record-files/remote-files.ts";

export type Answer = {
  readonly status: number;
  /** Names in lower case; of several of one name the last. */
  readonly headers: ReadonlyMap<string, string>;
  /** Null where the body ends with its chunks or with the connection. */
  readonly sizeBytes: number | null;
  readonly body: AsyncIterable<Uint8Array>;
};

const HEAD_MAX = 64 * 1024;
/** Answers that only announce the answer. */
const INTERIM_MAX = 10;
const LINE_MAX = 4_096;

/** @throws FetchRefused for what is no such answer; the body throws it too. */
export async function readAnswer(pieces: AsyncGenerator<Uint8Array>): Promise<Answer> {
  const bytes = buffered(pieces);
  for (let interim = 0; interim <= INTERIM_MAX; interim += 1) {
    const { status, headers } = await readHead(bytes);
    if (status >= 100 && status < 200) continue;
    const isChunked = /(?:^|[\s,])chunked\s*$/i.test(headers.get("transfer-encoding") ?? "");
    const length = headers.get("content-length");
    if (!isChunked && length !== undefined && !/^\d{1,15}$/.test(length)) throw broken();
    const sizeBytes = isChunked || length === undefined ? null : Number(length);
    return { status, headers, sizeBytes, body: isChunked ? chunks(bytes) : plain(bytes, sizeBytes) };
  }
  throw broken();
}

const broken = (): FetchRefused => new FetchRefused("The other side does not answer as HTTP", { passing: true });
const brokenOff = (): FetchRefused => new FetchRefused("The connection broke off", { passing: true });

type Bytes = ReturnType<typeof buffered>;

/** Bytes that are read by lines first and in pieces later. */
function buffered(pieces: AsyncGenerator<Uint8Array>) {
  let held: Uint8Array = new Uint8Array(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await pieces.next();
    if (done === true) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  };
  return {
    /** Without its end; null where the connection ended before. */
    async line(most: number): Promise<string | null> {
      for (;;) {
        const end = held.indexOf(10);
        if (end > most || (end < 0 && held.length > most)) throw broken();
        if (end >= 0) {
          const text = Buffer.from(held.subarray(0, end)).toString("latin1").replace(/\r$/, "");
          held = held.subarray(end + 1);
          return text;
        }
        if (!(await more())) return null;
      }
    },
    /** The bytes that have arrived, at most `most`; null at the end. */
    async piece(most: number): Promise<Uint8Array | null> {
      if (held.length === 0 && !(await more())) return null;
      const some = held.subarray(0, most);
      held = held.subarray(some.length);
      return some;
    },
  };
}

async function readHead(bytes: Bytes): Promise<Pick<Answer, "status" | "headers">> {
  const first = await bytes.line(LINE_MAX);
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first ?? "")?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw broken();
  const headers = new Map<string, string>();
  for (let length = 0; ; ) {
    const line = await bytes.line(HEAD_MAX);
    if (line === null) throw brokenOff();
    if (line === "") return { status, headers };
    length += line.length;
    const colon = line.indexOf(":");
    if (length > HEAD_MAX || colon < 1) throw broken();
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}

async function* plain(bytes: Bytes, sizeBytes: number | null): AsyncGenerator<Uint8Array> {
  let left = sizeBytes ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const piece = await bytes.piece(left);
    if (piece === null) {
      if (sizeBytes === null) return;
      throw brokenOff();
    }
    left -= piece.length;
    yield piece;
  }
}

async function* chunks(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for (;;) {
    const size = /^([0-9a-f]{1,12})\s*(?:;.*)?$/i.exec((await bytes.line(LINE_MAX)) ?? "")?.[1];
    if (size === undefined) throw brokenOff();
    const length = Number.parseInt(size, 16);
    if (length === 0) return;
    yield* plain(bytes, length);
    if ((await bytes.line(2)) !== "") throw brokenOff();
  }
}
