// The context of a request: its id, the client's address, the caller, the internal error. Read by the log line and the
// error dialects.
import { ServiceError } from "../../src/shared/errors.ts";
import { addressKey } from "../../src/shared/http/address.ts";
import { type RateLimit, type RateMeasurement, rateHeaders } from "../../src/shared/http/rate-limit.ts";

export type RequestContext = {
  /** The `X-Request-Id` that was sent (first 64 visible characters), or one made up. */
  readonly id: string;
  /** The client's address as far as the trusted proxies tell it; empty when unknown. */
  address: string;
  /** True when the request comes from this machine and no front handed it on for somebody else. */
  local: boolean;
  clientId: string;
  /** The pattern of the route that answered, for log and metrics. */
  route: string;
  /** The limits of request rate it was counted against. */
  readonly rates: RateMeasurement[];
  /**
   * Bytes of the body that GET would have had, for the answer to HEAD: the router knows only the body that is not
   * there.
   */
  headLength: number | null;
  /** An error nobody expected; logged with its stack, never sent. */
  unexpected: unknown;
};

const contexts = new WeakMap<Request, RequestContext>();

const REQUEST_ID_LENGTH = 64;

/** The request id to use: visible ASCII of what was sent, cut to 64 characters, or a new random one. */
export function requestIdOf(sent: string | null): string {
  const visible = (sent ?? "").replace(/[^\x21-\x7E]/g, "").slice(0, REQUEST_ID_LENGTH);
  return visible === "" ? crypto.randomUUID() : visible;
}

/** The context of a request; made on first use. */
export function contextOf(request: Request): RequestContext {
  let context = contexts.get(request);
  if (context === undefined) {
    context = {
      id: requestIdOf(request.headers.get("x-request-id")),
      address: "",
      local: false,
      clientId: "",
      route: "",
      rates: [],
      headLength: null,
      unexpected: null,
    };
    contexts.set(request, context);
  }
  return context;
}

/** Gives a rewritten request (a mount prefix cut off) the context of the one it was made from. */
export function carryContext(from: Request, to: Request): Request {
  contexts.set(to, contextOf(from));
  return to;
}

// Counts a request against a limit of request rate, and reports it in the answer (error 1602; Retry-After, RateLimit,
// RateLimit-Policy).

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
