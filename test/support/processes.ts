// Starts roles of Arkstone as real processes, for tests that kill them or speak raw bytes to them.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { SCOPES } from "../../src/auth/caller.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const CLI = join(ROOT, "src", "main", "cli.ts");
export const RUNTIME_ARGS = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];

export type Role = {
  readonly pid: number;
  readonly base: string;
  readonly port: number;
  /** What it wrote to standard error, at most the last 64 KiB. */
  errors(): string;
  running(): boolean;
  kill(signal: "SIGKILL" | "SIGTERM" | "SIGHUP"): Promise<number | null>;
};

/** Below the ports the system hands out by itself: none of these is taken meanwhile by a connection going out. */
const FIRST_PORT = 12_000;
const LAST_PORT = 31_998;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** The first of `count` consecutive ports that nobody listens on at the moment. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

/** A port nobody listens on at the moment. */
export const freePort = (): Promise<number> => freePorts(1);

/** The first of three consecutive ports that nobody listens on at the moment: what `up` takes. */
export const freePortRow = (): Promise<number> => freePorts(3);

export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `arkstone-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Program and arguments that run a command of Arkstone on this runtime. */
export function commandOf(...args: readonly string[]): readonly [string, ...string[]] {
  return [process.execPath, ...RUNTIME_ARGS, CLI, ...args];
}

/** Program and arguments that run a file of the tests on this runtime. */
export function scriptOf(file: string, ...args: readonly string[]): readonly [string, ...string[]] {
  return [process.execPath, ...RUNTIME_ARGS, file, ...args];
}

/** How a role is started otherwise than by itself. */
type Launch = {
  /** Put before the whole command, such as `unshare -n`. */
  readonly before?: readonly string[];
  /** A module the runtime loads before the program. */
  readonly preload?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where it is asked from this process; its own address where left out. */
  readonly ready?: () => Promise<boolean>;
};

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { before = [], preload, env: more = {} }: Launch = {},
): ChildProcess {
  const preloads = preload === undefined ? [] : ["--preload", preload];
  const whole = [...before, process.execPath, ...RUNTIME_ARGS, ...preloads, CLI, ...args];
  const [program = process.execPath, ...rest] = whole;
  return spawn(program, rest, {
    cwd: ROOT,
    env: { ...process.env, ...env, ...more },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Starts a role and waits until it is ready. */
export async function startRole(
  role: "minter" | "resolver" | "repository" | "tools",
  env: Readonly<Record<string, string>>,
  port: number,
  launch: Launch = {},
): Promise<Role> {
  const child = start(role === "tools" ? ["mcp", "--http"] : [role], { ...env, SVC_PORT: String(port) }, launch);
  let errors = "";
  child.stderr?.on("data", (chunk: Uint8Array) => {
    errors = (errors + new TextDecoder().decode(chunk)).slice(-65_536);
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const base = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60_000;
  let last = "";
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the ${role} ended before it was ready:\n${errors}`);
    // A connection that is kept from the process before this one may never answer.
    if (launch.ready !== undefined) {
      if (await launch.ready()) break;
      if (Date.now() > deadline) throw new Error(`the ${role} was not ready within 60 s\n${errors}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    last = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      async (answer) => {
        const text = await answer.text();
        return answer.status === 200 ? "ready" : `${answer.status} ${text}`;
      },
      (error: unknown) => String(error),
    );
    if (last === "ready") break;
    if (Date.now() > deadline) throw new Error(`the ${role} was not ready within 60 s: ${last}\n${errors}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    pid: child.pid ?? 0,
    base,
    port,
    errors: () => errors,
    running: () => child.exitCode === null && child.signalCode === null,
    async kill(signal) {
      // By its id: `child.kill` of Deno reports a made-up exit instead of waiting for the child's.
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(child.pid, signal);
      return await ended;
    },
  };
}

/** Runs one command of the command line to its end. */
export async function arkstone(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly errors: string }> {
  const child = start(args, env);
  let errors = "";
  child.stderr?.on("data", (chunk: Uint8Array) => {
    errors += new TextDecoder().decode(chunk);
  });
  const code = await new Promise<number | null>((resolve) => child.once("exit", (ended) => resolve(ended)));
  return { code, errors };
}

/**
 * NAAN 99999 with two organisations and a system credential of all scopes, put in through `apply`; returns its API key.
 */
export async function provision(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const file = join(folder, "provision.json");
  const keys = join(folder, "keys.json");
  const document = {
    naans: [
      { naan: "99999", authoritative: true, name: "Example", policy: "NP | NR, OP, CC | 2026" },
      { naan: "88888", authoritative: false, redirect: "https://delegate.example.org" },
    ],
    organisations: [
      { naan: "99999", name: "org-a", default_shoulder: "b1" },
      { naan: "99999", name: "org-b", default_shoulder: "c2" },
    ],
    shoulders: [
      { naan: "99999", shoulder: "b1", organisation: "org-a", status: "active" },
      { naan: "99999", shoulder: "c2", organisation: "org-b", status: "active" },
      {
        naan: "99999",
        shoulder: "d9",
        organisation: "org-a",
        status: "delegated",
        minter: "https://mint.example.org/api/mint",
      },
    ],
    credentials: [{ client_id: "all", tier: "system", scopes: SCOPES, api_keys: 1, client_secrets: 1 }],
  };
  writeFileSync(file, JSON.stringify(document));
  const outcome = await arkstone(["apply", file, "--keys", keys], env);
  if (outcome.code !== 0) throw new Error(`apply failed:\n${outcome.errors}`);
  const written: Record<string, { api_keys: string[] }> = JSON.parse(readFileSync(keys, "utf8"));
  const key = written.all?.api_keys[0];
  if (key === undefined) throw new Error("apply wrote no key");
  return key;
}
