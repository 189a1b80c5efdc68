// What a repository makes of all its items after an upgrade or a restore (R36, R9a, R39), each alone in a server that has
// made everything else: the first list for harvesters, the first summaries of lists, the first statistics by month. A guest
// asks for records meanwhile, every 20 ms, and before. bun bench/first.ts [--items 100000] [--database sqlite|postgres|both]
// [--parts list,summaries,statistics] [--json FILE]
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { usageMonths } from "../db/migrations/0038-usage-months.ts";
import { rawDatabase, type Sql } from "../test/support/filed-items.ts";
import { FIRST, fileBenchItems } from "./filed-items.ts";
import {
  cpuSeconds,
  machineState,
  onDatabases,
  printTable,
  quantile,
  type Server,
  startRole,
  writeJson,
} from "./lib.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "100000" },
    database: { type: "string", default: "both" },
    parts: { type: "string", default: "list,summaries,statistics" },
    json: { type: "string" },
  },
});
const ITEMS = Number(values.items);
const ASKED_EVERY_MS = 20;
const QUIET_MS = 5_000;
/** Days on which each record was used. */
const DAYS = ["2025-11-03", "2025-12-04", "2026-01-05"];

/** `undo`: nothing of it is there, and it is due. `begun`: 1 where the work goes on. `left`: 0 where it is done. */
type Part = { readonly undo: readonly string[]; readonly begun: string; readonly left: string };
const PARTS: Readonly<Record<string, Part>> = {
  list: {
    undo: [
      "delete from oai_record_set",
      "delete from oai_record",
      "delete from oai_due",
      "update oai_state set epoch = '', horizon = '', day = '', ready = 0",
      `insert into item_change (at, subject, target) values ('2026-01-05T00:00:00.000Z', 'parent', '${FIRST + 10_000_000}')`,
    ],
    begun: "select count(*) as n from (select 1 from oai_due limit 1) as one",
    left: "select 1 - ready as n from oai_state",
  },
  summaries: {
    undo: [
      "delete from item_summary",
      "update job set state = 'waiting', payload = 'null', run_at = '2026-01-05T00:00:00.000Z' where kind = 'item_summary' and state = 'waiting'",
    ],
    begun: "select count(*) as n from (select 1 from item_summary limit 1) as one",
    left: `select ${ITEMS} - count(*) as n from item_summary`,
  },
};

/** Asks for one record after the other until it is stopped; what each answer took. */
function guest(base: string) {
  const times: number[] = [];
  let isStopped = false;
  const asking = (async () => {
    for (let n = 0; !isStopped; n += 1) {
      const startedAt = performance.now();
      const { status } = await fetch(`${base}/api/records/${FIRST + ((n * 7_919) % ITEMS)}`).then(async (answer) => {
        await answer.arrayBuffer();
        return answer;
      });
      if (status !== 200) throw new Error(`A record is answered ${status}`);
      const took = performance.now() - startedAt;
      times.push(took);
      await Bun.sleep(Math.max(1, ASKED_EVERY_MS - took));
    }
  })();
  return {
    async stop(): Promise<readonly number[]> {
      isStopped = true;
      await asking;
      return times;
    },
  };
}

/** Until the processes of the server have done next to nothing for two seconds. */
async function untilIdle(used: () => number): Promise<void> {
  for (let idle = 0; idle < 4; ) {
    const before = used();
    await Bun.sleep(500);
    idle = used() - before < 0.03 ? idle + 1 : 0;
  }
}

async function start(folder: string, url: string): Promise<Server> {
  const env = { SVC_DATABASE_URL: url, SVC_RATE_PER_MINUTE: "0", SVC_OAI_RATE_PER_MINUTE: "0", SVC_FULL_TEXT: "0" };
  return await startRole("repository", folder, env);
}

/** CPU seconds of the server, and of the processes of PostgreSQL. */
const usedBy = (server: Server, database: string) => (): number =>
  cpuSeconds(server.pid) + (database === "sqlite" ? 0 : postgresSeconds());

