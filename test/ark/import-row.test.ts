// Reading rows of an import: what is plain is read in one go, and must come out as by the closer look (A2, A15, A20,
// A46).
import { expect, test } from "bun:test";
import { rowOfFields, rowOfObject } from "../../src/ark/import-row.ts";
import { targetProblem } from "../../src/ark/inputs.ts";
import { parseArk } from "../../src/ark/syntax.ts";
import { oddPath, rng } from "../hostile/generate.ts";

const random = rng(20261122);
const TEXTS = [
  "",
  "A title",
  "Stra\u00dfe \u6771\u4eac",
  "a\tb",
  "a\u0000",
  "\ud800",
  "\ud83d\ude00",
  "\u0085",
  "\ufffd",
  "x".repeat(10_001),
];
const URLS = [
  ...["https://ex.org/a", "https://ex.org/b c", "https://ex.org/${ark}", "https://ex.org/${x}", "HTTPS://EX.org/"],
  ...[
    "https:ex.org",
    "javascript:alert(1)",
    "mailto:a@b",
    "https://ex.org:99999/",
    "https://1.2.3.256/a",
    "https://ex.org/\u00e9",
  ],
];
const ARKS = [
  "ark:12345/x",
  "12345/x",
  "ARK:12345/x-y",
  "ark:/12345/x",
  "ark:12345/x/y.z",
  "ark:12345/",
  "ark:12345/x//y",
  "x",
  "",
];

/** What it gives, or how it refuses. */
function outcomeOf<T>(read: () => T): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

test("A15 A46 a row that is read in one go is the row that the closer look gives", () => {
  let plain = 0;
  for (let run = 0; run < 3_000; run++) {
    const row: Record<string, unknown> = { ark: random.pick(ARKS) };
    if (random.chance(0.7)) row.url = random.pick(URLS);
    for (const name of ["title", "who", "when", "request_id"]) if (random.chance(0.4)) row[name] = random.pick(TEXTS);
    if (random.chance(0.1)) row.reserve = random.pick([true, "yes", null]);
    if (random.chance(0.1)) row[random.pick(["__proto__x", "tilte", "source"])] = random.pick(["x", 1, null]);
    // A state is nothing that is plain, and `published` changes nothing.
    const looked = rowOfObject({ ...row, state: "published" });
    expect(rowOfObject(row)).toEqual(looked);
    if ("value" in looked) plain += 1;
    const columns = Object.keys(row);
    const fields = columns.map((name) => (typeof row[name] === "string" ? String(row[name]) : ""));
    expect(rowOfFields(columns, fields)).toEqual(rowOfFields([...columns, "state"], [...fields, ""]));
  }
  expect(plain).toBeGreaterThan(200);
});

test.each([
  ...["", "false", "0", "no", " No "].map((text) => [text, false] as const),
  ...["true", "1", "yes", "TRUE"].map((text) => [text, true] as const),
])("A15 a column reserve of %j means %j", (text, reserve) => {
  expect(rowOfFields(["ark", "reserve"], ["ark:12345/x", text])).toEqual({ value: { ark: "ark:12345/x", reserve } });
});

test("A20 a target is judged the same whatever target was judged before it", () => {
  const paths = Array.from({ length: 300 }, () => oddPath(random, ["/a", "/b?c#d"]));
  const urls = [
    ...URLS,
    ...paths.flatMap((path) => [`https://ex.org/${path}`, `https://ex.org${path}`, `http://a.b:80/${path}`]),
  ];
  for (const url of urls) {
    expect(targetProblem("ftp://never.remembered/")).toBe(null);
    expect(targetProblem("https://another.example/")).toBe(null);
    const fresh = targetProblem(url);
    expect(targetProblem("https://ex.org/")).toBe(null);
    expect([url, targetProblem(url)]).toEqual([url, fresh]);
    targetProblem("http://a.b:80/");
    expect([url, targetProblem(url)]).toEqual([url, fresh]);
  }
});

test("A1 A2 an ARK in normal form is read as the steps to it would", () => {
  const parts = ["12345", "x", "/", ".", "-", "%2f", "b", "ark:", "ARK:", "A~*", "\u2010", "?", "x".repeat(120), "é"];
  for (let run = 0; run < 5_000; run++) {
    const text = `${random.pick(["ark:", "ark:/", "", "ARK:"])}12345/${Array.from({ length: random.int(6) }, () => random.pick(parts)).join("")}`;
    // White space around it is dropped first, and is in no normal form.
    const outcome = outcomeOf(() => parseArk(text));
    const stepped = outcomeOf(() => parseArk(` ${text}`));
    expect([text, typeof outcome === "string" ? outcome.replaceAll(" ", "") : outcome]).toEqual([
      text,
      typeof stepped === "string" ? stepped.replaceAll(" ", "") : stepped,
    ]);
  }
});
