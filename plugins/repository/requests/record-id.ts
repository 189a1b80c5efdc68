// The number of a record in an address of the records interface (R2a, R37).
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";

/** What is no number is the id of nothing. */
export function recordIdOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw unknownRecord();
}
