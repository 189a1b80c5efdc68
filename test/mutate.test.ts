// The faults that `test/mutate.ts` makes: which there are of a text, each in its place, and none in comments and texts.
import { expect, test } from "bun:test";
import { faultsOf } from "./support/source-faults.ts";

/** Kind, and the line it makes. */
const madeOf = (source: string): readonly (readonly [string, string])[] =>
  faultsOf(source).map(({ kind, line, text }) => [kind, (text.split("\n")[line - 1] ?? "").trim()]);

test("an early refusal is negated and removed, its parts are swapped", () => {
  expect(madeOf("// a && b\nif (a(1) && !b) throw refusal('if (x) && y');")).toEqual([
    ["condition negated", "if (!(a(1) && !b)) throw refusal('if (x) && y');"],
    ["refusal removed", "if (false) throw refusal('if (x) && y');"],
    ["constant swapped", "if (a(2) && !b) throw refusal('if (x) && y');"],
    ["and/or swapped", "if (a(1) || !b) throw refusal('if (x) && y');"],
  ]);
});

test("lists are cut to their first, selections and limits dropped", () => {
  expect(madeOf("const x = list.filter((each) => each.isOpen).slice(0, most);")).toEqual([
    ["first instead of all", "const x = list.slice(0, 1).filter((each) => each.isOpen).slice(0, most);"],
    ["selection dropped", "const x = list.slice(0, most);"],
    ["limit dropped", "const x = list.filter((each) => each.isOpen);"],
    ["constant swapped", "const x = list.filter((each) => each.isOpen).slice(1, most);"],
  ]);
  expect(madeOf("for (const one of both(a, b)) use(one, Math.min(one, 20));")).toEqual([
    ["first instead of all", "for (const one of [...both(a, b)].slice(0, 1)) use(one, Math.min(one, 20));"],
    ["limit dropped", "for (const one of both(a, b)) use(one, (one));"],
    ["constant swapped", "for (const one of both(a, b)) use(one, Math.min(one, 21));"],
  ]);
});

test("comparisons, some and every, truth and the last of a list of words", () => {
  expect(madeOf('const y = a <= b ? true : LIST.some(is);\nconst LIST = ["one", "two", "three"] as const;')).toEqual([
    ["comparison changed", "const y = a < b ? true : LIST.some(is);"],
    ["constant swapped", "const y = a <= b ? false : LIST.some(is);"],
    ["some/every swapped", "const y = a <= b ? true : LIST.every(is);"],
    ["first instead of all", "const y = a <= b ? true : LIST.slice(0, 1).some(is);"],
    ["last of a list dropped", 'const LIST = ["one", "two"] as const;'],
  ]);
});
