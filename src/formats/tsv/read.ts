// Reads an item table (specification 2, "Package content rules", TSV/CSV): five heading lines, then one item a row.

import type { DescribedItem, FileClaim } from "../../model/files/described-package.ts";
import { shownPath } from "../../model/files/file-names.ts";
import { problemWith } from "../../model/item-types/checks.ts";
import type { Field, ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { fromForm } from "../../model/item-types/from-form.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { delimiterOf, readRows, TABLE_LIMITS, type TableRow } from "./cells.ts";
import { decodeTable } from "./charset.ts";
import { type Column, type DottedValues, describedBy, type ListColumn, parseColumn } from "./columns.ts";
import { fileNamePaths } from "./file-names.ts";

/** Lines above the items: item type, columns, labels, system marks, options. */
const HEADING_LINES = 5;

type Heading = {
  readonly definition: ItemTypeDefinition;
  readonly names: readonly string[];
  readonly columns: readonly Column[];
};

/**
 * The items of a table. `itemTypes` are those the repository knows; the first line names one by id and name.
 *
 * @throws DocumentError naming line, column and value for what cannot be understood: a row of another length than the
 * columns, NUL, an open quote, an index above the limit, a value outside the choices, and more items than `mostItems`
 * before one of them is read. Does not check required fields, rights, or whether files and indexes exist.
 */
export function readItemTable(
  input: Uint8Array | string,
  itemTypes: readonly ItemTypeDefinition[],
  mostItems: number = TABLE_LIMITS.rows,
): readonly DescribedItem[] {
  if (input.length > TABLE_LIMITS.bytes)
    throw new DocumentError(`The table is longer than ${TABLE_LIMITS.bytes} bytes`);
  const text = typeof input === "string" ? input : decodeTable(input);
  const delimiter = delimiterOf(text);
  if (delimiter === null)
    throw new DocumentError("Line 1, column 1: the first cell of an item table must be #ItemType");
  const rows = readRows(text.replace(/^\uFEFF/, ""), delimiter);
  const heading = readHeading(rows, itemTypes);
  const items = rows.slice(HEADING_LINES);
  if (items.length > mostItems) {
    throw new DocumentError(`the package describes ${items.length} items, only one can be registered at a time`);
  }
  return items.map((row) => readItem(row, heading));
}

function readHeading(rows: readonly TableRow[], itemTypes: readonly ItemTypeDefinition[]): Heading {
  const [type, columns] = rows;
  if (type === undefined || columns === undefined)
    throw new DocumentError("Line 2: the line that names the columns is missing");
  const definition = findItemType(type, itemTypes);
  for (let index = 1; index < HEADING_LINES; index++) {
    const row = rows[index];
    if (row?.cells[0]?.startsWith("#") !== true) {
      throw new DocumentError(
        `Line ${row?.line ?? index + 1}, column 1: "${shorten(row?.cells[0] ?? "")}" does not begin with #; five heading lines come before the items`,
      );
    }
  }
  const names = columns.cells.map((cell, index) => (index === 0 ? cell.slice(1) : cell).trim());
  while (names.at(-1) === "") names.pop();
  const seen = new Map<string, number>();
  const read = names.map((name, index): Column => {
    const where = `Line ${columns.line}, column ${index + 1}: "${shorten(name)}"`;
    const column = parseColumn(name, definition);
    if ("wrong" in column) throw new DocumentError(`${where} ${column.wrong}`);
    const before = seen.get(name);
    if (before !== undefined) throw new DocumentError(`${where} is already in column ${before}`);
    seen.set(name, index + 1);
    return column;
  });
  return { definition, names, columns: read };
}

/**
 * The type of id and name, else of the name, else of the id: numbers differ between repositories, the names of the
 * default types do not.
 */
function findItemType(row: TableRow, itemTypes: readonly ItemTypeDefinition[]): ItemTypeDefinition {
  const written = (row.cells[1] ?? "").trim();
  const [bracket = "", digits = ""] = /\((\d{1,15})\)$/.exec(written) ?? [];
  const named = bracket === "" ? written : written.slice(0, -bracket.length).trimEnd();
  const byName = itemTypes.filter(({ name }) => name.en === named || name.ja === named);
  const byId = itemTypes.find(({ id }) => String(id) === digits);
  const found = byName.find((type) => type === byId) ?? (byName.length === 1 ? byName[0] : undefined) ?? byId;
  if (found === undefined) {
    throw new DocumentError(`Line ${row.line}, column 2: the item type "${shorten(written)}" is unknown`);
  }
  return found;
}

function readItem(row: TableRow, heading: Heading): DescribedItem {
  const { columns, names, definition } = heading;
  checkLength(row, columns.length);
  const values: Record<string, string> = {};
  const single: Record<string, string> = {};
  const lists = new Map<ListColumn, Map<number, string>>();
  const notes: string[] = [];
  for (const [index, column] of columns.entries()) {
    const value = (row.cells[index] ?? "").trim();
    if (value === "") continue;
    if (column.kind === "single") single[column.name] = value;
    else if (column.kind === "list")
      lists.set(column.name, (lists.get(column.name) ?? new Map()).set(column.index, value));
    else if (column.kind === "property") {
      checkValue(column.found.field, value, `Line ${row.line}, column ${index + 1} (${names[index]})`);
      values[column.path] = value;
    } else if (column.kind === "unknown") {
      notes.push(
        `Line ${row.line}: the column "${shorten(names[index] ?? "")}" is not known to the item type, "${shorten(value)}" was left out`,
      );
    }
  }
  const paths = lists.get(".file_path") ?? new Map<number, string>();
  const { extra, conflicts } = withFilePaths(values, paths, definition);
  const filled = fromForm(values, definition);
  const dotted: DottedValues = { single, lists: inOrder(lists) };
  const { existing, instructions, settings } = describedBy(dotted);
  return {
    localId: `_:line${row.line}`,
    existing,
    itemType: definition.id,
    metadata: filled.metadata,
    instructions: { ...instructions, ...(filled.openDate === null ? {} : { openDate: filled.openDate }) },
    settings,
    files: [...filled.files, ...extra],
    notes: [...notes, ...conflicts, ...filled.notes].map((note) =>
      note.startsWith("Line") ? note : `Line ${row.line}: ${note}`,
    ),
  };
}

/** Rows are as long as the columns; what a spreadsheet adds beyond them is empty. */
function checkLength(row: TableRow, columns: number): void {
  const beyond = row.cells.findIndex((cell, index) => index >= columns && cell.trim() !== "");
  if (beyond !== -1) {
    throw new DocumentError(
      `Line ${row.line}, column ${beyond + 1}: "${shorten(row.cells[beyond] ?? "")}" is not below any column`,
    );
  }
  if (row.cells.length < columns) {
    throw new DocumentError(
      `Line ${row.line}, column ${row.cells.length}: the row ends here, "${shorten(row.cells.at(-1) ?? "")}", and the table has ${columns} columns`,
    );
  }
}

function checkValue(field: Field, value: string, where: string): void {
  const problem = problemWith(field, value);
  if (problem !== null) throw new DocumentError(`${where}: "${shorten(value)}" ${problem}`);
}

/**
 * Gives row n of the file group the path `.file_path[n]` names. Paths an item type has no group for, or no row can
 * hold, become separate claims; a file name that differs from the end of its path is reported.
 */
function withFilePaths(
  values: Record<string, string>,
  paths: ReadonlyMap<number, string>,
  definition: ItemTypeDefinition,
): { readonly extra: readonly FileClaim[]; readonly conflicts: readonly string[] } {
  const pathOf = fileNamePaths(definition);
  if (pathOf === null) return { extra: [...paths.values()].map((path) => ({ path })), conflicts: [] };
  const conflicts: string[] = [];
  for (const [index, path] of paths) {
    const named = values[pathOf(index)];
    if (named !== undefined && ![path, path.split("/").at(-1), shownPath(path).at(-1)].includes(named)) {
      conflicts.push(`the file name "${shorten(named)}" is not that of "${shorten(path)}", the path was taken`);
    }
    values[pathOf(index)] = path;
  }
  return { extra: [], conflicts };
}

function inOrder(lists: ReadonlyMap<ListColumn, ReadonlyMap<number, string>>): DottedValues["lists"] {
  const sorted = [...lists].map(([name, values]): [ListColumn, readonly string[]] => [
    name,
    [...values].sort(([left], [right]) => left - right).map(([, value]) => value),
  ]);
  return Object.fromEntries(sorted);
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
