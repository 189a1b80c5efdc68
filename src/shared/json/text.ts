// JSON text of unknown origin, read only as deep as everything behind it can walk and quote (R9a): what is nested a hundred thousand times is
// short to send and exhausts the stack of the code that reads it.
import { most } from "../limits.ts";

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
 * Which bounds a text exceeds, found without parsing, in one pass; for text that is not JSON it reports what its brackets and commas look
 * like. Null: nothing is.
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

/** The quote that ends the text whose first quote is at `start`; where the whole ends if there is none. A file in one text is passed over quickly. */
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
