// What one binary costs: its size, the time from its start to the first ready answer on an empty database, and the
// memory of a role that has nothing to do. `bun bench/start.ts [--rounds 15] [--binary FILE] [--json FILE]`; builds the
// binary unless one is given.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { resolve as absolute, join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "../test/support/run.ts";
import { freePort, idleShare, median, printTable, quantile, rssMiB, workFolder, writeJson } from "./lib.ts";

const ROOT = join(import.meta.dirname, "..");
const POLL_MS = 2;
/** Memory settles once the start is over; what is measured then is what an idle role keeps. */
const SETTLE_MS = 2000;

type Start = { readonly readyMs: number; readonly rssMiB: number };

/** Starts a role on an empty data folder and waits until /readyz answers 200. */
async function startOnce(binary: string, role: string, dataDir: string, settleMs: number): Promise<Start> {
  const port = freePort();
  const began = performance.now();
  const child = spawn(binary, [role], {
    cwd: dataDir,
    env: { SVC_DATA_DIR: dataDir, SVC_PORT: String(port), SVC_LOG_LEVEL: "error" },
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()));
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  try {
    while (!(await isReady(port))) {
      if (hasEnded || performance.now() - began > 30_000) throw new Error(`The ${role} did not start`);
      await Bun.sleep(POLL_MS);
    }
    const readyMs = performance.now() - began;
    await Bun.sleep(settleMs);
    return { readyMs, rssMiB: rssMiB(child.pid ?? 0) };
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (answer) => answer.status === 200,
    () => false,
  );

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "15" }, binary: { type: "string" }, json: { type: "string" } },
});
const folder = workFolder();
try {
  const idle = await idleShare();
  let binary = values.binary === undefined ? undefined : absolute(values.binary);
  if (binary === undefined) {
    const built = await run([process.execPath, "src/main/release/build.ts", "--outdir", folder.path], { cwd: ROOT });
    if (built.code !== 0) throw new Error(built.output);
    binary = join(folder.path, "arkstone");
  }
  const sizeBytes = statSync(binary).size;
  const rounds = Number(values.rounds);
  const rows = [];
  for (const role of ["minter", "resolver"] as const) {
    const starts: Start[] = [];
    for (let round = 0; round < rounds; round++) {
      const dataDir = mkdtempSync(join(folder.path, "data-"));
      // A resolver creates no database: it waits for one.
      if (role === "resolver") await run([binary, "migrate"], { cwd: dataDir, env: { SVC_DATA_DIR: dataDir } });
      starts.push(await startOnce(binary, role, dataDir, round < 3 ? SETTLE_MS : 0));
      rmSync(dataDir, { recursive: true });
    }
    const ready = starts.map((start) => start.readyMs);
    rows.push({
      role,
      "ready ms, median": median(ready),
      least: Math.min(...ready),
      "upper quartile": quantile(ready, 0.75),
      "idle MiB": median(starts.slice(0, 3).map((start) => start.rssMiB)),
    });
  }
  process.stdout.write(
    `The binary: ${(sizeBytes / 1e6).toFixed(1)} MB. ${rounds} starts each, machine ${(idle * 100).toFixed(0)} % idle before.\n`,
  );
  printTable(rows);
  writeJson(values.json, "start", rows, { sizeBytes, rounds, idleShare: idle });
} finally {
  folder.remove();
}
