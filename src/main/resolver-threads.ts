// The other threads of a resolver: starts them, tells them what changes, replaces those that die, adds up what they count
// (docs/resolver-table.md).

import { Worker } from "node:worker_threads";
import type { Config } from "../config.ts";
import type { SharedState } from "../resolver/last-look.ts";
import type { Registry } from "../resolver/registry.ts";
import type { TableOrder } from "../resolver/table/table-copy.ts";
import { errorMessage } from "../shared/error-message.ts";
import type { Log } from "../shared/log.ts";
import { type Counts, FAST_STATUSES, noCounts, sumOf } from "../shared/metrics.ts";
import { ListenError } from "./serve.ts";
import { ANSWER_MS, type Answers, type FromThread, type Report, type ToThread } from "./thread-messages.ts";

export type ResolverThreadsNeeds = {
  /** Threads beside the first one. */
  readonly count: number;
  readonly config: Config;
  readonly registry: Registry;
  readonly state: SharedState;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** What a new thread begins with; null while there is no table. */
  readonly wholeTable: () => TableOrder | null;
  /** What a thread may ask about the process. */
  readonly answers: { readonly [what in keyof Answers]: () => Promise<Answers[what]> };
};

export interface ResolverThreads {
  start(): void;
  tell(order: TableOrder): void;
  /** Settles when all listen. @throws ListenError when one cannot. */
  listen(onPort: number): Promise<void>;
  /** True when every thread that answers has the table. */
  haveTable(): boolean;
  listening(): number;
  restarts(): number;
  /** What all of them have counted since the start of the process, up to now where they answer in time. */
  counts(): Promise<readonly Counts[]>;
  /** For tests alone. */
  crashOne(): void;
  /** Lets them answer what they have begun, then ends them. */
  stop(graceMs: number): Promise<void>;
}

/** A slot for a thread; what was counted there outlives the threads in it. */
type Slot = {
  readonly number: number;
  readonly fast: Float64Array<SharedArrayBuffer>;
  worker: Worker | null;
  hasTable: boolean;
  isListening: boolean;
  isStopped: boolean;
  startedAt: number;
  /** Threads in a row that died soon after their start. */
  shortLived: number;
  /** The last report of the thread that is here now. */
  report: Report;
  problem: string;
};

const NO_REPORT: Report = noCounts(new Float64Array(0));
const SHORT_MS = 5000;
const LONGEST_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LISTEN_MS = 30_000;
const AFTER_GRACE_MS = 3000;

