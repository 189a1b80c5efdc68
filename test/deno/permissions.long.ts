// The tasks of deno.json: the roles run on Deno with exactly the permissions docs/deno.md gives them, and lacking any
// one they do not (A44; R13).
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { freePort, temporaryFolder } from "../support/processes.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DENO = join(ROOT, "node_modules", ".bin", "deno");
const CLI = join(ROOT, "src", "main", "cli.ts");
const { tasks }: { tasks: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));

const folder = temporaryFolder("deno-permissions");
afterAll(() => folder.remove());

const wordsOf = (task: string): readonly string[] => (tasks[task] ?? "").split(" ");
const permissionsOf = (task: string): readonly string[] => wordsOf(task).filter((word) => word.startsWith("--allow"));
/** The project's folder is "." for a task, which runs there; the packages may be elsewhere, behind a link. */
const PROJECT = [".", ROOT, realpathSync(join(ROOT, "node_modules"))].join(",");

/** A working folder whose `data` holds an empty database. */
async function world(name: string): Promise<string> {
  const cwd = join(folder.path, name);
  mkdirSync(cwd);
  await arkstone({ SVC_DATA_DIR: join(cwd, "data") }, ["migrate"]);
  return cwd;
}

const REQUIRES = /Requires (\w+) access/;

/**
 * Starts a role with these permissions and waits until it is ready, or has been refused one: then returns what it
 * lacked.
 */
