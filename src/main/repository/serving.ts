// `arkstone repository`: the features of the list as one server over one database and one storage (R1, R32).
import { docs } from "../../../plugins/http/docs.ts";
import { arkDialect } from "../../../plugins/http/errors.ts";
import { frame, type Handler } from "../../../plugins/http/frame.ts";
import { operations } from "../../../plugins/http/operations.ts";
import { schemas } from "../../../plugins/http/schemas.ts";
import { recordsDialect } from "../../../plugins/repository/errors.ts";
import { repositoryGuard } from "../../../plugins/repository/guard.ts";
import { canonicalPath } from "../../../plugins/repository/record-dialect.ts";
import { systemClock } from "../../adapters/clock.ts";
import { signerOf } from "../../ark/authentication.ts";
import { type Config, ratePerMinuteOf } from "../../config.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { readiness } from "../../operating/readiness.ts";
import { setUpRepository } from "../../repository/administration/repository-setup.ts";
import { NotOurs, storageClaim } from "../../repository/items/storage-claim.ts";
import { linksNow } from "../../repository/people/current-viewer.ts";
import { repositoryAuthentication } from "../../repository/people/repository-authentication.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { RateLimit } from "../../shared/http/rate-limit.ts";
import type { Log } from "../../shared/log.ts";
import { metrics } from "../../shared/metrics.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Tracing } from "../../shared/tracing.ts";
import { StorageProblem } from "../../storage/limits.ts";
import { type App, behind, root } from "../app.ts";
import { type BackgroundThreads, backgroundThreads } from "../background-threads.ts";
import { databaseThread } from "../database-thread.ts";
import { repositoryDocument } from "../openapi/documents.ts";
import { edgeGauges, edgeSettings, frameSettings, rateLimitOf } from "../process/edge-limits.ts";
import { eventLoopGauges } from "../process/event-loop.ts";
import { collectGarbageSoon, shrinkHeap } from "../process/garbage.ts";
import { collectWhenGrown, releaseWhenIdle } from "../process/idle-memory.ts";
import {
  dataGauge,
  type ListenerState,
  listenerGauges,
  newListenerState,
  poolGauge,
  processGauges,
  refusedAttempts,
} from "../process/process-gauges.ts";
import { databaseNews, type Service, tokensOf, writingCheck } from "../process/role-parts.ts";
import { whenWritable } from "../process/writable-database.ts";
import { type OpenedStorage, openStorage, requireStorage } from "../storage.ts";
import { PROGRAM_VERSION } from "../version.ts";
import type { Dialect, Endpoint, Feature, Runtime, ServerRuntime } from "./feature.ts";
import { jobsOf, REPOSITORY, SETUP_STEPS, TOOLS_ALONE } from "./repository.ts";
import { withCounts } from "./repository-gauges.ts";
import { repositoryWarnings } from "./repository-warnings.ts";
import { openRepositoryWriter, type RuntimeParts, runtimeOf } from "./runtime.ts";

export type RepositoryParts = RuntimeParts & {
  readonly tracing?: Tracing | null;
  readonly listenerState?: ListenerState;
  /** Closed by the caller; without them threads are started where something long needs one. */
  readonly threads?: BackgroundThreads;
};

/** What a process serves: the whole repository, or a part of it next to other processes. */
type Scope = {
  readonly features: readonly Feature[];
  /** What is written before anybody is answered, and the jobs; a part leaves both to the repository. */
  readonly isWhole: boolean;
};

const WHOLE: Scope = { features: REPOSITORY, isWhole: true };
const TOOLS: Scope = { features: TOOLS_ALONE, isWhole: false };

type OpenService = (config: Config, log: Log, tracing?: Tracing | null) => Promise<Service>;

export const openRepository: OpenService = (config, log, tracing = null) => open(config, log, tracing, WHOLE);

/** `arkstone mcp --http`: the tool servers over HTTP in a separate process (R30). */
export const openTools: OpenService = (config, log, tracing = null) => open(config, log, tracing, TOOLS);

