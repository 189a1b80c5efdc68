// MARC 21 in XML (R38; MARC21slim.xsd, MARC::Lint): whatever a record holds, cataloguing systems can read it; and where
// writers go wrong.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import process from "node:process";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { isbnOf } from "../../../src/formats/marc/related.ts";
import { nonfiling } from "../../../src/formats/marc/titles.ts";
import { writeMarcXml } from "../../../src/formats/marc/write.ts";
import { type Agent, type AgentName, EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { textOf, type XmlElement } from "../../../src/shared/xml/element.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { agentOf } from "../../support/cited-items.ts";
import { exportVector, hasMarcLint, hasXmllint, lintMarc, xsdErrors } from "../../support/export-judges.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";
import { attributeOf, childElements } from "../../support/xml-elements.ts";

const COUNT = process.env.ARKSTONE_SLOW === "1" ? 10_000 : 500;
const documents = sampleRecords(COUNT).map((record) => writeMarcXml(record).text);

/** Leader, control fields and data fields, one line each: `245 10 $a Title`. */
function linesOf(metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}): readonly string[] {
  const { text } = writeMarcXml({ ...RECORD, ...more, metadata: { ...EMPTY_METADATA, ...metadata } });
  return childElements(parseXml(text)).map((element) => {
    const tag = attributeOf(element, "tag") ?? "LDR";
    if (element.name !== "datafield") return `${tag} ${textOf(element)}`;
    const indicators = `${attributeOf(element, "ind1")}${attributeOf(element, "ind2")}`;
    const subfields = childElements(element).map((each) => `$${attributeOf(each, "code")} ${textOf(each)}`);
    return `${tag} ${indicators} ${subfields.join(" ")}`;
  });
}
const tagged = (lines: readonly string[], ...tags: string[]) => lines.filter((line) => tags.includes(line.slice(0, 3)));
const AGENT = agentOf({ names: [], emails: ["a@example.org"] });

/** Records that are read field by field. */
const PLAIN_COUNT = 200;

/**
 * Of the fields that records have: both indicators, subfields, those of them that repeat; `once` for a field that does
 * not (MARC 21, 2024).
 */
const MARC: Readonly<
  Record<string, readonly [first: string, second: string, codes: string, many: string, once?: "once"]>
> = {
  "020": [" ", " ", "a", ""],
  "022": [" 01", " ", "a", ""],
  "024": ["0123478", " 01", "2a", ""],
  "034": ["013", " 01", "adefg", ""],
  "041": [" 01", " 7", "ah", "ah"],
  "100": ["013", " ", "04au", "04u", "once"],
  "110": ["012", " ", "04au", "04u", "once"],
  "245": ["01", "0123456789", "abh", "", "once"],
  "246": ["0123", " 012345678", "a", ""],
  "250": [" ", " ", "a", ""],
  "260": [" 23", " ", "abc", "abc"],
  "300": [" ", " ", "a", "a"],
  "347": [" ", " ", "b", "b"],
  "500": [" ", " ", "a", ""],
  "502": [" ", " ", "bcdo", "o"],
  "505": ["0128", " 0", "a", ""],
  "506": [" 01", " ", "au", "u"],
  "513": [" ", " ", "b", ""],
  "520": [" 012348", " ", "a", ""],
  "522": [" 8", " ", "a", ""],
  "536": [" ", " ", "ac", "c"],
  "540": [" ", " ", "au", "u"],
  "542": [" 01", " ", "dfl", "df"],
  "650": [" 012", "01234567", "02a", "0"],
  "653": [" 012", " 0123456", "a", "a"],
  "700": ["013", " 2", "04au", "04u"],
  "710": ["012", " 2", "04au", "04u"],
  "711": ["012", " 2", "acdn", "dn"],
  "780": ["01", "01234567", "giotxz", "oz"],
  "785": ["01", "012345678", "giotxz", "oz"],
  "852": [" 012345678", " 012", "a", ""],
  "856": [" 012347", " 0128", "3qsuyz", "suyz"],
  // Of the software that reads them, not of MARC 21.
  "909": ["c", "4o", "cnopvy", "cnopvy"],
  "980": [" ", " ", "ab", ""],
  "999": ["c", "5", "x", ""],
};
const LINKING: (typeof MARC)[string] = ["01", " 8", "giotxz", "oz"];
const LINKING_TAGS = ["765", "767", "770", "772", "773", "774", "776", "787"];

