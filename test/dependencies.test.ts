// docs/dependencies.md lists what is installed, and nothing in the program has a licence that would bind its operators.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dependenciesText, FILE, type Package, packages } from "./dependencies.ts";
import { canBuild } from "./support/binary.ts";

/** Licences that ask for no more than that their text is kept. */
const PERMISSIVE = /^\(?(?:MIT|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0)\b/;

if (!canBuild) console.error("Bun's bundler knows what is in the binary: the list of dependencies is not checked here");

describe.skipIf(!canBuild)("dependencies", () => {
  let list: Package[] = [];
  beforeAll(() => {
    list = packages();
  }, 60_000);

  test("docs/dependencies.md is up to date (otherwise: bun test/dependencies.ts --write)", () => {
    expect(readFileSync(FILE, "utf8")).toBe(dependenciesText(list));
  });

  test("every package in the binary states a permissive licence, and none that comes along a binding one", () => {
    const inside = list.filter(({ part }) => part === "binary");
    expect(inside.length).toBeGreaterThan(9);
    expect(inside.filter(({ licence }) => !PERMISSIVE.test(licence))).toEqual([]);
    const unbundled = list.filter(({ part }) => part === "unbundled");
    // Where there is a choice ("MIT OR GPL-3.0-or-later"), the permissive one is taken.
    const binding = unbundled.filter(({ licence }) => /GPL|SSPL|BUSL|CC-BY-NC/i.test(licence));
    expect(binding.filter(({ licence }) => !PERMISSIVE.test(licence))).toEqual([]);
  });
});
