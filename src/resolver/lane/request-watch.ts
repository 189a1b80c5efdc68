// Reads one request of a connection that was handed on, as it goes by (docs/fast-lane.md): where it ends, and a target
// that the runtime would rewrite before anybody sees it (A43). It knows the end only where every reader of RFC 9112
// sees it at the same place; otherwise it is lost for good.
import {
  bytesOf,
  COLON,
  CR,
  DELETE,
  DOT,
  IN_TOKEN,
  isName,
  LF,
  PARTS,
  SLASH,
  SPACE,
  startsWith,
} from "./head-bytes.ts";

/** Longer lines are not watched. The runtime refuses longer heads. */
export const WATCHED_LINE_MAX = 16_384;

const HEAD = bytesOf("HEAD ");
const CONNECT = bytesOf("CONNECT ");
const VERSION = bytesOf(" HTTP/1.1\r\n");
const OLD_VERSION = bytesOf(" HTTP/1.0\r\n");
const CLOSE = bytesOf("close");
const CHUNKED = bytesOf("chunked");
const PERCENT = 37;
const TAB = 9;
/** A segment of one or two dots in the path, percent-encoded or not. */
const DOT_SEGMENT = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;
const LENGTH = /^\d{1,15}$/;
const CHUNK_SIZE = /^[0-9a-f]{1,12}\r\n$/i;

type Field = "length" | "coding" | "connection";
/** Fields that determine the end of a request or the fate of the connection. */
const FIELDS = byLength([
  ["content-length", "length"],
  ["transfer-encoding", "coding"],
  ["connection", "connection"],
]);
/**
 * Only this option matters to a connection, for no other is known to the runtime. What asks for another protocol ends as
 * any request: the runtime does not change protocols, and an answer 101 would be none of those whose end is known.
 */
const ENDS = /close/i;

type Part = "line" | "fields" | "body" | "chunk-size" | "chunk-end" | "last-line" | "whole";

export class RequestWatch {
  /**
   * Something has come after which nobody knows where requests begin: this request and all after it go to the inner
   * server as they come.
   */
  isLost = false;
  /** Its answer has no body, whatever its head states. */
  isHead = false;
  /** The client sends nothing more that is to be answered. */
  isLast = false;
  readonly #telling: string | null;
  #part: Part = "line";
  /** Bytes of the body, or of a chunk of it, that are to come. */
  #left = 0;
  #length: number | null = null;
  #isChunked = false;
  /** The beginning of a line, which has gone by. */
  #begun: Buffer | null = null;

  /**
   * `telling`: the field that holds the target as it was sent; no client knows its name. Null: targets are not
   * reported.
   */
  constructor(telling: string | null) {
    this.#telling = telling;
  }

  get isWhole(): boolean {
    return this.#part === "whole";
  }

  get hasBegun(): boolean {
    return this.#part !== "line" || this.#begun !== null;
  }

  /**
   * Reads on to the end of the request. `onward`: what is to go on, with the field that tells the target behind its
   * line; `taken`: how many of the bytes belong to this request.
   */
  read(bytes: Buffer): { readonly onward: Buffer; readonly taken: number } {
    if (this.isLost) return { onward: bytes, taken: bytes.length };
    const before = this.#begun?.length ?? 0;
    const seen = this.#begun === null ? bytes : Buffer.concat([this.#begun, bytes]);
    const out: Uint8Array[] = [];
    let from = before;
    let at = 0;
    this.#begun = null;
    while (at < seen.length && !this.isLost && !this.isWhole) {
      if (this.#part === "body") {
        at += this.#readBody(seen.length - at);
        continue;
      }
      const end = seen.indexOf(LF, at) + 1;
      if ((end === 0 ? seen.length : end) - at > WATCHED_LINE_MAX) this.isLost = true;
      else if (end === 0) this.#begun = seen.subarray(at);
      if (this.isLost || end === 0) break;
      const target = this.#readLine(seen, at, end);
      if (target !== null) {
        out.push(seen.subarray(from, end), Buffer.from(`${this.#telling}: ${target}\r\n`, "latin1"));
        from = end;
      }
      at = end;
    }
    const to = this.isWhole ? at : seen.length;
    const rest = seen.subarray(from, to);
    return { onward: out.length === 0 ? rest : Buffer.concat([...out, rest]), taken: to - before };
  }

