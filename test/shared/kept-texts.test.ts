// Texts that are kept while they are asked for (R9a: up to a given number of bytes).
import { expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { keptTexts } from "../../src/shared/text/text-cache.ts";

test("R9a the text that was not asked for longest goes first, and a text that is longer than all is not kept", () => {
  const kept = keptTexts(10);
  kept.set("a", "aaaa");
  kept.set("b", "bbbb");
  expect(kept.get("a")).toBe("aaaa");
  kept.set("c", "cccc");
  expect(["a", "b", "c"].map((key) => kept.get(key))).toEqual(["aaaa", undefined, "cccc"]);
  kept.set("d", "d".repeat(11));
  expect(["a", "c", "d"].map((key) => kept.get(key))).toEqual(["aaaa", "cccc", undefined]);
});

test("R9a characters beyond Latin-1 count twice, and with them all others of their text", () => {
  const kept = keptTexts(10);
  kept.set("a", "\u00ff".repeat(5));
  kept.set("b", "aaaa日");
  expect(["a", "b"].map((key) => kept.get(key))).toEqual([undefined, "aaaa日"]);
  kept.set("c", "aaaaa日");
  expect(["b", "c"].map((key) => kept.get(key))).toEqual(["aaaa日", undefined]);
});

test("R9a texts are kept while one of them is used, and none when the cache was not used for a while", async () => {
  const [used, idle] = [keptTexts(10, 40), keptTexts(10, 40)];
  for (const kept of [used, idle]) {
    kept.set("a", "aaaa");
    kept.set("b", "bbbb");
  }
  for (let at = 0; at < 60; at++) {
    await sleep(5);
    used.get("a");
  }
  expect(["a", "b"].map((key) => used.get(key))).toEqual(["aaaa", "bbbb"]);
  expect(["a", "b"].map((key) => idle.get(key))).toEqual([undefined, undefined]);
  // It keeps again what comes afterwards, up to the whole limit.
  idle.set("c", "c".repeat(10));
  expect(idle.get("c")).toBe("c".repeat(10));
});

test("R9a property: never more bytes than the limit, and never another text than was set last", () => {
  const key = fc.constantFrom("a", "b", "c", "d", "e");
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat({ max: 12 })), { maxLength: 60 }), (sets) => {
      const kept = keptTexts(20);
      const last = new Map<string, string>();
      for (const [name, length] of sets) {
        const text = `${name}${"x".repeat(length)}`;
        kept.set(name, text);
        last.set(name, text);
        const held = [...last.keys()]
          .map((each) => [each, kept.get(each)] as const)
          .filter(([, found]) => found !== undefined);
        expect(held.every(([each, found]) => found === last.get(each))).toBe(true);
        expect(held.reduce((sum, [, found]) => sum + (found?.length ?? 0), 0)).toBeLessThanOrEqual(20);
      }
    }),
  );
});
