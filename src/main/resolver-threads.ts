// The other threads of a resolver: starts them, tells them what changes, replaces those that die, adds up what they count
// (docs/resolver-table.md).

import { Worker } from "node:worker_threads";
import type { Config } from "../config.ts";
import type { SharedState } from "../resolver/look-again.ts";
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

export type ResolverThreads = ReturnType<typeof resolverThreads>;

/** A place for a thread; what was counted there outlives the threads in it. */
type Place = {
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

export const resolverThreads = (needs: ResolverThreadsNeeds) => {
  const { log } = needs;
  const places = Array.from({ length: needs.count }, (_, index) => newPlace(index + 2));
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
  const reported = new Map<number, Set<Place>>();

  function start(place: Place): void {
    const worker = new Worker(new URL("./resolver-worker.ts", import.meta.url));
    empty(place);
    place.worker = worker;
    place.startedAt = Date.now();
    const died = (why: string): void => {
      if (place.worker === worker) gone(place, why);
    };
    worker.on("message", (message: FromThread) => {
      if (place.worker === worker) heard(place, message);
    });
    worker.on("error", (error: unknown) => died(errorMessage(error)));
    worker.on("exit", (code: number) => died(`it ended with code ${code}`));
    send(place, {
      kind: "begin",
      config: needs.config,
      registry: needs.registry,
      state: needs.state.memory,
      fast: place.fast.buffer,
    });
    const table = needs.wholeTable();
    if (table !== null) send(place, { kind: "order", order: table });
    if (port !== null) send(place, { kind: "listen", port });
  }

  function send(place: Place, message: ToThread): void {
    place.worker?.postMessage(message);
  }

  /** A thread has died: what it counted is kept, and another takes its place, later each time it dies at once. */
  function gone(place: Place, why: string): void {
    const { worker } = place;
    const wasStopping = place.isStopped || isStopped;
    past = sumOf([past, { ...place.report, fast: new Float64Array(0) }]);
    empty(place);
    if (!isUp) place.problem = why;
    void worker?.terminate();
    wake();
    if (wasStopping || !isUp) return;
    restarts += 1;
    place.shortLived = Date.now() - place.startedAt < SHORT_MS ? place.shortLived + 1 : 0;
    const pause = place.shortLived < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** place.shortLived);
    log.error("thread_died", { thread: place.number, why, again_in_ms: pause });
    setTimeout(() => {
      if (!isStopped) start(place);
    }, pause).unref();
  }

  function heard(place: Place, message: FromThread): void {
    if (message.kind === "table") place.hasTable = true;
    else if (message.kind === "listening") place.isListening = true;
    else if (message.kind === "stopped") place.isStopped = true;
    else if (message.kind === "ask") void answer(place, message.id, message.what);
    else if (message.kind === "report") {
      place.report = message.report;
      if (message.id !== null) reported.get(message.id)?.add(place);
    } else {
      // What it could not do leaves it behind the others.
      gone(place, message.message);
    }
    wake();
  }

  async function answer(place: Place, id: number, what: keyof Answers): Promise<void> {
    const { worker } = place;
    const value = await needs.answers[what]();
    if (place.worker === worker) send(place, { kind: "answer", id, value });
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
    start(): void {
      for (const place of places) start(place);
    },

    tell(order: TableOrder): void {
      for (const place of places) send(place, { kind: "order", order });
    },

    /** Settles when all listen. @throws ListenError when one cannot. */
    async listen(onPort: number): Promise<void> {
      port = onPort;
      for (const place of places) send(place, { kind: "listen", port });
      const problem = (): string | undefined => places.find((each) => each.problem !== "")?.problem;
      const isDone = () => problem() !== undefined || places.every((each) => each.isListening);
      if (!(await until(isDone, LISTEN_MS))) throw new ListenError("Cannot listen: the threads did not start in time");
      const message = problem();
      if (message !== undefined) throw new ListenError(message);
      isUp = true;
    },

    /** True when every thread that answers has the table. */
    haveTable: (): boolean => places.every((each) => each.hasTable),
    listening: (): number => places.filter((each) => each.isListening).length,
    restarts: (): number => restarts,

    /** What all of them have counted since the start of the process, up to now where they answer in time. */
    async counts(): Promise<readonly Counts[]> {
      const id = ++lastId;
      const answered = new Set<Place>();
      reported.set(id, answered);
      for (const place of places) send(place, { kind: "report", id });
      await until(() => places.every((each) => each.worker === null || answered.has(each)), ANSWER_MS / 4);
      reported.delete(id);
      return [past, ...places.map((each) => ({ ...each.report, fast: each.fast }))];
    },

    /** For tests alone. */
    crashOne(): void {
      const place = places.find((each) => each.isListening);
      if (place !== undefined) send(place, { kind: "crash" });
    },

    /** Lets them answer what they have begun, then ends them. */
    async stop(graceMs: number): Promise<void> {
      isStopped = true;
      for (const place of places) send(place, { kind: "stop", graceMs });
      await until(() => places.every((each) => each.worker === null || each.isStopped), graceMs + AFTER_GRACE_MS);
      await Promise.all(
        places.map(async (place) => {
          const { worker } = place;
          place.worker = null;
          await worker?.terminate();
        }),
      );
    },
  };
};

function empty(place: Place): void {
  place.worker = null;
  place.hasTable = false;
  place.isListening = false;
  place.isStopped = false;
  place.report = NO_REPORT;
  place.problem = "";
}

function newPlace(number: number): Place {
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
