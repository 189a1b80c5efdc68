// What the deposit door counts (R13): packages by format and outcome, bytes that came, how many are being worked on, how many were sent away; and how many
// each account has under way (R6c).
import type { PackageKind } from "../model/described-package.ts";
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

export const depositCounters = () => {
  let [working, sentAway, receivedBytes] = [0, 0, 0];
  const ended = new Map<string, EndedDeposits>();
  const ofAccounts = new Map<number, number>();

  return {
    get working(): number {
      return working;
    },
    /** Of one account, whatever tokens it uses (R6c). */
    workingOf: (accountId: number): number => ofAccounts.get(accountId) ?? 0,
    begin(accountId: number): void {
      working += 1;
      ofAccounts.set(accountId, (ofAccounts.get(accountId) ?? 0) + 1);
    },
    sendAway(): void {
      sentAway += 1;
    },
    receive(bytes: number): void {
      receivedBytes += bytes;
    },
    end(accountId: number, format: DepositFormat, outcome: DepositOutcome): void {
      working -= 1;
      const left = (ofAccounts.get(accountId) ?? 1) - 1;
      if (left > 0) ofAccounts.set(accountId, left);
      else ofAccounts.delete(accountId);
      const key = `${format} ${outcome}`;
      const { count } = ended.get(key) ?? { count: 0 };
      ended.set(key, { format, outcome, count: count + 1 });
    },
    figures: (): DepositFigures => ({ working, sentAway, receivedBytes, ended: [...ended.values()] }),
  };
};
