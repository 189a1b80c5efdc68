// Item types as data (R4): what a form, a spreadsheet and a check need to know of every field, and where each value is
// stored in the canonical metadata. Files are read by read-definition.ts; the language of the metadata paths is in
// metadata-path.ts.

import type { Metadata } from "../metadata/metadata.ts";
import type { CrateMapping } from "./crate-mapping.ts";
import type { MetadataPath } from "./metadata-path.ts";
import type { TextSource } from "./suggestion-sources.ts";

/** A label as people read it. Without `ja` it is one word for every language. */
export type Label = { readonly en: string; readonly ja?: string };

/** How a value is entered. `day` is a whole day, `date` also a year or a month; `button` and `markup` hold no value. */
export const FIELD_KINDS = [
  "text",
  "textarea",
  "select",
  "radios",
  "day",
  "date",
  "file-name",
  "button",
  "markup",
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** One choice. `means` is its canonical value, where that differs from what the form writes. */
export type Choice = { readonly value: string; readonly label?: Label; readonly means: string };

/** What only the form on the screen needs, kept as existing forms expect it. */
export type Widget = {
  readonly onChange?: string;
  readonly onClick?: string;
  readonly icon?: string;
  readonly fieldHtmlClass?: string;
  readonly template?: string;
  readonly notitle?: boolean;
  readonly feedback?: boolean;
  readonly disableSuccessState?: boolean;
  readonly condition?: string;
  readonly style?: string;
};

/** A field with a value (`kind` set, `fields` empty) or a group of fields (`kind` null). */
export type Field = {
  /** Last part of the property path; null for markup, which has none. */
  readonly key: string | null;
  /** The whole property path without indices: `item_1617186331708.subitem_1551255647225`. */
  readonly path: string;
  readonly label: Label;
  /** The label belongs to the field and is not edited with the form. */
  readonly fixedLabel: boolean;
  readonly kind: FieldKind | null;
  readonly repeatable: boolean;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly fields: readonly Field[];
  /** Empty: every value is accepted. */
  readonly choices: readonly Choice[];
  /**
   * Other spellings that are read, each with the choice it means; without choices, with the canonical value it means.
   */
  readonly aliases: Readonly<Record<string, string>>;
  /**
   * The path of the value, relative to the metadata path of the enclosing group; null: in `custom` (R4a), or a group
   * without a path.
   */
  readonly metadataPath: MetadataPath | null;
  /** The canonical value of an empty field. */
  readonly absent: string | null;
  readonly widget: Widget;
  /** JPCOAR element; null where the element of the metadata path is meant, or none. */
  readonly jpcoar: string | null;
  /** Field of the search index a group feeds. */
  readonly search: string | null;
  /** Where suggestions for a field without a place come from; others have them by their place (suggested-fields.ts). */
  readonly suggest?: TextSource;
};

/**
 * A group on the first level. `system`: filled by the repository, never entered, neither in spreadsheets nor in checks.
 */
export type Group = Field & { readonly system: boolean };

export type ItemTypeDefinition = {
  readonly id: number;
  readonly version: number;
  readonly name: { readonly en: string; readonly ja: string };
  readonly groups: readonly Group[];
  /** Property paths (without any index) without content in spreadsheets of existing repositories: ignored silently. */
  readonly ignored: readonly string[];
  /**
   * Its RO-Crate form; null: it has none, and the records interface does not find its items (specification 3, search,
   * rule 1).
   */
  readonly roCrate: CrateMapping | null;
};

/** Values of a form, keyed by property path with indices: `item_1617186331708[0].subitem_1551255647225` (R4a). */
export type FormValues = Readonly<Record<string, string>>;

/** True when the field has a value that a person or a spreadsheet can enter. */
export function holdsValue(field: Field): boolean {
  return field.kind !== null && field.kind !== "button" && field.kind !== "markup";
}

/** Every group a form or a spreadsheet shows. */
export function shownGroups(definition: ItemTypeDefinition): readonly Group[] {
  return definition.groups.filter((group) => !group.system);
}

/** Every field with a value below a field, itself included, in order. */
export function valueFields(field: Field): readonly Field[] {
  return field.kind === null ? field.fields.flatMap(valueFields) : holdsValue(field) ? [field] : [];
}

/** The canonical value of a written one; null when the field's choices do not include it. */
export function meaningOf(field: Field, written: string): string | null {
  const value = Object.hasOwn(field.aliases, written) ? (field.aliases[written] ?? written) : written;
  if (field.choices.length === 0) return value;
  return field.choices.find((choice) => choice.value === value)?.means ?? null;
}

/** How a form writes a canonical value; null when none of its choices has it. */
export function writtenAs(field: Field, value: string): string | null {
  if (field.choices.length === 0) return value;
  const choice =
    field.choices.find((each) => each.means === value) ?? field.choices.find((each) => each.value === value);
  return choice?.value ?? null;
}

// Property paths with indices, as spreadsheets and forms write them, found in an item type (R4a):
// `item_1617186331708[0].subitem_1551255647225`.

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

// The fields of an item type that have no path in the canonical model (R4a): their values in an item, with the labels
// to show them under.

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
