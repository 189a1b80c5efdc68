// Writing JPCOAR: what is printed for the cases in which the model and the schema differ, and what the notes state.
import { describe, expect, test } from "bun:test";
import { type JpcoarInput, jpcoarFileOf, jpcoarRecord, writeJpcoar } from "../../../src/formats/jpcoar/write.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { htmlToText } from "../../../src/shared/html/html-text.ts";
import { agentOf } from "../../support/cited-items.ts";

const PLACES = {
  files: [],
  landingPage: "https://repository.example.org/records/17",
  ark: "https://n2t.example.org/ark:/99999/fk4x",
  accessRights: { label: "restricted access" },
};
/** The printed elements of a name, one line each, and the notes. */
function printed(
  metadata: Partial<Metadata>,
  name: string,
  more: Partial<JpcoarInput> = {},
): { lines: string[]; notes: string[] } {
  const { xml, notes } = writeJpcoar({
    ...PLACES,
    metadata: { ...EMPTY_METADATA, type: { id: "dataset" }, titles: [{ value: "T", kind: "main" }], ...metadata },
    ...more,
  });
  const lines = xml
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith(`<${name}`));
  return { lines, notes };
}
const agent = (more: Partial<Agent>): Agent => agentOf({ kind: null, names: [], ...more });

