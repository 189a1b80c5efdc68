// Item types as data (R4): what a form, a spreadsheet and a check need to know of every field, and where each value is
// stored in the canonical metadata. Files are read by read-definition.ts; the language of the metadata paths is in
// metadata-path.ts.
import type { CrateMapping } from "./crate-mapping.ts";
import type { MetadataPath } from "./metadata-path.ts";

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
