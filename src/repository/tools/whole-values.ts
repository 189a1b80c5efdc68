// Values of a record that a result leaves out because they are long (R30; reference 5.5): how a part of one is read,
// and what is not taken for one when it comes back. Pure.

import type { FieldError } from "../../model/input/record-refusals.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import { ToolRefusal } from "./outcome.ts";
import { longPaths, VALUE_CHARACTERS } from "./tool-server.ts";

type Result = Readonly<Record<string, unknown>>;

/** Sent in place of a value that has at most this share of it, a part is taken for a mistake. */
const PART_SHARE = 0.9;
/**
 * Lists and objects inside each other of a body that are searched for shortened texts; no value of a record is deeper.
 */
const DEPTH = 20;
/** Characters of a part by which it is found, and places that are compared with all of it. */
const COMPARED = 100;
const PLACES = 10;
/** As results of tools ended texts that they had cut. */
const CUT = /… \(\d{1,9} characters\)$/;

/** One part of a list or text: as many entries or characters as one value of a result may have. @throws ToolRefusal */
export function partOf(result: Result, path: string, offset: number): Result {
  const value = valueAt(result, path);
  if (typeof value !== "string" && !Array.isArray(value)) {
    throw new ToolRefusal(
      "invalid",
      `"${path.slice(0, 200)}" is not a list or text of this record.`,
      "fields has one path when offset is set, such as metadata.creators or metadata.additional_descriptions.0.description",
      [{ field: "fields", messages: ["Must name one list or text of the record."] }],
    );
  }
  if (offset > value.length) {
    const message = `${offset} is too large: at most ${value.length}.`;
    throw new ToolRefusal("invalid", message, "next_offset of the part before is the next offset", [
      { field: "offset", messages: [message] },
    ]);
  }
  const read = typeof value === "string" ? textPart(value, offset) : listPart(value, path, offset);
  const next = read.end < value.length ? { next_offset: read.end } : {};
  return { path, offset, total: value.length, ...read.shown, ...next };
}

type Part = { readonly end: number; readonly shown: Result };

function textPart(text: string, start: number): Part {
  let end = Math.min(text.length, start + VALUE_CHARACTERS);
  // No character is cut in two.
  if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? "")) end -= 1;
  return { end, shown: { text: text.slice(start, end) } };
}

/** An entry that is too long by itself is named; its own lists and texts are read by their path. */
function listPart(list: readonly unknown[], path: string, start: number): Part {
  const entries: unknown[] = [];
  let [end, size] = [start, 0];
  for (; end < list.length; end++) {
    size += JSON.stringify(list[end]).length;
    if (size > VALUE_CHARACTERS) break;
    entries.push(list[end]);
  }
  if (entries.length > 0 || end === list.length) return { end, shown: { entries } };
  return { end: start + 1, shown: { entries, truncated: [`${path}.${start}`] } };
}

function valueAt(from: unknown, path: string): unknown {
  let value = from;
  for (const name of path.split(".")) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
    else value = isObject(value) ? memberOf(value, name) : undefined;
  }
  return value;
}

/**
 * @throws ToolRefusal for metadata that holds a part of a value in place of the value. `isWhole`: the metadata replace
 * all that is there, so that a long
 *   value must be in them; null removes it.
 */
export function requireWhole(id: ItemId, before: Result, sent: Result, isWhole: boolean): void {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (hasCut(value, DEPTH)) errors.push(wrong(name, "A text in it was shortened: it ends with … (N characters)."));
    else if (isPart(value, before[name], DEPTH)) errors.push(wrong(name, "It is only a part of what is there."));
  }
  if (isWhole) {
    const absent = longPaths({ metadata: before }).map((path) => path.slice("metadata.".length));
    for (const name of absent.filter((each) => !Object.hasOwn(sent, each))) {
      errors.push(wrong(name, "It is absent, and get_record leaves it out because it is long."));
    }
  }
  if (errors.length === 0) return;
  throw new ToolRefusal(
    "invalid",
    "Nothing was changed: a long value would be lost.",
    `get_record (recid ${id}, full=true) shows all values whole; null removes one, and a shorter one can be set after that`,
    errors,
  );
}

/** Metadata that replace all that is there; null removes a long value on purpose. @throws ToolRefusal */
export function wholeMetadata(id: ItemId, before: Result, sent: Result): Result {
  requireWhole(id, before, sent, true);
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

const wrong = (name: string, message: string): FieldError => ({ field: `metadata.${name}`, messages: [message] });

function hasCut(value: unknown, depth: number): boolean {
  if (typeof value === "string") return CUT.test(value.slice(-40));
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return Object.values(value).some((each) => hasCut(each, depth - 1));
}

/** A part of a long text or list in place of it, at any depth. */
function isPart(sent: unknown, before: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (typeof sent === "string") return typeof before === "string" && isPartOfText(sent, before);
  if (Array.isArray(sent)) {
    if (!Array.isArray(before)) return false;
    return isPartOfList(sent, before) || sent.some((each, index) => isPart(each, before[index], depth - 1));
  }
  if (!isObject(sent) || !isObject(before)) return false;
  return Object.entries(sent).some(([name, value]) => isPart(value, memberOf(before, name), depth - 1));
}

function isPartOfText(sent: string, before: string): boolean {
  if (before.length <= VALUE_CHARACTERS) return false;
  const text = sent.replace(/(?:…|\.\.\.)$/, "");
  return text.length > 0 && text.length <= before.length * PART_SHARE && isWithin(text, before);
}

/** Few places are compared, so that texts that repeat themselves cost no more than others. */
function isWithin(part: string, whole: string): boolean {
  const beginning = part.slice(0, COMPARED);
  let at = whole.indexOf(beginning);
  for (let place = 0; place < PLACES && at !== -1; place++) {
    if (whole.startsWith(part, at)) return true;
    at = whole.indexOf(beginning, at + 1);
  }
  return false;
}

/** Its entries without those before and after them. */
function isPartOfList(sent: readonly unknown[], before: readonly unknown[]): boolean {
  if (sent.length === 0 || sent.length > before.length * PART_SHARE) return false;
  const there = before.map((each) => JSON.stringify(each));
  if (there.reduce((sum, each) => sum + each.length, 0) <= VALUE_CHARACTERS) return false;
  const [first, ...rest] = sent.map((each) => JSON.stringify(each));
  const at = there.indexOf(first ?? "");
  return at !== -1 && rest.every((each, index) => each === there[at + 1 + index]);
}
