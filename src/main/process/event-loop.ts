// How late the event loop comes to what is due (R9a): while it is late, nobody is answered. Two figures of /metrics of
// every role.
import type { Gauge } from "../../shared/metrics.ts";

/** How often it is measured. */
const EVERY_MS = 50;
/** The longest delay is that of this span and the one before it, so that no scrape of every half minute misses one. */
const SPAN_MS = 30_000;
/** No request blocks the event loop longer (R9a). */
const STALL_MS = 250;

type EventLoopWatch = { readonly gauges: readonly Gauge[]; readonly stop: () => void };

/** Begins to watch the thread it is called in; it keeps no process alive. */
export function watchEventLoop(now: () => number = () => performance.now()): EventLoopWatch {
  let [longest, before, stalls] = [0, 0, 0];
  let spanEnds = now() + SPAN_MS;
  let due = now() + EVERY_MS;
  const look = (): void => {
    const at = now();
    const late = Math.max(0, at - due);
    if (at >= spanEnds) {
      [before, longest] = [at < spanEnds + SPAN_MS ? longest : 0, 0];
      spanEnds = at + SPAN_MS;
    }
    longest = Math.max(longest, late);
    if (late > STALL_MS) stalls += 1;
    due = at + EVERY_MS;
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return {
    gauges: [
      {
        name: "event_loop_delay_seconds",
        help: "The longest that anything due had to wait for the event loop in the last half minute to minute",
        type: "gauge",
        read: () => [{ value: Math.max(longest, before) / 1000 }],
      },
      {
        name: "event_loop_stalls_total",
        help: `Times the event loop was more than ${STALL_MS} ms late`,
        type: "counter",
        read: () => [{ value: stalls }],
      },
    ],
    stop: () => clearInterval(timer),
  };
}

let watch: EventLoopWatch | null = null;

/** Of this process, which has one event loop that answers `/metrics`: watched once, however many roles it is. */
export function eventLoopGauges(): readonly Gauge[] {
  watch ??= watchEventLoop();
  return watch.gauges;
}
