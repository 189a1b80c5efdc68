// Holds: a name, a shoulder or a NAAN is described instead of redirected until a moment (A42). They end by the clock
// alone.

import type { HoldScope, Naan, Shoulder } from "../ark/record.ts";
import type { Instant } from "../shared/time/instant.ts";

export type Hold = {
  readonly scope: HoldScope;
  readonly until: Instant;
  /** Null where only the description reads it (the hold of a single name). */
  readonly reason: string | null;
};

type HoldState = { readonly holdUntil: Instant | null; readonly holdReason?: string | null };

function holdOf(scope: HoldScope, held: HoldState | null, now: Instant): Hold | null {
  if (held === null || held.holdUntil === null || held.holdUntil <= now) return null;
  return { scope, until: held.holdUntil, reason: held.holdReason ?? null };
}

/** The hold that counts for a name: the narrowest one that has not ended. */
export function activeHold(
  name: HoldState | null,
  shoulder: Shoulder | null,
  naan: Naan | null,
  now: Instant,
): Hold | null {
  return holdOf("ark", name, now) ?? holdOf("shoulder", shoulder, now) ?? holdOf("naan", naan, now);
}

/** Seconds until a hold ends, rounded up, for `Retry-After`. */
export function secondsUntil(until: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((Date.parse(until) - Date.parse(now)) / 1000));
}
