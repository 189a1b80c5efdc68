// `kill -9` of a process that changes and rebuilds its search index: the next one finds the state before a change or
// the one behind it, whole (R34).
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import { BUILT_DOCUMENTS, BUILT_POSITION, builtDocument } from "../support/index-builder.ts";
import { documentsAfter } from "../support/index-writer.ts";
import { answerOf } from "../support/naive-index.ts";
import { temporaryFolder } from "../support/processes.ts";
import { SMALL_SCHEMA } from "../support/search-documents.ts";
import { linesUntilKilled } from "./kill-harness.ts";

const ROUNDS = Math.max(6, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 0));

test("R34 a killed process leaves an index that is whole, with the position it has, and nothing else", async () => {
  const work = temporaryFolder("kill-search-index-");
  const folder = join(work.path, "search");
  for (let round = 0; round < ROUNDS; round += 1) {
    const lines = await linesUntilKilled("index-writer.ts", [folder], 1 + ((round * 5) % 8), (round * 7) % 23);
    const index = await openEmbeddedIndex({ folder, hold: holdLock })(SMALL_SCHEMA);
    const change = Number((await index.position())?.horizon);
    expect(change).toBeGreaterThanOrEqual(Number(lines.at(-1)));
    const documents = documentsAfter(change);
    for (const where of [
      { kind: "token", field: "all", token: `s${change}` } as const,
      { kind: "key", field: "visibility", anyOf: [`v${change}`] } as const,
      { kind: "and", of: [] } as const,
    ]) {
      const sort = [
        { field: "updated", descending: true },
        { field: "title", descending: false },
      ];
      const facets = [{ field: "subject", size: 5 }];
      const query = { where, chosen: null, sort, after: null, offset: 0, limit: 1000, facets };
      expect(await index.query(query)).toEqual(answerOf(documents, query));
    }
    expect((await index.digests(0, 1000)).every(({ digest }) => digest === `d${change}`)).toBe(true);
    await index.close();
    expect(readdirSync(folder).filter((name) => name.includes("sqlite"))).toHaveLength(1);
  }
  work.remove();
});

test("Q.295 a build goes on where killed processes left it, to the index that one process makes", async () => {
  const work = temporaryFolder("kill-index-build-");
  const folder = join(work.path, "search");
  const begun: number[] = [];
  for (let round = 0; ; round += 1) {
    // Each comes further than the one before.
    const lines = await linesUntilKilled("index-builder.ts", [folder], 2 + round * 9, (round * 7) % 23);
    begun.push(Number(lines[0]));
    if (lines.includes("finished")) break;
    expect(round).toBeLessThan(12);
  }
  expect(begun[0]).toBe(-1);
  // A process began with what another had added, and none with less than one before it.
  expect(begun.at(-1)).toBeGreaterThan(0);
  expect(begun).toEqual(begun.toSorted((one, other) => one - other));
  const index = await openEmbeddedIndex({ folder, hold: holdLock })(SMALL_SCHEMA);
  expect([await index.position(), await index.unfinished()]).toEqual([BUILT_POSITION, null]);
  const documents = Array.from({ length: BUILT_DOCUMENTS }, (_, at) => builtDocument(at + 1));
  expect(await index.digests(0, BUILT_DOCUMENTS + 1)).toEqual(
    documents.map(({ id, parentId, digest }) => ({ id, parentId, digest })),
  );
  const sort = [{ field: "updated", descending: true }];
  const facets = [{ field: "subject", size: 10 }];
  for (const token of ["every", "m42", "n9001"]) {
    const where = { kind: "token", field: "all", token } as const;
    const query = { where, chosen: null, sort, after: null, offset: 0, limit: 100, facets };
    expect(await index.query(query)).toEqual(answerOf(documents, query));
  }
  await index.close();
  work.remove();
}, 60_000);
