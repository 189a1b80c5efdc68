// The order in which the files of a record are shown (R37): the file that is shown first, then as its depositor ordered
// them, then those that were not ordered. Pure.
import type { FileOptions, ItemFile } from "../items/item.ts";

export function inFileOrder(
  files: readonly ItemFile[],
  { defaultPreview = "", fileOrder = [] }: FileOptions,
): readonly ItemFile[] {
  if (defaultPreview === "" && fileOrder.length === 0) return files;
  const places = new Map(fileOrder.map((name, at) => [name, at]));
  const placeOf = ({ name }: ItemFile): number =>
    name === defaultPreview ? -1 : (places.get(name) ?? fileOrder.length);
  return files.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** How its depositor describes a file: its label, or the description that the interface of records keeps. */
export function fileDescription({ label, metadata }: Pick<ItemFile, "label" | "metadata">): string | null {
  if (label !== undefined) return label;
  const description = metadata?.description;
  return typeof description === "string" && description !== "" ? description : null;
}
