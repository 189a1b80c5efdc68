// A log in which causes that come again and again are told once a minute and counted: a full disk refuses thousands of
// requests, and its log would fill the next one.
import type { Log, LogFields } from "../shared/log.ts";

/** Events that tell the cause of a request's failure. Each request has its own line beside, with its id and status. */
const CAUSES: ReadonlySet<string> = new Set(["unexpected", "unavailable"]);
const WINDOW_MS = 60_000;
/** Different causes that are remembered; more are told each time. */
const CAUSES_MAX = 200;

type Told = { repeated: number; readonly route: unknown; readonly reason: string };
type Write = (event: string, fields?: LogFields) => void;

/**
 * The same log. The first line of a cause is told at once and whole; what repeats it within a minute is counted, and one line at its end
 * says how often (`repeated`).
 */
export function throttledLog(log: Log, windowMs: number = WINDOW_MS): Log {
  const causes = new Map<string, Told>();

  function through(write: Write): Write {
    return (event, fields = {}) => {
      if (!CAUSES.has(event)) return write(event, fields);
      const cause = `${event} ${causeOf(fields)}`;
      const told = causes.get(cause);
      if (told !== undefined) {
        told.repeated += 1;
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
