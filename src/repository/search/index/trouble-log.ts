// Errors of work that is tried again and again (R34), logged once for each state: polling meets the same error four
// times a second.
import { errorMessage } from "../../../shared/error-message.ts";
import type { Log } from "../../../shared/log.ts";

/** Errors that are known to be in the log until it works again. */
const REPORTED_MAX = 20;

export class TroubleLog {
  readonly #log: Log;
  readonly #reported = new Set<string>();
  /** The last error; null: there is none. */
  #trouble: string | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  get trouble(): string | null {
    return this.#trouble;
  }

  report(level: "warn" | "error", event: string, error: unknown): void {
    this.#trouble = errorMessage(error);
    const state = `${event} ${this.#trouble.replace(/\d+/g, "#")}`;
    if (this.#reported.has(state)) return;
    if (this.#reported.size >= REPORTED_MAX) this.#reported.clear();
    this.#reported.add(state);
    this.#log[level](event, { error: this.#trouble });
  }

  /** Logs the event if there was trouble before. */
  reportRecovery(event: string): void {
    if (this.#trouble === null) return;
    this.#trouble = null;
    this.#reported.clear();
    this.#log.info(event);
  }
}
