// The log: one JSON line per event on stderr. Stdout belongs to the command line.

import process from "node:process";
import type { Log, LogFields } from "../shared/log.ts";

const LEVELS = ["debug", "info", "warn", "error"] as const;
type Level = (typeof LEVELS)[number];

/** Longest text of one field; a stack is a text too. */
const TEXT_MAX = 8_000;

/**
 * Texts that look like a secret, in any field: our keys, tokens, Authorization headers, sign-in links, passwords inside
 * URLs.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bsvc_([A-Za-z0-9]{1,64})_[A-Za-z0-9_-]{16,}/g, "svc_$1_********"],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, "********"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi, "$1 ********"],
  // Links to sign in or register with (R33): until somebody has followed one, it is as good as a token. Feeds (R45).
  [/(\/(?:account\/+(?:login|register)|feeds\/+tasks)\/+)[^/\s"?]+/g, "$1********"],
  // Links that give a right to a record (R37).
  [/([?&]token=)[^&\s"#]+/g, "$1********"],
  // Tried once for each run of characters that may be a scheme.
  [/(?<![a-z0-9+.-])([a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s/@]+@/gi, "$1:********@"],
];

/** The text without anything that looks like a secret. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/** A log that leaves out what is below `level`. `write` takes one line with its end. */
export function jsonLog(
  level: Level,
  write: (line: string) => void = (line) => void process.stderr.write(line),
  now: () => Date = () => new Date(),
): Log {
  const at = (own: Level) => {
    if (LEVELS.indexOf(own) < LEVELS.indexOf(level)) return (): void => {};
    return (event: string, fields: LogFields = {}): void => {
      write(`${JSON.stringify({ at: now().toISOString(), level: own, event, ...fields }, safeValue)}\n`);
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** An error as text for a log field: its stack, and those of its causes. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\nCaused by: ${describeError(error.cause)}`;
}

function safeValue(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) return safeText(describeError(value));
  return typeof value === "string" ? safeText(value) : value;
}

function safeText(text: string): string {
  const masked = maskSecrets(text.slice(0, TEXT_MAX));
  return text.length > TEXT_MAX ? `${masked}…` : masked;
}

// A log that writes repeated causes once a minute and counts them: a full disk refuses thousands of
// requests, and its log would fill the next one.

/** Events with the cause of a failure of a request, which has another line with its id and status, or of a connection. */
const CAUSES: ReadonlySet<string> = new Set(["unexpected", "unavailable", "proxy_header_refused"]);
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
