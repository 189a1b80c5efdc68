// The lines of RIS: a tag of two characters, two spaces, a hyphen, a value; a record begins with TY and ends with ER.
// Programs differ in spaces, in the line after ER and in long values over several lines. One pass.
import { DocumentError } from "../../shared/document-error.ts";

export type RisRecord = {
  readonly type: string;
  /** Values in the order of the file. */
  readonly values: readonly (readonly [tag: string, value: string])[];
  readonly line: number;
};

const RECORDS_MAX = 1_000;
const VALUES_MAX = 20_000;
const TAGGED = /^([A-Z][A-Z0-9]) {0,4}-(?: |$)/;

type OpenRecord = { readonly type: string; readonly values: [string, string][]; readonly line: number };

/** Every record of a file. @throws DocumentError naming the line */
export function readRis(text: string): readonly RisRecord[] {
  const records: RisRecord[] = [];
  let open: OpenRecord | null = null;
  let line = 0;
  const fault = (why: string): DocumentError => new DocumentError(`Line ${line}: ${why}`);
  const close = (): void => {
    if (open === null) return;
    records.push(open);
    if (records.length > RECORDS_MAX) throw fault(`there are more than ${RECORDS_MAX} records`);
    open = null;
  };
  for (const written of text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)) {
    line += 1;
    const [start = "", tag = ""] = TAGGED.exec(written) ?? [];
    const value = written.slice(start.length).trim();
    if (tag === "TY") {
      close();
      open = { type: value.toUpperCase(), values: [], line };
    } else if (tag === "ER") close();
    else if (tag !== "") {
      if (open === null) throw fault(`"${tag}" is in no record: a record begins with TY`);
      if (value !== "") open.values.push([tag, value]);
      if (open.values.length > VALUES_MAX) throw fault(`the record has more than ${VALUES_MAX} values`);
    } else addLine(open, value);
  }
  close();
  if (records.length === 0) throw new DocumentError("Line 1: no line begins a record with TY");
  return records;
}

/** A line without a tag goes on with the value before it; outside of records programs write what they like. */
function addLine(open: OpenRecord | null, value: string): void {
  const last = open?.values.at(-1);
  if (last !== undefined && value !== "") last[1] += `\n${value}`;
}
