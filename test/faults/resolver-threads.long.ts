// A resolver of several threads as a real process: one port, one table, one set of figures; what happens when a thread
// dies, when the port is taken, when the database is away (docs/resolver-table.md).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { eventually } from "../support/eventually.ts";
import {
  arkstone,
  freePort,
  freePortRow,
  provision,
  type Role,
  startRole,
  temporaryFolder,
} from "../support/processes.ts";
import { type RawAnswer, rawClient } from "../support/raw-http.ts";

const folder = temporaryFolder("resolver-threads");
const data = join(folder.path, "data");
const env = { SVC_DATA_DIR: data, SVC_BASE_URL: "https://id.example.org", SVC_REFRESH_MS: "20" };
const two = { ...env, SVC_WORKERS: "2", ARKSTONE_TEST_CRASH: "1" };
const running: Role[] = [];
let one: Role;
let many: Role;

async function start(settings: Readonly<Record<string, string>>, port: number): Promise<Role> {
  const role = await startRole("resolver", settings, port);
  running.push(role);
  return role;
}

beforeAll(async () => {
  await provision(folder.path, env);
  // A shoulder without check characters, so that names can be distinguished at a glance.
  const shoulder = { naan: "99999", shoulder: "n5", organisation: "org-a", status: "active", checked: false };
  writeFileSync(join(folder.path, "shoulder.json"), JSON.stringify({ shoulders: [shoulder] }));
  expect((await arkstone(["apply", join(folder.path, "shoulder.json")], env)).code).toBe(0);
  const rows = Array.from({ length: 300 }, (_, index) => `ark:99999/n5n${index}\thttps://t.example/${index}`);
  const file = join(folder.path, "names.tsv");
  writeFileSync(file, `ark\turl\n${rows.join("\n")}\nark:99999/n5n7/part.v2\thttps://t.example/part\n`);
  const { code, errors } = await arkstone(["import", file], env);
  if (code !== 0) throw new Error(errors);
  one = await start({ ...env, SVC_WORKERS: "1" }, await freePort());
  many = await start(two, await freePort());
}, 60_000);

afterAll(async () => {
  for (const role of running) if (role.running()) await role.kill("SIGTERM");
  folder.remove();
}, 60_000);

/** On its own connection: the system decides which thread gets it. */
async function ask(port: number, target: string, method = "GET", headers = ""): Promise<RawAnswer> {
  const client = rawClient(port);
  try {
    const request = `${method} ${target} HTTP/1.1\r\nHost: id.example.org\r\n${headers}Connection: close\r\n\r\n`;
    const answer = await client.send(request);
    if (answer === null) throw new Error(`no answer to ${method} ${target}`);
    return answer;
  } finally {
    client.close();
  }
}

