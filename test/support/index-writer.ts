// A process that changes an embedded search index until it is killed: every change rewrites all documents, so that each
// of them names its change; every so often the index is rebuilt. Each step is printed.
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import type { SearchDocument } from "../../src/repository/search/document/document.ts";
import { indexDocument, SMALL_SCHEMA } from "./search-documents.ts";

const DOCUMENTS = 60;
const BUILT_EVERY = 6;

/** All documents after a change. */
export const documentsAfter = (change: number): SearchDocument[] =>
  Array.from({ length: DOCUMENTS }, (_, at) =>
    indexDocument({
      id: at + 1,
      parentId: 1 + (at % 7),
      digest: `d${change}`,
      texts: { all: `every s${change}` },
      keys: { visibility: [`v${change}`], subject: [`k${change}`] },
      sorts: { updated: change, title: change.toString(16) },
    }),
  );

async function write(folder: string): Promise<void> {
  const index = await openEmbeddedIndex({ folder, hold: holdLock })(SMALL_SCHEMA);
  for (let change = Number((await index.position())?.horizon ?? "0") + 1; ; change += 1) {
    const documents = documentsAfter(change);
    const position = { epoch: "e", horizon: String(change) };
    if (change % BUILT_EVERY === 1) {
      const building = await index.build();
      await building.add(documents);
      await building.finish(position);
    } else {
      await index.apply({ parents: [1, 2, 3, 4, 5, 6, 7], documents, position });
    }
    process.stdout.write(`${change}\n`);
  }
}

const [, , folder] = process.argv;
if (import.meta.main && folder !== undefined) await write(folder);
