// Where answered requests are reported for traces. There is one only where the operator asked for traces.

export type TracedRequest = {
  readonly method: string;
  /** A pattern, never a path. */
  readonly route: string;
  readonly status: number;
  /** How long it took, until now. */
  readonly ms: number;
  readonly requestId: string;
  readonly clientId: string;
  /** W3C trace context as the caller sent it. */
  readonly traceparent: string | null;
  readonly tracestate: string | null;
};

export interface Tracing {
  record(request: TracedRequest): void;
  /** Sends what has not been sent, for a while. */
  close(): Promise<void>;
}