function comparable({ status, headers, body }: RawAnswer): string {
  const kept = [...headers].filter(([name]) => name !== "date" && name !== "x-request-id").sort();
  return JSON.stringify([status, kept, body.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")]);
}

async function figure(role: Role, name: string): Promise<number> {
  const { body } = await ask(role.port, "/metrics");
  const line = body.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}

const FAST = 'arkstone_requests_total{method="GET",route="/ark:*",status="302",fast="1"}';

describe("two threads", () => {
  test("L50 L5 A31 A39 A47 answer as one does, whichever gets the request", async () => {
    const names = ["n5n1", "n5n7", "n5n7/part", "n5n7/part.v2", "n5n7/part.v2.pdf", "n5-n1", "n5zz", "zz", ""];
    const tails = ["", "?", "??", "?info", "?json", "/page/3?x=1", "%2f"];
    const targets = names.flatMap((name) => tails.map((tail) => `/ark:99999/${name}${tail}`));
    targets.push(
      "/ark:/99999/n5n1",
      "/ARK:99999/n5n1",
      "/ark:88888/x",
      "/ark:12345/x?info",
      "/",
      "/nowhere",
      "/healthz",
    );
    for (const [index, target] of targets.entries()) {
      const method = index % 5 === 4 ? "HEAD" : index % 17 === 16 ? "POST" : "GET";
      const accept = index % 3 === 0 ? "Accept: text/html\r\n" : "";
      const wanted = comparable(await ask(one.port, target, method, accept));
      for (let times = 0; times < 3; times++) {
        expect(comparable(await ask(many.port, target, method, accept))).toBe(wanted);
      }
    }
  }, 60_000);

  test("A15 count together: /metrics returns the same from each, and one thread is one", async () => {
    const before = await figure(many, FAST);
    for (let times = 0; times < 40; times++) await ask(many.port, "/ark:99999/n5n2");
    for (let times = 0; times < 6; times++) expect(await figure(many, FAST)).toBe(before + 40);
    expect(await figure(many, "arkstone_workers")).toBe(2);
    expect(await figure(one, "arkstone_workers")).toBe(1);
    expect(await figure(many, "arkstone_table_names")).toBe(301);
  });

  test("A31d both see a change within a moment", async () => {
    const file = join(folder.path, "more.tsv");
    writeFileSync(file, "ark\turl\nark:99999/n5later\thttps://t.example/later\n");
    expect((await arkstone(["import", file], env)).code).toBe(0);
    await eventually("both answer from memory, not by a last query of the database", async () => {
      const before = await figure(many, FAST);
      for (let times = 0; times < 20; times++) {
        // A 404 until they have read it: the tests before may have used up the last looks of this second.
        const answer = await ask(many.port, "/ark:99999/n5later");
        if (answer.status === 404) return false;
        expect(answer.headers.get("location")).toBe("https://t.example/later");
      }
      return (await figure(many, FAST)) === before + 20;
    });
  }, 60_000);

  test("one that dies under load is replaced and counted; no later request is lost, no count goes back", async () => {
    const counted = await figure(many, FAST);
    const failures: number[] = [];
    let answered = 0;
    let isDone = false;
    const load = async (): Promise<void> => {
      while (!isDone) {
        const began = performance.now();
        const answer = await ask(many.port, "/ark:99999/n5n3").catch(() => null);
        if (answer?.status === 302) answered += 1;
        else failures.push(began);
      }
    };
    const workers = [load(), load(), load()];
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await pause(200);
    process.kill(many.pid, "SIGUSR2");
    const name = "arkstone_workers_restarted_total";
    await eventually("it is counted", async () => (await figure(many, name).catch(() => 0)) === 1);
    const noticedAt = performance.now();
    await pause(500);
    isDone = true;
    await Promise.all(workers);
    expect(failures.filter((began) => !(began < noticedAt))).toEqual([]);
    expect(failures.length).toBeLessThan(10);
    await eventually("there are two again", async () => (await figure(many, "arkstone_workers")) === 2);
    expect((await ask(many.port, "/readyz")).status).toBe(200);
    const now = await figure(many, FAST);
    expect(now).toBeGreaterThan(counted + answered - 1);
    expect(many.errors().match(/"thread_died"/g)).toHaveLength(1);
  }, 60_000);

  test("A44 go on redirecting while the database is away; descriptions answer 503 with Retry-After, /readyz reports why", async () => {
    const base = join(data, "arkstone.db");
    const moved = join(folder.path, "away.db");
    const files = ["", "-wal", "-shm"];
    const move = (from: string, to: string) => {
      for (const end of files) {
        try {
          renameSync(from + end, to + end);
        } catch {
          // SQLite removes these two by itself.
        }
      }
    };
    move(base, moved);
    try {
      let times = 0;
      await eventually("both threads miss the database", async () => {
        times = (await ask(many.port, "/readyz")).status === 503 ? times + 1 : 0;
        return times === 8;
      });
      for (times = 0; times < 8; times++) {
        expect((await ask(many.port, "/ark:99999/n5n5")).headers.get("location")).toBe("https://t.example/5");
        const described = await ask(many.port, "/ark:99999/n5n5?info");
        expect([described.status, described.headers.get("retry-after")]).toEqual([503, "5"]);
        const ready = await ask(many.port, "/readyz");
        expect([ready.status, ready.body.includes("The database does not answer")]).toEqual([503, true]);
      }
    } finally {
      move(moved, base);
    }
    await eventually("it is ready again", async () => (await ask(many.port, "/readyz")).status === 200);
    for (let times = 0; times < 4; times++) expect((await ask(many.port, "/ark:99999/n5n5?info")).status).toBe(200);
  }, 60_000);
});

describe("the port", () => {
  test("a second process on it refuses to start, in one line, with any number of threads", async () => {
    for (const workers of ["1", "2"]) {
      for (const role of [one, many]) {
        const settings = { ...env, SVC_WORKERS: workers, SVC_PORT: String(role.port) };
        const { code, errors } = await arkstone(["resolver"], settings);
        expect(errors).toBe(
          `Cannot listen on 127.0.0.1:${role.port}: the port is in use; stop the other program or set SVC_PORT\n`,
        );
        expect(code).toBe(1);
      }
    }
  }, 60_000);

  // Only Bun takes a preload from the environment, which reaches the children of `up` too.
  test.skipIf("Deno" in globalThis)(
    "A44 threads that do not start end the resolver with code 1, and `up` with it",
    async () => {
      const idle = join(import.meta.dirname, "..", "support", "idle-threads.ts");
      const settings = { ...env, SVC_WORKERS: "2", BUN_OPTIONS: `--preload ${idle}` };
      const why = "Cannot listen: the threads did not start in time\n";
      const alone = await arkstone(["resolver"], { ...settings, SVC_PORT: String(await freePort()) });
      expect([alone.code, alone.errors]).toEqual([1, expect.stringContaining(why)]);
      const all = await arkstone(["up"], { ...settings, SVC_PORT: String(await freePortRow()) });
      expect([all.code, all.errors]).toEqual([1, expect.stringContaining(why)]);
      expect(all.errors).toContain("The resolver ended by itself, so everything was stopped\n");
    },
    60_000,
  );

  test("SVC_SHARE_PORT=1 lets two processes answer on it, and the one that stays goes on alone", async () => {
    const port = await freePort();
    const shared = { ...two, SVC_SHARE_PORT: "1" };
    const first = await start(shared, port);
    const second = await start({ ...shared, SVC_WORKERS: "1" }, port);
    // The first one reports ready as well: only the log shows when the second one is.
    const isThere = () => /"listening"/.test(second.errors()) && /"table_\w+"/.test(second.errors());
    await eventually("the second one is there", isThere, { details: second.errors });
    for (let times = 0; times < 10; times++) expect((await ask(port, "/ark:99999/n5n1")).status).toBe(302);
    expect(await first.kill("SIGTERM")).toBe(0);
    for (let times = 0; times < 10; times++) expect((await ask(port, "/ark:99999/n5n1")).status).toBe(302);
    expect(await second.kill("SIGTERM")).toBe(0);
    expect(first.errors()).not.toContain("thread_died");
  }, 60_000);
});
