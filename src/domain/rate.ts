// A token bucket per caller (SVC_RATE_PER_MINUTE; error 1602). Time is handed in, in milliseconds.

/** Most callers remembered at once; beyond it the fullest memory is dropped whole, which only ever lets more through. */
export const BUCKETS_MAX = 100_000;

type Bucket = { tokens: number; at: number };

/** `take` gives 0 when the request may pass, otherwise the whole seconds to wait. */
export const rateLimiter = (perMinute: number) => {
  const buckets = new Map<string, Bucket>();
  return {
    take(who: string, nowMs: number): number {
      let bucket = buckets.get(who);
      if (bucket === undefined) {
        if (buckets.size >= BUCKETS_MAX) buckets.clear();
        bucket = { tokens: perMinute, at: nowMs };
        buckets.set(who, bucket);
      }
      const elapsedMs = Math.max(0, nowMs - bucket.at);
      bucket.tokens = Math.min(perMinute, bucket.tokens + (elapsedMs * perMinute) / 60_000);
      bucket.at = nowMs;
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return 0;
      }
      return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute));
    },
  };
};
export type RateLimiter = ReturnType<typeof rateLimiter>;