export const resolverThreads = (needs: ResolverThreadsNeeds): ResolverThreads => {
  const { log } = needs;
  const slots = Array.from({ length: needs.count }, (_, index) => newSlot(index + 2));
  /** What threads that have died had counted. */
  let past: Counts = noCounts();
  let port: number | null = null;
  let restarts = 0;
  /** Since all of them have listened once: until then a thread that fails stops the start. */
  let isUp = false;
  let isStopped = false;
  let lastId = 0;
  /** Called whenever a thread has said something, for those who wait for it. */
  const watchers = new Set<() => void>();
  const reported = new Map<number, Set<Slot>>();

  function start(slot: Slot): void {
    const worker = new Worker(new URL("./resolver-worker.ts", import.meta.url));
    empty(slot);
    slot.worker = worker;
    slot.startedAt = Date.now();
    const died = (why: string): void => {
      if (slot.worker === worker) gone(slot, why);
    };
    worker.on("message", (message: FromThread) => {
      if (slot.worker === worker) heard(slot, message);
    });
    worker.on("error", (error: unknown) => died(errorMessage(error)));
    worker.on("exit", (code: number) => died(`it ended with code ${code}`));
    send(slot, {
      kind: "begin",
      config: needs.config,
      registry: needs.registry,
      state: needs.state.memory,
      fast: slot.fast.buffer,
    });
    const table = needs.wholeTable();
    if (table !== null) send(slot, { kind: "order", order: table });
    if (port !== null) send(slot, { kind: "listen", port });
  }

  function send(slot: Slot, message: ToThread): void {
    slot.worker?.postMessage(message);
  }

  /** A thread has died: what it counted is kept, and another takes its slot, later each time it dies at once. */
  function gone(slot: Slot, why: string): void {
    const { worker } = slot;
    const wasStopping = slot.isStopped || isStopped;
    past = sumOf([past, { ...slot.report, fast: new Float64Array(0) }]);
    empty(slot);
    if (!isUp) slot.problem = why;
    void worker?.terminate();
    wake();
    if (wasStopping || !isUp) return;
    restarts += 1;
    slot.shortLived = Date.now() - slot.startedAt < SHORT_MS ? slot.shortLived + 1 : 0;
    const pause = slot.shortLived < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** slot.shortLived);
    log.error("thread_died", { thread: slot.number, why, again_in_ms: pause });
    setTimeout(() => {
      if (!isStopped) start(slot);
    }, pause).unref();
  }

  function heard(slot: Slot, message: FromThread): void {
    if (message.kind === "table") slot.hasTable = true;
    else if (message.kind === "listening") slot.isListening = true;
    else if (message.kind === "stopped") slot.isStopped = true;
    else if (message.kind === "ask") void answer(slot, message.id, message.what);
    else if (message.kind === "report") {
      slot.report = message.report;
      if (message.id !== null) reported.get(message.id)?.add(slot);
    } else {
      // What it could not do leaves it behind the others.
      gone(slot, message.message);
    }
    wake();
  }

  async function answer(slot: Slot, id: number, what: keyof Answers): Promise<void> {
    const { worker } = slot;
    const value = await needs.answers[what]();
    if (slot.worker === worker) send(slot, { kind: "answer", id, value });
  }

  function wake(): void {
    for (const watcher of watchers) watcher();
  }

  /** Waits until this holds; false when it does not in time. */
  function until(holds: () => boolean, ms: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (held: boolean): void => {
        clearTimeout(timer);
        watchers.delete(look);
        resolve(held);
      };
      const look = (): void => {
        if (holds()) finish(true);
      };
      const timer = setTimeout(() => finish(false), ms);
      watchers.add(look);
    });
  }

  return {
    start() {
      for (const slot of slots) start(slot);
    },

    tell(order) {
      for (const slot of slots) send(slot, { kind: "order", order });
    },

    async listen(onPort) {
      port = onPort;
      for (const slot of slots) send(slot, { kind: "listen", port });
      const problem = (): string | undefined => slots.find((each) => each.problem !== "")?.problem;
      const isDone = () => problem() !== undefined || slots.every((each) => each.isListening);
      if (!(await until(isDone, LISTEN_MS))) throw new ListenError("Cannot listen: the threads did not start in time");
      const message = problem();
      if (message !== undefined) throw new ListenError(message);
      isUp = true;
    },

    haveTable: () => slots.every((each) => each.hasTable),
    listening: () => slots.filter((each) => each.isListening).length,
    restarts: () => restarts,

    async counts() {
      const id = ++lastId;
      const answered = new Set<Slot>();
      reported.set(id, answered);
      for (const slot of slots) send(slot, { kind: "report", id });
      await until(() => slots.every((each) => each.worker === null || answered.has(each)), ANSWER_MS / 4);
      reported.delete(id);
      return [past, ...slots.map((each) => ({ ...each.report, fast: each.fast }))];
    },

    crashOne() {
      const slot = slots.find((each) => each.isListening);
      if (slot !== undefined) send(slot, { kind: "crash" });
    },

    async stop(graceMs) {
      isStopped = true;
      for (const slot of slots) send(slot, { kind: "stop", graceMs });
      await until(() => slots.every((each) => each.worker === null || each.isStopped), graceMs + AFTER_GRACE_MS);
      await Promise.all(
        slots.map(async (slot) => {
          const { worker } = slot;
          slot.worker = null;
          await worker?.terminate();
        }),
      );
    },
  };
};

function empty(slot: Slot): void {
  slot.worker = null;
  slot.hasTable = false;
  slot.isListening = false;
  slot.isStopped = false;
  slot.report = NO_REPORT;
  slot.problem = "";
}

function newSlot(number: number): Slot {
  return {
    number,
    fast: new Float64Array(new SharedArrayBuffer(8 * FAST_STATUSES)),
    worker: null,
    hasTable: false,
    isListening: false,
    isStopped: false,
    startedAt: 0,
    shortLived: 0,
    report: NO_REPORT,
    problem: "",
  };
}
