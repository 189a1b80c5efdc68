// Documents of reference managers and agencies become records: RIS of several programs, DataCite XML, answers of
// Crossref, names in Japanese; and of which format a text is.
import { describe, expect, test } from "bun:test";
import { writeDataciteJson, writeDataciteXml } from "../../../src/formats/datacite/write.ts";
import { detectFormat } from "../../../src/formats/import/detect.ts";
import { type ImportFormat, readImport } from "../../../src/formats/import/read.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { RECORD } from "../../support/exported-records.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
function works(format: ImportFormat, text: string) {
  return readImport(format, bytes(text)).map((work) => {
    if ("body" in work) throw new TypeError("Our own record is not a foreign work");
    return work;
  });
}
function only(format: ImportFormat, text: string) {
  const [work, ...more] = works(format, text);
  if (work === undefined || more.length > 0) throw new TypeError("One work was expected");
  return work;
}

/** As a program of a publisher exports it: CRLF, ER with a space, the abstract over two lines. */
const JOURNAL = [
  "Provider: Example Publisher",
  "",
  "TY  - JOUR",
  "AU  - Carberry, Josiah, Jr.",
  "AU  - 山田, 太郎",
  "AU  - World Health Organization",
  "TI  - Water and light",
  "JO  - J. Lakes",
  "JF  - Journal of Lakes",
  "PY  - 2021",
  "DA  - 2021/03/09/",
  "VL  - 12",
  "IS  - 3",
  "SP  - 10",
  "EP  - 22",
  "SN  - 1234-5679",
  "DO  - https://doi.org/10.5555/ABC",
  "UR  - https://example.org/1",
  "UR  - https://example.org/2",
  "AB  - First line",
  "second line",
  "KW  - lakes, rivers",
  "KW  - light; optics",
  "N1  - Received in June",
  "M3  - Article",
  "ER  - ",
  "",
].join("\r\n");

/** As an older program does: one space, Y1, T1, A1, no ER; then a book. */
const OLDER = `TY - THES
A1 - 鈴木 花子
T1 - 湖の研究
TT - A study of lakes
Y1 - 1998///
PB - 京都大学
M1 - 甲第123号
LA - ja
TY - BOOK
ED - Roe, Jane
TI - Light
SN - 978-4-00-000000-0
SP - 320
CY - Tokyo
ER -
`;

describe("RIS", () => {
  test("P.150: an article of a publisher: people, pages, dates, lists; what has no place is named", () => {
    const { metadata, lost, line } = only("ris", JOURNAL);
    expect(line).toBe(3);
    expect(metadata.creators.map(({ kind, names }) => [kind, names])).toEqual([
      ["personal", [{ family: "Carberry", given: "Josiah, Jr." }]],
      ["personal", [{ family: "山田", given: "太郎" }]],
      ["organizational", [{ full: "World Health Organization" }]],
    ]);
    expect(metadata).toMatchObject({
      type: { id: "publication-article" },
      titles: [{ value: "Water and light", kind: "main" }],
      publicationDate: "2021-03-09",
      subjects: [{ text: { value: "lakes, rivers" } }, { text: { value: "light" } }, { text: { value: "optics" } }],
      descriptions: [
        { value: "First line second line", kind: "Abstract" },
        { value: "Received in June", kind: "Other" },
      ],
      identifiers: [
        { scheme: "DOI", value: "10.5555/ABC" },
        { scheme: "URI", value: "https://example.org/1" },
      ],
      containers: [
        {
          titles: [{ value: "Journal of Lakes" }],
          ids: [{ scheme: "ISSN", value: "1234-5679" }],
          ...{ volume: "12", issue: "3", pageStart: "10", pageEnd: "22" },
        },
      ],
    });
    expect(lost).toEqual(["UR: https://example.org/2", "M3: Article"]);
  });

  test("P.150: several records without ER, with other tags; a Japanese name has its family name first", () => {
    const [thesis, book] = works("ris", OLDER);
    expect(thesis?.metadata).toMatchObject({
      type: { id: "publication-thesis" },
      titles: [
        { value: "湖の研究", kind: "main" },
        { value: "A study of lakes", kind: "translated" },
      ],
      creators: [{ kind: "personal", names: [{ family: "鈴木", given: "花子" }] }],
      publicationDate: "1998",
      degree: { number: "甲第123号", grantors: [{ names: [{ value: "京都大学" }] }] },
      languages: ["jpn"],
    });
    expect([thesis?.lost, thesis?.line, book?.line]).toEqual([[], 1, 9]);
    expect(book?.metadata).toMatchObject({
      type: { id: "publication-book" },
      contributors: [{ names: [{ family: "Roe", given: "Jane" }], role: "Editor" }],
      identifiers: [{ scheme: "ISBN", value: "978-4-00-000000-0" }],
      containers: [{ numPages: "320" }],
      publishers: [{ names: [], place: { value: "Tokyo" } }],
    });
  });

  test.each([
    ["AU  - A, B\n", 'Line 1: "AU" is in no record: a record begins with TY'],
    ["TY  - JOUR\nER  - \nTI  - x", 'Line 3: "TI" is in no record: a record begins with TY'],
    ["no record\n", "Line 1: no line begins a record with TY"],
    ["TY  - JOUR\nER  -\n".repeat(1_001), "Line 2002: there are more than 1000 records"],
  ])("P.150: what is not RIS is refused with its line: %j", (text, message) => {
    expect(() => readImport("ris", bytes(text))).toThrow(message);
  });
});