function fieldFaults(field: XmlElement, isRepeated: boolean): readonly string[] {
  const tag = attributeOf(field, "tag") ?? "";
  if (field.name === "controlfield") return isRepeated && tag !== "006" && tag !== "007" ? [`${tag} is repeated`] : [];
  const rule = LINKING_TAGS.includes(tag) ? LINKING : MARC[tag];
  if (rule === undefined) return [`${tag} is not known`];
  const [first, second, codes, many, once] = rule;
  const [one = "", other = ""] = [attributeOf(field, "ind1"), attributeOf(field, "ind2")];
  const sent = childElements(field).map((each) => attributeOf(each, "code") ?? "");
  return [
    ...(once === "once" && isRepeated ? [`${tag} is repeated`] : []),
    ...(first.includes(one) && second.includes(other) ? [] : [`${tag} has the indicators ${one}${other}`]),
    ...sent.filter((code) => !codes.includes(code)).map((code) => `${tag} has $${code}`),
    ...sent
      .filter((code, at) => codes.includes(code) && !many.includes(code) && sent.indexOf(code) < at)
      .map((code) => `${tag} repeats $${code}`),
  ];
}

describe("MARC 21", () => {
  test.skipIf(!hasXmllint)(`S3.6.187 R38 ${COUNT} records of all kinds are valid by MARC21slim.xsd`, () => {
    expect(xsdErrors("marc21-slim.xsd", documents)).toBe("");
  });

  test("S3.6.187 R38 leader, tags, indicators and codes of records of all kinds match the patterns of MARC21slim.xsd", () => {
    const schema = readFileSync(exportVector("marc21-slim.xsd"), "utf8");
    const typed = (type: string): RegExp => {
      const [, written = ""] =
        new RegExp(`simpleType name="${type}"[\\s\\S]*?<xs:pattern value="([^"]+)"`).exec(schema) ?? [];
      const plain = written
        .replaceAll("&quot;", '"')
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&");
      return new RegExp(`^(?:${plain})$`);
    };
    const rules = {
      ...{
        leader: typed("leaderDataType"),
        controlfield: typed("controltagDataType"),
        datafield: typed("tagDataType"),
      },
      ...{ indicator: typed("indicatorDataType"), code: typed("subfieldcodeDataType") },
    };
    expect([rules.code.test("a"), rules.code.test("ab"), rules.leader.test("")]).toEqual([true, false, false]);
    const namespace = "http://www.loc.gov/MARC21/slim";
    for (const document of documents.slice(0, PLAIN_COUNT)) {
      const root = parseXml(document);
      expect([root.name, root.namespace]).toEqual(["record", namespace]);
      const fields = childElements(root);
      expect(fields.filter(({ name }) => name === "leader")).toHaveLength(1);
      for (const field of fields) {
        expect(field.namespace).toBe(namespace);
        if (field.name === "leader") expect(textOf(field)).toMatch(rules.leader);
        else if (field.name === "controlfield") expect(attributeOf(field, "tag")).toMatch(rules.controlfield);
        else {
          expect([field.name, attributeOf(field, "tag")]).toEqual([
            "datafield",
            expect.stringMatching(rules.datafield),
          ]);
          for (const name of ["ind1", "ind2"]) expect(attributeOf(field, name)).toMatch(rules.indicator);
          expect(childElements(field).map(({ name }) => name)).toEqual(childElements(field).map(() => "subfield"));
          for (const each of childElements(field)) expect(attributeOf(each, "code")).toMatch(rules.code);
        }
      }
    }
  });

  test("S3.6.188 R38 fields, indicators and subfields of records of all kinds are those that MARC 21 defines, repeated where it allows", () => {
    const wrong = documents.slice(0, PLAIN_COUNT).flatMap((document, at) => {
      const fields = childElements(parseXml(document)).filter(({ name }) => name !== "leader");
      const tags = fields.map((field) => attributeOf(field, "tag") ?? "");
      const found = fields.flatMap((field, place) => fieldFaults(field, tags.indexOf(tags[place] ?? "") < place));
      return [...found, ...(tags.includes("245") ? [] : ["no 245"])].map((fault) => `${at}: ${fault}`);
    });
    expect(wrong).toEqual([]);
    const field = (text: string) => parseXml(`<datafield ${text}<subfield code="a">x</subfield></datafield>`);
    expect(fieldFaults(field('tag="245" ind1="1" ind2="0">'), true)).toEqual(["245 is repeated"]);
    expect(fieldFaults(field('tag="245" ind1="9" ind2="0">'), false)).toEqual(["245 has the indicators 90"]);
    expect(fieldFaults(field('tag="022" ind1=" " ind2=" "><subfield code="a">y</subfield>'), false)).toEqual([
      "022 repeats $a",
    ]);
    expect(fieldFaults(field('tag="347" ind1=" " ind2=" ">'), false)).toEqual(["347 has $a"]);
  });

  test.skipIf(!hasMarcLint)(`S3.6.188 R38 MARC::Lint finds nothing in ${COUNT} records of all kinds`, () => {
    const { read, warnings } = lintMarc(documents);
    expect(read).toBe(COUNT);
    // Perl takes the title "0" for none, and a title that is one letter is not passed over.
    const isOdd = (warning: string): boolean =>
      /<subfield code="a">(?:0|a)<\/subfield>\n {4}<subfield code="h">/.test(
        documents[Number.parseInt(warning, 10)] ?? "",
      );
    expect(warnings.filter((warning) => !isOdd(warning))).toEqual([]);
  });

  test("S3.6.189 control fields come first, then the fields by their tags, each with a subfield; indicators are legal", () => {
    for (const document of documents.slice(0, 200)) {
      const [leader, ...fields] = childElements(parseXml(document));
      expect(leader?.name).toBe("leader");
      expect(textOf(leader ?? { namespace: "", name: "", attributes: [], children: [] })).toMatch(
        /^00000n[a-z][abms] a2200000uu 4500$/,
      );
      const tags = fields.map((field) => attributeOf(field, "tag") ?? "");
      expect(tags).toEqual(tags.toSorted());
      for (const field of fields.filter(({ name }) => name === "datafield")) {
        expect(childElements(field).length).toBeGreaterThan(0);
        expect(childElements(field).every((each) => textOf(each).trim() !== "")).toBe(true);
        expect(`${attributeOf(field, "ind1")}${attributeOf(field, "ind2")}`).toMatch(/^[\da-z ]{2}$/);
      }
    }
  });

  test("S3.6.189 a record as libraries read it", () => {
    const lines = linesOf(
      {
        type: { id: "image-photo" },
        titles: [
          { value: "InvenioRDM", kind: "main" },
          { value: "a platform", kind: "subtitle" },
          { value: "プラットフォーム", lang: "ja", kind: "translated" },
        ],
        creators: [
          {
            ...AGENT,
            names: [{ family: "Nielsen", given: "Lars Holm" }],
            ids: [{ scheme: "orcid", value: "0000-0001-8135-3489" }],
            affiliations: [{ names: [{ value: "CERN" }], ids: [] }],
          },
          { ...AGENT, names: [{ full: "Tom, Blabin" }] },
        ],
        contributors: [{ ...AGENT, kind: "organizational", names: [{ full: "A lab" }], role: "other" }],
        descriptions: [
          { value: "<h1>A description</h1> <p>with HTML &amp; tags</p>", kind: "Abstract", html: true },
          { value: "Bla bla bla", kind: "Methods", html: false },
        ],
        publishers: [{ names: [{ value: "A press" }] }],
        publicationDate: "2018/2020-09",
        languages: ["dan", "deu", "ase"],
        identifiers: [
          { scheme: "doi", value: "10.1234/12345-abcde" },
          { scheme: "isbn", value: "978-0-306-40615-7" },
          { scheme: "isbn", value: "978-0-306-40615-0" },
        ],
        relations: [{ type: "iscitedby", ident: { scheme: "doi", value: "10.1234/foo.bar" }, titles: [] }],
        containers: [
          {
            titles: [{ value: "Journal Title" }],
            ids: [{ scheme: "issn", value: "12345679" }],
            ...{ volume: "5", issue: "10", pageStart: "100", pageEnd: "102", place: "flat" },
          },
        ],
        rights: [{ id: "cc-by-4.0", text: [] }],
        funding: [
          {
            funder: { names: [{ value: "European Commission" }], ids: [] },
            award: { number: "111023", titles: [{ value: "Meaning" }] },
          },
        ],
        references: [{ text: "Nielsen et al,.." }],
        degree: {
          names: [{ value: "PhD" }],
          grantors: [{ names: [{ value: "A university" }], ids: [] }],
          granted: "2018",
        },
      },
      {
        status: "embargoed",
        opensOn: "2131-01-01",
        communities: [{ slug: "blr", title: "B" }],
        files: [
          {
            ...{
              name: "test.pdf",
              url: "https://repo.example.org/records/7/files/test.pdf",
              mediaType: "application/pdf",
            },
            ...{
              sizeBytes: 1_934_724,
              md5: "d916d650dc8471cfccb92c807cdc5f98",
              sha256: null,
              access: "open",
              isPublic: true,
            },
          },
        ],
      },
    );
    expect(lines).toEqual([
      "LDR 00000nkm a2200000uu 4500",
      "001 7",
      "005 20240506070809.0",
      "008 240101m20182020xx |||||||||||||||||dan d",
      "020    $a 9780306406157",
      "024 7  $a ark:99999/b1x7 $2 ark",
      "024 7  $a 10.1234/12345-abcde $2 doi",
      "024 8  $a isbn:978-0-306-40615-0",
      "041    $a dan $a ger",
      "041  7 $a ase $2 iso639-3",
      "100 1  $a Nielsen, Lars Holm $u CERN $0 (orcid)0000-0001-8135-3489",
      "245 10 $a InvenioRDM $h [electronic resource] : $b a platform.",
      "246 31 $a プラットフォーム",
      "260    $b A press $c 2018/2020-09 $c info:eu-repo/date/embargoEnd/2131-01-01",
      "500    $a Bla bla bla",
      "502    $b PhD $c A university $d 2018",
      "506 1  $a embargoed access $u http://purl.org/coar/access_right/c_f1cf",
      "520    $a A description with HTML & tags",
      "536    $a European Commission: Meaning $c 111023",
      "540    $a info:eu-repo/semantics/embargoedAccess",
      "540    $a Creative Commons Attribution 4.0 International $u https://creativecommons.org/licenses/by/4.0/",
      "542    $l embargoed",
      "650 17 $a cc-by-4.0 $2 spdx",
      "700 1  $a Tom, Blabin",
      "710 2  $a A lab $4 oth",
      "773 0  $t Journal Title $g Vol. 5, no. 10, p. 100-102 $x 1234-5679",
      "787 0  $i Is cited by $o doi:10.1234/foo.bar",
      "856 42 $3 Is cited by $u https://doi.org/10.1234/foo.bar",
      "856 4  $q application/pdf $s 1934724 $u https://repo.example.org/records/7/files/test.pdf $y test.pdf $z md5:d916d650dc8471cfccb92c807cdc5f98",
      "856 40 $u https://repo.example.org/records/7",
      "856 40 $u https://ark.example.org/ark:99999/b1x7",
      "909 c4 $p Journal Title $v 5 $n 10 $c 100-102 $y 2018/2020-09",
      "909 co $o oai:repo.example.org:00000007 $p user-blr",
      "980    $a user-blr",
      "980    $a info:eu-repo/semantics/other",
      "980    $a image $b photo",
      "999 c5 $x Nielsen et al,..",
    ]);
  });

  test("S3.6.189 metadata alone are closed access, and what has no title is untitled", () => {
    const lines = linesOf({}, { status: "metadata-only", ark: null, arkUrl: null });
    expect(tagged(lines, "100", "245", "540")).toEqual([
      "245 00 $a [Untitled] $h [electronic resource].",
      "540    $a info:eu-repo/semantics/closedAccess",
    ]);
  });

  test.each([
    ["A Romans story", undefined, "2"],
    ["A study", "ja", "2"],
    ["L'homme", "fr", "2"],
    ["“The", "en", "0"],
    ['"The End"', "en", "5"],
    ["La La Land", "en", "0"],
    ["La mer", "fr", "3"],
    ["Los Angeles", "es", "0"],
    ["A", undefined, "0"],
    ["情報", "ja", "0"],
  ])("S3.6.189 of %p in %p the number of characters to skip: %s", (title, lang, expected) => {
    expect(nonfiling(title, lang)).toBe(expected);
  });

  test.each([
    ["978-0-306-40615-7", "9780306406157"],
    ["0-306-40615-2", "0306406152"],
    ["ISBN 080442957X", "080442957X"],
    ["978-0-306-40615-0", null],
    ["x", null],
  ])("S3.6.189 %p is the ISBN %p", (text, expected) => {
    expect(isbnOf(text)).toBe(expected);
  });

  test("S3.6.189 rights holders are named whether their name is whole or in parts, those without a name are not", () => {
    const holder = (name: AgentName): Agent => ({
      ...agentOf({ kind: null, names: [name] }),
    });
    const rightsHolders = [
      holder({ full: "A university press" }),
      holder({ family: "Austin", given: "Larry" }),
      holder({}),
    ];
    const lines = linesOf({ rightsHolders }, { status: "open" });
    expect(lines.filter((line) => line.startsWith("542"))).toEqual([
      "542    $d A university press $d Austin, Larry $l open",
    ]);
  });
});
