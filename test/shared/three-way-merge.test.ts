// Two changes of one value brought together (src/shared/json/three-way-merge.ts; R42).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Json } from "../../src/shared/json/json.ts";
import { sortedText } from "../../src/shared/json/sorted-text.ts";
import { differencesInParts, mergeInParts, type Side } from "../../src/shared/json/three-way-merge.ts";
import { runWithoutYielding } from "../../src/shared/time/event-loop.ts";
import { cpuMs } from "../support/cpu-time.ts";

type Value = Json | undefined;
const merge = (base: Value, mine: Value, theirs: Value, decided: Side = "theirs") =>
  runWithoutYielding(mergeInParts(base, mine, theirs, decided));
const differences = (before: Value, after: Value) => runWithoutYielding(differencesInParts(before, after));

const person = (name: string, more: object = {}) => ({ names: [{ full: name, lang: "en" }], identifiers: [], ...more });
const [ADA, BOB, EVE, DAN] = [person("Ada"), person("Bob"), person("Eve"), person("Dan")];

const PLAIN: readonly { readonly what: string; readonly sides: readonly [Value, Value, Value]; readonly is: Value }[] =
  [
    {
      what: "two fields",
      sides: [
        { a: 1, b: 1 },
        { a: 2, b: 1 },
        { a: 1, b: 3 },
      ],
      is: { a: 2, b: 3 },
    },
    { what: "a field added and another removed", sides: [{ a: 1 }, { a: 1, b: 2 }, {}], is: { b: 2 } },
    {
      what: "members of a group that both added",
      sides: [{}, { g: { a: 1 } }, { g: { b: 2 } }],
      is: { g: { a: 1, b: 2 } },
    },
    { what: "the same change on both sides", sides: [{ a: 1 }, { a: 2 }, { a: 2 }], is: { a: 2 } },
    {
      what: "elements added at both ends",
      sides: [
        [ADA, BOB],
        [EVE, ADA, BOB],
        [ADA, BOB, DAN],
      ],
      is: [EVE, ADA, BOB, DAN],
    },
    { what: "both append", sides: [[ADA], [ADA, EVE], [ADA, DAN]], is: [ADA, DAN, EVE] },
    { what: "both append the same", sides: [[ADA], [ADA, BOB], [ADA, BOB]], is: [ADA, BOB] },
    { what: "both append the same and one more", sides: [[ADA], [ADA, BOB, EVE], [ADA, BOB]], is: [ADA, BOB, EVE] },
    {
      what: "one removed while another is edited",
      sides: [
        [ADA, BOB, EVE],
        [ADA, EVE],
        [ADA, BOB, person("Eve", { role: "editor" })],
      ],
      is: [ADA, person("Eve", { role: "editor" })],
    },
    {
      what: "one moved while it is edited",
      sides: [
        [ADA, BOB, EVE],
        [EVE, ADA, BOB],
        [ADA, BOB, person("Eve", { role: "editor" })],
      ],
      is: [person("Eve", { role: "editor" }), ADA, BOB],
    },
    {
      what: "moved while another is added",
      sides: [
        [ADA, BOB],
        [BOB, ADA],
        [ADA, DAN, BOB],
      ],
      is: [BOB, ADA, DAN],
    },
    {
      what: "two parts of one element",
      sides: [
        [{ scheme: "DOI", identifier: "10.1/a" }],
        [{ scheme: "DOI", identifier: "10.1/b" }],
        [{ scheme: "DOI", identifier: "10.1/a", note: "first" }],
      ],
      is: [{ scheme: "DOI", identifier: "10.1/b", note: "first" }],
    },
    { what: "equal texts in one list", sides: [["a", "a"], ["a", "a", "b"], ["a"]], is: ["a", "b"] },
    {
      what: "members with names of the language",
      sides: [{}, JSON.parse('{"__proto__":1}'), { a: 1 }],
      is: JSON.parse('{"__proto__":1,"a":1}'),
    },
  ];

