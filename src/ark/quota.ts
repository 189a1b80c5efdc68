// The daily quota of an organisation (A27, A28 code 1601): names newly made in the last 24 hours, rolling.
import { ServiceError } from "../shared/errors.ts";
import type { Instant } from "../shared/time/instant.ts";

const WINDOW_MS = 24 * 60 * 60 * 1000;
/** The window rolls: an hour later part of it has moved on. When enough has, only the next try can tell. */
const RETRY_AFTER_SECONDS = 3600;

/** Names made since this moment count. */
export function quotaWindowStart(now: Instant): Instant {
  return new Date(Date.parse(now) - WINDOW_MS).toISOString();
}

/** The refusal of `requested` more names when `used` were made in the window; null when they fit. */
export function quotaRefusal(quota: number, used: number, requested: number): ServiceError | null {
  if (used + requested <= quota) return null;
  return new ServiceError(1601, { quota, used, requested }, { "Retry-After": String(RETRY_AFTER_SECONDS) });
}