async function start(
  role: string,
  permissions: readonly string[],
  cwd: string,
  whenReady: (base: string, output: () => string) => Promise<void> = async () => {},
): Promise<"ready" | string> {
  const port = await freePort();
  const { SVC_DATA_DIR: _none, ...env } = process.env;
  const child = spawn(
    DENO,
    ["run", "--no-prompt", ...permissions.map((each) => each.replace(/=\.$/, `=${PROJECT}`)), CLI, role],
    {
      cwd,
      env: { ...env, SVC_PORT: String(port), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      stdio: ["ignore", "ignore", "pipe"],
      // Its own group: the package's `deno` is a launcher, and a signal has to reach what it launched.
      detached: true,
    },
  );
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const deadline = Date.now() + 60_000;
  try {
    for (;;) {
      const lacked = REQUIRES.exec(output)?.[1];
      if (lacked !== undefined) return lacked;
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.status === 200) {
        await whenReady(`http://127.0.0.1:${port}`, () => output);
        return "ready";
      }
      const hasEnded = child.exitCode !== null;
      // Its last output may not have been read yet.
      if (hasEnded) await ended;
      if (hasEnded && REQUIRES.test(output)) continue;
      if (hasEnded || Date.now() > deadline) return `neither ready nor refused: ${output}`;
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

const ROLES = ["minter", "resolver", "repository"] as const;
const FREE_SPACE = "--allow-sys=statfs";
const FREE_MEMORY = "--allow-sys=systemMemoryInfo";

/** Above the 10,000 names at which a table asks how much memory is free. */
const NAMES = 50_000;

/** A working folder with a first setup and {@link NAMES} names; the database is made once and copied. */
let named: Promise<string> | null = null;
async function namedWorld(name: string): Promise<string> {
  named ??= (async () => {
    const cwd = await world("named");
    const env = { SVC_DATA_DIR: join(cwd, "data") };
    await firstSetup(env);
    const setup = {
      naans: [{ naan: "12345", authoritative: true, name: "Example Library" }],
      organisations: [{ naan: "12345", name: "library", default_shoulder: "b1" }],
      shoulders: [{ naan: "12345", shoulder: "b1", organisation: "library", status: "active", checked: false }],
    };
    writeFileSync(join(cwd, "setup.json"), JSON.stringify(setup));
    await arkstone(env, ["apply", join(cwd, "setup.json")]);
    const rows = Array.from({ length: NAMES }, (_, at) => `ark:12345/b1${at},https://t.example/${at}\n`);
    const { code, err } = await arkstone(env, ["import", "-", "--format", "csv"], `ark,url\n${rows.join("")}`);
    expect([code, err]).toEqual([0, expect.anything()]);
    return cwd;
  })();
  const cwd = join(folder.path, name);
  cpSync(await named, cwd, { recursive: true });
  return cwd;
}

describe("permissions on Deno", () => {
  test("the guide gives the tasks of deno.json word for word, and a reason for each permission", () => {
    const guide = readFileSync(join(ROOT, "docs", "deno.md"), "utf8");
    for (const role of ROLES) {
      for (const permission of permissionsOf(role)) {
        expect(guide).toContain(`| \`${permission}\` |`);
      }
    }
    expect(guide).toContain(tasks.minter ?? "?");
    expect(guide).toContain(tasks.resolver ?? "?");
    expect(guide).toContain(tasks.repository ?? "?");
  });

  test.each(ROLES)(
    "L6 the %s runs with the permissions of its task",
    async (role) => {
      expect(wordsOf(role).slice(0, 3)).toEqual(["deno", "run", "--no-prompt"]);
      expect(permissionsOf(role)).toHaveLength(role === "minter" ? 4 : 5);
      expect(await start(role, permissionsOf(role), await world(`whole-${role}`))).toBe("ready");
    },
    60_000,
  );

  test.each(ROLES)(
    "the %s does not run with any of them less",
    async (role) => {
      const cwd = await world(`less-${role}`);
      for (const permission of permissionsOf(role)) {
        if (permission === FREE_SPACE || permission === FREE_MEMORY) continue;
        const kind = /--allow-(\w+)/.exec(permission)?.[1] ?? "?";
        const others = permissionsOf(role).filter((other) => other !== permission);
        expect([permission, await start(role, others, cwd)]).toEqual([permission, kind]);
      }
    },
    120_000,
  );

  test("R13 with its permissions the repository takes a deposit and knows how much room there is", async () => {
    const cwd = await world("deposit");
    const token = await firstSetup({ SVC_DATA_DIR: join(cwd, "data") });
    const deposited = async (base: string): Promise<void> => {
      const answer = await fetch(`${base}/sword/service-document`, {
        method: "POST",
        ...depositOf(token, smallCrate()),
      });
      expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining("ingested")]);
      expect(await (await fetch(`${base}/metrics`)).text()).toMatch(/^arkstone_storage_free_bytes \d+$/m);
    };
    expect(await start("repository", permissionsOf("repository"), cwd, deposited)).toBe("ready");
  }, 60_000);

  test("R13 without being allowed to ask for the room the repository reports at its start that it does not know it", async () => {
    const less = permissionsOf("repository").filter((permission) => permission !== FREE_SPACE);
    const warned = async (_base: string, output: () => string): Promise<void> => {
      expect(output()).toContain("The free space of the disk cannot be read");
    };
    expect(await start("repository", less, await world("no-room"), warned)).toBe("ready");
  }, 60_000);

  test.each(ROLES)(
    "L6 with its permissions the %s runs over 50,000 names",
    async (role) => {
      expect(await start(role, permissionsOf(role), await namedWorld(`named-${role}`))).toBe("ready");
    },
    120_000,
  );

  test.each([
    ["with its permissions", permissionsOf("resolver")],
    [
      "without being allowed to ask for the free memory",
      permissionsOf("resolver").filter((each) => each !== FREE_MEMORY),
    ],
  ])(
    "A31 A44 %s the resolver builds a table of 50,000 names, keeps its snapshot and starts from it",
    async (_, permissions) => {
      const cwd = await namedWorld(`table-${permissions.length}`);
      const redirects = async (base: string): Promise<void> => {
        for (const at of [0, NAMES - 1]) {
          const answer = await fetch(`${base}/ark:12345/b1${at}`, { redirect: "manual" });
          expect([answer.status, answer.headers.get("location")]).toEqual([302, `https://t.example/${at}`]);
        }
      };
      const hasSnapshot = (): boolean => readdirSync(join(cwd, "data")).some((each) => each.endsWith(".snapshot"));
      const first = async (base: string): Promise<void> => {
        await redirects(base);
        await eventually("the snapshot is written", hasSnapshot);
      };
      const again = async (base: string, output: () => string): Promise<void> => {
        await redirects(base);
        expect(output()).not.toContain("snapshot_not_used");
        expect(await (await fetch(`${base}/metrics`)).text()).toMatch(/^arkstone_table_rebuilds_total 0$/m);
      };
      expect(await start("resolver", permissions, cwd, first)).toBe("ready");
      expect(await start("resolver", permissions, cwd, again)).toBe("ready");
    },
    120_000,
  );
});
