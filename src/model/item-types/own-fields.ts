// The fields of an item type that have no path in the canonical model (R4a): their values in an item, with the labels
// to show them under.
import type { Metadata } from "../metadata/metadata.ts";
import type { ItemTypeDefinition, Label } from "./definition.ts";
import { resolvePath } from "./form-path.ts";

/** One value: the labels of its group and of its field, and its row. */
export type OwnValue = {
  readonly path: string;
  readonly group: Label;
  readonly field: Label;
  readonly row: number;
  readonly value: string;
};

/**
 * The values an item keeps under this type in `custom`, in the order they were entered. Values of fields the type no
 * longer has are left out.
 */
export function ownValues(metadata: Metadata, definition: ItemTypeDefinition): readonly OwnValue[] {
  const prefix = `${definition.id}:`;
  return Object.entries(metadata.custom).flatMap(([key, value]) => {
    const path = key.slice(prefix.length);
    if (!key.startsWith(prefix) || typeof value !== "string" || value === "") return [];
    const found = resolvePath(definition, path);
    const [first] = "way" in found ? found.way : [];
    if (first === undefined || !("field" in found) || found.field.metadataPath !== null) return [];
    return [{ path, group: first.field.label, field: found.field.label, row: first.index, value }];
  });
}
