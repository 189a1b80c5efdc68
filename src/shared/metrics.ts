// What the service counts, and how Prometheus reads it (A15 /metrics). Counting is a plain increment; text is made only
// when asked for.

/** Upper bounds of the latency histogram, in milliseconds; the last bucket has none. */
const LATENCY_BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

export type Reading = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

/** A figure that is read when somebody asks. */
export type Gauge = {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly read: () => readonly Reading[];
};

type Histogram = { readonly buckets: Float64Array; sumMs: number; count: number };

/** What one thread has counted. `fast`: by status. */
export type Counts = {
  readonly requests: Map<string, number>;
  readonly latencies: Map<string, Histogram>;
  readonly fast: Float64Array;
};

/** A response from the fast path of the resolver, counted by its status alone: no key is built, no clock is read. */
export const FAST_STATUSES = 600;

export const noCounts = (fast: Float64Array = new Float64Array(FAST_STATUSES)): Counts => ({
  requests: new Map(),
  latencies: new Map(),
  fast,
});

/** The counts of several threads together. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum = noCounts();
  for (const each of all) {
    for (const [key, value] of each.requests) sum.requests.set(key, (sum.requests.get(key) ?? 0) + value);
    for (const [route, histogram] of each.latencies) {
      const into = histogramOf(sum.latencies, route);
      histogram.buckets.forEach((value, at) => {
        into.buckets[at] = (into.buckets[at] ?? 0) + value;
      });
      into.sumMs += histogram.sumMs;
      into.count += histogram.count;
    }
    each.fast.forEach((value, status) => {
      sum.fast[status] = (sum.fast[status] ?? 0) + value;
    });
  }
  return sum;
}

function histogramOf(latencies: Map<string, Histogram>, route: string): Histogram {
  let histogram = latencies.get(route);
  if (histogram === undefined) {
    histogram = { buckets: new Float64Array(LATENCY_BOUNDS_MS.length + 1), sumMs: 0, count: 0 };
    latencies.set(route, histogram);
  }
  return histogram;
}

/** `counted`: where to go on counting; its `fast` may be in shared memory. */
export const metrics = (counted: Counts = noCounts()): Metrics => {
  const { requests, latencies, fast } = counted;
  const gauges: Gauge[] = [];

  return {
    observe(method, route, status, ms) {
      const key = `method="${quoteLabel(method)}",route="${quoteLabel(route)}",status="${status}"`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const histogram = histogramOf(latencies, route);
      const found = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
      const at = found < 0 ? LATENCY_BOUNDS_MS.length : found;
      histogram.buckets[at] = (histogram.buckets[at] ?? 0) + 1;
      histogram.sumMs += ms;
      histogram.count += 1;
    },

    countFast(status) {
      fast[status] = (fast[status] ?? 0) + 1;
    },

    add(...more) {
      gauges.push(...more);
    },

    counts: counted,

    render(others = []) {
      const all = others.length === 0 ? counted : sumOf([counted, ...others]);
      return [
        ...heading("arkstone_requests_total", "counter", "Requests answered, by method, route pattern and status"),
        ...[...all.requests].map(([labels, value]) => `arkstone_requests_total{${labels}} ${value}`),
        ...[...all.fast.entries()]
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
        ...[...all.latencies].flatMap(([route, histogram]) => histogramLines(route, histogram)),
        ...gauges.flatMap(gaugeLines),
        "",
      ].join("\n");
    },
  };
};
export interface Metrics {
  /** One answered request. `route` is a pattern, never a path: the number of series must stay small. */
  observe(method: string, route: string, status: number, ms: number): void;
  /** One plain redirect of the resolver: counted, not timed. */
  countFast(status: number): void;
  add(...more: readonly Gauge[]): void;
  /** What this thread has counted so far. */
  readonly counts: Counts;
  /** The Prometheus text format, version 0.0.4, of what was counted here and by `others`. */
  render(others?: readonly Counts[]): string;
}

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
