// The endpoint of the tool server on a separate port, for clients that are programs (R30): gate and handler of the
// product, with accounts and tokens of an empty repository, over whatever is spoken behind them. Without limits of
// rate, which the suites of others know nothing of.
import { frame } from "../../plugins/http/frame.ts";
import { repositoryGuard } from "../../plugins/repository/guard.ts";
import { type McpNeeds, mcpPlugin } from "../../plugins/repository/mcp/mcp.ts";
import { mcpDialect } from "../../plugins/repository/mcp/routes.ts";
import { behind, root } from "../../src/main/app.ts";
import { serve } from "../../src/main/process/serve.ts";
import { repositoryAuthentication } from "../../src/repository/people/repository-authentication.ts";
import { quietLog } from "./quiet-log.ts";
import { seededStore } from "./world/seeded.ts";

export async function mcpEndpoint(spoken: Pick<McpNeeds, "tools" | "load">) {
  const { store, clock, close } = await seededStore();
  const people = repositoryAuthentication({ accounts: store.accounts, clock, signer: null });
  const { authenticate, session } = people;
  const guard = repositoryGuard({ authenticate, session, bodyLimit: 1_000_000, clientSeconds: 30, rate: null });
  const rates = { guests: null, accounts: null };
  const needs = {
    guard,
    rates,
    baseUrl: "https://repo.example.org",
    origins: [],
    hosts: new Set<string>(),
    clientSeconds: 30,
    refused: () => {},
    ...spoken,
  };
  const fetch = frame({
    ...behind(root("mcp-endpoint").use(mcpPlugin(needs))),
    ...{ hot: null, own: null, refuse: mcpDialect, crossOrigin: false },
    ...{ rootPath: "", allowedHosts: new Set<string>(), trustedProxies: 0 },
    ...{ addressRate: null, load: { inFlight: 0, shed: 0, most: 0 } },
    ...{ accessLog: "off", log: quietLog, metrics: { observe: () => {}, countFast: () => {} }, tracing: null },
    elapsedMs: () => performance.now(),
  });
  const server = serve({ fetch, host: "127.0.0.1", port: 0 });
  return {
    url: `${server.url}/mcp`,
    async stop() {
      await server.stop(0);
      await close();
    },
  };
}
