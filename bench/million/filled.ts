// A filled repository that runs: where it is, who its people are, some of its items, and the process that serves it.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { rawDatabase, type Sql } from "../../test/support/filed-items.ts";
import { baseIn } from "../fill/filling.ts";
import { type Base, shapesIn, TEMPLATES } from "../fill/publishing.ts";
import type { Json } from "../fill/repository.ts";
import { postmaster, type Server, startRole, usedBy } from "../lib.ts";

/** Items that requests name, each once as far as they go. */
const SAMPLE = 2_000;
const SETTLED_POLLS = 3;
const POLL_MS = 1_000;
const IDLE_CPU_SECONDS = 0.3;

export type Sample = { readonly id: number; readonly title: string };
export type Filled = Awaited<ReturnType<typeof openFilled>>;

export type Sent = {
  readonly token?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly cookie?: string;
};

export async function openFilled(folder: string, database: string | undefined) {
  const url = database ?? `sqlite:${join(folder, "arkstone.db")}`;
  const { works, persons, items } = JSON.parse(readFileSync(join(folder, "fill.json"), "utf8")) as Record<
    string,
    number
  >;
  const base: Base = baseIn(folder);
  const { sql, close } = await rawDatabase(url);
  const helpers = url.startsWith("sqlite:") ? [] : [await postmaster(url)];
  return {
    ...{ folder, url, base, sql, close, helpers },
    ...{ works: works ?? 0, persons: persons ?? 0, items: items ?? 0, shapes: shapesIn(TEMPLATES, base) },
    env: { SVC_DATABASE_URL: url, SVC_RATE_PER_MINUTE: "0", SVC_OAI_RATE_PER_MINUTE: "0" },
    samples: await sampled(sql),
  };
}

/** Newest versions of works, spread over all of them, in an order that is not that of their numbers. */
async function sampled(sql: Sql): Promise<readonly Sample[]> {
  const [ends] = await sql<{ low: number; high: number }>(
    "select (select min(id) from item_parent) as low, (select max(id) from item_parent) as high",
  );
  const [low, width] = [Number(ends?.low), Number(ends?.high) - Number(ends?.low)];
  const found = new Map<number, Sample>();
  for (let n = 0; n < SAMPLE; n += 1) {
    const from = low + Math.floor((((n * 7_919) % SAMPLE) / SAMPLE) * width);
    const [row] = await sql<Sample>(
      `select i.id, i.title from (
          select latest_item_id from item_parent where id >= ${from} and latest_item_id is not null order by id limit 1
        ) as p join item i on i.id = p.latest_item_id where i.state = 'published'`,
    );
    if (row !== undefined) found.set(Number(row.id), { id: Number(row.id), title: row.title });
  }
  return [...found.values()];
}

/** Starts the repository; `readySeconds` is until it is ready. */
export async function startRepository({ folder, env, helpers }: Filled, more: Readonly<Record<string, string>> = {}) {
  const startedAt = performance.now();
  const server = await startRole("repository", folder, { ...env, ...more }, { helpers });
  return { server, readySeconds: (performance.now() - startedAt) / 1_000 };
}

/** Waits until the index and the list for harvesters are complete, no job runs, and the process has nothing to do. */
export async function settle(server: Server, progress: (text: string) => void): Promise<void> {
  let reportedAt = performance.now();
  for (let polls = 0; polls < SETTLED_POLLS; ) {
    const before = usedBy(server);
    await Bun.sleep(POLL_MS);
    const idle = usedBy(server) - before < IDLE_CPU_SECONDS;
    const metrics = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    const gauge = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0);
    const [building, due] = [gauge("arkstone_search_building"), gauge("arkstone_oai_due")];
    const runs = /^arkstone_jobs\{kind="\w+",state="running"\} [1-9]/m.test(metrics);
    const searches = (await fetch(`http://127.0.0.1:${server.port}/api/records?size=1`)).status === 200;
    polls = idle && building === 0 && due === 0 && !runs && searches ? polls + 1 : 0;
    if (performance.now() - reportedAt < 60_000) continue;
    reportedAt = performance.now();
    progress(`index: ${building} documents; list for harvesters: ${due} due; ${runs ? "jobs run" : "no job runs"}`);
  }
}

/** Sends a request and reads the answer, which must not be a refusal. */
export async function send(server: Server, path: string, { token, method = "GET", body, cookie }: Sent = {}) {
  const isBytes = body instanceof Uint8Array;
  const type = { "content-type": isBytes ? "application/octet-stream" : "application/json" };
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : type),
    },
    body: body === undefined ? null : isBytes ? new Uint8Array(body) : JSON.stringify(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${bytes.toString().slice(0, 300)}`);
  return bytes;
}

export const sendJson = async (server: Server, path: string, sent: Sent = {}): Promise<Json> => {
  const bytes = await send(server, path, sent);
  return bytes.length === 0 ? {} : JSON.parse(bytes.toString());
};

/** Bytes of the database and of the search index on disk. */
export async function bytesOnDisk({
  folder,
  url,
}: Filled): Promise<{ readonly database: number; readonly index: number }> {
  const index = folderBytes(join(folder, "search"));
  if (url.startsWith("sqlite:")) {
    const file = url.slice("sqlite:".length);
    return { index, database: ["", "-wal"].reduce((sum, end) => sum + fileBytes(file + end), 0) };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select pg_database_size(current_database()) as size");
  await client.end();
  return { index, database: Number(rows[0]?.size) };
}

const fileBytes = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
const folderBytes = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true }).reduce<number>((sum, name) => {
        const stats = statSync(join(folder, String(name)));
        return sum + (stats.isFile() ? stats.size : 0);
      }, 0)
    : 0;
