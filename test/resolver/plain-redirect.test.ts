// What the fast lane answers by itself is what the whole decision gives: names that are plain redirects, and suffixes
// passed through (A31, A32).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { passedThrough, plainRedirect } from "../../src/resolver/plain-redirect.ts";
import { resolveRequest } from "../../src/resolver/resolve.ts";
import { plainTable, type ResolutionTable, type WritableTable } from "../../src/resolver/table.ts";
import { anyRow, keysAround } from "../support/generated-names.ts";
import { arkRecord, naanOf, resolutionSettings, shoulderOf } from "../support/memory-replica.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const SETTINGS = resolutionSettings({
  baseUrl: "https://repo.example.org",
  allowedHosts: new Set(["objects.example.net"]),
});

function whole(table: ResolutionTable, key: string, resolveUnpublished: boolean): string | null {
  const decision = resolveRequest(table, { ...SETTINGS, resolveUnpublished }, `/ark:${key}`, NOW);
  return decision.kind === "redirect" && decision.status === 302 ? decision.location : null;
}

const TAILS = [
  "/x",
  ".x",
  "/page/3.v2",
  "/A_b~c",
  "/a:b@c=d+e*$f",
  "/x/",
  "/x.",
  "//x",
  "/.x",
  "/x-y",
  "/ark:1",
  "/-",
  "/é",
  "/%41",
];

function tableOf(...records: readonly Parameters<WritableTable["put"]>[0][]): WritableTable {
  const table = plainTable();
  table.setPolicies({
    naans: [naanOf("12345"), naanOf("77777", { holdUntil: "2131-01-01T00:00:00.000Z", holdReason: "x" })],
    shoulders: [shoulderOf("12345", "a")],
    organisations: [],
  });
  for (const record of records) table.put(record);
  return table;
}

describe("redirects with nothing to decide", () => {
  test("A31 A31a A32 agree with the whole decision for every generated name and what may follow it, or leave it alone", () => {
    let passed = 0;
    let plain = 0;
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 12 }), fc.boolean(), (rows, withReserved) => {
        const table = tableOf(...rows);
        const keys = rows.flatMap(({ key }) => [...keysAround([key]), ...TAILS.map((tail) => key + tail)]);
        for (const key of keys) {
          const wanted = whole(table, key, withReserved);
          for (const answer of [plainRedirect(table, key, 0), passedThrough(table, key, withReserved)]) {
            if (answer !== null && answer !== wanted) expect(`${key}: ${answer}`).toBe(`${key}: ${wanted}`);
          }
          plain += plainRedirect(table, key, 0) === null ? 0 : 1;
          passed += passedThrough(table, key, withReserved) === null ? 0 : 1;
        }
      }),
      { numRuns: 200 },
    );
    expect(plain).toBeGreaterThan(5);
    expect(passed).toBeGreaterThan(50);
  });

  test("A32 a suffix goes on as it is, below the nearest name that counts", () => {
    const table = tableOf(
      arkRecord("12345/a1", { url: "https://t.example/one" }),
      arkRecord("12345/a1/part", { url: "https://t.example/part?x=" }),
      arkRecord("12345/a1/gone", { url: "https://t.example/gone", state: "unpublished", publishedAt: null }),
      arkRecord("77777/a1", { url: "https://t.example/held" }),
    );
    expect(passedThrough(table, "12345/a1/page/3.v2", false)).toBe("https://t.example/one/page/3.v2");
    expect(passedThrough(table, "12345/a1/part/3", false)).toBe("https://t.example/part?x=3");
    expect(passedThrough(table, "12345/a1.x_y~z", false)).toBe("https://t.example/one.x_y~z");
    for (const key of [
      // An own name, no name, one that is gone, one below that, one on hold.
      ...["12345/a1", "12345/a2/x", "12345/a1/gone", "12345/a1/gone/x", "77777/a1/x"],
      // What is not its own normal form, or may lead to a name.
      ...[
        "12345/a1/x-y",
        "12345/a1//x",
        "12345/a1/x/",
        "12345/a1/.x",
        "12345/a1/%41",
        "12345/a1/ark:1/2",
        "12345/a1/é",
      ],
      `12345/a1/${"x".repeat(300)}`,
      "",
      "12345",
    ]) {
      expect(`${key}: ${passedThrough(table, key, false)}`).toBe(`${key}: null`);
    }
  });

  test("a long name of nothing but suffixes is judged in a straight line", () => {
    const table = tableOf();
    expect(passedThrough(table, `12345/${".a".repeat(100_000)}`, false)).toBe(null);
    expect(passedThrough(table, `12345/a${"/a".repeat(120)}!`, false)).toBe(null);
  });
});
