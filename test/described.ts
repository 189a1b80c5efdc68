// Which answers that the interface description states occurred in the tests, and which did not: `check` fails with the
// latter. `bun test/described.ts FOLDER` lists them, of tests that ran with ARKSTONE_SEEN=FOLDER.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type DescribedAnswers, operationsIn, statusesOf } from "./support/described-statuses.ts";

const FILE = join(import.meta.dirname, "..", "src", "assets", "openapi-repository.json");

type Description = DescribedAnswers<{ readonly description: string }>;

/** `seen`: lines such as `readCommunity 404`, one for each answer. */
export function occurredAnswers(seen: Iterable<string>, description: Description) {
  const met = new Set(seen);
  const all = operationsIn(description).flatMap(({ operation }) =>
    statusesOf(description, operation).map((status) => `${operation.operationId} ${status}`),
  );
  return { all: all.length, unmet: all.filter((each) => !met.has(each)) };
}

/** The same of a folder in which test/support/described-answers.ts noted what it saw. */
export function describedIn(folder: string) {
  const seen = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return occurredAnswers(seen, JSON.parse(readFileSync(FILE, "utf8")) as Description);
}

/** Those that did not occur, and how many did. */
export const reportOf = ({ all, unmet }: ReturnType<typeof occurredAnswers>): string =>
  [...unmet, `${all - unmet.length} of ${all} described answers occurred`].join("\n");

if (import.meta.main) console.log(reportOf(describedIn(process.argv[2] ?? ".")));
