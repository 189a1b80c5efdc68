// The tool servers as a feature of the repository (R30): one table of tools over the use cases of all endpoints.
import { MCP_PATHS, mcpPlugin } from "../../../plugins/repository/mcp/mcp.ts";
import { mcpDialect } from "../../../plugins/repository/mcp/routes.ts";
import type { Viewer } from "../../auth/account.ts";
import { communities } from "../../repository/communities/communities.ts";
import { NO_OPTIONS } from "../../repository/exports/formats.ts";
import { shownToken, whoami } from "../../repository/people/whoami.ts";
import { communityTools } from "../../repository/tools/community-tools.ts";
import { fileTools, type OpenLocalFile } from "../../repository/tools/file-tools.ts";
import { hintFor } from "../../repository/tools/hints.ts";
import { namedThing, recordLookup } from "../../repository/tools/record-lookup.ts";
import { recordTools } from "../../repository/tools/record-tools.ts";
import { gatedTools, resourceReader } from "../../repository/tools/resource-reader.ts";
import { type ToolAudit, type ToolServer, toolAudit, toolServer } from "../../repository/tools/tool-server.ts";
import { type HttpHandlers, httpTools, STDIO_TOOLS, type StdioHandlers } from "../../repository/tools/tool-table.ts";
import { personTools, vocabularyTools } from "../../repository/tools/vocabulary-tools.ts";
import { vocabularyReading } from "../../repository/vocabularies/vocabulary-reading.ts";
import { root } from "../app.ts";
import { requireKnownTools } from "../mcp/served-tools.ts";
import { rateLimitOf } from "../process/edge-limits.ts";
import { PROGRAM_VERSION } from "../version.ts";
import type { Endpoint, Feature, Runtime, ServerRuntime } from "./feature.ts";
import { recordListsOf, recordsOf } from "./record-core.ts";
import { recordExportsOf } from "./record-exports.ts";
import { recordFilesOf } from "./record-files.ts";
import { requestsOf } from "./request-core.ts";

/** Calls a minute (R9); none are counted with SVC_RATE_PER_MINUTE=0. */
const RATES = { guests: 60, accounts: 600 } as const;

export const toolsFeature: Feature = {
  endpoint: (served) => (served.config.mcp === "off" ? { plugin: root("mcp-off") } : toolsEndpoint(served)),
};

/** In a separate process, whether the repository serves them or not. */
export const toolsAlone: Feature = { endpoint: (served) => toolsEndpoint(served) };

function toolsEndpoint(served: ServerRuntime): Endpoint {
  const { config, guard, store, log, addresses } = served;
  const rateOf = (perMinute: number) =>
    rateLimitOf("tools", config.ratePerMinute === 0 ? 0 : perMinute, store.arks.rates, log);
  const { http, stdio, refused } = toolServersOf(served, null);
  return {
    plugin: mcpPlugin({
      guard,
      baseUrl: addresses.baseUrl,
      clientSeconds: config.clientSeconds,
      origins: config.mcpOrigins,
      hosts: new Set([...config.allowedHosts, ...config.mcpHosts]),
      tools: http.tools,
      stdioTools: stdio.tools,
      isConstant: true,
      refused,
      rates: {
        guests: rateOf(RATES.guests),
        accounts: rateOf(RATES.accounts),
      },
      async load() {
        const { protocolServers } = await import("../../../plugins/repository/mcp/protocol.ts");
        return protocolServers({
          http,
          stdio,
          resourceReader: resourceReader(gatedTools(http)),
          version: PROGRAM_VERSION,
        });
      },
    }),
    dialectFor: (path) => (MCP_PATHS.test(path) ? mcpDialect : null),
  };
}

/** What the tools are made from: no endpoint, so that they also run in a process that answers nobody else. */
export type ToolRuntime = Runtime & Pick<ServerRuntime, "threads">;

export type ServedTools = Pick<ToolAudit, "refused"> & { readonly http: ToolServer; readonly stdio: ToolServer };

/** `localFile`: reads a file of this machine for add_file; null where none may be. */
export function toolServersOf(served: ToolRuntime, localFile: OpenLocalFile | null): ServedTools {
  const { store, clock, random, items, config, addresses, files, log } = served;
  requireKnownTools(config);
  const { baseUrl } = addresses;
  const core = recordsOf(served);
  const ofCommunity = communities({ store, clock, random, baseUrl });
  const lists = recordListsOf(served, core);
  const exports = recordExportsOf(served);
  const recordFiles = recordFilesOf(served);
  const idOf = recordLookup({ store, items, baseUrl });
  const ofRecords = recordTools({
    records: core,
    lists,
    items,
    store,
    files: recordFiles,
    idOf,
    clock,
    random,
    communityOf: async (viewer, named) =>
      (await ofCommunity.read(viewer, namedThing(named, "communities", baseUrl))).id,
    exports: (viewer, id, format) =>
      core.inWords(viewer, async () => exports.write(viewer, await items.readable(viewer, id), format, NO_OPTIONS)),
  });
  const ofFiles = fileTools({ files: recordFiles, records: core, storage: files.storage, idOf, baseUrl, localFile });
  const countRecords = (viewer: Viewer, community: string): Promise<number> =>
    lists.count(viewer, { kind: "community", community });
  const ofCommunities = communityTools({
    records: core,
    lists,
    store,
    idOf,
    countRecords,
    baseUrl,
    communities: ofCommunity,
    requests: requestsOf(served),
  });
  const placeholderDomain = config.placeholderEmailDomain;
  const http: HttpHandlers = {
    ...ofRecords.http,
    ...ofFiles.http,
    ...ofCommunities,
    ...vocabularyTools({
      vocabularies: vocabularyReading({ vocabularies: store.communities, authors: store.authors, clock }),
    }),
    ...personTools({
      lists,
      whoami: (viewer) => whoami({ communities: store.communities, placeholderDomain }, viewer),
      shownToken: (viewer) => shownToken(store, viewer),
      profileUrl: `${baseUrl}/account/tokens`,
    }),
  };
  const stdio: StdioHandlers = { ...ofRecords.stdio, ...ofFiles.stdio };
  const { mcpTools } = config;
  const audit = toolAudit({ store, clock, log });
  return {
    http: audit.over(toolServer(httpTools(config), http, hintFor, mcpTools)),
    stdio: audit.over(toolServer(STDIO_TOOLS, stdio, hintFor, mcpTools)),
    refused: audit.refused,
  };
}
