// The trie answers exactly as the plain table does (A31, A31a), before and after changes and rebuilds.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { buildTrie, rebuildEntries, trieTable } from "../../src/resolver/table/trie.ts";
import { TrieBuilder } from "../../src/resolver/table/trie-builder.ts";
import { entriesOf } from "../../src/resolver/table/trie-entries.ts";
import type { Segments } from "../../src/resolver/table/trie-layout.ts";
import { TrieBase } from "../../src/resolver/table/trie-segments.ts";
import { entryOf, type NameRow, plainTable, type ResolutionTable } from "../../src/resolver/table.ts";
import { anyKey, anyRow, keysAround, rowOf, sayingsOf } from "../support/generated-names.ts";

const RUNS = { numRuns: 150 };

function inOrder(rows: readonly NameRow[]): NameRow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return [...byKey.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** One buffer, or another for every name, or for some. */
const anyCut = fc.constantFrom(undefined, 1, 120, 400);

function bufferOf(rows: readonly NameRow[], segmentBytes?: number): Segments {
  const entries = inOrder(rows).map((row) => ({ key: row.key, entry: entryOf(row) }));
  return buildTrie(entries, segmentBytes === undefined ? {} : { segmentBytes });
}

function expectSame(table: ResolutionTable, oracle: ResolutionTable, keys: readonly string[]): void {
  for (const key of keysAround(keys)) {
    const actual = sayingsOf(table, key);
    const wanted = sayingsOf(oracle, key);
    if (actual !== wanted) expect(actual).toBe(wanted);
  }
  expect(table.size).toBe(oracle.size);
}

const published = (key: string, url = `https://example.org/${key}`): NameRow => ({
  key,
  state: "published",
  url,
  publishedAt: "2024-01-01T00:00:00.000Z",
  firstPublishedAt: "2024-01-01T00:00:00.000Z",
  holdUntil: null,
});

describe("a trie built from names in key order", () => {
  test("A31 A31a agrees with the plain table for every generated name and its neighbours", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 40 }), anyCut, (rows, cut) => {
        const oracle = plainTable();
        for (const row of rows) oracle.put(row);
        expectSame(
          trieTable(bufferOf(rows, cut)),
          oracle,
          rows.map((row) => row.key),
        );
      }),
      RUNS,
    );
  });

  test("holds no name, one name, and 255 bytes", () => {
    expectSame(trieTable(buildTrie([])), plainTable(), ["12345/x"]);
    for (const key of ["12345/x", `12345/${"a".repeat(255)}`, `bcdfghjkmnpqrstv/${"a/".repeat(127)}b`]) {
      const oracle = plainTable();
      oracle.put(published(key));
      expectSame(trieTable(bufferOf([published(key)])), oracle, [key]);
    }
  });

  test("L63 keeps an encoded slash apart from a slash, and finds ancestors at / and . only", () => {
    const table = trieTable(
      bufferOf([published("12345/x", "https://e.org/1"), published("12345/x/y", "https://e.org/2")]),
    );
    const lengthOf = (key: string) => table.nearest(key, false)?.length ?? null;
    expect(lengthOf("12345/x%2Fy")).toBe(null);
    expect(lengthOf("12345/x/y%2Fz")).toBe("12345/x".length);
    expect(lengthOf("12345/x/y/z")).toBe("12345/x/y".length);
    expect(lengthOf("12345/x.y")).toBe("12345/x".length);
    expect(lengthOf("12345/xy")).toBe(null);
  });

  test("holds a thousand names that are each the beginning of the next one's parts", () => {
    const oracle = plainTable();
    const rows: NameRow[] = [];
    for (let number = 0; number < 1000; number++) {
      rows.push(published(`12345/x${number.toString(29)}`, `https://repo.example.org/records/${number}`));
      rows.push(
        published(`12345/x${number.toString(29)}/page/${number % 7}`, `https://repo.example.org/pages/${number}.html`),
      );
    }
    for (const row of rows) oracle.put(row);
    expectSame(
      trieTable(bufferOf(rows)),
      oracle,
      rows.map((row) => row.key),
    );
  });

  test("finds the first child of a node however far away it was written, to the byte", () => {
    const first = { key: "12345/a", entry: entryOf(published("12345/a")) };
    for (const far of [0, 33]) {
      const between = Array.from({ length: far }, (_, index) => {
        const key = `12345/b${String(index).padStart(2, "0")}`;
        return { key, entry: entryOf(published(key, `x:${"y".repeat(1948)}`)) };
      });
      for (let length = 1; length < 1100; length += far === 0 ? 1 : 3) {
        const last = { key: "12345/c", entry: entryOf(published("12345/c", "z".repeat(length))) };
        const table = trieTable(buildTrie([first, ...between, last]));
        if (table.plainTarget("12345/a") !== first.entry.url) expect(`${far} ${length}`).toBe("found");
        if (table.exact("12345/c")?.url !== last.entry.url) expect(`${far} ${length}`).toBe("found");
      }
    }
  });

  test("gives its names back in key order", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 40 }), anyCut, (rows, cut) => {
        const wanted = inOrder(rows).map((row) => ({ key: row.key, entry: entryOf(row) }));
        const base = new TrieBase(bufferOf(rows, cut));
        expect([...entriesOf(base)]).toEqual(wanted);
        expect(base.names).toBe(wanted.length);
      }),
      RUNS,
    );
  });

  test("refuses names that come out of order, twice, or outside the grammar", () => {
    const entry = entryOf(published("12345/x"));
    for (const [first, second] of [
      ["12345/b", "12345/a"],
      ["12345/a", "12345/a"],
      ["12345/a/b", "12345/a"],
      ["12345/a", "12345/é"],
      ["12345/a", "12345/b c"],
      ["12345/a", `12345/${"b".repeat(300)}`],
    ] as const) {
      const builder = new TrieBuilder();
      builder.add(first, entry);
      expect(() => builder.add(second, entry)).toThrow(RangeError);
    }
  });

  test("refuses memory that is not a table", () => {
    expect(() => trieTable([])).toThrow(RangeError);
    expect(() => trieTable([new SharedArrayBuffer(8)])).toThrow(RangeError);
    expect(() => trieTable([new SharedArrayBuffer(4096)])).toThrow(RangeError);
    const [first, second, third] = bufferOf(
      ["12345/b", "12345/c"].map((key) => published(key)),
      1,
    );
    if (first === undefined || second === undefined || third === undefined) throw new Error("not cut");
    expect(trieTable([first, second, third]).size).toBe(2);
    for (const wrong of [
      [second, third],
      [first, third, second],
      [first, second, second],
    ]) {
      expect(() => trieTable(wrong)).toThrow("do not belong together");
    }
  });

  test("A31a finds an ancestor from every segment below it, over however many cuts", () => {
    const rows = ["12345/x", "12345/x/a", ...Array.from({ length: 60 }, (_, i) => `12345/x/a/${100 + i}`), "12345/xy"];
    const table = trieTable(
      bufferOf(
        rows.map((key) => published(key)),
        90,
      ),
    );
    expect(table.segments.length).toBeGreaterThan(10);
    for (let index = 0; index < 60; index++) {
      expect(table.nearest(`12345/x/a/${100 + index}.v2/3`, false)?.length).toBe(13);
      expect(table.nearest(`12345/x/a/${100 + index}0`, false)?.length).toBe(9);
      expect(table.nearest(`12345/x/b${index}`, false)?.length).toBe(7);
    }
    expect(table.nearest("12345/xz", false)).toBe(null);
    expect(table.size).toBe(63);
  });

  test("takes at most 48 bytes a name for targets of the usual kinds", () => {
    const names = 20_000;
    const builder = new TrieBuilder({ expectedNames: names });
    for (let number = 0; number < names; number++) {
      const key = `12345/x5${(number * 7_919 + 100_000_000).toString(36).padStart(9, "0")}`;
      const url =
        number % 2 === 0
          ? `https://repository.example.ac.jp/records/${1_000_000 + number}`
          : `https://objects.example.net/store/${key.slice(6)}`;
      builder.add(key, entryOf(published(key, url)));
    }
    const { bytes } = trieTable(builder.finish());
    expect(bytes / names).toBeLessThan(48);
  });
});

