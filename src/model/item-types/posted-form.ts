// A form as it was sent: its names and values become the tree of the form, and everything that is wrong is a fault at
// its field, in both languages (R4, R40). What was typed stays in the tree as it was typed.
import { most } from "../../shared/limits.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import { readWrittenDate } from "../../shared/time/written-date.ts";
import {
  type Field,
  type FormValues,
  holdsValue,
  type ItemTypeDefinition,
  meaningOf,
  resolvePath,
} from "./definition.ts";
import { enteredGroups, type FormTree, finishTree, nameOf, putValue, type RowsInWork, wayTo } from "./form-tree.ts";

export type Bilingual = { readonly en: string; readonly ja: string };
/** `name`: of the field in the form; null: of no field of it. */
export type FormFault = { readonly name: string | null; readonly words: Bilingual };

export type PostedForm = {
  /** As it was typed, but for dates. */
  readonly tree: FormTree;
  /** The same without the values that cannot be stored. */
  readonly storable: FormTree;
  readonly faults: readonly FormFault[];
  /** How dates were understood, by the name of their field, where they were written in another way. */
  readonly understood: ReadonlyMap<string, Bilingual>;
};

/** Faults that are reported of one form. */
const FAULTS_MAX = most("recordFaults");

/**
 * Values that are stored already, by the path of their field and by their text as a form sends it: they may be sent back,
 * also where nobody could enter them, and are what they were.
 */
export type StoredTexts = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function storedTexts(values: FormValues, definition: ItemTypeDefinition): StoredTexts {
  const stored = new Map<string, Map<string, string>>();
  for (const [path, value] of Object.entries(values)) {
    const found = resolvePath(definition, path);
    if (!("way" in found)) continue;
    const known = stored.get(found.field.path) ?? new Map<string, string>();
    stored.set(found.field.path, known);
    known.set(textOf(value, found.field), value);
  }
  return stored;
}

/** @param entries names and values in the order in which they were sent */
export const readPostedForm = (...sent: Parameters<typeof readPostedFormInParts>): PostedForm =>
  runWithoutYielding(readPostedFormInParts(...sent));

/** The same in parts. */
export function* readPostedFormInParts(
  entries: Iterable<readonly [name: string, value: string]>,
  definition: ItemTypeDefinition,
  stored: StoredTexts = new Map(),
): InParts<PostedForm> {
  const groups = enteredGroups(definition);
  const root: RowsInWork = new Map();
  const storable: RowsInWork = new Map();
  const faults: FormFault[] = [];
  const understood = new Map<string, Bilingual>();
  let count = 0;
  for (const [name, sent] of entries) {
    count += 1;
    yield;
    if (count > most("draftFormFields")) {
      faults.push({ name: null, words: tooMany(most("draftFormFields")) });
      break;
    }
    const way = wayTo(groups, name);
    const field = way?.at(-1)?.field;
    if (way === null || field === undefined || !holdsValue(field)) {
      faults.push({ name: null, words: unknownField(name) });
      continue;
    }
    const value = textOf(sent, field);
    const known = stored.get(field.path)?.get(value);
    const read = known === undefined ? readValue(field, value) : null;
    const kept = known ?? read?.date ?? value;
    if (!putValue(root, way, kept)) {
      faults.push({ name: nameOf(way), words: SENT_TWICE });
      continue;
    }
    const isWrong = read !== null && read.date === null;
    putValue(storable, way, isWrong ? "" : kept);
    if (isWrong) faults.push({ name: nameOf(way), words: read.words });
    else if (read !== null && read.date !== value) understood.set(nameOf(way), read.words);
  }
  return { tree: finishTree(root), storable: finishTree(storable), faults: faults.slice(0, FAULTS_MAX), understood };
}

/** Line breaks as they are stored; other fields have one line. */
function textOf(sent: string, field: Field): string {
  const text = sent.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  return field.kind === "textarea" ? text : text.replaceAll("\n", " ").trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F]/;

/** What is wrong with a value (`date` null), or the date that it means; null: neither. */
function readValue(field: Field, value: string): { readonly date: string | null; readonly words: Bilingual } | null {
  if (value === "") return null;
  const wrong = (words: Bilingual) => ({ date: null, words });
  if (value.length > most("valueCharacters")) return wrong(tooLong(most("valueCharacters")));
  if (value.includes("\uFFFD") || !value.isWellFormed()) return wrong(NOT_READABLE);
  if (CONTROL.test(value)) return wrong(CONTROL_CHARACTER);
  if (meaningOf(field, value) === null) return wrong(NOT_A_CHOICE);
  if (field.kind !== "date" && field.kind !== "day") return null;
  const read = readWrittenDate(value);
  if (field.kind === "day" && read.date !== null && read.date.length < 10) return wrong(NOT_A_DAY);
  return read;
}

const SENT_TWICE: Bilingual = { en: "This field was sent twice", ja: "この項目が2回送信されました" };
const NOT_READABLE: Bilingual = {
  en: "Some characters could not be read. The form must be sent as UTF-8",
  ja: "読み取れない文字があります。フォームはUTF-8で送信してください",
};
const CONTROL_CHARACTER: Bilingual = {
  en: "Control characters are not allowed",
  ja: "制御文字は使用できません",
};
const NOT_A_CHOICE: Bilingual = { en: "Choose one of the listed values", ja: "一覧から選択してください" };
const NOT_A_DAY: Bilingual = {
  en: "A whole day is needed, such as 2024-03-25",
  ja: "年月日まで入力してください（例：2024-03-25）",
};

const tooLong = (limit: number): Bilingual => ({
  en: `At most ${limit} characters are allowed`,
  ja: `${limit}文字以内で入力してください`,
});
const tooMany = (limit: number): Bilingual => ({
  en: `The form has more than ${limit} fields: the further ones were not read`,
  ja: `フォームの項目が${limit}個を超えています。超えた分は読み取られていません`,
});

/** Characters of a name that are quoted. */
const SHOWN_NAME = 100;

function unknownField(name: string): Bilingual {
  const shown = name.length > SHOWN_NAME ? `${name.slice(0, SHOWN_NAME)}…` : name;
  return { en: `The form has no field "${shown}"`, ja: `フォームに「${shown}」という項目はありません` };
}
