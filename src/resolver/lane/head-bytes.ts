// What bytes of a request head may be, for the readers of the fast lane (docs/fast-lane.md). What is taken here means
// the same to every reader of RFC 9112; everything else they leave to the HTTP server of the runtime.

export const CR = 13;
export const LF = 10;
export const SPACE = 32;
export const DOT = 46;
export const SLASH = 47;
export const COLON = 58;
export const DELETE = 127;
/** Makes a capital of ASCII small. */
const SMALL = 32;

/** What a byte may be part of. */
export const IN_PATH = 1;
export const IN_FIELD_NAME = 2;
export const IN_FIELD_VALUE = 4;
export const IN_HOST = 8;
/** All that a field name may hold (RFC 9110, section 5.6.2). */
export const IN_TOKEN = 16;
export const PARTS = byteParts();

/**
 * Fields that determine the framing of a message or the fate of the connection: the runtime handles requests with such
 * a field.
 */
export const FRAMING = [
  "content-length",
  "content-encoding",
  "content-type",
  "transfer-encoding",
  "te",
  "trailer",
  "expect",
  "upgrade",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
];

const KEEP_ALIVE = bytesOf("keep-alive");

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function startsWith(bytes: Uint8Array, from: number, limit: number, text: Uint8Array): boolean {
  if (limit - from < text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text[at]) return false;
  return true;
}

/** True where these are the letters of `name`, which is lower case and matches upper case too. */
export function isName(bytes: Uint8Array, from: number, name: Uint8Array): boolean {
  for (let at = 0; at < name.length; at++) {
    const byte = bytes[from + at] ?? 0;
    const small = byte >= 65 && byte <= 90 ? byte | SMALL : byte;
    if (small !== name[at]) return false;
  }
  return true;
}

/** True where the value of a field is `keep-alive`: the only connection option of a plain request. */
export function isKeepAlive(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from === KEEP_ALIVE.length && isName(bytes, from, KEEP_ALIVE);
}

function byteParts(): Uint8Array {
  const parts = new Uint8Array(256);
  const add = (text: string, part: number): void => {
    for (const byte of bytesOf(text)) parts[byte] = (parts[byte] ?? 0) | part;
  };
  const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  // Of what a path may hold: nothing that begins a query or a fragment, is decoded, or is written otherwise by a parser
  // of addresses.
  add(`${alphanumeric}-._~/:=+*@$`, IN_PATH);
  add(`${alphanumeric}-`, IN_FIELD_NAME);
  add(`${alphanumeric}-.`, IN_HOST);
  add(`${alphanumeric}!#$%&'*+-.^_\`|~`, IN_TOKEN);
  // Beyond ASCII, too: fronts pass on names of cities and people.
  for (let byte = 0x20; byte <= 0xff; byte++) if (byte !== 0x7f) parts[byte] = (parts[byte] ?? 0) | IN_FIELD_VALUE;
  return parts;
}
