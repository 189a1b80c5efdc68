// The NAAN registry: odd records, and the published file (A45).
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import fc from "fast-check";
import { readRedirect } from "../../src/ark/target.ts";
import { readRegistry } from "../../src/resolver/registry.ts";
import { resolveRequest } from "../../src/resolver/resolve.ts";
import { plainTable } from "../../src/resolver/table.ts";
import { naanOf, resolutionSettings, shoulderOf } from "../support/memory-replica.ts";

const SETTINGS = resolutionSettings();

describe("reading", () => {
  test("A45 odd records are left out and listed, the others are used", () => {
    const registry = readRegistry({
      data: [
        null,
        "text",
        {},
        { what: "12148" },
        { what: "12149", target: { url: "ftp://x.example/" } },
        { what: "12150", target: { url: "https://x.example/${nothing}" } },
        { what: "12151", target: { url: "https://${value}.example/" } },
        { what: "oops!", target: { url: "https://x.example/" } },
        { what: "12152", target: { url: "https://x.example/", http_code: 200 }, rtype: "PublicNAAN" },
        { what: "12153", target: { url: "https://x.example/" }, rtype: "PublicNAAN" },
        { what: "12153", target: { url: "https://y.example/" }, rtype: "PublicNAAN" },
        { what: "12154/x y", target: { url: "https://x.example/" }, rtype: "PublicNAANShoulder" },
        { what: "12155", target: { url: "https://x.example/" }, rtype: "PublicNAANShoulder" },
      ],
    });
    expect([...registry.naans.keys()]).toEqual(["12152", "12153"]);
    expect(registry.naans.get("12152")?.redirect).toEqual({
      status: 302,
      template: "https://x.example/ark:${content}",
    });
    expect(registry.problems.map(({ record }) => record)).toEqual([
      "record 0",
      "record 1",
      "record 2",
      "12148",
      "12149",
      "12150",
      "12151",
      "oops!",
      "12152",
      "12153",
      "12154/x y",
      "12155",
    ]);
  });

  test("A45 whatever JSON the file holds, reading it does not throw", () => {
    const record = fc.record(
      {
        what: fc.oneof(fc.jsonValue(), fc.constantFrom("12148", "12148/x", "ark:/1/", "/")),
        target: fc.oneof(fc.jsonValue(), fc.record({ url: fc.jsonValue(), http_code: fc.jsonValue() })),
        who: fc.jsonValue(),
        na_policy: fc.jsonValue(),
        rtype: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ data: fc.array(record) })), (json) => {
        expect(Array.isArray(readRegistry(json).problems)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("A31b a redirect is a base URL or a template, with an optional status in front", () => {
    const template = (text: string) => {
      const reading = readRedirect(text);
      return "redirect" in reading ? `${reading.redirect.status} ${reading.redirect.template}` : null;
    };
    expect(template("https://x.example")).toBe("302 https://x.example/ark:${content}");
    expect(template("https://x.example/base/")).toBe("302 https://x.example/base/ark:${content}");
    expect(template("307 https://x.example/$id")).toBe("307 https://x.example/$id");
    expect(template("301 https://x.example/?u=${pid}")).toBe("301 https://x.example/?u=${pid}");
    for (const bad of [
      "",
      "x.example",
      "200 https://x.example",
      "308 https://x.example",
      "https://x.example/${foo}",
      "mailto:a@b",
      "https://",
    ]) {
      expect(template(bad)).toBe(null);
    }
  });
});

const FILE = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "shared"),
  "data/naan-registry/naan_records.json",
);

if (existsSync(FILE)) {
  const registry = readRegistry(JSON.parse(readFileSync(FILE, "utf8")));
  const table = plainTable(registry);
  table.setPolicies({ naans: [naanOf("99999")], shoulders: [shoulderOf("99999", "b1")], organisations: [] });
  const location = (path: string): string => {
    const decision = resolveRequest(table, SETTINGS, path, "2026-01-01T00:00:00.000Z");
    return decision.kind === "redirect" ? `${decision.status} ${decision.location}` : decision.kind;
  };

  describe("the published file", () => {
    test("A45 all its records are read; the few odd ones are listed", () => {
      expect(registry.naans.size).toBeGreaterThan(1400);
      expect(registry.shoulders.size).toBeGreaterThan(100);
      expect(registry.problems.length).toBeLessThan(20);
    });

    test("A45 names of others go where their organisations registered", () => {
      expect(location("/ark:/12148/bpt6k107371t")).toBe("302 http://ark.bnf.fr/ark:/12148/bpt6k107371t");
      expect(location("/ark:/b7280/d1988w")).toBe("302 https://doi.org/10.7280/d1988w");
      expect(location("/ark:/13960/s2x")).toBe("302 https://ark.archive.org/ark:/13960/s2x");
    });

    test("A45 a scanned book of the Internet Archive goes where its record for the shoulder 13960/t points", () => {
      const [longest] = registry.shoulders.get("13960") ?? [];
      expect(longest).toMatchObject({ shoulder: "t", name: "Open Content Alliance" });
      expect(location("/ark:/13960/t5n960f7n")).toBe("302 https://ezid.cdlib.org/ark:/13960/t5n960f7n");
    });

    test("A45 a shoulder record, found as the longest prefix of the name, wins over its NAAN", () => {
      expect(location("/ark:19156/tkt42abc")).toBe(
        "302 https://vocab.participatory-archives.ch/vocab.participatory-archives.ch/brunnerabc",
      );
      expect(location("/ark:19156/other")).toBe("302 https://legacy-n2t.n2t.net/ark:/19156/other");
      expect(location("/ark:88435/dsp01x")).toBe("302 https://ezid.cdlib.org/ark:/88435/dsp01x");
      expect(location("/ark:81986/s6.caida/x")).toBe("302 https://ezid.cdlib.org/ark:/81986/s6.caida/x");
      expect(location("/ark:/99166/w6abc")).toBe("303 http://socialarchive.iath.virginia.edu/ark:/99166/w6abc");
      expect(location("/ark:99999/fk4abc")).toBe("302 https://ezid.cdlib.org/ark:/99999/fk4abc");
    });
  });
} else {
  console.log(`The published NAAN registry is not at ${FILE}: its tests are left out`);
}
