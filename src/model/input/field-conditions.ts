// Conditions on named fields of a table that is small enough for the database alone (communities, requests); each
// aggregate lays onto its columns (R37).

export type FieldCondition =
  | { readonly kind: "everything" }
  /** The field's words hold this text, in normal form (`searchedText`). */
  | { readonly kind: "contains"; readonly field: string; readonly text: string }
  | { readonly kind: "is"; readonly field: string; readonly value: string }
  /** Texts in their order; null: open. */
  | { readonly kind: "between"; readonly field: string; readonly from: string | null; readonly to: string | null }
  | { readonly kind: "all" | "any"; readonly of: readonly FieldCondition[] }
  | { readonly kind: "not"; readonly of: FieldCondition };

/** Matches no row. */
export const NO_MATCH: FieldCondition = { kind: "any", of: [] };
