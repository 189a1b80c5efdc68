// What fronts hand to the fast lane: many clients on one connection, each with an address and a chain of proxies of its
// own (docs/fast-lane.md). Rates, log lines and local decisions are those of the runtime's server alone.
import { describe, expect, test } from "bun:test";
import { quietLog } from "../support/quiet-log.ts";
import { type RawAnswer, rawClient } from "../support/raw-http.ts";
import { exchange, hasLane, laneWorld } from "../support/world/lane.ts";

/** What fronts and clouds add. None of it matters to a plain redirect. */
const ADDED = [
  'Forwarded: for="[2001:db8::1]:4711";proto=https;by=203.0.113.43, for=192.0.2.1',
  "X-Forwarded-Proto: https",
  "X-Forwarded-Host: id.example.org",
  "X-Forwarded-Port: 443",
  "X-Forwarded-Server: front-1",
  "X-Real-IP: 2001:db8::1",
  "Via: 2.0 varnish, 1.1 front (HAProxy 2.6; a=b)",
  "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "tracestate: congo=t61rcWkgMzE,rojo=00f067aa0ba902b7",
  "X-Amzn-Trace-Id: Root=1-67891233-abcdef012345678912345678;Parent=53995c3f42cd8ad8;Sampled=1",
  "CF-Connecting-IP: 2001:db8::1",
  "CF-IPCountry: BR",
  "CF-IPCity: S\xc3\xa3o Paulo",
  'CF-Visitor: {"scheme":"https"}',
  "CF-Ray: 230b030023ae2822-SJC",
  "CDN-Loop: cloudflare; loops=1",
  "True-Client-IP: 192.0.2.1",
  "X-Cloud-Trace-Context: 105445aa7843bc8bf206b12000100000/1;o=1",
  "X-Original-URI: /ark:99999/b1a",
  "X-Unique-ID: 7F000001:B9C4_7F000001:1F91_65_0001:0003",
  'Cookie: a="b, c"; d={"e":[1,2]}',
  "X-Client-Cert: -----BEGIN%20CERTIFICATE-----%0AMIIB%2B==",
  'Sec-CH-UA: "Chromium";v="130", "Not?A_Brand";v="99"',
];
const get = (target: string, ...fields: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${["Host: a", ...fields].map((field) => `${field}\r\n`).join("")}\r\n`;
const location = (answer: RawAnswer | null): string | undefined => answer?.headers.get("location");

describe.skipIf(!hasLane)("behind a front", () => {
  test("Q.268 a plain redirect may have every field that fronts add, alone and all together", async () => {
    const world = await laneWorld({ SVC_TRUSTED_PROXIES: "1", SVC_RAW_URI_HEADER: "X-Original-URI" });
    const connection = rawClient(world.lane.port);
    const sent = [...ADDED.map((field) => [field]), ADDED, [], [`X-Request-ID: ${"a".repeat(32)}`]];
    for (const fields of sent) {
      const before = world.counts.fast;
      const answer = await connection.send(get("/ark:99999/b1a", ...fields));
      expect([fields, location(answer), world.counts.fast - before]).toEqual([fields, "https://t.example/a", 1]);
    }
    // Another target than that of the line is for the handler.
    const other = await connection.send(get("/ark:99999/b1a", "X-Original-URI: /ark:99999/b1a/x"));
    expect(location(other)).toBe("https://t.example/a/x");
    expect(world.counts).toEqual({ fast: sent.length, handled: 1 });
    connection.close();
    await world.stop();
  });

  test("Q.273 the answer to CONNECT ends its connection: no request of another client is read as a tunnel", async () => {
    for (const fastLane of ["1", "0"]) {
      const world = await laneWorld({ SVC_FAST_LANE: fastLane });
      const { bytes, end } = await exchange(world.lane.port, [
        "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        get("/ark:99999/b1a"),
      ]);
      expect([bytes.slice(0, 12), bytes.split("HTTP/1.1 ").length, end]).toEqual(["HTTP/1.1 405", 2, "closed"]);
      expect(bytes.toLowerCase()).toContain("\r\nconnection: close\r\n");
      await world.stop();
    }
  });

  const chains = ["", "192.0.2.1", "203.0.113.9, 192.0.2.1", "203.0.113.9,192.0.2.2, 198.51.100.7", "2001:db8::1"];
  const odd = ["[2001:db8::1]:443", "127.0.0.1", "127.0.0.1, 192.0.2.1", "192.0.2.1, 127.0.0.1", "unknown", ",", "a b"];

  test.each(["0", "1", "2"] as const)(
    "Q.269 addresses count per request on a connection of many clients, with %s trusted proxies",
    async (proxies) => {
      const heard = await Promise.all(
        ["1", "0"].map(async (fastLane) => {
          const lines: unknown[] = [];
          const log = {
            ...quietLog,
            info: (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
              if (event === "request") lines.push([fields.method, fields.path, fields.status, fields.address]);
            },
          };
          const env = { SVC_TRUSTED_PROXIES: proxies, SVC_FAST_LANE: fastLane, SVC_ACCESS_LOG: "on" };
          const world = await laneWorld({ ...env, SVC_ADDRESS_RATE_PER_MINUTE: "4" }, {}, undefined, { log });
          const connection = rawClient(world.lane.port);
          const statuses: string[] = [];
          for (let round = 0; round < 3; round++) {
            for (const chain of [...chains, ...odd]) {
              const fields = chain === "" ? [] : [`X-Forwarded-For: ${chain}`, "Forwarded: for=127.0.0.1"];
              for (const target of ["/ark:99999/b1a", `/ark:99999/b1no${round}`, "/ark:99999/b1a?info", "/metrics"]) {
                const answer = await connection.send(get(target, ...fields));
                statuses.push(`${target} ${chain} ${answer?.status}`);
              }
            }
          }
          connection.close();
          await world.stop();
          return { lines, statuses, fast: world.counts.fast };
        }),
      );
      const [lane, straight] = heard;
      expect(lane?.statuses).toEqual(straight?.statuses ?? []);
      expect(lane?.lines).toEqual(straight?.lines ?? []);
      expect([lane?.fast, straight?.fast]).toEqual([3 * (chains.length + odd.length), 0]);
      const addresses = new Set(lane?.lines.map((line) => (Array.isArray(line) ? line[3] : "")));
      const expected = {
        "0": ["127.0.0.1"],
        "1": ["127.0.0.1", "192.0.2.1", "198.51.100.7", "2001:db8::1", "[2001:db8::1]:443"],
        "2": ["127.0.0.1", "192.0.2.1", "192.0.2.2", "203.0.113.9"],
      }[proxies];
      expect([...addresses].sort()).toEqual(expected);
      const limited = lane?.statuses.filter((each) => each.endsWith(" 429")) ?? [];
      expect(limited.length).toBeGreaterThan(10);
      // Those that stay below the rate are not charged for others.
      const alone = { "0": undefined, "1": "203.0.113.9,192.0.2.2, 198.51.100.7", "2": "203.0.113.9, 192.0.2.1" }[
        proxies
      ];
      if (alone !== undefined) expect(lane?.statuses).toContain(`/ark:99999/b1no1 ${alone} 404`);
    },
  );
});
