// What a workbook of Office Open XML (ECMA-376 part 1, 18) states about its sheets (Q.89): their names and parts, which
// styles are dates.
import { attributesOf, NotXml, type XmlEvent, xmlEvents } from "../xml-events.ts";

type WorkbookSheet = { readonly name: string; readonly path: string };
export type Workbook = {
  readonly sheets: readonly WorkbookSheet[];
  /** Days are counted from 1904. */
  readonly isFrom1904: boolean;
};

/** Sheets that are listed. */
const SHEETS_MOST = 100;
const STYLES_MOST = 10_000;

export const WORKBOOK_PATH = "xl/workbook.xml";
export const RELATIONS_PATH = "xl/_rels/workbook.xml.rels";

type Opening = Extract<XmlEvent, { kind: "open" }>;

/** Tags by their names without prefix. What is not XML ends the list. */
function* openings(xml: string): Generator<Opening, void> {
  try {
    for (const event of xmlEvents(xml)) if (event.kind === "open") yield { ...event, name: localName(event.name) };
  } catch (error) {
    if (!(error instanceof NotXml)) throw error;
  }
}

export const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** The attributes of a tag by their names without prefixes. */
export function attributesIn(rest: string): ReadonlyMap<string, string> {
  if (rest === "") return NONE;
  try {
    return new Map(attributesOf(rest).map(({ name, value }) => [localName(name), value]));
  } catch (error) {
    if (error instanceof NotXml) return NONE;
    throw error;
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

/** The sheets that are not hidden, in their order. */
export function workbookOf(workbook: string, relations: string): Workbook {
  const targets = new Map<string, string>();
  for (const { name, rest } of openings(relations)) {
    const given = attributesIn(rest);
    const [id, target] = [given.get("Id"), given.get("Target")];
    if (name === "Relationship" && id !== undefined && target !== undefined) targets.set(id, partPath(target));
  }
  const sheets: WorkbookSheet[] = [];
  let isFrom1904 = false;
  for (const { name, rest } of openings(workbook)) {
    const given = attributesIn(rest);
    if (name === "workbookPr") isFrom1904 = /^(?:1|true)$/.test(given.get("date1904") ?? "");
    if (name !== "sheet" || sheets.length >= SHEETS_MOST || (given.get("state") ?? "visible") !== "visible") continue;
    const path = targets.get(given.get("id") ?? "");
    if (path !== undefined) sheets.push({ name: given.get("name") ?? "", path });
  }
  return { sheets, isFrom1904 };
}

/** From the folder of the workbook, or from the top. */
const partPath = (target: string): string => (target.startsWith("/") ? target.slice(1) : `xl/${target}`);

export type DateFormat = { readonly hasDay: boolean; readonly hasTime: boolean };

/** Formats of numbers that every program knows without their codes. */
const BUILT_IN: readonly (readonly [number, number, DateFormat])[] = [
  [14, 17, { hasDay: true, hasTime: false }],
  [18, 21, { hasDay: false, hasTime: true }],
  [22, 22, { hasDay: true, hasTime: true }],
  [27, 31, { hasDay: true, hasTime: false }],
  [32, 35, { hasDay: false, hasTime: true }],
  [36, 36, { hasDay: true, hasTime: false }],
  [45, 47, { hasDay: false, hasTime: true }],
  [50, 58, { hasDay: true, hasTime: false }],
];

/** For each style of cells, how it writes a number as a date; null where it does not. */
export function dateStyles(styles: string): readonly (DateFormat | null)[] {
  const own = new Map<number, DateFormat | null>();
  const found: (DateFormat | null)[] = [];
  let isInCells = false;
  for (const { name, rest, isEmpty } of openings(styles)) {
    if (name === "numFmt" && own.size < STYLES_MOST) {
      const given = attributesIn(rest);
      own.set(Number(given.get("numFmtId")), dateFormat(given.get("formatCode") ?? ""));
    } else if (/^cell(?:Xfs|StyleXfs|Styles)$/.test(name)) isInCells = name === "cellXfs" && !isEmpty;
    else if (name === "xf" && isInCells && found.length < STYLES_MOST) {
      const id = Number(attributesIn(rest).get("numFmtId") ?? 0);
      found.push(own.get(id) ?? BUILT_IN.find(([first, last]) => id >= first && id <= last)?.[2] ?? null);
    }
  }
  return found;
}

/** By the letters of a format outside of quotes, brackets and escapes. */
function dateFormat(code: string): DateFormat | null {
  const letters = code
    .slice(0, 500)
    .replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\][]*\]|[_*]./gi, "")
    .toLowerCase();
  const hasTime = /[hs]/.test(letters);
  const hasDay = /[yd]/.test(letters) || (letters.includes("m") && !hasTime);
  return /general/.test(letters) || (!hasDay && !hasTime) ? null : { hasDay, hasTime };
}

/** Days from 1899-12-30 to 1970-01-01. */
const EPOCH = 25_569;
const DAYS_TO_1904 = 1_462;
/** 9999-12-31. */
const LAST_DAY = 2_958_465;

/** A number of days as a date; null where it is none. */
export function dateText(serial: number, { hasDay, hasTime }: DateFormat, isFrom1904: boolean): string | null {
  const days = serial + (isFrom1904 ? DAYS_TO_1904 : 0);
  if (!(days >= 0 && days <= LAST_DAY)) return null;
  // Before March 1900 days are counted as if that year had a 29 February.
  const shifted = !isFrom1904 && days < 60 && hasDay ? days + 1 : days;
  const text = new Date(Math.round((shifted - EPOCH) * 86_400) * 1_000).toISOString();
  const [day, time] = [text.slice(0, 10), text.slice(11, 19)];
  if (!hasDay) return days >= 1 ? null : time;
  return hasTime ? `${day} ${time}` : day;
}
