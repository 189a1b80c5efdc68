// A name as another service exports it, before its import (docs/moving.md).
import { type ImportRow, rowOfObject } from "../import-row.ts";
import type { ImportIn } from "../inputs.ts";

/** The row to import, and why the name is to be unpublished afterwards; null for a name that stays as it is imported. */
type ForeignName = { readonly value: ImportIn; readonly unavailable: string | null };
export type ForeignRow = ForeignName | { readonly wrong: string };
export type Elements = { readonly [name: string]: string };

/** Everything without a dedicated field, as one JSON text; the resolver never shows it. Empty where nothing is left. */
export function leftovers(elements: Elements, carried: ReadonlySet<string>): string {
  const left = Object.entries(elements).filter(([name, value]) => !carried.has(name) && value !== "");
  return left.length === 0 ? "" : JSON.stringify(Object.fromEntries(left));
}

export function foreignRow(
  fields: { readonly [field: string]: unknown },
  unavailable: string | null = null,
): ForeignRow {
  const row: ImportRow = rowOfObject(fields);
  return "wrong" in row ? row : { value: row.value, unavailable };
}

/** The first of these elements that holds anything. */
export function firstOf(elements: Elements, names: readonly string[]): string {
  for (const name of names) {
    const value = elements[name]?.trim() ?? "";
    if (value !== "") return value;
  }
  return "";
}
