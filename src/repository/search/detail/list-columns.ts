// The columns of a list of search hits as a request asks for them (specification 3, "List export"): read and held to
// limits before anything is searched.

import { Type } from "@sinclair/typebox";
import { primaryLanguage } from "../../../model/metadata/reader-language.ts";
import { FieldFault, quoted, unfit } from "../../../shared/field-faults.ts";
import { anyListOf, type Field, objectOf, type Sent, sequenceOf, words } from "../../../shared/fields.ts";
import { most } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/refusal.ts";

export type ListColumn = {
  /** The heading by language, in lower case; never none. */
  readonly name: ReadonlyMap<string, string>;
  /** A key of the root entity of an item's crate. */
  readonly key: string;
};

const MOST = most("listColumns");
/** Languages one heading is worded in. */
const LANGUAGES_MAX = 50;
const heading = words(1_000);
const crateKey = words(200, {}, true);
const language = words(35, {}, true);

/** What clients of this interface know; what is wrong follows it. */
const BAD_BODY = "Invalid Request Header or Body";

/** What is wrong with a body, in the words of this interface. */
export const badBody = (message: string): Refusal => new Refusal("invalid", `${BAD_BODY}: ${message}`);

const COLUMN: Field<ListColumn> = {
  schema: Type.Object(
    {
      name: Type.Record(Type.String(), heading.schema, {
        description: 'The heading by language code: `{"en": "Title", "ja": "タイトル"}`',
      }),
      roCrateKey: Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "A key that the RO-Crate mapping of the item type gives to the root; without a value the cell is empty",
      }),
    },
    { $id: "ListColumn" },
  ),
  read: columnOf,
};

/** The columns of a list. */
export const LIST_COLUMNS: Field<readonly ListColumn[]> = {
  schema: Type.Array(COLUMN.schema, { minItems: 1, maxItems: MOST }),
  read(body, path) {
    const { length } = anyListOf(body, "the body");
    if (length === 0 || length > MOST) throw new FieldFault("the body", `must have 1 to ${MOST} columns`, `${length}`);
    return sequenceOf(COLUMN, MOST).read(body, path);
  },
};

/** A body of this interface. @returns a reader that throws invalid, naming the column and the value, in its words */
export const sentToList =
  <T>(field: Field<T>, value: unknown): Sent<T> =>
  () => {
    try {
      return field.read(value, "");
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      const { path, rule, shown, reason, all, message } = error;
      throw Object.assign(new FieldFault(path, rule, shown, reason, `${BAD_BODY}: ${message}`), { all });
    }
  };

function columnOf(json: unknown, at: string): ListColumn {
  const { name, roCrateKey } = objectOf(json, at);
  const headings = Object.entries(objectOf(name, `${at}.name`));
  if (headings.length === 0 || headings.length > LANGUAGES_MAX) {
    throw unfit(`${at}.name`, headings.length, `must have 1 to ${LANGUAGES_MAX} languages`);
  }
  return {
    name: new Map(
      headings.map(([tag, text]) => [
        language.read(tag, `${at}.name`).toLowerCase(),
        heading.read(text, `${at}.name[${quoted(tag)}]`),
      ]),
    ),
    key: crateKey.read(roCrateKey, `${at}.roCrateKey`),
  };
}

/** The heading in the language asked for, else in English, else the first. */
export function headingOf({ name }: ListColumn, asked: string): string {
  const [first = ""] = name.values();
  return name.get(asked) ?? name.get(primaryLanguage(asked)) ?? name.get("en") ?? first;
}