  #readBody(available: number): number {
    const taken = Math.min(this.#left, available);
    this.#left -= taken;
    if (this.#left === 0) this.#part = this.#isChunked ? "chunk-end" : "whole";
    return taken;
  }

  /** Returns the target where it is to be reported. */
  #readLine(bytes: Buffer, from: number, end: number): string | null {
    switch (this.#part) {
      case "line":
        return this.#readRequestLine(bytes, from, end);
      case "fields":
        this.#readField(bytes, from, end);
        return null;
      case "chunk-size":
        this.#readChunkSize(bytes.latin1Slice(from, end));
        return null;
      default:
        // Behind a chunk, or behind the last one: trailers are for the runtime alone.
        if (end - from !== 2 || bytes[from] !== CR) this.isLost = true;
        else this.#part = this.#part === "last-line" ? "whole" : "chunk-size";
        return null;
    }
  }

  #readChunkSize(line: string): void {
    if (!CHUNK_SIZE.test(line)) {
      this.isLost = true;
      return;
    }
    this.#left = Number.parseInt(line, 16);
    this.#part = this.#left === 0 ? "last-line" : "body";
  }

  #readRequestLine(bytes: Buffer, from: number, end: number): string | null {
    const method = methodLength(bytes, from, end);
    const start = from + method;
    let at = start;
    let before = 0;
    let hasDots = false;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte <= SPACE || byte === DELETE) break;
      if (before === SLASH && (byte === DOT || byte === PERCENT)) hasDots = true;
      before = byte;
    }
    const isNew = end - at === VERSION.length && startsWith(bytes, at, end, VERSION);
    const isOld = end - at === OLD_VERSION.length && startsWith(bytes, at, end, OLD_VERSION);
    if (method === 0 || at === start || !(isNew || isOld)) {
      this.isLost = true;
      return null;
    }
    this.#part = "fields";
    this.isHead = method === HEAD.length && startsWith(bytes, from, end, HEAD);
    // Only the runtime decides how long a connection of HTTP/1.0 stays, and what follows CONNECT is not a request.
    this.isLost = isOld || startsWith(bytes, from, end, CONNECT);
    if (!hasDots || this.#telling === null) return null;
    const target = bytes.latin1Slice(start, at);
    return DOT_SEGMENT.test(target) ? target : null;
  }

  #readField(bytes: Buffer, from: number, end: number): void {
    if (bytes[end - 2] !== CR) this.isLost = true;
    else if (end - from > 2) this.isLost = !this.#takeField(bytes, from, end - 2);
    else if (this.#isChunked && this.#length !== null) this.isLost = true;
    else {
      this.#left = this.#length ?? 0;
      this.#part = this.#isChunked ? "chunk-size" : this.#left > 0 ? "body" : "whole";
    }
  }

  /** False for a field that readers understand in two ways. */
  #takeField(bytes: Buffer, from: number, to: number): boolean {
    let colon = from;
    while (colon < to && isInName(bytes[colon] ?? 0)) colon++;
    if (colon === from || bytes[colon] !== COLON) return false;
    for (let at = colon + 1; at < to; at++) if (!isInValue(bytes[at] ?? 0)) return false;
    const name = FIELDS[colon - from]?.find((each) => isName(bytes, from, each.name));
    if (name === undefined) return true;
    let start = colon + 1;
    let stop = to;
    while (start < stop && bytes[start] === SPACE) start++;
    while (stop > start && bytes[stop - 1] === SPACE) stop--;
    switch (name.what) {
      case "connection":
        this.isLast ||= isValue(bytes, start, stop, CLOSE);
        return this.isLast || !ENDS.test(bytes.latin1Slice(start, stop));
      case "coding":
        if (this.#isChunked || !isValue(bytes, start, stop, CHUNKED)) return false;
        this.#isChunked = true;
        return true;
      case "length": {
        const text = bytes.latin1Slice(start, stop);
        if (this.#length !== null || !LENGTH.test(text)) return false;
        this.#length = Number(text);
        return true;
      }
    }
  }
}

function isInName(byte: number): boolean {
  return ((PARTS[byte] ?? 0) & IN_TOKEN) !== 0;
}

/** Visible ASCII, spaces, tabs, and what is beyond ASCII: no reader ends a line there. */
function isInValue(byte: number): boolean {
  return (byte >= SPACE && byte !== DELETE) || byte === TAB;
}

function isValue(bytes: Buffer, from: number, to: number, value: Uint8Array): boolean {
  return to - from === value.length && isName(bytes, from, value);
}

/** Length of the upper case letters and the space after them; 0 without any. */
function methodLength(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] ?? 0) >= 65 && (bytes[at] ?? 0) <= 90) at++;
  return at > from && bytes[at] === SPACE ? at + 1 - from : 0;
}

type WatchedField = { readonly name: Uint8Array; readonly what: Field };

function byLength(fields: readonly (readonly [string, Field])[]): readonly (readonly WatchedField[])[] {
  const longest = Math.max(...fields.map(([name]) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    fields.filter(([name]) => name.length === length).map(([name, what]) => ({ name: bytesOf(name), what })),
  );
}