async function open(config: Config, log: Log, tracing: Tracing | null, scope: Scope): Promise<Service> {
  const store = await openRepositoryWriter(config, { ...databaseNews(config, log), thread: databaseThread });
  let own: OpenedStorage["own"] = null;
  try {
    const files = await openStorage(config, "serve");
    ({ own } = files);
    const isThere = await requireStorage(config, files, log);
    const { indexes, arks: credentials } = store;
    // With another database role it may not read what the warnings are about either: then /readyz reports that.
    const isItself = (await credentials.writeProblem()) === null;
    const asked = { config, credentials, indexes, files, clock: systemClock };
    for (const warning of isItself ? await repositoryWarnings(asked) : []) log.warn("settings", { warning });
    const collect = (): void => {
      credentials.rest();
      collectGarbageSoon();
    };
    const threads = backgroundThreads({ seconds: config.parseSeconds, log, collect });
    const stopReleasing = releaseWhenIdle(() => {
      credentials.rest();
      shrinkHeap();
    });
    const stopCollecting = collectWhenGrown(collectGarbageSoon);
    const listenerState = newListenerState();
    const runtime = runtimeOf({ config, store, files, log });
    const runner = scope.isWhole && config.jobs === "on" ? jobsOf(runtime) : null;
    const begin = (): Promise<void> => (scope.isWhole ? beginWork(runtime, isThere, runner) : beginSearch(runtime));
    const beginning = whenWritable({ store, log, begin });
    const { handler, notReady } = serve(runtime, { tracing, threads, listenerState, features: scope.features });
    return {
      handler,
      notReady,
      listenerState,
      start: beginning.start,
      close: async () => {
        stopReleasing();
        stopCollecting();
        await beginning.stop();
        await runner?.stop();
        runtime.texts.close();
        await runtime.search.close();
        await runtime.usage.close();
        await threads.close();
        await files.own?.close();
        await store.close();
      },
    };
  } catch (error) {
    await own?.close();
    await store.close();
    throw error;
  }
}

/** What a repository writes before it answers anybody, and its jobs. */
async function beginWork(runtime: Runtime, hasStorage: boolean, runner: JobRunner | null): Promise<void> {
  const { store, files, clock, random } = runtime;
  // The token of a first administrator is for a person: `up` and `arkstone user add` show one.
  await setUpRepository({
    store,
    clock,
    random,
    steps: SETUP_STEPS,
    administrator: false,
  });
  // What a process was at when it died may be sent again at once (R13).
  const ended = files.own?.ended ?? [];
  if (ended.length > 0) await store.transact((tx) => tx.activities.releaseReceiptsOf(ended));
  // One that is away is not waited for here: the sweep marks it when it is back.
  if (hasStorage) await settleStorage(runtime);
  await runner?.start();
  await beginSearch(runtime);
}

/** It may have much to read: requests meanwhile wait or get an answer that states it. */
async function beginSearch({ search }: Runtime): Promise<void> {
  void search.start();
}

/**
 * An empty storage is marked before the first file comes (R7c). Why another one is not ours is reported by the daily
 * sweep.
 */
async function settleStorage({ store, files, random }: Runtime): Promise<void> {
  const { storage, location } = files;
  try {
    await storageClaim({ storage, location, items: store.items, store, random }).settle();
  } catch (error) {
    if (!(error instanceof NotOurs || error instanceof StorageProblem)) throw error;
  }
}

/** The repository over a store that is open already. */
export const composeRepository = (parts: RepositoryParts): Handler => serve(runtimeOf(parts), parts).handler;

/** Its routes, which the interface description is made from. */
export const repositoryRoutes = (parts: RepositoryParts): App => assembled(runtimeOf(parts), parts).routes;

type OptionalParts = Pick<RepositoryParts, "tracing" | "listenerState" | "threads"> & Partial<Pick<Scope, "features">>;

function assembled(
  runtime: Runtime,
  { tracing = null, listenerState = newListenerState(), features = REPOSITORY, ...given }: OptionalParts,
) {
  const { config, store, log } = runtime;
  const { figures, edge, rate, noteRefused } = measured(runtime, listenerState);
  const threads =
    given.threads ?? backgroundThreads({ seconds: config.parseSeconds, log, collect: collectGarbageSoon });
  const served: ServerRuntime = { ...runtime, ...gatesOf(runtime, rate, noteRefused), threads, noteRefused };
  const endpoints = features.flatMap(({ endpoint }) => endpoint?.(served) ?? []);
  figures.add(...endpoints.flatMap(({ gauges = [] }) => gauges));
  const counted = features.flatMap(({ gauges }) => gauges?.(served) ?? []);
  figures.add(...counted.flatMap(({ gauges }) => gauges));
  const elapsedMs = (): number => performance.now();
  const ready = features.flatMap((feature) => feature.ready?.(runtime) ?? []);
  const needs = {
    ...frameSettings(config, log),
    version: PROGRAM_VERSION,
    ...edge,
    tracing,
    document: repositoryDocument,
    docsTitle: `${config.repositoryName}: interfaces`,
    docsIcon: "../favicon.ico",
    metrics: withCounts(figures, {
      refresh: async () => void (await Promise.all(counted.map(({ refresh }) => refresh()))),
    }),
    metricsPublic: config.metrics === "public",
    notReady: readiness([writingCheck(store.arks), ...ready], elapsedMs),
    degraded: readiness(
      features.flatMap((feature) => feature.degraded?.(runtime) ?? []),
      elapsedMs,
    ),
  };
  const running: App = root("repository").use(operations(needs));
  // The description is the repository's: who serves a part of it shows none.
  const base = features === REPOSITORY ? running.use(docs(needs)).use(schemas(needs)) : running;
  const routes = endpoints.reduce<App>((app, { plugin }) => app.use(plugin), base);
  return { endpoints, needs, routes };
}

