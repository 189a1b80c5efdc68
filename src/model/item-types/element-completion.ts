// Completes drafts of canonical elements: required members are added, empty elements are left out (form-shape.ts,
// ITEM_SHAPE).
import { isObject } from "../../shared/fields.ts";
import { ITEM_SHAPE, type Shape } from "./form-shape.ts";

/** Members as they were written: texts, drafts, lists of drafts. A plain value of a list has the key ".". */
export type Draft = { [member: string]: string | Draft | Draft[] | undefined };

/**
 * The members of an item with everything the canonical model requires. Values that mean nothing alone are left out and
 * noted.
 */
export function complete(root: Draft, notes: string[]): Readonly<Record<string, unknown>> {
  const whole: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(ITEM_SHAPE.members)) {
    const value = root[name] === undefined ? undefined : completeValue(shape, root[name], name, notes);
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}

function completeValue(shape: Shape, draft: Draft[string], at: string, notes: string[]): unknown {
  if (typeof shape === "string") return isObject(draft) ? draft["."] : draft;
  if ("list" in shape) {
    const elements =
      typeof draft === "string" ? draft.split(",").map((each) => each.trim()) : Array.isArray(draft) ? draft : [];
    const whole = elements
      .map((each) => completeValue(shape.list, each, at, notes))
      .filter((each) => each !== undefined);
    return whole.length === 0 ? undefined : whole;
  }
  if (!isObject(draft)) return undefined;
  const members: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(shape.members)) {
    const value = draft[name] === undefined ? undefined : completeValue(inner, draft[name], `${at}.${name}`, notes);
    if (value !== undefined) members[name] = value;
  }
  if (shape.needs.every((names) => names.some((name) => members[name] !== undefined)))
    return { ...shape.fill, ...members };
  const alone = Object.entries(members).filter(([name]) => name !== "place" && name !== "kind");
  if (alone.length > 0)
    notes.push(`${at}: ${JSON.stringify(Object.fromEntries(alone))} has no meaning by itself and was left out`);
  return undefined;
}
