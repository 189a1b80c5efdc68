// The header with which a front begins a connection to us and passes the address of its client (PROXY protocol 1 and 2,
// as HAProxy specifies it). Pure: bytes in, an address out.
import { most } from "../limits.ts";
import { addressBytes, addressText } from "./public-address.ts";

export type ProxyHeader =
  | {
      readonly kind: "whole";
      /** Where the bytes of the client begin. */
      readonly end: number;
      /** Of the client; null where the header passes none, and the address of the connection counts. */
      readonly address: string | null;
    }
  /** So far it may become one. */
  | { readonly kind: "partial" }
  | { readonly kind: "wrong"; readonly reason: string };

const PARTIAL: ProxyHeader = { kind: "partial" };
const TEXT_START = bytesOf("PROXY ");
/** The longest line of version 1, with its end. */
export const TEXT_MAX = 107;
const BINARY_START = bytesOf("\r\n\r\n\0\r\nQUIT\n");
const BINARY_HEAD = 16;
const CR = 13;
const LF = 10;

const LINE = /^(TCP4|TCP6) ([\da-fA-F:.]{2,45}) ([\da-fA-F:.]{2,45}) (\d{1,5}) (\d{1,5})$/;
/** Without leading zeros, which some readers take for octal. */
const DOTTED = /^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/;
const PORT_MAX = 65_535;

/**
 * Lengths of the two addresses and ports by the byte of family and transport; `address` is how long one address is.
 * Where it is 0 the connection has no address that we know, such as that of a socket in a folder.
 */
const FAMILIES: ReadonlyMap<number, { readonly length: number; readonly address: number }> = new Map([
  [0x00, { length: 0, address: 0 }],
  [0x11, { length: 12, address: 4 }],
  [0x21, { length: 36, address: 16 }],
  [0x31, { length: 216, address: 0 }],
]);

/** Reads the header from the first bytes of a connection. Bytes after it are not read. */
export function readProxyHeader(bytes: Uint8Array): ProxyHeader {
  const first = bytes[0];
  if (first === undefined) return PARTIAL;
  const start = first === CR ? BINARY_START : TEXT_START;
  const seen = Math.min(bytes.length, start.length);
  for (let at = 0; at < seen; at++) if (bytes[at] !== start[at]) return wrong("the connection begins with other bytes");
  if (seen < start.length) return PARTIAL;
  return first === CR ? readBinary(bytes) : readText(bytes);
}

function readText(bytes: Uint8Array): ProxyHeader {
  const limit = Math.min(bytes.length, TEXT_MAX);
  let end = TEXT_START.length;
  while (end < limit && bytes[end] !== LF) end++;
  if (end === limit) return limit === TEXT_MAX ? wrong(`the line is longer than ${TEXT_MAX} bytes`) : PARTIAL;
  if (bytes[end - 1] !== CR) return wrong("the line does not end in CR LF");
  const line = String.fromCharCode(...bytes.subarray(TEXT_START.length, end - 1));
  if (line === "UNKNOWN" || line.startsWith("UNKNOWN ")) return { kind: "whole", end: end + 1, address: null };
  const [, family, source = "", target = "", ...ports] = LINE.exec(line) ?? [];
  if (family === undefined) return wrong("the line is not that of TCP4, TCP6 or UNKNOWN");
  const [from, to] = [source, target].map((text) => (family === "TCP4" ? bytes4(text) : bytes6(text)));
  if (!from || !to) return wrong(`the addresses are not those of ${family}`);
  if (!ports.every(isPort)) return wrong("the ports are not numbers up to 65535");
  return { kind: "whole", end: end + 1, address: addressText(from) };
}

function readBinary(bytes: Uint8Array): ProxyHeader {
  const [command, family, high, low] = bytes.subarray(BINARY_START.length, BINARY_HEAD);
  if (command !== undefined && command !== 0x20 && command !== 0x21) return wrong("the version or command is unknown");
  const known = FAMILIES.get(family ?? 0);
  const isLocal = command === 0x20;
  if (!isLocal && known === undefined) return wrong("the family or transport is not that of a connection");
  if (high === undefined || low === undefined) return PARTIAL;
  const length = high * 256 + low;
  const end = BINARY_HEAD + length;
  if (end > most("proxyHeaderBytes")) return wrong(`the header is longer than ${most("proxyHeaderBytes")} bytes`);
  if (!isLocal && length < (known?.length ?? 0)) return wrong("the addresses are longer than the header");
  if (bytes.length < end) return PARTIAL;
  const size = isLocal ? 0 : (known?.address ?? 0);
  const address = size === 0 ? null : addressText([...bytes.subarray(BINARY_HEAD, BINARY_HEAD + size)]);
  return { kind: "whole", end, address };
}

function wrong(reason: string): ProxyHeader {
  return { kind: "wrong", reason };
}

function bytes4(text: string): readonly number[] | null {
  return DOTTED.test(text) ? addressBytes(text) : null;
}

function bytes6(text: string): readonly number[] | null {
  const last = text.slice(text.lastIndexOf(":") + 1);
  return text.includes(":") && (!last.includes(".") || DOTTED.test(last)) ? addressBytes(text) : null;
}

/** Without leading zeros. */
function isPort(text: string): boolean {
  return String(Number(text)) === text && Number(text) <= PORT_MAX;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