describe("DataCite XML", () => {
  test("P.151: what is exported is read as the same as its JSON", () => {
    const org = { names: [{ value: "京都大学" }], ids: [{ scheme: "ROR", value: "https://ror.org/02kpeqv85" }] };
    const names = [{ full: "山田, 花子", family: "山田", given: "花子", lang: "ja" }];
    const orcid = { scheme: "ORCID", value: "0000-0002-1825-0097" };
    const person = {
      kind: "personal" as const,
      names,
      alternatives: [],
      ids: [orcid],
      emails: [],
      affiliations: [org],
    };
    const metadata: Metadata = {
      ...EMPTY_METADATA,
      type: { id: "dataset" },
      titles: [
        { value: "湖 & <光>", lang: "ja", kind: "main" },
        { value: "Lakes", lang: "en", kind: "translated" },
      ],
      creators: [person],
      contributors: [{ ...person, role: "Editor" }],
      publicationDate: "2024-05-06",
      descriptions: [{ value: "One\ntwo", kind: "Abstract", html: false, lang: "en" }],
      subjects: [{ text: { value: "lakes" }, scheme: "LCSH", uri: "https://id.loc.gov/x" }],
      identifiers: [{ scheme: "DOI", value: "10.5555/x" }],
      relations: [{ type: "isPartOf", ident: { scheme: "DOI", value: "10.5555/y" }, titles: [] }],
      locations: [{ point: { latitude: "35.1", longitude: "139.2" }, places: [{ value: "琵琶湖" }], ids: [] }],
      funding: [{ funder: org, award: { number: "A1", uri: "https://example.org/a1", titles: [{ value: "Award" }] } }],
      rights: [{ id: "cc-by-4.0", text: [], uri: "https://creativecommons.org/licenses/by/4.0/" }],
      versionLabel: "1.0",
    };
    const exported = { ...RECORD, metadata };
    const [xml, json] = [writeDataciteXml(exported).text, writeDataciteJson(exported).text];
    const sorted = (read: Metadata) => ({
      ...read,
      identifiers: read.identifiers.map(({ value }) => value).toSorted(),
    });
    const [one, other] = [only("datacite-xml", xml), only("datacite-json", json)];
    expect(sorted(one.metadata)).toEqual(sorted(other.metadata));
    expect(one.metadata.creators[0]).toMatchObject({
      ids: [{ scheme: "ORCID" }],
      affiliations: [{ names: org.names }],
    });
    expect(one.metadata.funding[0]).toMatchObject({ award: { number: "A1", uri: "https://example.org/a1" } });
  });

  test("P.151: kernel 3, a point as one text, breaks in descriptions, and an element that has no place", () => {
    const { metadata, lost } = only(
      "datacite-xml",
      `<?xml version="1.0"?><resource xmlns="http://datacite.org/schema/kernel-3">
        <identifier identifierType="DOI">10.5555/x</identifier>
        <creators><creator><creatorName>山田, 花子</creatorName><affiliation>京都大学</affiliation></creator></creators>
        <titles><title xml:lang="ja">湖</title><title titleType="Subtitle">A study</title></titles>
        <publisher>Acme</publisher><publicationYear>2014</publicationYear>
        <resourceType resourceTypeGeneral="Dataset">Survey</resourceType>
        <descriptions><description descriptionType="Abstract">One<br/>two</description></descriptions>
        <geoLocations><geoLocation><geoLocationPoint>35.1 139.2</geoLocationPoint></geoLocation></geoLocations>
        <newThing>odd</newThing>
      </resource>`,
    );
    expect(metadata).toMatchObject({
      titles: [
        { value: "湖", lang: "ja", kind: "main" },
        { value: "A study", kind: "subtitle" },
      ],
      creators: [
        { kind: "personal", names: [{ full: "山田, 花子" }], affiliations: [{ names: [{ value: "京都大学" }] }] },
      ],
      publicationDate: "2014",
      identifiers: [{ scheme: "DOI", value: "10.5555/x" }],
      locations: [{ point: { latitude: "35.1", longitude: "139.2" } }],
    });
    expect(lost).toEqual(["newThing"]);
  });

  test("P.151: another XML document, and one that is broken, are refused with what was found", () => {
    expect(() => readImport("datacite-xml", bytes("<a xmlns='urn:x'/>"))).toThrow(
      'root is "a" in the namespace "urn:x"',
    );
    expect(() => readImport("datacite-xml", bytes("<resource><a></resource>"))).toThrow();
    expect(() => readImport("datacite-xml", bytes("<!DOCTYPE x><resource/>"))).toThrow("DOCTYPE");
  });
});

