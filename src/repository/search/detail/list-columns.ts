// The columns of a list of search hits as a request asks for them (specification 3, "List export"): read and held to
// limits before anything is searched.

import { primaryLanguage } from "../../../model/metadata/reader-language.ts";
import { anyListOf, FieldFault, objectOf, quoted, unfit, words } from "../../../shared/fields.ts";
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

/** Throws invalid, naming the column and the value. */
export function readListColumns(body: unknown): readonly ListColumn[] {
  try {
    const columns = anyListOf(body, "the body");
    if (columns.length === 0 || columns.length > MOST) {
      throw new FieldFault("the body", `must have 1 to ${MOST} columns`, String(columns.length));
    }
    return columns.map((column, at) => columnOf(column, `[${at}]`));
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    throw badBody(error.message);
  }
}

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