function serve(runtime: Runtime, parts: OptionalParts) {
  const { endpoints, needs, routes } = assembled(runtime, parts);
  const refuse = (refusal: Refusal, request: Request): Response | Promise<Response> => {
    const path = new URL(request.url).pathname.slice(runtime.config.rootPath.length);
    return dialectOf(endpoints, path, request)(ofVersion(refusal, path), request);
  };
  const handler = frame({
    ...needs,
    ...behind(routes),
    canonicalPath,
    hot: null,
    own: null,
    refuse,
    crossOrigin: false,
  });
  return { handler, notReady: needs.notReady };
}

/** The metrics of every process, and what counts into them. */
function measured({ config, store, log }: Runtime, listenerState: ListenerState) {
  const figures = metrics();
  const edge = edgeSettings(config, store.arks.rates, log);
  const rate = rateLimitOf("credential", ratePerMinuteOf(config, "repository"), store.arks.rates, log);
  const refused = refusedAttempts();
  figures.add(
    ...processGauges(),
    ...listenerGauges(listenerState),
    ...eventLoopGauges(),
    ...edgeGauges(edge.load, [rate, edge.addressRate]),
    dataGauge(config.dataDir),
    poolGauge(store.arks),
    refused.gauge,
  );
  return { figures, edge, rate, noteRefused: refused.note };
}

/** Who is let in: the same guard protects every endpoint. */
function gatesOf(runtime: Runtime, rate: RateLimit | null, noteRefused: ServerRuntime["noteRefused"]) {
  const { config, store, clock, log, addresses } = runtime;
  const people = repositoryAuthentication({
    accounts: store.accounts,
    grants: store.grants,
    clock,
    signer: config.auth.has("oauth2") ? signerOf(tokensOf(config)) : null,
    noteUse: (hash, at) =>
      store
        .transact((tx) => tx.profiles.touchSession(hash, at))
        // A page is shown also while nothing can be written.
        .catch((error: unknown) => log.info("session_use_not_noted", { error: errorMessage(error) })),
    note: ({ cause, clientId }) => {
      noteRefused("repository", cause);
      log.info("authentication_refused", { mode: "repository", cause, who: clientId });
    },
  });
  const guard = repositoryGuard({
    authenticate: people.authenticate,
    session: people.session,
    bodyLimit: config.bodyLimitBytes,
    clientSeconds: config.clientSeconds,
    rate,
    links: (hashes) => linksNow(store, hashes, clock.now()),
    secureCookies: addresses.isSecure,
  });
  return { guard, onBehalfOf: people.onBehalfOf };
}

/** Unknown routes, methods and hosts are refused in the shape of the requested interface (R9). */
/** What every process has: its refusals are those of the other roles. */
const EVERY_PROCESS = /^\/(?:healthz|readyz|metrics|schemas\/.*|api\/(?:openapi\.json|docs|redoc))$/;

function dialectOf(endpoints: readonly Endpoint[], path: string, request: Request): Dialect {
  for (const { dialectFor } of endpoints) {
    const dialect = dialectFor?.(path, request) ?? null;
    if (dialect !== null) return dialect;
  }
  return EVERY_PROCESS.test(path) ? arkDialect : recordsDialect;
}

const VERSIONED_PATHS = /^\/api\/([^/]+)\/(?:workflow|admin|records)(?:\/|$)/;

/** An interface that exists, asked under a version that does not (R9). */
function ofVersion(refusal: Refusal, path: string): Refusal {
  const version = VERSIONED_PATHS.exec(path)?.[1];
  if (refusal.kind !== "not_found" || version === undefined || version === "v1") return refusal;
  return new Refusal("invalid", "This API version does not found", { headers: refusal.headers });
}