describe("answers of Crossref", () => {
  test("P.152: what it holds of a work, its DOI, and what has no place", () => {
    const message = {
      ...{ DOI: "10.5555/x", title: ["Water"], type: "journal-article", prefix: "10.5555", indexed: { timestamp: 1 } },
      ...{
        author: [{ family: "Carberry", given: "J.", sequence: "first" }],
        relation: { "is-preprint-of": [{ id: "y" }] },
      },
    };
    const { metadata, lost } = only("crossref", JSON.stringify({ status: "ok", message }));
    expect(metadata).toMatchObject({
      titles: [{ value: "Water" }],
      creators: [{ kind: "personal", names: [{ family: "Carberry" }] }],
      identifiers: [{ scheme: "DOI", value: "10.5555/x" }],
    });
    expect(lost).toEqual(["message.author.*.sequence", "message.relation"]);
    expect(() => readImport("crossref", bytes('{"message": {}}'))).toThrow("The document holds no work");
  });
});

test("P.150: BibTeX reads Japanese names with the family name first, others as before", () => {
  const { metadata } = only(
    "bibtex",
    "@book{x, title = {本}, author = {山田 太郎 and 鈴木, 花子 and Donald Knuth and {山田 研究室}}}",
  );
  expect(metadata.creators.map(({ names }) => names[0])).toEqual([
    { family: "山田", given: "太郎" },
    { family: "鈴木", given: "花子" },
    { family: "Knuth", given: "Donald" },
    { full: "山田 研究室" },
  ]);
});

test.each<[string, ImportFormat | null]>([
  ["\ufeff  <?xml version='1.0'?><resource/>", "datacite-xml"],
  ['[{"type": "book"}]', "csl"],
  ['{"type": "book", "title": "x"}', "csl"],
  ['{"@context": "https://schema.org", "name": "x"}', "jsonld"],
  ['{"@graph": []}', "jsonld"],
  ['{"data": {"attributes": {}}}', "datacite-json"],
  ['{"titles": [], "creators": []}', "datacite-json"],
  ['{"message": {}}', "crossref"],
  ['{"metadata": {}}', "json"],
  ['{"broken', "csl"],
  ["% comment\n@book{x}", "bibtex"],
  ["Provider: x\r\n\r\nTY  - JOUR\r\nER  - ", "ris"],
  ["10.5555/x", null],
  ["", null],
])("P.153: the format of %j is %s", (text, format) => {
  expect(detectFormat(text)).toBe(format);
});
