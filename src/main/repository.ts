// Puts the repository together: settings, database, storage, services, plugins (R1, R32).
import { openRepositoryStore } from "../../db/repository-store.ts";
import { repositoryGuard } from "../../plugins/repository-guard.ts";
import { systemClock } from "../adapters/clock.ts";
import { maskSecrets } from "../adapters/log.ts";
import { platformRandom } from "../adapters/random.ts";
import { type Config, ratePerMinuteOf } from "../config.ts";
import { metrics } from "../domain/metrics.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RepositoryStore } from "../ports/repository/store.ts";
import type { Tracing } from "../ports/tracing.ts";
import { authentication, signerOf } from "../services/authentication.ts";
import { repositoryAuthentication } from "../services/repository-authentication.ts";
import type { SetupStep } from "../services/repository-setup.ts";
import { REPOSITORY_DOCUMENT } from "./documents.ts";
import { edgeGauges, edgeSettings, rateLimitOf } from "./edge.ts";
import { dataGauge, processGauges } from "./process-gauges.ts";
import { type RepositoryNeeds, repositoryApp } from "./repository-app.ts";
import { frameSettings, type Service, StartError, within } from "./service.ts";

export type RepositoryParts = {
  readonly config: Config;
  readonly store: RepositoryStore;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly tracing?: Tracing | null;
};

/** What every start makes sure of; each part of the repository brings its own (src/services/repository-setup.ts). */
export const SETUP_STEPS: readonly SetupStep[] = [];

/** The database of both halves, brought to the newest schema. Throws {@link StartError} when it cannot be had. */
export async function openRepositoryWriter(config: Config, warn: (warning: string) => void): Promise<RepositoryStore> {
  try {
    return await openRepositoryStore({ url: config.databaseUrl, poolSize: config.dbPool, checked: warn });
  } catch (error) {
    const why = error instanceof Error && error.message !== "" ? error.message : String(error);
    throw new StartError(`Cannot open the database ${maskSecrets(config.databaseUrl)}: ${why}`, { cause: error });
  }
}

export async function openRepository(config: Config, log: Log, tracing: Tracing | null = null): Promise<Service> {
  const store = await openRepositoryWriter(config, (warning) => log.error("database_damaged", { warning }));
  return {
    handler: composeRepository({ config, store, log, tracing }),
    start: async () => {},
    close: () => store.close(),
  };
}

/** The repository over a store that is open already. */
export const composeRepository = (parts: RepositoryParts): Service["handler"] => repositoryApp(repositoryNeeds(parts));

/** Every service of the repository, and what its frame has to know. */
export function repositoryNeeds({ config, store, log, ...ports }: RepositoryParts): RepositoryNeeds {
  const { clock = systemClock, random = platformRandom(), tracing = null } = ports;
  void random;
  const figures = metrics();
  const edge = edgeSettings(config, store.arks.rates, log);
  const rate = rateLimitOf("credential", ratePerMinuteOf(config, "repository"), store.arks.rates, log);
  figures.add(...processGauges(), ...edgeGauges(edge.load, [rate, edge.addressRate]), dataGauge(config.dataDir));
  const tokens = {
    secret: config.tokenSecret === null ? null : new TextEncoder().encode(config.tokenSecret),
    issuer: config.tokenIssuer,
    ttlSeconds: config.tokenTtlSeconds,
  };
  const people = repositoryAuthentication({
    accounts: store.accounts,
    clock,
    signer: config.auth.has("oauth2") ? signerOf(tokens) : null,
    note: ({ cause, clientId }) => log.info("authentication_refused", { mode: "repository", cause, who: clientId }),
  });
  const clients = authentication({
    store: store.arks,
    accounts: store.accounts,
    clock,
    modes: config.auth,
    tokens,
    oidc: null,
  });
  return {
    ...frameSettings(config, log),
    ...edge,
    tracing,
    document: REPOSITORY_DOCUMENT,
    metrics: figures,
    metricsPublic: config.metrics === "public",
    notReady: async () => ((await within(() => store.ping())) ? [] : ["The database does not answer"]),
    clientSeconds: config.clientSeconds,
    issueToken: clients.issueToken,
    guard: repositoryGuard({
      authenticate: people.authenticate,
      session: people.session,
      bodyLimit: config.bodyLimitBytes,
      clientSeconds: config.clientSeconds,
      rate,
    }),
  };
}
