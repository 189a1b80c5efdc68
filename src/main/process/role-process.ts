// Runs one role as a process: settings, listener, signals (decisions "Settings"; A49).
import { resolve } from "node:path";
import process from "node:process";
import { describeError, jsonLog, maskSecrets, throttledLog } from "../../adapters/log.ts";
import {
  type Config,
  ConfigError,
  type Env,
  portOf,
  readConfig,
  refuseForRole,
  type ServerRole,
} from "../../config.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import { inTime } from "../../shared/time/event-loop.ts";
import type { Tracing } from "../../shared/tracing.ts";
import { CHILD_MARK } from "../child-process.ts";
import { proxyHeaders } from "../lane/proxy-start.ts";
import { isInFront } from "../lane/resolver-lane.ts";
import { openMinter } from "../minter/minter.ts";
import { openRepository, openTools } from "../repository/serving.ts";
import { openResolver } from "../resolver/resolver.ts";
import { filesLocation } from "../storage.ts";
import { startWatchdog } from "../watchdog.ts";
import { certificateFiles, readCertificate, watchCertificate } from "./certificate.ts";
import { openFilesLimit } from "./connection-limit.ts";
import type { ListenerState } from "./process-gauges.ts";
import { databaseLocation, requireReadable, type Service, StartError, wordsOf } from "./role-parts.ts";
import { claimPort, ListenError, type Server, serve } from "./serve.ts";
import { openTracing } from "./tracing.ts";
import { untilSignal } from "./until-signal.ts";

const NO_RESOLUTION =
  "SVC_RESOLVER=0 is not allowed for the resolver: resolution routes exist only with SVC_RESOLVER=1; leave it out, `arkstone resolver` sets it";

const NO_PROXY_HEADERS =
  "SVC_PROXY_PROTOCOL=1 is not allowed on Deno, whose server reads no PROXY header: run on Bun, or let the front send X-Forwarded-For (SVC_TRUSTED_PROXIES)";

/** How long requests in flight may go on after a signal. */
const GRACE_MS = 10_000;
const LEAVE_MS = 200;
/** How long closing may take after a failed start: threads that have not started may not answer. */
const CLOSE_MS = 5_000;

type RunningRole = { readonly server: Server; readonly stop: () => Promise<void> };

const OPEN: Readonly<Record<ServerRole, (config: Config, log: Log, tracing: Tracing | null) => Promise<Service>>> = {
  minter: openMinter,
  resolver: openResolver,
  repository: openRepository,
  tools: openTools,
};

/** Starts a role in this process. @throws ConfigError, ListenError, or the error of the database. */
export async function startRole(
  role: ServerRole,
  config: Config,
  log: Log,
  tracing: Tracing | null = null,
): Promise<RunningRole> {
  refuseForRole(config, role);
  if (config.proxyProtocol && "Deno" in globalThis) throw new ConfigError([NO_PROXY_HEADERS]);
  if (role === "resolver" && !config.resolver) throw new ConfigError([NO_RESOLUTION]);
  if (role === "resolver") await requireReadable(config, (warning) => log.error("database_damaged", { warning }));
  const files = certificateFiles(config);
  const first = files === null ? null : await readCertificate(files, new Date());
  const service: Service = await OPEN[role](config, log, tracing);
  let watch: ReadinessWatch | null = null;
  let server: Server | null = null;
  service.listenerState.certificateExpires = first?.expires ?? null;
  try {
    const { threads } = service;
    let port = portOf(config, role);
    if (threads !== undefined && (port === 0 || !config.sharePort)) port = await claimPort(config.host, port);
    await service.start();
    // A resolver loads its table after it listens, and logs that itself.
    if (role !== "resolver") watch = await watchReadiness(role, service.notReady, log);
    const sharePort = config.sharePort || threads !== undefined;
    const opened = serve({
      fetch: service.handler,
      lane: service.lane,
      inOrder: isInFront(config),
      certificate: first,
      proxyHeaders: proxyHeaders(config, log),
      host: config.host,
      port,
      sharePort,
      clientSeconds: config.clientSeconds,
      onPause: reportPauses(service.listenerState, log),
    });
    server = opened;
    await threads?.listen(opened.port, first);
    const replace = opened.useCertificate;
    const certificates =
      files === null || first === null || replace === null
        ? null
        : watchCertificate({
            ...{ files, first, log, now: () => new Date() },
            onChange(next) {
              replace(next);
              threads?.useCertificate(next);
              service.listenerState.certificateExpires = next.expires;
            },
          });
    return {
      server: opened,
      stop: async () => {
        watch?.stop();
        certificates?.stop();
        await Promise.all([opened.stop(GRACE_MS), threads?.stop(GRACE_MS)]);
        await service.close();
        await tracing?.close();
      },
    };
  } catch (error) {
    watch?.stop();
    await inTime(Promise.all([server?.stop(0), service.close()]), CLOSE_MS, () => {});
    throw error;
  }
}

