// The log: one JSON line per event, what is below the level left out, nothing that looks like a secret.
import { describe, expect, test } from "bun:test";
import { jsonLog, maskSecrets } from "../../src/adapters/log.ts";

const NOW = new Date("2026-11-20T10:00:00.000Z");

describe("jsonLog()", () => {
  test("writes one JSON line per event, whatever the values hold", () => {
    const lines: string[] = [];
    const log = jsonLog(
      "info",
      (line) => lines.push(line),
      () => NOW,
    );
    log.info("request", { path: "/a\nb\u2028c", count: 12n, nothing: null });
    log.debug("unheard", {});
    log.warn("odd");
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => line.endsWith("}\n") && line.indexOf("\n") === line.length - 1)).toBe(true);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      at: "2026-11-20T10:00:00.000Z",
      level: "info",
      event: "request",
      path: "/a\nb\u2028c",
      count: "12",
      nothing: null,
    });
  });

  test("an error is written with its stack and its causes", () => {
    const lines: string[] = [];
    const log = jsonLog("error", (line) => lines.push(line));
    log.error("unexpected", { error: new Error("outer", { cause: new TypeError("inner") }) });
    const { error } = JSON.parse(lines[0] ?? "");
    expect(error).toContain("outer");
    expect(error).toContain("log.test.ts");
    expect(error).toContain("Caused by: ");
    expect(error).toContain("inner");
  });

  test("a text that has no end is cut off", () => {
    const lines: string[] = [];
    jsonLog("info", (line) => lines.push(line)).info("x", { text: "y".repeat(100_000) });
    expect(lines[0]?.length).toBeLessThan(9000);
  });
});

describe("maskSecrets()", () => {
  test.each([
    ["svc_abc123def456_uGI8tmll1o9FB1TBzi3TF0xU-QETiGlDevt8KfB52QE", "svc_abc123def456_********"],
    ["Bearer abcdefgh12345678", "Bearer ********"],
    ["authorization: Basic b3BzOnNlY3JldA==", "authorization: Basic ********"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvcHMifQ.c2lnbmF0dXJl is a token", "******** is a token"],
    ["connect to postgres://ark:hunter2@db/arks failed", "connect to postgres://ark:********@db/arks failed"],
    ["/ark:99999/x1b9gs2kmf", "/ark:99999/x1b9gs2kmf"],
    ["https://example.org/a@b:c", "https://example.org/a@b:c"],
    ["/x/account/login/WqmnGZU7E6ICcPy5T9aDrzWBfPtEcsLArHdOJpDP3UM", "/x/account/login/********"],
    ["/account/login", "/account/login"],
    ["/x/account/register/WqmnGZU7E6ICcPy5T9aDrzWBfPtEcsLArHdOJpDP3UM", "/x/account/register/********"],
    ["/feeds/tasks/WqmnGZU7E6ICcPy5T9aDrzWBfPtEcsLArHdOJpDP3UM", "/feeds/tasks/********"],
    ["/account/register", "/account/register"],
    ["/records/7?a=1&token=WqmnGZU7E6ICcPy5T9aDrzWBfPtEcsLA&page=2", "/records/7?a=1&token=********&page=2"],
  ])("R33 %s becomes %s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });
});
