// Hands large packages to a thread of its own (parsing-worker.ts) with a deadline: whoever sends what takes longer is refused, the thread is
// ended, and the next order starts another (R9a). It is started when it is first needed, and ended when nothing came for a while.
import { Worker } from "node:worker_threads";
import { DocumentError } from "../domain/deposit/package.ts";
import type { Gauge } from "../domain/metrics.ts";
import type { Log } from "../ports/log.ts";
import type { BagTable, EntryTable, Parsing } from "../ports/parsing.ts";
import type { DescribedItem } from "../domain/deposit/package.ts";
import { type ParsingAnswer, type ParsingOrder, type ParsingResult, toldError } from "./parsing-messages.ts";

export type ParsingThreadNeeds = {
  /** SVC_PARSE_SECONDS: of one order, from when it is begun. */
  readonly seconds: number;
  readonly log: Pick<Log, "warn" | "error">;
};

export type ParsingThread = {
  readonly parsing: Parsing;
  readonly gauges: readonly Gauge[];
  readonly close: () => Promise<void>;
};

/** An idle thread is ended: its memory goes back to the system. */
const IDLE_MS = 10_000;

const OUTCOMES = ["done", "refused", "too_long", "died"] as const;
type Outcome = (typeof OUTCOMES)[number];

type Waiting = {
  readonly order: ParsingOrder;
  readonly settle: (result: ParsingResult) => void;
  readonly reject: (error: Error) => void;
};

const WHAT: Readonly<Record<ParsingOrder["what"], string>> = {
  directory: "the directory of the package",
  bag: "the manifests of the package",
  describe: "the metadata of the package",
};

export function parsingThread({ seconds, log }: ParsingThreadNeeds): ParsingThread {
  const queue: Waiting[] = [];
  const counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  let worker: Worker | null = null;
  let current: Waiting | null = null;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(new URL("./parsing-worker.ts", import.meta.url));
    const isOurs = (): boolean => worker === started;
    started.on("message", (answer: ParsingAnswer) => {
      if (isOurs()) answered(answer);
    });
    const died = (why: string): void => {
      if (!isOurs()) return;
      log.error("parsing_thread_died", { why });
      giveUp("died", `Cannot read ${what()}: reading it ended unexpectedly`);
    };
    started.on("error", (error: unknown) => died(error instanceof Error ? error.message : String(error)));
    started.on("exit", (code: number) => died(`it ended with code ${code}`));
    // A process that has nothing else to do may end.
    started.unref();
    return started;
  }

  const what = (): string => WHAT[current?.order.what ?? "describe"];

  function next(): void {
    if (current !== null) return;
    clearTimeout(idle);
    const waiting = queue.shift();
    if (waiting === undefined) {
      idle = setTimeout(end, IDLE_MS);
      idle.unref();
      return;
    }
    current = waiting;
    worker ??= start();
    deadline = setTimeout(tooLong, seconds * 1000);
    worker.postMessage(waiting.order);
  }

  function count(outcome: Outcome): void {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }

  function answered(answer: ParsingAnswer): void {
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
    log.warn("parsing_took_too_long", { what: current?.order.what, seconds });
    giveUp("too_long", `Reading ${what()} took longer than ${seconds} s`);
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

  function run(order: ParsingOrder): Promise<ParsingResult> {
    if (isClosed) return Promise.reject(new Error("The repository is stopping"));
    return new Promise((settle, reject) => {
      queue.push({ order, settle, reject });
      next();
    });
  }

  return {
    parsing: {
      // What an order is answered with follows from what it asks.
      directory: async (path) => (await run({ what: "directory", path })) as EntryTable,
      bag: async (path) => (await run({ what: "bag", path })) as BagTable,
      describe: async (order) => (await run({ what: "describe", order })) as readonly DescribedItem[],
    },
    gauges: [
      {
        name: "arkstone_parsing_total",
        help: "Directories, manifests and documents of packages that were too large to be read in the server, by what became of them",
        type: "counter",
        read: () => OUTCOMES.map((outcome) => ({ labels: { outcome }, value: counts.get(outcome) ?? 0 })),
      },
    ],
    async close() {
      isClosed = true;
      clearTimeout(deadline);
      const left = [...(current === null ? [] : [current]), ...queue.splice(0)];
      current = null;
      const ended = worker;
      worker = null;
      clearTimeout(idle);
      for (const { reject } of left) reject(new Error("The repository is stopping"));
      await ended?.terminate();
    },
  };
}
