// What the service counts, and how Prometheus reads it (A15 /metrics). Counting is a plain increment; text is made only when asked for.

/** Upper bounds of the latency histogram, in milliseconds; the last bucket has none. */
export const LATENCY_BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

export type Reading = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

/** A figure that is read when somebody asks. */
export type Gauge = {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly read: () => readonly Reading[];
};

type Histogram = { readonly buckets: Float64Array; sumMs: number; count: number };

/** A response from the fast path of the resolver, counted by its status alone: no key is built, no clock is read. */
const STATUS_LIMIT = 600;

export const metrics = () => {
  const requests = new Map<string, number>();
  const latencies = new Map<string, Histogram>();
  const fast = new Float64Array(STATUS_LIMIT);
  const gauges: Gauge[] = [];

  return {
    /** One answered request. `route` is a pattern, never a path: the number of series must stay small. */
    observe(method: string, route: string, status: number, ms: number): void {
      const key = `method="${quoteLabel(method)}",route="${quoteLabel(route)}",status="${status}"`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      let histogram = latencies.get(route);
      if (histogram === undefined) {
        histogram = { buckets: new Float64Array(LATENCY_BOUNDS_MS.length + 1), sumMs: 0, count: 0 };
        latencies.set(route, histogram);
      }
      const found = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
      const at = found < 0 ? LATENCY_BOUNDS_MS.length : found;
      histogram.buckets[at] = (histogram.buckets[at] ?? 0) + 1;
      histogram.sumMs += ms;
      histogram.count += 1;
    },

    /** One plain redirect of the resolver: counted, not timed. */
    countFast(status: number): void {
      fast[status] = (fast[status] ?? 0) + 1;
    },

    add(...more: readonly Gauge[]): void {
      gauges.push(...more);
    },

    /** The Prometheus text format, version 0.0.4. */
    render(): string {
      return [
        ...heading("arkstone_requests_total", "counter", "Requests answered, by method, route pattern and status"),
        ...[...requests].map(([labels, value]) => `arkstone_requests_total{${labels}} ${value}`),
        ...[...fast.entries()]
          .filter(([, value]) => value > 0)
          .map(
            ([status, value]) =>
              `arkstone_requests_total{method="GET",route="/ark:*",status="${status}",fast="1"} ${value}`,
          ),
        ...heading(
          "arkstone_request_duration_seconds",
          "histogram",
          "Time to answer, by route pattern; plain redirects of the resolver are counted above but not timed",
        ),
        ...[...latencies].flatMap(([route, histogram]) => histogramLines(route, histogram)),
        ...gauges.flatMap(gaugeLines),
        "",
      ].join("\n");
    },
  };
};
export type Metrics = ReturnType<typeof metrics>;

function heading(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function histogramLines(route: string, histogram: Histogram): string[] {
  const label = `route="${quoteLabel(route)}"`;
  const name = "arkstone_request_duration_seconds";
  let below = 0;
  const buckets = [...LATENCY_BOUNDS_MS, Number.POSITIVE_INFINITY].map((bound, index) => {
    below += histogram.buckets[index] ?? 0;
    const le = Number.isFinite(bound) ? String(bound / 1000) : "+Inf";
    return `${name}_bucket{${label},le="${le}"} ${below}`;
  });
  return [...buckets, `${name}_sum{${label}} ${histogram.sumMs / 1000}`, `${name}_count{${label}} ${histogram.count}`];
}

function gaugeLines(gauge: Gauge): string[] {
  const lines = gauge.read().map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([name, text]) => `${name}="${quoteLabel(text)}"`);
    return `${gauge.name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
  });
  return [...heading(gauge.name, gauge.type, gauge.help), ...lines];
}

function quoteLabel(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
