// `arkstone mcp`: the tool server on standard input and output (R30; specification 3, "Tool servers"), for a client on this machine. The token comes from
// the environment and is looked at anew with each call; what is said beside the protocol goes to standard error.
import process from "node:process";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { protocolServer } from "../../plugins/repository/mcp/protocol.ts";
import { importFolder } from "../adapters/import-folder.ts";
import { jsonLog } from "../adapters/log.ts";
import { signerOf } from "../ark/authentication.ts";
import { GUEST, type Viewer } from "../auth/account.ts";
import { type Config, type Env, readConfig } from "../config.ts";
import { repositoryAuthentication } from "../repository/people/repository-authentication.ts";
import { failed } from "../repository/tools/outcome.ts";
import { admits } from "../repository/tools/tool-gate.ts";
import type { ToolServer } from "../repository/tools/tool-server.ts";
import { isRefusal } from "../shared/refusal.ts";
import { asideThreads } from "./aside-threads.ts";
import { houseOf, openRepositoryWriter } from "./repository/house.ts";
import { toolServersOf } from "./repository/tools.ts";
import { tokensOf, toldTo } from "./role-parts.ts";
import { startFailure, untilSignal } from "./role-process.ts";
import { openStorage, requireStorage } from "./storage.ts";
import { PROGRAM_VERSION } from "./version.ts";

/** Serves until standard input ends or a signal comes; gives back the exit code. */
export async function runToolsOnStdio(env: Env): Promise<number> {
  const signal = untilSignal();
  try {
    const config = readConfig(env);
    // Standard output belongs to the protocol; the log goes to standard error, and only what is wrong.
    const log = jsonLog("warn");
    const store = await openRepositoryWriter(config, toldTo(config, log));
    const aside = asideThreads({ seconds: config.parseSeconds, log });
    const files = await openStorage(config, "command");
    await requireStorage(config, files, log);
    const house = houseOf({ config, store, files, log });
    const people = repositoryAuthentication({
      accounts: store.accounts,
      clock: house.clock,
      signer: config.auth.has("oauth2") ? signerOf(tokensOf(config)) : null,
    });
    const whoever = viewerOf(config, people.authenticate);
    const tools = gated(toolServersOf({ ...house, aside }, importFolder(config.stdioImportDir)).stdio, whoever);
    try {
      const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve));
      const serving = serveStdio(() =>
        protocolServer({ tools, version: PROGRAM_VERSION, note: () => {} }, { viewer: GUEST, isShown: () => true }),
      );
      await Promise.race([signal, ended]);
      await serving.close();
    } finally {
      house.texts.close();
      await house.search.close();
      await aside.close();
      await store.close();
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    return 1;
  }
}

const viewerOf =
  ({ mcpToken }: Config, authenticate: (authorization: string | null, address: string) => Promise<Viewer>) =>
  (): Promise<Viewer> =>
    authenticate(mcpToken === null ? null : `Bearer ${mcpToken}`, "");

/** Whoever the token stands for now, asked with each call, and the scopes it carries: there is nobody here to sign in. */
export function gated(tools: ToolServer, whoever: () => Promise<Viewer>): ToolServer {
  return {
    ...tools,
    async call(name, given, call) {
      const tool = tools.tools.get(name);
      if (tool === undefined) return null;
      const viewer = await whoever().catch((error: unknown) => {
        if (isRefusal(error, "unauthenticated")) return null;
        throw error;
      });
      if (viewer === null) {
        return failed({
          status: 401,
          message: "The token is not valid.",
          hint: "set SVC_MCP_TOKEN to a token of arkstone token add",
        });
      }
      const verdict = admits(tool, given, viewer.account === null ? null : (viewer.scopes ?? new Set()));
      if (!verdict.pass) {
        const { status, scope } = verdict;
        return status === 401
          ? failed({ status, message: "This tool needs a token.", hint: `set SVC_MCP_TOKEN to a token with ${scope}` })
          : failed({ status, message: `The token lacks ${scope}.`, hint: "make another token that has it" });
      }
      return await tools.call(name, given, { ...call, viewer });
    },
  };
}
