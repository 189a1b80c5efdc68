// Builds the base of the resolver's table from the replica in one pass, page by page in key order (docs/resolver-table.md).

import { entryOf } from "../table.ts";
import { type Rebuild, rebuildEntries } from "./trie.ts";
import { TrieBuilder } from "./trie-builder.ts";
import type { Replica } from "../replica.ts";
import type { TableBase, TableBuilder } from "../table-builder.ts";
import { turn } from "../../shared/event-loop-turn.ts";

const PAGE_SIZE = 10_000;
/** Names between two turns of the event loop. */
const SLICE_NAMES = 1_000;

export type ReadableNames = Pick<Replica, "position" | "tableRows">;

/** The position is read first: what changes while the rows are read is applied again from there. */
export async function buildFromReplica(
  replica: ReadableNames,
  options: { readonly pageSize?: number; readonly isStopped?: () => boolean } = {},
): Promise<TableBase> {
  const { pageSize = PAGE_SIZE, isStopped = () => false } = options;
  const position = await replica.position();
  const builder = new TrieBuilder();
  let after = "";
  while (!isStopped()) {
    const rows = await replica.tableRows(after, pageSize);
    for (const row of rows) builder.add(row.key, entryOf(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return { buffer: builder.finish(), position };
    after = last.key;
    await turn();
  }
  throw new Error("Building the table was given up");
}

/** Takes recent changes into a new base, in slices. */
export async function buildFromMemory(rebuild: Rebuild): Promise<SharedArrayBuffer> {
  const builder = new TrieBuilder({ expectedNames: rebuild.expectedNames });
  for (const { key, entry } of rebuildEntries(rebuild)) {
    builder.add(key, entry);
    if (builder.names % SLICE_NAMES === 0) await turn();
  }
  return builder.finish();
}

/** Builds on the thread that asks: for tests, and where there is no traffic to hold up. */
export function inlineBuilder(replica: ReadableNames, pageSize?: number): TableBuilder {
  let isStopped = false;
  return {
    fromReplica: () =>
      buildFromReplica(replica, { ...(pageSize === undefined ? {} : { pageSize }), isStopped: () => isStopped }),
    fromMemory: buildFromMemory,
    close: () => {
      isStopped = true;
    },
  };
}
