// A resolver that starts from its snapshot: trusted only after it was verified, belongs to this database, and has
// caught up.
import { describe, expect, test } from "bun:test";
import { buildFromReplica, inlineBuilder, requireRoom } from "../../src/resolver/table/table-building.ts";
import type { TableOrder } from "../../src/resolver/table/table-copy.ts";
import { TableFollower, type TableRefreshNeeds } from "../../src/resolver/table/table-refresh.ts";
import {
  type SnapshotFault,
  type SnapshotStore,
  type TableBase,
  TableTooLarge,
} from "../../src/resolver/table-builder.ts";
import { eventually } from "../support/eventually.ts";
import { arkRecord, type MemoryReplica, memoryReplica } from "../support/memory-replica.ts";

const clock = { now: () => "2026-03-01T00:00:00.000Z" };
const url = (name: string) => ({ url: `https://t.example/${name}` });

type MemorySnapshots = SnapshotStore & {
  content: TableBase | { readonly fault: SnapshotFault | TableTooLarge };
  loads: number;
  saves: number;
};

function memorySnapshots(): MemorySnapshots {
  const store: MemorySnapshots = {
    content: { fault: "absent" },
    loads: 0,
    saves: 0,
    load: async () => {
      store.loads += 1;
      return store.content;
    },
    save: async ({ segments, position }) => {
      store.saves += 1;
      // As from a file: other memory.
      const copies = segments.map((segment) => {
        const copy = new SharedArrayBuffer(segment.byteLength);
        new Uint8Array(copy).set(new Uint8Array(segment));
        return copy;
      });
      store.content = { segments: copies, position };
    },
  };
  return store;
}

function world(replica: MemoryReplica, snapshots: SnapshotStore, more: Partial<TableRefreshNeeds> = {}) {
  const events: string[] = [];
  const log = {
    error: (event: string) => void events.push(event),
    info: (event: string) => void events.push(event),
    warn: (event: string, fields?: object) => void events.push(`${event} ${JSON.stringify(fields ?? {})}`),
  };
  const tables = new TableFollower({ replica, clock, intervalMs: 600_000, log, snapshots, ...more });
  return { tables, events, warnings: () => events.filter((event) => event.includes("{")) };
}

async function settled(holds: () => boolean): Promise<void> {
  await eventually("the table is so", holds);
}

/** A snapshot of two names, left behind by a resolver that was stopped. */
async function stoppedResolver(replica: MemoryReplica): Promise<MemorySnapshots> {
  const snapshots = memorySnapshots();
  replica.put(arkRecord("99999/b1a", url("a")), arkRecord("99999/b1b", url("b")));
  const { tables } = world(replica, snapshots);
  await tables.refreshNow();
  await tables.stop();
  return snapshots;
}