/**
 * Pauses come one after the other while the limit is reached: two lines a minute tell of them, the figures count each.
 */
const PAUSE_REPORT_MS = 60_000;

function reportPauses(listenerState: ListenerState, log: Log): (isPaused: boolean) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let isReported = false;
  return (isPaused) => {
    listenerState.isPaused = isPaused;
    if (isPaused) {
      listenerState.times += 1;
      isReported = performance.now() - reportedAt > PAUSE_REPORT_MS;
      if (!isReported) return;
      reportedAt = performance.now();
      log.warn("accepting_paused", { reason: TOO_MANY_FILES, limit: openFilesLimit() });
    } else if (isReported) log.info("accepting_again", { ms: Math.round(performance.now() - reportedAt) });
  };
}

const TOO_MANY_FILES =
  "Too few files and sockets may still be opened: new connections are refused (LimitNOFILE, ulimit -n)";

type ReadinessWatch = { readonly stop: () => void };

const WATCH_MS = 2_000;

/** Logs at the start why a role that writes cannot, once, and when it can. Afterwards /readyz reports it. */
async function watchReadiness(
  role: ServerRole,
  notReady: Service["notReady"],
  log: Log,
): Promise<ReadinessWatch | null> {
  const reasons = await notReady();
  if (reasons.length === 0) return null;
  log.error("not_ready", { role, reasons });
  const timer = setInterval(async () => {
    if ((await notReady()).length > 0) return;
    clearInterval(timer);
    log.info("ready", { role });
  }, WATCH_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Where a role has its rows, and its files where it keeps any. */
export function locationsOf(
  config: Config,
  role: ServerRole,
): { readonly database: string; readonly storage?: string } {
  if (role === "resolver") return { database: databaseLocation(config.replicaUrl ?? config.databaseUrl) };
  const database = databaseLocation(config.databaseUrl);
  if (role === "minter") return { database };
  const { kind, where } = filesLocation(config);
  return { database, storage: kind === "folder" ? resolve(where) : where };
}

/** Runs a role until a signal ends it; returns the exit code. All its output goes to standard error. */
export async function runServer(role: ServerRole, env: Env): Promise<number> {
  let log = jsonLog("info");
  try {
    const config = readConfig(settingsOf(role, env));
    log = throttledLog(jsonLog(config.logLevel));
    for (const warning of config.warnings) log.warn("settings", { warning });
    const running = await startRole(role, config, log, await openTracing(role, env, log));
    const watchdog = isWatched(role) ? startWatchdog(log) : null;
    // Listened for before anybody learns that the role is there: a signal that comes at once must not kill it.
    const signalled = untilSignal();
    // `up` learns from this line that a child of it listens: it needs it at every log level.
    const announce = process.env[CHILD_MARK] === undefined ? log : jsonLog("info");
    announce.info("listening", {
      role,
      url: running.server.url,
      port: running.server.port,
      ...locationsOf(config, role),
    });
    const signal = await signalled;
    watchdog?.ending();
    log.info("stopping", { role, signal });
    await running.stop();
    watchdog?.stop();
    log.info("stopped", { role });
    leave(0);
    return 0;
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    log.debug("start_failed", { role, error });
    leave(1);
    return 1;
  }
}

/**
 * Ends a process in which only unneeded work is left: a late request, the pipe to its parent, a thread that does not
 * start.
 */
export function leave(code: number): void {
  setTimeout(() => process.exit(code), LEAVE_MS).unref();
}

/**
 * A resolver reads one name at a time, and its threads go on without the main thread. On Deno a minter may not read its
 * source, which a thread needs (docs/deno.md).
 */
const isWatched = (role: ServerRole): boolean => role !== "resolver" && !(role === "minter" && "Deno" in globalThis);

/**
 * The command that runs the resolver sets SVC_RESOLVER=1 (A49), unless it is set to another value: then it does not
 * start.
 */
function settingsOf(role: ServerRole, env: Env): Env {
  const isSaid = (env.SVC_RESOLVER ?? "").trim() !== "";
  return role === "resolver" && !isSaid ? { ...env, SVC_RESOLVER: "1" } : env;
}

/** One line for what the operator can repair, also for errors of a database or a disk; a bug with its stack. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ListenError || error instanceof StartError) return error.message;
  const isBug = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  if (isBug) return describeError(error);
  return `Cannot start: ${maskSecrets(wordsOf(error instanceof ServiceError ? (error.cause ?? error) : error))}`;
}
