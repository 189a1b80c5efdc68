// One more thread of a resolver: answers requests on the shared port from the shared table, exactly as the first thread
// does (docs/resolver-table.md). What is known of the whole process it asks the first thread.

import process from "node:process";
import { parentPort } from "node:worker_threads";
import { openReplica } from "../../db/resolver/replica.ts";
import { systemClock } from "../adapters/clock.ts";
import { jsonLog, throttledLog } from "../adapters/log.ts";
import type { Replica } from "../resolver/replica.ts";
import { sharedState } from "../resolver/replica-recheck.ts";
import { type TableCopy, tableCopy } from "../resolver/table/table-copy.ts";
import { errorMessage } from "../shared/error-message.ts";
import { metrics, noCounts } from "../shared/metrics.ts";
import type { Tracing } from "../shared/tracing.ts";
import { proxyHeaders } from "./lane/proxy-start.ts";
import { isInFront, resolverLane } from "./lane/resolver-lane.ts";
import type { CertificateKeys } from "./process/certificate.ts";
import { edgeSettings } from "./process/edge-limits.ts";
import { type Server, serve } from "./process/serve.ts";
import { openTracing } from "./process/tracing.ts";
import { answeringNeeds } from "./resolver/resolver-answering.ts";
import { resolverApp } from "./resolver/resolver-app.ts";
import { ANSWER_MS, type Answers, type FromThread, REPORT_MS, type ToThread } from "./thread-messages.ts";

type ThreadState = {
  readonly replica: Replica;
  readonly tracing: Tracing | null;
  readonly tables: TableCopy;
  readonly listen: (port: number, certificate: CertificateKeys | null) => Server;
  readonly report: (id: number | null) => void;
  readonly timer: ReturnType<typeof setInterval>;
};

let begun: ThreadState | null = null;
let server: Server | null = null;
const send = (message: FromThread): void => parentPort?.postMessage(message);

const waiting = new Map<number, (value: Answers[keyof Answers] | null) => void>();
let lastId = 0;

/** Asks the first thread; null when it does not answer in time. */
function ask(what: keyof Answers): Promise<Answers[keyof Answers] | null> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), ANSWER_MS);
    const finish = (value: Answers[keyof Answers] | null): void => {
      clearTimeout(timer);
      waiting.delete(id);
      resolve(value);
    };
    waiting.set(id, finish);
    send({ kind: "ask", id, what });
  });
}

async function notReady(): Promise<readonly string[]> {
  const reasons = await ask("notReady");
  return Array.isArray(reasons) ? reasons : ["The first thread does not answer"];
}

async function renderMetrics(): Promise<string> {
  const text = await ask("metrics");
  if (typeof text !== "string") throw new Error("The first thread does not answer");
  return text;
}

async function begin({ config, registry, ...order }: Extract<ToThread, { kind: "begin" }>): Promise<ThreadState> {
  const log = throttledLog(jsonLog(config.logLevel));
  const replica = await openReplica({ url: config.replicaUrl ?? config.databaseUrl });
  const tables = tableCopy({ registry, replica, state: sharedState(order.state) });
  const tracing = await openTracing("resolver", process.env, log);
  const figures = metrics(noCounts(new Float64Array(order.fast)));
  let reported = 0;
  const report = (id: number | null): void => {
    const { requests, latencies } = figures.counts;
    const total = [...requests.values()].reduce((sum, each) => sum + each, 0);
    if (id === null && total === reported) return;
    reported = total;
    send({ kind: "report", id, report: { requests, latencies } });
  };
  const needs = answeringNeeds({
    config,
    log,
    ...edgeSettings(config, null, log),
    tracing,
    clock: systemClock,
    replica,
    tables,
    metrics: { observe: figures.observe, countFast: figures.countFast, render: renderMetrics },
    notReady,
  });
  const handler = resolverApp(needs);
  const lane = resolverLane(needs);
  return {
    replica,
    tracing,
    tables,
    report,
    timer: setInterval(() => report(null), REPORT_MS),
    listen: (port, certificate) =>
      serve({
        fetch: handler,
        lane,
        inOrder: isInFront(config),
        certificate,
        proxyHeaders: proxyHeaders(config, log),
        host: config.host,
        port,
        sharePort: true,
        clientSeconds: config.clientSeconds,
      }),
  };
}

async function stop(graceMs: number): Promise<void> {
  await server?.stop(graceMs);
  clearInterval(begun?.timer);
  begun?.report(null);
  await begun?.replica.close();
  await begun?.tracing?.close();
  send({ kind: "stopped" });
}

async function obey(message: ToThread): Promise<void> {
  switch (message.kind) {
    case "begin":
      begun = await begin(message);
      return;
    case "order":
      begun?.tables.apply(message.order);
      if (message.order.kind === "table") send({ kind: "table" });
      return;
    case "listen":
      server = begun?.listen(message.port, message.certificate) ?? null;
      send({ kind: "listening" });
      return;
    case "certificate":
      server?.useCertificate?.(message.certificate);
      return;
    case "report":
      begun?.report(message.id);
      return;
    case "answer":
      waiting.get(message.id)?.(message.value);
      return;
    case "stop":
      await stop(message.graceMs);
      return;
    case "crash":
      setTimeout(() => {
        throw new Error("A test asked this thread to end");
      });
  }
}

/** One after the other: an order of the table must not overtake the one before, nor the beginning. */
let queue: Promise<void> = Promise.resolve();
parentPort?.on("message", (message: ToThread) => {
  // An answer is what an order in the queue may be waiting for.
  if (message.kind === "answer") {
    void obey(message);
    return;
  }
  queue = queue
    .then(() => obey(message))
    .catch((error: unknown) => {
      send({ kind: "refused", message: errorMessage(error) });
    });
});
