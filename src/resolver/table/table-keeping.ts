// Looks after the base of the resolver's table: takes recent changes into a new one when there are many, and keeps a
// snapshot of it for the next start (docs/resolver-table.md). Everything long is the builder's; here nothing blocks.

import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import { inTime } from "../../shared/time/event-loop.ts";
import type { FeedPosition } from "../replica.ts";
import type { SnapshotStore, TableBase, TableBuilder } from "../table-builder.ts";
import type { TrieTable } from "./trie.ts";
import type { Segments } from "./trie-layout.ts";

type TableKeepingNeeds = {
  readonly builder: Pick<TableBuilder, "fromMemory">;
  readonly snapshots: SnapshotStore | null;
  readonly log: Pick<Log, "info" | "warn">;
  /** Names over the base from which a new base is due, where that is fewer than the limit of the table. */
  readonly rebuildAfter?: number;
  /** Called when the table got a new base that holds every change up to this number. */
  readonly onBase: (segments: Segments, upTo: number) => void;
};

/**
 * Changes read from the feed since the base from which a new one is due, however few names they were of: a start reads
 * them again.
 */
const CHANGES_MAX = 100_000;
const RETRY_MS = 60_000;
/** At a stop larger tables are left with the snapshot they have: the next start reads a little more of the feed. */
const FINAL_REBUILD_NAMES = 2_000_000;

export interface TableKeeping {
  /**
   * From now on this table; `base.position` is the feed position of its base. `fromSnapshot`: the file holds it
   * already.
   */
  keep(table: TrieTable, base: TableBase, fromSnapshot: boolean): void;
  /** To be called when the table is at this position of the feed, before anything else is read into it. */
  followed(position: FeedPosition, changes: number): void;
  /** Leaves a snapshot behind that holds what is known now, unless that takes longer than `withinMs`. */
  stop(position: FeedPosition | null, withinMs: number): Promise<void>;
  status(): { baseRebuilds: number; snapshotsWritten: number };
}

export class BaseKeeper implements TableKeeping {
  readonly #needs: TableKeepingNeeds;
  readonly #builder: TableKeepingNeeds["builder"];
  readonly #snapshots: TableKeepingNeeds["snapshots"];
  readonly #log: TableKeepingNeeds["log"];
  /** The table whose base this is, and the feed position of its base. */
  #kept: { readonly table: TrieTable; base: TableBase } | null = null;
  /** The base the snapshot holds. */
  #saved: Segments | null = null;
  #changesSinceBase = 0;
  #working: Promise<void> | null = null;
  #notBefore = 0;
  #rebuilds = 0;
  #snapshotsWritten = 0;
  #isStopped = false;

  constructor(needs: TableKeepingNeeds) {
    this.#needs = needs;
    this.#builder = needs.builder;
    this.#snapshots = needs.snapshots;
    this.#log = needs.log;
  }

  keep(table: TrieTable, base: TableBase, fromSnapshot: boolean): void {
    this.#kept = { table, base };
    this.#changesSinceBase = 0;
    if (fromSnapshot) this.#saved = base.segments;
    else if (this.#snapshots !== null && !this.#isStopped) void this.#work("snapshot_not_written", () => this.#save());
  }

  followed(position: FeedPosition, changes: number): void {
    if (this.#kept === null || this.#isStopped) return;
    this.#changesSinceBase += changes;
    const { table } = this.#kept;
    const isDue =
      table.isRebuildDue ||
      table.changed >= (this.#needs.rebuildAfter ?? Infinity) ||
      this.#changesSinceBase > CHANGES_MAX;
    if (!isDue || this.#working !== null || Date.now() < this.#notBefore) return;
    void this.#work("table_base_not_rebuilt", () => this.#rebuild(position)).then(() =>
      this.#work("snapshot_not_written", () => this.#save()),
    );
  }

  async stop(position: FeedPosition | null, withinMs: number): Promise<void> {
    this.#isStopped = true;
    if (this.#snapshots === null || this.#kept === null) return;
    const { table } = this.#kept;
    const last = this.#work("table_base_not_rebuilt", async () => {
      if (position !== null && table.changed > 0 && table.size <= FINAL_REBUILD_NAMES) await this.#rebuild(position);
    }).then(() => this.#work("snapshot_not_written", () => this.#save()));
    await inTime(last, withinMs, () => null);
  }

  status(): { baseRebuilds: number; snapshotsWritten: number } {
    return { baseRebuilds: this.#rebuilds, snapshotsWritten: this.#snapshotsWritten };
  }

  /** One long piece of work at a time. Never throws. */
  #work(what: string, task: () => Promise<void>): Promise<void> {
    const mine = (this.#working ?? Promise.resolve()).then(task).catch((error: unknown) => {
      this.#notBefore = Date.now() + RETRY_MS;
      if (!this.#isStopped) this.#log.warn(what, { error: errorMessage(error) });
    });
    this.#working = mine;
    void mine.finally(() => {
      if (this.#working === mine) this.#working = null;
    });
    return mine;
  }

  async #rebuild(position: FeedPosition): Promise<void> {
    const current = this.#kept;
    if (current === null) return;
    const startedAt = Date.now();
    const order = current.table.rebuild();
    const counted = this.#changesSinceBase;
    const segments = await this.#builder.fromMemory(order);
    // Another table was built whole meanwhile: this base is of no use any more.
    if (this.#kept !== current) return;
    current.table.setBase(segments, order.upTo);
    current.base = { segments, position };
    this.#changesSinceBase -= counted;
    this.#rebuilds += 1;
    this.#needs.onBase(segments, order.upTo);
    this.#log.info("table_base_rebuilt", { names: current.table.size, ms: Date.now() - startedAt });
  }

  async #save(): Promise<void> {
    const current = this.#kept;
    if (this.#snapshots === null || current === null || this.#saved === current.base.segments) return;
    const { base } = current;
    const startedAt = Date.now();
    await this.#snapshots.save(base);
    this.#saved = base.segments;
    this.#snapshotsWritten += 1;
    this.#log.info("snapshot_written", { ms: Date.now() - startedAt });
  }
}
