// A process that builds an embedded search index until it is killed, and goes on with what an earlier one left. It
// prints the parent that it begins after, and then each that is added; `-1` where it begins.
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import type { SearchDocument } from "../../src/repository/search/document/document.ts";
import { indexDocument, SMALL_SCHEMA } from "./search-documents.ts";

export const BUILT_DOCUMENTS = 15_000;
const AT_ONCE = 500;
export const BUILT_POSITION = { epoch: "e", horizon: "7" };

/** Two versions each. */
export const builtDocument = (id: number): SearchDocument =>
  indexDocument({
    id,
    parentId: Math.ceil(id / 2),
    digest: `d${id}`,
    texts: { all: `every n${id} m${id % 100}` },
    keys: { visibility: ["v"], subject: [`k${id % 7}`] },
    sorts: { updated: id, title: id.toString(16) },
  });

async function build(folder: string): Promise<void> {
  const index = await openEmbeddedIndex({ folder, hold: holdLock })(SMALL_SCHEMA);
  const left = await index.unfinished();
  const building = await index.build(BUILT_POSITION, left !== null);
  process.stdout.write(`${left?.filledTo ?? -1}\n`);
  for (let from = 2 * Math.max(0, left?.filledTo ?? 0) + 1; from <= BUILT_DOCUMENTS; from += AT_ONCE) {
    await building.add(Array.from({ length: AT_ONCE }, (_, at) => builtDocument(from + at)));
    process.stdout.write(`${from}\n`);
  }
  await building.finish(BUILT_POSITION);
  await index.close();
  // As many lines as anybody waits for.
  process.stdout.write("finished\n".repeat(BUILT_DOCUMENTS / AT_ONCE));
  setInterval(() => {}, 1_000);
}

const [, , folder] = process.argv;
if (import.meta.main && folder !== undefined) await build(folder);
