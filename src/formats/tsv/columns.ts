// The columns of an item table that begin with a dot and are not properties of the item type (R14).

import type { DescribedItem } from "../../model/files/described-package.ts";
import {
  INDEX_MAX,
  type ItemTypeDefinition,
  type PathResolution,
  resolvePath,
} from "../../model/item-types/definition.ts";
import { withoutUndefined } from "../../shared/objects.ts";

/** Columns with one value, in the order they are written. */
const SINGLE_COLUMNS = [
  ".id",
  ".uri",
  ".publish_status",
  ".researchmap_linkage",
  ".cnri",
  ".doi_ra",
  ".doi",
  ".edit_mode",
] as const;
/** Columns with several values, each with an index. */
const LIST_COLUMNS = [".metadata.path", ".pos_index", ".feedback_mail", ".request_mail", ".file_path"] as const;
type SingleColumn = (typeof SINGLE_COLUMNS)[number];
export type ListColumn = (typeof LIST_COLUMNS)[number];

/** The meaning of a column. `unknown`: not a column of this format; its values are reported and left out. */
export type Column =
  | { readonly kind: "single"; readonly name: SingleColumn }
  | { readonly kind: "list"; readonly name: ListColumn; readonly index: number }
  | {
      readonly kind: "property";
      readonly path: string;
      readonly found: Extract<PathResolution, { readonly way: unknown }>;
    }
  /** In tables of existing repositories, and without content. */
  | { readonly kind: "ignored" }
  | { readonly kind: "unknown" };

const PROPERTY = ".metadata.";
const INDEXED = /^(.*?)(?:\[(\d{1,20})\])?$/s;

/** Reads one name of the second heading line; a sentence when it cannot be a column at all. */
export function parseColumn(name: string, definition: ItemTypeDefinition): Column | { readonly wrong: string } {
  const single = SINGLE_COLUMNS.find((each) => each === name);
  if (single !== undefined) return { kind: "single", name: single };
  const [, base = "", digits] = INDEXED.exec(name) ?? [];
  const list = LIST_COLUMNS.find((each) => each === base || (each === ".metadata.path" && base === ".path"));
  if (list !== undefined) {
    const index = Number(digits ?? 0);
    return index > INDEX_MAX ? { wrong: `has an index above ${INDEX_MAX}` } : { kind: "list", name: list, index };
  }
  const path = name.startsWith(PROPERTY) ? name.slice(PROPERTY.length) : name;
  const found = resolvePath(definition, path);
  if ("way" in found) return name.startsWith(PROPERTY) ? { kind: "property", path, found } : { kind: "unknown" };
  if (!found.isUnknown) return { wrong: found.wrong };
  return { kind: definition.ignored.includes(path.replaceAll(/\[\d+\]/g, "")) ? "ignored" : "unknown" };
}

/** Values of the columns that are not properties. */
export type DottedValues = {
  readonly single: Partial<Readonly<Record<SingleColumn, string>>>;
  readonly lists: Partial<Readonly<Record<ListColumn, readonly string[]>>>;
};

/** The item's values from the columns that are not properties; members without a value are left out. */
export function describedBy({
  single,
  lists,
}: DottedValues): Pick<DescribedItem, "existing" | "instructions" | "settings"> {
  const list = (name: ListColumn): readonly string[] | undefined => (lists[name]?.length ? lists[name] : undefined);
  return {
    existing: { id: single[".id"] ?? null, uri: single[".uri"] ?? null },
    instructions: withoutUndefined({
      index: list(".metadata.path"),
      publishStatus: single[".publish_status"],
      editMode: single[".edit_mode"],
    }) as DescribedItem["instructions"],
    settings: withoutUndefined({
      feedbackMail: list(".feedback_mail"),
      requestMail: list(".request_mail"),
      posIndex: list(".pos_index"),
      cnri: single[".cnri"],
      doiRa: single[".doi_ra"],
      doi: single[".doi"],
      researchmapLinkage: single[".researchmap_linkage"],
    }) as DescribedItem["settings"],
  };
}
