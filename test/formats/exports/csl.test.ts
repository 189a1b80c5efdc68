// CSL-JSON (R38): whatever a record holds, it is valid by csl-data.json of CSL 1.0.2 and has what a citation needs.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import process from "node:process";
import { Ajv } from "ajv";
import { evenly, readDate } from "../../../src/formats/csl/item.ts";
import { writeCsl } from "../../../src/formats/csl/write.ts";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { ARTICLE, person } from "../../support/cited-items.ts";
import { exportVector } from "../../support/export-judges.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";

const COUNT = process.env.ARKSTONE_SLOW === "1" ? 10_000 : 300;
const of = (metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}) =>
  JSON.parse(writeCsl({ ...RECORD, ...more, metadata: { ...EMPTY_METADATA, ...metadata } }).text);

describe("writeCsl()", () => {
  test(`S3.6.200 ${COUNT} records of all kinds are valid by csl-data.json`, () => {
    const schema = JSON.parse(readFileSync(exportVector("csl-data.json"), "utf8"));
    const judge = new Ajv({ strict: false, allErrors: true }).compile(schema);
    for (const record of sampleRecords(COUNT)) {
      const { text, leftOut } = writeCsl(record);
      const item = JSON.parse(text);
      judge([item]);
      expect(judge.errors ?? []).toEqual([]);
      expect(item.custom?.left_out ?? []).toEqual(leftOut);
      expect(text).not.toContain("hidden@example.org");
      expect(writeCsl(structuredClone(record)).text).toBe(text);
    }
  });

  test("S3.6.200 an article with its journal", () => {
    expect(of(ARTICLE)).toEqual({
      id: "7",
      type: "article-journal",
      title: "Research on Cyber Infrastructure",
      author: [
        { family: "Adachi", given: "Jun" },
        { family: "Kitsuregawa", given: "Masaru Jean-Luc" },
      ],
      issued: { "date-parts": [[2015, 10, 1]] },
      "container-title": "Journal of Information Studies",
      volume: "12",
      issue: "3",
      page: "34-57",
      publisher: "The Press",
      source: "Example Repository",
      DOI: "10.15017/64495",
      ISSN: "1880-697X",
      URL: "https://ark.example.org/ark:99999/b1x7",
      language: "en",
      keyword: "data mining, 情報爆発",
      abstract: "An abstract",
      custom: {
        left_out: [
          "Titles: 1 of 2 left out: the format has a place for 1",
          "Rights left out: the format has no place for it",
          "Dates left out: the format has no place for it",
        ],
      },
    });
  });

  test.each<[string, string]>([
    ["publication-article", "article-journal"],
    ["publication-book", "book"],
    ["publication-section", "chapter"],
    ["publication-conferencepaper", "paper-conference"],
    ["publication-dissertation", "thesis"],
    ["publication-thesis", "thesis"],
    ["publication-preprint", "article"],
    ["publication-report", "report"],
    ["publication-patent", "patent"],
    ["dataset", "dataset"],
    ["software", "software"],
    ["poster", "graphic"],
    ["presentation", "speech"],
    ["video", "motion_picture"],
    ["other", "document"],
    ["no such type", "document"],
  ])("S3.6.201 the type %s is %s", (id, type) => {
    expect(of({ type: { id } }).type).toBe(type);
  });

  test.each<[string, unknown]>([
    ["2020", { "date-parts": [[2020]] }],
    ["2020-02", { "date-parts": [[2020, 2]] }],
    ["2020-02-30", { "date-parts": [[2020, 2]] }],
    ["1939/1945", { "date-parts": [[1939], [1945]] }],
    ["2018/2020-09", { "date-parts": [[2018], [2020]] }],
    [
      "2018-01-02/2018-03",
      {
        "date-parts": [
          [2018, 1],
          [2018, 3],
        ],
      },
    ],
    ["../2016", { "date-parts": [[2016]] }],
    ["昭和50年", { literal: "昭和50年" }],
    ["", undefined],
  ])("S3.6.202 the date %s", (publicationDate, issued) => {
    expect(of({ publicationDate }).issued).toEqual(issued);
  });

  test("S3.6.202 both ends of an interval are equally exact, and what was cut is reported", () => {
    const dates = readDate("2018/2020-09");
    expect(dates === null ? null : evenly(dates)).toEqual({ dates: [[2018], [2020]], isCut: true });
    expect(of({ publicationDate: "2018/2020-09" }).custom.left_out).toEqual([
      "Date of publication: one end of the interval is more exact than the date written",
    ]);
    expect(of({ publicationDate: "2018/2020" }).custom).toBeUndefined();
  });

  test.each<[string, ReturnType<typeof person>, unknown]>([
    ["family and given name", person("Müller", "Ana"), { family: "Müller", given: "Ana" }],
    ["a family name only", person("", "", { names: [{ family: "Plato" }] }), { family: "Plato" }],
    ["one text with a comma", person("", "", { names: [{ full: "山田, 花子" }] }), { family: "山田", given: "花子" }],
    ["one text without one", person("", "", { names: [{ full: "Taro Yamada" }] }), { literal: "Taro Yamada" }],
    [
      "an organisation",
      person("", "", { kind: "organizational", names: [{ full: "Smith, Jones & Co" }] }),
      { literal: "Smith, Jones & Co" },
    ],
  ])("S3.6.203 %s", (_, agent, name) => {
    expect(of({ creators: [agent] }).author).toEqual([name]);
  });

  test("S3.6.203 editors and translators are named apart from other contributors, all of them", () => {
    const roles = ["DataCollector", "Editor", "translator", "editor", "Translator", undefined];
    const contributors = roles.map((role, at) => person(`N${at}`, "X", role === undefined ? {} : { role }));
    const { author, editor, translator } = of({ creators: [person("A", "X"), person("B", "X")], contributors });
    expect([author, editor, translator].map((list) => list.map(({ family }: { family: string }) => family))).toEqual([
      ["A", "B"],
      ["N1", "N3"],
      ["N2", "N4"],
    ]);
  });

  test("R38 an abstract in HTML is text, once", () => {
    const descriptions = [{ value: "<p>a &amp;lt; b</p><p>c</p>", kind: "Abstract", html: true }];
    expect(of({ descriptions }).abstract).toBe("a &lt; b\nc");
    expect(of({ descriptions: [{ value: "<p>x</p>", kind: "Abstract", html: false }] }).abstract).toBe("<p>x</p>");
  });

  test("R38 a DOI is printed as such, the ARK always, the landing page before there is one", () => {
    const identifiers = [{ scheme: "DOI", value: "https://doi.org/10.5555/AbC" }];
    expect(of({ identifiers })).toMatchObject({ DOI: "10.5555/AbC", URL: "https://ark.example.org/ark:99999/b1x7" });
    expect(of({}, { ark: null, arkUrl: null }).URL).toBe("https://repo.example.org/records/7");
  });
});
