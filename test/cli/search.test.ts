// `arkstone search` over a repository that runs and over one that does not (R34): what is told, made anew and held against the database.
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { freePort, startRole, temporaryFolder } from "../support/processes.ts";

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

test("R34 status, verify and rebuild, beside a server and without one; damage is named and mended", async () => {
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
    out: expect.stringContaining("every document is as the database says"),
  });

  const before = files();
  expect((await run("rebuild")).out).toContain("make their search indexes anew");
  await eventually(
    "another file answers",
    async () => files().join() !== before.join() && (await rows()).every(isWhole),
    {
      everyMs: 200,
    },
  );
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
