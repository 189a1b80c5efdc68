// One copy of the table in memory serves several threads, and any of them can build the next one.
import { expect, test } from "bun:test";
import { Worker } from "node:worker_threads";
import { buildTrie, trieTable } from "../../src/resolver/table/trie.ts";
import { entryOf, type NameRow } from "../../src/resolver/table.ts";
import type { TrieOrder } from "../support/trie-worker.ts";

const published = (key: string, url: string): NameRow => ({
  key,
  state: "published",
  url,
  publishedAt: "2024-01-01T00:00:00.000Z",
  firstPublishedAt: "2024-01-01T00:00:00.000Z",
  holdUntil: null,
});

function ask(worker: Worker, order: TrieOrder): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.postMessage(order);
  });
}

test("A31 another thread answers from the same memory, and builds a base with the changes in it", async () => {
  const rows = Array.from({ length: 500 }, (_, index) => {
    const key = `12345/x5${String(index).padStart(4, "0")}`;
    return { key, entry: entryOf(published(key, `https://repo.example.org/items/${index}`)) };
  });
  const table = trieTable(buildTrie(rows));
  const keys = ["12345/x50007", "12345/x50007/page/3", "12345/x5", "12345/x50007.v2"];
  const answers = (from: typeof table) => keys.map((key) => from.nearest(key, false));
  const worker = new Worker(new URL("../support/trie-worker.ts", import.meta.url));
  try {
    expect(await ask(worker, { kind: "ask", segments: table.segments, keys })).toEqual(answers(table));
    table.put(published("12345/x50007.v2", "https://repo.example.org/items/7?version=2"));
    const rebuild = table.rebuild();
    table.put(published("12345/x5", "https://repo.example.org/"));
    const before = answers(table);
    const built = await ask(worker, { kind: "build", rebuild });
    if (!Array.isArray(built) || !built.every((segment) => segment instanceof SharedArrayBuffer)) {
      throw new TypeError("The thread returned no shared memory");
    }
    table.setBase(built, rebuild.upTo);
    expect(table.changed).toBe(1);
    expect(answers(table)).toEqual(before);
    expect(table.size).toBe(502);
  } finally {
    await worker.terminate();
  }
});
