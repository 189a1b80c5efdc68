// Puts the minter together: settings, database, services, plugins (specification 1, "What the service does" 6).

import { guard } from "../../../plugins/ark/guard.ts";
import { systemClock } from "../../adapters/clock.ts";
import { oidcKeys } from "../../adapters/oidc-keys.ts";
import { platformRandom } from "../../adapters/random.ts";
import { arkQueries } from "../../ark/ark-queries.ts";
import { type AuthenticationNeeds, authentication } from "../../ark/authentication.ts";
import { lifecycle } from "../../ark/lifecycle.ts";
import { type Minting, minting } from "../../ark/minting.ts";
import type { Store } from "../../ark/store.ts";
import { type Config, ratePerMinuteOf } from "../../config.ts";
import { readiness } from "../../operating/readiness.ts";
import { accountSecretLookup } from "../../repository/people/account-tokens.ts";
import type { Log } from "../../shared/log.ts";
import { metrics } from "../../shared/metrics.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Tracing } from "../../shared/tracing.ts";
import { minterDocument } from "../openapi/documents.ts";
import { edgeGauges, edgeSettings, frameSettings, rateLimitOf } from "../process/edge-limits.ts";
import { eventLoopGauges } from "../process/event-loop.ts";
import {
  dataGauge,
  type ListenerState,
  listenerGauges,
  newListenerState,
  poolGauge,
  processGauges,
  refusedAttempts,
} from "../process/process-gauges.ts";
import { openWriter, type Service, tokensOf, writingCheck } from "../process/role-parts.ts";
import { PROGRAM_VERSION } from "../version.ts";
import { type MinterNeeds, minterApp } from "./minter-app.ts";

type MinterParts = {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly tracing?: Tracing | null;
  readonly listenerState?: ListenerState;
};

/** Opens the database (bringing it to the newest schema) and builds the minter over it. */
export async function openMinter(config: Config, log: Log, tracing: Tracing | null = null): Promise<Service> {
  const store = await openWriter(config, log);
  const listenerState = newListenerState();
  const needs = minterNeeds({ config, store, log, tracing, listenerState });
  return {
    handler: minterApp(needs),
    notReady: needs.notReady,
    listenerState,
    start: async () => {},
    close: () => store.close(),
  };
}

/** The minter over a store that is open already. */
export const composeMinter = (parts: MinterParts): Service["handler"] => minterApp(minterNeeds(parts));

/** Every service of the minter, and what its frame has to know. */
export function minterNeeds({ config, store, log, ...ports }: MinterParts): MinterNeeds {
  const { clock = systemClock, random = platformRandom(), tracing = null, listenerState = newListenerState() } = ports;
  const limits = { bulkRows: config.bulkLimit, holdMaxDays: config.holdMaxDays };
  const refused = refusedAttempts();
  const auth = authentication(authenticationNeeds(config, store, clock, log, refused.note));
  const making = minting({ store, clock, random, limits });
  const figures = metrics();
  const edge = edgeSettings(config, store.rates, log);
  const rate = rateLimitOf("credential", ratePerMinuteOf(config, "minter"), store.rates, log);
  figures.add(
    ...processGauges(),
    ...listenerGauges(listenerState),
    ...eventLoopGauges(),
    ...edgeGauges(edge.load, [rate, edge.addressRate]),
    dataGauge(config.dataDir),
  );
  figures.add(...mintingGauges(making), poolGauge(store), refused.gauge);
  return {
    ...frameSettings(config, log),
    version: PROGRAM_VERSION,
    ...edge,
    tracing,
    document: minterDocument,
    metrics: figures,
    metricsPublic: config.metrics === "public",
    notReady: readiness([writingCheck(store)], () => performance.now()),
    csvGuarded: config.csvGuard,
    guard: guard({
      authenticate: auth.authenticate,
      requireScope: auth.requireScope,
      bodyLimit: config.bodyLimitBytes,
      clientSeconds: config.clientSeconds,
      rate,
    }),
    minting: making,
    lifecycle: lifecycle({ store, clock, limits }),
    arkQueries: arkQueries({ store, clock, limits }),
    clock,
    clientSeconds: config.clientSeconds,
    issueToken: auth.issueToken,
  };
}

function authenticationNeeds(
  config: Config,
  store: Store,
  clock: Clock,
  log: Log,
  note: (mode: string, cause: string) => void,
): AuthenticationNeeds {
  const { oidcIssuer, oidcAudience } = config;
  const keysNeeds = {
    jwksUrl: config.oidcJwksUrl,
    onFailure: (error: string) => log.warn("oidc_keys_unreadable", { error }),
  };
  return {
    store,
    accountBySecret: accountSecretLookup({ accounts: store.accounts, clock }),
    clock,
    modes: config.auth,
    tokens: tokensOf(config),
    oidc:
      oidcIssuer === null || oidcAudience === null
        ? null
        : { issuer: oidcIssuer, audience: oidcAudience, keys: oidcKeys({ issuer: oidcIssuer, ...keysNeeds }) },
    log: ({ event, mode, cause, who }) => {
      note(mode, cause);
      log.info(event, { mode, cause, who });
    },
  };
}

function mintingGauges(making: Minting) {
  const counter = (name: string, help: string, read: () => number) => ({
    name,
    help,
    type: "counter" as const,
    read: () => [{ value: read() }],
  });
  return [
    counter("arkstone_minted_total", "Names minted since the start", () => making.counters().minted),
    counter(
      "arkstone_registered_total",
      "Qualified names registered since the start",
      () => making.counters().registered,
    ),
    counter("arkstone_imported_total", "Names imported since the start", () => making.counters().imported),
    counter("arkstone_replayed_total", "Calls answered from a receipt", () => making.counters().replayed),
    counter("arkstone_mint_collisions_total", "Random names that were taken", () => making.counters().collisions),
    counter("arkstone_blades_grown_total", "Times the blade of a shoulder grew", () => making.counters().bladesGrown),
    counter("arkstone_mint_groups_total", "Transactions that wrote single mints", () => making.counters().groups),
    counter("arkstone_mint_grouped_total", "Single mints written in groups", () => making.counters().grouped),
  ];
}
