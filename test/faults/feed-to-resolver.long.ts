// A minter on the primary and a resolver on a streaming standby, as real processes: what changes is visible after the
// next poll of the feed, holds end by the clock alone (A31d, A42, A44).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { startPostgres } from "../support/postgres.ts";
import { arkstone, freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";

const REFRESH_MS = 100;

const postgres = await startPostgres({ standby: true });
const database = postgres?.standbyUrl == null ? null : await postgres.createDatabase();
const folder = temporaryFolder("fresh");
const url = database?.url ?? "";
const env = { SVC_DATABASE_URL: url, SVC_DATA_DIR: folder.path, SVC_ACCESS_LOG: "off" };

afterAll(async () => {
  await postgres?.stop();
  folder.remove();
});

describe.skipIf(database === null)("a minter on the primary, a resolver on the standby", () => {
  let key = "";
  let minter: Role;
  let resolver: Role;
  beforeAll(async () => {
    key = await provision(folder.path, env);
    const replica = { SVC_REPLICA_URL: database?.standbyUrl ?? "", SVC_REFRESH_MS: String(REFRESH_MS) };
    minter = await startRole("minter", env, await freePort());
    resolver = await startRole("resolver", { ...env, ...replica, SVC_RESOLVER: "1" }, await freePort());
  }, 60_000);
  afterAll(async () => {
    await resolver.kill("SIGTERM");
    await minter.kill("SIGTERM");
  });

  async function call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${minter.base}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  }

  async function answer(path: string): Promise<string> {
    const response = await fetch(`${resolver.base}/${path}`, { redirect: "manual" });
    await response.text();
    return [response.status, response.headers.get("location")].filter((part) => part !== null).join(" ");
  }

  async function becomes(path: string, wanted: string): Promise<void> {
    let got = "";
    const isSo = async () => {
      got = await answer(path);
      return got === wanted;
    };
    await eventually(`${path} is ${wanted}`, isSo, { details: () => got });
  }

  const mint = async (shoulder: string, reserve = false): Promise<string> =>
    String((await call("POST", "mint", { shoulder, url: "https://t.example/one", title: "Thing", reserve })).ark);
  const solemnly = (ark: string) => ({ ark, reason: "Asked for by its owner", confirm: ark });

  test("L9 L28 A31d a reserved name is published, moved, withdrawn and public again", async () => {
    const ark = await mint("99999/b1", true);
    await becomes(ark, "404");
    await call("POST", "publish", { ark });
    await becomes(ark, "302 https://t.example/one");
    await call("PUT", "update", { ark, url: "https://t.example/two" });
    await becomes(ark, "302 https://t.example/two");
    await call("POST", "unpublish", solemnly(ark));
    await becomes(ark, "404");
    await becomes(`${ark}/page/3`, "404");
    await call("POST", "publish", { ark });
    await becomes(ark, "302 https://t.example/two");
    await becomes(`${ark}/page/3`, "302 https://t.example/two/page/3");
  }, 60_000);

  test("A10 A44 tombstones and purges arrive", async () => {
    const tombstoned = await mint("99999/b1");
    const purged = await mint("99999/b1");
    for (const ark of [tombstoned, purged]) await becomes(ark, "302 https://t.example/one");
    await call("PUT", "tombstone", { ark: tombstoned, url: "https://t.example/why" });
    await call("POST", "purge", solemnly(purged));
    await becomes(tombstoned, "302 https://t.example/why");
    await becomes(purged, "404");
  }, 60_000);

  test("A42 A44 a hold begins with the next look and ends by the clock, without any change in the feed", async () => {
    const ark = await mint("99999/b1");
    await becomes(ark, "302 https://t.example/one");
    const hold = async (ms: number) => {
      const until = new Date(Date.now() + ms).toISOString();
      await call("PUT", "hold", { ark, until, reason: "inventory" });
      return Date.parse(until);
    };
    await hold(86_400_000);
    await becomes(ark, "200");
    const ends = await hold(1_500);
    await becomes(ark, "302 https://t.example/one");
    expect(Date.now()).toBeGreaterThanOrEqual(ends);
  }, 60_000);

  test("A6 A44 a shoulder retired by the command line keeps its names; its template arrives and goes", async () => {
    const ark = await mint("99999/c2");
    const unknown = "ark:99999/c2never";
    const set = (...args: string[]) => arkstone(["shoulder", "set", "99999/c2", ...args], env);
    expect((await set("--checked", "no", "--redirect", "https://c2.example/${suffix}")).code).toBe(0);
    await becomes(unknown, "302 https://c2.example/never");
    expect((await arkstone(["shoulder", "retire", "99999/c2"], env)).code).toBe(0);
    expect((await set("--redirect", "")).code).toBe(0);
    await becomes(unknown, "404");
    await becomes(ark, "302 https://t.example/one");
    await expect(mint("99999/c2")).rejects.toThrow("1304");
  }, 60_000);
});
