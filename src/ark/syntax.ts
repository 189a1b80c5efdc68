// Normal form and grammar of ARKs (decisions A1 to A3, A7; draft-kunze-ark-42 sections 2 and 3.2).
//
//   ark       = "ark:" naan "/" name
//   naan      = 1*16( digit / betanumeric consonant )
//   name      = 1*255( ALPHA / DIGIT / "=" / "~" / "*" / "+" / "@" / "_" / "$" / "." / "/" / "%" HEX HEX )
//
// "-" is allowed anywhere and ignored. "/" and "." are structural: never first, never last, never two in a row.

import { ServiceError } from "../shared/errors.ts";

/** A name in normal form. Two names are the same when their keys are equal byte by byte. */
export type Ark = {
  readonly naan: string;
  /** Base name and qualifier. */
  readonly name: string;
  /** `naan/name`, the key under which everything is stored. */
  readonly key: string;
};

const NAAN_MAX_BYTES = 16;
export const NAME_MAX_BYTES = 255;
/** Longest tail of a passthrough or path of a foreign name that is handed on (A3). */
export const TAIL_MAX_BYTES = 4096;
/** Longest text that is parsed as an ARK. */
export const ARK_TEXT_MAX = 8192;

/** Characters that are ignored everywhere (A1). Their percent-encoded forms are not. */
const HYPHENS = /[\u002D\u00AD\u2010-\u2015\u2212\uFF0D]/g;

/** Those of them that nobody types: programs that set text put them in place of a hyphen, or between syllables. */
export const TYPOGRAPHIC_DASHES = /[\u00AD\u2010-\u2015\u2212\uFF0D]/g;

const NAAN = /^[0-9bcdfghjkmnpqrstvwxz]{1,16}$/;
/**
 * Before its case is folded. Without the flag `u`, so that no other script's letter (U+212A KELVIN SIGN) passes as a
 * `k`.
 */
const NAAN_IN_ANY_CASE = /^[0-9bcdfghjkmnpqrstvwxz]+$/i;
const NAME = /^(?:[A-Za-z0-9=~*+@_$./]|%[0-9A-F]{2})+$/;
const BROKEN_PERCENT = /%(?![0-9A-Fa-f]{2})/;
const URL_PREFIX = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** How the steps of A1 leave an ARK, label and all: a text in this form needs no further step. */
const NORMAL_FORM = /^(?:ark:)?(([0-9bcdfghjkmnpqrstvwxz]{1,16})\/([A-Za-z0-9=~*+@_$]+(?:[./][A-Za-z0-9=~*+@_$]+)*))$/;
/** Below the limit of the name, whatever else there is. */
const NORMAL_FORM_MAX = 255;

export function isNaan(text: string): boolean {
  return NAAN.test(text);
}

/** The NAAN in normal form (hyphens gone, lower case), or null when it is none. */
export function parseNaan(text: string): string | null {
  return naanOf(text.trim());
}

/** `parseNaan` of a text inside an ARK, where white space is a mistake. */
function naanOf(text: string): string | null {
  const naan = text.replace(HYPHENS, "");
  return naan.length <= NAAN_MAX_BYTES && NAAN_IN_ANY_CASE.test(naan) ? naan.toLowerCase() : null;
}

/**
 * Steps of A1 that concern name and qualifier: hex digits to upper case, hyphens out, structural characters single and
 * inside.
 */
export function normalizeName(text: string): string {
  return text
    .replace(/%../gs, (triplet) => triplet.toUpperCase())
    .replace(HYPHENS, "")
    .replace(/([/.])[/.]+/g, "$1")
    .replace(/^[/.]|[/.]$/g, "");
}

/** The text after the label `ark:`, by the first steps of A1; null without a label. */
export function afterLabel(text: string): string | null {
  if (/^ark:/i.test(text)) return text.slice(4);
  const path = text.replace(URL_PREFIX, "");
  const inside = /\/ark:/i.exec(path);
  return inside === null ? null : path.slice(inside.index + inside[0].length);
}

function withoutQuery(text: string): string {
  const query = text.indexOf("?");
  return query === -1 ? text : text.slice(0, query);
}

