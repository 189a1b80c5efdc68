// One role as a child process of `arkstone up`: started again through the same runtime, its log handed on line by line.
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Env, Role } from "../config.ts";

/** Set for children of `up`: they end when the pipe to their parent closes, so none outlives it. */
export const CHILD_MARK = "ARKSTONE_CHILD";

/** Longer than a role takes to let its requests end. */
const KILL_AFTER_MS = 15_000;

type Child = {
  readonly role: Role;
  /** Where it listens; rejects when it ends before. */
  readonly listening: Promise<string>;
  /** Its exit code; 1 when a signal ended it. */
  readonly ended: Promise<number>;
  readonly stop: () => void;
};

const CLI = new URL("./cli.ts", import.meta.url);
const IS_COMPILED = /\/\$bunfs\/|\/~BUN\//i.test(CLI.pathname);

/**
 * What a person types before the name of a command: from source no program needs to be installed but Node.js with npm.
 */
export const PROGRAM = IS_COMPILED ? "arkstone" : "npx -y bun@1.4.4 run arkstone";

/** Program and arguments that run a command of this very program: a compiled binary is its own runtime. */
export function selfCommand(args: readonly string[]): readonly [string, ...string[]] {
  if (IS_COMPILED) return [process.execPath, ...args];
  const runtime = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];
  return [process.execPath, ...runtime, fileURLToPath(CLI), ...args];
}

/** Starts a role. Each line of its log goes to `print`. */
export function startChild(role: Role, env: Env, print: (line: string) => void): Child {
  const [program, ...args] = selfCommand([role]);
  const child = spawn(program, args, {
    env: { ...env, [CHILD_MARK]: "1" },
    stdio: ["pipe", "inherit", "pipe"],
  });
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
  const stop = (): void => {
    sendSignal(child, "SIGTERM");
    const timer = setTimeout(() => sendSignal(child, "SIGKILL"), KILL_AFTER_MS);
    void ended.then(() => clearTimeout(timer));
  };
  return { role, listening: whenListening(role, child, ended, print), ended, stop };
}

/** By process id: `child.kill` of Deno reports an invented exit instead of the child's. */
function sendSignal(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(child.pid, signal);
  } catch {
    // It ended between the question and the signal.
  }
}

function whenListening(
  role: Role,
  child: ChildProcess,
  ended: Promise<number>,
  print: (line: string) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const url = listeningUrl(line);
        if (url === null) print(line);
        else resolve(url);
      }
    });
    child.once("error", (error) => print(`Cannot start the ${role}: ${error.message}`));
    void ended.then(() => {
      if (rest !== "") print(rest);
      reject(new Error(`The ${role} ended before it was listening`));
    });
  });
}

/** The address in the log line a role writes when it listens; null for every other line. */
function listeningUrl(line: string): string | null {
  if (!line.includes('"listening"')) return null;
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== "object" || entry === null || !("event" in entry) || entry.event !== "listening") return null;
    return "url" in entry && typeof entry.url === "string" ? entry.url : null;
  } catch {
    return null;
  }
}
