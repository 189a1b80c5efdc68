// The disk of the data folder is full under a load of mints: a small file system inside `unshare -m`, filled to its
// last byte and emptied again. Skipped with a line where that is not permitted.
import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { eventually } from "../support/eventually.ts";
import { commandOf, freePort, provision, temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";
import { type Load, moreOf, ROUNDS, reckon, report, startLoad, unclean } from "./load.ts";

const UNSHARE = process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "-rm"];
const MOUNT = 'mount -t tmpfs -o size=24m tmpfs "$0"';

async function isPermitted(): Promise<boolean> {
  const folder = temporaryFolder("mount");
  const { code } = await run([...UNSHARE, "sh", "-c", MOUNT, folder.path]);
  folder.remove();
  return code === 0;
}

const permitted = await isPermitted();
if (!permitted) console.error("No small file system may be mounted here: the test of the full disk is skipped");

/** Writes until nothing more fits. */
function fill(file: string): void {
  const megabyte = new Uint8Array(1024 * 1024);
  for (let size = megabyte.length; size >= 1; size = Math.floor(size / 2)) {
    for (;;) {
      try {
        writeFileSync(file, megabyte.subarray(0, size), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}

async function reasonsOf(base: string): Promise<string> {
  const { detail }: { readonly detail?: { readonly reasons?: readonly string[] } } = await fetch(`${base}/readyz`).then(
    (answer) => answer.json(),
    () => ({}),
  );
  return detail?.reasons?.[0] ?? "";
}

/** The reason, once the answer of before is no longer kept. */
async function saidBy(base: string): Promise<string> {
  return await eventually("readiness tells a reason", async () => (await reasonsOf(base)) || null);
}

async function refusedMore(load: Load): Promise<void> {
  const count = (): number => [...load.refusals.values()].reduce((sum, each) => sum + each, 0);
  const wanted = count() + 5;
  await eventually("more is refused", () => count() >= wanted);
}

describe.skipIf(!permitted)("the disk of the data folder is full", () => {
  test(
    "L2 L3 A13 1901 mints fail cleanly with 503, nothing acknowledged is lost, and it goes on as soon as there is room",
    async () => {
      const folder = temporaryFolder("disk-full");
      const port = await freePort();
      const env = { SVC_DATA_DIR: folder.path, SVC_PORT: String(port), SVC_LOG_LEVEL: "warn", SVC_ACCESS_LOG: "off" };
      // Set up outside, carried into the small file system.
      const key = await provision(folder.path, env);
      const script = `cp "$0"/arkstone.db* "$1"/ && ${MOUNT} && cp "$1"/arkstone.db* "$0"/ && shift && exec "$@"`;
      const copies = temporaryFolder("disk-full-copies");
      const [program = "", ...args] = UNSHARE;
      const child = spawn(program, [...args, "sh", "-c", script, folder.path, copies.path, ...commandOf("minter")], {
        env: { ...process.env, ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let errors = "";
      child.stderr?.on("data", (chunk: Uint8Array) => {
        errors += new TextDecoder().decode(chunk);
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const base = `http://127.0.0.1:${port}`;
      try {
        await eventually("the minter is ready", async () => {
          const ready = await fetch(`${base}/readyz`).catch(() => null);
          await ready?.body?.cancel();
          return ready?.status === 200;
        });
        // The folder as the minter sees it.
        const filler = `/proc/${child.pid}/root${folder.path}/filler`;
        expect(existsSync(join(filler, "..", "arkstone.db"))).toBe(true);
        const place = { base, key };
        const load = startLoad(() => place);
        const logged: string[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          await moreOf(load, 50);
          fill(filler);
          await refusedMore(load);
          logged.push(await saidBy(base));
          rmSync(filler);
          await moreOf(load, 50);
        }
        await load.stop();
        const reckoning = await reckon(place, load);
        report("disk full", { rounds: ROUNDS, ...reckoning });
        expect([reckoning.lost, reckoning.doubled, unclean(load)]).toEqual([0, 0, []]);
        expect(load.refusals.get("503")).toBeGreaterThan(0);
        expect(logged).toContain("The database cannot be written: its disk is full");
        // Each cause is reported once a minute, in one line without a stack, however many are refused.
        const lines = errors.split("\n").filter((line) => line.includes('"event":"unavailable"'));
        expect(lines.length).toBeGreaterThan(0);
        expect(lines.length).toBeLessThan(10);
        expect(lines.join("\n")).toContain("disk is full");
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600);
        expect(errors).not.toContain('"event":"unexpected"');
      } finally {
        child.kill("SIGKILL");
        await ended;
        folder.remove();
        copies.remove();
      }
    },
    60_000 + ROUNDS * 20_000,
  );
});
