// The resolver's table in several threads: one thread follows the feed and tells the others, in order, what it has
// changed. The base is in shared memory once; each thread has its own small overlay (docs/resolver-table.md).

import type { Registry } from "../registry.ts";
import type { Replica } from "../replica.ts";
import { lookAgain, type SharedState } from "../replica-recheck.ts";
import type { NameClass, NameRow, Policies, ResolutionTable, TableEntry, WritableTable } from "../table.ts";
import { type TrieTable, trieTable } from "./trie.ts";
import type { NamedChange } from "./trie-entries.ts";
import type { Segments } from "./trie-layout.ts";

type RowChange = { readonly key: string; readonly row: NameRow | null };

/** Messages to the copies of a table. */
export type TableOrder =
  /**
   * A whole table, with what lies over its base. `sequence`: the number of the last of these changes in the thread that
   * tells.
   */
  | {
      readonly kind: "table";
      readonly segments: Segments;
      readonly changes: readonly NamedChange[];
      readonly sequence: number;
      readonly policies: Policies;
    }
  | { readonly kind: "changes"; readonly changes: readonly RowChange[] }
  | { readonly kind: "policies"; readonly policies: Policies }
  /** A new base that holds every change up to this number. */
  | { readonly kind: "base"; readonly segments: Segments; readonly upTo: number };

export type TableWriter = Pick<WritableTable, "put" | "remove" | "setPolicies">;

/** Changes in one message at most, so that no message grows without bound. */
const REPORTED_AT_ONCE = 1_000;

/**
 * Writes into a table. From `begin` on it tells the copies of it; `flush` sends what has gathered. Until then it
 * refuses to write more than `most`.
 */
export function tellingWriter(
  table: TableWriter,
  tell: ((order: TableOrder) => void) | null,
  most: number,
): TellingWriter {
  let gathered: RowChange[] = [];
  let hasBegun = false;
  let written = 0;
  const flush = (): void => {
    if (gathered.length === 0) return;
    const changes = gathered;
    gathered = [];
    tell?.({ kind: "changes", changes });
  };
  const gather = (key: string, row: NameRow | null): void => {
    if (!hasBegun) {
      if (++written > most) throw new RangeError("it is too old: too much has changed since");
    } else if (tell !== null && gathered.push({ key, row }) >= REPORTED_AT_ONCE) flush();
  };
  return {
    put(row) {
      table.put(row);
      const { key, state, url, publishedAt, firstPublishedAt, holdUntil } = row;
      gather(key, { key, state, url, publishedAt, firstPublishedAt, holdUntil });
    },
    remove(key) {
      table.remove(key);
      gather(key, null);
    },
    setPolicies(policies) {
      table.setPolicies(policies);
      flush();
      if (hasBegun) tell?.({ kind: "policies", policies });
    },
    begin() {
      hasBegun = true;
    },
    flush,
  };
}
export interface TellingWriter {
  put(row: NameRow): void;
  remove(key: string): void;
  setPolicies(policies: Policies): void;
  begin(): void;
  flush(): void;
}

/** The order that makes a copy of this table from nothing. */
export function wholeTable(table: TrieTable, policies: Policies): TableOrder {
  const { segments, changes, upTo } = table.rebuild();
  return { kind: "table", segments, changes, sequence: upTo, policies };
}

type TableCopyNeeds = {
  readonly registry: Registry;
  readonly replica: Pick<Replica, "tableRowsOf">;
  readonly state: SharedState;
};

/** The copy of one thread. Orders must arrive in the order in which they were sent. */
export const tableCopy = ({ registry, replica, state }: TableCopyNeeds): TableCopy => {
  let table: TrieTable | null = null;
  /** Where this copy began, in numbers of the thread that tells, and in its own. */
  let began = { sent: 0, own: 0 };

  const apply = (order: TableOrder): void => {
    if (order.kind === "table") {
      const fresh = trieTable(order.segments, registry);
      fresh.setPolicies(order.policies);
      for (const { key, entry } of order.changes) putEntry(fresh, key, entry);
      began = { sent: order.sequence, own: fresh.sequence };
      table = fresh;
      return;
    }
    if (table === null) throw new TypeError("A copy receives changes before it has the table");
    if (order.kind === "policies") table.setPolicies(order.policies);
    else if (order.kind === "changes") for (const { key, row } of order.changes) putRow(table, key, row);
    // Of what the copy began with the numbers are unknown: it stays on top of an older base, which is right, only
    // longer than needed.
    else table.setBase(order.segments, order.upTo < began.sent ? 0 : order.upTo - began.sent + began.own);
  };

  return {
    apply,
    current: () => table,
    lookAgain: (keys) => lookAgain(table, keys, replica, state),
  };
};
export interface TableCopy {
  apply(order: TableOrder): void;
  current(): ResolutionTable | null;
  lookAgain(keys: readonly string[]): Promise<ResolutionTable | null>;
}

function putRow(table: TableWriter, key: string, row: NameRow | null): void {
  if (row === null) table.remove(key);
  else table.put(row);
}

const LONG_AGO = "1970-01-01T00:00:00.000Z";
const NEVER = { publishedAt: null, firstPublishedAt: null } as const;
const ONCE = { publishedAt: null, firstPublishedAt: LONG_AGO } as const;
const NOW = { publishedAt: LONG_AGO, firstPublishedAt: LONG_AGO } as const;

/** A row of each class: what a table makes of it is the class again. */
const ROW_OF_CLASS: Readonly<Record<NameClass, Pick<NameRow, "state" | "publishedAt" | "firstPublishedAt">>> = {
  answers: { state: "published", ...NOW },
  tombstone: { state: "tombstoned", ...NOW },
  blocked: { state: "unpublished", ...ONCE },
  reserved: { state: "reserved", ...NEVER },
  invisible: { state: "deleted", ...NEVER },
};

function putEntry(table: TableWriter, key: string, entry: TableEntry | null): void {
  putRow(
    table,
    key,
    entry === null ? null : { key, url: entry.url, holdUntil: entry.holdUntil, ...ROW_OF_CLASS[entry.class] },
  );
}
