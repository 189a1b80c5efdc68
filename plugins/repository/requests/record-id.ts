// The number of a record in an address of the records interface (R2a, R37).
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";

/** Text that is not a number: nothing has it as id. */
export function recordIdOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw unknownRecord();
}
