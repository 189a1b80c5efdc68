// The types of name assignment: a request, its draft, its outcome, and the three recipes for mint, register and import.

import type { Call } from "../auth/caller.ts";
import { ServiceError, ValidationRefusal } from "../shared/errors.ts";
import type { Clock, Random } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { ArkOrigin, ArkRecord, Description, ReceiptKind } from "./record.ts";
import type { Shoulder } from "./registered-things.ts";
import type { RegisteredData } from "./shoulder-choice.ts";
import type { ArkWriter } from "./store.ts";
import type { Ark } from "./syntax.ts";

export type MakingNeeds = { readonly clock: Clock; readonly random: Random };

/** One name somebody wants. `row` is its index in a bulk call, null in a single one. */
export type NameRequest<In> = { readonly call: Call; readonly input: In; readonly row: number | null };
export type NameRequestInput = { readonly request_id?: string | undefined };

export type AssignedName = { readonly record: ArkRecord; readonly replayed: boolean };
export type NameRefusal = ServiceError | ValidationRefusal;
export type Outcome = AssignedName | NameRefusal;

/** A request that may be granted: the content of the new row. */
export type Draft = {
  readonly ark: Ark;
  readonly shoulder: Shoulder;
  readonly published: boolean;
  readonly description: Description;
};

/** What tells the three ways of making names apart. */
export type Recipe<In> = {
  readonly kind: ReceiptKind;
  readonly origin: ArkOrigin;
  /**
   * Whose receipts count where they are not the caller's own: a word in parentheses, as no credential has one. A client can then never
   * send the request_id under which the system asks (R5a).
   */
  readonly issuer?: string;
  /** Counts against the quota (A27). */
  readonly limited: boolean;
  /** A draft or a refusal for each request, in order. Refusals that need no reading come first; nothing is written here. */
  readonly plan: (
    tx: ArkWriter,
    known: RegisteredData,
    requests: readonly NameRequest<In>[],
  ) => Promise<readonly (Draft | NameRefusal)[]>;
};

/** One request during the procedure. `outcome` is set once. */
export type Entry<In = unknown> = {
  request: NameRequest<In>;
  /** Under whose name the receipt is kept. */
  readonly issuer: string;
  /** Empty where none was sent. */
  readonly requestId: string;
  draft: Draft | null;
  outcome: Outcome | null;
};
export type DraftedEntry<In> = Entry<In> & { draft: Draft };

/** What one transaction did, for the counters. */
export type Tally = { made: number; replayed: number; collisions: number; bladesGrown: number };

/** One run of the procedure. */
export type Work<In> = {
  readonly tx: ArkWriter;
  readonly recipe: Recipe<In>;
  /** All or nothing: the first refusal is thrown and ends the transaction. */
  readonly together: boolean;
  readonly now: Instant;
  readonly random: Random;
  readonly tally: Tally;
};

export function isRefusal(value: object): value is NameRefusal {
  return value instanceof ServiceError || value instanceof ValidationRefusal;
}

/** The value, or the refusal it was answered with. */
export function attempt<T>(decide: () => T): T | NameRefusal {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ValidationRefusal) return error;
    throw error;
  }
}

/** As `attempt`, of what has to be waited for. */
export async function attemptOf<T>(decide: () => Promise<T>): Promise<T | NameRefusal> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ValidationRefusal) return error;
    throw error;
  }
}

/** Refuses one request and names its row (A14); in an all-or-nothing call this ends the transaction. */
export function refuse<In>(work: Work<In>, entry: Entry<In>, refusal: NameRefusal): void {
  const { row } = entry.request;
  const placed = refusal instanceof ServiceError && row !== null ? refusal.inRow(row) : refusal;
  if (work.together) throw placed;
  entry.outcome = placed;
}

/** The entries that are still to be written. */
export function openDrafts<In>(entries: readonly Entry<In>[]): readonly DraftedEntry<In>[] {
  return entries.filter((entry): entry is DraftedEntry<In> => entry.outcome === null && entry.draft !== null);
}
