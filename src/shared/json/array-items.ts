// The objects of a JSON array of any length, one after the other, as the text of it comes in: dumps of hundreds of MB are one array.
import { isObject } from "../fields.ts";
import type { JsonObject } from "../text/ndjson.ts";
import type { Row, RowReader } from "../text/text-lines.ts";
import { parseJson } from "./read.ts";

/** Characters of one object: an array that never ends an object does not fill the memory. */
const ITEM_MAX = 4_000_000;

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...`"\\{}`].map((each) => each.charCodeAt(0));

/** Objects of the outermost array; what is between them is skipped. `line` is the number of the object, from 1. */
export function arrayItemReader(): RowReader<JsonObject> {
  let rest = "";
  /** How far `rest` was read, where the object began, and what was met by then. */
  let at = 0;
  let start = -1;
  let depth = 0;
  let inText = false;
  let count = 0;
  let isLost = false;

  const take = (rows: Row<JsonObject>[]): void => {
    for (; at < rest.length; at += 1) {
      const code = rest.charCodeAt(at);
      if (inText) {
        if (code === BACKSLASH) at += 1;
        else if (code === QUOTE) inText = false;
        continue;
      }
      if (code === QUOTE) inText = depth > 0;
      else if (code === OPEN) {
        if (depth === 0) start = at;
        depth += 1;
      } else if (code === CLOSE && depth > 0) {
        depth -= 1;
        if (depth > 0) continue;
        count += 1;
        rows.push({ line: count, ...itemOf(rest.slice(start, at + 1)) });
        start = -1;
      }
    }
    const kept = start === -1 ? rest.length : start;
    rest = rest.slice(kept);
    at -= kept;
    start = start === -1 ? -1 : 0;
  };

  return {
    push(text) {
      const rows: Row<JsonObject>[] = [];
      if (isLost) return rows;
      rest += text;
      take(rows);
      if (rest.length > ITEM_MAX) {
        [isLost, rest] = [true, ""];
        rows.push({ line: count + 1, wrong: `is longer than ${ITEM_MAX} characters` });
      }
      return rows;
    },
    end: () => (start === -1 || isLost ? [] : [{ line: count + 1, wrong: "is not whole" }]),
  };
}

function itemOf(text: string): { readonly value: JsonObject } | { readonly wrong: string } {
  try {
    const value = parseJson(text);
    return isObject(value) ? { value } : { wrong: "is not an object" };
  } catch {
    return { wrong: "is not JSON" };
  }
}
