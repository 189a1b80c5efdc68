// Copies of the table in other threads: updated in order, they equal the table itself, whenever they began (A31).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_REGISTRY } from "../../src/resolver/registry.ts";
import { LOOKS_PER_SECOND, sharedState } from "../../src/resolver/replica-recheck.ts";
import {
  type TableCopy,
  type TableOrder,
  tableCopy,
  tellingWriter,
  wholeTable,
} from "../../src/resolver/table/table-copy.ts";
import { buildTrie, type Rebuild, rebuildEntries, trieTable } from "../../src/resolver/table/trie.ts";
import { type Policies, plainTable } from "../../src/resolver/table.ts";
import { anyRow, keysAround, sayingsOf } from "../support/generated-names.ts";
import { arkRecord, memoryReplica, naanOf, ORGANISATION, shoulderOf } from "../support/memory-replica.ts";

const newCopy = (): TableCopy =>
  tableCopy({ registry: EMPTY_REGISTRY, replica: memoryReplica(), state: sharedState() });

const policiesOf = (naan: string): Policies => ({
  naans: [naanOf(naan, { holdUntil: "2031-01-01T00:00:00.000Z" })],
  shoulders: [shoulderOf(naan, "x5")],
  organisations: [ORGANISATION],
});

/** As a message between threads: copied, but for what is in shared memory. */
function sent(order: TableOrder): TableOrder {
  if (order.kind === "changes") return structuredClone(order);
  if (order.kind === "policies") return structuredClone(order);
  return { ...order };
}

const step = fc.oneof(
  { weight: 12, arbitrary: anyRow.map((row) => ({ kind: "put" as const, row })) },
  { weight: 2, arbitrary: fc.nat(30).map((at) => ({ kind: "remove" as const, at })) },
  { weight: 2, arbitrary: fc.constantFrom("12345", "99999").map((naan) => ({ kind: "policies" as const, naan })) },
  { weight: 3, arbitrary: fc.constantFrom("plan", "swap", "join").map((kind) => ({ kind })) },
);

describe("copies of a table", () => {
  test("A31 agree with the table, over changes, new bases and late beginnings", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = trieTable(buildTrie([]));
        const oracle = plainTable();
        const copies: TableCopy[] = [];
        const tell = (order: TableOrder): void => {
          for (const copy of copies) copy.apply(sent(order));
        };
        const writer = tellingWriter(table, tell, Number.POSITIVE_INFINITY);
        writer.begin();
        let policies = policiesOf("12345");
        writer.setPolicies(policies);
        oracle.setPolicies(policies);
        const keys: string[] = [];
        let planned: Rebuild | null = null;
        const join = (): void => {
          const copy = newCopy();
          copy.apply(sent(wholeTable(table, policies)));
          copies.push(copy);
        };
        join();
        for (const each of steps) {
          if (each.kind === "put" && "row" in each) {
            keys.push(each.row.key);
            writer.put(each.row);
            oracle.put(each.row);
          } else if (each.kind === "remove" && "at" in each) {
            const key = keys[each.at % Math.max(1, keys.length)] ?? "12345/none";
            writer.remove(key);
            oracle.remove(key);
          } else if (each.kind === "policies" && "naan" in each) {
            policies = policiesOf(each.naan);
            writer.setPolicies(policies);
            oracle.setPolicies(policies);
          } else if (each.kind === "plan") planned = table.rebuild();
          else if (each.kind === "join") join();
          else if (planned !== null) {
            const segments = buildTrie(rebuildEntries(planned));
            table.setBase(segments, planned.upTo);
            writer.flush();
            tell({ kind: "base", segments, upTo: planned.upTo });
            planned = null;
          }
        }
        writer.flush();
        for (const copy of copies) {
          const copied = copy.current();
          if (copied === null) throw new Error("a copy has no table");
          for (const key of keysAround(keys)) expect(sayingsOf(copied, key)).toBe(sayingsOf(oracle, key));
          expect(copied.size).toBe(oracle.size);
          expect(copied.naans()).toEqual(oracle.naans());
          expect(copied.hasHeldNaans).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a copy receives no changes before it has the table", () => {
    expect(() => newCopy().apply({ kind: "changes", changes: [] })).toThrow("before it has the table");
  });

  test("many changes are sent in messages of a thousand", () => {
    const sizes: number[] = [];
    const tell = (order: TableOrder) => sizes.push(order.kind === "changes" ? order.changes.length : 0);
    const writer = tellingWriter(trieTable(buildTrie([])), tell, Number.POSITIVE_INFINITY);
    writer.put(arkRecord("99999/b1"));
    writer.begin();
    for (let index = 0; index < 2500; index++) writer.put(arkRecord(`99999/b1n${index}`));
    writer.flush();
    expect(sizes).toEqual([1000, 1000, 500]);
  });
});

describe("one last look", () => {
  test("A31d the looks of all threads together are limited, and none is taken while the database is away", async () => {
    const state = sharedState();
    const replica = memoryReplica();
    replica.putQuietly(arkRecord("99999/b1new", { url: "https://t.example/new" }));
    const copies = [sharedState(state.memory), sharedState(state.memory)].map((shared) => {
      const copy = tableCopy({ registry: EMPTY_REGISTRY, replica, state: shared });
      copy.apply(wholeTable(trieTable(buildTrie([])), policiesOf("99999")));
      return copy;
    });
    expect(await copies[0]?.lookAgain(["99999/b1new"])).toBe(null);
    state.setReplicaUp(true);
    expect((await copies[1]?.lookAgain(["99999/b1new"]))?.exact("99999/b1new")?.url).toBe("https://t.example/new");
    replica.reads = 0;
    const began = Math.floor(Date.now() / 1000);
    for (let times = 0; times < 2 * LOOKS_PER_SECOND; times++) await copies[times % 2]?.lookAgain(["99999/b1new"]);
    const seconds = Math.floor(Date.now() / 1000) - began + 1;
    expect(replica.reads).toBeLessThan(seconds * LOOKS_PER_SECOND + 1);
    expect(replica.reads).toBeGreaterThan(LOOKS_PER_SECOND - 2);
  });
});
