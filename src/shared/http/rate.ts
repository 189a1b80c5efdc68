// How fast one credential, or one address, may ask (SVC_RATE_PER_MINUTE, SVC_ADDRESS_RATE_PER_MINUTE; error 1602): a bucket of tokens each.
// Time is handed in, in milliseconds. Header fields follow draft-ietf-httpapi-ratelimit-headers-10.

/** Callers remembered at once: this many seen lately, and as many from before them. Who is forgotten starts with a full bucket. */
export const BUCKETS_MAX = 50_000;

export type RateName = "credential" | "address" | "harvest" | "tools" | "register";

export type RateVerdict = {
  /** 0 when the request may pass, otherwise the whole seconds to wait. */
  readonly waitSeconds: number;
  /** Requests that could follow at once. */
  readonly remaining: number;
  /** Until all of it is there again. */
  readonly resetSeconds: number;
};

/** A map that forgets: what was not asked for during the last `max` new keys is gone. Never more than twice `max` entries. */
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

export type Measured = { readonly name: RateName; readonly perMinute: number; readonly verdict: RateVerdict };

/** `RateLimit-Policy` and `RateLimit`: what is allowed, and what is left of it. */
export function rateHeaders(measured: readonly Measured[]): readonly (readonly [string, string])[] {
  const list = (write: (each: Measured) => string): string => measured.map(write).join(", ");
  return [
    ["ratelimit-policy", list(({ name, perMinute }) => `"${name}";q=${perMinute};w=60`)],
    ["ratelimit", list(({ name, verdict }) => `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`)],
  ];
}
