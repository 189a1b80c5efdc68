// What a first view of an item's page costs at 100,000 items on SQLite (R9a, R19a): CPU of the process, statements, bytes,
// and the functions that take most of it. Every view is of another item, by a guest who has nothing kept.
// bun bench/item-page.ts [--items 100000] [--views 400] [--json FILE]
import { profile } from "bun:jsc";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { composeRepository } from "../src/main/repository/serving.ts";
import { visitor as visitorOf } from "../test/support/world/pages.ts";
import { servedRepository } from "../test/support/world/seeded.ts";
import { FIRST, fileBenchItems } from "./filed-items.ts";
import { idleShare, printTable, quantile, workFolder, writeJson } from "./lib.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "100000" },
    views: { type: "string", default: "400" },
    json: { type: "string" },
  },
});
const ITEMS = Number(values.items);
const VIEWS = Number(values.views);
/** Views before the measurement: the compiler of the runtime is done with what every view runs. */
const WARM = 300;
const FUNCTIONS = 25;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const rounded = (value: number): number => Math.round(value * 100) / 100;

async function main(): Promise<void> {
  const idle = await idleShare();
  const folder = workFolder();
  const url = `sqlite:${join(folder.path, "arkstone.db")}`;
  try {
    await fileBenchItems(url, ITEMS);
    let statements = 0;
    const onStatement = (): void => {
      statements += 1;
    };
    const settings = { SVC_DATA_DIR: folder.path, SVC_FULL_TEXT: "0", SVC_ACCESS_LOG: "off" };
    const world = await servedRepository({ url, onStatement, settings });
    const visitor = visitorOf(composeRepository(world.parts));
    while ((await visitor.get("/api/records?size=1")).status !== 200) await Bun.sleep(200);
    const cost: { cpu: number; statements: number; bytes: number }[] = [];
    let seen = 0;
    const view = async (): Promise<void> => {
      seen += 1;
      const id = FIRST + ((seen * 7_919) % ITEMS);
      const [before, asked] = [cpuMs(), statements];
      const { status, text } = await visitor.get(`/records/${id}`);
      if (status !== 200) throw new Error(`/records/${id} is answered ${status}`);
      cost.push({ cpu: cpuMs() - before, statements: statements - asked, bytes: text.length });
    };
    for (let at = 0; at < WARM; at += 1) await view();
    cost.length = 0;
    for (let at = 0; at < VIEWS; at += 1) await view();
    const of = (name: "cpu" | "statements" | "bytes", share: number): number =>
      rounded(
        quantile(
          cost.map((each) => each[name]),
          share,
        ),
      );
    const row = {
      ...{ name: "first view of an item", views: VIEWS, "CPU ms p50": of("cpu", 0.5), "CPU ms p99": of("cpu", 0.99) },
      ...{
        "statements p50": of("statements", 0.5),
        "statements most": of("statements", 1),
        "KB p50": of("bytes", 0.5) / 1000,
      },
    };
    printTable([row]);
    const { functions } = await profile(async () => {
      for (let at = 0; at < VIEWS; at += 1) await view();
    });
    console.log(functions.split("\n").slice(0, FUNCTIONS).join("\n"));
    console.log(`items: ${ITEMS}; idle before: ${Math.round(idle * 100)}%`);
    if (values.json !== undefined) writeJson(values.json, "item-page", [row]);
    await world.close();
  } finally {
    folder.remove();
  }
}

await main();
process.exit(0);
