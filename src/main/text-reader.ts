// Hands files to a reader beside the server, one at a time, with a deadline (R35): what takes too long or too much is told as that, its reader is
// ended, and the next file gets another. A reader is started when it is first needed, and ended when nothing came for a while.

import { TEXT_STATES, type TextState } from "../repository/store/full-text.ts";
import type { TextOrder, TextOutcome, TextReading } from "../repository/store/text-reading.ts";
import { inTime } from "../shared/deadline.ts";
import type { Log } from "../shared/log.ts";
import type { Gauge } from "../shared/metrics.ts";
import type { TextAnswer, TextBeside, TextBesideLimits } from "./text-process.ts";

type TextReaderNeeds = {
  readonly limits: TextBesideLimits;
  readonly start: (limits: TextBesideLimits) => TextBeside;
  readonly log: Pick<Log, "warn">;
  readonly elapsedMs: () => number;
  readonly idleMs?: number;
};

export type TextReader = TextReading & {
  readonly gauges: readonly Gauge[];
  readonly close: () => void;
};

const IDLE_MS = 10_000;
/** A reader that died is given the file once more: it may have died of what it read before, or by a hand from outside. */
const ATTEMPTS = 2;

const failed = (state: TextState, reason: string): TextOutcome => ({ state, reason, text: "" });

export function textReader({ limits, start, log, elapsedMs, idleMs = IDLE_MS }: TextReaderNeeds): TextReader {
  const counts = new Map<TextState, number>(TEXT_STATES.map((state) => [state, 0]));
  let seconds = 0;
  let beside: TextBeside | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let before: Promise<unknown> = Promise.resolve();

  function end(): void {
    clearTimeout(idle);
    beside?.end();
    beside = null;
  }

  function reader(): TextBeside {
    clearTimeout(idle);
    if (beside === null || beside.isGone()) beside = start(limits);
    return beside;
  }

  /** One try. Bytes that do not come are the storage's matter, so the time begins when they are there. */
  async function attempt(
    order: TextOrder,
    bytes: AsyncIterable<Uint8Array>,
    aborted: Promise<never>,
  ): Promise<TextAnswer> {
    const at = reader();
    const answer = at.answer();
    await Promise.race([at.send(order, bytes), aborted]);
    return await Promise.race([inTime(answer, limits.seconds * 1000, () => ({ died: "time" })), aborted]);
  }

  async function outcomeOf(
    order: TextOrder,
    bytes: () => AsyncIterable<Uint8Array>,
    aborted: Promise<never>,
  ): Promise<TextOutcome> {
    for (let tries = 1; ; tries += 1) {
      const answer = await attempt(order, bytes(), aborted);
      if ("outcome" in answer) return answer.outcome;
      const { died } = answer;
      const isStarted = beside?.wasReady() === true;
      end();
      if (!isStarted) throw new Error(`No reader of files can be started: ${died}`);
      log.warn("text_reader_ended", { file: order.name, why: died, tries });
      if (died === "time") return failed("timed-out", `Reading it took longer than ${limits.seconds} s`);
      if (tries < ATTEMPTS) continue;
      if (died === "memory") return failed("too-large", `Reading it took more than ${limits.memoryMib} MiB of memory`);
      return failed("unreadable", `Its reader ended unexpectedly: ${died}`);
    }
  }

  async function run(
    order: TextOrder,
    bytes: () => AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<TextOutcome> {
    signal.throwIfAborted();
    const began = elapsedMs();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    aborted.catch(() => {});
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const outcome = await outcomeOf(order, bytes, aborted);
      counts.set(outcome.state, (counts.get(outcome.state) ?? 0) + 1);
      return outcome;
    } catch (error) {
      // A reader that waits for the rest of its bytes is of no use to the next.
      end();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
      seconds += (elapsedMs() - began) / 1000;
      idle = setTimeout(end, idleMs);
      idle.unref();
    }
  }

  return {
    read(order, bytes, signal) {
      const mine = before.then(() => run(order, bytes, signal));
      before = mine.catch(() => {});
      return mine;
    },
    close: end,
    gauges: [
      {
        name: "arkstone_full_text_read_total",
        help: "Files that were read for their words, by what became of them",
        type: "counter",
        read: () => [...counts].map(([state, value]) => ({ labels: { state }, value })),
      },
      {
        name: "arkstone_full_text_read_seconds_total",
        help: "Time that reading them took",
        type: "counter",
        read: () => [{ value: seconds }],
      },
    ],
  };
}
