// `kill -9` of a process that changes and rebuilds its search index: the next one finds the state before a change or the one behind it, whole (R34).
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import { documentsAfter } from "../support/index-writer.ts";
import { answerOf } from "../support/naive-index.ts";
import { scriptOf, temporaryFolder } from "../support/processes.ts";
import { SMALL_SCHEMA } from "../support/search-documents.ts";

const WRITER = join(import.meta.dirname, "..", "support", "index-writer.ts");
const ROUNDS = Math.max(6, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 0));

/** Lets it write until this many changes were reported, and a little longer; returns the last one reported. */
function writeUntilKilled(folder: string, changes: number, moreMs: number): Promise<number> {
  const [program, ...args] = scriptOf(WRITER, folder);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  let isKilled = false;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    output += text;
    if (isKilled || output.split("\n").length <= changes) return;
    isKilled = true;
    setTimeout(() => child.kill("SIGKILL"), moreMs);
  });
  return new Promise((resolve, reject) => {
    child.once("close", () => {
      const committed = output.split("\n").slice(0, -1).map(Number);
      if (isKilled) resolve(committed.at(-1) ?? 0);
      else reject(new Error(`The writer ended by itself: ${output}`));
    });
    child.once("error", reject);
  });
}

test("R34 a killed process leaves an index that is whole, with the position it has, and nothing else", async () => {
  const work = temporaryFolder("kill-search-index-");
  const folder = join(work.path, "search");
  for (let round = 0; round < ROUNDS; round += 1) {
    const committed = await writeUntilKilled(folder, 1 + ((round * 5) % 8), (round * 7) % 23);
    const index = await openEmbeddedIndex({ folder, hold: holdLock })(SMALL_SCHEMA);
    const change = Number((await index.position())?.horizon);
    expect(change).toBeGreaterThanOrEqual(committed);
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
