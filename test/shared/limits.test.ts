// The table of limits: every figure has a setting or a reason, and is in the guide (R9a).
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig, SETTINGS } from "../../src/config.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { metadataExcess } from "../../src/model/metadata/metadata-limits.ts";
import { LIMITS } from "../../src/shared/limits.ts";
import { agentOf } from "../support/cited-items.ts";

const ROOT = join(import.meta.dirname, "../..");
const rows = Object.values(LIMITS);

test("R9a the figures are those of the decision", () => {
  const { valueCharacters, nameCharacters, values, files, authors, authorsShown, formFields, formBytes } = LIMITS;
  const limits = [valueCharacters, nameCharacters, values, files, authors, authorsShown, formFields, formBytes];
  expect(limits.map(({ most }) => most)).toEqual([1_048_576, 10_000, 10_000, 10_000, 20_000, 5_000, 200, 65_536]);
});

test("R9a every limit is in docs/security.md, with its figure and its setting or reason", () => {
  const guide = readFileSync(join(ROOT, "docs/security.md"), "utf8");
  const missing = rows
    .map(({ most, of, moved }) => {
      const how = moved.by === null ? moved.because : `\`${moved.by}\``;
      return `| ${most.toLocaleString("en")} | ${of} | ${how} |`;
    })
    .filter((line) => !guide.includes(line));
  expect(missing).toEqual([]);
});

test("R9a a setting that moves a limit exists, and its default is the figure", () => {
  const config = readConfig({});
  const defaults = new Map(Object.entries(SETTINGS).map(([key, { name }]) => [name, config[key as keyof Config]]));
  const moved = rows.flatMap(({ most, moved: { by } }) => (by === null ? [] : [[by, most] as const]));
  expect(moved.length).toBeGreaterThan(0);
  for (const [name, most] of moved) expect([name, defaults.get(name)]).toEqual([name, most]);
});

const agent = (full: string): Metadata["creators"][number] => agentOf({ kind: null, names: [{ full }] });
const texts = (count: number, value = "x"): Metadata["formats"] => Array.from({ length: count }, () => ({ value }));
const authors = (count: number): Metadata["creators"] => Array.from({ length: count }, () => agent("A"));

test.each<[string, Partial<Metadata>, string | null]>([
  ["10,000 values", { formats: texts(10_000) }, null],
  ["10,001 values", { formats: texts(10_001) }, "has 10001 values in formats, the maximum is 10000"],
  ["a text of 1 MiB", { formats: texts(1, "x".repeat(1_048_576)) }, null],
  ["a longer text", { formats: texts(1, "x".repeat(1_048_577)) }, "has 1048577 characters in formats.value"],
  ["a name of 10,000 characters", { creators: [agent("x".repeat(10_000))] }, null],
  ["a longer name", { creators: [agent("x".repeat(10_001))] }, "has 10001 characters in creators.names.full"],
  ["a longer identifier", { identifiers: [{ scheme: "URI", value: "x".repeat(10_001) }] }, "identifiers.value"],
  ["20,000 authors", { creators: authors(15_000), contributors: authors(5_000) }, null],
  ["20,001 authors", { creators: authors(15_001), contributors: authors(5_000) }, "names 20001 authors"],
  ["10,001 names of one author", { creators: [{ ...agent("x"), alternatives: texts(10_001) }] }, "10001 values"],
])("R9a metadata with %s", (_, members, problem) => {
  const found = metadataExcess({ ...EMPTY_METADATA, ...members });
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
