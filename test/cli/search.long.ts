// `arkstone search` over a repository that runs and over one that does not (R34): what is reported, rebuilt and held
// against the database.
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { freePort, startRole, temporaryFolder } from "../support/processes.ts";
import { standIn } from "../support/typesense/substitute.ts";

const folder = temporaryFolder("search");
const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "warn", SVC_FULL_TEXT: "0" };
const run = (...args: string[]) => arkstone(env, ["search", ...args]);
afterAll(() => folder.remove());

type Row = {
  readonly documents: number;
  readonly current: boolean;
  readonly in_use: boolean;
  readonly changes_waiting: number;
};
const rows = async (): Promise<readonly Row[]> => JSON.parse((await run("status", "--json")).out);
const files = (): readonly string[] =>
  readdirSync(join(folder.path, "search")).filter((name) => name.endsWith(".sqlite"));

test("R34 status, verify and rebuild, next to a server and without one; damage is named and mended", async () => {
  const token = await firstSetup(env);
  expect((await run("status")).out).toContain("There is no search index");
  expect((await run("verify")).code).toBe(1);
  const repository = await startRole("repository", env, await freePort());
  for (let at = 0; at < 3; at += 1) {
    const answer = await fetch(`${repository.base}/sword/service-document`, {
      method: "POST",
      ...depositOf(token, smallCrate([{ path: "a.txt", bytes: new TextEncoder().encode(`text ${at}`) }])),
    });
    await answer.body?.cancel();
    expect(answer.status).toBe(201);
  }
  const isWhole = ({ documents, changes_waiting: waiting, in_use: inUse }: Row): boolean =>
    documents === 3 && waiting === 0 && inUse;
  await eventually("the index has followed", async () => (await rows()).some(isWhole), { everyMs: 200 });
  expect(await run("verify")).toMatchObject({
    code: 0,
    out: expect.stringContaining("every document matches the database"),
  });

  const before = files();
  const rebuilt = await run("rebuild", "--json");
  expect([rebuilt.code, JSON.parse(rebuilt.out)]).toEqual([0, { documents: 3 }]);
  // It is there when the command ends.
  expect(files().filter((name) => before.includes(name))).toEqual([]);
  expect((await rows()).filter(({ current }) => current).length).toBe(1);
  expect((await run("verify")).code).toBe(0);
  await repository.kill("SIGTERM");
  expect((await rows())[0]).toMatchObject({ documents: 3, current: true, in_use: false, changes_waiting: 0 });

  const [name = ""] = files();
  const damaged = new DatabaseSync(join(folder.path, "search", name));
  damaged.exec("update document set digest = 'other' where id = (select min(id) from document)");
  damaged.exec("delete from document where id = (select max(id) from document)");
  damaged.close();
  const found = await run("verify");
  expect(found.code).toBe(1);
  expect(found.out).toMatch(/2 differences\n {2}item \d+: other\n {2}item \d+: missing/);
  expect((await run("rebuild")).out).toContain("The search index holds 3 documents.");
  expect((await run("verify")).code).toBe(0);
}, 120_000);

test("R34 rebuild of an index in Typesense ends when it answers, and with 1 where it cannot be built, next to a server and without one", async () => {
  const typesense = await standIn({ adminKey: "key" });
  const place = temporaryFolder("search-typesense");
  const shared = { ...env, SVC_DATA_DIR: place.path, SVC_TYPESENSE_URL: typesense.url, SVC_TYPESENSE_API_KEY: "key" };
  const search = (...args: string[]) => arkstone(shared, ["search", ...args]);
  const collections = () =>
    typesense.store
      .collections()
      .map(({ schema }) => schema.name)
      .sort();
  const failing = (number: number) => (_method: string, path: string) => {
    typesense.is = path.startsWith(`/collections/arkstone_${number}/`) ? "loading" : "ready";
  };
  const healthy = (): void => {
    typesense.before = () => {};
    typesense.is = "ready";
  };
  try {
    const token = await firstSetup(shared);
    const repository = await startRole("repository", shared, await freePort());
    for (let at = 0; at < 2; at += 1) {
      const answer = await fetch(`${repository.base}/sword/service-document`, {
        method: "POST",
        ...depositOf(token, smallCrate([{ path: "a.txt", bytes: new TextEncoder().encode(`text ${at}`) }])),
      });
      await answer.body?.cancel();
      expect(answer.status).toBe(201);
    }
    await eventually("both are in the index", async () => {
      const [first] = JSON.parse((await search("status", "--json")).out);
      return first?.documents === 2 && first.changes_waiting === 0;
    });
    const first = await search("rebuild");
    expect([first.code, first.out]).toEqual([0, "The search index holds 2 documents.\n"]);
    expect(typesense.store.alias("arkstone")).not.toBe("arkstone_1");
    await eventually("the old one is removed", () => !collections().includes("arkstone_1"));
    await repository.kill("SIGTERM");

    const serving = typesense.store.alias("arkstone");
    const next = Number(serving.slice("arkstone_".length)) + 1;
    typesense.before = failing(next);
    const failed = await search("rebuild");
    expect(failed.code).toBe(1);
    expect(failed.err).toContain(
      `Cannot build the search index: Typesense at ${new URL(typesense.url).host} is not ready`,
    );
    healthy();
    expect(typesense.store.alias("arkstone")).toBe(serving);
    const again = await search("rebuild", "--json");
    expect([again.code, JSON.parse(again.out)]).toEqual([0, { documents: 2 }]);
    const now = typesense.store.alias("arkstone");
    expect(now).not.toBe(serving);
    expect(collections()).toEqual([now, `${now}_labels`, "arkstone_state"]);
    typesense.is = "loading";
    expect(await search("rebuild")).toMatchObject({ code: 1, err: expect.stringContaining("is not ready") });
  } finally {
    await typesense.stop();
    place.remove();
  }
  expect(typesense.unseen).toEqual([]);
}, 120_000);
