// Targets as bytes, put together in the answer itself (docs/fast-lane.md): what `readTarget` of trie-targets.ts makes
// as a text, for those that are plain, which are ASCII. No text is made.
import type { ByteRoom } from "../table.ts";
import { byteAt, type Cursor, readVarint } from "./trie-layout.ts";
import { FORM, type Template } from "./trie-targets.ts";

const ZERO = 48;
const DASH = 45;
const UUID_LENGTH = 36;
const HEX = new TextEncoder().encode("0123456789abcdef");

type Affixes = { readonly prefix: Uint8Array; readonly suffix: Uint8Array };

/** The targets of one segment. */
export class TargetBytes {
  readonly #bytes: Uint8Array;
  readonly #templates: readonly Template[];
  /** Made as they are met. */
  readonly #affixes: (Affixes | undefined)[] = [];

  constructor(bytes: Uint8Array, templates: readonly Template[]) {
    this.#bytes = bytes;
    this.#templates = templates;
  }

  /**
   * Writes the target at the cursor; the name it belongs to is all of `name` from `from` to `to`. False, and nothing is
   * written, where there is too little room or the target is none of ASCII.
   */
  write(cursor: Cursor, form: number, name: Uint8Array, from: number, to: number, room: ByteRoom): boolean {
    const bytes = this.#bytes;
    const number = readVarint(bytes, cursor);
    const { prefix, suffix } = this.#affixes[number] ?? this.#make(number);
    // Every form but the UUID begins with a number: the value, or the length of the middle.
    const first = form === FORM.uuid ? 0 : readVarint(bytes, cursor);
    const last = form === FORM.name || form === FORM.padded ? readVarint(bytes, cursor) : 0;
    const middle = middleLength(form, first, last, to - from);
    if (middle === -1 || prefix.length + middle + suffix.length > room.limit - room.at) return false;
    copy(prefix, 0, prefix.length, room);
    if (form === FORM.name) copy(name, from + first, to - last, room);
    else if (form === FORM.number) writeDigits(first, middle, room);
    else if (form === FORM.padded) writeDigits(last, middle, room);
    else if (form === FORM.uuid) writeUuid(bytes, cursor.at, room);
    else copy(bytes, cursor.at, cursor.at + first, room);
    copy(suffix, 0, suffix.length, room);
    return true;
  }

  #make(number: number): Affixes {
    const template = this.#templates[number];
    if (template === undefined) throw new RangeError("The table names a template it does not hold");
    const encoder = new TextEncoder();
    const affixes = { prefix: encoder.encode(template.prefix), suffix: encoder.encode(template.suffix) };
    this.#affixes[number] = affixes;
    return affixes;
  }
}

/** -1 for a form that is not ASCII. */
function middleLength(form: number, first: number, last: number, nameLength: number): number {
  switch (form) {
    case FORM.number:
      return digitsOf(first);
    case FORM.name:
      return nameLength - first - last;
    case FORM.text:
    case FORM.padded:
      return first;
    case FORM.uuid:
      return UUID_LENGTH;
    default:
      return -1;
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let next = 10; next <= value; next *= 10) digits++;
  return digits;
}

function copy(bytes: Uint8Array, from: number, to: number, room: ByteRoom): void {
  const into = room.bytes;
  let at = room.at;
  for (let next = from; next < to; next++) into[at++] = byteAt(bytes, next);
  room.at = at;
}

/** The number with `digits` digits, padded with zeros. */
function writeDigits(value: number, digits: number, room: ByteRoom): void {
  let rest = value;
  for (let at = room.at + digits - 1; at >= room.at; at--) {
    const next = Math.floor(rest / 10);
    room.bytes[at] = ZERO + rest - next * 10;
    rest = next;
  }
  room.at += digits;
}

function writeUuid(bytes: Uint8Array, from: number, room: ByteRoom): void {
  const into = room.bytes;
  let at = room.at;
  for (let index = 0; index < 16; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) into[at++] = DASH;
    const each = byteAt(bytes, from + index);
    into[at++] = byteAt(HEX, each >> 4);
    into[at++] = byteAt(HEX, each & 15);
  }
  room.at = at;
}
