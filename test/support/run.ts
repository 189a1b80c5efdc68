// Runs a program and collects its output, for tests and for the check; the same on Bun and on Deno.
import { spawn } from "node:child_process";
import process from "node:process";

export type Outcome = {
  readonly code: number;
  /** Standard output and standard error as they came, mixed. */
  readonly output: string;
  readonly ms: number;
};

/** Waits until the program ends. Never rejects: a program that cannot be started ends with code 127. */
export function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Outcome> {
  const [program = "", ...args] = command;
  const began = performance.now();
  return new Promise((resolve) => {
    let output = "";
    const end = (code: number): void => resolve({ code, output, ms: performance.now() - began });
    const child = spawn(program, args, {
      cwd: options.cwd ?? process.cwd(),
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
    child.on("error", (error) => {
      output += error.message;
      end(127);
    });
    child.on("close", (code) => end(code ?? 1));
  });
}
