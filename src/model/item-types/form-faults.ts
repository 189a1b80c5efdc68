// What is wrong with a draft, at the fields of its form: required fields that are empty, and the faults of the records
// interface, in the same words (R40).
import type { FieldError } from "../input/record-refusals.ts";
import { RECORD_SENTENCES } from "../input/record-refusals.ts";
import type { Field, ItemTypeDefinition } from "./definition.ts";
import { enteredGroups, type FormTree, hasValue } from "./form-tree.ts";
import type { Bilingual, FormFault } from "./posted-form.ts";

const MISSING: Bilingual = { en: RECORD_SENTENCES.missing, ja: "必須の項目が入力されていません。" };

/** Required groups that are empty, and required fields of rows that are not. */
export function requiredFaults(definition: ItemTypeDefinition, tree: FormTree): readonly FormFault[] {
  return missingIn(enteredGroups(definition), tree, "");
}

function missingIn(fields: readonly Field[], row: FormTree, above: string): readonly FormFault[] {
  return fields.flatMap((field): readonly FormFault[] => {
    if (field.key === null || field.metadataPath?.kind === "constant") return [];
    const name = above === "" ? field.key : `${above}.${field.key}`;
    const cell = row.get(field);
    if (field.kind !== null) return field.required && (cell?.value ?? "") === "" ? [{ name, words: MISSING }] : [];
    const rows = [...(cell?.rows ?? []).entries()].filter(([, each]) => hasValue(each));
    if (rows.length === 0) return field.required ? [{ name: firstNameIn(field, name), words: MISSING }] : [];
    return rows.flatMap(([at, each]) => missingIn(field.fields, each, field.repeatable ? `${name}.${at}` : name));
  });
}

/** The first control of a group, to which a fault of the group leads. */
function firstNameIn(field: Field, name: string): string {
  const at = field.repeatable ? `${name}.0` : name;
  const first =
    field.fields.find(({ required, kind }) => required && kind !== null) ??
    field.fields.find(({ key, kind }) => key !== null && kind !== "button" && kind !== "markup");
  if (first === undefined || first.key === null) return name;
  return first.kind === null ? firstNameIn(first, `${at}.${first.key}`) : `${at}.${first.key}`;
}

/** Members of the records interface, and the member of the metadata that has them. */
const MEMBERS: Readonly<Record<string, string>> = {
  title: "titles",
  additional_titles: "titles",
  creators: "creators",
  contributors: "contributors",
  resource_type: "type",
  publication_date: "dates",
  dates: "dates",
  publisher: "publishers",
  description: "descriptions",
  additional_descriptions: "descriptions",
  subjects: "subjects",
  languages: "languages",
  rights: "rights",
  identifiers: "identifiers",
  related_identifiers: "relations",
  funding: "funding",
  version: "versionLabel",
  formats: "formats",
  sizes: "sizes",
  locations: "locations",
};

/** The sentences of the interface that a person meets most, in Japanese. */
const SENTENCES: readonly (readonly [pattern: RegExp, ja: string])[] = [
  [/^Missing data for required field\.$/, MISSING.ja],
  [/^Not a valid (?:string|number|boolean|list)\.$/, "値の形式が正しくありません。"],
  [/^Not a valid date\.$/, "日付として正しくありません。"],
  [/^Field may not be null\.$/, "空にはできません。"],
  [/^Shorter than minimum length (\d+)\.$/, "$1文字以上で入力してください。"],
  [/^Longer than maximum length (\d+)\.$/, "$1文字以内で入力してください。"],
  [/^Must be one of: (.*)\.$/s, "次のいずれかを指定してください：$1"],
  [
    /^Missing uploaded files\..*$/s,
    "ファイルがありません。ファイルのない資料として登録する場合は、その旨を選択してください。",
  ],
  [
    /^One or more files have not completed their transfer.*$/s,
    "アップロードが完了していないファイルがあります。しばらくお待ちください。",
  ],
];

function inBoth(sentence: string): Bilingual {
  for (const [pattern, ja] of SENTENCES) {
    if (pattern.test(sentence)) return { en: sentence, ja: sentence.replace(pattern, ja) };
  }
  return { en: sentence, ja: sentence };
}

/** The control to which a comment on a field of the record leads; null: the form has none. */
export function commentedControl(field: string, definition: ItemTypeDefinition): string | null {
  const [member = "", row = "0"] = field.split(".");
  const names = [OTHER_NAMES[member] ?? member, ...(member === "publicationDate" ? ["dates"] : [])];
  const group = enteredGroups(definition).find(
    ({ metadataPath }) => metadataPath?.kind === "path" && names.includes(metadataPath.steps[0]?.name ?? ""),
  );
  if (group === undefined || group.key === null) return null;
  return firstNameIn(group, group.key).replace(/\.0(?=\.|$)/, `.${row}`);
}

/** Parts of a page that have another name in the metadata. */
const OTHER_NAMES: Readonly<Record<string, string>> = { title: "titles", otherTitles: "titles" };

/** The faults of a draft in the records interface, each at the first control of what it is about. */
export function recordFaults(errors: readonly FieldError[], definition: ItemTypeDefinition): readonly FormFault[] {
  const groups = enteredGroups(definition);
  return errors.flatMap(({ field, messages }) => {
    const [, member = "", row] = /^metadata\.(\w+)(?:\.(\d+))?/.exec(field) ?? [];
    const canonical = Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined;
    const group = groups.find(
      ({ metadataPath }) => metadataPath?.kind === "path" && metadataPath.steps[0]?.name === canonical,
    );
    const first = group === undefined || group.key === null ? null : firstNameIn(group, group.key);
    const name = first === null || row === undefined ? first : first.replace(/\.0(?=\.|$)/, `.${row}`);
    return messages.map((message) => ({ name, words: inBoth(message) }));
  });
}
