// Puts the repository together: settings, database, storage, services, plugins (R1, R32).

import { openRepositoryStore } from "../../db/repository/store.ts";
import { repositoryGuard } from "../../plugins/repository/guard.ts";
import { cookies } from "../../plugins/repository/site/cookies.ts";
import { systemClock } from "../adapters/clock.ts";
import { openFileBytes } from "../adapters/file-bytes.ts";
import { completionSource } from "../adapters/metadata-completion.ts";
import { oidcSignIn } from "../adapters/oidc-sign-in.ts";
import { platformRandom } from "../adapters/random.ts";
import { unpacking } from "../adapters/unpacking.ts";
import { type Config, portOf, ratePerMinuteOf } from "../config.ts";
import { dayIn } from "../shared/day.ts";
import { metrics } from "../shared/metrics.ts";
import { StorageProblem } from "../storage/limits.ts";
import { withoutEnd } from "../shared/text-ends.ts";
import { randomText } from "../shared/secret-hash.ts";
import { peekRoot } from "../shared/xml/peek.ts";
import type { Clock, Random } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";
import type { CompletionName } from "../repository/deposit/completion-source.ts";
import type { RepositoryStore } from "../repository/store/store.ts";
import type { Tracing } from "../shared/tracing.ts";
import { accountSecretLookup, accountTokens } from "../repository/people/account-tokens.ts";
import { administration } from "../repository/administration/administration.ts";
import { authentication, signerOf } from "../ark/authentication.ts";
import { collectingFiles } from "../repository/deposit/garbage-collection.ts";
import { deposit } from "../repository/deposit/deposit.ts";
import { indexTree } from "../repository/index-tree/index-tree.ts";
import { treeItems } from "../repository/index-tree/items-of-deleted-indexes.ts";
import { indexTreeJobs } from "../repository/index-tree/tree-jobs.ts";
import { type Items, items } from "../repository/items/items.ts";
import { itemJobs } from "../repository/items/jobs.ts";
import type { JobRunner } from "../jobs/runner.ts";
import { metadataCompletion } from "../repository/deposit/metadata-completion.ts";
import { ownTokens } from "../repository/people/own-tokens.ts";
import { readiness } from "../operating/readiness.ts";
import {
  type RepositoryAuthentication,
  repositoryAuthentication,
} from "../repository/people/repository-authentication.ts";
import { setUpRepository } from "../repository/administration/repository-setup.ts";
import { tidyingJobs } from "../repository/administration/repository-tidying.ts";
import { showing } from "../repository/pages/repository-pages.ts";
import { signIn } from "../repository/people/sign-in.ts";
import { NotOurs, storageClaim } from "../repository/items/storage-claim.ts";
import { type Activities, activities } from "../repository/workflow/activities.ts";
import { activityViews } from "../repository/workflow/activity-views.ts";
import { type AsideThreads, asideThreads } from "./aside-threads.ts";
import { databaseThread } from "./database-thread.ts";
import { REPOSITORY_DOCUMENT } from "./documents.ts";
import { edgeGauges, edgeSettings, frameSettings, rateLimitOf } from "./edge-limits.ts";
import { eventLoopGauges } from "./event-loop.ts";
import {
  dataGauge,
  noPauses,
  type Pauses,
  pauseGauges,
  poolGauge,
  processGauges,
  refusedAttempts,
} from "./process-gauges.ts";
import { type RepositoryNeeds, repositoryApp } from "./repository-app.ts";
import { depositGauges, stockGauges, withStock } from "./repository-gauges.ts";
import { repositoryJobs } from "./repository-jobs.ts";
import { mintingCheck, repositoryWarnings } from "./repository-warnings.ts";
import { collectGarbage } from "./serve.ts";
import { type DatabaseNews, orStartError, type Service, toldTo, writingCheck } from "./role-parts.ts";
import { isShippedEntry, SETUP_STEPS } from "./setup-steps.ts";
import { type OpenedStorage, openStorage, requireStorage, storageCheck } from "./storage.ts";
import { versionOf } from "./version.ts";
import { whenWritable } from "./writable-database.ts";

export type RepositoryParts = {
  readonly config: Config;
  readonly store: RepositoryStore;
  readonly files: OpenedStorage;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly tracing?: Tracing | null;
  readonly pauses?: Pauses;
  /** Ended by whoever brings them; without them threads are started where something long needs one. */
  readonly aside?: AsideThreads;
};