const CONFLICTS: readonly {
  readonly what: string;
  readonly sides: readonly [Value, Value, Value];
  readonly at: readonly (string | number)[];
  readonly decided: Readonly<Record<Side, Value>>;
}[] = [
  {
    what: "one field with two values",
    sides: [
      { a: 1, b: 1 },
      { a: 2, b: 2 },
      { a: 3, b: 1 },
    ],
    at: ["a"],
    decided: { mine: { a: 2, b: 2 }, theirs: { a: 3, b: 2 } },
  },
  {
    what: "a field removed and changed",
    sides: [{ a: 1 }, {}, { a: 2 }],
    at: ["a"],
    decided: { mine: {}, theirs: { a: 2 } },
  },
  {
    what: "an element removed and changed",
    sides: [[ADA, BOB], [BOB], [person("Ada", { role: "editor" }), BOB]],
    at: [0],
    decided: { mine: [BOB], theirs: [person("Ada", { role: "editor" }), BOB] },
  },
  {
    what: "one text of a list with two corrections",
    sides: [
      ["tpyo", "b"],
      ["typo", "b"],
      ["type", "b"],
    ],
    at: [0],
    decided: { mine: ["typo", "b"], theirs: ["type", "b"] },
  },
  {
    what: "an element replaced and changed",
    sides: [
      [ADA, BOB],
      [DAN, BOB],
      [person("Ada", { role: "editor" }), BOB],
    ],
    at: [0],
    decided: { mine: [DAN, BOB], theirs: [person("Ada", { role: "editor" }), BOB] },
  },
  {
    what: "two orders of one list",
    sides: [
      [ADA, BOB, EVE],
      [EVE, ADA, BOB],
      [BOB, ADA, EVE],
    ],
    at: [],
    decided: { mine: [EVE, ADA, BOB], theirs: [BOB, ADA, EVE] },
  },
];

