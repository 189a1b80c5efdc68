// What `arkstone mcp --url` works with (R30): the tools of a repository elsewhere. Arguments are held against the same
// table as here; only a file of this machine is read here, and sent as it is read.
import { DistantProblem, type DistantTools, RemoteToolServer } from "../../adapters/distant-tools.ts";
import { importFolder } from "../../adapters/import-folder.ts";
import type { Config } from "../../config.ts";
import { addedFile } from "../../repository/tools/added-file.ts";
import { hintFor } from "../../repository/tools/hints.ts";
import { failed, statusOf, type ToolResult } from "../../repository/tools/outcome.ts";
import type { ToolHandler } from "../../repository/tools/tool.ts";
import { type ToolServer, toolList, toolServer } from "../../repository/tools/tool-server.ts";
import { httpTools, STDIO_TOOLS } from "../../repository/tools/tool-table.ts";
import type { Log } from "../../shared/log.ts";
import { StartError } from "../process/role-parts.ts";
import { PROGRAM_VERSION } from "../version.ts";

/** A call that was made elsewhere and came to nothing there. */
class FailedThere extends Error {
  override readonly name = "FailedThere";
  readonly result: ToolResult;

  constructor(result: ToolResult) {
    super("The call failed there");
    this.result = result;
  }
}

/** `all`: the tools of HTTP, for addresses that are read and values that are offered. */
type DistantServers = { readonly tools: ToolServer; readonly all: ToolServer };

/** How long a call waits for a repository that is away, and how often it is asked meanwhile. */
const WAIT_MS = 10_000;
const ASK_MS = 500;

/**
 * A repository that is away is waited for by each call. @throws StartError where it refuses the token, or has no tools.
 */
export async function openDistantTools(
  config: Config,
  url: URL,
  log: Log,
  waitMs: number = WAIT_MS,
): Promise<DistantServers> {
  const distant = new RemoteToolServer({ url, token: config.mcpToken, version: PROGRAM_VERSION });
  const { tools } = toolList(STDIO_TOOLS, config.mcpTools);
  const there = await distant.names().catch((error: unknown) => {
    if (!(error instanceof DistantProblem)) throw error;
    if (error.away === null) throw new StartError(`${error.message}: ${error.hint}`, { cause: error });
    // Which tools it serves is not known yet: a call of one that it does not serve is refused there.
    log.warn("repository_away", { reason: error.message });
    return [...tools.keys()];
  });
  const served = there.filter((name) => tools.has(name));
  if (served.length === 0) throw new StartError(`SVC_MCP_TOOLS names no tool that ${url.href} serves`);
  const handlers = Object.fromEntries(STDIO_TOOLS.map(({ name }) => [name, forwarded(distant, name)]));
  const add_file = addedFile({
    call: called(distant),
    put: (to, bytes) => distant.put(to, bytes),
    localFile: importFolder(config.stdioImportDir),
  });
  const server = toolServer(STDIO_TOOLS, { ...handlers, add_file }, hintFor, served);
  const logged = async (name: string, work: () => Promise<ToolResult | null>): Promise<ToolResult | null> => {
    const startedAt = performance.now();
    const result = await patient(work, waitMs).catch((error: unknown) => {
      if (error instanceof FailedThere) return error.result;
      if (error instanceof DistantProblem) return failedBy(error);
      throw error;
    });
    log.info("tool_called", { tool: name, status: statusOf(result), ms: Math.round(performance.now() - startedAt) });
    return result;
  };
  return {
    tools: { ...server, call: (name, given, call) => logged(name, () => server.call(name, given, call)) },
    all: {
      ...toolList(httpTools(config), config.mcpTools),
      call: (name, given) => logged(name, () => distant.call(name, given, "http")),
    },
  };
}

/** The work, again until its time is over, as long as the repository has not received the call. */
async function patient<T>(work: () => Promise<T>, waitMs: number): Promise<T> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof DistantProblem && error.away === "unsent";
      if (!isAway || performance.now() + ASK_MS > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
  }
}

const failedBy = ({ status, message, hint }: DistantProblem): ToolResult =>
  failed({ status, message: `${message}.`, hint });

type Result = Readonly<Record<string, unknown>>;

/** The result of a tool there. @throws FailedThere with the error that it returns instead. */
const called =
  (distant: DistantTools) =>
  async (name: string, args: Result, table: "http" | "stdio" = "stdio"): Promise<Result> => {
    const result = await distant.call(name, args, table);
    if (result === null) throw new DistantProblem(404, `${name} is not served there any more`, "restart this server");
    if (result.isError === true) throw new FailedThere(result);
    return result.structuredContent;
  };

const forwarded =
  (distant: DistantTools, name: string): ToolHandler =>
  ({ args }) =>
    called(distant)(name, args);
