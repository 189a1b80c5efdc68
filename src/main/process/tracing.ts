// Traces, where the standard OTEL_ variables ask for them. Where they do not, nothing of OpenTelemetry is even loaded.
import type { Env, ServerRole } from "../../config.ts";
import type { Log } from "../../shared/log.ts";
import { readTracingSettings } from "../../shared/settings/tracing-settings.ts";
import type { Tracing } from "../../shared/tracing.ts";
import { PROGRAM_VERSION } from "../version.ts";

/** Failures are told once in this time: a collector that is away must not fill the log. */
const TOLD_EVERY_MS = 60_000;

export async function openTracing(role: ServerRole, env: Env, log: Log): Promise<Tracing | null> {
  const { settings, warnings } = readTracingSettings(env);
  for (const warning of warnings) log.warn("settings", { warning });
  if (settings === null) return null;
  const { openTelemetry } = await import("../../adapters/open-telemetry.ts");
  let told = Number.NEGATIVE_INFINITY;
  const onFailure = (error: unknown): void => {
    if (performance.now() - told < TOLD_EVERY_MS) return;
    told = performance.now();
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
