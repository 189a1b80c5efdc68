// `arkstone worker` next to a repository that runs no jobs (R8a): what the one leaves the other does, and both end on
// their signal.
import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import process from "node:process";
import { readConfig } from "../../src/config.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { commandOf, freePort, startRole, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("worker");
const env = { SVC_DATA_DIR: folder.path, SVC_JOBS: "off", SVC_LOG_LEVEL: "warn" };
afterAll(() => folder.remove());

test("R8a with SVC_JOBS=off the repository leaves jobs alone, a worker does them, and SIGTERM ends both with exit code 0", async () => {
  const token = await firstSetup(env);
  const repository = await startRole("repository", env, await freePort());
  const { headers, body } = depositOf(token, smallCrate());
  const deposited = await fetch(`${repository.base}/sword/service-document`, { method: "POST", headers, body });
  await deposited.body?.cancel();
  expect(deposited.status).toBe(201);
  const store = await openRepositoryWriter(readConfig(env), {});
  const [file] = await store.items.filesAfter("", 1);
  const id = await store.transact((tx) =>
    tx.jobs.enqueue({ kind: "file_md5", subject: file?.storageKey ?? "" }, new Date().toISOString()),
  );
  // Longer than a process that runs jobs takes to search for them.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect((await store.jobs.job(id))?.state).toBe("waiting");

  const [program, ...args] = commandOf("worker");
  const worker = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<number | null>((resolve) => worker.once("exit", (code) => resolve(code)));
  await eventually("the job is done, or its worker has ended", async () => {
    return (await store.jobs.job(id))?.state === "done" || worker.exitCode !== null;
  });
  const job = await store.jobs.job(id);
  expect([job?.state, job?.lastError]).toEqual(["done", ""]);
  await store.close();
  process.kill(worker.pid ?? 0, "SIGTERM");
  expect(await ended).toBe(0);
  expect(await repository.kill("SIGTERM")).toBe(0);
}, 60_000);
