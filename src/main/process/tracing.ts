// Traces, where the standard OTEL_ variables ask for them. Where they do not, nothing of OpenTelemetry is even loaded.
import type { Env, ServerRole } from "../../config.ts";
import type { Log } from "../../shared/log.ts";
import { readTracingSettings } from "../../shared/settings/tracing-settings.ts";
import type { Tracing } from "../../shared/tracing.ts";
import { PROGRAM_VERSION } from "../version.ts";

/** Failures are logged once in this time: an unreachable collector must not fill the log. */
const LOGGED_EVERY_MS = 60_000;

export async function openTracing(role: ServerRole, env: Env, log: Log): Promise<Tracing | null> {
  const { settings, warnings } = readTracingSettings(env);
  for (const warning of warnings) log.warn("settings", { warning });
  if (settings === null) return null;
  const { openTelemetry } = await import("../../adapters/open-telemetry.ts");
  let loggedAt = Number.NEGATIVE_INFINITY;
  const onFailure = (error: unknown): void => {
    if (performance.now() - loggedAt < LOGGED_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn("traces_not_sent", { error });
  };
  log.info("traces", { sampler: settings.sampler });
  return openTelemetry({
    settings,
    serviceName: `arkstone-${role}`,
    serviceVersion: PROGRAM_VERSION,
    onFailure,
  });
}
