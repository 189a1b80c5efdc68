// A substitute for an OpenTelemetry collector: takes OTLP over HTTP as JSON, and remembers the spans.
import { createServer } from "node:http";

type Value = { readonly stringValue?: string; readonly intValue?: number };
type SpanSeen = {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly resource: Readonly<Record<string, string | number>>;
  readonly status: number;
  readonly ms: number;
};

type Attributes = readonly { readonly key: string; readonly value: Value }[];
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
};
type RawSpan = Pick<SpanSeen, "name" | "kind" | "traceId"> & {
  readonly parentSpanId?: string;
  readonly attributes: Attributes;
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
};

function plain(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ""]));
}

function spansOf(sent: Export): SpanSeen[] {
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        parentSpanId: span.parentSpanId ?? "",
        attributes: plain(span.attributes),
        resource: plain(resource.attributes),
        status: span.status.code ?? 0,
        ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
      })),
    ),
  );
}

export async function collector() {
  const spans: SpanSeen[] = [];
  const requests: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]>; readonly text: string }[] =
    [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Uint8Array) => {
      text += new TextDecoder().decode(chunk);
    });
    request.on("end", () => {
      requests.push({ path: request.url ?? "", headers: request.headers, text });
      spans.push(...spansOf(JSON.parse(text)));
      response.setHeader("content-type", "application/json");
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
