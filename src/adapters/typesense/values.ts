// How tokens, numbers and texts of sorts are written for Typesense (R27, R28), so that its own ideas of what a letter
// is, how long a word may be and how a text is sorted never matter: different values stay different, equal ones equal,
// and beginnings and order are kept.
import { sha256Hex } from "../../shared/hash/digests.ts";

/** What Typesense leaves as it is: it folds other letters into these, and `z` begins what is written otherwise. */
const AS_IT_IS = /^[a-y0-9\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]$/u;
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxy";
const DIGITS_OF_A_CHARACTER = 4;

/** Typesense reads the first hundred bytes of a token. */
const MAX_TOKEN = 90;
const HEAD_OF_LONG_TOKEN = 60;
const BYTES_OF_KANA_AND_HAN = 3;
const DIGEST_DIGITS = 24;

/** No token is written so: what a field without any holds, for an empty text was never seen to be taken. */
export const NO_TOKEN = "zz";

function writtenCharacter(character: string): string {
  if (AS_IT_IS.test(character)) return character;
  let code = character.codePointAt(0) ?? 0;
  let written = "";
  for (let digit = 0; digit < DIGITS_OF_A_CHARACTER; digit++) {
    written = DIGITS.charAt(code % DIGITS.length) + written;
    code = Math.floor(code / DIGITS.length);
  }
  return `z${written}`;
}

/** The characters one by one, so that the beginning of a token is written as the beginning of what is written. */
function written(text: string): string {
  let all = "";
  for (const character of text) all += writtenCharacter(character);
  return all;
}

const byteLength = (text: string): number =>
  text.length + (text.match(/[^\0-\x7f]/g) ?? []).length * (BYTES_OF_KANA_AND_HAN - 1);

function headOf(text: string): string {
  let head = "";
  for (const character of text) {
    const next = head + writtenCharacter(character);
    if (byteLength(next) > HEAD_OF_LONG_TOKEN) break;
    head = next;
  }
  return head;
}

const PLAIN_WORD = /^[a-y0-9]+$/;

/** A very long token is its beginning and a digest. */
export function tokenWritten(token: string): string {
  if (PLAIN_WORD.test(token) && token.length <= MAX_TOKEN) return token;
  const whole = written(token);
  if (byteLength(whole) <= MAX_TOKEN) return whole;
  const digest = sha256Hex(token).slice(0, DIGEST_DIGITS);
  return `${headOf(token)}${NO_TOKEN}${written(digest)}`;
}

/** A prefix is written as far as long tokens store it. */
export const prefixWritten = (prefix: string): string =>
  byteLength(written(prefix)) <= HEAD_OF_LONG_TOKEN ? written(prefix) : headOf(prefix);

const KEY = /^[a-z0-9]{1,64}$/;
/** Every document has a key in every field, so that negated conditions are true of those without one. */
export const NO_KEY = "0";
const KEY_MARK = "1";

/** Null for what can be no key of a document. */
export const keyWritten = (key: string): string | null => (KEY.test(key) ? KEY_MARK + key : null);
export const keyRead = (value: string): string | null => (value.startsWith(KEY_MARK) ? value.slice(1) : null);

const WORD = new DataView(new ArrayBuffer(8));
const ALL_BUT_THE_SIGN = 0x7fff_ffff_ffff_ffffn;

/**
 * A double as a whole number of 64 bits that is sorted as it is: Typesense's broken numbers have half of the digits.
 */
export function numberWritten(value: number): bigint {
  WORD.setFloat64(0, value === 0 ? 0 : value);
  const bits = WORD.getBigInt64(0);
  return bits >= 0n ? bits : bits ^ ALL_BUT_THE_SIGN;
}

/** Digits of a sort's text in one whole number: each is one of sixteen, or none where the text ends. */
const DIGITS_OF_A_PART = 15;
const TEXT_PARTS = 6;
/** What is longer is sorted by its beginning. */
export const SORT_TEXT_DIGITS = DIGITS_OF_A_PART * TEXT_PARTS;

/**
 * A text of hexadecimal digits as whole numbers, which are compared one after the other: filters cannot compare texts.
 */
export function sortTextParts(text: string): bigint[] {
  return Array.from({ length: TEXT_PARTS }, (_, part) => {
    let number = 0n;
    for (let at = 0; at < DIGITS_OF_A_PART; at++) {
      const digit = text[part * DIGITS_OF_A_PART + at];
      number = number * 17n + (digit === undefined ? 0n : BigInt(Number.parseInt(digit, 16) + 1));
    }
    return number;
  });
}

/** Parts that tell a text from all others: behind the one in which it ends nothing can differ. */
export const partsThatTell = (text: string): number =>
  Math.min(TEXT_PARTS, Math.floor(text.length / DIGITS_OF_A_PART) + 1);

/** An empty text would be sorted last, whatever the order. */
export const sortTextWritten = (text: string): string => `s${text.slice(0, SORT_TEXT_DIGITS)}`;
