// JSON text of unknown origin, read only as deep as everything behind it can walk and quote (R9a): what is nested a hundred thousand times is
// short to send and exhausts the stack of whoever touches it.
import { most } from "./limits.ts";

/** Text that is JSON perhaps, and nests more than is read. */
export class JsonTooDeep extends SyntaxError {
  override readonly name = "JsonTooDeep";

  constructor(deepest: number) {
    super(`it nests more than ${deepest} arrays and objects`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Told without parsing, in one pass; of text that is no JSON it says what its brackets look like. */
export function isDeeperThan(text: string, deepest: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > deepest) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** `JSON.parse` within bounds. @throws JsonTooDeep, or SyntaxError for what is no JSON. */
export function parseJson(text: string, deepest: number = most("jsonDepth")): unknown {
  if (isDeeperThan(text, deepest)) throw new JsonTooDeep(deepest);
  return JSON.parse(text);
}
