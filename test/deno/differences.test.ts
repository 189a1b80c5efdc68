// The list of differences between the runtimes is whole: code that asks for the runtime is in it.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DIFFERENCES } from "../deno-differences.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Ways to ask; the words in quotes keep this file itself off the list. */
const ASKS = new RegExp(
  `${["Deno", "Bun"].map((name) => `["']${name}["'] in globalThis`).join("|")}|versions\\.(?:bun|deno)\\b`,
);
/** Runs on Deno alone, by its nature. */
const EXEMPT = ["test/support/bun-test-on-deno.ts"];

function filesThatAsk(): string[] {
  const found: string[] = [];
  for (const folder of ["src", "plugins", "db", "test"]) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && path.endsWith(".ts") && ASKS.test(readFileSync(path, "utf8")))
        found.push(relative(ROOT, path));
    }
  }
  return found.filter((file) => !EXEMPT.includes(file)).sort();
}

describe("differences between Bun and Deno", () => {
  test("A43 each place that asks for the runtime is on the list, and nothing else is", () => {
    expect(DIFFERENCES.flatMap(({ files }) => files).toSorted()).toEqual(filesThatAsk());
  });

  test("each describes both runtimes, and why they differ", () => {
    for (const { what, bun, deno, reason } of DIFFERENCES) {
      for (const text of [what, bun, deno, reason]) expect(text.length).toBeGreaterThan(5);
    }
  });
});
