// Targets come back from the trie character by character, also when a template was learned that nearly fits.
import { describe, expect, test } from "bun:test";
import { buildTrie, trieTable } from "../../src/resolver/table/trie.ts";
import type { TableEntry } from "../../src/resolver/table.ts";

const entry = (url: string): TableEntry => ({ class: "answers", url, holdUntil: null });

const PREFIX = "https://repo.example.org/records/";
const SUFFIX = "/full.html?view=all";
const UUID = "0b7a6f0e-6f1e-4f58-9c3a-2f7f0f1d9a11";

/** Names whose targets teach the prefix and the suffix, then one name for each target that is asked about. */
function tableOf(targets: readonly string[]) {
  const lessons = Array.from({ length: 60 }, (_, index) => ({
    key: `12345/a${String(index).padStart(4, "0")}`,
    entry: entry(PREFIX + (index % 2 === 0 ? 1000 + index : `x${index}y`) + (index % 3 === 0 ? SUFFIX : "")),
  }));
  const asked = targets.map((target, index) => ({
    key: `12345/b${String(index).padStart(4, "0")}q7.v2`,
    entry: entry(target),
  }));
  return { table: trieTable(buildTrie([...lessons, ...asked])), keys: asked.map(({ key }) => key) };
}

const MIDDLES = [
  "",
  "0",
  "00",
  "7",
  "007",
  ...Array.from({ length: 14 }, (_, digits) => "12345678901234".slice(0, digits + 1).padStart(15 - (digits % 3), "0")),
  "01",
  "0012",
  "00100",
  "000123",
  "0999000",
  "000000000000000",
  "0000000000000000",
  "999999999999999",
  "9007199254740993",
  "00000000000000000000000000000007",
  "12e5",
  "-1",
  UUID,
  UUID.toUpperCase(),
  UUID.replace("-", "_"),
  `${UUID}0`,
  "é",
  "\u00FF",
  "\u0100",
  "\u{1F600}",
  "\uD800",
  "a\0b",
  "x".repeat(127),
  "x".repeat(128),
  "x".repeat(2048),
  "あ".repeat(1025),
];

describe("a target", () => {
  test("of any kind behind a learned prefix and before a learned suffix comes back unchanged", () => {
    const targets = MIDDLES.flatMap((middle) => [
      PREFIX + middle,
      PREFIX + middle + SUFFIX,
      middle + SUFFIX,
      `${PREFIX}${middle}/full.html`,
      `http://else.where/${middle}`,
    ]).filter((target) => target !== "");
    const { table, keys } = tableOf(targets);
    for (const [index, key] of keys.entries()) expect(table.exact(key)?.url).toBe(targets[index]);
  });

  test("made of a piece of its name comes back for that name, asked for itself or as an ancestor", () => {
    const pieces = (key: string) => [
      key,
      key.slice(6),
      key.slice(7, 12),
      key.slice(8, -3),
      key.slice(-4),
      key.slice(2, -1),
    ];
    const probe = tableOf(Array.from({ length: 12 }, () => "x"));
    const targets = probe.keys.map((key, index) => PREFIX + pieces(key)[index % 6] + (index < 6 ? "" : SUFFIX));
    const { table, keys } = tableOf(targets);
    for (const [index, key] of keys.entries()) {
      expect(table.exact(key)?.url).toBe(targets[index]);
      expect(table.nearest(`${key}/page/3`, false)?.entry.url).toBe(targets[index]);
    }
  });

  test("takes a few bytes where its template is known, whatever shoulder it is under", () => {
    const names = 3000;
    const sizeWith = (target: (index: number) => string) => {
      const rows = Array.from({ length: names }, (_, index) => ({
        key: `12345/${index < names / 2 ? "b1" : "x5"}${String(index).padStart(6, "0")}`,
        entry: entry(target(index)),
      }));
      return trieTable(buildTrie(rows)).bytes / names;
    };
    const bare = sizeWith(() => "");
    expect(sizeWith((index) => `${PREFIX}${1_000_000 + index}`) - bare).toBeLessThan(7);
    expect(sizeWith((index) => `${PREFIX}${String(index).padStart(9, "0")}${SUFFIX}`) - bare).toBeLessThan(7);
    expect(
      sizeWith(
        (index) =>
          `https://o.example.net/ark:/12345/${index < names / 2 ? "b1" : "x5"}${String(index).padStart(6, "0")}`,
      ) - bare,
    ).toBeLessThan(7);
    expect(
      sizeWith((index) => `https://o.example.net/items/${UUID.slice(0, -6)}${100_000 + index}/download`) - bare,
    ).toBeLessThan(21);
  });

  test("does not use up the templates when thousands of prefixes come a few times each", () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      key: `12345/x${String(index).padStart(6, "0")}`,
      entry: entry(`https://h${Math.floor(index / 6)}.example.org/${index}`),
    }));
    const table = trieTable(buildTrie(rows));
    for (const { key, entry: wanted } of rows) if (table.exact(key)?.url !== wanted.url) expect(key).toBe(wanted.url);
  });
});
