// Builds the base of the resolver's table from the replica in one pass, page by page in key order
// (docs/resolver-table.md).

import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Replica } from "../replica.ts";
import { entryOf } from "../table.ts";
import { type TableBase, type TableBuilder, TableTooLarge } from "../table-builder.ts";
import { type Rebuild, rebuildEntries } from "./trie.ts";
import { type BuilderOptions, TrieBuilder } from "./trie-builder.ts";
import type { Segments } from "./trie-layout.ts";

const PAGE_SIZE = 10_000;
/** Names between two turns of the event loop. */
const SLICE_NAMES = 1_000;
const MIB = 1024 * 1024;
/** Memory that a table leaves to everything else; below it the system ends processes. */
const LEFT_FREE_BYTES = 256 * MIB;
const ASKED_EVERY_BYTES = 32 * MIB;

/** How many bytes of memory may still be used. */
type FreeMemory = () => number;
const UNLIMITED: FreeMemory = () => Number.POSITIVE_INFINITY;

/** The memory that a base is built in. */
type BuildingMemory = Pick<BuilderOptions, "allocate"> & { readonly free?: FreeMemory };

/** Looks now and then whether what is built still finds room. @throws TableTooLarge */
function roomWatch(builder: TrieBuilder, free: FreeMemory): () => void {
  let next = 0;
  return () => {
    if (builder.bytes < next) return;
    next = builder.bytes + ASKED_EVERY_BYTES;
    const left = free();
    if (left >= LEFT_FREE_BYTES) return;
    throw tooLarge(`${builder.names} names take ${inMib(builder.bytes)} and more are to come`, left);
  };
}

/** @throws TableTooLarge when a table of this size does not fit. */
export function requireRoom(bytes: number, names: number, free: FreeMemory): void {
  const left = free();
  if (bytes + LEFT_FREE_BYTES > left) throw tooLarge(`${names} names take ${inMib(bytes)}`, left);
}

function tooLarge(needed: string, left: number): TableTooLarge {
  const others = `${inMib(LEFT_FREE_BYTES)} are left to others`;
  return new TableTooLarge(`The table does not fit into the memory: ${needed}, ${inMib(left)} are free, ${others}`);
}

const inMib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`;

type ReadableNames = Pick<Replica, "position" | "tableRows">;

/** The position is read first: what changes while the rows are read is applied again from there. */
export async function buildFromReplica(
  replica: ReadableNames,
  options: BuildingMemory & { readonly pageSize?: number; readonly isStopped?: () => boolean } = {},
): Promise<TableBase> {
  const { pageSize = PAGE_SIZE, isStopped = () => false, free = UNLIMITED, ...memory } = options;
  const position = await replica.position();
  const builder = new TrieBuilder(memory);
  const watchRoom = roomWatch(builder, free);
  let after = "";
  while (!isStopped()) {
    const rows = await replica.tableRows(after, pageSize);
    for (const row of rows) builder.add(row.key, entryOf(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return { segments: builder.finish(), position };
    after = last.key;
    watchRoom();
    await yieldToEventLoop();
  }
  throw new Error("Building the table was given up");
}

/** Takes recent changes into a new base, in slices. */
export async function buildFromMemory(rebuild: Rebuild, options: BuildingMemory = {}): Promise<Segments> {
  const { free = UNLIMITED, ...memory } = options;
  const builder = new TrieBuilder({ ...memory, expectedNames: rebuild.expectedNames });
  const watchRoom = roomWatch(builder, free);
  for (const { key, entry } of rebuildEntries(rebuild)) {
    builder.add(key, entry);
    if (builder.names % SLICE_NAMES !== 0) continue;
    watchRoom();
    await yieldToEventLoop();
  }
  return builder.finish();
}

/** Builds on the calling thread: for tests, and where no traffic has to be answered. */
export function inlineBuilder(replica: ReadableNames, pageSize?: number): TableBuilder {
  let isStopped = false;
  return {
    fromReplica: () =>
      buildFromReplica(replica, { ...(pageSize === undefined ? {} : { pageSize }), isStopped: () => isStopped }),
    fromMemory: (rebuild) => buildFromMemory(rebuild),
    close: () => {
      isStopped = true;
    },
  };
}
