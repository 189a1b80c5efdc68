// Reads the head of a request for a plain redirect out of bytes, and nothing else: whatever is unusual in any way is
// not plain, and is for the HTTP server of the runtime to judge (docs/fast-lane.md). A head that is plain here means
// the same to every reader of RFC 9112.
import {
  bytesOf,
  COLON,
  CR,
  DELETE,
  DOT,
  FRAMING,
  IN_FIELD_NAME,
  IN_FIELD_VALUE,
  IN_HOST,
  IN_PATH,
  isKeepAlive,
  isName,
  LF,
  PARTS,
  SLASH,
  SPACE,
  startsWith,
} from "./head-bytes.ts";

type PlainHeadRules = {
  /** The mount prefix; empty where there is none. */
  readonly rootPath: string;
  /** Lower case; null where no header is trusted to hold the request target (A34). */
  readonly rawUriHeader: string | null;
};

/** Longer heads and heads of more lines are left to the runtime, which has separate limits. */
export const PLAIN_HEAD_MAX = 4096;
export const PLAIN_LINES_MAX = 48;
/** The longest request id that is handed back as it is; the frame cuts longer ones. */
const ID_MAX = 64;

/** Fields that are read; all others mean nothing to a redirect. */
type WatchedField = { readonly name: Uint8Array; readonly what: "framing" | "host" | "connection" | "id" | "target" };

/**
 * One reader for all requests of a thread: it makes no object and no text. Its fields tell of the last head that was
 * plain.
 */
export class PlainHead {
  /** Where the next request begins. */
  end = 0;
  /** The path as it came, mount prefix and all, and where the name in it begins: behind the label and one slash. */
  pathFrom = 0;
  nameFrom = 0;
  pathEnd = 0;
  hostFrom = 0;
  hostEnd = 0;
  /** The request id that was sent; empty where none was. */
  idFrom = 0;
  idEnd = 0;
  #targetFrom = 0;
  #targetEnd = 0;
  readonly #starts: readonly Uint8Array[];
  /** By the length of the name. */
  readonly #watched: (readonly WatchedField[])[];

  constructor({ rootPath, rawUriHeader }: PlainHeadRules) {
    this.#starts = (rootPath === "" ? [""] : ["", rootPath]).map((prefix) => bytesOf(`GET ${prefix}/ark:`));
    const watched: WatchedField[] = [
      ...FRAMING.map((name) => ({ name: bytesOf(name), what: "framing" as const })),
      { name: bytesOf("host"), what: "host" },
      { name: bytesOf("connection"), what: "connection" },
      { name: bytesOf("x-request-id"), what: "id" },
      ...(rawUriHeader === null ? [] : [{ name: bytesOf(rawUriHeader), what: "target" as const }]),
    ];
    const longest = Math.max(...watched.map(({ name }) => name.length));
    this.#watched = Array.from({ length: longest + 1 }, (_, length) =>
      watched.filter(({ name }) => name.length === length),
    );
  }

  /** True when a whole plain head begins at `from`; it ends before `to`, which is where the bytes end. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const limit = Math.min(to, from + PLAIN_HEAD_MAX);
    let at = this.#readPath(bytes, from, limit);
    if (at === -1 || !startsWith(bytes, at, limit, VERSION)) return false;
    at += VERSION.length;
    this.hostFrom = this.hostEnd = this.idFrom = this.idEnd = this.#targetFrom = this.#targetEnd = 0;
    for (let line = 0; line <= PLAIN_LINES_MAX; line++) {
      if (at + 1 >= limit) return false;
      if (bytes[at] === CR) {
        this.end = at + 2;
        return bytes[at + 1] === LF && this.hostEnd > this.hostFrom && this.#namesSameTarget(bytes);
      }
      at = this.#readField(bytes, at, limit);
      if (at === -1) return false;
    }
    return false;
  }

  /** Returns where the path ends; -1 where the line does not begin as that of a plain request. */
  #readPath(bytes: Uint8Array, from: number, limit: number): number {
    let at = -1;
    for (const start of this.#starts) if (startsWith(bytes, from, limit, start)) at = from + start.length;
    if (at === -1) return -1;
    this.pathFrom = from + METHOD_LENGTH;
    this.nameFrom = bytes[at] === SLASH ? at + 1 : at;
    let before = COLON;
    for (; at < limit; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === SPACE) break;
      // The runtime takes dot segments out of a path before anybody sees it.
      if (((PARTS[byte] ?? 0) & IN_PATH) === 0 || (byte === DOT && before === SLASH)) return -1;
      before = byte;
    }
    this.pathEnd = at;
    return at;
  }

  /** Returns where the next line begins; -1 where this one is not plain. */
  #readField(bytes: Uint8Array, from: number, limit: number): number {
    let colon = from;
    while (colon < limit && ((PARTS[bytes[colon] ?? 0] ?? 0) & IN_FIELD_NAME) !== 0) colon++;
    if (colon === from || colon >= limit || bytes[colon] !== COLON) return -1;
    let end = colon + 1;
    while (end < limit && ((PARTS[bytes[end] ?? 0] ?? 0) & IN_FIELD_VALUE) !== 0) end++;
    if (end + 1 >= limit || bytes[end] !== CR || bytes[end + 1] !== LF) return -1;
    for (const { name, what } of this.#watched[colon - from] ?? []) {
      if (isName(bytes, from, name) && !this.#readWatched(bytes, what, colon + 1, end)) return -1;
    }
    return end + 2;
  }

  /** False where the value makes the request anything but plain; so does a field that comes twice. */
  #readWatched(bytes: Uint8Array, what: WatchedField["what"], from: number, to: number): boolean {
    while (from < to && bytes[from] === SPACE) from++;
    while (to > from && bytes[to - 1] === SPACE) to--;
    switch (what) {
      case "framing":
        return false;
      case "connection":
        return isKeepAlive(bytes, from, to);
      case "host":
        if (this.hostEnd !== 0 || !isHost(bytes, from, to)) return false;
        this.hostFrom = from;
        this.hostEnd = to;
        return true;
      case "id":
        if (this.idEnd !== 0 || to === from || to - from > ID_MAX || !isVisible(bytes, from, to)) return false;
        this.idFrom = from;
        this.idEnd = to;
        return true;
      case "target":
        if (this.#targetEnd !== 0 || to === from) return false;
        this.#targetFrom = from;
        this.#targetEnd = to;
        return true;
    }
  }

  /** True where no trusted header gives another target than the request line. */
  #namesSameTarget(bytes: Uint8Array): boolean {
    if (this.#targetEnd === 0) return true;
    const length = this.pathEnd - this.pathFrom;
    if (this.#targetEnd - this.#targetFrom !== length) return false;
    for (let at = 0; at < length; at++) {
      if (bytes[this.#targetFrom + at] !== bytes[this.pathFrom + at]) return false;
    }
    return true;
  }
}

/** ASCII without spaces. */
function isVisible(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) <= SPACE || (bytes[at] ?? 0) >= DELETE) return false;
  return true;
}

const METHOD_LENGTH = "GET ".length;
const VERSION = bytesOf(" HTTP/1.1\r\n");
/** A name or an IPv4 address, with or without a port: what no parser of addresses reads in two ways. */
function isHost(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && ((PARTS[bytes[at] ?? 0] ?? 0) & IN_HOST) !== 0) at++;
  if (at === from) return false;
  if (at === to) return true;
  if (bytes[at] !== COLON || to - at < 2 || to - at > 6) return false;
  for (at++; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 48 || byte > 57) return false;
  }
  return true;
}
