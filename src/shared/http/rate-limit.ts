// Limits of request rates as the edge asks for them: in the memory of this process, or shared by every minter of one database.
// Shared: each process leases slices of a caller's minute, a tenth at a time, so that the database is asked ten times a minute, not per
// request. When it does not answer, each process counts for itself until it does: a limit never stops the service.
import { BUCKETS_MAX, forgetfulMap, type RateName, type RateVerdict, rateLimiter } from "./rate.ts";
import type { RateBudget } from "./rate-budget.ts";

export type RateLimit = {
  readonly name: RateName;
  readonly perMinute: number;
  readonly take: (who: string) => RateVerdict | Promise<RateVerdict>;
  /** Requests refused since the start. */
  readonly refused: () => number;
};

type LocalNeeds = { readonly name: RateName; readonly perMinute: number; readonly nowMs: () => number };

export const localRateLimit = ({ name, perMinute, nowMs }: LocalNeeds): RateLimit => {
  const limiter = rateLimiter(perMinute);
  return counted({ name, perMinute, take: (who) => limiter.take(who, nowMs()) });
};

type SharedNeeds = LocalNeeds & {
  readonly budget: RateBudget;
  readonly onFailure: (error: unknown) => void;
};

/** Slices a minute's budget is cut into. */
const SLICES = 10;
/** How long a process counts for itself after the database did not answer. */
const ALONE_MS = 30_000;
/** Of a crowd that waits for one slice most find it empty again, and ask for the next; more often than this nobody does. */
const ATTEMPTS = 100;
const SWEEP_MINUTES = 10;

/** What this process holds of a caller's minute. */
type Holding = { left: number; unleased: number; endsAt: number };

export const sharedRateLimit = (needs: SharedNeeds): RateLimit => {
  const { name, perMinute, nowMs, budget } = needs;
  const alone = rateLimiter(perMinute);
  const holdings = forgetfulMap<Holding>(BUCKETS_MAX);
  const asked = new Map<string, Promise<void>>();
  const slice = Math.max(1, Math.ceil(perMinute / SLICES));
  let aloneUntil = Number.NEGATIVE_INFINITY;
  let sweptAt = 0;

  function sweepAt(minute: number): void {
    if (minute - sweptAt < SWEEP_MINUTES) return;
    sweptAt = minute;
    // What is not forgotten now is forgotten next time.
    budget.sweep().catch(() => {});
  }

  async function lease(who: string): Promise<void> {
    const { granted, taken, minute, msLeft } = await budget.lease(`${name} ${who}`, slice, perMinute);
    const held = holdings.get(who);
    const now = nowMs();
    const left = granted + (held !== undefined && now < held.endsAt ? held.left : 0);
    holdings.set(who, { left, unleased: Math.max(0, perMinute - taken), endsAt: now + msLeft });
    sweepAt(minute);
  }

  /** One question for a caller at a time, however many requests wait for its answer. */
  function leaseOnce(who: string): Promise<void> {
    const under = asked.get(who);
    if (under !== undefined) return under;
    const question = lease(who).finally(() => asked.delete(who));
    asked.set(who, question);
    return question;
  }

  function fromHolding(who: string): RateVerdict | null {
    const held = holdings.get(who);
    const msLeft = (held?.endsAt ?? 0) - nowMs();
    if (held === undefined || msLeft <= 0) return null;
    const resetSeconds = Math.ceil(msLeft / 1000);
    if (held.left > 0) {
      held.left -= 1;
      return { waitSeconds: 0, remaining: held.left + held.unleased, resetSeconds };
    }
    return held.unleased > 0 ? null : { waitSeconds: Math.max(1, resetSeconds), remaining: 0, resetSeconds };
  }

  async function take(who: string): Promise<RateVerdict> {
    for (let attempt = 0; attempt < ATTEMPTS && nowMs() >= aloneUntil; attempt += 1) {
      const verdict = fromHolding(who);
      if (verdict !== null) return verdict;
      try {
        await leaseOnce(who);
      } catch (error) {
        if (nowMs() >= aloneUntil) needs.onFailure(error);
        aloneUntil = nowMs() + ALONE_MS;
      }
    }
    if (nowMs() >= aloneUntil) return { waitSeconds: 1, remaining: 0, resetSeconds: 1 };
    return alone.take(who, nowMs());
  }

  return counted({ name, perMinute, take });
};

function counted(limit: Omit<RateLimit, "refused">): RateLimit {
  let refused = 0;
  const note = (verdict: RateVerdict): RateVerdict => {
    if (verdict.waitSeconds > 0) refused += 1;
    return verdict;
  };
  return {
    ...limit,
    take: (who) => {
      const verdict = limit.take(who);
      return verdict instanceof Promise ? verdict.then(note) : note(verdict);
    },
    refused: () => refused,
  };
}
