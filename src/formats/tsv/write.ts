// Writes items as an item table (R14): five heading lines, one row an item, a column for every value any of them has.

import type { DescribedItem } from "../../repository/model/described-package.ts";
import { shownPath } from "../../repository/model/file-names.ts";
import {
  type Field,
  type FormValues,
  holdsValue,
  type ItemTypeDefinition,
  shownGroups,
} from "../../repository/model/item-types/definition.ts";
import { resolvePath } from "../../repository/model/item-types/form-path.ts";
import { toForm } from "../../repository/model/item-types/to-form.ts";
import { type TableDelimiter, tableLine } from "./cells.ts";
import { type Charset, encodeTable } from "./charset.ts";
import { type DottedValues, dottedValues, type ListColumn, type SingleColumn } from "./columns.ts";
import { fileGroup, fileNamePaths } from "./file-names.ts";

type TableOptions = {
  readonly delimiter?: TableDelimiter;
  readonly charset?: Charset;
  /** Puts an apostrophe before cells that a spreadsheet would take for a formula. Such a table does not read back as it was. */
  readonly isGuarded?: boolean;
  readonly language?: "en" | "ja";
  /** Address of the item type's schema, third cell of the first line. */
  readonly schemaUrl?: string;
};

/** One column: its name, what stands below it in lines 3 to 5, and its value for an item. */
type TableColumn = {
  readonly name: string;
  readonly label: string;
  readonly mark: string;
  readonly option: string;
  readonly value: (row: RowValues) => string;
};
type RowValues = { readonly dotted: DottedValues; readonly values: FormValues };

/** As `writeItemTable`, encoded. Throws DocumentError for a character the character set does not have. */
export function encodeItemTable(
  items: readonly DescribedItem[],
  definition: ItemTypeDefinition,
  options: TableOptions = {},
): Uint8Array<ArrayBuffer> {
  return encodeTable(writeItemTable(items, definition, options), options.charset ?? "utf-8");
}

/** The table of items of one type. What no field of the type can hold is not in it (`lostValues`). Rows end in CRLF. */
export function writeItemTable(
  items: readonly DescribedItem[],
  definition: ItemTypeDefinition,
  options: TableOptions = {},
): string {
  const { delimiter = "\t", isGuarded = false, language = "en", schemaUrl = "" } = options;
  const rows = items.map((item) => rowValues(item, definition));
  const columns = columnsFor(rows, definition, language);
  const name = `${definition.name[language]}(${definition.id})`;
  const heading = (pick: (column: TableColumn) => string): readonly string[] =>
    columns.map((column, index) => (index === 0 ? `#${pick(column)}` : pick(column)));
  const lines = [
    ["#ItemType", name, schemaUrl],
    heading((column) => column.name),
    heading((column) => column.label),
    heading((column) => column.mark),
    heading((column) => column.option),
  ];
  const written = lines.map((cells) => tableLine(cells, delimiter, false));
  for (const row of rows) {
    written.push(
      tableLine(
        columns.map((column) => column.value(row)),
        delimiter,
        isGuarded,
      ),
    );
  }
  return written.join("");
}

function rowValues(item: DescribedItem, definition: ItemTypeDefinition): RowValues {
  const values = { ...toForm(item.metadata, definition, item.files, item.instructions.openDate ?? null) };
  const pathOf = fileNamePaths(definition);
  for (const [index, { path }] of pathOf === null ? [] : item.files.entries()) {
    const name = pathOf?.(index);
    if (name !== undefined && values[name] !== undefined) values[name] = shownPath(path).at(-1) ?? path;
  }
  return { dotted: dottedValues(item), values };
}

function columnsFor(
  rows: readonly RowValues[],
  definition: ItemTypeDefinition,
  language: "en" | "ja",
): readonly TableColumn[] {
  const counts = rowCounts(rows, definition);
  const files = fileGroup(definition);
  const filePaths = listColumns(".file_path", "File path", rows);
  const properties = shownGroups(definition).flatMap((group) => [
    ...(group === files ? filePaths : []),
    ...propertyColumns(group, ".metadata", "", [], counts, language),
  ]);
  return [
    single(".id", "ID"),
    single(".uri", "URI", "System"),
    ...listColumns(".metadata.path", "Path", rows),
    ...listColumns(".pos_index", "Index", rows),
    single(".publish_status", "Publish status", "", "Required"),
    ...listColumns(".feedback_mail", "Feedback mail", rows),
    ...listColumns(".request_mail", "Request mail", rows),
    single(".researchmap_linkage", "Researchmap linkage"),
    single(".cnri", "CNRI", "System"),
    single(".doi_ra", "DOI registration agency"),
    single(".doi", "DOI"),
    single(".edit_mode", "Keep/Upgrade version", "", "Required"),
    ...properties,
    ...(files === null ? filePaths : []),
  ];
}

function single(name: SingleColumn, label: string, mark = "", option = ""): TableColumn {
  return { name, label, mark, option, value: ({ dotted }) => dotted.single[name] ?? "" };
}

/** A column for each value of the row that has most, one at least. */
function listColumns(name: ListColumn, label: string, rows: readonly RowValues[]): readonly TableColumn[] {
  const most = rows.reduce((count, { dotted }) => Math.max(count, dotted.lists[name]?.length ?? 0), 1);
  return Array.from({ length: most }, (_, index) => ({
    name: `${name}[${index}]`,
    label: `${label}[${index}]`,
    mark: "",
    option: "Allow Multiple",
    value: ({ dotted }) => dotted.lists[name]?.[index] ?? "",
  }));
}

/** Rows each repeating group needs, by its path with the indices around it: the highest any item has, plus one. */
function rowCounts(rows: readonly RowValues[], definition: ItemTypeDefinition): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of new Set(rows.flatMap(({ values }) => Object.keys(values)))) {
    const found = resolvePath(definition, path);
    let at = "";
    for (const { field, index } of "way" in found ? found.way : []) {
      at = at === "" ? (field.key ?? "") : `${at}.${field.key ?? ""}`;
      if (!field.repeatable) continue;
      counts.set(at, Math.max(counts.get(at) ?? 1, index + 1));
      at = `${at}[${index}]`;
    }
  }
  return counts;
}

function propertyColumns(
  field: Field,
  around: string,
  labels: string,
  options: readonly string[],
  counts: ReadonlyMap<string, number>,
  language: "en" | "ja",
): readonly TableColumn[] {
  if (field.key === null) return [];
  const name = `${around}.${field.key}`;
  const own = (language === "ja" ? field.label.ja : undefined) ?? field.label.en;
  const label = labels === "" ? own : `${labels}.${own}`;
  const told = [...options, ...(field.required ? ["Required"] : []), ...(field.repeatable ? ["Allow Multiple"] : [])];
  if (field.kind !== null) return holdsValue(field) ? [propertyColumn(field, name, label, told)] : [];
  const most = field.repeatable ? (counts.get(name.slice(".metadata.".length)) ?? 1) : 1;
  return Array.from({ length: most }, (_, index) => (field.repeatable ? `[${index}]` : "")).flatMap((row) =>
    field.fields.flatMap((each) => propertyColumns(each, `${name}${row}`, `${label}${row}`, told, counts, language)),
  );
}

function propertyColumn(field: Field, name: string, label: string, options: readonly string[]): TableColumn {
  const path = name.slice(".metadata.".length);
  return {
    name,
    label,
    mark: field.readonly ? "System" : "",
    option: [...new Set(options)].join(", "),
    value: ({ values }) => values[path] ?? "",
  };
}
