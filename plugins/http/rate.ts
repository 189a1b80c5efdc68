// Counts a request against a limit of request rate, and reports it in the answer (error 1602; Retry-After, RateLimit, RateLimit-Policy).

import { ServiceError } from "../../src/shared/errors.ts";
import { addressKey } from "../../src/shared/http/address.ts";
import { rateHeaders } from "../../src/shared/http/rate.ts";
import type { RateLimit } from "../../src/shared/http/rate-limit.ts";
import { contextOf } from "./request-context.ts";

/** Throws 1602 when `who` has to wait. What is left is remembered for the answer, whichever it is. */
export async function charge(request: Request, limit: RateLimit, who: string): Promise<void> {
  const verdict = await limit.take(who);
  contextOf(request).rates.push({ name: limit.name, perMinute: limit.perMinute, verdict });
  if (verdict.waitSeconds > 0) throw new ServiceError(1602, {}, { "retry-after": String(verdict.waitSeconds) });
}

/** Counts a request against its address, once, where there is such a limit. */
export async function chargeAddress(request: Request, limit: RateLimit | null): Promise<void> {
  if (limit === null) return;
  const { address, rates } = contextOf(request);
  if (rates.some(({ name }) => name === limit.name)) return;
  await charge(request, limit, addressKey(address));
}

/** Writes what is left of each limit that was asked about. */
export function sayRates(request: Request, response: Response): void {
  const { rates } = contextOf(request);
  if (rates.length === 0) return;
  for (const [name, value] of rateHeaders(rates)) response.headers.set(name, value);
}
