// Limits at the edge over HTTP: rates of credentials and addresses on both roles, requests at once, and the headers
// that state so (issue 4, item 6).
import { beforeAll, describe, expect, test } from "bun:test";
import type { Handler } from "../../plugins/http/frame.ts";
import { readBytes } from "../../plugins/http/request-body.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { ask } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

let key = "";
let ark = "";
const world = setUpWorld({ names: { file: true } });
beforeAll(async () => {
  key = await world.key("edge");
  const made = await ask(world.minter(), "POST", "/api/mint", {
    key,
    body: { url: "https://t.example/a", title: "A" },
  });
  ark = String(made.json.ark);
});

const statuses = async (
  handler: Handler,
  times: number,
  method: string,
  path: string,
  asked = {},
): Promise<number[]> => {
  const found: number[] = [];
  for (let n = 0; n < times; n += 1) found.push((await ask(handler, method, path, asked)).status);
  return found;
};

describe("the size of a body", () => {
  test.each([true, false])(
    "A22 as many bytes as are allowed are read, one more is 1103; declared: %p",
    async (declared) => {
      const limits = { bodyLimit: 1000, clientSeconds: 10 };
      const sent = (bytes: number, length = bytes) => {
        const headers = declared ? { "content-length": String(length) } : {};
        return readBytes(
          new Request("http://x.example/", { method: "POST", body: new Uint8Array(bytes), headers }),
          limits,
        );
      };
      expect((await sent(1000)).length).toBe(1000);
      await expect(sent(1001)).rejects.toMatchObject({ code: 1103, detail: { limit: 1000 } });
      // More than was declared.
      await expect(sent(1001, 10)).rejects.toMatchObject({ code: 1103 });
    },
  );
});

