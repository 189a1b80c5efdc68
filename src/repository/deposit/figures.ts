// Metrics of deposits (R13): packages by format and outcome, bytes received, deposits in progress, deposits refused for
// lack of capacity; and deposits in progress per account (R6c).
import type { PackageKind } from "../../model/files/described-package.ts";
import { Refusal } from "../../shared/refusal.ts";

/** `registered` 200 and 201, `waiting` 202 (an activity), `refused` by a rule, `unavailable` no room, `failed` for no reason of the client's. */
export type DepositOutcome = "registered" | "waiting" | "replayed" | "refused" | "unavailable" | "failed";

/** `unknown`: refused before it was known what the package is. */
export type DepositFormat = PackageKind | "unknown";

type EndedDeposits = {
  readonly format: DepositFormat;
  readonly outcome: DepositOutcome;
  readonly count: number;
};

export type DepositFigures = {
  /** Packages being received, read or registered now. */
  readonly working: number;
  /** Sent away because too many were worked on. */
  readonly sentAway: number;
  readonly receivedBytes: number;
  readonly ended: readonly EndedDeposits[];
};

export function outcomeOfError(error: unknown): DepositOutcome {
  if (!(error instanceof Refusal)) return "failed";
  return error.kind === "unavailable" ? "unavailable" : "refused";
}

export class DepositCounters {
  readonly #ended = new Map<string, EndedDeposits>();
  /** Deposits under way, by account. */
  readonly #ofAccounts = new Map<number, number>();
  #working = 0;
  #sentAway = 0;
  #receivedBytes = 0;

  get working(): number {
    return this.#working;
  }

  /** Of one account, with all its tokens (R6c). */
  workingOf(accountId: number): number {
    return this.#ofAccounts.get(accountId) ?? 0;
  }

  begin(accountId: number): void {
    this.#working += 1;
    this.#ofAccounts.set(accountId, this.workingOf(accountId) + 1);
  }

  sendAway(): void {
    this.#sentAway += 1;
  }

  receive(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  end(accountId: number, format: DepositFormat, outcome: DepositOutcome): void {
    this.#working -= 1;
    const left = (this.#ofAccounts.get(accountId) ?? 1) - 1;
    if (left > 0) this.#ofAccounts.set(accountId, left);
    else this.#ofAccounts.delete(accountId);
    const key = `${format} ${outcome}`;
    const { count } = this.#ended.get(key) ?? { count: 0 };
    this.#ended.set(key, { format, outcome, count: count + 1 });
  }

  figures(): DepositFigures {
    return {
      working: this.#working,
      sentAway: this.#sentAway,
      receivedBytes: this.#receivedBytes,
      ended: [...this.#ended.values()],
    };
  }
}
