// What tests with `kill -9` share: a script that is killed once it has printed enough, and the databases it writes to.
import { afterAll } from "bun:test";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { scriptOf, temporaryFolder } from "../support/processes.ts";

type Killed = {
  /** Settles when the script has printed this many lines. @throws Error where it ends by itself before. */
  printed(lines: number): Promise<void>;
  /** Kills it; returns the lines it printed, without the last one, which may be cut short. */
  kill(): Promise<readonly string[]>;
};

/** Starts a script of test/support. */
export function startScript(script: string, ...args: readonly string[]): Killed {
  const [program, ...rest] = scriptOf(join(import.meta.dirname, "..", "support", script), ...args);
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return {
    printed: (lines) =>
      new Promise((resolve, reject) => {
        child.stdout.on("data", () => output.split("\n").length > lines && resolve());
        child.once("error", reject);
        child.once("close", () => reject(new Error(`${script} ended by itself: ${output}`)));
      }),
    async kill() {
      child.kill("SIGKILL");
      await closed;
      return output.split("\n").slice(0, -1);
    },
  };
}

/** Kills a script `moreMs` after it has printed `lines` lines; returns all of them. */
export async function linesUntilKilled(
  script: string,
  args: readonly string[],
  lines: number,
  moreMs = 0,
): Promise<readonly string[]> {
  const writer = startScript(script, ...args);
  await writer.printed(lines);
  if (moreMs > 0) await new Promise((resolve) => setTimeout(resolve, moreMs));
  return writer.kill();
}

/** An empty folder, and the URL of an empty database. */
export type KilledPlace = { readonly folder: string; readonly url: string };

/** For `test.each`: SQLite, and PostgreSQL where it is installed, each with a place that is removed after the tests. */
export async function killedPlaces(
  name: string,
): Promise<readonly (readonly [database: string, open: () => Promise<KilledPlace>])[]> {
  const folder = temporaryFolder(name);
  const postgres = await startPostgres({ standby: false });
  afterAll(async () => {
    await postgres?.stop();
    folder.remove();
  });
  const sqlite = join(folder.path, "sqlite");
  return [
    ["SQLite", async () => ({ folder: sqlite, url: `sqlite:${join(folder.path, `${name}.db`)}` })],
    ...(postgres === null
      ? []
      : [
          [
            "PostgreSQL",
            async () => ({ folder: join(folder.path, "postgres"), url: (await postgres.createDatabase()).url }),
          ] as const,
        ]),
  ];
}
