// RIS (R38): whatever a record holds, the record is read back by the reader of imports, with its content.
import { describe, expect, test } from "bun:test";
import { citedOf } from "../../../src/formats/citation/cited-item.ts";
import { cslItem } from "../../../src/formats/csl/item.ts";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { importRis } from "../../../src/formats/import/ris.ts";
import { readRis } from "../../../src/formats/import/ris-records.ts";
import { writeRis } from "../../../src/formats/ris/write.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { ARTICLE, agentOf, person } from "../../support/cited-items.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";

const of = (metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}): string =>
  writeRis({ ...RECORD, ...more, metadata: { ...EMPTY_METADATA, ...metadata } }).text;

describe("writeRis()", () => {
  test("Q.20 an article, in lines of tags that end with CR LF", () => {
    expect(of(ARTICLE).split("\r\n")).toEqual([
      "TY  - JOUR",
      "AU  - Adachi, Jun",
      "AU  - Kitsuregawa, Masaru Jean-Luc",
      "TI  - Research on Cyber Infrastructure",
      "T2  - Journal of Information Studies",
      "PY  - 2015",
      "DA  - 2015/10/01/",
      "VL  - 12",
      "IS  - 3",
      "SP  - 34",
      "EP  - 57",
      "PB  - The Press",
      "SN  - 1880-697X",
      "LA  - en",
      "DO  - 10.15017/64495",
      "UR  - https://ark.example.org/ark:99999/b1x7",
      `DB  - ${RECORD.repositoryName}`,
      "ID  - 7",
      "KW  - data mining",
      "KW  - 情報爆発",
      "AB  - An abstract",
      "ER  - ",
      "",
    ]);
  });

  test("Q.20 the reader of RIS reads back title, names, date, container, identifiers, subjects and abstract", () => {
    const japanese = {
      titles: [{ value: "潮位の記録", lang: "ja", kind: "main" as const }],
      creators: [
        agentOf({ names: [{ family: "山田", given: "花子", lang: "ja" }] }),
        agentOf({ names: [{ full: "佐藤, 太郎", lang: "ja" }] }),
        agentOf({ kind: "organizational", names: [{ full: "国立情報学研究所", lang: "ja" }] }),
        agentOf({ kind: "organizational", names: [{ full: "Acme and Sons, Inc." }] }),
        person("Smith, Sr", "Ada"),
      ],
      contributors: [person("Editor", "Eva", { role: "Editor" }), person("Tran", "Tom", { role: "Translator" })],
    };
    const [work, ...others] = importRis(of({ ...ARTICLE, ...japanese }));
    expect(others).toEqual([]);
    const named = (agents: Metadata["creators"]) => agents.map(({ kind, names: [name] }) => [kind, name]);
    expect(named(work?.metadata.creators ?? [])).toEqual([
      ["personal", { family: "山田", given: "花子" }],
      ["personal", { family: "佐藤", given: "太郎" }],
      ["organizational", { full: "国立情報学研究所" }],
      ["organizational", { full: "Acme and Sons Inc." }],
      ["personal", { family: "Smith Sr", given: "Ada" }],
    ]);
    expect(work?.metadata.contributors.map(({ role, names: [name] }) => [role, name?.family])).toEqual([
      ["Editor", "Editor"],
      ["Translator", "Tran"],
    ]);
    expect(work?.lost).toEqual([]);
    expect(work?.metadata).toMatchObject({
      type: { id: "publication-article" },
      titles: [{ value: "潮位の記録" }],
      publicationDate: "2015-10-01",
      containers: [{ titles: [{ value: "Journal of Information Studies" }], volume: "12", issue: "3" }],
      identifiers: [{ scheme: "DOI", value: "10.15017/64495" }, { scheme: "ARK" }],
      subjects: [{ text: { value: "data mining" } }, { text: { value: "情報爆発" } }],
      descriptions: [{ value: "An abstract", kind: "Abstract" }],
    });
  });

  test("Q.20 each type is read back as itself or its next kin, and any other is GEN", () => {
    const types: readonly (readonly [string, string, string])[] = [
      ["publication-article", "JOUR", "publication-article"],
      ["publication-book", "BOOK", "publication-book"],
      ["publication-section", "CHAP", "publication-section"],
      ["publication-conferencepaper", "CPAPER", "publication-conferencepaper"],
      ["publication-conferenceproceeding", "CONF", "publication-conferenceproceeding"],
      ["publication-thesis", "THES", "publication-thesis"],
      ["publication-dissertation", "THES", "publication-thesis"],
      ["publication-report", "RPRT", "publication-report"],
      ["publication-preprint", "UNPB", "publication-preprint"],
      ["publication-patent", "PAT", "publication-patent"],
      ["publication-standard", "STAND", "publication-standard"],
      ["publication-journal", "JFULL", "publication-journal"],
      ["dataset", "DATA", "dataset"],
      ["software", "COMP", "software"],
      ["video", "VIDEO", "video"],
      ["audio", "SOUND", "audio"],
      ["presentation", "SLIDE", "presentation"],
      ["image-figure", "FIGURE", "image-figure"],
      ["physicalobject", "GEN", "other"],
      ["toString", "GEN", "other"],
    ];
    for (const [id, tag, read] of types) {
      const text = of({ type: { id }, titles: [{ value: "T", kind: "main" }] });
      expect([id, text.split("\r\n", 1)[0], importRis(text)[0]?.metadata.type?.id]).toEqual([id, `TY  - ${tag}`, read]);
    }
    expect(of({ type: { id: "other", label: "map" } })).toStartWith("TY  - MAP\r\n");
  });

  test("Q.20 a thesis has its institution and number, a book its pages, a date only what is known of it", () => {
    const grantors = [{ names: [{ value: "Kyoto University" }], ids: [] }];
    const degree = { names: [{ value: "Doctor" }], grantors, number: "甲第12号" };
    const thesis = of({ type: { id: "publication-thesis" }, degree, publicationDate: "2019" });
    expect(thesis).toContain("PB  - Kyoto University\r\n");
    expect(thesis).toContain("M1  - 甲第12号\r\n");
    expect(thesis).toContain("PY  - 2019\r\n");
    expect(thesis).not.toContain("DA  - ");
    const containers = [{ titles: [], ids: [], numPages: "321", place: "flat" as const }];
    expect(of({ type: { id: "publication-book" }, containers, publicationDate: "2019-03" })).toMatch(
      /PY {2}- 2019\r\nDA {2}- 2019\/03\/\/\r\nSP {2}- 321\r\n/,
    );
    expect(of({ publicationDate: "in spring" })).toContain("DA  - in spring\r\n");
    expect(of({ publicationDate: "2018/2020" })).toContain("PY  - 2018\r\n");
    expect(of({ publicationDate: "-0044" })).not.toMatch(/^(PY|DA)/m);
  });

  test("Q.20 300 records of all kinds are one record each, with number, title and authors, and nothing hidden", () => {
    for (const record of sampleRecords(300)) {
      const { text } = writeRis(record);
      const [read, ...others] = readRis(text);
      const values = (tag: string) => (read?.values ?? []).filter(([each]) => each === tag).map(([, value]) => value);
      const item = cslItem(String(record.id), citedOf(record));
      expect([others, values("ID"), values("UR")]).toEqual([[], [item.id], [record.arkUrl ?? record.landingPage]]);
      expect(values("TI")).toEqual(item.title === undefined ? [] : [item.title]);
      expect(values("AU").length).toBe(
        (item.author ?? []).filter((name) => !/^[\s,，]*$/.test("literal" in name ? name.literal : name.family)).length,
      );
      expect(importRis(text)).toHaveLength(1);
      expect(text).not.toContain("hidden@example.org");
      expect(text).not.toMatch(/[^\P{Cc}\r\n]/u);
      // No value begins a line: nothing in a record can add a tag or end it.
      expect(
        text
          .split("\r\n")
          .slice(0, -1)
          .every((line) => /^[A-Z][A-Z0-9] {2}- /.test(line)),
      ).toBe(true);
    }
  });
});
