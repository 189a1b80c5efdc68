// The watchdog (src/main/watchdog.ts; R9b): a process whose main thread is caught in a statement, or that does not
// stop, is ended; no other is.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptOf } from "../support/processes.ts";

const PROGRAM = join(import.meta.dirname, "..", "support", "watched-process.ts");

/** Starts the program, and sends it SIGTERM `afterMs` later, where that is not null. */
async function ended(mode: string, afterMs: number | null) {
  const [program, ...args] = scriptOf(PROGRAM, mode);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  const watched = Promise.withResolvers<void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
    if (errors.includes("watched")) watched.resolve();
  });
  const end = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve) => {
    child.once("exit", (code, signal) => {
      watched.resolve();
      resolve({ code, signal });
    });
  });
  await watched.promise;
  if (afterMs !== null) {
    await sleep(afterMs);
    if (child.pid !== undefined) process.kill(child.pid, "SIGTERM");
  }
  return { ...(await end), events: [...errors.matchAll(/"event":"(\w+)"/g)].map(([, event]) => event), errors };
}

test("R9b a main thread caught in a statement ends with its process, with a signal and without one", async () => {
  const [alone, limited] = await Promise.all([ended("statement", null), ended("statement", 500)]);
  expect([alone.signal, alone.events]).toEqual(["SIGKILL", ["silent"]]);
  expect(limited.signal).toBe("SIGKILL");
  expect(["silent", "not_stopped"]).toContain(limited.events.join());
}, 60_000);

test("R9b a process that receives the signal and does not stop ends, too; one that serves goes on until its signal, and stops by itself", async () => {
  const [hanging, serving] = await Promise.all([ended("hangs", 0), ended("serves", 4_000)]);
  expect([hanging.code !== 0, hanging.errors.includes("stopping")]).toEqual([true, true]);
  expect([serving.code, serving.signal, serving.errors]).toEqual([0, null, "watched\nstopping\n"]);
}, 60_000);
