// The thread of one long piece of work on the resolver's table: building it, reading or writing its snapshot (docs/resolver-table.md).
// It lives for one task, so that all the memory it needed is gone with it.

import { setPriority } from "node:os";
import process from "node:process";
import { parentPort } from "node:worker_threads";
import { openReplica } from "../../db/resolver/replica.ts";
import { readParts, writeAside } from "../adapters/snapshot-file.ts";
import type { Rebuild } from "../resolver/table/trie.ts";
import { TrieReader } from "../resolver/table/trie-reader.ts";
import {
  readSnapshotHeader,
  SNAPSHOT_HEADER_OCTETS,
  snapshotHeader,
  verifySnapshot,
} from "../resolver/table-snapshot.ts";
import { errorMessage } from "../shared/error-message.ts";
import type { SnapshotFault, TableBase } from "../resolver/table-builder.ts";
import { buildFromMemory, buildFromReplica } from "../resolver/table/table-building.ts";

export type TableTask =
  | { readonly kind: "replica"; readonly url: string }
  | { readonly kind: "memory"; readonly rebuild: Rebuild }
  | { readonly kind: "load"; readonly path: string }
  | { readonly kind: "save"; readonly path: string; readonly table: TableBase };

export type TableResult =
  | { readonly kind: "table"; readonly table: TableBase }
  | { readonly kind: "base"; readonly buffer: SharedArrayBuffer }
  | { readonly kind: "fault"; readonly fault: SnapshotFault }
  | { readonly kind: "saved" }
  | { readonly kind: "failed"; readonly message: string };

const BACKGROUND = 10;

/** Redirects come first. Linux keeps this for each thread; elsewhere it would slow the whole process down. */
function standBack(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, BACKGROUND);
  } catch {
    // Not allowed here: the work is done all the same.
  }
}

async function run(task: TableTask): Promise<TableResult> {
  if (task.kind !== "load") standBack();
  switch (task.kind) {
    case "replica":
      return { kind: "table", table: await fromReplica(task.url) };
    case "memory":
      return { kind: "base", buffer: await buildFromMemory(task.rebuild) };
    case "load":
      return load(task.path);
    case "save":
      save(task.path, task.table);
      return { kind: "saved" };
  }
}

async function fromReplica(url: string): Promise<TableBase> {
  const replica = await openReplica({ url });
  try {
    return await buildFromReplica(replica);
  } finally {
    await replica.close();
  }
}

function load(path: string): TableResult {
  const parts = readParts(path, SNAPSHOT_HEADER_OCTETS, (head) => "meta" in readSnapshotHeader(head));
  if (parts === null) return { kind: "fault", fault: "absent" };
  const { head, body } = parts;
  const reading = verifySnapshot(head, new Uint8Array(body));
  if ("problem" in reading) return { kind: "fault", fault: reading.problem };
  const { epoch, horizon } = reading.meta;
  return { kind: "table", table: { buffer: body, position: { epoch, horizon } } };
}

function save(path: string, { buffer, position }: TableBase): void {
  const { bytes, names } = new TrieReader(buffer);
  writeAside(path, [snapshotHeader({ ...position, names }, bytes), bytes]);
}

parentPort?.once("message", (task: TableTask) => {
  run(task)
    .catch((error: unknown): TableResult => {
      return { kind: "failed", message: errorMessage(error) };
    })
    .then((result) => parentPort?.postMessage(result));
});
