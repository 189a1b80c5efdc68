// JSON of unknown origin, read within bounds (R13 "Zip safety": metadata over 16 MiB, too deep or not UTF-8 is refused,
// never a crash). Duplicate keys: the last one counts, as everywhere in JSON. `__proto__` is a key like any other:
// values are never merged into objects by name.

import { DocumentError } from "../document-error.ts";
import { errorMessage } from "../error-message.ts";
import { most } from "../limits.ts";
import type { Json } from "./json.ts";

// JSON text of unknown origin, read only as deep as everything behind it can walk and quote (R9a): what is nested a
// hundred thousand times is short to send and exhausts the stack of the code that reads it.

/** Text that is JSON perhaps, and nests more than is read. */
export class JsonTooDeep extends SyntaxError {
  override readonly name = "JsonTooDeep";

  constructor(deepest: number) {
    super(`it nests more than ${deepest} arrays and objects`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const LIST = -1;

/** Text that is JSON perhaps, and holds more than is read. */
export class JsonTooMuch extends SyntaxError {
  override readonly name = "JsonTooMuch";
}

/** What a JSON text may hold. */
type JsonBounds = { readonly deepest: number; readonly values: number; readonly members: number };

/**
 * Which bounds a text exceeds, found without parsing, in one pass; for text that is not JSON it reports what its
 * brackets and commas look like. Null: nothing is.
 */
export function jsonExcess(
  text: string,
  { deepest, values, members }: JsonBounds,
): "depth" | "values" | "members" | null {
  /** Members so far of each object that is open; lists count with -1 for ever. */
  const open: number[] = [];
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfText(text, index);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (open.push(code === OPEN_OBJECT ? 1 : LIST) > deepest) return "depth";
      if (++count > values) return "values";
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) open.pop();
    else if (code === COMMA) {
      if (++count > values) return "values";
      const last = open.length - 1;
      const own = open[last] ?? LIST;
      if (own !== LIST) {
        open[last] = own + 1;
        if (own >= members) return "members";
      }
    }
  }
  return null;
}

/**
 * The quote that ends the text whose first quote is at `start`; where the whole ends if there is none. A file in one
 * text is passed over quickly.
 */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH && at - 1 - escapes > start) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** `JSON.parse` within bounds. @throws JsonTooDeep, JsonTooMuch, or SyntaxError for text that is not JSON. */
export function parseJson(text: string, deepest: number = most("jsonDepth")): unknown {
  const bounds = { deepest, values: most("bodyValues"), members: most("values") };
  const excess = jsonExcess(text, bounds);
  if (excess === "depth") throw new JsonTooDeep(deepest);
  if (excess === "values") throw new JsonTooMuch(`it holds more than ${bounds.values} values`);
  if (excess === "members") throw new JsonTooMuch(`an object of it has more than ${bounds.members} members`);
  return JSON.parse(text);
}

/** Metadata documents are read whole; a longer one is refused before it is. */
export const MAX_JSON_BYTES = most("documentBytes");
/**
 * Arrays and objects inside each other. Linked data is flat; what it nests beyond this was not made by a program that
 * means well.
 */
const MAX_JSON_DEPTH = most("jsonDepth");
/** Values, keys not counted. Keeps what a document of the largest size becomes in memory within a few hundred MiB. */
export const MAX_JSON_VALUES = most("jsonValues");

export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keeps `readonly` arrays apart from objects, which Array.isArray does not. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * The object that a document holds. `name` is what the document is called in errors ("data/ro-crate-metadata.json"). A
 * byte order mark of UTF-8 is skipped. Throws DocumentError for anything else than one JSON object in UTF-8, for
 * numbers that no double holds, and for text with NUL or half a surrogate pair, which no database column takes.
 */
export function readJsonObject(bytes: Uint8Array, name: string): JsonObject {
  if (bytes.length > MAX_JSON_BYTES) {
    throw new DocumentError(
      `Cannot read ${name}: it has ${bytes.length} bytes, ${MAX_JSON_BYTES} are read at most (MAX_JSON_BYTES)`,
    );
  }
  const text = decode(bytes, name);
  checkBounds(text, name);
  const value = parse(text, name);
  if (!isJsonObject(value)) {
    const kind = value === null ? "null" : isJsonArray(value) ? "an array" : `a ${typeof value}`;
    throw new DocumentError(`Cannot read ${name}: it holds ${kind}, an object is needed`);
  }
  checkValues(value, name);
  return value;
}

function decode(bytes: Uint8Array, name: string): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new DocumentError(`Cannot read ${name}: it is written in UTF-16, UTF-8 is needed`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentError(`Cannot read ${name}: it is not UTF-8`);
  }
}

function parse(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json; // what JSON.parse gives is Json
  } catch (error) {
    throw new DocumentError(`Cannot read ${name}: it is not JSON (${errorMessage(error)})`);
  }
}

/** Before anything is parsed, so that no parser meets a document that exhausts its stack. */
function checkBounds(text: string, name: string): void {
  const bounds = { deepest: MAX_JSON_DEPTH, values: MAX_JSON_VALUES, members: Number.POSITIVE_INFINITY };
  const excess = jsonExcess(text, bounds);
  if (excess === "depth") {
    throw new DocumentError(
      `Cannot read ${name}: it nests more than ${MAX_JSON_DEPTH} arrays and objects (MAX_JSON_DEPTH)`,
    );
  }
  if (excess === "values") {
    throw new DocumentError(`Cannot read ${name}: it holds more than ${MAX_JSON_VALUES} values (MAX_JSON_VALUES)`);
  }
}

function checkValues(root: Json, name: string): void {
  const waiting: Json[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "string") checkText(value, name);
    else if (typeof value === "number" && !Number.isFinite(value)) {
      throw new DocumentError(`Cannot read ${name}: it holds a number that is too large`);
    } else if (isJsonArray(value)) {
      checkLength(value, most("jsonList"), name);
      for (const each of value) waiting.push(each);
    } else if (isJsonObject(value)) {
      for (const [key, each] of Object.entries(value)) {
        checkText(key, name);
        // The entities of a graph are a list only by their form.
        if (value === root && key === GRAPH && isJsonArray(each)) {
          checkLength(each, most("graphEntities"), name);
          for (const entity of each) waiting.push(entity);
        } else waiting.push(each);
      }
    }
  }
}

const GRAPH = "@graph";

function checkLength(list: readonly Json[], longest: number, name: string): void {
  if (list.length <= longest) return;
  throw new DocumentError(`Cannot read ${name}: a list has ${list.length} members, ${longest} are read at most`);
}

function checkText(text: string, name: string): void {
  if (text.length > most("valueCharacters")) {
    throw new DocumentError(
      `Cannot read ${name}: the text ${JSON.stringify(text.slice(0, 40))}… has ${text.length} characters, ${most("valueCharacters")} are read at most`,
    );
  }
  if (text.isWellFormed() && !text.includes("\0")) return;
  const shown = JSON.stringify(text.slice(0, 40));
  throw new DocumentError(`Cannot read ${name}: the text ${shown} holds NUL or half a surrogate pair`);
}
