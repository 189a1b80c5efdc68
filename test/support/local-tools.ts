// The tools of standard input and output (R30) in this very process, over the world of a test: what `arkstone mcp`
// calls once it has read a line.
import { afterAll, beforeAll } from "bun:test";
import { importFolder } from "../../src/adapters/import-folder.ts";
import { GUEST } from "../../src/auth/account.ts";
import { backgroundThreads } from "../../src/main/background-threads.ts";
import { gated } from "../../src/main/mcp/mcp-local.ts";
import { runtimeOf } from "../../src/main/repository/runtime.ts";
import { toolServersOf } from "../../src/main/repository/tools.ts";
import { repositoryAuthentication } from "../../src/repository/people/repository-authentication.ts";
import type { ToolReply } from "./tool-calls.ts";
import type { RepositoryWorld, Who } from "./world/repository.ts";

/** Over the world of a file or suite, for as long as it lives. `folderOf`: what files may be imported from. */
export function setUpLocalTools(
  world: RepositoryWorld,
  folderOf = () => world.folder,
): Pick<ReturnType<typeof localTools>, "call"> {
  let tools: ReturnType<typeof localTools> | null = null;
  beforeAll(() => {
    tools = localTools(world, folderOf());
  });
  afterAll(() => tools?.close());
  return {
    call(...given) {
      if (tools === null) throw new Error("The tools are there in tests only");
      return tools.call(...given);
    },
  };
}

function localTools(world: RepositoryWorld, folder: string) {
  const { people } = world;
  const { tools, authenticate, close } = toolServer(world, folder);

  return {
    /** @throws Error where there is no such tool. */
    async call(who: Who, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> {
      const token = who === null ? null : typeof who === "string" ? people[who].token : who.token;
      const asked = gated(tools, () => authenticate(token === null ? null : `Bearer ${token}`, ""));
      const result = await asked.call(name, args, { viewer: GUEST, progress: () => {} });
      if (result === null) throw new Error(`There is no tool ${name}`);
      return result;
    },
    close,
  };
}

/** The tools in this process; `folder`: what files may be imported from. */
export function toolServer({ parts, config, clock }: RepositoryWorld, folder: string) {
  const { store, files, log, search } = parts;
  const runtime = runtimeOf({ config, store, files, log, clock, ...(search === undefined ? {} : { search }) });
  const threads = backgroundThreads({ seconds: config.parseSeconds, log });
  return {
    tools: toolServersOf({ ...runtime, threads }, importFolder(folder)),
    authenticate: repositoryAuthentication({ accounts: store.accounts, clock, signer: null }).authenticate,
    async close(): Promise<void> {
      runtime.texts.close();
      await threads.close();
    },
  };
}
