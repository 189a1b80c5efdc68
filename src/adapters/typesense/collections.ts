// Collections of Typesense that hold an index, and documents as they are sent (R28, R34). Names of our fields get a
// prefix each, so that none is one of Typesense's own.
import type { CollectionCreateSchema } from "typesense/lib/Typesense/Collections";
import {
  FIELDS,
  type IndexSchema,
  type SearchDocument,
  type SortValue,
} from "../../repository/search/document/document.ts";
import {
  keyWritten,
  NO_KEY,
  NO_TOKEN,
  numberWritten,
  SORT_TEXT_DIGITS,
  sortTextParts,
  sortTextWritten,
  tokenWritten,
} from "./values.ts";

export const NUMBER_OF_ITEM = "item";
export const PARENT = "parent";
/** The number once more, as a text: by it a condition names documents it does not mean. */
export const ID_TEXT = "itemtext";

export const textField = (name: string): string => `t_${name}`;
export const keyField = (name: string): string => `k_${name}`;
export const numberField = (name: string): string => `n_${name}`;
export const sortField = (name: string): string => `s_${name}`;
export const sortPartField = (name: string, part: number): string => `s_${name}_${part + 1}`;

/** Members that are stored and not indexed. */
export const PLACE = "place";
export const DIGEST = "digest";
export const SEALED = "sealed";

/** Keys of these fields are listed: which of them there are decides what a viewer may find. */
const LISTED: readonly string[] = [FIELDS.visibility, FIELDS.fileClasses];

export function documentsSchema(name: string, schema: IndexSchema): CollectionCreateSchema {
  const counted = new Set([...schema.facets, ...LISTED]);
  const sorts = schema.sorts.flatMap(({ name: sort, type }) =>
    type === "number"
      ? [{ name: sortField(sort), type: "int64" as const }]
      : [
          { name: sortField(sort), type: "string" as const, sort: true },
          ...sortTextParts("").map((_, part) => ({ name: sortPartField(sort, part), type: "int64" as const })),
        ],
  );
  return {
    name,
    default_sorting_field: NUMBER_OF_ITEM,
    fields: [
      { name: NUMBER_OF_ITEM, type: "int64" },
      { name: PARENT, type: "int64" },
      { name: ID_TEXT, type: "string" },
      ...schema.texts.map((text) => ({ name: textField(text), type: "string" as const })),
      ...schema.keys.map((key) => ({
        name: keyField(key),
        type: "string[]" as const,
        ...(counted.has(key) ? { facet: true } : {}),
      })),
      ...schema.numbers.map((number) => ({ name: numberField(number), type: "int64[]" as const, optional: true })),
      ...sorts,
    ],
  };
}

/** Words of keys, by key: a facet's value has 255 bytes at most. */
export const labelsSchema = (name: string): CollectionCreateSchema => ({
  name,
  fields: [{ name: "key", type: "string" }],
});

/** What is known of a collection of documents; `floor`: the number of documents that it has at least. */
export const stateSchema = (name: string): CollectionCreateSchema => ({
  name,
  fields: [
    { name: "schema", type: "string" },
    { name: "floor", type: "int64" },
    { name: "written", type: "int64" },
  ],
});

const member = (name: string, json: string): string => `${JSON.stringify(name)}:${json}`;
const text = (value: string): string => JSON.stringify(value);
const texts = (values: readonly string[]): string => JSON.stringify(values);

function wordsOf(words: string | undefined): string {
  const tokens = new Set((words ?? "").split(" ").filter((token) => token !== ""));
  return tokens.size === 0 ? NO_TOKEN : [...tokens].map(tokenWritten).join(" ");
}

const asSortText = (value: SortValue | undefined): string => String(value ?? "").slice(0, SORT_TEXT_DIGITS);

function sortMembers(schema: IndexSchema, { sorts }: SearchDocument): string[] {
  return schema.sorts.flatMap(({ name, type }) => {
    const value = sorts[name];
    if (type === "number") return [member(sortField(name), String(numberWritten(Number(value ?? 0))))];
    const parts = sortTextParts(asSortText(value));
    return [
      member(sortField(name), text(sortTextWritten(asSortText(value)))),
      ...parts.map((part, at) => member(sortPartField(name, at), String(part))),
    ];
  });
}

/** One line of JSON: written by hand, for its whole numbers are larger than a double holds. */
export function documentLine(schema: IndexSchema, document: SearchDocument, write: number): string {
  const { id, parentId, digest, keys, numbers, sorts } = document;
  const places = Object.fromEntries(
    schema.sorts.map(({ name, type }) => [name, sorts[name] ?? (type === "number" ? 0 : "")]),
  );
  const written = (name: string): string[] =>
    [...new Set(keys[name] ?? [])].map(keyWritten).filter((key) => key !== null);
  return `{${[
    member("id", text(String(id))),
    member(NUMBER_OF_ITEM, String(id)),
    member(PARENT, String(parentId)),
    member(ID_TEXT, text(String(id))),
    member(DIGEST, text(digest)),
    member(SEALED, String(write)),
    member(PLACE, text(JSON.stringify(places))),
    ...schema.texts.map((name) => member(textField(name), text(wordsOf(document.texts[name])))),
    ...schema.keys.map((name) => member(keyField(name), texts(written(name).length === 0 ? [NO_KEY] : written(name)))),
    ...schema.numbers
      .filter((name) => (numbers[name] ?? []).length > 0)
      .map((name) =>
        member(numberField(name), `[${(numbers[name] ?? []).map((one) => String(numberWritten(one))).join(",")}]`),
      ),
    ...sortMembers(schema, document),
  ].join(",")}}`;
}

/** The mark of the last write in a document, where that write changed no document. */
export const sealLine = (id: number, written: number): string => JSON.stringify({ id: String(id), [SEALED]: written });

export const labelLines = ({ labels }: SearchDocument): string[] =>
  Object.entries(labels).map(([key, label]) => JSON.stringify({ id: key, key, label }));

/** What a build sends of a document. */
export type PreparedLines = {
  readonly id: SearchDocument["id"];
  readonly line: string;
  readonly labels: readonly string[];
};

/** Of a build all documents are of one write. */
export const preparedLines = (schema: IndexSchema, document: SearchDocument): PreparedLines => ({
  id: document.id,
  line: documentLine(schema, document, 0),
  labels: labelLines(document),
});

/** A position in the form of the port, from the members stored with a document. */
export function placeOf(hit: { readonly [name: string]: unknown }, sort: readonly { readonly field: string }[]) {
  const id = Number(hit.id);
  const sorts: { readonly [name: string]: SortValue } = JSON.parse(String(hit[PLACE]));
  return { sort: sort.map(({ field }) => (field === "id" ? id : (sorts[field] ?? 0))), id };
}

/** The collection with the words of the keys of a collection. */
export const labelsOf = (collection: string): string => `${collection}_labels`;

/** How many collections of this name there were, and which of them are left. */
export function numberOf(name: string, collection: string): number | null {
  const [, number] = new RegExp(`^${name}_(\\d{1,9})(?:_labels)?$`).exec(collection) ?? [];
  return number === undefined ? null : Number(number);
}
