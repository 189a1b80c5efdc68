// A document as a row of an embedded index, before its keys and texts have numbers there (R34): made from the document
// alone, so that a thread that makes documents makes rows at once, and a whole one is sent on as text.
import type { IndexSchema, Key, SearchDocument, SortValue } from "../../src/repository/search/document/document.ts";
import { countedFields } from "./columns.ts";
import type { Terms } from "./terms.ts";

export type DocumentRow = {
  readonly id: number;
  readonly parentId: number;
  readonly digest: string;
  /** Of the full text table. */
  readonly terms: string;
  /** Of each counted field its keys, each once, with their labels. */
  readonly counted: readonly (readonly (readonly [key: Key, label: string])[])[];
  /** In the order of the schema. */
  readonly sorts: readonly SortValue[];
  /** Each number after the place of its field in the schema. */
  readonly numbers: readonly number[];
};

/** @throws TypeError where a value is not of the kind that the schema names. */
export type RowMaking = (document: SearchDocument) => DocumentRow;

export function rowMaking(schema: IndexSchema, terms: Terms): RowMaking {
  const fields = countedFields(schema);
  return (document) => {
    const { id, parentId, digest, keys, labels, sorts, numbers } = document;
    return {
      id,
      parentId,
      digest,
      terms: terms.ofDocument(document),
      counted: fields.map((field) => {
        const held = keys[field] ?? [];
        return (held.length > 1 ? [...new Set(held)] : held).map((key) => [key, labels[key] ?? ""] as const);
      }),
      sorts: schema.sorts.map(({ name, type }) => sortValue(sorts[name] ?? (type === "text" ? "" : 0), type)),
      numbers: schema.numbers.flatMap((field, index) =>
        (numbers[field] ?? []).flatMap((value) => [index, finite(value)]),
      ),
    };
  };
}

/**
 * Rows from thread to thread, which copy a text much sooner than lists: JSON without the terms, and the terms of each
 * after it, as they are most of it and need no escapes.
 */
export function rowsText(rows: readonly DocumentRow[]): string {
  const terms = rows.map(({ terms }) => terms);
  return [JSON.stringify(rows.map((row) => ({ ...row, terms: "" }))), ...terms].join(PART);
}

/** No term has it: it is escaped there (terms.ts), and in JSON. */
const PART = "\0";

/** @throws RangeError where they are not as many as there were. */
export function rowsIn(text: string): readonly DocumentRow[] {
  const [json = "", ...terms] = text.split(PART);
  // Written above only.
  const rows = JSON.parse(json) as readonly DocumentRow[];
  if (terms.length !== rows.length) throw new RangeError("Cannot read rows of an index: their terms are not as many");
  return rows.map((row, at) => ({ ...row, terms: terms[at] ?? "" }));
}

function sortValue(value: SortValue, type: "number" | "text"): SortValue {
  if (typeof value !== (type === "text" ? "string" : "number"))
    throw new TypeError(`Cannot sort ${value} as a ${type}`);
  return typeof value === "number" ? finite(value) : value;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError(`Cannot index ${value}: it is not a number`);
  return value;
}
