// Entries of vocabularies out of files (R6a): organisations of ROR (JSON of its schema 2, or 1), funders of the
// Crossref registry (CSV), and plain entries of any vocabulary, subjects and awards among them (JSON, CSV). Pure.
import { isObject, listIn, textIn } from "../../shared/objects.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";
import { vocabularyIdOf } from "./records.ts";

type Json = Readonly<Record<string, unknown>>;

/** What is kept of a name, and of other names together. */
const TITLE = 500;
const OTHERS = 1_000;

const bareId = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

type Entry = Omit<VocabularyEntry, "type">;

/** An organisation of ROR. @throws TypeError for any other shape */
export function entryOfRor(record: Json): Entry {
  const id = bareId(textIn(record, "id"));
  const names = listIn(record, "names").map((each) => ({
    value: textIn(each, "value"),
    lang: textIn(each, "lang"),
    types: listIn(each, "types"),
  }));
  const shown = names.find(({ types }) => types.includes("ror_display"))?.value ?? textIn(record, "name");
  const labels = names.filter(({ types }) => types.includes("label"));
  const inLanguage = (lang: string): string | undefined => labels.find((each) => each.lang === lang)?.value;
  const others = [...new Set(names.map(({ value }) => value))].filter((value) => value !== shown && value !== "");
  const [place] = listIn(record, "locations");
  const details = isObject(place) ? place.geonames_details : undefined;
  const country =
    textIn(details, "country_code") || textIn(isObject(record.country) ? record.country : {}, "country_code");
  return checked(id, inLanguage("en") ?? shown, inLanguage("ja") ?? shown, {
    scheme: "ROR",
    url: `https://ror.org/${id}`,
    ...(country === "" ? {} : { country }),
    ...(others.length === 0 ? {} : { names: others.join("; ").slice(0, OTHERS).toWellFormed() }),
    ...(textIn(record, "status") === "" ? {} : { status: textIn(record, "status") }),
  });
}

const ID_COLUMNS = ["uri", "id", "funder_id"];
const NAME_COLUMNS = ["primary_name_display", "name", "label"];

/** A funder of a table with an id (or address) and a name. @throws TypeError for any other shape */
export function entryOfFunder(row: ReadonlyMap<string, string>): Entry {
  const first = (columns: readonly string[]): string =>
    columns.map((column) => row.get(column)?.trim() ?? "").find((value) => value !== "") ?? "";
  const [written, name] = [first(ID_COLUMNS), first(NAME_COLUMNS)];
  const doi = /\b(10\.\d{4,9}\/\S+)$/.exec(written)?.[1];
  const replaced = row.get("replaced")?.trim() ?? "";
  return checked(bareId(written), name, name, {
    scheme: "Crossref Funder",
    ...(doi === undefined ? {} : { url: `https://doi.org/${doi}` }),
    ...(replaced === "" ? {} : { replaced }),
  });
}

const PLAIN_TITLES = ["en", "subject", "name", "title"];
/** Members of a plain entry that hold its names. */
const NOT_PROPS: ReadonlySet<string> = new Set(["id", "title", "title_en", "title_ja", "props", "ja", ...PLAIN_TITLES]);

/** True for a record of ROR; anything else is a plain entry. */
export const isRor = (record: Json): boolean =>
  textIn(record, "id").startsWith("https://ror.org/") &&
  (Array.isArray(record.names) || "country" in record || "types" in record);

/**
 * A plain entry: `id`; its title as `title` (a text, or texts by language), `subject` or `name`, or as `en` and `ja`.
 * Every
 * other text, and `props`, is kept as a property. `funder` may be an object, `tags` a list.
 *
 * @throws TypeError for any other shape
 */
export function entryOfObject(type: string, record: Json): Entry {
  const { title } = record;
  const en =
    textIn(title, "en") || textIn(record, "title_en") || PLAIN_TITLES.map((name) => textIn(record, name)).find(Boolean);
  const ja = textIn(title, "ja") || textIn(record, "title_ja") || textIn(record, "ja");
  const { funder, tags, props } = record;
  const known: Readonly<Record<string, unknown>> = {
    ...(isObject(props) ? props : {}),
    ...Object.fromEntries(Object.entries(record).filter(([name]) => !NOT_PROPS.has(name))),
    ...(isObject(funder) ? { funder: textIn(funder, "id"), funder_name: textIn(funder, "name") } : {}),
    ...(Array.isArray(tags) ? { tags: tags.filter((tag) => typeof tag === "string").join(" ") } : {}),
  };
  const texts = Object.entries(known).flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value.slice(0, OTHERS).toWellFormed()]] : [],
  );
  return checked(textIn(record, "id"), en || ja, ja, Object.fromEntries(texts), type);
}

/** True for a table of plain entries. */
export const hasPlainColumns = (columns: readonly string[]): boolean =>
  columns.includes("id") && [...PLAIN_TITLES, "ja"].some((name) => columns.includes(name));

/** True for a table whose columns name funders. */
export const hasFunderColumns = (columns: readonly string[]): boolean =>
  ID_COLUMNS.some((name) => columns.includes(name)) && NAME_COLUMNS.some((name) => columns.includes(name));

function checked(
  id: string,
  en: string,
  ja: string,
  props: Readonly<Record<string, string>>,
  type = "affiliations",
): Entry {
  if (id === "") throw new TypeError("has no id");
  vocabularyIdOf(type).read(id, "id");
  if (en === "") throw new TypeError(`${id} has no name`);
  const cut = (text: string): string => text.slice(0, TITLE).toWellFormed();
  return { id, title: { en: cut(en), ja: cut(ja) }, props };
}
