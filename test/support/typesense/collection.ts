// A collection in memory: its schema, its documents in the order they came, and their tokens.
import { type Document, type Field, judgedDocument, type Schema, type Value } from "./schema.ts";
import { tokensOf } from "./tokens.ts";
import { Refused } from "./unseen.ts";

export type Stored = {
  readonly id: string;
  /** The order of arrival; a document that is written again keeps its place. */
  readonly sequence: number;
  readonly document: Document;
  /** The tokens of each text of each string field. */
  readonly texts: ReadonlyMap<string, readonly (readonly string[])[]>;
};

export type Collection = {
  readonly schema: Schema;
  fieldOf(name: string): Field | undefined;
  documents(): Stored[];
  get(id: string): Stored;
  has(id: string): boolean;
  put(document: Document, action: WriteAction, coerce?: boolean): Stored;
  delete(id: string): void;
  addField(field: Field): void;
  dropField(name: string): void;
  /** After a restart without snapshot the server answers before it has read all its documents again. */
  showOnly(count: number | null): void;
};

export type WriteAction = "create" | "update" | "upsert" | "emplace";

/** As nlohmann's JSON writes objects. */
function sorted(document: Document): Document {
  return Object.fromEntries(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const textsOf = (value: Value | undefined): string[] =>
  [value ?? []].flat().filter((one): one is string => typeof one === "string");

export function collection(first: Schema): Collection {
  let schema = first;
  let sequence = 0;
  let shown: number | null = null;
  const documents = new Map<string, Stored>();

  const tokensOfDocument = (document: Document): Stored["texts"] =>
    new Map(
      schema.fields
        .filter((field) => field.type.startsWith("string"))
        .map((field) => [field.name, textsOf(document[field.name]).map((text) => tokensOf(text, field))]),
    );

  const get = (id: string): Stored => {
    const stored = documents.get(id);
    if (stored === undefined) throw new Refused(404, `Could not find a document with id: ${id}`);
    return stored;
  };

  return {
    get schema() {
      return schema;
    },
    fieldOf: (name) => schema.fields.find((field) => field.name === name),
    documents: () => [...documents.values()].slice(0, shown ?? undefined),
    get,
    has: (id) => documents.has(id),
    put(input, action, coerce = false) {
      const before = typeof input.id === "string" ? documents.get(input.id) : undefined;
      const isPatch = action === "update" || (action === "emplace" && before !== undefined);
      if (action === "update" && before === undefined) get(String(input.id));
      const document = judgedDocument(isPatch ? { ...before?.document, ...input } : input, schema, coerce);
      const id = String(document.id);
      if (action === "create" && before !== undefined) {
        throw new Refused(409, `A document with id ${id} already exists.`);
      }
      const stored: Stored = {
        id,
        sequence: before?.sequence ?? sequence++,
        document: sorted(document),
        texts: tokensOfDocument(document),
      };
      documents.set(id, stored);
      return stored;
    },
    delete: (id) => void documents.delete(id),
    addField(field) {
      schema = { ...schema, fields: [...schema.fields, field] };
    },
    dropField(name) {
      schema = { ...schema, fields: schema.fields.filter((field) => field.name !== name) };
    },
    showOnly(count) {
      shown = count;
    },
  };
}
