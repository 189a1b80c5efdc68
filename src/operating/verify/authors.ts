// Authors against what they are found by and the numbers they were given (R20 to R22).
import type { AuthorId } from "../../shared/ids.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** An author with what the other tables hold about them. */
export type AuthorRow = {
  readonly id: AuthorId;
  readonly isAlive: boolean;
  /** The author that this one was merged into, and how many authors have that number. */
  readonly mergedInto: AuthorId | null;
  readonly survivors: number;
  /** Search keys of the author; one that is gone has none. */
  readonly keys: number;
  /** Those among them that are not there. */
  readonly missing: number;
  /**
   * Numbers of the repository's own scheme: `numbers` were assigned to the author, `identifiers` are in the author's
   * record.
   */
  readonly numbers: readonly number[];
  readonly identifiers: readonly number[];
};

export function authorFindings({
  id,
  isAlive,
  mergedInto,
  survivors,
  missing,
  numbers,
  identifiers,
}: AuthorRow): Finding[] {
  const foreign = identifiers.find((number) => !numbers.includes(number));
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
