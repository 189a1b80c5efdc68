// Sends large packages and long items to background threads (background-worker.ts) with a deadline: an order that takes
// longer is refused, its thread is ended, and the next order starts another (R9a). A thread is started when it is first
// needed, and ended when it has been idle for a while. Packages and exports have one thread each, so that neither waits
// for the other.

import { Worker } from "node:worker_threads";
import type { DescribedItem } from "../model/files/described-package.ts";
import type { Exporting } from "../repository/store/exporting.ts";
import type { BagTable, EntryTable, Parsing } from "../repository/store/parsing.ts";
import { DocumentError } from "../shared/document-error.ts";
import { errorMessage } from "../shared/error-message.ts";
import type { Log } from "../shared/log.ts";
import type { Gauge, Reading } from "../shared/metrics.ts";
import {
  type BackgroundAnswer,
  type BackgroundOrder,
  type BackgroundResult,
  errorOf,
  messageOf,
} from "./background-messages.ts";

type BackgroundNeeds = {
  /** SVC_PARSE_SECONDS: of one order, from when it begins. */
  readonly seconds: number;
  readonly log: Pick<Log, "warn" | "error">;
  /** Called after an idle thread has been ended, to return its memory to the system. */
  readonly collect?: () => void;
  /** In tests. */
  readonly idleMs?: number;
};

export type BackgroundThreads = {
  readonly parsing: Parsing;
  readonly exporting: Exporting;
  readonly gauges: readonly Gauge[];
  readonly close: () => Promise<void>;
};

/** An idle thread is ended, to return its memory to the system. */
const IDLE_MS = 10_000;

const OUTCOMES = ["done", "refused", "too_long", "died"] as const;
type Outcome = (typeof OUTCOMES)[number];

type WaitingOrder = {
  readonly order: BackgroundOrder;
  readonly settle: (result: BackgroundResult) => void;
  readonly reject: (error: Error) => void;
};

const WHAT: Readonly<Record<BackgroundOrder["what"], string>> = {
  directory: "the directory of the package",
  bag: "the manifests of the package",
  describe: "the metadata of the package",
  export: "the record",
};

class BackgroundThread {
  readonly #work: string;
  readonly #seconds: BackgroundNeeds["seconds"];
  readonly #log: BackgroundNeeds["log"];
  readonly #collect: BackgroundNeeds["collect"];
  readonly #idleMs: number;
  readonly #queue: WaitingOrder[] = [];
  readonly #counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  #worker: Worker | null = null;
  #current: WaitingOrder | null = null;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(work: string, { seconds, log, collect, idleMs = IDLE_MS }: BackgroundNeeds) {
    this.#work = work;
    this.#seconds = seconds;
    this.#log = log;
    this.#collect = collect;
    this.#idleMs = idleMs;
  }

  run(order: BackgroundOrder): Promise<BackgroundResult> {
    if (this.#isClosed) return Promise.reject(new Error("The repository is stopping"));
    return new Promise((settle, reject) => {
      this.#queue.push({ order, settle, reject });
      this.#next();
    });
  }

  readings(): Reading[] {
    return OUTCOMES.map((outcome) => ({
      labels: { work: this.#work, outcome },
      value: this.#counts.get(outcome) ?? 0,
    }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#idle);
    const left = [...(this.#current === null ? [] : [this.#current]), ...this.#queue.splice(0)];
    this.#current = null;
    const ended = this.#worker;
    this.#worker = null;
    for (const { reject } of left) reject(new Error("The repository is stopping"));
    await ended?.terminate();
  }

  #start(): Worker {
    const started = new Worker(new URL("./background-worker.ts", import.meta.url));
    const isOurs = (): boolean => this.#worker === started;
    started.on("message", (answer: BackgroundAnswer) => {
      if (isOurs()) this.#answered(answer);
    });
    const died = (why: string): void => {
      if (!isOurs()) return;
      this.#log.error("background_thread_died", { work: this.#work, why });
      this.#giveUp("died", `Cannot work on ${this.#what()}: it ended unexpectedly`);
    };
    started.on("error", (error: unknown) => died(errorMessage(error)));
    started.on("exit", (code: number) => died(`it ended with code ${code}`));
    return started;
  }

  #what(): string {
    return WHAT[this.#current?.order.what ?? "describe"];
  }

  #next(): void {
    if (this.#current !== null) return;
    clearTimeout(this.#idle);
    const waiting = this.#queue.shift();
    if (waiting === undefined) {
      // A process that has nothing else to do may end.
      this.#worker?.unref();
      this.#idle = setTimeout(() => {
        const ended = this.#worker;
        this.#worker = null;
        void Promise.resolve(ended?.terminate()).then(() => this.#collect?.());
      }, this.#idleMs);
      this.#idle.unref();
      return;
    }
    this.#current = waiting;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#deadline = setTimeout(() => this.#tooLong(), this.#seconds * 1000);
    this.#worker.postMessage(messageOf(waiting.order));
  }

  #count(outcome: Outcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  #answered(answer: BackgroundAnswer): void {
    const done = this.#current;
    if (done === null) return;
    clearTimeout(this.#deadline);
    this.#current = null;
    this.#count("error" in answer ? "refused" : "done");
    if ("error" in answer) done.reject(errorOf(answer.error));
    else done.settle(answer.result);
    this.#next();
  }

  #tooLong(): void {
    this.#log.warn("background_work_timed_out", {
      work: this.#work,
      what: this.#current?.order.what,
      seconds: this.#seconds,
    });
    this.#giveUp("too_long", `Working on ${this.#what()} took longer than ${this.#seconds} s`);
  }

  /** Refuses the current order and ends its thread, wherever it is. */
  #giveUp(outcome: Outcome, message: string): void {
    clearTimeout(this.#deadline);
    const failed = this.#current;
    this.#current = null;
    this.#end();
    this.#count(outcome);
    failed?.reject(new DocumentError(message));
    this.#next();
  }

  #end(): void {
    clearTimeout(this.#idle);
    const ended = this.#worker;
    this.#worker = null;
    void ended?.terminate();
  }
}

export function backgroundThreads(needs: BackgroundNeeds): BackgroundThreads {
  const packages = new BackgroundThread("packages", needs);
  const exports = new BackgroundThread("exports", needs);
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
        name: "arkstone_background_total",
        help: "Parts of packages and exports that were too large to be worked on between requests, by what became of them",
        type: "counter",
        read: () => [...packages.readings(), ...exports.readings()],
      },
    ],
    close: async () => void (await Promise.all([packages.close(), exports.close()])),
  };
}
