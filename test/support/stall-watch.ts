// Watches a server process from a separate thread during a test: how long /healthz took, how much memory it has (R9a).
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Role, scriptOf } from "./processes.ts";
import type { WatchOrder, Worst } from "./stall-watcher.ts";

export type StallWatch = {
  /** The worst since the last call. */
  readonly worst: () => Promise<Worst>;
  readonly residentMiB: () => number;
  readonly close: () => Promise<void>;
};

async function startSibling(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const [program, ...args] = scriptOf(join(import.meta.dirname, "idle-sibling.ts"));
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once("data", (chunk: Uint8Array) => resolve(Number(new TextDecoder().decode(chunk))));
    child.once("exit", () => reject(new Error("The idle sibling ended")));
  });
  return { child, port };
}

export async function stallWatch(role: Pick<Role, "port" | "pid">): Promise<StallWatch> {
  const { child, port } = await startSibling();
  const worker = new Worker(new URL("./stall-watcher.ts", import.meta.url));
  const order: WatchOrder = { port: role.port, pid: role.pid, siblingPort: port };
  worker.postMessage(order);
  await sleep(500);
  return {
    worst: () =>
      new Promise((resolve) => {
        worker.once("message", (worst: Worst) => resolve(worst));
        worker.postMessage("worst");
      }),
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${role.pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
    async close() {
      await worker.terminate();
      child.kill("SIGKILL");
    },
  };
}
