// How the trie keeps targets small: a template (what many targets begin and end with) and the part between, which is a
// number, a UUID, a piece of the name itself, or text. Templates are learned while the names stream by. Any string
// survives unchanged.
import { type ByteSink, byteAt, type Cursor, readFixed, readVarint } from "./trie-layout.ts";

/** What many targets begin and end with. Template 0 is empty. */
export type Template = { readonly prefix: string; readonly suffix: string };

/** How the part between prefix and suffix is written; three bits. */
export const FORM = { none: 0, text: 1, wide: 2, number: 3, uuid: 4, name: 5, padded: 6 } as const;

/** Template numbers take at most two bytes. */
const TEMPLATES_MAX = 16_384;
const CANDIDATES_MAX = 4_096;
const AFFIX_MIN = 4;
const AFFIX_MAX = 512;
/** Of each target only this many longer prefixes and suffixes are counted. */
const CANDIDATES_A_TARGET = 12;
/** Targets whose prefix is already known are checked for a longer one this rarely. */
const LEARN_EVERY = 4;
const NAME_PIECE_MIN = 4;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;
const UUID_GROUPS: readonly number[] = [4, 2, 2, 2, 6];
const NUMBER_DIGITS_MAX = 15;
const ZERO = 48;

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** Beginnings, or endings, that are worth a number because they come again and again. */
function affixes() {
  const known = new Map<string, number>([["", 0]]);
  let candidates = new Map<string, number>();
  return {
    find: (text: string): number | undefined => known.get(text),
    get count() {
      return known.size;
    },
    /**
     * Counts one more sight. The more are known, the oftener a new one must be seen: rare ones must not use up the
     * numbers.
     */
    seen(text: string): void {
      const times = (candidates.get(text) ?? 0) + 1;
      if (times >= 4 + known.size / 64 && known.size < TEMPLATES_MAX) {
        known.set(text, known.size);
        candidates.delete(text);
        return;
      }
      if (candidates.size >= CANDIDATES_MAX) candidates = new Map();
      candidates.set(text, times);
    },
  };
}

export type TargetWriter = {
  /** Appends template number and middle of the target of this name; returns the form of the middle. */
  write(sink: ByteSink, url: string, key: string): number;
  readonly templates: readonly Template[];
};

/** Learns templates from the targets it writes; one for the building of one table. */
export function targetWriter(): TargetWriter {
  const prefixes = affixes();
  const suffixes = affixes();
  const templates: Template[] = [{ prefix: "", suffix: "" }];
  const numbers = new Map<number, number>([[0, 0]]);
  let turn = 0;

  const templateOf = (prefix: number, suffix: number, url: string, from: number, to: number): number => {
    const pair = prefix * TEMPLATES_MAX + suffix;
    const known = numbers.get(pair);
    if (known !== undefined) return known;
    if (templates.length >= TEMPLATES_MAX) return -1;
    numbers.set(pair, templates.length);
    return templates.push({ prefix: url.slice(0, from), suffix: url.slice(to) }) - 1;
  };

  const longestPrefix = (url: string, learn: boolean): number => {
    let tries = 0;
    for (let cut = Math.min(url.length, AFFIX_MAX); cut >= AFFIX_MIN; cut--) {
      if (isAlphanumeric(url.charCodeAt(cut - 1))) continue;
      const prefix = url.slice(0, cut);
      if (prefixes.find(prefix) !== undefined) return cut;
      if (learn && tries++ < CANDIDATES_A_TARGET) prefixes.seen(prefix);
    }
    return 0;
  };

  const longestSuffix = (url: string, from: number, learn: boolean): number => {
    let tries = 0;
    for (let cut = Math.max(from + 1, url.length - AFFIX_MAX); cut <= url.length - AFFIX_MIN; cut++) {
      if (isAlphanumeric(url.charCodeAt(cut))) continue;
      const suffix = url.slice(cut);
      if (suffixes.find(suffix) !== undefined) return cut;
      if (learn && tries++ < CANDIDATES_A_TARGET) suffixes.seen(suffix);
    }
    return url.length;
  };

  return {
    templates,
    write(sink, url, key) {
      turn = (turn + 1) % LEARN_EVERY;
      let from = longestPrefix(url, turn === 0 || templates.length < LEARN_EVERY);
      let to = url.length;
      let form = formOf(url, from, to, key);
      if (form === FORM.text || form === FORM.wide) {
        to = longestSuffix(url, from, turn === 0 || suffixes.count < LEARN_EVERY);
        form = formOf(url, from, to, key);
      }
      const prefix = prefixes.find(url.slice(0, from)) ?? 0;
      const suffix = suffixes.find(url.slice(to)) ?? 0;
      let template = templateOf(prefix, suffix, url, from, to);
      if (template === -1) {
        template = 0;
        from = 0;
        to = url.length;
        form = formOf(url, from, to, key);
      }
      sink.ensure(2 * url.length + 16);
      sink.pushVarint(template);
      writeMiddle(sink, form, url, from, to, key);
      return form;
    },
  };
}

