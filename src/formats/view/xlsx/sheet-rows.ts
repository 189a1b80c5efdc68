// The first rows of a sheet (ECMA-376 part 1, 18.3) and the texts that they name (18.4), in parts (Q.89). A formula is
// shown as the value that was stored with it.
import type { InParts } from "../../../shared/time/event-loop.ts";
import { type RawRows, SHEET } from "../sheet.ts";
import { cutText } from "../shown-text.ts";
import { NotXml, withReferences, type XmlEvent, xmlEvents } from "../xml-events.ts";
import { attributesIn, type DateFormat, dateText, localName } from "./workbook.ts";

export type SheetFacts = { readonly styles: readonly (DateFormat | null)[]; readonly isFrom1904: boolean };

/** A cell, or the number of a text that cells share. */
type Cell = string | number;
export type SheetCells = {
  readonly rows: readonly (readonly Cell[])[];
  /** There are more rows. */
  readonly isCut: boolean;
  readonly columns: number;
  /** Numbers of shared texts that are needed. */
  readonly shared: ReadonlySet<number>;
};

const EVENTS_PER_PART = 2_000;
/** One more than is shown: the first may be the names of columns. */
const ROWS_MOST = SHEET.rows + 1;
const COLUMNS_MOST = 16_384;

type OpenCell = {
  readonly type: string;
  readonly style: number;
  readonly column: number;
  value: string;
  formula: string;
};

export function* sheetCells(xml: string, facts: SheetFacts): InParts<SheetCells> {
  const reader = new CellReader(facts);
  let count = 0;
  try {
    for (const event of xmlEvents(xml)) {
      if (!reader.take(event)) break;
      count += 1;
      if (count % EVENTS_PER_PART === 0) yield;
    }
  } catch (error) {
    if (!(error instanceof NotXml)) throw error;
  }
  return reader.cells();
}

class CellReader {
  readonly #facts: SheetFacts;
  readonly #rows: Cell[][] = [];
  readonly #shared = new Set<number>();
  #columns = 0;
  #isCut = false;
  #cell: OpenCell | null = null;
  /** What of a cell the text belongs to; phonetic guides are left out. */
  #part: "" | "v" | "f" | "t" | "rPh" = "";

  constructor(facts: SheetFacts) {
    this.#facts = facts;
  }

  cells(): SheetCells {
    return { rows: this.#rows, isCut: this.#isCut, columns: this.#columns, shared: this.#shared };
  }

  /** False after the last row that is kept. */
  take(event: XmlEvent): boolean {
    if (event.kind === "text") this.#text(event.isPlain ? event.text : withReferences(event.text));
    else if (event.kind === "open") return this.#open(localName(event.name), event.rest, event.isEmpty);
    else if (event.kind === "close") return this.#close(localName(event.name));
    return true;
  }

  #text(text: string): void {
    const cell = this.#cell;
    if (cell === null || this.#part === "" || this.#part === "rPh") return;
    const member = this.#part === "f" ? "formula" : "value";
    if (cell[member].length < SHEET.cellCharacters + 1) cell[member] += cutText(text, SHEET.cellCharacters + 1).text;
  }

  #open(name: string, rest: string, isEmpty: boolean): boolean {
    if (name === "row") return this.#openRow(Number(attributesIn(rest).get("r") ?? this.#rows.length + 1));
    if (name === "c") {
      const given = attributesIn(rest);
      const column = columnOf(given.get("r")) ?? this.#rows.at(-1)?.length ?? 0;
      const style = Number(given.get("s") ?? 0);
      this.#cell = { type: given.get("t") ?? "n", style, column, value: "", formula: "" };
      if (isEmpty) this.#close("c");
    } else if (!isEmpty && (name === "v" || name === "f" || name === "rPh")) this.#part = name;
    else if (!isEmpty && name === "t" && this.#part !== "rPh") this.#part = "t";
    return true;
  }

  /** Rows that are left out of the file are empty. */
  #openRow(number: number): boolean {
    if (!(number <= ROWS_MOST)) {
      this.#isCut = true;
      return false;
    }
    while (this.#rows.length < number) this.#rows.push([]);
    return true;
  }

  #close(name: string): boolean {
    if (name === "sheetData") return false;
    if (name === "rPh" || (this.#part !== "rPh" && /^[vft]$/.test(name))) this.#part = "";
    if (name !== "c" || this.#cell === null) return true;
    const row = this.#rows.at(-1);
    const { column } = this.#cell;
    this.#columns = Math.max(this.#columns, column + 1);
    if (row !== undefined && column < SHEET.columns) {
      while (row.length < column) row.push("");
      row[column] = this.#shown(this.#cell);
    }
    this.#cell = null;
    return true;
  }

  #shown({ type, style, value, formula }: OpenCell): Cell {
    if (value === "" && formula !== "") return `=${formula}`;
    if (type === "s") {
      const index = Number(value);
      if (!Number.isSafeInteger(index) || index < 0) return "";
      this.#shared.add(index);
      return index;
    }
    if (type === "b") return value === "1" ? "TRUE" : "FALSE";
    if (type === "d") return value.replace("T", " ");
    return type === "n" ? this.#number(value, this.#facts.styles[style] ?? null) : value;
  }

  #number(value: string, format: DateFormat | null): string {
    const number = Number(value);
    if (value.trim() === "" || !Number.isFinite(number)) return value;
    const date = format === null ? null : dateText(number, format, this.#facts.isFrom1904);
    // Sums of decimals have digits that no spreadsheet shows.
    return date ?? (value.length > 15 ? String(Number(number.toPrecision(15))) : value);
  }
}

/** The number of a column from 0, by the letters of a place (`AB12`). */
function columnOf(place: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(place ?? "")?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 0x40;
  return Math.min(column, COLUMNS_MOST) - 1;
}

/** The texts of these numbers; those that are not there are left out. */
export function* sharedTexts(xml: string, needed: ReadonlySet<number>): InParts<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  let [index, text, isText, isGuide, count] = [-1, "", false, false, 0];
  try {
    for (const event of xmlEvents(xml)) {
      count += 1;
      if (count % EVENTS_PER_PART === 0) yield;
      if (event.kind === "text") {
        if (!isText || isGuide || !needed.has(index) || text.length > SHEET.cellCharacters) continue;
        const { text: piece } = cutText(event.text, SHEET.cellCharacters + 1);
        text += event.isPlain ? piece : withReferences(piece);
      } else if (event.kind === "open" || event.kind === "close") {
        const isOpen = event.kind === "open" && !event.isEmpty;
        const name = localName(event.name);
        if (name === "t") isText = isOpen;
        else if (name === "rPh") isGuide = isOpen;
        else if (name === "si" && event.kind === "open") {
          index += 1;
          text = "";
        }
        if (name === "si" && !isOpen && needed.has(index)) texts.set(index, text);
        if (name === "si" && texts.size === needed.size) break;
      }
    }
  } catch (error) {
    if (!(error instanceof NotXml)) throw error;
  }
  return texts;
}

/** Rows with their texts in place. A text that was not read is written as such. */
export function filledRows({ rows, isCut, columns }: SheetCells, texts: ReadonlyMap<number, string>): RawRows {
  const shown = (cell: Cell): string => {
    const text = typeof cell === "string" ? cell : (texts.get(cell) ?? "…");
    const { text: kept, left } = cutText(text, SHEET.cellCharacters);
    return left === 0 ? kept : `${kept}…`;
  };
  return { rows: rows.map((row) => Array.from(row, (cell) => shown(cell ?? ""))), count: rows.length, isCut, columns };
}
