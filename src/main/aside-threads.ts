// Hands large packages and long items to threads of their own (aside-worker.ts) with a deadline: what takes longer is refused, the thread is
// ended, and the next order starts another (R9a). A thread is started when it is first needed, and ended when nothing came for a while.
// Packages and exports have one each, so that neither waits for the other.

import { Worker } from "node:worker_threads";
import type { DescribedItem } from "../repository/model/described-package.ts";
import type { Exporting } from "../repository/store/exporting.ts";
import type { BagTable, EntryTable, Parsing } from "../repository/store/parsing.ts";
import { DocumentError } from "../shared/document-error.ts";
import { errorMessage } from "../shared/error-message.ts";
import type { Log } from "../shared/log.ts";
import type { Gauge, Reading } from "../shared/metrics.ts";
import { type AsideAnswer, type AsideOrder, type AsideResult, messageOf, toldError } from "./aside-messages.ts";

type AsideNeeds = {
  /** SVC_PARSE_SECONDS: of one order, from when it is begun. */
  readonly seconds: number;
  readonly log: Pick<Log, "warn" | "error">;
  /** Called when a thread has been ended because nothing came: what was left of its work goes back to the system. */
  readonly collect?: () => void;
};

export type AsideThreads = {
  readonly parsing: Parsing;
  readonly exporting: Exporting;
  readonly gauges: readonly Gauge[];
  readonly close: () => Promise<void>;
};

/** An idle thread is ended: its memory goes back to the system. */
const IDLE_MS = 10_000;

const OUTCOMES = ["done", "refused", "too_long", "died"] as const;
type Outcome = (typeof OUTCOMES)[number];

type Waiting = {
  readonly order: AsideOrder;
  readonly settle: (result: AsideResult) => void;
  readonly reject: (error: Error) => void;
};

const WHAT: Readonly<Record<AsideOrder["what"], string>> = {
  directory: "the directory of the package",
  bag: "the manifests of the package",
  describe: "the metadata of the package",
  export: "the record",
};

function asideThread(work: string, { seconds, log, collect }: AsideNeeds) {
  const queue: Waiting[] = [];
  const counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  let worker: Worker | null = null;
  let current: Waiting | null = null;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(new URL("./aside-worker.ts", import.meta.url));
    const isOurs = (): boolean => worker === started;
    started.on("message", (answer: AsideAnswer) => {
      if (isOurs()) answered(answer);
    });
    const died = (why: string): void => {
      if (!isOurs()) return;
      log.error("aside_thread_died", { work, why });
      giveUp("died", `Cannot work on ${what()}: it ended unexpectedly`);
    };
    started.on("error", (error: unknown) => died(errorMessage(error)));
    started.on("exit", (code: number) => died(`it ended with code ${code}`));
    return started;
  }

  const what = (): string => WHAT[current?.order.what ?? "describe"];

  function next(): void {
    if (current !== null) return;
    clearTimeout(idle);
    const waiting = queue.shift();
    if (waiting === undefined) {
      // A process that has nothing else to do may end.
      worker?.unref();
      idle = setTimeout(() => {
        const ended = worker;
        worker = null;
        void Promise.resolve(ended?.terminate()).then(() => collect?.());
      }, IDLE_MS);
      idle.unref();
      return;
    }
    current = waiting;
    worker ??= start();
    worker.ref();
    deadline = setTimeout(tooLong, seconds * 1000);
    worker.postMessage(messageOf(waiting.order));
  }

  function count(outcome: Outcome): void {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }

  function answered(answer: AsideAnswer): void {
    const done = current;
    if (done === null) return;
    clearTimeout(deadline);
    current = null;
    count("told" in answer ? "refused" : "done");
    if ("told" in answer) done.reject(toldError(answer.told));
    else done.settle(answer.result);
    next();
  }

  function tooLong(): void {
    log.warn("aside_took_too_long", { work, what: current?.order.what, seconds });
    giveUp("too_long", `Working on ${what()} took longer than ${seconds} s`);
  }

  /** The order at work is refused and its thread ended, wherever it is. */
  function giveUp(outcome: Outcome, message: string): void {
    clearTimeout(deadline);
    const failed = current;
    current = null;
    end();
    count(outcome);
    failed?.reject(new DocumentError(message));
    next();
  }

  function end(): void {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    void ended?.terminate();
  }

  function run(order: AsideOrder): Promise<AsideResult> {
    if (isClosed) return Promise.reject(new Error("The repository is stopping"));
    return new Promise((settle, reject) => {
      queue.push({ order, settle, reject });
      next();
    });
  }

  return {
    run,
    readings: (): Reading[] =>
      OUTCOMES.map((outcome) => ({ labels: { work, outcome }, value: counts.get(outcome) ?? 0 })),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(deadline);
      clearTimeout(idle);
      const left = [...(current === null ? [] : [current]), ...queue.splice(0)];
      current = null;
      const ended = worker;
      worker = null;
      for (const { reject } of left) reject(new Error("The repository is stopping"));
      await ended?.terminate();
    },
  };
}

export function asideThreads(needs: AsideNeeds): AsideThreads {
  const packages = asideThread("packages", needs);
  const exports = asideThread("exports", needs);
  return {
    // What an order is answered with follows from what it asks.
    parsing: {
      directory: async (path) => (await packages.run({ what: "directory", path })) as EntryTable,
      bag: async (path) => (await packages.run({ what: "bag", path })) as BagTable,
      describe: async (order) => (await packages.run({ what: "describe", order })) as readonly DescribedItem[],
    },
    exporting: { write: async (order) => (await exports.run({ what: "export", order })) as string },
    gauges: [
      {
        name: "arkstone_aside_total",
        help: "Parts of packages and exports that were too large to be worked on between requests, by what became of them",
        type: "counter",
        read: () => [...packages.readings(), ...exports.readings()],
      },
    ],
    close: async () => void (await Promise.all([packages.close(), exports.close()])),
  };
}
