// Where an item table names files: the field of the item type's file group that holds the path, by row
// (`.file_path[n]`).
import { type Field, type ItemTypeDefinition, shownGroups } from "../../model/item-types/definition.ts";

/** The group of files; null when the type has none. */
function fileGroup(definition: ItemTypeDefinition): Field | null {
  return shownGroups(definition).find((group) => isAt(group, "files")) ?? null;
}

/** The property path of the file name in row n; null when the type has no such field. */
export function fileNamePaths(definition: ItemTypeDefinition): ((row: number) => string) | null {
  const group = fileGroup(definition);
  const name = group?.fields.find((field) => isAt(field, "path"));
  return group === null || name === undefined ? null : (row) => `${group.key}[${row}].${name.key}`;
}

function isAt(field: Field, path: string): boolean {
  return field.metadataPath?.kind === "path" && field.metadataPath.text === path;
}