describe("writeJpcoar()", () => {
  test("R3 the first main title is first, translations are titles, everything else is an alternative", () => {
    const titles: Metadata["titles"] = [
      { value: "Sub", kind: "subtitle" },
      { value: "Alt", lang: "en", kind: "alternative" },
      { value: "Translated", lang: "en", kind: "translated" },
      { value: "題", lang: "ja", kind: "main" },
    ];
    expect(printed({ titles }, "dc:title").lines).toEqual([
      '<dc:title xml:lang="ja">題</dc:title>',
      '<dc:title xml:lang="en">Translated</dc:title>',
    ]);
    expect(printed({ titles }, "dcterms:alternative")).toEqual({
      lines: [
        "<dcterms:alternative>Sub</dcterms:alternative>",
        '<dcterms:alternative xml:lang="en">Alt</dcterms:alternative>',
      ],
      notes: ['The subtitle "Sub" is printed as an alternative title'],
    });
  });

  test("R3 the stated date of publication is an Issued date, before another one; else a container's date is", () => {
    const issued = (date: string): string => `<datacite:date dateType="Issued">${date}</datacite:date>`;
    const dates = [{ date: "2014", type: "Issued" }];
    expect(printed({ publicationDate: "2015-10", dates }, "datacite:date").lines).toEqual([
      issued("2015-10"),
      issued("2014"),
    ]);
    expect(printed({ publicationDate: "2014", dates }, "datacite:date").lines).toEqual([issued("2014")]);
    const containers: Metadata["containers"] = [{ titles: [], ids: [], issued: "2013", place: "grouped" }];
    expect(printed({ containers }, "datacite:date").lines).toEqual([issued("2013")]);
    expect(printed({ containers, dates }, "datacite:date").lines).toEqual([issued("2014")]);
  });

  test("R3 a date whose form the schema does not know is printed as a free date, with a note", () => {
    expect(printed({ publicationDate: "1923~" }, "dcterms:date")).toEqual({
      lines: ["<dcterms:date>1923~</dcterms:date>"],
      notes: ['The date "1923~" (Issued) is printed without its type'],
    });
  });

  test.each<[Metadata["type"], string, string[]]>([
    [
      { id: "publication-article" },
      '<dc:type rdf:resource="http://purl.org/coar/resource_type/c_6501">journal article</dc:type>',
      [],
    ],
    [
      { id: "publication-article", label: "departmental bulletin paper" },
      '<dc:type rdf:resource="http://purl.org/coar/resource_type/c_6501">departmental bulletin paper</dc:type>',
      [],
    ],
    [
      { id: "dataset", label: "interview" },
      '<dc:type rdf:resource="http://purl.org/coar/resource_type/c_1843">other</dc:type>',
      ['The resource type "interview" is printed as "other"'],
    ],
    [
      { id: "sculpture", label: "sculpture" },
      '<dc:type rdf:resource="http://purl.org/coar/resource_type/c_1843">other</dc:type>',
      ['The resource type "sculpture" is not known; "other" is printed'],
    ],
    [
      null,
      '<dc:type rdf:resource="http://purl.org/coar/resource_type/c_1843">other</dc:type>',
      ['The resource type is missing; "other" is printed'],
    ],
  ])("R3 the resource type %p is printed by its label, else by its id", (type, line, notes) => {
    expect(printed({ type }, "dc:type")).toEqual({ lines: [line], notes });
  });

  test("R2d stated access rights are printed as stated, derived ones only when none are", () => {
    const line = (label: string, code: string): string =>
      `<dcterms:accessRights rdf:resource="http://purl.org/coar/access_right/${code}">${label}</dcterms:accessRights>`;
    expect(printed({ accessRights: { label: "open access" } }, "dcterms:accessRights").lines).toEqual([
      line("open access", "c_abf2"),
    ]);
    expect(printed({}, "dcterms:accessRights").lines).toEqual([line("restricted access", "c_16ec")]);
    expect(printed({ accessRights: { label: "for friends" } }, "dcterms:accessRights")).toEqual({
      lines: [line("restricted access", "c_16ec")],
      notes: ['The access rights "for friends" are not in JPCOAR 2.0 and are left out'],
    });
  });

  test("R5 the ARK and the landing page are identifiers after the item's own, each address once", () => {
    const identifiers = [
      { scheme: "doi", value: "10.15017/64495" },
      { scheme: "HDL", value: "2115/64495" },
      { scheme: "URI", value: PLACES.landingPage },
      { scheme: "ISBN", value: "9784000000000" },
      { scheme: "arXiv", value: "1", uri: "https://arxiv.org/abs/1" },
    ];
    expect(printed({ identifiers }, "jpcoar:identifier")).toEqual({
      lines: [
        '<jpcoar:identifier identifierType="DOI">https://doi.org/10.15017/64495</jpcoar:identifier>',
        '<jpcoar:identifier identifierType="HDL">https://hdl.handle.net/2115/64495</jpcoar:identifier>',
        '<jpcoar:identifier identifierType="URI">https://repository.example.org/records/17</jpcoar:identifier>',
        '<jpcoar:identifier identifierType="URI">https://arxiv.org/abs/1</jpcoar:identifier>',
        '<jpcoar:identifier identifierType="URI">https://n2t.example.org/ark:/99999/fk4x</jpcoar:identifier>',
      ],
      notes: ['The identifier "9784000000000" (ISBN) has no place in JPCOAR 2.0'],
    });
    const first = (scheme: string, value: string) =>
      printed({ identifiers: [{ scheme, value }] }, "jpcoar:identifier").lines[0]?.replace(/<[^>]*>/g, "");
    expect(first("DOI", "doi:10.1/y")).toBe("https://doi.org/10.1/y");
    expect(first("HDL", "hdl:1/y")).toBe("https://hdl.handle.net/1/y");
    // Of another type, or none that a resolver knows.
    expect([first("DOI", "no-DOI"), first("URI", "10.1/x"), first("HDL", "handle")]).toEqual([
      "no-DOI",
      "10.1/x",
      "handle",
    ]);
    expect(printed({}, "jpcoar:identifier").lines.length).toBe(2);
  });

  test("R4a of two containers titles and identifiers are printed once each; of numbers the first one, and the other is reported", () => {
    const containers: Metadata["containers"] = [
      {
        titles: [{ value: "J", lang: "en" }],
        ids: [{ scheme: "issn", value: "1880-697X" }],
        volume: "1",
        pageStart: "e12",
        place: "flat",
      },
      {
        titles: [
          { value: "J", lang: "en" },
          { value: "誌", lang: "ja" },
        ],
        ids: [{ scheme: "ISBN", value: "978" }],
        volume: "2",
        issue: "7",
        pageStart: "12",
        place: "grouped",
      },
    ];
    const all = ["jpcoar:sourceIdentifier", "jpcoar:sourceTitle", "jpcoar:volume", "jpcoar:issue", "jpcoar:pageStart"];
    expect(all.flatMap((name) => printed({ containers }, name).lines)).toEqual([
      '<jpcoar:sourceIdentifier identifierType="ISSN">1880-697X</jpcoar:sourceIdentifier>',
      '<jpcoar:sourceTitle xml:lang="en">J</jpcoar:sourceTitle>',
      '<jpcoar:sourceTitle xml:lang="ja">誌</jpcoar:sourceTitle>',
      "<jpcoar:volume>1</jpcoar:volume>",
      "<jpcoar:issue>7</jpcoar:issue>",
      "<jpcoar:pageStart>12</jpcoar:pageStart>",
    ]);
    expect(printed({ containers }, "x").notes).toEqual([
      'The source identifier "978" (ISBN) has no place in JPCOAR 2.0',
      'JPCOAR 2.0 has a place for one volume; "2" is left out',
      'The first page "e12" is not a positive integer and is left out',
    ]);
  });

  test("R29 mail addresses of agents are in no part of the record", () => {
    const person = agent({ kind: "personal", names: [{ family: "Doe", given: "Jane" }], emails: ["jane@example.org"] });
    const { xml } = writeJpcoar({
      ...PLACES,
      metadata: {
        ...EMPTY_METADATA,
        creators: [person],
        contributors: [{ ...person, role: "editor" }],
        rightsHolders: [person],
      },
    });
    expect(xml).not.toContain("@example.org");
    expect(xml).toContain('<jpcoar:creatorName nameType="Personal">Doe, Jane</jpcoar:creatorName>');
    expect(xml).toContain('<jpcoar:contributor contributorType="Editor">');
    expect(xml).toContain("<jpcoar:rightsHolderName>Doe, Jane</jpcoar:rightsHolderName>");
  });

  test("R3 spellings of other vocabularies lead to the schema's", () => {
    const ids = [
      { scheme: "orcid", value: "0000-0002-1825-0097" },
      { scheme: "e-Rad", value: "1" },
      { scheme: "LOCAL", value: "7" },
    ];
    expect(printed({ creators: [agent({ ids })] }, "jpcoar:nameIdentifier")).toEqual({
      lines: [
        '<jpcoar:nameIdentifier nameIdentifierScheme="ORCID">0000-0002-1825-0097</jpcoar:nameIdentifier>',
        '<jpcoar:nameIdentifier nameIdentifierScheme="e-Rad_Researcher">1</jpcoar:nameIdentifier>',
      ],
      notes: ['JPCOAR 2.0 has no scheme for the name identifier "7" (LOCAL)'],
    });
    const relations = [
      { type: "ispartof", ident: { scheme: "handle", value: "1/2" }, titles: [] },
      { type: "Describes", ident: { scheme: "LSID", value: "urn:lsid:x" }, titles: [] },
    ];
    expect(printed({ relations }, "jpcoar:rel").lines).toEqual([
      '<jpcoar:relation relationType="isPartOf">',
      '<jpcoar:relatedIdentifier identifierType="HDL">https://hdl.handle.net/1/2</jpcoar:relatedIdentifier>',
      "<jpcoar:relation>",
      '<jpcoar:relatedIdentifier identifierType="URI">urn:lsid:x</jpcoar:relatedIdentifier>',
    ]);
    const descriptions = [{ value: "<p>a &amp; <b>b</b></p>", kind: "table-of-contents", html: true }];
    expect(printed({ descriptions }, "datacite:description")).toEqual({
      lines: ['<datacite:description descriptionType="TableOfContents">a &amp; b</datacite:description>'],
      notes: ["Markup in descriptions is left out"],
    });
  });

  test("R29 a file is printed with its address, type, size and date", () => {
    const file = {
      url: "https://repository.example.org/records/17/files/a b.pdf",
      label: "a b.pdf",
      objectType: "FullText",
      mimeType: "application/pdf",
      sizeBytes: 3145728,
      dates: [{ date: "2015-10-01", type: "Issued" }],
      version: "2",
    };
    const { xml, notes } = writeJpcoar({ ...PLACES, metadata: EMPTY_METADATA, files: [file] });
    const lines = xml.split("\n").map((line) => line.trim());
    expect(lines.slice(lines.indexOf("<jpcoar:file>"), lines.indexOf("</jpcoar:file>") + 1)).toEqual([
      "<jpcoar:file>",
      '<jpcoar:URI objectType="fulltext" label="a b.pdf">https://repository.example.org/records/17/files/a%20b.pdf</jpcoar:URI>',
      "<jpcoar:mimeType>application/pdf</jpcoar:mimeType>",
      "<jpcoar:extent>3145728 bytes</jpcoar:extent>",
      '<datacite:date dateType="Issued">2015-10-01</datacite:date>',
      "<datacite:version>2</datacite:version>",
      "</jpcoar:file>",
    ]);
    expect(notes.some((note) => note.includes("file"))).toBe(false);
  });

  test("R29 a file of an item is described under its label, else its name, at the address it is served from", () => {
    const file = {
      name: "a.pdf",
      storageKey: "k",
      sha256: "0",
      md5: null,
      sizeBytes: 3,
      mediaType: "application/pdf",
      access: "open",
      accessDate: null,
      groups: [],
      url: "https://elsewhere.example/a.pdf",
    } as const;
    const url = "https://repository.example.org/records/17/files/a.pdf";
    expect(jpcoarFileOf(file, url)).toEqual({ url, label: "a.pdf", mimeType: "application/pdf", sizeBytes: 3 });
    expect(
      jpcoarFileOf(
        { ...file, label: "Paper", extents: ["3 pages"], objectType: "fulltext", version: "1", dates: [] },
        url,
      ),
    ).toEqual({
      url,
      label: "Paper",
      mimeType: "application/pdf",
      sizeBytes: 3,
      extents: ["3 pages"],
      objectType: "fulltext",
      version: "1",
      dates: [],
    });
  });

  test("R4a fields without a canonical place and values kept in extra are counted in the notes", () => {
    const { notes } = printed(
      { custom: { "1:a": "x", "1:b": "y" }, extra: [{ format: "ro-crate", path: "x", value: 1 }], apc: "Paid" },
      "x",
    );
    expect(notes).toEqual([
      "JPCOAR 2.0 has no place for the APC",
      "JPCOAR 2.0 has no place for 2 further fields of the item type",
      "1 value that was kept in extra is left out",
    ]);
  });

  test("R29 a record is available as an element, for documents that hold several", () => {
    const { record } = jpcoarRecord({ ...PLACES, metadata: EMPTY_METADATA });
    expect([record.namespace, record.name]).toEqual(["https://github.com/JPCOAR/schema/blob/master/2.0/", "jpcoar"]);
  });
});

describe("htmlToText()", () => {
  test.each([
    ["<p>One</p><p>Two<br/>Three</p>", "One\nTwo\nThree"],
    ["a &lt; b &amp;&nbsp;c &#x41;&#66; &unknown; &#0;", "a < b &\u{A0}c AB &unknown; \uFFFD"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ['x<script type="a">alert("<b>")</script>y<style>p{}</style>z', "xyz"],
    ["<a href='x'>link</a><!-- no -->", "link"],
    ["open <b", "open <b"],
    ["<script>never closed", ""],
    ["<".repeat(50_000), "<".repeat(50_000)],
  ])("R3 the words of %p", (html, expected) => {
    expect(htmlToText(html)).toBe(expected);
  });
});
