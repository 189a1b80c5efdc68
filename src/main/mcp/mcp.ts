// `arkstone mcp`: the tool server on standard input and output (R30; specification 3, "Tool servers"), for a client on
// this machine. The protocol is answered at once, the tools' database and storage are opened in the background, or they
// are a repository elsewhere; the log goes to standard error.
import process from "node:process";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { lineTransport } from "../../../plugins/repository/mcp/lines.ts";
import { protocolServer } from "../../../plugins/repository/mcp/protocol.ts";
import { jsonLog } from "../../adapters/log.ts";
import { GUEST } from "../../auth/account.ts";
import { type Config, type Env, readConfig } from "../../config.ts";
import { resourceReader } from "../../repository/tools/resource-reader.ts";
import { type ToolList, type ToolServer, toolList } from "../../repository/tools/tool-server.ts";
import { httpTools, STDIO_TOOLS } from "../../repository/tools/tool-table.ts";
import type { Log } from "../../shared/log.ts";
import { untilSignal } from "../process/until-signal.ts";
import { PROGRAM_VERSION } from "../version.ts";
import type { OpenedTools } from "./mcp-local.ts";
import { requireKnownTools } from "./served-tools.ts";

/** As the largest body over HTTP: 16 MB of a file as base64, and room around it (reference 1.4). */
const LINE_BYTES = 33 * 1024 * 1024;
/** Calls that are worked on at once. */
const WAITING_MAX = 64;
/** How long calls in flight may go on after the end of the input. */
const GRACE_MS = 10_000;
/**
 * Loading the repository holds the thread for a tenth of a second: a client that has asked already is answered before.
 */
const FIRST_MS = 40;
const LEAVE_MS = 200;

/** What is listed is known before what is called can be. */
type Source = { readonly list: ToolList; readonly all: ToolList; readonly open: () => Promise<OpenedTools> };

/** Serves until standard input ends or a signal comes; returns the exit code. `url`: of a repository elsewhere. */
export async function runToolsOnStdio(env: Env, url: URL | null): Promise<number> {
  const signal = untilSignal();
  try {
    const config = readConfig(env);
    requireKnownTools(config);
    const log = jsonLog(config.logLevel);
    await serveTools(url === null ? localSource(config, log) : await distantSource(config, url, log), signal);
    return 0;
  } catch (error) {
    const { startFailure } = await import("../process/role-process.ts");
    process.stderr.write(`${startFailure(error)}\n`);
    return 1;
  } finally {
    // On Deno a read of standard input that waits keeps the process alive.
    setTimeout(() => process.exit(), LEAVE_MS).unref();
  }
}

const localSource = (config: Config, log: Log): Source => ({
  list: toolList(STDIO_TOOLS, config.mcpTools),
  all: toolList(httpTools(config), config.mcpTools),
  open: async () => await (await import("./mcp-local.ts")).openLocalTools(config, log),
});

/** The repository is asked what it serves before the first answer here. */
async function distantSource(config: Config, url: URL, log: Log): Promise<Source> {
  const { tools, all } = await (await import("./mcp-distant.ts")).openDistantTools(config, url, log);
  return { list: tools, all, open: async () => ({ tools, all, close: async () => {} }) };
}

/** @throws what opening threw. */
async function serveTools({ list, all, open }: Source, signal: Promise<string>): Promise<void> {
  let opening: Promise<OpenedTools> | null = null;
  const failed = Promise.withResolvers<never>();
  const opened = (): Promise<OpenedTools> => {
    if (opening === null) {
      opening = open();
      opening.catch(failed.reject);
    }
    return opening;
  };
  const close = async (): Promise<void> => void (await (await opening)?.close());
  const soon = setTimeout(() => void opened(), FIRST_MS);
  const tools: ToolServer = {
    ...list,
    call: async (name, given, call) => await (await opened()).tools.call(name, given, call),
  };
  const read = resourceReader({
    ...all,
    call: async (name, given, call) => await (await opened()).all.call(name, given, call),
  });
  const { transport, ended } = lineTransport({
    input: process.stdin,
    write: writeLine,
    lineBytes: LINE_BYTES,
    waitingMax: WAITING_MAX,
    graceMs: GRACE_MS,
  });
  const serving = serveStdio(
    () =>
      protocolServer(
        { tools, resourceReader: read, version: PROGRAM_VERSION },
        { viewer: GUEST, isShown: () => true, table: "stdio" },
      ),
    { transport },
  );
  try {
    await Promise.race([signal, ended, failed.promise]);
  } finally {
    clearTimeout(soon);
    await serving.close();
    // A pipe that somebody holds open would keep the process alive.
    process.stdin.destroy();
    await close();
  }
}

function writeLine(line: string): Promise<void> {
  if (process.stdout.write(line)) return Promise.resolve();
  return new Promise((resolve) => process.stdout.once("drain", () => resolve()));
}