function postgresSeconds(): number {
  const listed = Bun.spawnSync(["pgrep", "-x", "postgres"]).stdout.toString().trim().split("\n").filter(Boolean);
  return listed.reduce((sum, pid) => {
    try {
      return sum + cpuSeconds(Number(pid));
    } catch {
      return sum;
    }
  }, 0);
}

async function measured(part: string, database: string, server: Server, sql: Sql) {
  const { undo, begun, left } = PARTS[part] as Part;
  const [used, base] = [usedBy(server, database), `http://127.0.0.1:${server.port}`];
  const rowsOf = async (text: string): Promise<number> => Number((await sql<{ n: number }>(text))[0]?.n);
  const guestHere = async (work: () => Promise<void>) => {
    const [asking, startedAt, before] = [guest(base), performance.now(), used()];
    await work();
    const [seconds, cpu] = [(performance.now() - startedAt) / 1000, used() - before];
    return { times: await asking.stop(), seconds, cpu };
  };
  await untilIdle(used);
  // The code of both is compiled.
  await guestHere(() => Bun.sleep(QUIET_MS));
  await untilIdle(used);
  const quiet = await guestHere(() => Bun.sleep(QUIET_MS));
  for (const each of undo) await sql(each);
  while ((await rowsOf(begun)) === 0) await Bun.sleep(2);
  const work = await guestHere(async () => {
    while ((await rowsOf(left)) > 0) await Bun.sleep(50);
  });
  return {
    name: `${database}: ${part}`,
    "items/s": ITEMS / work.seconds,
    "CPU us/item": ((work.cpu - (quiet.cpu / quiet.seconds) * work.seconds) * 1e6) / ITEMS,
    "GET p50, quiet ms": quantile(quiet.times, 0.5),
    "GET p99, quiet ms": quantile(quiet.times, 0.99),
    "GET p50 ms": quantile(work.times, 0.5),
    "GET p99 ms": quantile(work.times, 0.99),
    "GET longest ms": Math.max(...work.times),
  };
}

/** Views and downloads of some days of each record and item. */
async function use(sql: Sql): Promise<void> {
  for (const day of DAYS) {
    for (const subject of ["item", "parent"]) {
      const id = subject === "item" ? "i.id" : "i.parent_id";
      await sql(`insert into usage_day (day, subject, id, file, views, unique_views, downloads, unique_downloads, data_volume)
        select '${day}', '${subject}', ${id}, '', 3, 2, 2, 1, 4096 from item i where i.id >= ${FIRST}`);
    }
  }
}

/** What migration 38 adds up, with its own statements. */
async function statistics(database: string, url: string) {
  const { sql, close } = await rawDatabase(url);
  await use(sql);
  await sql("drop table usage_month");
  await sql("drop index usage_day_by_subject");
  const startedAt = performance.now();
  for (const each of usageMonths.statements(database === "sqlite" ? "sqlite" : "postgres")) await sql(each);
  const seconds = (performance.now() - startedAt) / 1000;
  await close();
  return { name: `${database}: statistics (migration 38)`, "items/s": ITEMS / seconds };
}

const { line, figures } = await machineState();
console.log(line);
const rows = await onDatabases(values.database, async (database, url, folder) => {
  await fileBenchItems(url, ITEMS);
  const { sql, close } = await rawDatabase(url);
  const server = await start(folder, url);
  const found: Awaited<ReturnType<typeof measured>>[] = [];
  const parts = values.parts.split(",");
  try {
    for (const part of parts.filter((each) => each !== "statistics")) {
      found.push(await measured(part, database, server, sql));
      printTable(found.slice(-1));
    }
  } finally {
    await server.stop();
    await close();
  }
  if (parts.includes("statistics")) printTable([await statistics(database, url)]);
  return found;
});
writeJson(values.json, "first", rows, { items: ITEMS, ...figures });
