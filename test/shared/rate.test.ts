// Buckets, what is remembered of whom, and its headers (issue 4, item 6).
import { describe, expect, test } from "bun:test";
import { addressKey } from "../../src/shared/http/address.ts";
import { forgetfulMap, rateHeaders, rateLimiter } from "../../src/shared/http/rate-limit.ts";

describe("rateLimiter", () => {
  test("lets a minute's worth through at once, then one for each share of a minute", () => {
    const limiter = rateLimiter(60);
    for (let left = 59; left >= 0; left -= 1) {
      expect(limiter.take("a", 0)).toMatchObject({ waitSeconds: 0, remaining: left });
    }
    expect(limiter.take("a", 0)).toEqual({ waitSeconds: 1, remaining: 0, resetSeconds: 60 });
    expect(limiter.take("b", 0).waitSeconds).toBe(0);
    expect(limiter.take("a", 999).waitSeconds).toBe(1);
    expect(limiter.take("a", 1000).waitSeconds).toBe(0);
    expect(limiter.take("a", 61_000)).toMatchObject({ waitSeconds: 0, remaining: 59, resetSeconds: 1 });
  });

  test("a clock that goes back gives nothing and takes nothing", () => {
    const limiter = rateLimiter(1);
    expect(limiter.take("a", 10_000).waitSeconds).toBe(0);
    expect(limiter.take("a", 0).waitSeconds).toBe(60);
    expect(limiter.take("a", 60_000).waitSeconds).toBe(0);
  });

  test("remembers at most twice its bound, and those who ask on are not forgotten", () => {
    const limiter = rateLimiter(1, 100);
    limiter.take("busy", 0);
    for (let n = 0; n < 10_000; n += 1) {
      limiter.take(`passing ${n}`, 0);
      if (n % 50 === 0) expect(limiter.take("busy", 0).waitSeconds).toBe(60);
    }
    expect(limiter.size()).toBeLessThanOrEqual(200);
  });

  test("a forgetful map keeps what was used lately and lets go of the rest", () => {
    const map = forgetfulMap<number>(2);
    for (const [key, value] of [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ] as const)
      map.set(key, value);
    expect(map.get("a")).toBe(1);
    map.set("d", 4);
    expect([map.get("b"), map.get("a"), map.get("d")]).toEqual([undefined, 1, 4]);
  });

  test("the header fields are lists of quoted names with their figures", () => {
    const verdict = { waitSeconds: 0, remaining: 7, resetSeconds: 12 };
    const measured = [
      { name: "address", perMinute: 100, verdict },
      { name: "credential", perMinute: 60, verdict: { ...verdict, remaining: 0 } },
    ] as const;
    expect(Object.fromEntries(rateHeaders(measured))).toEqual({
      "ratelimit-policy": '"address";q=100;w=60, "credential";q=60;w=60',
      ratelimit: '"address";r=7;t=12, "credential";r=0;t=12',
    });
  });
});

describe("addressKey", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["[2001:db8::9]", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", "unknown"],
  ])("%s counts as %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
