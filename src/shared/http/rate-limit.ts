// Limits of request rates as the edge asks for them: in the memory of this process, or shared by every minter of one
// database. Shared: each process leases slices of a caller's minute, a tenth at a time, so that the database is asked
// ten times a minute, not per request. When it does not answer, each process counts for itself until it does: a limit
// never stops the service.

// How fast one credential, or one address, may ask (SVC_RATE_PER_MINUTE, SVC_ADDRESS_RATE_PER_MINUTE; error 1602): a
// bucket of tokens each. Time is handed in, in milliseconds. Header fields follow
// draft-ietf-httpapi-ratelimit-headers-10.

/**
 * Callers remembered at once: this many seen lately, and as many from before them. Who is forgotten starts with a full
 * bucket.
 */
const BUCKETS_MAX = 50_000;

export type RateName = "credential" | "address" | "harvest" | "tools" | "register" | "access-requests";

type RateVerdict = {
  /** 0 when the request may pass, otherwise the whole seconds to wait. */
  readonly waitSeconds: number;
  /** Requests that could follow at once. */
  readonly remaining: number;
  /** Until all of it is there again. */
  readonly resetSeconds: number;
};

/**
 * A map that forgets: what was not asked for during the last `max` new keys is gone. Never more than twice `max`
 * entries.
 */
export const forgetfulMap = <V>(max: number) => {
  let recent = new Map<string, V>();
  let before = new Map<string, V>();
  const set = (key: string, value: V): void => {
    if (recent.size >= max && !recent.has(key)) {
      before = recent;
      recent = new Map();
    }
    recent.set(key, value);
  };
  return {
    get(key: string): V | undefined {
      const found = recent.get(key);
      if (found !== undefined) return found;
      const older = before.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    size: () => recent.size + before.size,
  };
};

type Bucket = { tokens: number; at: number };

export const rateLimiter = (perMinute: number, bucketsMax: number = BUCKETS_MAX): RateLimiter => {
  const buckets = forgetfulMap<Bucket>(bucketsMax);
  return {
    take(who, nowMs) {
      let bucket = buckets.get(who);
      if (bucket === undefined) {
        bucket = { tokens: perMinute, at: nowMs };
        buckets.set(who, bucket);
      }
      const elapsedMs = Math.max(0, nowMs - bucket.at);
      bucket.tokens = Math.min(perMinute, bucket.tokens + (elapsedMs * perMinute) / 60_000);
      bucket.at = nowMs;
      const may = bucket.tokens >= 1;
      if (may) bucket.tokens -= 1;
      return {
        waitSeconds: may ? 0 : Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute)),
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil(((perMinute - bucket.tokens) * 60) / perMinute),
      };
    },
    size: buckets.size,
  };
};
interface RateLimiter {
  take(who: string, nowMs: number): RateVerdict;
  /** How many are remembered. */
  size(): number;
}

export type RateMeasurement = { readonly name: RateName; readonly perMinute: number; readonly verdict: RateVerdict };

/** `RateLimit-Policy` and `RateLimit`: what is allowed, and what is left of it. */
export function rateHeaders(measured: readonly RateMeasurement[]): readonly (readonly [string, string])[] {
  const list = (write: (each: RateMeasurement) => string): string => measured.map(write).join(", ");
  return [
    ["ratelimit-policy", list(({ name, perMinute }) => `"${name}";q=${perMinute};w=60`)],
    ["ratelimit", list(({ name, verdict }) => `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`)],
  ];
}

// What all minters of one database may let through in a minute, kept where all of them see it. Asked once for a slice,
// not once a request.

export type RateSlice = {
  /** Requests this process may let through now; 0 when the minute's budget is used up. */
  readonly granted: number;
  /** Handed out to all processes in this minute, this slice included. */
  readonly taken: number;
  /** Number of the minute, by the one clock of the database. */
  readonly minute: number;
  readonly msLeft: number;
};

export interface RateBudget {
  /** Takes up to `slice` of the `limit` requests that `who` may make in the current minute. */
  lease(who: string, slice: number, limit: number): Promise<RateSlice>;
  /** Forgets minutes long past. */
  sweep(): Promise<void>;
}

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
/**
 * Of a crowd that waits for one slice most find it empty again, and ask for the next; more often than this nobody does.
 */
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
