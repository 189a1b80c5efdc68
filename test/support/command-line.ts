// Runs the command line inside the test process: its output and its exit code.
import type { Env } from "../../src/config.ts";
import { runCommandLine } from "../../src/main/command-line.ts";

type CommandResult = { readonly code: number; readonly out: string; readonly err: string };

/** `arkstone …args` with these settings; `input` is the text of standard input. */
export async function arkstone(env: Env, args: readonly string[], input = ""): Promise<CommandResult> {
  let out = "";
  let err = "";
  const context = {
    env,
    json: false,
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    isInteractive: false,
    input: new Response(input).body ?? new ReadableStream<Uint8Array>(),
    drained: async () => {},
    interrupted: async () => false,
    // The tests behind it have the priority of the others.
    giveWay: () => {},
  };
  const code = await runCommandLine(context, args);
  return { code, out, err };
}