function formOf(url: string, from: number, to: number, key: string): number {
  if (isNumber(url, from, to)) return to - from > 1 && url.charCodeAt(from) === ZERO ? FORM.padded : FORM.number;
  if (to - from === UUID_LENGTH && UUID.test(url.slice(from, to))) return FORM.uuid;
  if (to - from >= NAME_PIECE_MIN && pieceOf(key, url, from, to) !== -1) return FORM.name;
  for (let index = from; index < to; index++) if (url.charCodeAt(index) > 255) return FORM.wide;
  return FORM.text;
}

function isNumber(url: string, from: number, to: number): boolean {
  const digits = to - from;
  if (digits < 1 || digits > NUMBER_DIGITS_MAX) return false;
  for (let index = from; index < to; index++) {
    const code = url.charCodeAt(index);
    if (code < ZERO || code > ZERO + 9) return false;
  }
  return true;
}

/** Where the key holds this part of the url, or -1. */
function pieceOf(key: string, url: string, from: number, to: number): number {
  const first = url.charCodeAt(from);
  const last = key.length - (to - from);
  for (let start = 0; start <= last; start++) {
    if (key.charCodeAt(start) !== first) continue;
    let index = from + 1;
    while (index < to && url.charCodeAt(index) === key.charCodeAt(start + index - from)) index++;
    if (index === to) return start;
  }
  return -1;
}

function writeMiddle(sink: ByteSink, form: number, url: string, from: number, to: number, key: string): void {
  if (form === FORM.number || form === FORM.padded) {
    if (form === FORM.padded) sink.push(to - from);
    sink.pushVarint(Number(url.slice(from, to)));
  } else if (form === FORM.uuid) {
    const digits = url.slice(from, to).replaceAll("-", "");
    for (let index = 0; index < digits.length; index += 2)
      sink.push(Number.parseInt(digits.slice(index, index + 2), 16));
  } else if (form === FORM.name) {
    const start = pieceOf(key, url, from, to);
    sink.pushVarint(start);
    sink.pushVarint(key.length - start - (to - from));
  } else {
    sink.pushVarint(to - from);
    const width = form === FORM.wide ? 2 : 1;
    for (let index = from; index < to; index++) sink.pushFixed(url.charCodeAt(index), width);
  }
}

/** The target written at the cursor. The name it belongs to is `keyLength` characters of `text`, from `keyFrom` on. */
export function readTarget(
  bytes: Uint8Array,
  cursor: Cursor,
  form: number,
  templates: readonly Template[],
  text: string,
  keyFrom: number,
  keyLength: number,
): string {
  const template = templates[readVarint(bytes, cursor)];
  if (template === undefined) throw new RangeError("The table names a template it does not hold");
  const middle = readMiddle(bytes, cursor, form, text, keyFrom, keyLength);
  return template.suffix === "" ? template.prefix + middle : template.prefix + middle + template.suffix;
}

function readMiddle(
  bytes: Uint8Array,
  cursor: Cursor,
  form: number,
  text: string,
  keyFrom: number,
  keyLength: number,
): string {
  if (form === FORM.number) return String(readVarint(bytes, cursor));
  if (form === FORM.uuid) return readUuid(bytes, cursor.at);
  const first = readVarint(bytes, cursor);
  if (form === FORM.padded) return paddedText(readVarint(bytes, cursor), first);
  if (form === FORM.name) return text.slice(keyFrom + first, keyFrom + keyLength - readVarint(bytes, cursor));
  return readText(bytes, cursor.at, first, form === FORM.wide ? 2 : 1);
}

/**
 * "000" to "999": a number put together from these is a few pointers, where `padStart` would make two more texts on the
 * way.
 */
const THOUSAND: readonly string[] = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, "0"));

function paddedText(value: number, digits: number): string {
  let rest = value;
  let text = "";
  let left = digits;
  for (; left >= 3; left -= 3) {
    text = (THOUSAND[rest % 1000] ?? "") + text;
    rest = Math.floor(rest / 1000);
  }
  return left === 0 ? text : String(rest).padStart(left, "0") + text;
}

function readUuid(bytes: Uint8Array, from: number): string {
  let at = from;
  let text = "";
  for (const size of UUID_GROUPS) {
    if (text !== "") text += "-";
    for (const end = at + size; at < end; at++) text += byteAt(bytes, at).toString(16).padStart(2, "0");
  }
  return text;
}

const CODES_AT_ONCE = 1_024;
/**
 * Reused between calls: `fromCharCode` with all codes at once is the fastest way to a string, and an array a call would
 * be garbage.
 */
const codes: number[] = [];

/** Text of one or two bytes a character. */
export function readText(bytes: Uint8Array, from: number, length: number, width: number): string {
  let text = "";
  for (let done = 0; done < length; done += CODES_AT_ONCE) {
    const count = Math.min(CODES_AT_ONCE, length - done);
    codes.length = count;
    for (let index = 0; index < count; index++) {
      const at = from + (done + index) * width;
      codes[index] = width === 1 ? byteAt(bytes, at) : readFixed(bytes, at, 2);
    }
    text += String.fromCharCode.apply(null, codes);
  }
  return text;
}
