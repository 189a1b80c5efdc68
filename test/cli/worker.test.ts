// `arkstone worker` (R8a): a repository with SVC_JOBS=off runs no job, a worker beside it does; an item that could not get its ARK gets it (R5).
import { expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { MINT_JOB } from "../../src/services/items/needs.ts";
import { ARK_CREDENTIAL, depositHouse } from "../support/deposit-house.ts";
import { cratePackage, uploadOf } from "../support/deposit-requests.ts";
import { commandOf } from "../support/processes.ts";

const WAIT_MS = 30_000;

async function until(done: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(100)) {
    if (await done()) return true;
  }
  return false;
}

function startWorker(env: Readonly<Record<string, string>>): {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
} {
  const [program, ...args] = commandOf("worker");
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: "ignore" });
  return { child, ended: new Promise((resolve) => child.once("exit", resolve)) };
}

test("R8a R8 R5 with SVC_JOBS=off jobs wait for the worker, which mints the ARK that was missing and ends cleanly", async () => {
  const house = await depositHouse("worker", { SVC_JOBS: "off", SVC_ITEM_ARK_CREDENTIAL: "nobody" });
  const role = await house.start();
  const started: ReturnType<typeof startWorker>[] = [];
  try {
    const token = await house.setup.client();
    const { headers, body } = uploadOf(cratePackage());
    const answer = await fetch(`${role.base}/sword/service-document`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: await new Response(body).arrayBuffer(),
    });
    expect(answer.status).toBe(201);
    const { links } = (await answer.json()) as { readonly links: readonly unknown[] };
    // The landing page alone.
    expect(links.length).toBe(1);
    const id = Number(answer.headers.get("location")?.split("/").at(-1));
    const job = async () => (await house.store.jobs.listJobs({ kind: MINT_JOB }, null, 1))[0];
    await sleep(1_000);
    expect(await job()).toMatchObject({ subject: String(id), state: "waiting", attempts: 0 });

    const worker = startWorker({ ...house.env, SVC_ITEM_ARK_CREDENTIAL: ARK_CREDENTIAL });
    started.push(worker);
    expect(await until(async () => (await job())?.state === "done")).toBe(true);
    expect((await house.store.items.item(id))?.ark).toMatch(/^99999\//);
    const status = await fetch(`${role.base}/sword/deposit/${id}`, { headers: { authorization: `Bearer ${token}` } });
    expect(((await status.json()) as { readonly links: readonly unknown[] }).links.length).toBe(2);
    // By its id: `child.kill` of Deno does not wait for the exit code.
    process.kill(worker.child.pid ?? 0, "SIGTERM");
    expect(await worker.ended).toBe(0);
  } finally {
    for (const { child } of started) if (child.exitCode === null) child.kill("SIGKILL");
    await role.kill("SIGTERM");
    await house.close();
  }
}, 60_000);