describe("the rate of a credential", () => {
  test("answers state what is left; the one too many is 429 (1602) with Retry-After", async () => {
    const minter = world.minter({ SVC_RATE_PER_MINUTE: "2" });
    const first = await ask(minter, "GET", "/api/stats", { key });
    expect(first.status).toBe(200);
    expect(first.headers.get("ratelimit-policy")).toBe('"credential";q=2;w=60');
    expect(first.headers.get("ratelimit")).toBe('"credential";r=1;t=30');
    expect(first.headers.get("retry-after")).toBe(null);
    await ask(minter, "GET", "/api/stats", { key });
    const refused = await ask(minter, "GET", "/api/stats", { key });
    expect([refused.status, refused.json.code]).toEqual([429, "SVC-1602"]);
    expect(refused.headers.get("ratelimit")).toMatch(/^"credential";r=0;t=\d+$/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("another credential is not held back, and without a limit nothing is stated", async () => {
    const minter = world.minter({ SVC_RATE_PER_MINUTE: "1" });
    const other = await world.key("edge-other");
    expect(await statuses(minter, 2, "GET", "/api/stats", { key })).toEqual([200, 429]);
    expect((await ask(minter, "GET", "/api/stats", { key: other })).status).toBe(200);
    const free = await ask(world.minter(), "GET", "/api/stats", { key });
    expect([free.headers.has("ratelimit"), free.headers.has("ratelimit-policy")]).toEqual([false, false]);
  });
});

describe("the rate of an address on the minter", () => {
  const limit = { SVC_ADDRESS_RATE_PER_MINUTE: "3" };

  test("counts failed authentication and the token endpoint", async () => {
    const minter = world.minter(limit);
    expect(await statuses(minter, 2, "GET", "/api/stats")).toEqual([401, 401]);
    expect(await statuses(minter, 2, "POST", "/oauth/token", { body: "" })).toEqual([404, 429]);
    const wrong = await ask(minter, "GET", "/api/stats", { key: `svc_0123456789ab_${"x".repeat(43)}` });
    expect([wrong.status, wrong.json.code]).toEqual([429, "SVC-1602"]);
    expect(wrong.headers.get("ratelimit-policy")).toBe('"address";q=3;w=60');
    expect(wrong.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  test("the token endpoint refuses in its own dialect", async () => {
    const minter = world.minter({ SVC_ADDRESS_RATE_PER_MINUTE: "1" });
    await ask(minter, "POST", "/oauth/token", { body: "" });
    const refused = await ask(minter, "POST", "/oauth/token", { body: "" });
    expect([refused.status, refused.json.code]).toEqual([429, "SVC-1602"]);
  });

  test("probes and figures are not counted, and another address has its own", async () => {
    const minter = world.minter({ ...limit, SVC_TRUSTED_PROXIES: "1", SVC_METRICS: "public" });
    expect(await statuses(minter, 5, "GET", "/healthz")).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses(minter, 5, "GET", "/metrics")).toEqual([200, 200, 200, 200, 200]);
    const from = (address: string) => ({ headers: { "x-forwarded-for": `6.6.6.6, ${address}` } });
    expect(await statuses(minter, 4, "GET", "/api/stats", from("192.0.2.50"))).toEqual([401, 401, 401, 429]);
    expect(await statuses(minter, 4, "GET", "/api/stats", from("2001:db8::1"))).toEqual([401, 401, 401, 429]);
    expect(await statuses(minter, 1, "GET", "/api/stats", from("2001:db8::2"))).toEqual([429]);
    expect(await statuses(minter, 1, "GET", "/api/stats", from("2001:db8:0:1::2"))).toEqual([401]);
    const figures = (await ask(minter, "GET", "/metrics")).text;
    expect(figures).toContain('arkstone_rate_limited_total{limit="address"} 3');
  });

  test("what the client wrote into X-Forwarded-For moves nobody into another bucket", async () => {
    const minter = world.minter({ SVC_ADDRESS_RATE_PER_MINUTE: "1", SVC_TRUSTED_PROXIES: "1" });
    const forged = (n: number) => ({ headers: { "x-forwarded-for": `10.0.0.${n}, 192.0.2.50` } });
    expect((await ask(minter, "GET", "/api/stats", forged(1))).status).toBe(401);
    expect((await ask(minter, "GET", "/api/stats", forged(2))).status).toBe(429);
    const untrusting = world.minter({ SVC_ADDRESS_RATE_PER_MINUTE: "1" });
    expect((await ask(untrusting, "GET", "/api/stats", forged(3))).status).toBe(401);
    expect((await ask(untrusting, "GET", "/api/stats", forged(4))).status).toBe(429);
  });

  test("both limits are named in one answer", async () => {
    const minter = world.minter({ SVC_ADDRESS_RATE_PER_MINUTE: "60", SVC_RATE_PER_MINUTE: "30" });
    const answer = await ask(minter, "GET", "/api/stats", { key });
    expect(answer.headers.get("ratelimit-policy")).toBe('"address";q=60;w=60, "credential";q=30;w=60');
    expect(answer.headers.get("ratelimit")).toBe('"address";r=59;t=1, "credential";r=29;t=2');
  });
});

describe("the rate of an address on the resolver", () => {
  test("descriptions and unknown names are counted, redirects never, fast or not", async () => {
    const { handler } = await world.resolver({ SVC_ADDRESS_RATE_PER_MINUTE: "2" });
    expect(await statuses(handler, 2, "GET", `/${ark}?info`)).toEqual([200, 200]);
    const refused = await ask(handler, "GET", `/${ark}?info`, { headers: { accept: "text/html" } });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(refused.headers.get("ratelimit")).toMatch(/^"address";r=0;t=\d+$/);
    expect(refused.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(refused.headers.get("thump-status")).toBe("0.6 429 Too Many Requests");
    expect(refused.headers.get("link")).toBe(`</${ark}>; rel="describes"`);
    const unknown = `99999/b1nosuch${checkCharacter("99999/b1nosuch")}`;
    expect((await ask(handler, "GET", `/ark:${unknown}`)).status).toBe(429);
    expect(await statuses(handler, 3, "GET", `/${ark}`)).toEqual([302, 302, 302]);
    expect(await statuses(handler, 3, "GET", `/${ark}/part/7`)).toEqual([302, 302, 302]);
    expect(await statuses(handler, 2, "HEAD", `/${ark}`)).toEqual([302, 302]);
    expect((await ask(handler, "GET", "/readyz")).status).toBe(200);
  });

  test("by default nothing is limited", async () => {
    const { handler } = await world.resolver();
    expect(new Set(await statuses(handler, 200, "GET", `/${ark}?info`))).toEqual(new Set([200]));
  });
});

describe("requests at once", () => {
  test("more than SVC_MAX_IN_FLIGHT are 503 (1901) with Retry-After; probes are answered", async () => {
    const minter = world.minter({ SVC_MAX_IN_FLIGHT: "2", SVC_METRICS: "public" });
    const many = Array.from({ length: 6 }, () => ask(minter, "GET", "/api/stats", { key }));
    const probe = ask(minter, "GET", "/healthz");
    const found = (await Promise.all(many)).map(({ status }) => status).sort();
    expect(found).toEqual([200, 200, 503, 503, 503, 503]);
    expect((await probe).status).toBe(200);
    const again = await ask(minter, "GET", "/api/stats", { key });
    expect(again.status).toBe(200);
    const figures = (await ask(minter, "GET", "/metrics")).text;
    expect(figures).toContain("arkstone_requests_shed_total 4");
    expect(figures).toContain("arkstone_requests_in_flight 1");
  });
});
