// The tasks of deno.json: both roles run on Deno with exactly the permissions docs/deno.md gives them, and with none of them less (A44).
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { arkstone } from "../support/command-line.ts";
import { freePort, temporaryFolder } from "../support/processes.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DENO = join(ROOT, "node_modules", ".bin", "deno");
const CLI = join(ROOT, "src", "main", "cli.ts");
const { tasks }: { tasks: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));

const folder = temporaryFolder("deno-permissions");
afterAll(() => folder.remove());

const wordsOf = (task: string): readonly string[] => (tasks[task] ?? "").split(" ");
const permissionsOf = (task: string): readonly string[] => wordsOf(task).filter((word) => word.startsWith("--allow"));
/** The project's folder is "." for a task, which runs there; the packages may stand elsewhere, behind a link. */
const PROJECT = [".", ROOT, realpathSync(join(ROOT, "node_modules"))].join(",");

/** A working folder whose `data` holds an empty database. */
async function world(name: string): Promise<string> {
  const cwd = join(folder.path, name);
  mkdirSync(cwd);
  await arkstone({ SVC_DATA_DIR: join(cwd, "data") }, ["migrate"]);
  return cwd;
}

/** Starts a role with these permissions and waits until it is ready, or has been refused one: then gives back what it lacked. */
async function start(role: string, permissions: readonly string[], cwd: string): Promise<"ready" | string> {
  const port = await freePort();
  const { SVC_DATA_DIR: _none, ...env } = process.env;
  const child = spawn(
    DENO,
    ["run", "--no-prompt", ...permissions.map((each) => each.replace(/=\.$/, `=${PROJECT}`)), CLI, role],
    {
      cwd,
      env: { ...env, SVC_PORT: String(port), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      stdio: ["ignore", "ignore", "pipe"],
      // A group of its own: the package's `deno` is a launcher, and a signal has to reach what it launched.
      detached: true,
    },
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const deadline = Date.now() + 20_000;
  try {
    for (;;) {
      const lacked = /Requires (\w+) access/.exec(said)?.[1];
      if (lacked !== undefined) return lacked;
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.status === 200) return "ready";
      if (Date.now() > deadline || child.exitCode !== null) return `neither ready nor refused: ${said}`;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    killGroup(child.pid);
    await ended;
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

describe("permissions on Deno", () => {
  test("the guide gives the tasks of deno.json word for word, and a reason for each permission", () => {
    const guide = readFileSync(join(ROOT, "docs", "deno.md"), "utf8");
    for (const role of ["minter", "resolver"]) {
      for (const permission of permissionsOf(role)) {
        expect(guide).toContain(`| \`${permission}\` |`);
      }
    }
    expect(guide).toContain(tasks.minter ?? "?");
    expect(guide).toContain(tasks.resolver ?? "?");
  });

  test.each(["minter", "resolver"])(
    "L6 the %s runs with the permissions of its task",
    async (role) => {
      expect(wordsOf(role).slice(0, 3)).toEqual(["deno", "run", "--no-prompt"]);
      expect(permissionsOf(role)).toHaveLength(4);
      expect(await start(role, permissionsOf(role), await world(`whole-${role}`))).toBe("ready");
    },
    60_000,
  );

  test.each(["minter", "resolver"])(
    "the %s does not run with any of them less",
    async (role) => {
      const cwd = await world(`less-${role}`);
      for (const permission of permissionsOf(role)) {
        const kind = /--allow-(\w+)/.exec(permission)?.[1] ?? "?";
        const others = permissionsOf(role).filter((other) => other !== permission);
        expect([permission, await start(role, others, cwd)]).toEqual([permission, kind]);
      }
    },
    120_000,
  );
});
