// The embedded search index (R27, R28, R34): its answers against those of plain arrays, and what it is after a kill, a
// restart and damage.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import type { IndexQuery, SearchIndex } from "../../../src/repository/search/index/index-port.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import {
  arbitraryDocuments,
  arbitraryQuery,
  arbitraryRankedQuery,
  indexDocument,
  SMALL_SCHEMA,
} from "../../support/search-documents.ts";

const POSITION = { epoch: "e1", horizon: "5" };
const LATER = { epoch: "e1", horizon: "6" };
const EVERYTHING: IndexQuery = {
  where: { kind: "and", of: [] },
  chosen: null,
  sort: [],
  after: null,
  offset: 0,
  limit: 1000,
  facets: [],
};

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "embedded-index-"));
  folders.push(folder);
  return join(folder, "search");
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const openIn = (folder: string): Promise<SearchIndex> => openEmbeddedIndex({ folder, hold: holdLock })(SMALL_SCHEMA);

async function fill(index: SearchIndex, documents: readonly SearchDocument[]): Promise<SearchIndex> {
  const building = await index.build();
  await building.add(documents);
  await building.finish(POSITION);
  return index;
}

describe("R28 the embedded index answers as plain arrays do", () => {
  const rounds = 60;

  test("R27 R28 whatever is asked, before and after changes, and after a restart", async () => {
    const change = fc.record({
      removed: fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 6 }),
      put: arbitraryDocuments(12),
    });
    await fc.assert(
      fc.asyncProperty(
        arbitraryDocuments(40),
        fc.array(change, { maxLength: 3 }),
        fc.array(fc.oneof(arbitraryQuery, arbitraryRankedQuery), { minLength: 20, maxLength: 40 }),
        async (documents, changes, queries) => {
          const folder = newFolder();
          const oracle = await fill(await openNaiveIndex(SMALL_SCHEMA), documents);
          const index = await fill(await openIn(folder), documents);
          const compare = async (asked: SearchIndex): Promise<void> => {
            for (const query of queries) expect(await asked.query(query)).toEqual(await oracle.query(query));
            for (const prefix of ["", "o", "p"]) {
              for (const field of ["visibility", "fileclasses", "name", "subject"]) {
                const [keys, right] = [await asked.keysOf(field, prefix, 100), await oracle.keysOf(field, prefix, 100)];
                expect([...keys].sort()).toEqual([...right].sort());
              }
            }
            expect(await asked.digests(3, 1000)).toEqual(await oracle.digests(3, 1000));
          };
          await compare(index);
          for (const { removed, put } of changes) {
            const kept = new Set((await oracle.digests(0, 1000)).map(({ id, parentId }) => `${id} ${parentId}`));
            // A number never changes its parent.
            const fitting = put.filter(
              ({ id, parentId }) =>
                kept.has(`${id} ${parentId}`) || ![...kept].some((each) => each.startsWith(`${id} `)),
            );
            const parents = [...removed, ...fitting.map(({ parentId }) => parentId)];
            for (const each of [index, oracle]) await each.apply({ parents, documents: fitting, position: LATER });
            await compare(index);
          }
          await index.close();
          const again = await openIn(folder);
          expect(await again.position()).toEqual(changes.length === 0 ? POSITION : LATER);
          await compare(again);
          await again.close();
        },
      ),
      { numRuns: rounds, endOnFailure: true },
    );
  }, 300_000);
});

test("R34 what is not built cannot be asked, and one that is closed neither", async () => {
  const index = await openIn(newFolder());
  expect(await index.position()).toBeNull();
  await expect(index.query(EVERYTHING)).rejects.toThrow("not built");
  await fill(index, [indexDocument({ id: 1 })]);
  expect((await index.query(EVERYTHING)).total).toBe(1);
  await index.close();
  await expect(index.query(EVERYTHING)).rejects.toThrow("closed");
});