describe("the start from a snapshot", () => {
  test("what changed while the resolver was down is in the table once it is ready, and nothing is read whole again", async () => {
    const replica = memoryReplica();
    const snapshots = await stoppedResolver(replica);
    replica.put(arkRecord("99999/b1a", url("moved")), arkRecord("99999/b1c", url("c")));
    const { tableRows } = replica;
    replica.tableRows = () => Promise.reject(new Error("not to be read"));
    const { tables, events, warnings } = world(replica, snapshots);
    await tables.refreshNow();
    replica.tableRows = tableRows;
    const target = (key: string) => tables.current()?.plainTarget(key);
    expect(["b1a", "b1b", "b1c"].map((name) => target(`99999/${name}`))).toEqual([
      "https://t.example/moved",
      "https://t.example/b",
      "https://t.example/c",
    ]);
    expect(tables.status()).toMatchObject({ loaded: true, names: 3, rebuilds: 0 });
    expect(events).toEqual(["table_from_snapshot"]);
    expect(warnings()).toEqual([]);
    await tables.stop();
  });

  test.each(["corrupt", "truncated", "foreign", "version", "unreadable"] as const)(
    "a snapshot that is %s is rebuilt, with one warning",
    async (fault) => {
      const replica = memoryReplica();
      const snapshots = await stoppedResolver(replica);
      snapshots.content = { fault };
      const { tables, warnings } = world(replica, snapshots);
      await tables.refreshNow();
      await tables.refreshNow();
      expect(warnings()).toEqual([`snapshot_not_used {"why":"${fault}"}`]);
      expect(tables.status()).toMatchObject({ loaded: true, names: 2, rebuilds: 1 });
      await settled(() => "segments" in snapshots.content);
      await tables.stop();
    },
  );

  test("a table that the memory does not hold is reported with its figures, and the one there is goes on to answer", async () => {
    const replica = memoryReplica();
    const snapshots = await stoppedResolver(replica);
    let free = 1024 ** 3;
    const inline = inlineBuilder(replica);
    let asked = 0;
    const fromReplica = () => {
      asked += 1;
      return buildFromReplica(replica, { pageSize: 1, free: () => free });
    };
    const builder = { ...inline, fromReplica };
    const events: object[] = [];
    const noted = (event: string, fields?: object) => void events.push({ event, ...fields });
    const log = { error: noted, info: () => {}, warn: noted };
    const { tables } = world(replica, snapshots, { builder, log });
    await tables.refreshNow();
    expect(tables.status()).toMatchObject({ names: 2, rebuilds: 0 });
    free = 100 * 1024 ** 2;
    replica.restore("epoch-2");
    await tables.refreshNow();
    const error =
      "The table does not fit into the memory: 1 names take 0 MiB and more are to come, 100 MiB are free, 256 MiB are left to others";
    expect(events).toContainEqual({ event: "table_too_large", error, next: "the table there is answers" });
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/a");
    const kinds = events.length;
    await tables.refreshNow();
    expect({ events: events.length, asked }).toEqual({ events: kinds, asked: 1 });
    await tables.stop();
    free = 1024 ** 3;
    expect(() => requireRoom(2_200_000_000, 100_000_000, () => free)).toThrow(
      "100000000 names take 2098 MiB, 1024 MiB are free",
    );
    requireRoom(700_000_000, 30_000_000, () => free);
  });

  test("a snapshot that the memory does not hold is reported with its figures", async () => {
    const replica = memoryReplica();
    const snapshots = await stoppedResolver(replica);
    snapshots.content = { fault: new TableTooLarge("The table does not fit into the memory: 9 names") };
    const { tables, warnings } = world(replica, snapshots);
    await tables.refreshNow();
    expect(warnings()).toEqual(['snapshot_not_used {"why":"The table does not fit into the memory: 9 names"}']);
    await tables.stop();
  });

  test("a snapshot of another history of the database is rebuilt, with one warning", async () => {
    const replica = memoryReplica();
    const snapshots = await stoppedResolver(replica);
    replica.putQuietly(arkRecord("99999/b1a", url("restored")));
    replica.restore("epoch-2");
    const { tables, warnings } = world(replica, snapshots);
    await tables.refreshNow();
    expect(warnings()).toEqual(['snapshot_not_used {"why":"it belongs to another history of the database"}']);
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/restored");
    await tables.stop();
  });

  test("a snapshot after which too much has changed is rebuilt", async () => {
    const replica = memoryReplica();
    const snapshots = await stoppedResolver(replica);
    const many = Array.from({ length: 100_001 }, (_, index) => arkRecord(`99999/b1n${index}`, url("n")));
    replica.put(...many);
    const { tables, warnings } = world(replica, snapshots);
    await tables.refreshNow();
    expect(warnings()).toEqual(['snapshot_not_used {"why":"it is too old: too much has changed since"}']);
    expect(tables.status()).toMatchObject({ loaded: true, names: 100_003, rebuilds: 1 });
    await tables.stop();
  });

  test("bytes that are not a table cause a rebuild", async () => {
    const replica = memoryReplica();
    const snapshots = await stoppedResolver(replica);
    if (!("segments" in snapshots.content)) throw new Error("no snapshot");
    snapshots.content = { ...snapshots.content, segments: [new SharedArrayBuffer(4096)] };
    const { tables, warnings } = world(replica, snapshots);
    await tables.refreshNow();
    expect(warnings()).toEqual(['snapshot_not_used {"why":"Not the buffer of a table of this version"}']);
    expect(tables.status()).toMatchObject({ names: 2, rebuilds: 1 });
    await tables.stop();
  });

  test("with the database away the snapshot is read once and waits: nothing is answered from it before it has caught up", async () => {
    const replica = memoryReplica();
    const snapshots = await stoppedResolver(replica);
    replica.put(arkRecord("99999/b1a", url("moved")));
    const { loads } = snapshots;
    replica.away = true;
    const { tables } = world(replica, snapshots);
    await tables.refreshNow();
    await tables.refreshNow();
    expect(tables.current()).toBe(null);
    expect(tables.status()).toMatchObject({ loaded: false, replicaUp: false });
    replica.away = false;
    await tables.refreshNow();
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/moved");
    expect(tables.status()).toMatchObject({ rebuilds: 0 });
    expect(snapshots.loads - loads).toBe(1);
    await tables.stop();
  });
});

