// The thread of one long piece of work on the resolver's table: building it, reading or writing its snapshot
// (docs/resolver-table.md). It lives for one task, so that all the memory it needed is gone with it.

import process from "node:process";
import { parentPort } from "node:worker_threads";
import { openReplica } from "../../db/resolver/replica.ts";
import { type SharedMemory, sharedMemory } from "../adapters/large-pages.ts";
import { readParts, replaceFile } from "../adapters/snapshot-file.ts";
import { buildFromMemory, buildFromReplica, requireRoom } from "../resolver/table/table-building.ts";
import type { Rebuild } from "../resolver/table/trie.ts";
import type { Segments } from "../resolver/table/trie-layout.ts";
import { TrieBase } from "../resolver/table/trie-segments.ts";
import { type SnapshotFault, type TableBase, TableTooLarge } from "../resolver/table-builder.ts";
import {
  readSnapshotHeader,
  SNAPSHOT_HEADER_BYTES,
  snapshotHeader,
  verifySnapshot,
} from "../resolver/table-snapshot.ts";
import { errorMessage } from "../shared/error-message.ts";
import { lowerPriority } from "./process/lower-priority.ts";

export type TableTask =
  | { readonly kind: "replica"; readonly url: string }
  | { readonly kind: "memory"; readonly rebuild: Rebuild }
  | { readonly kind: "load"; readonly path: string }
  | { readonly kind: "save"; readonly path: string; readonly table: TableBase };

export type TableResult =
  | { readonly kind: "table"; readonly table: TableBase }
  | { readonly kind: "base"; readonly segments: Segments }
  | { readonly kind: "fault"; readonly fault: SnapshotFault }
  | { readonly kind: "saved" }
  | { readonly kind: "too-large"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

async function run(task: TableTask): Promise<TableResult> {
  // Redirects come first.
  if (task.kind !== "load") lowerPriority();
  switch (task.kind) {
    case "replica":
      return { kind: "table", table: await fromReplica(task.url) };
    case "memory":
      return { kind: "base", segments: await buildFromMemory(task.rebuild, await tableMemory()) };
    case "load":
      return load(task.path, await sharedMemory());
    case "save":
      save(task.path, task.table);
      return { kind: "saved" };
  }
}

async function fromReplica(url: string): Promise<TableBase> {
  const replica = await openReplica({ url });
  try {
    return await buildFromReplica(replica, await tableMemory());
  } finally {
    await replica.close();
  }
}

function load(path: string, allocate: SharedMemory): TableResult {
  const cuts = (head: Uint8Array): readonly number[] | null => {
    const reading = readSnapshotHeader(head);
    if ("problem" in reading) return null;
    const { segments, names } = reading.meta;
    const bytes = segments.reduce((sum, length) => sum + length, 0);
    requireRoom(bytes, names, freeMemory);
    return segments;
  };
  const parts = readParts(path, SNAPSHOT_HEADER_BYTES, cuts, allocate);
  if (parts === null) return { kind: "fault", fault: "absent" };
  const { head, body } = parts;
  const reading = verifySnapshot(
    head,
    body.map((segment) => new Uint8Array(segment)),
  );
  if ("problem" in reading) return { kind: "fault", fault: reading.problem };
  const { epoch, horizon } = reading.meta;
  return { kind: "table", table: { segments: body, position: { epoch, horizon } } };
}

function save(path: string, { segments, position }: TableBase): void {
  const { readers, names } = new TrieBase(segments);
  const payload = readers.map(({ bytes }) => bytes);
  replaceFile(path, [snapshotHeader({ ...position, names }, payload), ...payload]);
}

/**
 * Of the machine, or of the part of it this process may use. Unlimited where the runtime does not permit the question
 * (docs/deno.md).
 */
function freeMemory(): number {
  try {
    return process.availableMemory();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const tableMemory = async () => ({ free: freeMemory, allocate: await sharedMemory() });

parentPort?.once("message", (task: TableTask) => {
  run(task)
    .catch((error: unknown): TableResult => {
      return { kind: error instanceof TableTooLarge ? "too-large" : "failed", message: errorMessage(error) };
    })
    .then((result) => parentPort?.postMessage(result));
});