/** NAAN and name as received, split at the first slash; `name` is null without a slash. */
export function splitNaan(text: string): { readonly naan: string; readonly name: string | null } {
  const inner = text.replace(/^\/+/, "");
  const slash = inner.indexOf("/");
  if (slash === -1) return { naan: inner, name: null };
  return { naan: inner.slice(0, slash), name: inner.slice(slash + 1) };
}

/**
 * Reads an ARK as people and programs write it (A2): with or without label, `ark:/`, any case of the label, inside a
 * URL.
 *
 * @throws ServiceError 1001 when it is outside the grammar, 1004 when the name is longer than 255 bytes or the NAAN
 * than 16.
 *   Whether the name exists, or whether its check character fits, is not checked.
 */
export function parseArk(text: string): Ark {
  const written = NORMAL_FORM.exec(text);
  if (written !== null && text.length <= NORMAL_FORM_MAX) {
    const [, key = "", naan = "", name = ""] = written;
    return { naan, name, key };
  }
  if (text.length > ARK_TEXT_MAX) throw new ServiceError(1004, { length: text.length, limit: ARK_TEXT_MAX });
  const received = text.replace(/[\r\n\u2028\u2029]+/g, "").trim();
  const labelled = afterLabel(received);
  if (labelled === null && URL_PREFIX.test(received)) throw notAnArk(text, NO_LABEL);
  const body = withoutQuery(labelled ?? received);
  if (BROKEN_PERCENT.test(body)) throw notAnArk(text, NO_HEX_DIGITS);
  const parts = splitNaan(body);
  requireNaanLength(parts.naan);
  const ark = arkOf(parts.naan, parts.name ?? "");
  if (ark === null) throw notAnArk(text, whyNoArk(parts.naan, parts.name ?? ""));
  return ark;
}

const NO_LABEL = "The path of this URL holds no ark:";
export const NO_HEX_DIGITS = "A % is not followed by two hexadecimal digits";
const OUTSIDE_NAME = /[^A-Za-z0-9=~*+@_$./%]/u;

/** Why a NAAN and a name, as received, are not an ARK: a sentence for the detail of 1001. */
export function whyNoArk(naanText: string, nameText: string): string {
  const naan = naanText.replace(HYPHENS, "");
  if (naan === "") return "The NAAN is missing";
  if (naan.length > NAAN_MAX_BYTES) return `The NAAN is longer than ${NAAN_MAX_BYTES} characters`;
  if (naanOf(naanText) === null) return "A NAAN is made of digits and the letters bcdfghjkmnpqrstvwxz";
  const name = normalizeName(nameText);
  if (name === "") return "The name after the NAAN is missing";
  const character = OUTSIDE_NAME.exec(name)?.[0];
  return character === undefined
    ? "The name is outside the grammar"
    : `A name holds ${JSON.stringify(character)} only percent-encoded`;
}

/**
 * The ARK of a NAAN and a name as received, put into normal form; null when that is outside the grammar.
 * A broken percent-encoding must have been refused before (`hasBrokenPercent`).
 *
 * @throws ServiceError 1004 when the name is longer than 255 bytes.
 */
export function arkOf(naanText: string, nameText: string): Ark | null {
  const naan = naanOf(naanText);
  const name = normalizeName(nameText);
  if (naan === null || !NAME.test(name)) return null;
  if (name.length > NAME_MAX_BYTES) throw new ServiceError(1004, { length: name.length, limit: NAME_MAX_BYTES });
  return { naan, name, key: `${naan}/${name}` };
}

function requireNaanLength(text: string): void {
  const naan = text.replace(HYPHENS, "");
  if (naan.length > NAAN_MAX_BYTES && NAAN_IN_ANY_CASE.test(naan)) {
    throw new ServiceError(1004, { length: naan.length, limit: NAAN_MAX_BYTES });
  }
}

export function hasBrokenPercent(text: string): boolean {
  return BROKEN_PERCENT.test(text);
}

/** The ARK of a key that is known to be in normal form, because the database gave it. */
export function arkOfKey(key: string): Ark {
  const slash = key.indexOf("/");
  if (slash < 1) throw new RangeError(`Not a key of an ARK: ${JSON.stringify(key)}`);
  return { naan: key.slice(0, slash), name: key.slice(slash + 1), key };
}

