// What the trie keeps of one name behind its node: class, flags, hold end and target (A31, A31a, A35, A42).
//
//   value = head [ hold ] [ template:varint middle ]
//   head  = 1 byte: form of the target's middle (3 bits, 0: no target), PLAIN, HELD, class (3 bits)
//   hold  = length:varint, the instant as text
import type { Instant } from "../../shared/time/instant.ts";
import { type ByteRoom, isPlainEntry, type NameClass, type TableEntry } from "../table.ts";
import { type ByteSink, byteAt, type Cursor, readVarint } from "./trie-layout.ts";
import type { TargetBytes } from "./trie-target-bytes.ts";
import { FORM, readTarget, readText, type TargetWriter, type Template } from "./trie-targets.ts";

const CLASSES: readonly NameClass[] = ["answers", "tombstone", "blocked", "reserved", "invisible"];
const CLASS_MASK = 0x07;
const HELD = 0x08;
/** The whole answer is a redirect to the target. */
const PLAIN = 0x10;
const FORM_SHIFT = 5;
const RESERVED = CLASSES.indexOf("reserved");
const INVISIBLE = CLASSES.indexOf("invisible");

/** Appends the value of a name. */
export function writeValue(sink: ByteSink, key: string, entry: TableEntry, targets: TargetWriter): void {
  sink.ensure(64);
  const head = sink.length++;
  let bits = CLASSES.indexOf(entry.class);
  if (isPlainEntry(entry)) bits |= PLAIN;
  if (entry.holdUntil !== null) {
    bits |= HELD;
    writeHold(sink, entry.holdUntil);
  }
  if (entry.url !== "") bits |= targets.write(sink, entry.url, key) << FORM_SHIFT;
  sink.bytes[head] = bits;
}

function writeHold(sink: ByteSink, until: string): void {
  sink.ensure(until.length + 2);
  sink.pushVarint(until.length);
  for (let index = 0; index < until.length; index++) sink.push(until.charCodeAt(index));
}

/** True where the name at this value is as never seen (A31a), so that the search goes on upwards. */
export function isUnseen(head: number, withReserved: boolean): boolean {
  const index = head & CLASS_MASK;
  return index === INVISIBLE || (index === RESERVED && !withReserved);
}

/** One for all readings, which never overlap: a look-up should leave no garbage but its answer. */
const cursor: Cursor = { at: 0 };

export function isPlain(head: number): boolean {
  return (head & PLAIN) !== 0;
}

/** The target of a value that is plain; its name is `keyLength` characters of `text`, from `keyFrom` on. */
export function plainTargetAt(
  bytes: Uint8Array,
  at: number,
  templates: readonly Template[],
  text: string,
  keyFrom: number,
  keyLength: number,
): string {
  cursor.at = at + 1;
  return readTarget(bytes, cursor, byteAt(bytes, at) >> FORM_SHIFT, templates, text, keyFrom, keyLength);
}

const NO_TARGET: ReadonlyMap<NameClass, TableEntry> = new Map(
  CLASSES.map((each) => [each, { class: each, url: "", holdUntil: null }]),
);

/** The same, written; its name is all of `name` from `from` to `to`. False where there is too little room. */
export function writePlainTargetAt(
  bytes: Uint8Array,
  at: number,
  targets: TargetBytes,
  name: Uint8Array,
  from: number,
  to: number,
  room: ByteRoom,
): boolean {
  cursor.at = at + 1;
  return targets.write(cursor, byteAt(bytes, at) >> FORM_SHIFT, name, from, to, room);
}

export function entryAt(
  bytes: Uint8Array,
  at: number,
  templates: readonly Template[],
  text: string,
  keyLength: number,
): TableEntry {
  const head = byteAt(bytes, at);
  const nameClass = CLASSES[head & CLASS_MASK];
  const bare = nameClass === undefined ? undefined : NO_TARGET.get(nameClass);
  if (nameClass === undefined || bare === undefined)
    throw new RangeError("The table holds a class that does not exist");
  const form = head >> FORM_SHIFT;
  if (form === FORM.none && (head & HELD) === 0) return bare;
  cursor.at = at + 1;
  let holdUntil: Instant | null = null;
  if ((head & HELD) !== 0) {
    const length = readVarint(bytes, cursor);
    holdUntil = readText(bytes, cursor.at, length, 1);
    cursor.at += length;
  }
  const url = form === FORM.none ? "" : readTarget(bytes, cursor, form, templates, text, 0, keyLength);
  return { class: nameClass, url, holdUntil };
}
