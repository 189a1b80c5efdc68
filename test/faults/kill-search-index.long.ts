// `kill -9` of a process that changes and rebuilds its search index: the next one finds the state before a change or
// the one behind it, whole (R34).
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
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
