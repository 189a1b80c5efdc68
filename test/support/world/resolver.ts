// A whole resolver: settings as an operator writes them, requests as a client sends them. Separate from the world of
// names because it has no store: over a replica in memory, where a test puts records, changes and outages by hand.
import type { Handler } from "../../../plugins/http/frame.ts";
import { readConfig } from "../../../src/config.ts";
import { composeResolver } from "../../../src/main/resolver/resolver.ts";
import { EMPTY_REGISTRY, type RegistryNaan } from "../../../src/resolver/registry.ts";
import type { TableRefresh } from "../../../src/resolver/table/table-refresh.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { type MemoryReplica, memoryReplica } from "../memory-replica.ts";
import { quietLog } from "../quiet-log.ts";

export const NOW = "2026-03-01T00:00:00.000Z";

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string };

type ResolverWorld = {
  readonly replica: MemoryReplica;
  readonly tables: TableRefresh;
  readonly handler: Handler;
  now: Instant;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Answer>;
};

type ResolverOptions = {
  /** Puts records into the replica. */
  readonly fill?: (replica: MemoryReplica) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** What the register of NAANs has. */
  readonly registered?: readonly RegistryNaan[];
};

export async function resolverWorld({
  fill = () => {},
  env = {},
  registered = [],
}: ResolverOptions = {}): Promise<ResolverWorld> {
  const replica = memoryReplica();
  fill(replica);
  const config = readConfig({ SVC_BASE_URL: "https://id.example.org", SVC_REFRESH_MS: "600000", ...env });
  const registry = { ...EMPTY_REGISTRY, naans: new Map(registered.map((each) => [each.naan, each])) };
  let now: Instant = NOW;
  const clock = { now: () => now };
  const { handler, tables } = await resolverOver({ config, replica, registry, clock });
  return {
    replica,
    tables,
    handler,
    get now() {
      return now;
    },
    set now(instant) {
      now = instant;
    },
    async get(path, headers = {}, method = "GET") {
      const request = new Request(`http://id.example.org${path}`, { method, headers });
      const response = await handler(request, { addressOf: () => "192.0.2.1" });
      return { status: response.status, headers: response.headers, body: await response.text() };
    },
  };
}

/**
 * A resolver that has just read its replica. Following the feed is left to the tests, so that nothing runs when they
 * are done.
 */
export async function resolverOver(needs: Omit<Parameters<typeof composeResolver>[0], "log">) {
  const composed = composeResolver({ ...needs, log: quietLog });
  await composed.tables.refreshNow();
  return composed;
}
