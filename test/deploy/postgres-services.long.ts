// The services of compose.yaml as processes on PostgreSQL, each as its own role with no more rights than that has: a
// deposit through the repository, its ARK through the resolver, its jobs by a worker (docs/postgresql.md; R5, R8a,
// R32).
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { walkedWell, walkThrough } from "../support/first-repository.ts";
import { startPostgres } from "../support/postgres.ts";
import { commandOf, freePort, startRole, temporaryFolder } from "../support/processes.ts";

const postgres = await startPostgres({ own: true });
const folder = temporaryFolder("services");
afterAll(async () => {
  folder.remove();
  await postgres?.stop();
});

const PROVISION = {
  naans: [{ naan: "99999", authoritative: true, name: "Example" }],
  organisations: [{ naan: "99999", name: "library", default_shoulder: "b1" }],
  shoulders: [{ naan: "99999", shoulder: "b1", organisation: "library", status: "active" }],
  credentials: [
    { client_id: "repository", tier: "organisation", naan: "99999", organisation: "library", scopes: ["ark:mint"] },
  ],
};

describe.skipIf(postgres === null)("repository, worker and resolver on PostgreSQL", () => {
  test("R5 R8a R32 with the rights of their roles they take a deposit, name it, resolve it, and do what is left to do", async () => {
    const { url = "" } = (await postgres?.createDatabase()) ?? {};
    const as = (role: string): string => {
      const its = new URL(url);
      its.username = `arkstone_${role}`;
      return its.href;
    };
    const ok = async (env: Readonly<Record<string, string>>, args: readonly string[], input = ""): Promise<string> => {
      const result = await arkstone(env, args, input);
      expect([args, result.code, result.code === 0 ? "" : result.err]).toEqual([args, 0, ""]);
      return result.out + result.err;
    };
    await ok({ SVC_DATABASE_URL: url }, ["migrate", "--roles"]);
    const owner = { SVC_DATABASE_URL: as("owner"), SVC_DATA_DIR: folder.path };
    const provision = join(folder.path, "provision.json");
    writeFileSync(provision, JSON.stringify(PROVISION));
    await ok(owner, ["apply", provision]);
    const user = ["user", "add", "someone@example.org", "--role", "system-administrator", "--token"];
    const token = /svc_\S+/.exec(await ok(owner, user))?.[0] ?? "";

    const resolver = await startRole("resolver", { SVC_DATABASE_URL: as("resolver") }, await freePort());
    const settings = {
      SVC_DATABASE_URL: as("repository"),
      SVC_DATA_DIR: folder.path,
      SVC_RESOLVER_URL: resolver.base,
      SVC_ITEM_ARK_CREDENTIAL: "repository",
      SVC_JOBS: "off",
      SVC_LOG_LEVEL: "warn",
    };
    const repository = await startRole("repository", settings, await freePort());
    const [program, ...args] = commandOf("worker");
    const worker = spawn(program, args, { env: { ...process.env, ...settings }, stdio: ["ignore", "ignore", "pipe"] });
    let result = "";
    worker.stderr.setEncoding("utf8").on("data", (text: string) => {
      result += text;
    });
    const ended = new Promise<number | null>((resolve) => worker.once("exit", (code) => resolve(code)));
    try {
      const walked = await walkThrough(repository.base, resolver.base, token);
      expect(walked).toEqual({ ...walkedWell(repository.base), led: walked.led, ledAfterwards: walked.led });
      expect(walked.led).toMatch(new RegExp(`^${repository.base}/records/\\d+$`));
      const figures = await (await fetch(`${repository.base}/metrics`)).text();
      expect(figures).toContain('arkstone_items{state="');
      // The worker enqueued what runs on a schedule, and does it.
      const sweep = async (): Promise<readonly { state: string; error: string; run_at: string }[]> =>
        JSON.parse(await ok(owner, ["jobs", "list", "--kind", "storage_sweep", "--json"]));
      const swept = (jobs: Awaited<ReturnType<typeof sweep>>): boolean =>
        jobs.some(({ state, run_at }) => state === "waiting" && Date.parse(run_at) > Date.now() + 60_000);
      await eventually("the sweep has run", async () => swept(await sweep()));
      expect((await sweep()).map(({ state, error }) => [state, error])).toEqual([["waiting", ""]]);
    } finally {
      process.kill(worker.pid ?? 0, "SIGTERM");
      await ended;
      await repository.kill("SIGTERM");
      await resolver.kill("SIGTERM");
    }
    // No word of a right that was missing, nor of anything else.
    expect([result, repository.errors()]).toEqual(["", ""]);
  }, 90_000);
});
