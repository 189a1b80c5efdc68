// A log that writes repeated causes once a minute and counts them: a full disk refuses thousands of
// requests, and its log would fill the next one.
import type { Log, LogFields } from "../shared/log.ts";

/** Events with the cause of a request's failure. Each request also has a line with its id and status. */
const CAUSES: ReadonlySet<string> = new Set(["unexpected", "unavailable"]);
const WINDOW_MS = 60_000;
/** Different causes that are remembered; further ones are always written. */
const CAUSES_MAX = 200;

type RepeatedCause = { repeated: number; readonly route: unknown; readonly reason: string };
type Write = (event: string, fields?: LogFields) => void;

/**
 * The same log. The first line of a cause is written at once and whole; repetitions within a minute are counted, and
 * one line at its end has their number (`repeated`).
 */
export function throttledLog(log: Log, windowMs: number = WINDOW_MS): Log {
  const causes = new Map<string, RepeatedCause>();

  function through(write: Write): Write {
    return (event, fields = {}) => {
      if (!CAUSES.has(event)) return write(event, fields);
      const cause = `${event} ${causeOf(fields)}`;
      const known = causes.get(cause);
      if (known !== undefined) {
        known.repeated += 1;
        return;
      }
      write(event, fields);
      if (causes.size >= CAUSES_MAX) return;
      const first = { repeated: 0, route: fields.route, reason: firstLine(fields) };
      causes.set(cause, first);
      const timer = setTimeout(() => {
        causes.delete(cause);
        const { repeated, route, reason } = first;
        if (repeated > 0) write(event, { route, reason, repeated });
      }, windowMs);
      timer.unref();
    };
  }

  return { debug: log.debug, info: log.info, warn: through(log.warn), error: through(log.error) };
}

/** What failed, without what differs from request to request. */
function causeOf({ error, reason }: LogFields): string {
  if (!(error instanceof Error)) return String(reason ?? error).slice(0, 500);
  return `${error.name} ${error.message} ${error.stack ?? ""}`.slice(0, 2_000);
}

function firstLine({ error, reason }: LogFields): string {
  const text = error instanceof Error ? error.message : String(reason ?? error);
  return (text.split("\n")[0] ?? "").slice(0, 500);
}
