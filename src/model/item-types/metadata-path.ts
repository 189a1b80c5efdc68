// The small path language for the place of a field's value in the canonical metadata (R4).
//
//   path     = "." | "=" text | "shown" | step *("." step)
//   step     = name [ "[" name "=" text *("|" text) "]" ] [ "[0]" ]
//
// "." is the element of a list of plain values itself; "=Issued" a constant that is written next to other values;
// "shown" the full name of an agent, put together where only its parts are known. `titles[kind=main|translated]` takes
// the elements of a list whose member has one of the values; the first one is what new elements get. `[each=text]`
// repeats an element for every element of that member. `[0]` takes the first.

import type { Shape } from "./form-shape.ts";

export type Step = {
  readonly name: string;
  /** Elements of the list that belong here; `values[0]` is given to new ones. */
  readonly filter: { readonly member: string; readonly values: readonly string[] } | null;
  /** The element is repeated for each element of this member. */
  readonly each: string | null;
  readonly first: boolean;
};
export type MetadataPath =
  | { readonly kind: "self" }
  | { readonly kind: "constant"; readonly value: string }
  | { readonly kind: "shown" }
  | { readonly kind: "path"; readonly text: string; readonly steps: readonly Step[] };

const STEP = /^([A-Za-z]+)(?:\[([a-z]+)=([^\]]+)\])?(\[0\])?$/;

/** Reads a path; null when the text is not one. `shapeAt` resolves it. */
export function parseMetadataPath(text: string): MetadataPath | null {
  if (text === ".") return { kind: "self" };
  if (text === "shown") return { kind: "shown" };
  if (text.startsWith("=")) return text.length > 1 ? { kind: "constant", value: text.slice(1) } : null;
  const steps: Step[] = [];
  for (const part of text.split(".")) {
    const [, name, member, value, first] = STEP.exec(part) ?? [];
    if (name === undefined) return null;
    const each = member === "each" ? (value ?? null) : null;
    const filter = member === undefined || each !== null ? null : { member, values: (value ?? "").split("|") };
    steps.push({ name, filter, each, first: first !== undefined });
  }
  return { kind: "path", text, steps };
}

/** The shape at a path below another; null when the canonical model has nothing there. */
export function shapeAt(shape: Shape, path: MetadataPath): Shape | null {
  if (path.kind === "self") return shape === "value" ? "value" : null;
  if (path.kind === "constant") return "value";
  if (path.kind === "shown") return memberOf(shape, "full") === undefined ? null : "value";
  let at: Shape = shape;
  for (const step of path.steps) {
    const next = memberOf(at, step.name);
    if (next === undefined) return null;
    const isList = typeof next !== "string" && "list" in next;
    if ((step.first || step.filter !== null || step.each !== null) && !isList) return null;
    if (isList && step.filter !== null && !isText(memberOf(next.list, step.filter.member))) return null;
    if (isList && step.each !== null && memberOf(next.list, step.each) === undefined) return null;
    at = step.first && isList ? next.list : next;
  }
  return at;
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  if (typeof shape === "string" || "list" in shape) return undefined;
  return Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
}

function isText(shape: Shape | undefined): boolean {
  return shape === "value" || shape === "marker";
}

// Property paths as forms, spreadsheets and mappings write them (R4a): the place of a value in the form of an item
// type.

/**
 * A property path without any index, `a.b` for `a[0].b`: those of rows, and the one a few keys (`date[0].dateValue`)
 * carry themselves.
 */
export function pathWithoutIndices(path: string): string {
  return path.includes("[") ? path.replace(/\[\d+\]/g, "") : path;
}
