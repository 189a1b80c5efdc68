// The command line as a process: cut off in the middle, read by a reader that disconnects, on the runtime the tests run
// on.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { mintedArk } from "../../src/ark/new-name.ts";
import { BETANUMERICS } from "../../src/ark/syntax.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

const CLI = join(import.meta.dirname, "..", "..", "src", "main", "cli.ts");
const RUNTIME_ARGS = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];
const ROWS = 6_000;

const folder = temporaryFolder("cli-process");
const env = { SVC_DATA_DIR: join(folder.path, "data") };
/** Another service, into which batches are written by a thread next to the one that reads. */
const other = { SVC_DATA_DIR: join(folder.path, "second") };
const names = join(folder.path, "names.ndjson");

/** Starts a command; `during` sees its standard error grow and may end it. */
function start(
  args: readonly string[],
  during: (text: string, kill: (signal: NodeJS.Signals) => void) => void,
  settings: Readonly<Record<string, string>> = env,
) {
  // What reads standard input is given the names.
  const input = args.includes("-") ? openSync(names, "r") : "ignore";
  const child = spawn(process.execPath, [...RUNTIME_ARGS, CLI, ...args], {
    env: { ...process.env, ...settings },
    stdio: [input, "pipe", "pipe"],
  });
  if (typeof input === "number") closeSync(input);
  let out = "";
  let err = "";
  let isSignalled = false;
  child.stdout?.on("data", (chunk: Uint8Array) => {
    out += new TextDecoder().decode(chunk);
  });
  child.stderr?.on("data", (chunk: Uint8Array) => {
    err += new TextDecoder().decode(chunk);
    during(err, (signal) => {
      // Not child.kill: after that Deno returns no exit code. And once: a second signal ends the process at once.
      if (!isSignalled && child.pid !== undefined) isSignalled = process.kill(child.pid, signal);
    });
  });
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

beforeAll(async () => {
  const digits = BETANUMERICS;
  const blade = (index: number) =>
    [4, 3, 2, 1, 0].map((place) => digits[Math.floor(index / 29 ** place) % 29]).join("");
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const { key } = mintedArk("99999", "b1", blade(index));
    return `${JSON.stringify({ ark: `ark:${key}`, url: `https://example.org/${index}` })}\n`;
  });
  writeFileSync(names, lines.join(""));
  const service = {
    naans: [{ naan: "99999" }],
    organisations: [{ naan: "99999", name: "org-a" }],
    shoulders: [{ naan: "99999", shoulder: "b1", organisation: "org-a" }],
  };
  for (const each of [env, other]) await arkstone(each, ["apply", "-"], JSON.stringify(service));
});
afterAll(() => folder.remove());

/** Everything that names are, but when it was done. */
const exported = async (settings: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await arkstone(settings, ["export"])).out
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, "null")
    .split("\n")
    .sort();

test("A15 an import that is killed, then interrupted, then run to its end has every row once, wherever it writes", async () => {
  for (const [settings, command] of [
    [env, ["import", names, "--batch", "500"]],
    [other, ["import", "-", "--format", "ndjson", "--batch", "1500"]],
  ] as const) {
    const killed = await start(command, (text, kill) => /Line 1,[05]00/.test(text) && kill("SIGKILL"), settings);
    expect(killed.out).toBe("");
    const cut = await start(command, (text, kill) => text.includes("Line 3,000") && kill("SIGINT"), settings);
    expect(cut.code).toBe(130);
    expect(cut.err).toContain("run the same command again to go on");
    const done = await start([...command, "--json"], () => {}, settings);
    const result = JSON.parse(done.out);
    expect([done.code, result.end, result.created + result.already_there]).toEqual([0, "done", ROWS]);
    expect(result.already_there).toBeGreaterThanOrEqual(3_000);
    const stats = await arkstone(settings, ["stats", "--json"]);
    expect(JSON.parse(stats.out).arks.published).toBe(ROWS);
  }
  expect(await exported(other)).toEqual(await exported(env));
}, 60_000);

test("a reader that disconnects ends an export without a word", async () => {
  const child = spawn(process.execPath, [...RUNTIME_ARGS, CLI, "export"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk: Uint8Array) => {
    err += new TextDecoder().decode(chunk);
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, err]).toEqual([0, ""]);
}, 60_000);

test("arkstone --version prints what runs", async () => {
  const output = await start(["--version"], () => {});
  expect([output.code, output.err]).toEqual([0, ""]);
  expect(output.out).toMatch(/^arkstone \d+\.\d+\.\d+/);
}, 60_000);
