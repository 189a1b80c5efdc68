// Both engines on the judged set (R27b, R28): the same hits, and of the first ten at least eight the same. Typesense
// is held to the same order by the contract of an index; here an index without scores stands for it.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareEngines } from "../../bench/finding/comparison.ts";
import { judgedSet } from "../../bench/finding/judged-set.ts";

const EACH = 6;
const folder = mkdtempSync(join(tmpdir(), "arkstone-finding-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("R27b of the first ten hits of a question eight are the same in an engine that does not score", async () => {
  const { items, queries } = judgedSet();
  const judged = queries.filter((_query, at) => at % EACH === 0);
  for (const { name, ofTen, others } of await compareEngines(folder, items, { judged })) {
    // Typing errors are corrected where an engine lists its words; the records interface only names what is near.
    const isSame = name === "records" ? others === 0 : others < judged.length / 10;
    expect([name, ofTen >= 8, isSame]).toEqual([name, true, true]);
  }
}, 600_000);
