// What `arkstone mcp` works with on this machine (R30): the tools over the database and the storage of the settings,
// for the owner of the token.
import { importFolder } from "../../adapters/import-folder.ts";
import { signerOf } from "../../ark/authentication.ts";
import { GUEST, type Viewer } from "../../auth/account.ts";
import type { Config } from "../../config.ts";
import { repositoryAuthentication } from "../../repository/people/repository-authentication.ts";
import { failed } from "../../repository/tools/outcome.ts";
import { admits, passing, type ToolServer } from "../../repository/tools/tool-server.ts";
import type { Log } from "../../shared/log.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { backgroundThreads } from "../background-threads.ts";
import { databaseNews, tokensOf } from "../process/role-parts.ts";
import { openRepositoryWriter, runtimeOf } from "../repository/runtime.ts";
import { type ServedTools, toolServersOf } from "../repository/tools.ts";
import { openStorage, requireStorage } from "../storage.ts";

export type OpenedTools = {
  readonly tools: Pick<ToolServer, "call">;
  /** All there are, for addresses that are read and values that are offered, whichever of them are listed. */
  readonly all: Pick<ToolServer, "call">;
  readonly close: () => Promise<void>;
};

/** @throws StartError for a database or a storage that cannot be opened. */
export async function openLocalTools(config: Config, log: Log): Promise<OpenedTools> {
  const store = await openRepositoryWriter(config, databaseNews(config, log));
  try {
    const threads = backgroundThreads({ seconds: config.parseSeconds, log });
    const files = await openStorage(config, "command");
    await requireStorage(config, files, log);
    const runtime = runtimeOf({ config, store, files, log });
    const people = repositoryAuthentication({
      accounts: store.accounts,
      clock: runtime.clock,
      signer: config.auth.has("oauth2") ? signerOf(tokensOf(config)) : null,
    });
    const findViewer = viewerOf(config, people.authenticate);
    const localFiles = importFolder(config.stdioImportDir, [config.dataDir]);
    const { stdio, http, refused } = toolServersOf({ ...runtime, threads }, localFiles);
    return {
      tools: gated({ stdio, refused }, findViewer),
      all: gated({ stdio: http, refused }, findViewer),
      close: async () => {
        runtime.texts.close();
        await runtime.search.close();
        await threads.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const viewerOf =
  ({ mcpToken }: Config, authenticate: (authorization: string | null, address: string) => Promise<Viewer>) =>
  (): Promise<Viewer> =>
    authenticate(mcpToken === null ? null : `Bearer ${mcpToken}`, "");

/** Checks each call against the current owner of the token and its scopes: nobody signs in here. */
export function gated(
  { stdio: tools, refused }: Pick<ServedTools, "stdio" | "refused">,
  findViewer: () => Promise<Viewer>,
): ToolServer {
  return {
    ...tools,
    async call(name, given, call) {
      const tool = tools.tools.get(name);
      if (tool === undefined) return null;
      const viewer = await findViewer().catch((error: unknown) => {
        if (isRefusal(error, "unauthenticated")) return null;
        throw error;
      });
      if (viewer === null) {
        refused({ viewer: GUEST, tool, status: 401 });
        return failed({
          status: 401,
          message: "The token is not valid.",
          hint: "set SVC_MCP_TOKEN to a token of arkstone token add",
        });
      }
      const verdict = admits(tool, given, viewer.account === null ? null : (viewer.scopes ?? new Set()));
      if (!verdict.pass) {
        const { status, scope } = verdict;
        refused({ viewer, tool, status });
        return status === 401
          ? failed({ status, message: "This tool needs a token.", hint: `set SVC_MCP_TOKEN to a token with ${scope}` })
          : failed({ status, message: `The token lacks ${scope}.`, hint: "make another token that has it" });
      }
      return await tools.call(name, given, { ...call, viewer: passing(viewer, tool) });
    },
  };
}
