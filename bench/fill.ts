// Fills SQLite or PostgreSQL with realistic items as publishing writes them: `bun bench/fill.ts --items 1000000
// --folder /tmp/fill-data/1m [--database postgres://…]`. Without `--database` the folder holds the database
// `arkstone.db`, and is the data folder of the repository. The same numbers make the same items.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillDatabase } from "./fill/fill-threads.ts";
import { makeRecordings, makeStart, type Plan } from "./fill/filling.ts";
import { BASE_SIZE, TEMPLATES } from "./fill/publishing.ts";

const PERSONS_MAX = 50_000;
/** One person for these many items, in small repositories. */
const ITEMS_PER_PERSON = 20;

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "10000" },
    folder: { type: "string" },
    database: { type: "string" },
  },
});
const items = Number(values.items);
const { folder, database } = values;
if (folder === undefined || !(items >= 1))
  throw new Error("Usage: bun bench/fill.ts --items N --folder FOLDER [--database URL]");

const startedAt = performance.now();
const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
const progress = (text: string): void => void process.stdout.write(`${seconds(startedAt).padStart(9)}  ${text}\n`);

const plan: Plan = {
  folder,
  works: items,
  persons: Math.max(60, Math.min(PERSONS_MAX, Math.floor(items / ITEMS_PER_PERSON))),
  templates: TEMPLATES,
  days: 3_650,
  size: BASE_SIZE,
  progress,
};
const base = await makeStart(plan);
const recordings = await makeRecordings(plan, base);
progress(`${TEMPLATES} templates of works`);
const versions = recordings.works.reduce((sum, { shape }) => sum + shape.versions + 1, 0) / TEMPLATES;
const works = Math.max(1, Math.round(items / versions));
const url = database === undefined || database.startsWith("sqlite:") ? null : database;
const before = [performance.now(), process.cpuUsage()] as const;
const { filler, ids } = await fillDatabase({ plan: { ...plan, works }, recordings }, url);
const took = (performance.now() - before[0]) / 1_000;
const cpu = process.cpuUsage(before[1]);
progress(
  `${items} items: ${Math.round(items / took)} a second, ${((cpu.user + cpu.system) / items).toFixed(0)} µs of CPU each`,
);
const visits = performance.now();
const usage = await filler.visits(url ?? `sqlite:${join(folder, "arkstone.db")}`, ids);
progress(`${usage} rows of visits in ${seconds(visits)}`);
writeFileSync(join(folder, "fill.json"), `${JSON.stringify({ items, works, persons: plan.persons, url })}\n`);
