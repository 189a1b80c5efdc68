// A minter and a repository that cannot write or store report it, at their start and when they are asked, and go on by
// themselves when they can again (A15). As root the processes give up the right to write to everything, so that the
// modes of files count.
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { eventually } from "../support/eventually.ts";
import { firstSetup } from "../support/first-repository.ts";
import { commandOf, freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";

const CONFINED = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
const confined = CONFINED.length === 0 || (await run([...CONFINED, "true"])).code === 0;
if (!confined) console.error("setpriv may not take rights away here: the test of unwritable files is skipped");

const folder = temporaryFolder("unwritable");
afterAll(() => folder.remove());
const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "info" };
const file = join(folder.path, "arkstone.db");

async function readyz(base: string): Promise<readonly [number, readonly string[]]> {
  const answer = await fetch(`${base}/readyz`);
  const { detail }: { readonly detail?: { readonly reasons?: readonly string[] } } = await answer.json();
  return [answer.status, detail?.reasons ?? []];
}

async function untilReady(base: string): Promise<void> {
  let [status, reasons]: readonly [number, readonly string[]] = [0, []];
  const isReady = async () => {
    [status, reasons] = await readyz(base);
    return status === 200;
  };
  await eventually("it is ready", isReady, { everyMs: 50, details: () => reasons });
}

/** Started although it is not ready. */
async function startAsItIs(role: "minter" | "repository", more: Readonly<Record<string, string>> = {}): Promise<Role> {
  const port = await freePort();
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      (answer) => answer.status === 200,
      () => false,
    );
  return await startRole(role, { ...env, ...more }, port, { before: CONFINED, ready: answers });
}

const eventsOf = (role: Role): readonly { readonly event: string; readonly reasons?: readonly string[] }[] =>
  role
    .errors()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));

describe.skipIf(!confined)("a database file that can only be read", () => {
  test("A15 1901 the minter reports it at its start, in /readyz and to callers, and mints when it may write again, without a restart", async () => {
    const key = await provision(folder.path, env);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    chmodSync(file, 0o444);
    const minter = await startAsItIs("minter");
    const mint = () =>
      fetch(`${minter.base}/api/mint`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ shoulder: "b1" }),
      });
    const [status, reasons] = await readyz(minter.base);
    expect([status, reasons.length]).toEqual([503, 1]);
    expect(reasons[0]).toMatch(/^The database can only be read: its file belongs to user \d+ with mode 0444/);
    expect(reasons[0]).not.toContain(folder.path);
    expect(eventsOf(minter).find(({ event }) => event === "not_ready")?.reasons).toEqual([...reasons]);
    const refused = await mint();
    expect([refused.status, (await refused.json()).code]).toEqual([503, "SVC-1901"]);
    chmodSync(file, 0o600);
    expect((await mint()).status).toBe(201);
    await untilReady(minter.base);
    await minter.kill("SIGTERM");
  }, 60_000);

  test("A15 R32 the repository waits with its first setup, and begins when it may write", async () => {
    chmodSync(file, 0o444);
    const repository = await startAsItIs("repository");
    expect((await readyz(repository.base))[1][0]).toContain("The database can only be read");
    chmodSync(file, 0o600);
    await untilReady(repository.base);
    await eventually("it reports ready", () => eventsOf(repository).some(({ event }) => event === "ready"));
    await repository.kill("SIGTERM");
    expect(await firstSetup(env)).toContain("svc_");
  }, 60_000);
});

describe.skipIf(!confined)("an empty file that can only be read", () => {
  test.each(["minter", "repository"] as const)(
    "A15 the %s has no tables and cannot make them: it does not start, and reports it in one line",
    async (role) => {
      const data = join(folder.path, `empty-${role}`);
      mkdirSync(data);
      writeFileSync(join(data, "arkstone.db"), "", { mode: 0o444 });
      const command = [...CONFINED, ...commandOf(role)];
      const { code, output } = await run(command, { env: { SVC_DATA_DIR: data, SVC_PORT: "0" } });
      expect([code, output.trimEnd().split("\n").length]).toEqual([1, 1]);
      expect(output).toMatch(
        /^Cannot open the database .*: The database can only be read: its file .*; check SVC_DATA_DIR$/m,
      );
    },
    60_000,
  );
});

describe("a bucket that does not answer", () => {
  test("A15 R7 the repository starts, and is not ready for want of its store", async () => {
    const store = {
      SVC_DATA_DIR: join(folder.path, "bucket"),
      SVC_STORAGE: "s3://bucket/prefix",
      SVC_S3_ENDPOINT: "http://127.0.0.1:1",
      SVC_S3_ACCESS_KEY_ID: "id",
      SVC_S3_SECRET_ACCESS_KEY: "secret",
    };
    const repository = await startAsItIs("repository", store);
    const [status, reasons] = await readyz(repository.base);
    expect([status, reasons.length]).toEqual([503, 1]);
    expect(reasons[0]).toMatch(/^(?:Files cannot be stored: |The storage of files does not answer)/);
    // Its jobs wait for the store, and a gentle end for them.
    await repository.kill("SIGKILL");
  }, 60_000);
});

describe.skipIf(!confined)("a folder of files that cannot be written", () => {
  test("A15 R7 the repository is not ready and names the reason; it is when files can be stored again", async () => {
    const files = join(folder.path, "elsewhere");
    mkdirSync(files);
    const repository = await startAsItIs("repository", { SVC_STORAGE: files });
    await untilReady(repository.base);
    const [own = ""] = readdirSync(join(files, "incoming")).filter((name) => !name.endsWith(".lock"));
    chmodSync(join(files, "incoming", own), 0o500);
    // What the store was found to be counts for five seconds.
    const isAway = async () => {
      const [status, reasons] = await readyz(repository.base);
      return status === 503 && reasons;
    };
    expect(await eventually("it is not ready", isAway, { everyMs: 50 })).toEqual([
      "Files cannot be stored: this process may not write to the folder of SVC_STORAGE or SVC_DATA_DIR",
    ]);
    chmodSync(join(files, "incoming", own), 0o700);
    await untilReady(repository.base);
    await repository.kill("SIGTERM");
  }, 60_000);
});
