// The frame of every app: unknown routes and methods, hosts, the mount prefix, request ids, log lines, metrics, probes.
import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { arkDialect, errors } from "../../plugins/http/errors.ts";
import { type FrameNeeds, frame } from "../../plugins/http/frame.ts";
import { operations } from "../../plugins/http/operations.ts";
import { contextOf } from "../../plugins/http/request-context.ts";
import { jsonLog } from "../../src/adapters/log.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { metrics } from "../../src/shared/metrics.ts";

const HOST = "http://localhost";
const KEY = "svc_0123456789ab_abcdefghijklmnopqrstuvwxyz0123456789abcdefg";

type Line = Readonly<Record<string, unknown>>;
type Changes = Partial<FrameNeeds> & { readonly notReady?: readonly string[]; readonly metricsPublic?: boolean };

/** A small app in the frame; what it logs and counts is returned. */
function framedApp(changes: Changes = {}, peer = "192.0.2.7") {
  const lines: Line[] = [];
  const figures = metrics();
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .use(
      operations({
        version: "1.2.3",
        metrics: figures,
        metricsPublic: changes.metricsPublic ?? false,
        notReady: async () => changes.notReady ?? [],
      }),
    )
    .use(
      new Elysia()
        .use(errors(arkDialect))
        .post("/api/mint", ({ request }) => {
          contextOf(request).clientId = "ops";
          return { path: new URL(request.url).pathname };
        })
        .get("/api/list", () => ({ data: [] }))
        .get("/api/away", () => {
          throw Object.assign(new ServiceError(1901), { cause: new Error("disk full") });
        })
        .get("/api/broken", () => {
          throw new Error(`no connection to postgres://ark:hunter2@db/arks with ${KEY}`);
        }),
    );
  let clock = 0;
  const handler = frame({
    handle: (request) => app.handle(request),
    routes: app.routes,
    hot: null,
    own: null,
    refuse: arkDialect,
    crossOrigin: false,
    rootPath: "",
    allowedHosts: new Set(),
    trustedProxies: 0,
    addressRate: null,
    tracing: null,
    load: { inFlight: 0, shed: 0, most: 0 },
    accessLog: "on",
    log: jsonLog("info", (line) => lines.push(JSON.parse(line))),
    metrics: figures,
    elapsedMs: () => {
      clock += 2;
      return clock;
    },
    ...changes,
  });
  const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
    handler(new Request(path.startsWith("http") ? path : HOST + path, init), { addressOf: () => peer });
  return { send, lines, figures };
}