type Step =
  | { readonly kind: "put"; readonly row: NameRow }
  | { readonly kind: "remove"; readonly key: string }
  | { readonly kind: "rebuild" };

const anyStep = fc.oneof(
  { weight: 8, arbitrary: anyRow.map((row): Step => ({ kind: "put", row })) },
  { weight: 2, arbitrary: anyKey.map((key): Step => ({ kind: "remove", key })) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "rebuild" }) },
);

/** Alike in the 30 bits that the overlay looks names up by. */
const COLLIDING = ["12345/xg2qd", "12345/x265a0"] as const;

describe("changes on top of a trie", () => {
  test("A31a are seen at once, and stay when a new base has taken them in", () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 25 }),
        fc.array(anyStep, { maxLength: 25 }),
        anyCut,
        (rows, steps, cut) => {
          const oracle = plainTable();
          for (const row of rows) oracle.put(row);
          const table = trieTable(bufferOf(rows, cut));
          const keys = rows.map((row) => row.key);
          for (const step of steps) {
            if (step.kind === "put") {
              table.put(step.row);
              oracle.put(step.row);
              keys.push(step.row.key);
            } else if (step.kind === "remove") {
              table.remove(step.key);
              oracle.remove(step.key);
              keys.push(step.key);
            } else {
              const rebuild = table.rebuild();
              const { expectedNames, upTo } = rebuild;
              const options = cut === undefined ? { expectedNames } : { expectedNames, segmentBytes: cut };
              table.setBase(buildTrie(rebuildEntries(rebuild), options), upTo);
              expect(table.changed).toBe(0);
            }
          }
          expectSame(table, oracle, keys);
        },
      ),
      RUNS,
    );
  });

  test("made while a new base is built stay on top of it", () => {
    const names = ["12345/a", "12345/a/b", "12345/c"];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...names).chain(rowOf), { maxLength: 12 }),
        fc.array(fc.constantFrom(...names).chain(rowOf), { maxLength: 12 }),
        fc.array(fc.constantFrom(...names), { maxLength: 3 }),
        (before, during, removed) => {
          const oracle = plainTable();
          const table = trieTable(buildTrie([]));
          for (const row of before) {
            table.put(row);
            oracle.put(row);
          }
          const rebuild = table.rebuild();
          for (const row of during) {
            table.put(row);
            oracle.put(row);
          }
          for (const key of removed) {
            table.remove(key);
            oracle.remove(key);
          }
          table.setBase(buildTrie(rebuildEntries(rebuild), { expectedNames: rebuild.expectedNames }), rebuild.upTo);
          expect(table.changed).toBe(new Set([...during.map((row) => row.key), ...removed]).size);
          expectSame(table, oracle, names);
        },
      ),
      RUNS,
    );
  });

  test("A31a a withdrawn part hides the base's older state, and a new ancestor answers for what lies below", () => {
    const table = trieTable(bufferOf([published("12345/x/y/z", "https://e.org/z")]));
    expect(table.nearest("12345/x/y/z/1", false)?.length).toBe(11);
    table.put({ ...published("12345/x/y/z", ""), state: "deleted", firstPublishedAt: null });
    expect(table.nearest("12345/x/y/z/1", false)).toBe(null);
    table.put(published("12345/x", "https://e.org/x"));
    expect(table.nearest("12345/x/y/z/1", false)).toEqual({
      length: 7,
      entry: { class: "answers", url: "https://e.org/x", holdUntil: null },
    });
    expect(table.plainTarget("12345/x")).toBe("https://e.org/x");
    expect(table.size).toBe(2);
  });

  test("are kept apart where two names have the same hash", () => {
    const table = trieTable(buildTrie([]));
    const [one, other] = COLLIDING;
    table.put(published(one, "https://e.org/1"));
    expect(table.nearest(`${other}/page`, false)).toBe(null);
    table.put(published(other, "https://e.org/2"));
    expect(table.plainTarget(one)).toBe("https://e.org/1");
    expect(table.plainTarget(other)).toBe("https://e.org/2");
    expect(table.nearest(`${one}/page`, false)?.entry.url).toBe("https://e.org/1");
    expect(table.changed).toBe(2);
  });

  test("make a rebuild due when they are many", () => {
    const table = trieTable(buildTrie([]));
    for (let number = 0; number <= 20_000; number++) {
      expect(table.isRebuildDue).toBe(false);
      table.put(published(`12345/${number}`));
    }
    expect(table.isRebuildDue).toBe(true);
    const rebuild = table.rebuild();
    table.setBase(buildTrie(rebuildEntries(rebuild), { expectedNames: rebuild.expectedNames }), rebuild.upTo);
    expect(table.isRebuildDue).toBe(false);
    expect(table.size).toBe(20_001);
  });
});
