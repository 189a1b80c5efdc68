// Which traces the standard OTEL_ variables ask for (OpenTelemetry, "Environment Variable Specification"). As specified
// there, a value that cannot be used is warned of and ignored. Endpoint, headers, timeout and compression are read by
// the exporter itself.

type Env = Readonly<Record<string, string | undefined>>;

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
type SamplerName = (typeof SAMPLERS)[number];

export type TracingSettings = {
  readonly sampler: SamplerName;
  /** Share of the traces kept, for the samplers that have one. */
  readonly ratio: number;
  readonly batch: {
    readonly scheduledDelayMillis: number;
    readonly exportTimeoutMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
  };
};

const PROTOCOL = "http/json";

/** `settings` is null where no traces are asked for. */
export function readTracingSettings(env: Env): {
  readonly settings: TracingSettings | null;
  readonly warnings: readonly string[];
} {
  const given = (name: string): string => (env[`OTEL_${name}`] ?? "").trim();
  const exporter = given("TRACES_EXPORTER").toLowerCase();
  const endpoint = given("EXPORTER_OTLP_TRACES_ENDPOINT") || given("EXPORTER_OTLP_ENDPOINT");
  const isOff = given("SDK_DISABLED").toLowerCase() === "true" || exporter === "none";
  if (isOff || (exporter === "" && endpoint === "")) return { settings: null, warnings: [] };
  if (exporter !== "" && exporter !== "otlp") {
    return { settings: null, warnings: [`OTEL_TRACES_EXPORTER="${exporter}" is not known: otlp or none; no traces`] };
  }
  const warnings: string[] = [];
  const whole = (name: string, fallback: number): number => {
    const text = given(name);
    if (text === "") return fallback;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    warnings.push(`OTEL_${name}="${text}" is not a whole number: ${fallback} is used`);
    return fallback;
  };
  const protocol = given("EXPORTER_OTLP_TRACES_PROTOCOL") || given("EXPORTER_OTLP_PROTOCOL") || PROTOCOL;
  if (protocol !== PROTOCOL)
    warnings.push(`OTEL_EXPORTER_OTLP_PROTOCOL="${protocol}" is not spoken: ${PROTOCOL} is used`);
  const maxQueueSize = whole("BSP_MAX_QUEUE_SIZE", 2048);
  const settings: TracingSettings = {
    ...samplerOf(given("TRACES_SAMPLER"), given("TRACES_SAMPLER_ARG"), warnings),
    batch: {
      scheduledDelayMillis: whole("BSP_SCHEDULE_DELAY", 5000),
      exportTimeoutMillis: whole("BSP_EXPORT_TIMEOUT", 30_000),
      maxQueueSize,
      maxExportBatchSize: Math.min(maxQueueSize, whole("BSP_MAX_EXPORT_BATCH_SIZE", 512)),
    },
  };
  return { settings, warnings };
}

function samplerOf(name: string, share: string, warnings: string[]): Pick<TracingSettings, "sampler" | "ratio"> {
  const sampler = SAMPLERS.find((known) => known === name);
  if (sampler === undefined && name !== "") {
    warnings.push(`OTEL_TRACES_SAMPLER="${name}" is not known: ${SAMPLERS.join(", ")}; parentbased_always_on is used`);
  }
  const ratio = share === "" ? 1 : Number(share);
  const isShare = ratio >= 0 && ratio <= 1;
  if (!isShare) warnings.push(`OTEL_TRACES_SAMPLER_ARG="${share}" is not a share from 0 to 1: 1 is used`);
  return { sampler: sampler ?? "parentbased_always_on", ratio: isShare ? ratio : 1 };
}
