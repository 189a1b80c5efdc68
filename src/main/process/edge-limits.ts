// The limits at the edge from the settings: request rates, concurrent requests, time for slow clients; and their
// metrics.
import type { FrameNeeds, Load } from "../../../plugins/http/frame.ts";
import type { Config } from "../../config.ts";
import {
  localRateLimit,
  type RateBudget,
  type RateLimit,
  type RateName,
  sharedRateLimit,
} from "../../shared/http/rate-limit.ts";
import type { Log } from "../../shared/log.ts";
import type { Gauge } from "../../shared/metrics.ts";

const nowMs = performance.now.bind(performance);

/** A limit in requests a minute, shared through `budget` where there is one; null where it is 0. */
export function rateLimitOf(name: RateName, perMinute: number, budget: RateBudget | null, log: Log): RateLimit | null {
  if (perMinute === 0) return null;
  if (budget === null) return localRateLimit({ name, perMinute, nowMs });
  const onFailure = (error: unknown): void => log.warn("rate_budget_away", { limit: name, error });
  return sharedRateLimit({ name, perMinute, nowMs, budget, onFailure });
}

/** The settings of the frame of every role. */
export function frameSettings(config: Config, log: Log) {
  return {
    rootPath: config.rootPath,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
    hstsSeconds: config.hstsSeconds,
    accessLog: config.accessLog,
    log,
    elapsedMs: nowMs,
  } satisfies Partial<FrameNeeds>;
}

/** What the frame of every role needs of the limits. */
export function edgeSettings(config: Config, budget: RateBudget | null, log: Log) {
  const load: Load = { inFlight: 0, shed: 0, most: config.maxInFlight };
  return { addressRate: rateLimitOf("address", config.addressRatePerMinute, budget, log), load };
}

/** Figures of the limits. */
export function edgeGauges(load: Load, limits: readonly (RateLimit | null)[]): Gauge[] {
  return [
    {
      name: "arkstone_requests_in_flight",
      help: "Requests being answered now; plain redirects of the resolver are not counted",
      type: "gauge",
      read: () => [{ value: load.inFlight }],
    },
    {
      name: "arkstone_requests_shed_total",
      help: "Requests refused because too many were being answered (SVC_MAX_IN_FLIGHT)",
      type: "counter",
      read: () => [{ value: load.shed }],
    },
    {
      name: "arkstone_rate_limited_total",
      help: "Requests refused by a limit of request rate (SVC-1602)",
      type: "counter",
      read: () =>
        limits.flatMap((limit) => (limit === null ? [] : [{ labels: { limit: limit.name }, value: limit.refused() }])),
    },
  ];
}
