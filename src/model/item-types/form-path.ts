// Property paths with indices, as spreadsheets and forms write them, found in an item type (R4a):
// `item_1617186331708[0].subitem_1551255647225`.
import { type Field, holdsValue, type ItemTypeDefinition, shownGroups } from "./definition.ts";

/** The highest index a path may name: rows of one group, elements of one list. */
export const INDEX_MAX = 9_999;
/** Characters of one path. */
const PATH_MAX = 1_000;

/** One field on the way, with the index of the row when the field repeats. */
export type PathStep = { readonly field: Field; readonly index: number };
export type PathResolution =
  | { readonly field: Field; readonly way: readonly PathStep[] }
  /** `isUnknown`: well formed, but the item type has no such field. */
  | { readonly wrong: string; readonly isUnknown: boolean };

const INDEX = /^\[(\d{1,20})\]/;
const FORBIDDEN = /(?:^|[.[\]])(?:__proto__|constructor|prototype)(?:$|[.[\]])/;

/** The field with a value that a path names. An index left out means the first row. */
export function resolvePath(definition: ItemTypeDefinition, path: string): PathResolution {
  if (path.length > PATH_MAX) return { wrong: `is longer than ${PATH_MAX} characters`, isUnknown: false };
  if (FORBIDDEN.test(path)) return { wrong: "is not a property path", isUnknown: false };
  const tooHigh = [...path.matchAll(/\[(\d+)\]/g)].find(([, digits]) => Number(digits) > INDEX_MAX);
  if (tooHigh !== undefined) return { wrong: `has an index above ${INDEX_MAX}`, isUnknown: false };
  const way: PathStep[] = [];
  let fields: readonly Field[] = shownGroups(definition);
  let rest = path;
  for (;;) {
    const field = fields.find((each) => each.key !== null && begins(rest, each.key));
    if (field === undefined || field.key === null) return unknownField();
    rest = rest.slice(field.key.length);
    const [brackets, digits] = (field.repeatable ? INDEX.exec(rest) : null) ?? ["", "0"];
    rest = rest.slice(brackets.length);
    way.push({ field, index: Number(digits) });
    if (rest === "") return holdsValue(field) ? { field, way } : unknownField();
    if (!rest.startsWith(".") || field.kind !== null) return unknownField();
    rest = rest.slice(1);
    fields = field.fields;
  }
}

/** The path as it is stored: with every index, also those left out. */
export function fullPath(way: readonly PathStep[]): string {
  return way.map(({ field, index }) => `${field.key ?? ""}${field.repeatable ? `[${index}]` : ""}`).join(".");
}

function begins(rest: string, key: string): boolean {
  const next = rest[key.length];
  return rest.startsWith(key) && (next === undefined || next === "." || next === "[");
}

function unknownField(): PathResolution {
  return { wrong: "is not a field of this item type", isUnknown: true };
}
