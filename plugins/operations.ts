// For whoever runs the service (A15): /healthz, /readyz and /metrics.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ServiceError } from "../src/domain/errors.ts";
import type { Metrics } from "../src/domain/metrics.ts";
import { arkDialect, errors } from "./errors.ts";
import { contextOf } from "./request-context.ts";

export type OperationsNeeds = {
  readonly metrics: Metrics;
  /** False: only this machine may read the metrics (SVC_METRICS). */
  readonly metricsPublic: boolean;
  /** Why the service cannot do its work; empty when it can. Must not throw. */
  readonly notReady: () => Promise<readonly string[]>;
};

const Ok = Type.Object({ ok: Type.Literal(true) }, { description: "All is well" });
const RETRY_SECONDS = "5";

/** Paths a probe asks for under whatever host name it likes. */
export const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

export const operations = (needs: OperationsNeeds) =>
  new Elysia({ name: "operations" })
    .use(errors(arkDialect))
    .get("/healthz", () => ({ ok: true as const }), {
      response: { 200: Ok },
      detail: {
        tags: ["Operations"],
        summary: "Is the process alive",
        description: "Asks nothing of the database.",
        security: [],
      },
    })
    .get(
      "/readyz",
      async () => {
        const reasons = await needs.notReady();
        if (reasons.length > 0) throw new ServiceError(1901, { reasons }, { "retry-after": RETRY_SECONDS });
        return { ok: true as const };
      },
      {
        response: { 200: Ok },
        detail: {
          tags: ["Operations"],
          summary: "Can the service do its work",
          description:
            "503 (SVC-1901) with the reasons in `detail` while the database is away or the table is not loaded.",
          security: [],
        },
      },
    )
    .get(
      "/metrics",
      ({ request }) => {
        if (!needs.metricsPublic && !contextOf(request).local) throw new ServiceError(1101);
        return new Response(needs.metrics.render(), {
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
        });
      },
      {
        detail: {
          tags: ["Operations"],
          summary: "Figures for Prometheus",
          description: "For this machine only unless SVC_METRICS=public; others get 404 (SVC-1101).",
          security: [],
        },
      },
    );
