// Traces by the standard OTEL_ variables: real processes that tell a collector of their requests (issue 4, item 7).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTracingSettings } from "../../src/shared/settings/tracing-settings.ts";
import { collector } from "../support/collector.ts";
import { freePort, provision, startRole, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("tracing");
const found = await collector();
const env = {
  SVC_DATA_DIR: folder.path,
  OTEL_EXPORTER_OTLP_ENDPOINT: found.endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=abc",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  OTEL_BSP_SCHEDULE_DELAY: "100",
};
let key = "";
beforeAll(async () => {
  key = await provision(folder.path, env);
});
afterAll(async () => {
  await found.close();
  folder.remove();
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

describe("traces", () => {
  test("one span for each request and description, none for redirects, probes and figures; SIGTERM sends the last", async () => {
    const minter = await startRole("minter", env, await freePort());
    const send = (path: string, init: RequestInit = {}) =>
      fetch(minter.base + path, {
        ...init,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers },
      });
    const minted = await send("/api/mint", {
      method: "POST",
      body: JSON.stringify({ shoulder: "b1", url: "https://t.example/private-target", title: "Private title" }),
      headers: { traceparent: `00-${TRACE}-${PARENT}-01`, "x-request-id": "r-42" },
    });
    const { ark } = await minted.json();
    await (await send("/api/stats", { headers: { traceparent: "nonsense" } })).text();
    await (await send("/api/stats", { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } })).text();
    await (await send("/nothing/of/the/kind?secret=hunter2")).text();
    await (await send("/metrics")).text();
    await minter.kill("SIGTERM");

    expect(minted.status).toBe(201);
    expect(found.requests[0]?.path).toBe("/v1/traces");
    expect(found.requests[0]?.headers["x-collector-key"]).toBe("abc");
    expect(found.spans.map(({ name }) => name)).toEqual(["POST /api/mint", "GET /api/stats", "GET"]);
    const [mint, stats, none] = found.spans;
    expect(mint).toMatchObject({ kind: 2, traceId: TRACE, parentSpanId: PARENT, status: 0 });
    expect(mint?.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/api/mint",
      "http.response.status_code": 201,
      "arkstone.request_id": "r-42",
      "arkstone.client_id": "all",
    });
    const expected = { "service.name": "arkstone-minter", "deployment.environment.name": "test" };
    expect(mint?.resource).toMatchObject(expected);
    expect((mint?.ms ?? 0) > 0 && (mint?.ms ?? 0) < 20_000).toBe(true);
    expect(stats?.traceId).not.toBe(TRACE);
    expect(stats?.parentSpanId).toBe("");
    expect(none?.attributes["http.response.status_code"]).toBe(404);
    const response = found.requests.map(({ text }) => text).join("\n");
    for (const secret of ["hunter2", "private-target", "Private title", key, "nothing/of"]) {
      expect(response).not.toContain(secret);
    }

    found.spans.length = 0;
    const resolver = await startRole("resolver", { ...env, OTEL_SERVICE_NAME: "names" }, await freePort());
    const ask = async (path: string) => (await fetch(resolver.base + path, { redirect: "manual" })).status;
    expect([await ask(`/${ark}`), await ask(`/${ark}/part`), await ask(`/${ark}?info`)]).toEqual([302, 302, 200]);
    await resolver.kill("SIGTERM");
    expect(found.spans.map(({ name, resource }) => [name, resource["service.name"]])).toEqual([
      ["GET /ark:*", "names"],
    ]);
  });

  test("a collector that is away is one line in the log, and holds up neither requests nor the end", async () => {
    const away = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_BSP_EXPORT_TIMEOUT: "300" };
    const minter = await startRole("minter", away, await freePort());
    for (let n = 0; n < 20; n += 1) {
      const answer = await fetch(`${minter.base}/api/stats`, { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(200);
      await answer.text();
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const code = await minter.kill("SIGTERM");
    // Deno does not always tell how a process ended that was asked to end.
    if (!("Deno" in globalThis)) expect(code).toBe(0);
    expect(minter.errors().split("traces_not_sent").length - 1).toBe(1);
  });
});

describe("the OTEL_ variables", () => {
  const settings = (vars: Readonly<Record<string, string>>) => readTracingSettings(vars);

  test.each([
    [{}],
    [{ OTEL_SERVICE_NAME: "x" }],
    [{ OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" }],
    [{ OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" }],
  ])("%o asks for no traces", (vars) => {
    expect(settings(vars)).toEqual({ settings: null, warnings: [] });
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c:4318/v1/traces" }],
    [{ OTEL_TRACES_EXPORTER: "otlp" }],
  ])("%o asks for traces, all of them unless the caller's own sets otherwise", (vars) => {
    expect(settings(vars)).toMatchObject({ settings: { sampler: "parentbased_always_on", ratio: 1 }, warnings: [] });
  });

  test("what cannot be used is warned of and ignored", () => {
    const { settings: read, warnings } = settings({
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_TRACES_SAMPLER: "sometimes",
      OTEL_TRACES_SAMPLER_ARG: "7",
      OTEL_BSP_SCHEDULE_DELAY: "soon",
    });
    expect(warnings).toHaveLength(4);
    expect(read).toMatchObject({ sampler: "parentbased_always_on", ratio: 1, batch: { scheduledDelayMillis: 5000 } });
    expect(settings({ OTEL_TRACES_EXPORTER: "zipkin" })).toMatchObject({ settings: null });
    expect(
      settings({ OTEL_TRACES_EXPORTER: "otlp", OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" }),
    ).toMatchObject({ settings: { sampler: "traceidratio", ratio: 0.25 }, warnings: [] });
  });

  test("nothing of OpenTelemetry is loaded where no traces are asked for", () => {
    const text = readFileSync(join(import.meta.dirname, "../../src/main/process/tracing.ts"), "utf8");
    expect(text).toContain('await import("../../adapters/open-telemetry.ts")');
    expect(text).not.toMatch(/from "(?:@opentelemetry|(?:\.\.\/)+adapters\/open-telemetry)/);
  });
});
