// `arkstone up` as a person runs it: first setup, all roles, Ctrl-C, busy ports, a role that dies (specification 1,
// "What the service does" 6; R5, R32).
import { afterAll, describe, expect, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { selfCommand } from "../../src/main/child-process.ts";
import { arkstone } from "../support/command-line.ts";
import { walkedWell, walkThrough } from "../support/first-repository.ts";
import { freePortRow, temporaryFolder } from "../support/processes.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DEADLINE_MS = 30_000;

type Up = {
  readonly child: ChildProcess;
  readonly output: () => { readonly out: string; readonly err: string };
  readonly ended: Promise<number | null>;
};

const running: ChildProcess[] = [];
const folders = [temporaryFolder("up")];
const dataDir = folders[0]?.path ?? "";

afterAll(() => {
  for (const child of running) {
    if (child.exitCode === null && child.pid !== undefined) signalGroup(child, "SIGKILL");
  }
  for (const folder of folders) folder.remove();
});

/** In its own process group, as a shell starts it. */
function startUp(port: number, env: Readonly<Record<string, string>> = {}): Up {
  const [program, ...args] = selfCommand(["up"]);
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, SVC_DATA_DIR: dataDir, SVC_PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.push(child);
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return { child, output: () => ({ out, err }), ended };
}

function signalGroup(child: ChildProcess, signal: "SIGINT" | "SIGKILL"): void {
  try {
    process.kill(-(child.pid ?? 0), signal);
  } catch {
    // The group is gone already.
  }
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Not within ${DEADLINE_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const untilReady = (up: Up): Promise<void> =>
  until(`all roles listen\n${up.output().err}`, () => {
    if (up.child.exitCode !== null) throw new Error(`It ended: ${up.output().err}`);
    return up.output().out.includes("Arkstone runs");
  });

function listenOn(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));

const isFree = (port: number): Promise<boolean> =>
  listenOn(port).then(
    async (server) => {
      await close(server);
      return true;
    },
    () => false,
  );

describe("arkstone up", () => {
  test("L1 L6 R5 R32 sets up an empty database; mints, deposits and resolves in three processes; stops cleanly on Ctrl-C", async () => {
    const port = await freePortRow();
    const up = startUp(port);
    await untilReady(up);
    const { out } = up.output();
    const key = /^ {2}(svc_\S+)$/m.exec(out)?.[1] ?? "";
    const [minter = "", resolver = "", repository = ""] = [0, 1, 2].map((step) => `http://127.0.0.1:${port + step}`);
    const token = /^The first access token.*\n\n {2}(svc_\S+)$/m.exec(out)?.[1] ?? "";
    expect(out).toContain(minter);
    expect(out).toContain(resolver);
    expect(out).toContain(repository);
    expect(out.split(token)).toHaveLength(3);

    const minted = await fetch(`${minter}/api/mint`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://example.org/thing", title: "A thing" }),
    });
    expect(minted.status).toBe(201);
    const { ark } = await minted.json();
    await until("the resolver is ready", async () => (await fetch(`${resolver}/readyz`)).status === 200);
    const resolved = await fetch(`${resolver}/${ark}`, { redirect: "manual" });
    expect([resolved.status, resolved.headers.get("location")]).toEqual([302, "https://example.org/thing"]);
    expect((await fetch(`${minter}/${ark}`)).status).toBe(404);
    expect((await fetch(`${resolver}/api/mint`, { method: "POST" })).status).toBe(404);

    expect(await walkThrough(repository, resolver, token)).toEqual(walkedWell(repository));
    const health = await arkstone({ SVC_PORT: String(port + 2) }, ["health", "--ready"]);
    expect([health.code, health.out]).toEqual([0, `${repository}/readyz  ok\n`]);

    signalGroup(up.child, "SIGINT");
    expect(await up.ended).toBe(0);
    expect(await isFree(port)).toBe(true);
    expect(await isFree(port + 1)).toBe(true);
    expect(await isFree(port + 2)).toBe(true);
    for (const role of ["minter", "resolver", "repository"]) expect(up.output().err).toContain(`[${role}]`);
    expect(up.output().err).not.toContain(key);
    expect(up.output().err).not.toContain(token);
  }, 60_000);

  test("R32 the key and the token are shown once: a second start over the same data makes no other, and needs no log of level info", async () => {
    const up = startUp(await freePortRow(), { SVC_LOG_LEVEL: "error" });
    await untilReady(up);
    expect(up.output().out).not.toMatch(/svc_[a-z0-9]+_/);
    process.kill(up.child.pid ?? 0, "SIGTERM");
    expect(await up.ended).toBe(0);
  }, 60_000);

  test.each([
    ["resolver", 1],
    ["repository", 2],
  ] as const)(
    "a busy port of the %s is reported in one line, before anything is started",
    async (role, step) => {
      const port = await freePortRow();
      const taken = await listenOn(port + step);
      const up = startUp(port);
      expect(await up.ended).toBe(1);
      expect(up.output()).toEqual({
        out: "",
        err: `Cannot listen on 127.0.0.1:${port + step} (${role}): the port is in use; stop the other program or set SVC_PORT\n`,
      });
      await close(taken);
    },
    60_000,
  );

  test("a setting that is not allowed is reported in one line", async () => {
    const up = startUp(8000, { SVC_AUTH: "password" });
    expect(await up.ended).toBe(1);
    expect(up.output()).toEqual({
      out: "",
      err: 'SVC_AUTH="password" is not allowed: one or more of apikey, oauth2, oidc, separated by commas\n',
    });
  }, 60_000);

  test("a database that cannot be opened is reported in one line, without its password", async () => {
    const up = startUp(await freePortRow(), { SVC_DATABASE_URL: "postgres://ark:hunter2@127.0.0.1:1/arks" });
    expect(await up.ended).toBe(1);
    const { err } = up.output();
    expect(err.startsWith("Cannot open the database postgres://ark:********@127.0.0.1:1/arks: ")).toBe(true);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  }, 60_000);

  test("when one role dies the others are stopped, and the exit code is 1", async () => {
    const port = await freePortRow();
    const up = startUp(port);
    await untilReady(up);
    const listed = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(up.child.pid)], { encoding: "utf8" });
    const resolver = Number(/^\s*(\d+) .*\bresolver$/m.exec(listed)?.[1]);
    process.kill(resolver, "SIGKILL");
    expect(await up.ended).toBe(1);
    expect(up.output().err).toContain("The resolver ended by itself, so everything was stopped");
    for (const step of [0, 1, 2]) expect(await isFree(port + step)).toBe(true);
  }, 60_000);

  test("no role outlives a parent that was killed", async () => {
    const port = await freePortRow();
    const up = startUp(port);
    await untilReady(up);
    process.kill(up.child.pid ?? 0, "SIGKILL");
    await until("all ports are free", async () => {
      return (await isFree(port)) && (await isFree(port + 1)) && (await isFree(port + 2));
    });
  }, 60_000);
});
