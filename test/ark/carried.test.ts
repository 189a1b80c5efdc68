// A name as an operator's export writes it and an import reads it (A51): the same again, whatever it holds, in lines a
// reader takes.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type CarriedName,
  carriedLines,
  continueHistory,
  isCarried,
  readCarried,
  receiptLine,
} from "../../src/ark/carried-name.ts";
import { EMPTY_DESCRIPTION } from "../../src/ark/record.ts";
import type { HistoryEntry } from "../../src/ark/store.ts";
import { ROW_MAX } from "../../src/shared/text/text-lines.ts";

const AT = "2026-03-01T00:00:00.000Z";
const STEP: HistoryEntry = {
  at: AT,
  action: "mint",
  beforeUrl: "",
  afterUrl: "",
  fields: ["url"],
  by: "ops",
  reason: "",
};

function aName(fields: Partial<CarriedName["record"]> = {}, history: readonly HistoryEntry[] = [STEP]): CarriedName {
  const record = {
    ...EMPTY_DESCRIPTION,
    ...({ key: "99999/b1x", naan: "99999", shoulder: "b1", origin: "minted", state: "published" } as const),
    ...{ createdAt: AT, updatedAt: AT, publishedAt: AT, firstPublishedAt: AT, tombstonedAt: null },
    ...{ withdrawnAt: null, withdrawnReason: null, holdUntil: null, holdReason: null },
    ...fields,
  };
  return { ark: "ark:99999/b1x", record, organisation: "org-a", history };
}

/** Reads the lines of one name as an import does. */
function readBack(lines: string): CarriedName | string {
  let name: CarriedName | null = null;
  const history: HistoryEntry[] = [];
  for (const line of lines.trimEnd().split("\n")) {
    const object = JSON.parse(line);
    if (!isCarried(object)) return "is not carried";
    const read = readCarried(object);
    if ("wrong" in read) return read.wrong;
    if ("more" in read) {
      const problem = continueHistory(name?.ark ?? "", history, read.more);
      if (problem !== null) return problem;
    } else if ("record" in read.value) {
      name = read.value;
      history.push(...read.value.history);
    }
  }
  return name === null ? "has no row" : { ...name, history };
}

describe("a carried name", () => {
  test("A51 reads back as it was written, with any texts and histories of any length", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", '"', "\\", "\n", "\t", "é", "漢", "\u{1F600}", "\u2028", "{", "]", "'", "=", "\u00AD"),
      maxLength: 200,
    });
    const step = fc
      .record({
        reason: text,
        by: fc.constantFrom("ops", "(operator)"),
        afterUrl: fc.constantFrom("", "https://e.example/1?a=b#c"),
      })
      .map((fields) => ({ ...STEP, ...fields }));
    fc.assert(
      fc.property(text, text, fc.array(step, { maxLength: 30 }), (title, metadata, history) => {
        const name = aName({ title, metadata, url: "https://example.org/" }, history);
        expect(readBack(carriedLines(name))).toEqual(name);
      }),
      { numRuns: 100 },
    );
  });

  test("A51 the longest row and a history of thousands of the longest steps are lines a reader takes", () => {
    const long = '"\n'.repeat(5_000);
    const texts = { title: long, type: long, identifier: long, format: long, relation: long, source: long };
    const more = {
      commitment: long,
      metadata: long,
      who: long,
      when: long,
      url: `https://e.example/${"x".repeat(2_000)}`,
    };
    const step = { ...STEP, beforeUrl: more.url, afterUrl: more.url, reason: '"'.repeat(500) };
    const name = aName(
      { ...texts, ...more },
      Array.from({ length: 2_000 }, () => step),
    );
    const lines = carriedLines(name);
    const widths = lines.split("\n").map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThan(ROW_MAX);
    expect(widths.length).toBeGreaterThan(10);
    expect(readBack(lines)).toEqual(name);
  });

  test("A20 A51 a target that was taken when fewer were refused comes along; one that harms who follows it does not", () => {
    for (const url of ["https:ex.org/a", "http:///x", "https://e.example/${unknown}", "urn:isbn:4"]) {
      expect(readBack(carriedLines(aName({ url })))).toMatchObject({ record: { url } });
    }
    for (const url of ["javascript:alert(1)", " javascript:alert(1)", "no url", "https://e.example/a b"]) {
      expect(readBack(carriedLines(aName({ url })))).toMatch(/^url must/);
    }
  });

  test.each<[member: string, reason: string, value: unknown]>([
    ["state", "state must be one of", "gone"],
    ["origin", "origin must be one of", "stolen"],
    ["created_at", "created_at must be a moment such as", "2026-03-01"],
    ["created_at", "has no created_at", undefined],
    ["hold_until", "hold_until must be a moment", "2026-02-30T00:00:00.000Z"],
    ["history", "history must be a list", undefined],
    ["history", "history[0]: has no before_url", [{ ...STEP }]],
    ["history", "history is longer than 100000 steps", Array.from({ length: 100_001 }, () => 0)],
    ["title", "title holds characters no text has", "a\u0000b"],
    ["title", "title holds characters no text has", "\ud800"],
    ["title", "title is longer than 10000 characters", "x".repeat(10_001)],
    ["who", "who must be text", 7],
    ["request_id", 'unknown field "request_id"', "r"],
    ["reserve", 'unknown field "reserve"', true],
  ])("A51 a row whose %s is wrong is refused: %s", (member, reason, value) => {
    const row = { ...JSON.parse(carriedLines(aName())), [member]: value };
    expect(readCarried(row)).toEqual({ wrong: expect.stringContaining(reason) });
  });

  test("A13 A51 a receipt reads back as it was; what is none is refused with its reason", () => {
    const receipt = { clientId: "ops", requestId: "batch 1/é", kind: "mint", key: "99999/b1x", createdAt: AT } as const;
    const line = JSON.parse(receiptLine(receipt));
    expect(readCarried(line)).toEqual({ value: { receipt } });
    const wrong = (changes: object) => readCarried({ receipt: { ...line.receipt, ...changes } });
    expect(wrong({ kind: "steal" })).toEqual({ wrong: expect.stringContaining("kind must be one of") });
    expect(wrong({ client_id: "(repository)" })).toEqual({
      wrong: expect.stringContaining("must be that of a client"),
    });
    expect(wrong({ request_id: "" })).toEqual({ wrong: "request_id must not be empty" });
    expect(wrong({ naan: "1" })).toEqual({ wrong: 'unknown field "naan"' });
    expect(readCarried({ ...line, ark: "ark:99999/b1x" })).toEqual({ wrong: "a receipt must be alone in its line" });
  });
});
