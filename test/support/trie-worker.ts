// A thread that opens the table it is given, answers keys from it, and builds a new base when it is asked to.
import { parentPort } from "node:worker_threads";
import { buildTrie, type Rebuild, rebuildEntries, trieTable } from "../../src/resolver/table/trie.ts";
import type { Segments } from "../../src/resolver/table/trie-layout.ts";

export type TrieOrder =
  | { readonly kind: "ask"; readonly segments: Segments; readonly keys: readonly string[] }
  | { readonly kind: "build"; readonly rebuild: Rebuild };

parentPort?.on("message", (order: TrieOrder) => {
  if (order.kind === "ask") {
    const table = trieTable(order.segments);
    parentPort?.postMessage(order.keys.map((key) => table.nearest(key, false)));
  } else {
    parentPort?.postMessage(buildTrie(rebuildEntries(order.rebuild), { expectedNames: order.rebuild.expectedNames }));
  }
});
