// The bench of large repositories runs over a small one: every operation is answered, and every figure is there.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fillDatabase } from "../../bench/fill/fill-threads.ts";
import { makeRecordings, makeStart, type Plan } from "../../bench/fill/filling.ts";
import { temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const folder = temporaryFolder("million");
const plan: Plan = {
  folder: join(folder.path, "filled"),
  works: 200,
  persons: 20,
  templates: 20,
  days: 3,
  size: { owners: 2, communities: 2, indexes: 4 },
};

beforeAll(async () => {
  const recordings = await makeRecordings(plan, await makeStart(plan));
  const { filler, ids } = await fillDatabase({ plan, recordings }, null);
  await filler.visits(`sqlite:${join(plan.folder, "arkstone.db")}`, ids);
  writeFileSync(join(plan.folder, "fill.json"), JSON.stringify({ items: 200, works: 200, persons: 20 }));
}, 600_000);
afterAll(() => folder.remove());

test("Q.307 it measures everything over a small repository, and compares two runs", async () => {
  const json = join(folder.path, "run.json");
  const bench = (...more: readonly string[]) => run([process.execPath, "bench/million.ts", ...more], { cwd: ROOT });
  const first = await bench("--folder", plan.folder, "--seconds", "0.01", "--json", json);
  expect([first.code, first.code === 0 ? "" : first.output]).toEqual([0, ""]);
  const { variants, figures } = JSON.parse(readFileSync(json, "utf8"));
  const names = variants.map(({ name }: { readonly name: string }) => name);
  for (const name of [
    "GET a record",
    "/search, two words",
    "my records",
    "change of a person, an item",
    "restore, an item",
  ])
    expect(names).toContain(name);
  for (const { name, value } of figures) expect([name, value > 0]).toEqual([name, true]);
  const compared = await bench("--compare", json, json);
  expect(compared.output).toContain("landing page, first view");
}, 600_000);
