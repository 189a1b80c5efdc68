// Sends files to a reader outside the server's thread, one at a time, with a deadline (R35). A file that takes too much
// time or memory gets that state, its reader is ended, and the next file gets another. A reader is started when it is
// first needed, and ended when it has been idle for a while.

import { TEXT_STATES, type TextState } from "../repository/store/full-text.ts";
import type { TextOrder, TextOutcome, TextReading } from "../repository/store/text-reading.ts";
import type { Log } from "../shared/log.ts";
import type { Gauge } from "../shared/metrics.ts";
import { inTime } from "../shared/time/event-loop.ts";
import type { StartedReader, TextAnswer, TextReaderLimits } from "./text-process.ts";

type TextReaderNeeds = {
  readonly limits: TextReaderLimits;
  readonly start: (limits: TextReaderLimits) => StartedReader;
  readonly log: Pick<Log, "warn">;
  readonly elapsedMs: () => number;
  readonly idleMs?: number;
};

export type TextReader = TextReading & {
  readonly gauges: readonly Gauge[];
  readonly close: () => void;
};

const IDLE_MS = 10_000;
/**
 * After a reader died, the file is sent once more: an earlier file or a signal from outside may have been the cause.
 */
const ATTEMPTS = 2;

const failed = (state: TextState, reason: string): TextOutcome => ({ state, reason, text: "" });

export class FileTextReader implements TextReader {
  readonly #limits: TextReaderNeeds["limits"];
  readonly #start: TextReaderNeeds["start"];
  readonly #log: TextReaderNeeds["log"];
  readonly #elapsedMs: TextReaderNeeds["elapsedMs"];
  readonly #idleMs: number;
  readonly #counts = new Map<TextState, number>(TEXT_STATES.map((state) => [state, 0]));
  #seconds = 0;
  #started: StartedReader | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #before: Promise<unknown> = Promise.resolve();

  constructor({ limits, start, log, elapsedMs, idleMs = IDLE_MS }: TextReaderNeeds) {
    this.#limits = limits;
    this.#start = start;
    this.#log = log;
    this.#elapsedMs = elapsedMs;
    this.#idleMs = idleMs;
  }

  read(order: TextOrder, bytes: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<TextOutcome> {
    const mine = this.#before.then(() => this.#run(order, bytes, signal));
    this.#before = mine.catch(() => {});
    return mine;
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#started?.end();
    this.#started = null;
  }

  readonly gauges: readonly Gauge[] = [
    {
      name: "arkstone_full_text_read_total",
      help: "Files that were read for their words, by what became of them",
      type: "counter",
      read: () => [...this.#counts].map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: "arkstone_full_text_read_seconds_total",
      help: "Time that reading them took",
      type: "counter",
      read: () => [{ value: this.#seconds }],
    },
  ];

  #reader(): StartedReader {
    clearTimeout(this.#idle);
    if (this.#started === null || this.#started.isGone()) this.#started = this.#start(this.#limits);
    return this.#started;
  }

  /** One attempt. The time begins when all bytes have been sent: a slow storage is not the fault of the file. */
  async #attempt(order: TextOrder, bytes: AsyncIterable<Uint8Array>, aborted: Promise<never>): Promise<TextAnswer> {
    const at = this.#reader();
    const answer = at.answer();
    await Promise.race([at.send(order, bytes), aborted]);
    return await Promise.race([inTime(answer, this.#limits.seconds * 1000, () => ({ died: "time" })), aborted]);
  }

  async #outcomeOf(
    order: TextOrder,
    bytes: () => AsyncIterable<Uint8Array>,
    aborted: Promise<never>,
  ): Promise<TextOutcome> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#attempt(order, bytes(), aborted);
      if ("outcome" in answer) return answer.outcome;
      const { died } = answer;
      const isStarted = this.#started?.wasReady() === true;
      this.close();
      if (!isStarted) throw new Error(`No reader of files can be started: ${died}`);
      this.#log.warn("text_reader_ended", { file: order.name, why: died, tries });
      if (died === "time") return failed("timed-out", `Reading it took longer than ${this.#limits.seconds} s`);
      if (tries < ATTEMPTS) continue;
      if (died === "memory")
        return failed("too-large", `Reading it took more than ${this.#limits.memoryMib} MiB of memory`);
      return failed("unreadable", `Its reader ended unexpectedly: ${died}`);
    }
  }

  async #run(order: TextOrder, bytes: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<TextOutcome> {
    signal.throwIfAborted();
    const began = this.#elapsedMs();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    aborted.catch(() => {});
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const outcome = await this.#outcomeOf(order, bytes, aborted);
      this.#counts.set(outcome.state, (this.#counts.get(outcome.state) ?? 0) + 1);
      return outcome;
    } catch (error) {
      // A reader that waits for the rest of its bytes is of no use to the next.
      this.close();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#seconds += (this.#elapsedMs() - began) / 1000;
      this.#idle = setTimeout(() => this.close(), this.#idleMs);
      this.#idle.unref();
    }
  }
}
