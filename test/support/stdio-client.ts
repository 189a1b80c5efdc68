// A client of the tool server on standard input and output (R30), as a desktop program is one: it starts a command,
// writes lines, reads lines.
import { spawn } from "node:child_process";
import process from "node:process";
import { processCpuMs } from "./cpu-time.ts";

export const MODERN = "2026-07-28";

export type StdioMessage = {
  readonly id?: number | string | null;
  readonly method?: string;
  // Tests check members that are there.
  // biome-ignore lint/suspicious/noExplicitAny: results of any method
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
};

/** What every request of the newest revision states about its client. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

export type StdioClient = ReturnType<typeof stdioClient>;

export function stdioClient(command: readonly string[], env: Readonly<Record<string, string>>, cwd?: string) {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const received: StdioMessage[] = [];
  const waiting: { readonly fits: (message: StdioMessage) => boolean; readonly tell: (it: StdioMessage) => void }[] =
    [];
  let [out, errors, nextId] = ["", "", 1];
  let firstCpuMs: number | null = null;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    firstCpuMs ??= processCpuMs(child.pid ?? 0);
    const lines = `${out}${text}`.split("\n");
    out = lines.pop() ?? "";
    for (const line of lines) {
      // A line that is not a message of the protocol ends the test.
      const message = JSON.parse(line) as StdioMessage;
      const at = waiting.findIndex(({ fits }) => fits(message));
      if (at === -1) received.push(message);
      else waiting.splice(at, 1)[0]?.tell(message);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));

  const write = (line: string | Uint8Array): void => void child.stdin.write(line);
  /** The next message of this kind, or one that has come already. */
  async function next(fits: (message: StdioMessage) => boolean): Promise<StdioMessage> {
    const at = received.findIndex(fits);
    if (at !== -1) return received.splice(at, 1)[0] ?? {};
    const answer = new Promise<StdioMessage>((tell) => waiting.push({ fits, tell }));
    const over = ended.then((code) => {
      throw new Error(`The server ended with ${code}:\n${errors}`);
    });
    return await Promise.race([answer, over]);
  }
  async function ask(method: string, params: object = {}): Promise<StdioMessage> {
    const id = nextId++;
    write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return await next((message) => message.id === id);
  }
  return {
    write,
    next,
    ask,
    /** Opens a conversation of the older revisions. */
    async initialize(protocolVersion = "2025-11-25"): Promise<StdioMessage> {
      const answer = await ask("initialize", {
        ...{ protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
      });
      write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
      return answer;
    },
    /** A request of the newest revision. */
    modern: (method: string, params: object = {}) => ask(method, { ...params, _meta: ENVELOPE }),
    /** The result of a tool. */
    call: async (name: string, args: object = {}) => (await ask("tools/call", { name, arguments: args })).result,
    endInput: (): void => void child.stdin.end(),
    kill: (signal: "SIGTERM" | "SIGKILL"): void => void (child.pid !== undefined && process.kill(child.pid, signal)),
    ended,
    errors: () => errors,
    /** Messages that nobody waited for, and the incomplete last line. */
    left: () => ({ messages: received, out }),
    /** What the processor worked for it until its first answer. Null where the system does not report it. */
    firstCpuMs: () => firstCpuMs,
  };
}
