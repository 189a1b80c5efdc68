// Cells that a spreadsheet would take for a formula, in tables that people open (R14; decisions, "Settings": CSV_GUARD).

/** What makes a spreadsheet take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A formula, or a guarded one: each guarding adds one apostrophe, so that every cell reads back as it was. */
const MAY_NEED_GUARD = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

export function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell);
}

/** The cell with an apostrophe before what would be a formula. */
export function guardedCell(cell: string): string {
  return MAY_NEED_GUARD.test(cell) ? `'${cell}` : cell;
}

/** What `guardedCell` was given. */
export function unguardedCell(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
