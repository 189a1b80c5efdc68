// Builds the binary once into a separate folder and runs it as a user without rights, on a file system that is
// read-only but for its data folder where the system lets us make it so.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { run } from "./run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const NOBODY = 65_534;

/** The compiler is part of Bun. */
export const canBuild = process.versions.bun !== undefined;

export type Sandbox = {
  readonly binary: string;
  /** Empty and not writable: where the binary is started. */
  readonly cwd: string;
  /** The only folder it may write to. */
  readonly data: string;
  /** `read-only file system`, or what it had to make do with. */
  readonly confinement: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Running;
};

export type Running = {
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): { readonly out: string; readonly err: string };
  readonly ended: Promise<number | null>;
};

/** Builds into `folder` and prepares the place to run in. */
export async function buildInto(folder: string): Promise<Sandbox> {
  const built = await run(
    [process.execPath, "src/main/release/build.ts", "--outdir", folder, "--commit", "0123456789ab"],
    {
      cwd: ROOT,
    },
  );
  if (built.code !== 0) throw new Error(built.output);
  const [cwd, data] = [join(folder, "empty"), join(folder, "data")];
  chmodSync(folder, 0o755);
  mkdirSync(cwd);
  mkdirSync(data);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  chmodSync(cwd, 0o555);
  const prefix = isRoot ? stepDown(data) : [];
  const confinement = prefix[0] === "unshare" ? "read-only file system" : "read-only working folder";
  const start: Sandbox["start"] = (args, env = {}, from = cwd) => {
    const [program = "", ...rest] = [...prefix, join(folder, "arkstone"), ...args];
    const child = spawn(program, rest, {
      cwd: from,
      env: { SVC_DATA_DIR: data, SVC_LOG_LEVEL: "warn", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(127)).once("close", (code) => resolve(code));
    });
    return { child, output: () => ({ out, err }), ended };
  };
  return { binary: join(folder, "arkstone"), cwd, data, confinement, start };
}

/**
 * What root puts in front of a command so that it runs as nobody; each program replaces itself, so signals reach the
 * last.
 */
function stepDown(data: string): readonly string[] {
  const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find(existsSync);
  if (setpriv === undefined) return [];
  const nobody = [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  const mounts = [
    "mount --make-rprivate /",
    `mount --bind '${data}' '${data}'`,
    // Every file system on the way to the program: the root, and the one of temporary files where that is another.
    "mount -o remount,bind,ro /",
    "{ ! mountpoint -q /tmp || mount -o remount,bind,ro /tmp; }",
    // The shell is in the same folder as before.
    'cd "$PWD"',
    'exec "$@"',
  ];
  const readOnly = ["unshare", "--mount", "sh", "-c", mounts.join(" && "), "sh", ...nobody];
  const [program = "", ...args] = readOnly;
  const probe = spawnSync(program, [...args, "sh", "-c", `test ! -w '${data}/..' && test -w '${data}'`]);
  return probe.status === 0 ? readOnly : nobody;
}