/** The only form in which an ARK is returned: `ark:<naan>/<name>`. */
export function formatArk(ark: Ark | string): string {
  return `ark:${typeof ark === "string" ? ark : ark.key}`;
}

/** Keys of the names above this one, nearest first, cut at `/` and `.` (A31, A11). The NAAN is not among them. */
export function ancestorKeys(key: string): string[] {
  const first = key.indexOf("/") + 1;
  const ancestors: string[] = [];
  for (let index = key.length - 1; index > first; index--) {
    const character = key.charCodeAt(index);
    if (character === 47 || character === 46) ancestors.push(key.slice(0, index));
  }
  return ancestors;
}

/** The key without its qualifier. */
export function baseKey(key: string): string {
  const first = key.indexOf("/") + 1;
  for (let index = first + 1; index < key.length; index++) {
    const character = key.charCodeAt(index);
    if (character === 47 || character === 46) return key.slice(0, index);
  }
  return key;
}

/**
 * The key of a part: base and qualifier (A7).
 *
 * @throws ServiceError 1002 when the qualifier does not begin with `/` or `.`, 1003 when it is empty after
 *   normalisation or does not stay below the base, 1001 when it is outside the grammar, 1004 when the whole is too long.
 */
export function qualify(base: Ark, qualifier: string): Ark {
  if (!/^[/.]/.test(qualifier)) throw new ServiceError(1002, { qualifier });
  if (hasBrokenPercent(qualifier)) throw notAnArk(qualifier, NO_HEX_DIGITS);
  if (normalizeName(qualifier) === "") throw new ServiceError(1003, { qualifier });
  const ark = arkOf(base.naan, base.name + qualifier);
  if (ark === null) throw notAnArk(formatArk(base) + qualifier, whyNoArk(base.naan, base.name + qualifier));
  if (!ark.key.startsWith(base.key) || !/^[/.]./.test(ark.key.slice(base.key.length))) {
    throw new ServiceError(1003, { qualifier });
  }
  requireNoDotSegment(ark);
  return ark;
}

const DOT_SEGMENT = /(?:^|\/)(?:%2E){1,2}(?:\/|$)/;

/**
 * Browsers and HTTP clients remove segments that are `.` or `..`, percent-encoded too (RFC 3986, 5.2.4; WHATWG URL):
 * nobody could follow such a name. For new names only: those that exist are still read.
 *
 * @throws ServiceError 1001
 */
export function requireNoDotSegment(ark: Ark): void {
  if (DOT_SEGMENT.test(ark.name))
    throw notAnArk(formatArk(ark), "Clients remove a segment %2E or %2E%2E from an address");
}

function notAnArk(text: string, reason: string): ServiceError {
  return new ServiceError(1001, { ark: text.length > 300 ? `${text.slice(0, 300)}…` : text, reason });
}

// The Noid check digit algorithm (decision A4; Noid documentation; draft-kunze-ark-42 section 2.4.1).

/** The 29 betanumeric characters in the order of their values: digits and consonants without `l` and `y`. */
export const BETANUMERICS = "0123456789bcdfghjkmnpqrstvwxz";

const VALUE_OF: Uint8Array = (() => {
  const values = new Uint8Array(128);
  for (let value = 0; value < BETANUMERICS.length; value++) values[BETANUMERICS.charCodeAt(value)] = value;
  return values;
})();

/**
 * The check character of `<naan>/<shoulder><blade>`: sum of position (from 1) times value, modulo 29.
 * Any other character, upper case and the slash included, counts 0 but takes a position.
 * Finds every single wrong betanumeric and every swap of neighbours while the text is shorter than 29 characters.
 */
export function checkCharacter(checkZone: string): string {
  let sum = 0;
  for (let index = 0; index < checkZone.length; index++) {
    sum += (index + 1) * (VALUE_OF[checkZone.charCodeAt(index)] ?? 0);
  }
  return BETANUMERICS.charAt(sum % 29);
}

/**
 * True when the last character of `<naan>/<base name>` is the check character of the text before it. Qualifiers must be
 * cut off first.
 */
export function hasCheckCharacter(naanAndBaseName: string): boolean {
  if (naanAndBaseName.length < 2) return false;
  return naanAndBaseName.endsWith(checkCharacter(naanAndBaseName.slice(0, -1)));
}