describe("keeping the snapshot", () => {
  test("it is written after the first load, after each new base, and at a stop; not when nothing is new", async () => {
    const replica = memoryReplica();
    const snapshots = memorySnapshots();
    const kinds: TableOrder["kind"][] = [];
    const { tables, warnings } = world(replica, snapshots, {
      rebuildAfter: 10,
      tell: (order) => void kinds.push(order.kind),
    });
    await tables.refreshNow();
    await settled(() => snapshots.saves === 1);
    for (let index = 0; index < 10; index++) replica.put(arkRecord(`99999/b1n${index}`, url("n")));
    await tables.refreshNow();
    await settled(() => snapshots.saves === 2);
    expect(tables.status()).toMatchObject({ baseRebuilds: 1, overlayNames: 0, names: 10, snapshotsWritten: 2 });
    expect(kinds).toEqual(["table", "changes", "base"]);
    replica.put(arkRecord("99999/b1last", url("last")));
    await tables.refreshNow();
    expect(tables.status()).toMatchObject({ overlayNames: 1 });
    await tables.stop();
    expect(snapshots.saves).toBe(3);
    const next = world(replica, snapshots);
    await next.tables.refreshNow();
    expect(next.tables.status()).toMatchObject({ names: 11, rebuilds: 0, overlayNames: 0 });
    await next.tables.stop();
    expect(snapshots.saves).toBe(3);
    expect(warnings()).toEqual([]);
  });

  test("changes that come while a base is built are neither lost nor undone", async () => {
    const replica = memoryReplica();
    const { tables } = world(replica, memorySnapshots(), { rebuildAfter: 2 });
    await tables.refreshNow();
    for (let round = 0; round < 40; round++) {
      replica.put(arkRecord(`99999/b1n${round % 7}`, url(`n${round}`)), arkRecord(`99999/b1m${round}`, url("m")));
      await tables.refreshNow();
      expect(tables.current()?.plainTarget(`99999/b1n${round % 7}`)).toBe(`https://t.example/n${round}`);
    }
    expect(tables.status()).toMatchObject({ names: 47 });
    expect(tables.status().baseRebuilds).toBeGreaterThan(5);
    await tables.stop();
  });

  test("a snapshot that cannot be written, or a base that cannot be built, is a warning, and redirects go on", async () => {
    const replica = memoryReplica();
    const failing: SnapshotStore = {
      load: async () => ({ fault: "absent" }),
      save: () => Promise.reject(new Error("No space left")),
    };
    const { tables, warnings } = world(replica, failing);
    await tables.refreshNow();
    await settled(() => warnings().length > 0);
    expect(warnings()).toEqual(['snapshot_not_written {"error":"No space left"}']);
    replica.put(arkRecord("99999/b1a", url("a")));
    await tables.refreshNow();
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/a");
    await tables.stop();
  });
});
