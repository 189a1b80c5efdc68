// The other threads of a resolver: starts them, sends them what changes, replaces those that die, adds up what they
// count (docs/resolver-table.md).

import { Worker } from "node:worker_threads";
import type { Config } from "../config.ts";
import type { Registry } from "../resolver/registry.ts";
import type { SharedState } from "../resolver/replica-recheck.ts";
import type { TableOrder } from "../resolver/table/table-copy.ts";
import { errorMessage } from "../shared/error-message.ts";
import type { Log } from "../shared/log.ts";
import { type Counts, FAST_STATUSES, noCounts, sumOf } from "../shared/metrics.ts";
import type { CertificateKeys } from "./process/certificate.ts";
import { ListenError } from "./process/serve.ts";
import { ANSWER_MS, type Answers, type FromThread, type Report, type ToThread } from "./thread-messages.ts";

export type ResolverThreadsNeeds = {
  /** Threads in addition to the first one. */
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
  listen(onPort: number, certificate: CertificateKeys | null): Promise<void>;
  /** What they and those after them greet new connections with. */
  useCertificate(next: CertificateKeys): void;
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

export class ResolverThreadPool implements ResolverThreads {
  readonly #needs: ResolverThreadsNeeds;
  readonly #log: ResolverThreadsNeeds["log"];
  readonly #slots: readonly Slot[];
  /** What threads that have died had counted. */
  #past: Counts = noCounts();
  #port: number | null = null;
  #certificate: CertificateKeys | null = null;
  #restarts = 0;
  /** Since all of them have listened once: until then a thread that fails stops the start. */
  #isUp = false;
  #isStopped = false;
  #lastId = 0;
  /** Called whenever a message of a thread has arrived. */
  readonly #watchers = new Set<() => void>();
  readonly #reported = new Map<number, Set<Slot>>();

  constructor(needs: ResolverThreadsNeeds) {
    this.#needs = needs;
    this.#log = needs.log;
    this.#slots = Array.from({ length: this.#needs.count }, (_, index) => newSlot(index + 2));
  }

  start(): void {
    for (const slot of this.#slots) this.#start(slot);
  }

  tell(order: TableOrder): void {
    for (const slot of this.#slots) this.#send(slot, { kind: "order", order });
  }

  useCertificate(next: CertificateKeys): void {
    this.#certificate = next;
    for (const slot of this.#slots) this.#send(slot, { kind: "certificate", certificate: next });
  }

  async listen(onPort: number, certificate: CertificateKeys | null): Promise<void> {
    this.#port = onPort;
    this.#certificate = certificate;
    for (const slot of this.#slots) this.#send(slot, { kind: "listen", port: onPort, certificate });
    const problem = (): string | undefined => this.#slots.find((each) => each.problem !== "")?.problem;
    const isDone = () => problem() !== undefined || this.#slots.every((each) => each.isListening);
    if (!(await this.#until(isDone, LISTEN_MS)))
      throw new ListenError("Cannot listen: the threads did not start in time");
    const message = problem();
    if (message !== undefined) throw new ListenError(message);
    this.#isUp = true;
  }

  haveTable(): boolean {
    return this.#slots.every((each) => each.hasTable);
  }

  listening(): number {
    return this.#slots.filter((each) => each.isListening).length;
  }

  restarts(): number {
    return this.#restarts;
  }

  async counts(): Promise<readonly Counts[]> {
    const id = ++this.#lastId;
    const answered = new Set<Slot>();
    this.#reported.set(id, answered);
    for (const slot of this.#slots) this.#send(slot, { kind: "report", id });
    await this.#until(() => this.#slots.every((each) => each.worker === null || answered.has(each)), ANSWER_MS / 4);
    this.#reported.delete(id);
    return [this.#past, ...this.#slots.map((each) => ({ ...each.report, fast: each.fast }))];
  }

  crashOne(): void {
    const slot = this.#slots.find((each) => each.isListening);
    if (slot !== undefined) this.#send(slot, { kind: "crash" });
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    for (const slot of this.#slots) this.#send(slot, { kind: "stop", graceMs });
    await this.#until(
      () => this.#slots.every((each) => each.worker === null || each.isStopped),
      graceMs + AFTER_GRACE_MS,
    );
    await Promise.all(
      this.#slots.map(async (slot) => {
        const { worker } = slot;
        slot.worker = null;
        await worker?.terminate();
      }),
    );
  }

  #start(slot: Slot): void {
    const worker = new Worker(new URL("./resolver-worker.ts", import.meta.url));
    empty(slot);
    slot.worker = worker;
    slot.startedAt = Date.now();
    const died = (why: string): void => {
      if (slot.worker === worker) this.#gone(slot, why);
    };
    worker.on("message", (message: FromThread) => {
      if (slot.worker === worker) this.#heard(slot, message);
    });
    worker.on("error", (error: unknown) => died(errorMessage(error)));
    worker.on("exit", (code: number) => died(`it ended with code ${code}`));
    this.#send(slot, {
      kind: "begin",
      config: this.#needs.config,
      registry: this.#needs.registry,
      state: this.#needs.state.memory,
      fast: slot.fast.buffer,
    });
    const table = this.#needs.wholeTable();
    if (table !== null) this.#send(slot, { kind: "order", order: table });
    if (this.#port !== null) {
      this.#send(slot, { kind: "listen", port: this.#port, certificate: this.#certificate });
    }
  }

  #send(slot: Slot, message: ToThread): void {
    slot.worker?.postMessage(message);
  }

  /** A thread has died: what it counted is kept, and another takes its slot, later each time it dies at once. */
  #gone(slot: Slot, why: string): void {
    const { worker } = slot;
    const wasStopping = slot.isStopped || this.#isStopped;
    this.#past = sumOf([this.#past, { ...slot.report, fast: new Float64Array(0) }]);
    empty(slot);
    if (!this.#isUp) slot.problem = why;
    void worker?.terminate();
    this.#wake();
    if (wasStopping || !this.#isUp) return;
    this.#restarts += 1;
    slot.shortLived = Date.now() - slot.startedAt < SHORT_MS ? slot.shortLived + 1 : 0;
    const pause = slot.shortLived < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** slot.shortLived);
    this.#log.error("thread_died", { thread: slot.number, why, again_in_ms: pause });
    setTimeout(() => {
      if (!this.#isStopped) this.#start(slot);
    }, pause).unref();
  }

  #heard(slot: Slot, message: FromThread): void {
    if (message.kind === "table") slot.hasTable = true;
    else if (message.kind === "listening") slot.isListening = true;
    else if (message.kind === "stopped") slot.isStopped = true;
    else if (message.kind === "ask") void this.#answer(slot, message.id, message.what);
    else if (message.kind === "report") {
      slot.report = message.report;
      if (message.id !== null) this.#reported.get(message.id)?.add(slot);
    } else {
      // What it could not do leaves it behind the others.
      this.#gone(slot, message.message);
    }
    this.#wake();
  }

  async #answer(slot: Slot, id: number, what: keyof Answers): Promise<void> {
    const { worker } = slot;
    const value = await this.#needs.answers[what]();
    if (slot.worker === worker) this.#send(slot, { kind: "answer", id, value });
  }

  #wake(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Waits until this holds; false when it does not in time. */
  #until(holds: () => boolean, ms: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (held: boolean): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(held);
      };
      const look = (): void => {
        if (holds()) finish(true);
      };
      const timer = setTimeout(() => finish(false), ms);
      this.#watchers.add(look);
    });
  }
}

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
