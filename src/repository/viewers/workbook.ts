// Sheets of a workbook (XLSX) as tables (Q.89). Only the parts that are needed are inflated, each up to a limit.
import { isEncryptedOffice } from "../../formats/text/detect.ts";
import { declaredEncoding } from "../../formats/text/markup.ts";
import { decodeText } from "../../formats/text/plain.ts";
import { sheetView } from "../../formats/view/sheet.ts";
import { filledRows, sharedTexts, sheetCells } from "../../formats/view/xlsx/sheet-rows.ts";
import { dateStyles, RELATIONS_PATH, WORKBOOK_PATH, workbookOf } from "../../formats/view/xlsx/workbook.ts";
import { most } from "../../shared/limits.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { ZIP_LIMITS, ZipError } from "../../shared/zip/limits.ts";
import type { ZipArchive } from "../deposit/zip-archive.ts";
import { type FileReader, NotShown, type ViewRequest } from "./reading.ts";
import { pageOf, type TableContent } from "./table.ts";

const MIB = 1024 * 1024;
const LIMITS = { ...ZIP_LIMITS, entries: 2_000, directoryBytes: MIB };
/** The parts that are read whole or not at all. */
const SMALL_PART = MIB;

const OFFICE_BEGINNING = 0xd0;

export async function viewWorkbook(reader: FileReader, request: ViewRequest): Promise<TableContent> {
  const { head } = reader;
  if (head[0] === OFFICE_BEGINNING) throw new NotShown(isEncryptedOffice(head) ? "encrypted" : "unsupported");
  try {
    const archive = await reader.archive(LIMITS);
    return await sheetOf(archive, request);
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    const reason =
      error.kind === "too_large" ? "too-complex" : error.kind === "encrypted" ? "encrypted" : "wrong-content";
    throw new NotShown(reason);
  }
}

async function sheetOf(archive: ZipArchive, request: ViewRequest): Promise<TableContent> {
  const workbook = await partOf(archive, WORKBOOK_PATH, SMALL_PART);
  const relations = await partOf(archive, RELATIONS_PATH, SMALL_PART);
  if (workbook === null || relations === null) throw new NotShown("wrong-content");
  const { sheets, isFrom1904 } = workbookOf(workbook, relations);
  const asked = sheets.findIndex((_, at) => String(at + 1) === request.part);
  const number = Math.max(0, asked);
  const sheet = sheets[number];
  const xml = sheet === undefined ? null : await partOf(archive, sheet.path, most("viewSheetBytes"));
  if (xml === null) throw new NotShown("wrong-content");
  const styles = dateStyles((await partOf(archive, "xl/styles.xml", SMALL_PART)) ?? "");
  await yieldToEventLoop();
  const cells = await inTurns(sheetCells(xml, { styles, isFrom1904 }));
  const shared = cells.shared.size === 0 ? null : await partOf(archive, "xl/sharedStrings.xml", most("viewSheetBytes"));
  const texts = shared === null ? new Map() : await inTurns(sharedTexts(shared, cells.shared));
  const names = sheets.map(({ name }) => name);
  return pageOf(sheetView(filledRows(cells, texts)), request, names, number);
}

/** The beginning of a part as text; null where there is none. */
async function partOf(archive: ZipArchive, path: string, mostBytes: number): Promise<string | null> {
  const entry = archive.find(path);
  if (entry === null) return null;
  const bytes = await archive.readHead(entry, mostBytes);
  await yieldToEventLoop();
  return decodeText(bytes, declaredEncoding(bytes));
}
