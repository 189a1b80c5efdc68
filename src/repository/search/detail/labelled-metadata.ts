// The flat labelled view of an item (specification 3, "Item detail response"): the values of its form under the labels
// of the item type, in the language asked for.

import {
  type Field,
  type FormValues,
  type ItemTypeDefinition,
  type Label,
  type PathStep,
  resolvePath,
  shownGroups,
} from "../../../model/item-types/definition.ts";
import { primaryLanguage } from "../../../model/metadata/reader-language.ts";
import type { Json } from "../../../shared/json/json.ts";
import type { JsonObject } from "../../../shared/json/read.ts";

/** One row of a field: a value, or the rows of the fields in it. */
type Rows = Map<number, string | Fields>;
type Fields = Map<Field, Rows>;

/** Members that do not belong to a field. */
const OWN = ["Item Type", "hasRequestmailAddress"];

/**
 * The name of the item type and every group of the form with a value, as a list of its rows: `{"Title": [{"Title": "…",
 * "Language": "ja"}]}`. Inside a row, fields are texts, groups are objects, groups that repeat are lists of them. The
 * day the record opens is not metadata.
 */
export function labelledMetadata(values: FormValues, definition: ItemTypeDefinition, language: string): JsonObject {
  const all: Fields = new Map();
  for (const [path, value] of Object.entries(values)) {
    const found = value === "" ? null : resolvePath(definition, path);
    if (found !== null && "way" in found) put(all, found.way, value);
  }
  const tongue = primaryLanguage(language) === "ja" ? "ja" : "en";
  const groups = shownGroups(definition).filter((group) => !isOpenDate(group));
  const named = labelled(
    groups,
    all,
    tongue,
    (rows, group) => inOrder(rows).map((row) => shown(row, group, tongue)),
    OWN,
  );
  return Object.fromEntries([["Item Type", definition.name[tongue]], ...named]);
}

function put(fields: Fields, way: readonly PathStep[], value: string): void {
  let at = fields;
  for (const [depth, { field, index }] of way.entries()) {
    const rows: Rows = at.get(field) ?? new Map();
    at.set(field, rows);
    if (depth === way.length - 1) {
      rows.set(index, value);
      return;
    }
    const row = rows.get(index);
    const below: Fields = row === undefined || typeof row === "string" ? new Map() : row;
    rows.set(index, below);
    at = below;
  }
}

const inOrder = (rows: Rows): readonly (string | Fields)[] => [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);

/** Members by label; of two fields with one label the second has its key after it. */
function labelled(
  fields: readonly Field[],
  values: Fields,
  tongue: keyof Label,
  show: (rows: Rows, field: Field) => Json,
  own: readonly string[] = [],
): readonly (readonly [string, Json])[] {
  const taken = new Set(own);
  return fields.flatMap((field) => {
    const rows = values.get(field);
    if (rows === undefined) return [];
    const label = field.label[tongue] ?? field.label.en;
    const name = taken.has(label) ? `${label} (${field.key})` : label;
    taken.add(name);
    return [[name, show(rows, field)] as const];
  });
}

function shown(row: string | Fields, field: Field, tongue: keyof Label): Json {
  if (typeof row === "string") return row;
  return Object.fromEntries(
    labelled(field.fields, row, tongue, (rows, each) => {
      const list = inOrder(rows).map((below) => shown(below, each, tongue));
      return each.repeatable ? list : (list[0] ?? "");
    }),
  );
}

function isOpenDate({ metadataPath }: Field): boolean {
  return metadataPath?.kind === "path" && metadataPath.text === "openDate";
}
