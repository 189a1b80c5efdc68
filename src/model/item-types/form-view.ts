// The form of a draft, ready to be rendered (R4, R40): groups and fields in order, each with its name, label, value,
// choices and help in both languages. A group without any row shows an empty one.
import type { Choice, Field, ItemTypeDefinition, Label } from "./definition.ts";
import { holdsValue } from "./definition.ts";
import { enteredGroups, type FormTree, hasValue } from "./form-tree.ts";
import { suggestedFields } from "./suggested-fields.ts";
import type { SuggestionSource } from "./suggestion-sources.ts";

type Help = { readonly en: string; readonly ja: string };

export type FieldEntry = {
  readonly kind: "field";
  readonly name: string;
  readonly label: Label;
  readonly hint: Help | null;
  readonly isRequired: boolean;
  readonly input: "line" | "text" | "choice" | "date";
  readonly choices: readonly Choice[];
  /** Its choices are codes of languages. */
  readonly isLanguage: boolean;
  readonly value: string;
  /** Language of the value, from the field next to it; null: unknown. */
  readonly lang: string | null;
  /** Where suggestions come from; null: there are none. */
  readonly source: SuggestionSource | null;
};

export type GroupEntry = {
  readonly kind: "group";
  readonly name: string;
  readonly label: Label;
  readonly isRequired: boolean;
  readonly repeats: boolean;
  /** Something is filled in. */
  readonly isFilled: boolean;
  /** Most depositors fill it in. */
  readonly isBasic: boolean;
  /** One at least. */
  readonly rows: readonly (readonly FormEntry[])[];
};

export type FormEntry = FieldEntry | GroupEntry;

export const formView = (definition: ItemTypeDefinition, tree: FormTree): readonly FormEntry[] => {
  const suggested = suggestedFields(definition);
  const sourceOf = (field: Field) => suggested.get(field)?.source ?? null;
  return entriesOf(enteredGroups(definition), tree, { above: "", isNeeded: true, sourceOf });
};

/** Members of the metadata that nearly every record has. */
const BASIC: ReadonlySet<string> = new Set(["titles", "creators", "type", "dates", "descriptions"]);

const NO_ROW: FormTree = new Map();

type Around = {
  readonly above: string;
  /** The group around them is required, too: what it requires is marked. */
  readonly isNeeded: boolean;
  readonly sourceOf: (field: Field) => SuggestionSource | null;
};

function entriesOf(fields: readonly Field[], row: FormTree, around: Around): readonly FormEntry[] {
  const { above, isNeeded, sourceOf } = around;
  const langField = fields.find(isLanguageField);
  const lang = langField === undefined ? "" : (row.get(langField)?.value ?? "");
  return fields.flatMap((field): readonly FormEntry[] => {
    if (field.key === null || field.metadataPath?.kind === "constant") return [];
    const name = above === "" ? field.key : `${above}.${field.key}`;
    const isRequired = isNeeded && field.required;
    if (field.kind === null) return [groupEntry(field, row, name, { ...around, isNeeded: isRequired })];
    return holdsValue(field) ? [{ ...fieldEntry(field, row, name, lang), isRequired, source: sourceOf(field) }] : [];
  });
}

function groupEntry(field: Field, row: FormTree, name: string, around: Around): GroupEntry {
  const isRequired = around.isNeeded;
  const below = (at: string): Around => ({ ...around, above: at });
  const rows = row.get(field)?.rows ?? [];
  const shown = rows.length === 0 ? [NO_ROW] : rows;
  return {
    ...{ kind: "group", name, label: field.label, isRequired, repeats: field.repeatable },
    isFilled: rows.some(hasValue),
    isBasic: isRequired || (field.metadataPath?.kind === "path" && BASIC.has(field.metadataPath.steps[0]?.name ?? "")),
    rows: shown.map((each, at) => entriesOf(field.fields, each, below(field.repeatable ? `${name}.${at}` : name))),
  };
}

function fieldEntry(
  field: Field,
  row: FormTree,
  name: string,
  lang: string,
): Omit<FieldEntry, "isRequired" | "source"> {
  const isLanguage = isLanguageField(field);
  return {
    ...{ kind: "field", name, label: field.label, hint: hintOf(field) },
    input: inputOf(field),
    choices: field.choices,
    isLanguage,
    value: row.get(field)?.value ?? "",
    lang: isLanguage || lang === "" ? null : lang,
  };
}

function inputOf({ kind, choices }: Field): FieldEntry["input"] {
  if (kind === "textarea") return "text";
  if (kind === "date" || kind === "day") return "date";
  return (kind === "select" || kind === "radios") && choices.length > 0 ? "choice" : "line";
}

const lastName = ({ metadataPath }: Field): string =>
  metadataPath?.kind === "path" ? (metadataPath.steps.at(-1)?.name ?? "") : (metadataPath?.kind ?? "");

const isLanguageField = (field: Field): boolean => lastName(field) === "lang";

const DATE_HELP: Help = {
  en: "For example 1998, 1998-04, 2024/3/25 or 令和6年3月1日",
  ja: "例：1998、1998-04、2024年3月25日、令和6年3月1日",
};
const DAY_HELP: Help = { en: "For example 2024-03-25 or 令和6年3月1日", ja: "例：2024年3月25日、令和6年3月1日" };
const NAME_HELP: Help = {
  en: "Family name, given names: Yamada, Taro. The reading is a second entry with the language ja-Kana",
  ja: "姓, 名の順に入力してください（例：山田, 太郎）。読みは言語ja-Kanaの別の欄に入力します",
};

function hintOf(field: Field): Help | null {
  if (field.kind === "date") return DATE_HELP;
  if (field.kind === "day") return DAY_HELP;
  return field.metadataPath?.kind === "shown" || lastName(field) === "full" ? NAME_HELP : null;
}
