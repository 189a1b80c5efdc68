// Where names that others answer for are sent: base URLs and templates of foreign NAANs and of delegated shoulders
// (A31b, A36).
import { describe, expect, test } from "bun:test";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { EMPTY_REGISTRY } from "../../src/resolver/registry.ts";
import { resolveRequest } from "../../src/resolver/resolve.ts";
import { plainTable } from "../../src/resolver/table.ts";
import { arkRecord, naanOf, ORGANISATION, resolutionSettings, shoulderOf } from "../support/memory-replica.ts";
import { vectors } from "../support/vectors.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const SETTINGS = resolutionSettings();

/** A table in which 12345 belongs to others with this redirect, or is ours with a delegated shoulder that has it. */
function tableOf(redirect: string, shoulder: string) {
  const table = plainTable(EMPTY_REGISTRY);
  const foreign = shoulder === "-";
  table.setPolicies({
    naans: [naanOf("12345", foreign ? { authoritative: false, redirect } : {})],
    shoulders: foreign ? [] : [shoulderOf("12345", shoulder, { status: "delegated", redirect, checked: false })],
    organisations: [ORGANISATION],
  });
  return table;
}

describe("forwards", () => {
  test.each(
    vectors("forwards.txt").map(([redirect = "", shoulder = "", target = "", answer = ""]) => ({
      redirect,
      shoulder,
      target,
      answer,
    })),
  )("A31b A36 $target by $redirect", ({ redirect, shoulder, target, answer }) => {
    const decision = resolveRequest(tableOf(redirect, shoulder), SETTINGS, target, NOW);
    expect(decision.kind === "redirect" ? `${decision.status} ${decision.location}` : decision).toBe(answer);
  });

  test("A31 of our NAAN: a name that is there, then the check character, then the shoulder's template, then 404", () => {
    const table = plainTable(EMPTY_REGISTRY);
    const redirect = "https://o.example/${value}";
    table.setPolicies({
      naans: [naanOf("12345")],
      shoulders: [shoulderOf("12345", "x6", { redirect }), shoulderOf("12345", "k2")],
      organisations: [ORGANISATION],
    });
    table.put(arkRecord("12345/x6np1wh8k", { url: "https://t.example/" }));
    const ask = (path: string) => resolveRequest(table, SETTINGS, path, NOW);
    expect(ask("/ark:12345/x6np1wh8k/p")).toMatchObject({ location: "https://t.example/p" });
    expect(ask("/ark:12345/x6np1wh9k")).toMatchObject({ kind: "refusal", code: 1403 });
    expect(ask("/ark:12345/x54xz323")).toMatchObject({ kind: "refusal", code: 1402 });
    const fits = `x6rbt1${checkCharacter("12345/x6rbt1")}`;
    expect(ask(`/ark:12345/${fits}0/p?info`)).toMatchObject({ kind: "refusal", code: 1403 });
    expect(ask(`/ark:12345/${fits}/p?info`)).toMatchObject({ location: `https://o.example/${fits}/p?info` });
    expect(ask("/ark:12345/x6")).toMatchObject({ location: "https://o.example/x6" });
    expect(ask("/ark:12345/k2zzz")).toMatchObject({ kind: "refusal", code: 1403 });
  });

  test("A31c a foreign NAAN, a shoulder and a target that lead to ourselves are 404, under every our name and every label", () => {
    const own = {
      ...SETTINGS,
      baseUrl: "https://id.example.org/ids",
      rootPath: "/ids",
      allowedHosts: new Set(["b.example:8001", "c.example"]),
    };
    const decide = (redirect: string, shoulder: string, path: string) =>
      resolveRequest(tableOf(redirect, shoulder), own, path, NOW);
    for (const redirect of [
      "https://id.example.org",
      "https://id.example.org/ids/",
      "HTTP://ID.EXAMPLE.ORG/ARK:/${content}",
      "https://id.example.org/ids/ark%3A$id",
      "http://b.example:8001",
      "https://c.example:8443",
    ]) {
      for (const [shoulder, path] of [
        ["-", "/ids/ark:12345/x6"],
        ["x6", "/ark:/12345/x6abc?info"],
      ] as const) {
        expect([redirect, decide(redirect, shoulder, path)]).toMatchObject([
          redirect,
          { kind: "refusal", code: 1402, detail: { hint: expect.stringContaining("12345") } },
        ]);
      }
    }
    for (const redirect of ["https://id.example.org/other/${value}", "http://b.example:9000", "https://b.example"]) {
      expect(decide(redirect, "-", "/ark:12345/x6")).toMatchObject({ kind: "redirect" });
    }
    const stored = tableOf("", "x6");
    for (const url of ["https://id.example.org/ids/ark:/12345/x6a", "http://b.example:8001/ARK:12345/x6a"]) {
      stored.put(arkRecord("12345/x6a", { url }));
      expect(resolveRequest(stored, own, "/ark:12345/x6a", NOW)).toMatchObject({ kind: "refusal", code: 1402 });
    }
  });
});
