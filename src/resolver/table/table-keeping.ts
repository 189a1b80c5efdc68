// Looks after the base of the resolver's table: takes recent changes into a new one when there are many, and keeps a snapshot of it
// for the next start (docs/resolver-table.md). Everything long is the builder's; here nothing blocks.

import { inTime } from "../../shared/deadline.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import type { FeedPosition } from "../replica.ts";
import type { SnapshotStore, TableBase, TableBuilder } from "../table-builder.ts";
import type { TrieTable } from "./trie.ts";
import type { Segments } from "./trie-layout.ts";

type TableKeepingNeeds = {
  readonly builder: Pick<TableBuilder, "fromMemory">;
  readonly snapshots: SnapshotStore | null;
  readonly log: Pick<Log, "info" | "warn">;
  /** Names over the base from which a new base is due, where that is fewer than the table itself says. */
  readonly rebuildAfter?: number;
  /** Called when the table got a new base that holds every change up to this number. */
  readonly onBase: (segments: Segments, upTo: number) => void;
};

/** Changes read from the feed since the base from which a new one is due, however few names they were of: a start reads them again. */
const CHANGES_MAX = 100_000;
const RETRY_MS = 60_000;
/** At a stop larger tables are left with the snapshot they have: the next start reads a little more of the feed. */
const FINAL_REBUILD_NAMES = 2_000_000;

export interface TableKeeping {
  /** From now on this table; `base.position` is the feed position of its base. `fromSnapshot`: the file holds it already. */
  keep(table: TrieTable, base: TableBase, fromSnapshot: boolean): void;
  /** To be called when the table is at this position of the feed, before anything else is read into it. */
  followed(position: FeedPosition, changes: number): void;
  /** Leaves a snapshot behind that holds what is known now, unless that takes longer than `withinMs`. */
  stop(position: FeedPosition | null, withinMs: number): Promise<void>;
  status(): { baseRebuilds: number; snapshotsWritten: number };
}

export const tableKeeping = (needs: TableKeepingNeeds): TableKeeping => {
  const { builder, snapshots, log } = needs;
  /** The table that is looked after, and the feed position of its base. */
  let kept: { readonly table: TrieTable; base: TableBase } | null = null;
  /** The base the snapshot holds. */
  let saved: Segments | null = null;
  let changesSinceBase = 0;
  let working: Promise<void> | null = null;
  let notBefore = 0;
  let rebuilds = 0;
  let snapshotsWritten = 0;
  let isStopped = false;

  /** One long piece of work at a time. Never throws. */
  function work(what: string, task: () => Promise<void>): Promise<void> {
    const mine = (working ?? Promise.resolve()).then(task).catch((error: unknown) => {
      notBefore = Date.now() + RETRY_MS;
      if (!isStopped) log.warn(what, { error: errorMessage(error) });
    });
    working = mine;
    void mine.finally(() => {
      if (working === mine) working = null;
    });
    return mine;
  }

  async function rebuild(position: FeedPosition): Promise<void> {
    const current = kept;
    if (current === null) return;
    const startedAt = Date.now();
    const order = current.table.rebuild();
    const counted = changesSinceBase;
    const segments = await builder.fromMemory(order);
    // Another table was built whole meanwhile: this base is of no use any more.
    if (kept !== current) return;
    current.table.setBase(segments, order.upTo);
    current.base = { segments, position };
    changesSinceBase -= counted;
    rebuilds += 1;
    needs.onBase(segments, order.upTo);
    log.info("table_base_rebuilt", { names: current.table.size, ms: Date.now() - startedAt });
  }

  async function save(): Promise<void> {
    const current = kept;
    if (snapshots === null || current === null || saved === current.base.segments) return;
    const { base } = current;
    const startedAt = Date.now();
    await snapshots.save(base);
    saved = base.segments;
    snapshotsWritten += 1;
    log.info("snapshot_written", { ms: Date.now() - startedAt });
  }

  return {
    keep(table, base, fromSnapshot) {
      kept = { table, base };
      changesSinceBase = 0;
      if (fromSnapshot) saved = base.segments;
      else if (snapshots !== null && !isStopped) void work("snapshot_not_written", save);
    },

    followed(position, changes) {
      if (kept === null || isStopped) return;
      changesSinceBase += changes;
      const { table } = kept;
      const isDue =
        table.isRebuildDue || table.changed >= (needs.rebuildAfter ?? Infinity) || changesSinceBase > CHANGES_MAX;
      if (!isDue || working !== null || Date.now() < notBefore) return;
      void work("table_base_not_rebuilt", () => rebuild(position)).then(() => work("snapshot_not_written", save));
    },

    async stop(position, withinMs) {
      isStopped = true;
      if (snapshots === null || kept === null) return;
      const { table } = kept;
      const last = work("table_base_not_rebuilt", async () => {
        if (position !== null && table.changed > 0 && table.size <= FINAL_REBUILD_NAMES) await rebuild(position);
      }).then(() => work("snapshot_not_written", save));
      await inTime(last, withinMs, () => null);
    },

    status: () => ({ baseRebuilds: rebuilds, snapshotsWritten }),
  };
};