describe("routes and methods", () => {
  test("A28 an unknown route is 404 SVC-1101 in the envelope", async () => {
    const response = await framedApp().send("/api/nothing?x=1");
    expect(response.status).toBe(404);
    const expected = { code: "SVC-1101", message: "No such route", detail: { path: "/api/nothing" } };
    expect(await response.json()).toEqual(expected);
  });

  test("A28 another method is 405 SVC-1102 with Allow", async () => {
    const { send } = framedApp();
    const response = await send("/api/list", { method: "DELETE" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await response.json()).toMatchObject({ code: "SVC-1102", detail: { method: "DELETE", allow: "GET, HEAD" } });
    expect((await send("/api/mint")).headers.get("allow")).toBe("POST");
    expect((await send("/api/mint", { method: "OPTIONS" })).status).toBe(405);
  });

  test("HEAD answers like GET", async () => {
    const response = await framedApp().send("/api/list", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("A28 an unexpected error is 500 SVC-1999 with the request id and nothing from inside; the log has its stack", async () => {
    const { send, lines } = framedApp();
    const response = await send("/api/broken", { headers: { "x-request-id": "abc" } });
    expect(response.status).toBe(500);
    const expected = { code: "SVC-1999", message: "Internal error", detail: { request_id: "abc" } };
    expect(await response.json()).toEqual(expected);
    const logged = lines.find((line) => line.event === "unexpected");
    expect(logged).toMatchObject({ level: "error", request_id: "abc", route: "/api/broken" });
    expect(String(logged?.error)).toContain("frame.test.ts");
  });

  test("no secret reaches a log line", async () => {
    const { send, lines } = framedApp();
    await send("/api/broken");
    await send(`/api/list?access_token=${KEY}`, { headers: { authorization: `Bearer ${KEY}` } });
    await send(`/${KEY}`);
    const all = JSON.stringify(lines);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(all).not.toContain("hunter2");
    expect(all).not.toContain("abcdefghijklmnop");
  });
});

describe("request ids and log lines", () => {
  test("A39 X-Request-Id is echoed: its first 64 visible characters", async () => {
    const { send } = framedApp();
    const long = `${"a".repeat(40)} ${"b".repeat(40)}`;
    const response = await send("/api/list", { headers: { "x-request-id": long } });
    expect(response.headers.get("x-request-id")).toBe("a".repeat(40) + "b".repeat(24));
  });

  test("A39 a request id is made up where none was sent, and is in the log line", async () => {
    const { send, lines } = framedApp();
    const id = (await send("/api/list")).headers.get("x-request-id");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines[0]?.request_id).toBe(id ?? "");
  });

  test("a log line tells method, route, path without query, status, time, client and address", async () => {
    const { send, lines } = framedApp();
    await send("/api/mint?read_only=true", { method: "POST", headers: { "x-request-id": "r1" } });
    expect(lines).toHaveLength(1);
    const route = { method: "POST", route: "/api/mint", path: "/api/mint", status: 200, ms: 2 };
    const caller = { request_id: "r1", client_id: "ops", address: "192.0.2.7" };
    expect(lines[0]).toMatchObject({ level: "info", event: "request", ...route, ...caller });
  });

  test.each([
    [0, "203.0.113.9", "192.0.2.7"],
    [1, "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    [2, "198.51.100.1, 203.0.113.9", "198.51.100.1"],
    [2, "6.6.6.6, 198.51.100.1, 203.0.113.9", "198.51.100.1"],
    [2, "203.0.113.9", "192.0.2.7"],
    [3, "198.51.100.1, 203.0.113.9", "192.0.2.7"],
    [10, ", , ,", "192.0.2.7"],
    [2, "", "192.0.2.7"],
    [1, 'evil"\\n{}', "192.0.2.7"],
  ])("with %d trusted proxies and X-Forwarded-For %s the client is %s", async (trustedProxies, sent, address) => {
    const { send, lines } = framedApp({ trustedProxies });
    await send("/api/list", { headers: { "x-forwarded-for": sent } });
    expect(lines[0]?.address).toBe(address);
  });
});

describe("hosts and the mount prefix", () => {
  test("A28 a host that is not allowed is 400 SVC-1105; probes are answered under any name", async () => {
    const { send } = framedApp({ allowedHosts: new Set(["id.example.org", "localhost:8001"]) });
    const ask = (path: string, host: string): Promise<Response> => send(path, { headers: { host } });
    expect((await ask("/api/list", "ID.example.org:443")).status).toBe(200);
    expect((await ask("/api/list", "localhost:8001")).status).toBe(200);
    expect((await ask("/healthz", "10.0.0.8:8001")).status).toBe(200);
    const refused = await ask("/api/list", "localhost:9999");
    expect([refused.status, (await refused.json()).code]).toEqual([400, "SVC-1105"]);
  });

  test("A49 requests are answered with and without the mount prefix, bodies included", async () => {
    const { send, lines } = framedApp({ rootPath: "/ids" });
    for (const path of ["/api/mint", "/ids/api/mint?x=1"]) {
      const response = await send(path, {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json" },
      });
      expect([response.status, (await response.json()).path]).toEqual([200, "/api/mint"]);
    }
    expect(lines.map((line) => [line.route, line.path])).toEqual([
      ["/api/mint", "/api/mint"],
      ["/api/mint", "/ids/api/mint"],
    ]);
    expect((await send("/idsapi/mint", { method: "POST" })).status).toBe(404);
  });
});

describe("cross-origin answers", () => {
  test("A39 the resolver lets every site read its answers, but not its figures; OPTIONS is 204", async () => {
    const { send } = framedApp({ crossOrigin: true }, "127.0.0.1");
    const origin = async (path: string, method = "GET"): Promise<unknown> => {
      const response = await send(path, { method });
      return [response.status, response.headers.get("access-control-allow-origin")];
    };
    expect(await origin("/api/list")).toEqual([200, "*"]);
    expect(await origin("/api/list", "OPTIONS")).toEqual([204, "*"]);
    expect(await origin("/nowhere")).toEqual([404, "*"]);
    expect(await origin("/metrics")).toEqual([200, null]);
    const exposed = (await send("/api/list")).headers.get("access-control-expose-headers");
    expect(exposed).toBe("Link, THUMP-Status");
  });

  test("A39 the minter sends none", async () => {
    const { send } = framedApp();
    for (const method of ["GET", "OPTIONS"]) {
      const response = await send("/api/list", { method, headers: { origin: "https://evil.example" } });
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("the fast path", () => {
  const redirect = (request: Request): Response | null =>
    request.url.endsWith("/ark:1/a") ? new Response(null, { status: 302, headers: { location: "https://a" } }) : null;

  test("A39 a plain redirect is counted, not logged, and echoes a request id that was sent", async () => {
    const { send, lines, figures } = framedApp({ hot: redirect });
    expect((await send("/ark:1/a")).headers.get("x-request-id")).toBeNull();
    expect((await send("/ark:1/a", { headers: { "x-request-id": "r7" } })).headers.get("x-request-id")).toBe("r7");
    expect(lines).toEqual([]);
    expect(figures.render()).toContain('arkstone_requests_total{method="GET",route="/ark:*",status="302",fast="1"} 2');
    expect((await send("/ark:1/b")).status).toBe(404);
  });

  test("A39 a redirect the fast path left to the app is not logged either", async () => {
    const handle = () => new Response(null, { status: 302, headers: { location: "https://a/b" } });
    const own = { matches: (request: Request) => request.url.includes("/ark:"), pattern: "/ark:*", handle };
    const { send, lines, figures } = framedApp({ hot: redirect, own });
    expect((await send("/ark:1/a/b")).headers.get("x-request-id")).toBeNull();
    expect(lines).toEqual([]);
    expect(figures.render()).toContain('arkstone_requests_total{method="GET",route="/ark:*",status="302"} 1');
  });

  test("A15 probes that find everything well are not logged, one that does not is; all of them with SVC_ACCESS_LOG=all", async () => {
    const { send, lines } = framedApp({}, "127.0.0.1");
    for (const path of ["/healthz", "/readyz"]) expect((await send(path)).status).toBe(200);
    expect(lines).toEqual([]);
    const ill = framedApp({ notReady: ["The database does not answer"] });
    await ill.send("/readyz");
    expect(ill.lines).toMatchObject([{ event: "request", route: "/readyz", status: 503 }]);
    const all = framedApp({ accessLog: "all" });
    await all.send("/healthz");
    expect(all.lines).toMatchObject([{ event: "request", route: "/healthz" }]);
  });

  test("A28 1901 what is away is reported in one line without a stack, as a separate event", async () => {
    const { send, lines } = framedApp();
    expect((await send("/api/away")).status).toBe(503);
    const answer = lines.find(({ event }) => event !== "request");
    expect(answer).toMatchObject({ event: "unavailable", level: "warn", route: "/api/away", reason: "disk full" });
    expect(JSON.stringify(answer)).not.toContain(".ts");
  });

  test("SVC_ACCESS_LOG=off logs no request, but what nobody foresaw, with its id", async () => {
    const { send, lines } = framedApp({ accessLog: "off" });
    expect((await send("/api/list")).headers.get("x-request-id")).toBeNull();
    const broken = await send("/api/broken");
    expect(lines.map((line) => line.event)).toEqual(["unexpected"]);
    expect(broken.headers.get("x-request-id")).toBe(String(lines[0]?.request_id));
  });

  test("SVC_ACCESS_LOG=all logs plain redirects too", async () => {
    const { send, lines } = framedApp({
      hot: redirect,
      accessLog: "all",
      own: { matches: (request) => request.url.includes("/ark:"), pattern: "/ark:*", handle: () => new Response() },
    });
    const id = (await send("/ark:1/a")).headers.get("x-request-id");
    expect(lines[0]).toMatchObject({ route: "/ark:*", path: "/ark:1/a", status: 302, request_id: id });
  });

  test("a host that is not allowed gets no redirect", async () => {
    const { send } = framedApp({ hot: redirect, allowedHosts: new Set(["id.example.org"]) });
    expect((await send("/ark:1/a", { headers: { host: "evil.example" } })).status).toBe(400);
    expect((await send("/ark:1/a", { headers: { host: "id.example.org" } })).status).toBe(302);
  });
});

describe("probes and figures", () => {
  test("A15 /healthz answers ok without asking anything else", async () => {
    const response = await framedApp({ notReady: ["database"] }).send("/healthz");
    expect([response.status, await response.json()]).toEqual([200, { ok: true, version: "1.2.3" }]);
  });

  test("A15 A28 /readyz is 503 SVC-1901 with the reasons and Retry-After", async () => {
    expect((await framedApp().send("/readyz")).status).toBe(200);
    const response = await framedApp({ notReady: ["The database does not answer"] }).send("/readyz");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    const expected = { code: "SVC-1901", detail: { reasons: ["The database does not answer"] } };
    expect(await response.json()).toMatchObject(expected);
  });

  test("A15 /metrics is for this machine only unless it is public", async () => {
    const status = async (changes: Changes, peer: string, headers: Record<string, string> = {}): Promise<number> =>
      (await framedApp(changes, peer).send("/metrics", { headers })).status;
    expect(await status({}, "127.0.0.1")).toBe(200);
    expect(await status({}, "::1")).toBe(200);
    expect(await status({}, "::ffff:127.0.0.1")).toBe(200);
    expect(await status({}, "192.0.2.7")).toBe(404);
    expect(await status({}, "127.0.0.1", { "x-forwarded-for": "192.0.2.7" })).toBe(404);
    expect(await status({ trustedProxies: 1 }, "127.0.0.1", { "x-forwarded-for": "192.0.2.7" })).toBe(404);
    expect(await status({ trustedProxies: 1 }, "10.0.0.1", { "x-forwarded-for": "127.0.0.1" })).toBe(200);
    // A request that went around a proxy is not local because the front that handed it on is.
    expect(await status({ trustedProxies: 2 }, "127.0.0.1", { "x-forwarded-for": "192.0.2.7" })).toBe(404);
    expect(await status({ trustedProxies: 2 }, "127.0.0.1", { "x-forwarded-for": "127.0.0.1" })).toBe(404);
    expect(await status({ trustedProxies: 1 }, "127.0.0.1", { forwarded: "for=192.0.2.7" })).toBe(404);
    expect(await status({ trustedProxies: 1 }, "127.0.0.1")).toBe(200);
    expect(await status({ metricsPublic: true }, "192.0.2.7")).toBe(200);
  });

  test("the figures are requests by route and status, and a histogram that adds up", async () => {
    const { send, figures } = framedApp({}, "127.0.0.1");
    figures.add({
      name: "arkstone_names",
      help: "Names",
      type: "gauge",
      read: () => [{ labels: { a: 'x"\\' }, value: 3 }],
    });
    await send("/api/list");
    await send("/api/list");
    await send("/secret/path/of/somebody");
    await send("/secret/path", { method: "PROPFIND" });
    const text = await (await send("/metrics")).text();
    const lines = text.split("\n");
    expect(lines).toContain('arkstone_requests_total{method="GET",route="/api/list",status="200"} 2');
    expect(lines).toContain('arkstone_requests_total{method="GET",route="(none)",status="404"} 1');
    // A method that nobody knows has no label of that text: there would be as many as clients think of.
    expect([text.includes("PROPFIND"), text.includes('method="OTHER"')]).toEqual([false, true]);
    expect(lines).toContain('arkstone_request_duration_seconds_bucket{route="/api/list",le="0.001"} 0');
    expect(lines).toContain('arkstone_request_duration_seconds_bucket{route="/api/list",le="0.0025"} 2');
    expect(lines).toContain('arkstone_request_duration_seconds_bucket{route="/api/list",le="+Inf"} 2');
    expect(lines).toContain('arkstone_request_duration_seconds_count{route="/api/list"} 2');
    expect(lines).toContain('arkstone_names{a="x\\"\\\\"} 3');
    expect(text).not.toContain("somebody");
    expect(lines.every((line) => line === "" || /^#|^[a-z_]+(?:\{[^\n]*\})? [0-9.e+-]+$/.test(line))).toBe(true);
  });
});
