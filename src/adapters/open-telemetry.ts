// Traces through OpenTelemetry's own SDK, sent as OTLP over HTTP. Loaded only where traces are asked for
// (src/main/process/tracing.ts). One span for each request, made when it has been answered: we call nobody on whose way
// a trace would have to go on.

import { defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "../shared/settings/tracing-settings.ts";
import { inTime } from "../shared/time/event-loop.ts";
import type { TracedRequest, Tracing } from "../shared/tracing.ts";

type OpenTelemetryNeeds = {
  readonly settings: TracingSettings;
  /** `service.name`, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES sets another. */
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly onFailure: (error: unknown) => void;
};

/** How long the end of the service waits for the last spans to be taken. */
const CLOSE_MS = 3000;

const SAMPLERS: { readonly [name in TracingSettings["sampler"]]: (ratio: number) => Sampler } = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

export function openTelemetry(needs: OpenTelemetryNeeds): Tracing {
  const { settings } = needs;
  setGlobalErrorHandler(needs.onFailure);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": needs.serviceName,
      "service.version": needs.serviceVersion,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler: SAMPLERS[settings.sampler](settings.ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...settings.batch })],
  });
  const tracer = provider.getTracer("arkstone", needs.serviceVersion);
  const propagator = new W3CTraceContextPropagator();

  function parentOf({ traceparent, tracestate }: TracedRequest) {
    if (traceparent === null) return ROOT_CONTEXT;
    const carrier = { traceparent, ...(tracestate === null ? {} : { tracestate }) };
    return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
  }

  return {
    record(request) {
      const { method, route, status, clientId } = request;
      const ended = Date.now();
      const span = tracer.startSpan(
        route.startsWith("/") ? `${method} ${route}` : method,
        {
          kind: SpanKind.SERVER,
          startTime: ended - request.ms,
          attributes: {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "arkstone.request_id": request.requestId,
            ...(clientId === "" ? {} : { "arkstone.client_id": clientId }),
            ...(status >= 500 ? { "error.type": String(status) } : {}),
          },
        },
        parentOf(request),
      );
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(ended);
    },

    async close() {
      await inTime(provider.shutdown().catch(needs.onFailure), CLOSE_MS, () => null);
    },
  };
}
