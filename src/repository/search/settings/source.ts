// Where the values of a facet, of a free field or of a choice come from (R27; specification 3, rules 4 and 8): a path
// of the canonical metadata (`subjects.text.value`, `descriptions[kind=Other].value`, `files.license`), or a field of
// one item type (`30001:item_1617.subitem_1551`), as the key of a value without a canonical place is written (R4a).

import type { FormValues } from "../../../model/item-types/definition.ts";
import { ITEM_SHAPE, type Shape } from "../../../model/item-types/form-shape.ts";
import { parseMetadataPath, type Step } from "../../../model/item-types/metadata-path.ts";
import type { ItemFile } from "../../../model/items/item.ts";
import type { Metadata } from "../../../model/metadata/metadata.ts";
import { nameText } from "../../../model/metadata/reader-language.ts";
import type { Json } from "../../../shared/json/json.ts";
import { isJsonObject } from "../../../shared/json/read.ts";

export type Source =
  | { readonly kind: "metadata"; readonly steps: readonly Step[] }
  /** A property path without indices. */
  | { readonly kind: "property"; readonly itemType: number; readonly path: string };

/** Characters of a source. */
export const SOURCE_MAX = 500;
/** Values that are taken from one item by one list of sources. */
export const SOURCE_VALUES_MAX = 1_000;

const PROPERTY = /^([1-9]\d{0,14}):([^\s[\]:]+)$/;
/** The name of an agent as pages write it, whichever of its parts are known. */
const SHOWN = "shown";

/** Reads a source; null where the text is none, or where the canonical metadata have no such member. */
export function parseSource(text: string): Source | null {
  if (text.length > SOURCE_MAX) return null;
  const [, type, property] = PROPERTY.exec(text) ?? [];
  if (type !== undefined && property !== undefined) return { kind: "property", itemType: Number(type), path: property };
  const path = parseMetadataPath(text);
  if (path?.kind !== "path" || !leadsToValues(path.steps)) return null;
  return { kind: "metadata", steps: path.steps };
}

function leadsToValues(steps: readonly Step[]): boolean {
  let at: Shape = ITEM_SHAPE;
  for (const [index, step] of steps.entries()) {
    if (step.name === SHOWN && index === steps.length - 1) return step.filter === null && hasMember(at, "family");
    const next = memberOf(at, step.name);
    if (next === undefined || step.each !== null) return false;
    at = next;
    if (step.filter !== null && !hasMember(at, step.filter.member)) return false;
  }
  return elementOf(at) === "value";
}

const elementOf = (shape: Shape): Shape =>
  typeof shape !== "string" && "list" in shape ? elementOf(shape.list) : shape;

function memberOf(shape: Shape, name: string): Shape | undefined {
  const element = elementOf(shape);
  if (typeof element === "string" || "list" in element || !Object.hasOwn(element.members, name)) return undefined;
  return element.members[name];
}

const hasMember = (shape: Shape, name: string): boolean => memberOf(shape, name) !== undefined;

/**
 * What values are taken from. `form`: what the item's type shows of it (src/model/item-types/to-form.ts), made when it
 * is asked for.
 */
export type SourceItem = {
  readonly metadata: Metadata;
  readonly files: readonly ItemFile[];
  readonly itemType: number;
  readonly form: () => FormValues;
};

/** The different texts at these places of an item, in order, without empty ones; `SOURCE_VALUES_MAX` at most. */
export function valuesFrom(sources: readonly Source[], item: SourceItem): readonly string[] {
  const found = new Set<string>();
  for (const source of sources) {
    for (const value of source.kind === "metadata" ? metadataValues(source.steps, item) : formValues(source, item)) {
      if (found.size >= SOURCE_VALUES_MAX) return [...found];
      const text = value.trim();
      if (text !== "") found.add(text);
    }
  }
  return [...found];
}

function metadataValues(steps: readonly Step[], { metadata, files }: SourceItem): readonly string[] {
  // Files hold text, numbers and lists of them, as JSON does. Nothing is copied: this is asked for every source of
  // every document.
  const root = steps[0]?.name === "files" ? { files: files as unknown as Json } : metadata;
  const texts: string[] = [];
  takeTexts(root, steps, 0, texts);
  return texts;
}

function takeTexts(scope: Json, steps: readonly Step[], at: number, texts: string[]): void {
  const step = steps[at];
  if (step === undefined) {
    if (typeof scope === "string") texts.push(scope);
    return;
  }
  if (!isJsonObject(scope)) return;
  if (step.name === SHOWN) {
    takeTexts(nameText(scope, null), steps, at + 1, texts);
    return;
  }
  const next = Object.hasOwn(scope, step.name) ? scope[step.name] : null;
  if (next === undefined || next === null) return;
  for (const each of Array.isArray(next) ? next : [next]) {
    if (!admits(step, each)) continue;
    takeTexts(each, steps, at + 1, texts);
    if (step.first) return;
  }
}

const admits = ({ filter }: Step, value: Json): boolean =>
  filter === null || (isJsonObject(value) && filter.values.includes(String(value[filter.member])));

function formValues({ itemType, path }: Extract<Source, { kind: "property" }>, item: SourceItem): readonly string[] {
  if (item.itemType !== itemType) return [];
  return Object.entries(item.form()).flatMap(([key, value]) => (key.replace(/\[\d+\]/g, "") === path ? [value] : []));
}
