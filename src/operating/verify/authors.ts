// Authors against what they are found by and the numbers they were given (R20 to R22).
import { type Finding, findingsOf } from "./finding.ts";

/** An author with what the other tables say of him. */
export type AuthorRow = {
  readonly id: number;
  readonly isAlive: boolean;
  /** The author who took him in, and how many there are of that number. */
  readonly mergedInto: number | null;
  readonly survivors: number;
  /** By so many keys he is to be found; nobody who is gone is found. */
  readonly keys: number;
  /** Those among them that are not there. */
  readonly missing: number;
  /** Of the repository's own scheme: those that were given to him, and those that he says he has. */
  readonly numbers: readonly number[];
  readonly said: readonly number[];
};

export function authorFindings({ id, isAlive, mergedInto, survivors, missing, numbers, said }: AuthorRow): Finding[] {
  const foreign = said.find((number) => !numbers.includes(number));
  return findingsOf("author", `author:${id}`, [
    [missing > 0, `it is not found by ${missing} of its names and identifiers`],
    [isAlive && foreign !== undefined, `its LOCAL number ${foreign} was not given to it`],
    [isAlive && numbers.length === 0, "it has no LOCAL number"],
    [mergedInto !== null && survivors === 0, `it was merged into author ${mergedInto}, which is not there`],
  ]);
}

/** `there`: all keys; `found`: those by which their authors are to be found. */
export function keyFindings(there: number, found: number): Finding[] {
  return findingsOf("author", "author_key", [
    [there !== found, `${there - found} keys find authors who do not have them, or are gone`],
  ]);
}
