// CSV and TSV as a table (Q.86): the first rows, with what each column holds.

import { decodeText, looksLikeText } from "../../formats/text/plain.ts";
import { delimiterIn, readDelimited } from "../../formats/view/delimited.ts";
import { type SheetView, sheetView } from "../../formats/view/sheet.ts";
import { cutText } from "../../formats/view/shown-text.ts";
import { endOf } from "../../model/files/viewers.ts";
import { most } from "../../shared/limits.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { type FileReader, NotShown, type ViewRequest } from "./reading.ts";

/** A page of the rows. */
export type TableContent = SheetView & {
  readonly page: number;
  readonly pages: number;
  /** Names of all sheets; none of a file that has one table. */
  readonly sheets: readonly string[];
  /** The number of the sheet, from 0. */
  readonly sheet: number;
};

const ROWS_PER_PAGE = 100;

export async function viewTable({ file, head, read }: FileReader, request: ViewRequest): Promise<TableContent> {
  if (!looksLikeText(head)) throw new NotShown("wrong-content");
  const limit = most("viewTableBytes");
  const bytes = await read(0, Math.min(file.sizeBytes, limit));
  await yieldToEventLoop();
  const text = decodeText(bytes);
  await yieldToEventLoop();
  const isTabbed = file.mediaType.startsWith("text/tab-separated-values") || /^(?:tsv|tab)$/.test(endOf(file.name));
  const delimiter = isTabbed ? "\t" : delimiterIn(text);
  const raw = await inTurns(readDelimited(text, delimiter, bytes.length < file.sizeBytes));
  if (raw.rows.length === 0) throw new NotShown("empty");
  return pageOf(sheetView(raw), request, [], 0);
}

/** The rows of one page of a sheet. */
export function pageOf(
  view: SheetView,
  { page: asked }: ViewRequest,
  sheets: readonly string[],
  sheet: number,
): TableContent {
  const pages = Math.max(1, Math.ceil(view.rows.length / ROWS_PER_PAGE));
  const page = Math.min(asked, pages);
  const from = (page - 1) * ROWS_PER_PAGE;
  const rows = shortened(view.rows.slice(from, from + ROWS_PER_PAGE));
  return { ...view, rows, first: view.first + from, page, pages, sheets, sheet };
}

/** Characters of one page; where there are more, each cell is shortened. */
const PAGE_CHARACTERS = 300_000;
const SHORT = 30;

function shortened(rows: TableContent["rows"]): TableContent["rows"] {
  const characters = rows.reduce((sum, row) => sum + row.reduce((length, cell) => length + cell.length, 0), 0);
  if (characters <= PAGE_CHARACTERS) return rows;
  return rows.map((row) => row.map((cell) => (cell.length > SHORT ? `${cutText(cell, SHORT).text}…` : cell)));
}
