// Search hits as a table (specification 3, "List export"; R29): a line of headings, then a line an item, page by page,
// so that memory does not grow with the hits. The columns are keys of the root entities of their crates.
import type { Viewer } from "../../../auth/account.ts";
import { tableLine } from "../../../formats/tsv/cells.ts";
import { isPrivileged } from "../../../model/access/visibility.ts";
import type { Addresses } from "../../../model/items/addresses.ts";
import type { Json } from "../../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../../shared/json/read.ts";
import { yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import type { ItemTypeReading } from "../../items/item-type-reading.ts";
import type { ItemReader } from "../../store/items.ts";
import type { SearchPage } from "../query/finder.ts";
import { hitContents } from "../query/record-search.ts";
import { crateRoots, type ShownItem } from "./item-crate.ts";
import { headingOf, type ListColumn } from "./list-columns.ts";

export type ListNeeds = {
  readonly items: Pick<ItemReader, "items" | "revision" | "sizes">;
  readonly types: Pick<ItemTypeReading, "newest">;
  readonly addresses: Pick<Addresses, "baseUrl" | "arkUrl">;
  /** Cells that a spreadsheet would take for a formula get an apostrophe (SVC_CSV_GUARD). */
  readonly isGuarded: boolean;
};

type RowOptions = {
  readonly viewer: Viewer;
  readonly columns: readonly ListColumn[];
  readonly language: string;
};

/** Rows that are written before others are answered: one of an item that is nearly long takes tens of milliseconds. */
const AT_ONCE = 4;

type Row = (item: ShownItem) => readonly string[];

/** The lines, those of one page together. Items whose type has no mapping have none. */
export async function* listLines(
  pages: AsyncIterable<SearchPage["items"]>,
  { viewer, columns, language }: RowOptions,
  { items, types, addresses, isGuarded }: ListNeeds,
): AsyncGenerator<string> {
  const line = (cells: readonly string[]): string => {
    // An empty line is none to most readers.
    return cells.join("") === "" && cells.length === 1 ? '""\n' : tableLine(cells, "\t", isGuarded, "\n");
  };
  const keys = new Set(columns.map(({ key }) => key));
  const rows = new Map<number, Row | null>();

  async function rowOf(itemType: number): Promise<Row | null> {
    const known = rows.get(itemType);
    if (known !== undefined) return known;
    const type = await types.newest(itemType);
    const mapping = type?.definition.roCrate ?? null;
    const row =
      type === null || mapping === null
        ? null
        : rowWith(
            columns,
            crateRoots({ baseUrl: addresses.baseUrl, definition: type.definition, mapping, language }, keys),
          );
    rows.set(itemType, row);
    return row;
  }

  yield line(columns.map((column) => headingOf(column, language)));
  for await (const page of pages) {
    let text = "";
    let count = 0;
    for await (const { item, parent, content } of hitContents(items, page)) {
      const row = await rowOf(content.itemType);
      const ark = item.ark === null ? null : addresses.arkUrl(item.ark);
      if (row !== null) text += line(row({ id: item.id, ark, content, privileged: isPrivileged(viewer, parent) }));
      count += 1;
      if (count % AT_ONCE === 0) await yieldToEventLoop();
    }
    if (text !== "") yield text;
  }
}

function rowWith(columns: readonly ListColumn[], rootOf: (item: ShownItem) => JsonObject): Row {
  return (item) => {
    const root = rootOf(item);
    return columns.map(({ key }) => (Object.hasOwn(root, key) ? cellOf(root[key]) : ""));
  };
}

/** A text as it is, of a list the first member, of what refers to an entity its address. */
function cellOf(value: Json | undefined): string {
  if (isJsonArray(value)) return cellOf(value[0]);
  if (isJsonObject(value)) return cellOf(value["@id"]);
  return value === undefined || value === null ? "" : String(value);
}