/** The database of both halves, brought to the newest schema. Throws {@link StartError} when it cannot be had. */
export async function openRepositoryWriter(config: Config, told: DatabaseNews): Promise<RepositoryStore> {
  const { databaseUrl: url, dbPool: poolSize } = config;
  return await orStartError(config, () => openRepositoryStore({ url, poolSize, ...told }));
}

export async function openRepository(config: Config, log: Log, tracing: Tracing | null = null): Promise<Service> {
  const store = await openRepositoryWriter(config, { ...toldTo(config, log), thread: databaseThread });
  let own: OpenedStorage["own"] = null;
  try {
    const files = await openStorage(config, "serve");
    ({ own } = files);
    const isThere = await requireStorage(config, files, log);
    const { indexes, arks: credentials } = store;
    // With a role that is not its own it may not read what the warnings are about either: then /readyz says that.
    const isItself = (await credentials.writeProblem()) === null;
    const asked = { config, credentials, indexes, files, clock: systemClock };
    for (const warning of isItself ? await repositoryWarnings(asked) : []) log.warn("settings", { warning });
    const aside = asideThreads({ seconds: config.parseSeconds, log, collect: collectGarbage });
    const pauses = noPauses();
    const parts = { config, store, files, log, tracing, aside, pauses };
    const runner = config.jobs === "on" ? jobsOf(parts) : null;
    const beginning = whenWritable({ store, log, begin: () => beginWork(parts, isThere, runner) });
    const needs = repositoryNeeds(parts);
    return {
      handler: repositoryApp(needs),
      notReady: needs.notReady,
      pauses,
      start: beginning.start,
      close: async () => {
        await beginning.stop();
        await runner?.stop();
        await aside.close();
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
async function beginWork(parts: RepositoryParts, hasStorage: boolean, runner: JobRunner | null): Promise<void> {
  const { store, files } = parts;
  // The token of a first administrator is for a person: `up` and `arkstone user add` show one.
  await setUpRepository({
    store,
    clock: systemClock,
    random: platformRandom(),
    steps: SETUP_STEPS,
    administrator: false,
  });
  // What a process was at when it died may be sent again at once (R13).
  const ended = files.own?.ended ?? [];
  if (ended.length > 0) await store.transact((tx) => tx.activities.releaseReceiptsOf(ended));
  // One that is away is not waited for here: the sweep marks it when it is back.
  if (hasStorage) await settleStorage(parts);
  await runner?.start();
}

/** An empty storage is marked before the first file comes (R7c). Why another one is not ours is said by the sweep, each day. */
async function settleStorage({ store, files }: RepositoryParts): Promise<void> {
  const { storage, location } = files;
  try {
    await storageClaim({ storage, location, items: store.items, store, random: platformRandom() }).settle();
  } catch (error) {
    if (!(error instanceof NotOurs || error instanceof StorageProblem)) throw error;
  }
}

/** The repository over a store that is open already. */
export const composeRepository = (parts: RepositoryParts): Service["handler"] => repositoryApp(repositoryNeeds(parts));

/** The public address of the repository, without slash at the end. */
export function repositoryUrl(config: Config): string {
  const base = config.baseUrl ?? `http://${config.host}:${portOf(config, "repository")}${config.rootPath}`;
  return withoutEnd(base, "/");
}

/** Where an ARK (`naan/name`) resolves. */
export function arkUrlOf(config: Config): (ark: string) => string {
  const resolver = withoutEnd(config.resolverUrl ?? config.globalResolver ?? "https://n2t.net", "/");
  return (ark) => `${resolver}/ark:${ark}`;
}

/** The core of items as the settings have it. */
export function itemsOf({
  config,
  store,
  log,
  ...ports
}: Pick<RepositoryParts, "config" | "store" | "clock" | "random"> & Partial<Pick<RepositoryParts, "log">>): Items {
  const base = repositoryUrl(config);
  return items({
    store,
    clock: ports.clock ?? systemClock,
    random: ports.random ?? platformRandom(),
    timeZone: config.timeZone,
    landingPage: (id) => `${base}/records/${id}`,
    arkUrl: arkUrlOf(config),
    repositoryName: config.repositoryName,
    arkCredential: config.mintItemArks ? config.itemArkCredential : null,
    log,
  });
}

/** The runner of a process's jobs (R8, R8a): those of the storage, of items and of the index tree. */
export function jobsOf(parts: RepositoryParts): JobRunner {
  const { config, store, files, log, clock = systemClock, random = platformRandom() } = parts;
  const core = itemsOf(parts);
  const kinds = {
    ...itemJobs({ store, clock, timeZone: config.timeZone, items: core, log }),
    ...indexTreeJobs({ store, describe: core.describeFor }),
    ...tidyingJobs({ store, clock }),
  };
  return repositoryJobs({ store, files, clock, random, log }, kinds);
}

/** Services that complete metadata by DOI, as far as the settings name them (R14). */
function completionSources(config: Config) {
  const named: readonly (readonly [CompletionName, string | null])[] = [
    ["Crossref", config.completionCrossrefUrl],
    ["DataCite", config.completionDataciteUrl],
  ];
  return named.flatMap(([name, baseUrl]) =>
    baseUrl === null ? [] : [completionSource({ name, baseUrl, userAgent: `Arkstone/${versionOf().version}` })],
  );
}

/** Every service of the repository, and what its frame has to know. */
export function repositoryNeeds(parts: RepositoryParts): RepositoryNeeds {
  const { config, store, files, log, clock = systemClock, tracing = null, pauses = noPauses() } = parts;
  const figures = metrics();
  const edge = edgeSettings(config, store.arks.rates, log);
  const rate = rateLimitOf("credential", ratePerMinuteOf(config, "repository"), store.arks.rates, log);
  figures.add(
    ...processGauges(),
    ...pauseGauges(pauses),
    ...eventLoopGauges(),
    ...edgeGauges(edge.load, [rate, edge.addressRate]),
    dataGauge(config.dataDir),
  );
  const refused = refusedAttempts();
  figures.add(poolGauge(store.arks), refused.gauge);
  const tokens = tokensOf(config);
  const people = repositoryAuthentication({
    accounts: store.accounts,
    clock,
    signer: config.auth.has("oauth2") ? signerOf(tokens) : null,
    note: ({ cause, clientId }) => {
      refused.note("repository", cause);
      log.info("authentication_refused", { mode: "repository", cause, who: clientId });
    },
  });
  const clients = authentication({
    store: store.arks,
    accountBySecret: accountSecretLookup({ accounts: store.accounts, clock }),
    clock,
    modes: config.auth,
    tokens,
    oidc: null,
  });
  const aside = parts.aside ?? asideThreads({ seconds: config.parseSeconds, log, collect: collectGarbage });
  const doors = doorsOf({ ...parts, aside, noteRefused: refused.note }, people);
  const { incoming } = files;
  const elapsedMs = (): number => performance.now();
  const stock = stockGauges({ stock: store.stock, incoming, clock, elapsedMs });
  figures.add(...depositGauges(doors.sword.deposit.figures), ...aside.gauges, ...stock.gauges);
  return {
    ...frameSettings(config, log),
    ...edge,
    tracing,
    document: REPOSITORY_DOCUMENT,
    metrics: withStock(figures, stock),
    metricsPublic: config.metrics === "public",
    notReady: readiness([writingCheck(store.arks), storageCheck(files)], elapsedMs),
    degraded: readiness([mintingCheck({ config, credentials: store.arks, clock })], elapsedMs),
    clientSeconds: config.clientSeconds,
    issueToken: clients.issueToken,
    guard: repositoryGuard({
      authenticate: people.authenticate,
      session: people.session,
      bodyLimit: config.bodyLimitBytes,
      clientSeconds: config.clientSeconds,
      rate,
      secureCookies: isSecure(config),
    }),
    ...doors,
  };
}

function tokensOf(config: Config) {
  return {
    secret: config.tokenSecret === null ? null : new TextEncoder().encode(config.tokenSecret),
    issuer: config.tokenIssuer,
    ttlSeconds: config.tokenTtlSeconds,
  };
}

/** Browsers keep `__Host-` cookies behind https only. */
function isSecure(config: Config): boolean {
  return repositoryUrl(config).startsWith("https:");
}

/** Where people sign in with their organisation, when that is set; the settings were checked at start. */
function providerOf(config: Config, clock: Clock) {
  const { oidcIssuer, signInClientId, signInClientSecret } = config;
  if (oidcIssuer === null || signInClientId === null || signInClientSecret === null) return null;
  const provider = oidcSignIn({
    issuer: oidcIssuer,
    clientId: signInClientId,
    clientSecret: signInClientSecret,
    now: () => new Date(clock.now()),
  });
  return { provider, redirectUri: `${repositoryUrl(config)}/account/oidc/callback` };
}

type DoorParts = RepositoryParts & {
  readonly aside: AsideThreads;
  readonly noteRefused: (mode: string, cause: string) => void;
};

/** The pages for people (R32, R33). */
function siteOf(
  { config, store, files, log, aside, noteRefused }: DoorParts,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  core: Items,
  flow: Activities,
) {
  const baseUrl = repositoryUrl(config);
  const { repositoryName } = config;
  return {
    settings: { repositoryName, rootPath: config.rootPath, lang: config.lang },
    abstract: config.repositoryAbstract,
    storage: files.storage,
    showing: showing({
      store,
      items: core,
      activities: flow,
      today: core.today,
      repositoryName,
      baseUrl,
      arkUrl: arkUrlOf(config),
      exporting: aside.exporting,
    }),
    signIn: signIn({
      store,
      clock,
      random,
      oidc: providerOf(config, clock),
      note: ({ way, cause }) => {
        noteRefused(`sign-in by ${way}`, cause);
        log.info("sign_in_refused", { way, cause });
      },
    }),
    activities: flow,
    views: activityViews({ store, activities: flow }),
    ownTokens: ownTokens({ store, clock, tokens: accountTokens({ clock, random }) }),
    cookies: cookies(isSecure(config)),
    newFormToken: () => randomText(random.bytes(32)),
  };
}

const PROCESS_ID_LENGTH = 32;

/** The doors to the one core (R1). */
function doorsOf(parts: DoorParts, people: RepositoryAuthentication) {
  const { config, store, files, aside, clock = systemClock, random = platformRandom() } = parts;
  const core = itemsOf({ ...parts, random });
  const baseUrl = repositoryUrl(config);
  const dayOf = (at: string): string => dayIn(config.timeZone, at);
  const flow = activities({ store, clock, items: core.activityItems, dayOf });
  const door = deposit({
    storage: files.storage,
    incoming: collectingFiles(files.incoming, collectGarbage),
    store,
    clock,
    random,
    processId: files.own?.id ?? random.betanumerics(PROCESS_ID_LENGTH),
    log: parts.log,
    items: core,
    activities: flow,
    addresses: {
      baseUrl,
      landingPage: (id) => `${baseUrl}/records/${id}`,
      activityPage: (id) => `${baseUrl}/workflow/activity/detail/${id}`,
      arkUrl: arkUrlOf(config),
    },
    unpacking: unpacking(),
    parsing: aside.parsing,
    openFile: openFileBytes,
    rootElement: peekRoot,
    findOnBehalfOf: people.onBehalfOf,
    completion: metadataCompletion({ sources: completionSources(config) }).complete,
    timeZone: config.timeZone,
    maxUploadBytes: config.maxUploadBytes,
    rawBody: config.swordRawBody,
    onBehalfOf: config.swordOnBehalfOf,
    verifyDigest: config.swordVerifyDigest,
    defaultIndex: config.defaultIndex,
    maxConcurrent: config.maxConcurrentDeposits,
    perAccount: config.depositsPerAccount,
  });
  const statement = (url: string | null, text: string) => ({ url, description: text === "" ? null : text });
  return {
    sword: {
      deposit: door,
      clientSeconds: config.clientSeconds,
      leastBytesPerSecond: config.leastUploadRate,
      now: () => Date.parse(clock.now()),
      serviceDocument: {
        baseUrl,
        title: config.repositoryName,
        abstract: config.repositoryAbstract,
        collectionPolicy: statement(config.collectionPolicyUrl, config.collectionPolicyText),
        treatment: statement(config.treatmentUrl, config.treatmentText),
        maxUploadBytes: config.maxUploadBytes,
        minSegmentBytes: config.minSegmentBytes,
        onBehalfOf: config.swordOnBehalfOf,
      },
    },
    indexTree: {
      indexTree: indexTree({
        store,
        clock,
        today: () => dayOf(clock.now()),
        collect: collectGarbage,
        defaultIndex: config.defaultIndex,
        items: treeItems({
          deleteItem: async (tx, { viewer }, id) => void (await core.remove(tx, viewer, id)),
        }),
      }),
      legacyIndexCreate: config.legacyIndexCreate,
    },
    activities: { activities: flow, views: activityViews({ store, activities: flow }) },
    site: siteOf(parts, { clock, random }, core, flow),
    administration: administration({ store, clock, random, isShipped: isShippedEntry }),
  };
}