describe("mergeInParts()", () => {
  for (const { what, sides, is } of PLAIN) {
    test(`R42, P.104: ${what}: both changes are in the result`, () => {
      expect(merge(...sides)).toEqual({ value: is, conflicts: [] });
    });
  }

  for (const { what, sides, at, decided } of CONFLICTS) {
    test(`R42, P.104: ${what} is a conflict with all three values`, () => {
      const [found, ...more] = merge(...sides).conflicts;
      expect(more).toEqual([]);
      expect(found?.path).toEqual(at);
      expect(merge(...sides, "mine").value).toEqual(decided.mine);
      expect(merge(...sides, "theirs").value).toEqual(decided.theirs);
    });
  }

  const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

  test("R42: where one side changed nothing the result is the other side", () => {
    fc.assert(
      fc.property(value, value, (base, other) => {
        expect(merge(base, other, base)).toEqual({ value: other, conflicts: [] });
        expect(merge(base, base, other)).toEqual({ value: other, conflicts: [] });
        expect(merge(base, other, other)).toEqual({ value: other, conflicts: [] });
      }),
    );
  });

  /** A list of persons, and what one side does to it. */
  const change = fc.array(
    fc.record({
      kind: fc.constantFrom("edit", "remove", "add", "move"),
      at: fc.nat(9),
      to: fc.nat(9),
      field: fc.constantFrom("role", "note"),
      word: fc.constantFrom("x", "y"),
    }),
    { maxLength: 5 },
  );
  type Changes = typeof change extends fc.Arbitrary<infer T> ? T : never;
  type Person = { readonly id: string; readonly role?: string; readonly note?: string };

  function applied(base: readonly Person[], changes: Changes, side: string): readonly Person[] {
    const list = [...base];
    for (const [number, { kind, at, to, field, word }] of changes.entries()) {
      const [place, target] = [at % Math.max(1, list.length), to % Math.max(1, list.length)];
      if (kind === "add") list.splice(at % (list.length + 1), 0, { id: `${side}${number}` });
      else if (kind === "remove") list.splice(place, 1);
      else if (kind === "edit" && list[place] !== undefined) list[place] = { ...list[place], [field]: word };
      else if (kind === "move") list.splice(target, 0, ...list.splice(place, 1));
    }
    return list;
  }

  const lists = fc.tuple(fc.nat(6), change, change).map(([size, one, other]) => {
    const base = Array.from({ length: size }, (_, index): Person => ({ id: `p${index}` }));
    return { base, mine: applied(base, one, "m"), theirs: applied(base, other, "t") };
  });
  const byId = (list: readonly Person[]) => new Map(list.map((each) => [each.id, each]));

  test("R42, P.104: no change is lost: it is in the result or in a conflict", () => {
    fc.assert(
      fc.property(lists, ({ base, mine, theirs }) => {
        const { value: merged, conflicts } = merge(base, mine, theirs);
        const shownConflicts = sortedText(conflicts);
        const result = byId(merged as unknown as readonly Person[]);
        const before = byId(base);
        for (const [side, other] of [[byId(mine), byId(theirs)] as const, [byId(theirs), byId(mine)] as const]) {
          for (const [id, person] of side) {
            const was = before.get(id);
            const shown = result.get(id);
            if (shown === undefined) {
              // Removed by the other side, which has seen it as it is here; else somebody is asked.
              const isRemoved = was !== undefined && !other.has(id) && sortedText(was) === sortedText(person);
              expect(isRemoved || shownConflicts.includes(`"${id}"`)).toBeTrue();
              continue;
            }
            for (const field of ["role", "note"] as const) {
              if (was?.[field] === person[field] || shown[field] === person[field]) continue;
              expect(shownConflicts).toContain(`"${person[field]}"`);
            }
          }
          for (const id of before.keys()) {
            if (side.has(id) || !result.has(id)) continue;
            expect(shownConflicts).toContain(`"${id}"`);
          }
        }
        expect(new Set(result.keys()).size).toBe((merged as readonly Json[]).length);
      }),
      { numRuns: 1_000 },
    );
  });

  test("R42: it makes no difference which side is called mine", () => {
    const pairs = fc.oneof(lists, fc.record({ base: value, mine: value, theirs: value }));
    fc.assert(
      fc.property(pairs, ({ base, mine, theirs }) => {
        const [one, other] = [merge(base, mine, theirs, "mine"), merge(base, theirs, mine, "theirs")];
        const asText = (all: readonly unknown[]) => all.map(sortedText).sort();
        expect(sortedText(one.value)).toBe(sortedText(other.value));
        expect(asText(one.conflicts.map(({ path: _, ...values }) => values))).toEqual(
          asText(other.conflicts.map(({ base: was, mine: a, theirs: b }) => ({ base: was, mine: b, theirs: a }))),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test("R9a: the largest lists take time in proportion, also where all elements are alike", async () => {
    const people = Array.from({ length: 20_000 }, (_, index) => person(`Person ${index}`));
    const edited = people.map((each, index) => (index % 2 === 0 ? { ...each, role: "editor" } : each));
    const moved = [...people.slice(10_000), ...people.slice(0, 10_000)];
    const alike = Array.from({ length: 20_000 }, (_, index) => ({ lang: "ja", value: `${index}` }));
    const other = alike.map(({ value: text }) => ({ lang: "ja", value: `new ${text}` }));
    const spent = await cpuMs(async () => {
      expect(merge(people, edited, moved).conflicts).toEqual([]);
      expect(merge(alike, other, alike.slice(1)).conflicts.length).toBeLessThan(20_001);
    });
    expect(spent).toBeLessThan(4_000);
  });
});

describe("differencesInParts()", () => {
  test("P.106: differences are named by field, with the value before and after", () => {
    const before = { title: "A", year: 1998, people: [ADA, BOB], old: true };
    const after = { title: "B", year: 1998, people: [BOB, person("Ada", { role: "editor" }), EVE], new: 1 };
    expect(differences(before, after)).toEqual([
      { path: ["title"], kind: "changed", before: "A", after: "B" },
      { path: ["people"], kind: "moved", before: before.people, after: after.people },
      { path: ["people", 1, "role"], kind: "added", before: undefined, after: "editor" },
      { path: ["people", 2], kind: "added", before: undefined, after: EVE },
      { path: ["old"], kind: "removed", before: true, after: undefined },
      { path: ["new"], kind: "added", before: undefined, after: 1 },
    ]);
  });

  test("P.106: equal values have no differences, in whatever order their members were written", () => {
    expect(differences({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 })).toEqual([]);
  });
});
