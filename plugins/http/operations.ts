// For operators (A15): /healthz, /readyz and /metrics.
import { Elysia } from "elysia";
import { ServiceError } from "../../src/shared/errors.ts";
import { arkDialect, errors } from "./errors.ts";
import { HEALTH_DETAIL, METRICS_DETAIL, READY_DETAIL } from "./operations-document.ts";
import { contextOf } from "./request-context.ts";

export type OperationsNeeds = {
  /** The version of the program, which /healthz returns. */
  readonly version: string;
  /** The figures of the whole process, as Prometheus reads them. */
  readonly metrics: { readonly render: () => string | Promise<string> };
  /** False: only this machine may read the metrics (SVC_METRICS). */
  readonly metricsPublic: boolean;
  /** Why the service cannot do its work; empty when it can. Must not throw. */
  readonly notReady: () => Promise<readonly string[]>;
  /** What it does without meanwhile, although it works. Must not throw. */
  readonly degraded?: () => Promise<readonly string[]>;
};

const RETRY_SECONDS = "5";
const TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Paths a probe asks for under whatever host name it likes. */
export const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

export const operations = (needs: OperationsNeeds) =>
  new Elysia({ name: "operations" })
    .use(errors(arkDialect))
    .get("/healthz", () => ({ ok: true, version: needs.version }), { detail: HEALTH_DETAIL })
    .get(
      "/readyz",
      async () => {
        const reasons = await needs.notReady();
        if (reasons.length > 0) throw new ServiceError(1901, { reasons }, { "retry-after": RETRY_SECONDS });
        const degraded = (await needs.degraded?.()) ?? [];
        return degraded.length === 0 ? { ok: true } : { ok: true, degraded };
      },
      { detail: READY_DETAIL },
    )
    .get(
      "/metrics",
      async ({ request }) => {
        if (!needs.metricsPublic && !contextOf(request).local) throw new ServiceError(1101);
        return new Response(await needs.metrics.render(), {
          headers: { "content-type": TEXT_TYPE, "cache-control": "no-store" },
        });
      },
      { detail: METRICS_DETAIL },
    );
