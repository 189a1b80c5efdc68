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

function sortValue(value: SortValue, type: "number" | "text"): SortValue {
  if (typeof value !== (type === "text" ? "string" : "number"))
    throw new TypeError(`Cannot sort ${value} as a ${type}`);
  return typeof value === "number" ? finite(value) : value;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError(`Cannot index ${value}: it is not a number`);
  return value;
}
