// Watches the requests of a connection that was handed on, as they go by (docs/fast-lane.md): whether each ends where every reader sees it end, and
// which targets the runtime would rewrite before anybody sees them (A43). It stops for good at the first head that is unusual in any way.
import {
  COLON,
  CR,
  DOT,
  FRAMING,
  IN_FIELD_NAME,
  IN_FIELD_VALUE,
  isKeepAlive,
  isName,
  LF,
  octetsOf,
  PARTS,
  SLASH,
  SPACE,
  startsWith,
} from "./head-octets.ts";

/** Longer lines are not watched. */
export const WATCHED_LINE_MAX = 8192;

const METHODS = ["GET ", "HEAD "].map(octetsOf);
const VERSION = octetsOf(" HTTP/1.1\r\n");
const OLD_VERSION = octetsOf(" HTTP/1.0\r\n");
const CONNECTION = octetsOf("connection");
const FRAMING_BY_LENGTH = byLength(FRAMING.map(octetsOf));
const PERCENT = 37;
/** A segment of one or two dots in the path, percent-encoded or not. */
const DOT_SEGMENT = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

export class RequestWatch {
  /** Requests that have come whole: none of them has a body. */
  whole = 0;
  /** Something has come behind which nobody knows where requests begin. */
  isLost = false;
  /** Requests whose answers have no body, whatever their heads say. */
  hasHeads = false;
  readonly #telling: string;
  #isInHead = false;
  #isLast = false;
  /** The beginning of a line, which has gone by. */
  #begun: Buffer | null = null;

  /** `telling`: the field that holds the target as it was sent; no client knows its name. */
  constructor(telling: string) {
    this.#telling = telling;
  }

  /** True when all that has come are whole requests. */
  get isBetween(): boolean {
    return !this.isLost && !this.#isInHead && this.#begun === null;
  }

  /** Gives back what is to go on: the same octets, and behind a request line whose target the runtime rewrites the field that tells it. */
  read(octets: Buffer): Buffer {
    if (this.isLost) return octets;
    const seen = this.#begun === null ? octets : Buffer.concat([this.#begun, octets]);
    const out: Uint8Array[] = [];
    let from = seen.length - octets.length;
    let at = 0;
    this.#begun = null;
    while (at < seen.length && !this.isLost) {
      const end = seen.indexOf(LF, at) + 1;
      if (end === 0) {
        if (seen.length - at > WATCHED_LINE_MAX) this.isLost = true;
        else this.#begun = seen.subarray(at);
        break;
      }
      if (this.#isInHead) this.#readField(seen, at, end);
      else {
        const target = this.#readLine(seen, at, end);
        if (target !== null) {
          out.push(seen.subarray(from, end), Buffer.from(`${this.#telling}: ${target}\r\n`, "latin1"));
          from = end;
        }
      }
      at = end;
    }
    return out.length === 0 ? octets : Buffer.concat([...out, seen.subarray(from)]);
  }

  /** Gives back the target where it is to be told. */
  #readLine(octets: Buffer, from: number, end: number): string | null {
    const method = methodLength(octets, from, end);
    const start = from + method;
    let at = start;
    let before = 0;
    let hasDots = false;
    for (; at < end; at++) {
      const octet = octets[at] ?? 0;
      if (octet <= SPACE || octet === 127) break;
      if (before === SLASH && (octet === DOT || octet === PERCENT)) hasDots = true;
      before = octet;
    }
    const isNew = end - at === VERSION.length && startsWith(octets, at, end, VERSION);
    if (
      method === 0 ||
      at === start ||
      !(isNew || (end - at === OLD_VERSION.length && startsWith(octets, at, end, OLD_VERSION)))
    ) {
      this.isLost = true;
      return null;
    }
    this.#isInHead = true;
    this.#isLast = !isNew || !METHODS.some((each) => each.length === method && startsWith(octets, from, end, each));
    this.hasHeads ||= method === "HEAD ".length;
    if (!hasDots) return null;
    const target = octets.latin1Slice(start, at);
    return DOT_SEGMENT.test(target) ? target : null;
  }

  #readField(octets: Buffer, from: number, end: number): void {
    if (octets[end - 2] !== CR || this.#isLast) this.isLost = true;
    else if (end - from === 2) {
      this.#isInHead = false;
      this.whole += 1;
    } else if (!saysNothing(octets, from, end - 2)) this.isLost = true;
  }
}

/** Of capitals and the space behind them; 0 where none stand there. */
function methodLength(octets: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (octets[at] ?? 0) >= 65 && (octets[at] ?? 0) <= 90) at++;
  return at > from && octets[at] === SPACE ? at + 1 - from : 0;
}

/** True for a field that speaks neither of a body nor of the connection, in letters that nobody reads in two ways. */
function saysNothing(octets: Buffer, from: number, to: number): boolean {
  let colon = from;
  while (colon < to && ((PARTS[octets[colon] ?? 0] ?? 0) & IN_FIELD_NAME) !== 0) colon++;
  if (colon === from || octets[colon] !== COLON) return false;
  for (let at = colon + 1; at < to; at++) if (((PARTS[octets[at] ?? 0] ?? 0) & IN_FIELD_VALUE) === 0) return false;
  const length = colon - from;
  if ((FRAMING_BY_LENGTH[length] ?? []).some((name) => isName(octets, from, name))) return false;
  if (length !== CONNECTION.length || !isName(octets, from, CONNECTION)) return true;
  let start = colon + 1;
  let stop = to;
  while (start < stop && octets[start] === SPACE) start++;
  while (stop > start && octets[stop - 1] === SPACE) stop--;
  return isKeepAlive(octets, start, stop);
}

function byLength(names: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const longest = Math.max(...names.map(({ length }) => length));
  return Array.from({ length: longest + 1 }, (_, length) => names.filter((name) => name.length === length));
}
