// What landing pages and tombstones show to people and machines: "cite this", meta tags, schema.org, Signposting.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { citeAs, doiOf, identAddress } from "../../../src/formats/citation/cited-item.ts";
import { schemaOrg } from "../../../src/formats/citation/schema-org.ts";
import {
  citationTags,
  linkHeader,
  MAX_LINK_HEADER,
  signpostingLinks,
} from "../../../src/formats/citation/signposting.ts";
import { citationText } from "../../../src/formats/citation/write.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { jsonBlock } from "../../../src/pages/html.ts";
import { cited, person } from "../../support/cited-items.ts";
import { anyMetadata } from "../../support/jpcoar-metadata.ts";

/** The content of the element a page puts a description into. */
const scriptText = (description: unknown) =>
  jsonBlock(description).markup.replace(/^<script type="application\/ld\+json">|<\/script>$/g, "");
const bare: Metadata = { ...EMPTY_METADATA, titles: [{ value: "T", kind: "main" }] };
const organization = (name: string) => person("", "", { kind: "organizational", names: [{ full: name }] });

describe("citationText()", () => {
  test("R19a R38 an article with its journal, by its DOI and its ARK", () => {
    expect(citationText(cited())).toBe(
      "Adachi, J., & Kitsuregawa, M. J.-L. (2015). Research on Cyber Infrastructure. Journal of Information Studies, 12(3), 34–57. https://doi.org/10.15017/64495 https://n2t.example.org/ark:/99999/fk4x",
    );
  });

  test.each<[string, Partial<Metadata>, string]>([
    [
      "a data set with version and publisher, by its ARK",
      {
        ...bare,
        type: { id: "dataset" },
        creators: [person("Terada", "Torahiko")],
        publishers: [{ names: [{ value: "The University of Tokyo" }] }],
        versionLabel: "v1.01",
        publicationDate: "2014/2016",
      },
      "Terada, T. (2014–2016). T (Version 1.01) [Dataset]. The University of Tokyo. https://n2t.example.org/ark:/99999/fk4x",
    ],
    [
      "a doctoral thesis with the university, dated by its degree",
      {
        ...bare,
        type: { id: "publication-dissertation", label: "doctoral thesis" },
        creators: [person("寺田", "寅彦")],
        degree: {
          names: [],
          granted: "2017-03-25",
          grantors: [{ names: [{ value: "The University of Tokyo" }], ids: [] }],
        },
      },
      "寺田寅彦. (2017). T [Doctoral dissertation, The University of Tokyo]. Example Repository. https://n2t.example.org/ark:/99999/fk4x",
    ],
    [
      "a master's thesis without a university",
      { ...bare, type: { id: "publication-thesis", label: "master thesis" } },
      "T [Master’s thesis]. (n.d.). Example Repository. https://n2t.example.org/ark:/99999/fk4x",
    ],
    [
      "a chapter in its book",
      {
        ...bare,
        type: { id: "publication-section" },
        creators: [organization("NII")],
        containers: [{ titles: [{ value: "The Book" }], ids: [], pageStart: "5", place: "flat" }],
        publishers: [{ names: [{ value: "Press" }] }],
      },
      "NII. (n.d.). T. In The Book (p. 5). Press. https://n2t.example.org/ark:/99999/fk4x",
    ],
    [
      "nothing but an address",
      EMPTY_METADATA,
      "[Untitled]. (n.d.). Example Repository. https://n2t.example.org/ark:/99999/fk4x",
    ],
    [
      "a title that ends with its own mark",
      { ...bare, titles: [{ value: "Why?", kind: "main" }], creators: [organization("Acme Inc.")] },
      "Acme Inc. (n.d.). Why? Example Repository. https://n2t.example.org/ark:/99999/fk4x",
    ],
  ])("R19a %s", (_, metadata, expected) => {
    expect(citationText(cited({ ...EMPTY_METADATA, ...metadata }))).toBe(expected);
  });

  const called = (...names: Agent["names"]) => person("", "", { names });
  const BOTH = {
    ...bare,
    titles: [
      { value: "潮位の記録", lang: "ja", kind: "main" },
      { value: "Records of tides", lang: "en", kind: "translated" },
    ],
    creators: [
      called({ family: "山田", given: "花子", lang: "ja" }, { full: "Yamada, Hanako", lang: "en" }),
      called({ full: "Suzuki, Ichiro", lang: "en" }, { full: "鈴木, 一郎", lang: "ja" }),
    ],
    publishers: [
      {
        names: [
          { value: "Tide Press", lang: "en" },
          { value: "潮位出版", lang: "ja" },
        ],
      },
    ],
    type: { id: "dataset" },
    publicationDate: "2020",
  } as const satisfies Partial<Metadata>;

  test.each([
    ["ja", "山田花子・鈴木一郎 (2020). 潮位の記録 [データセット]. 潮位出版. https://n2t.example.org/ark:/99999/fk4x"],
    [
      "en",
      "Yamada, H., & Suzuki, I. (2020). Records of tides [Dataset]. Tide Press. https://n2t.example.org/ark:/99999/fk4x",
    ],
  ])("R19a a citation for who reads %s is in one language, and names are written its way", (reader, expected) => {
    expect(citationText(cited({ ...EMPTY_METADATA, ...BOTH }), reader)).toBe(expected);
    const title = expected.includes("潮位") ? "潮位の記録" : "Records of tides";
    const names = reader === "ja" ? ["山田 花子", "鈴木 一郎"] : ["Yamada, Hanako", "Suzuki, Ichiro"];
    const item = cited({ ...EMPTY_METADATA, ...BOTH });
    const tags = citationTags(item, reader);
    expect(tags.filter(({ name }) => name === "citation_author").map(({ content }) => content)).toEqual(names);
    expect(tags.find(({ name }) => name === "citation_title")?.content).toBe(title);
    const data = schemaOrg(item, reader) as { name: string; author: { name: string; alternateName: string[] }[] };
    expect([data.name, data.author.map(({ name }) => name)]).toEqual([title, names]);
    expect(data.author[0]?.alternateName).toHaveLength(1);
  });

  test("R2c R19a a tombstone's citation, which knows no reader, is in the language of the title", () => {
    expect(citationText(cited({ ...EMPTY_METADATA, ...BOTH }))).toMatch(/^山田花子・鈴木一郎 \(2020\)\. 潮位の記録/);
  });

  test.each<[string, Partial<Metadata>, string]>([
    [
      "an article in Japanese with a foreign author",
      { creators: [BOTH.creators[0], person("Smith", "John")] },
      "山田花子・Smith, J. (2020).",
    ],
    [
      "a name with a middle dot",
      { creators: [BOTH.creators[0], called({ full: "エイダ・ラブレス", lang: "ja" })] },
      "山田花子、エイダ・ラブレス (2020).",
    ],
    ["an organisation", { creators: [organization("国立情報学研究所")] }, "国立情報学研究所 (2020)."],
    [
      "Korean",
      {
        titles: [{ value: "조석 기록", kind: "main" }],
        creators: [called({ family: "김", given: "철수" }), called({ full: "이, 영희" })],
      },
      "김철수, 이영희 (2020).",
    ],
    [
      "Chinese",
      {
        titles: [{ value: "潮汐紀錄", lang: "zh", kind: "main" }],
        creators: [called({ full: "王, 小明", lang: "zh" }), called({ full: "李, 四", lang: "zh" })],
      },
      "王小明、李四 (2020).",
    ],
    [
      "a Japanese name alone under an English title",
      {
        titles: [{ value: "Tides", lang: "en", kind: "main" }],
        creators: [called({ full: "山田, 花子", lang: "ja" })],
      },
      "山田花子. (2020). Tides",
    ],
    [
      "a Japanese thesis",
      {
        type: { id: "publication-dissertation" },
        degree: {
          names: [],
          grantors: [
            {
              names: [
                { value: "東京大学", lang: "ja" },
                { value: "U Tokyo", lang: "en" },
              ],
              ids: [],
            },
          ],
        },
      },
      "潮位の記録 [東京大学博士論文].",
    ],
    [
      "many",
      { creators: Array.from({ length: 21 }, () => BOTH.creators[0]) },
      `${"山田花子・".repeat(19)}…・山田花子 (2020).`,
    ],
  ])("R19a %s is cited in its own convention", (_, metadata, expected) => {
    expect(citationText(cited({ ...EMPTY_METADATA, ...BOTH, ...metadata }), "ja")).toContain(expected);
  });

  test("R19a twenty creators are named, of more the first nineteen and the last", () => {
    const names = (count: number): string => {
      const creators = Array.from({ length: count }, (_, index) => organization(`N${index + 1}`));
      return citationText(cited({ ...bare, creators })).split(" (n.d.)")[0] ?? "";
    };
    expect(names(20)).toMatch(/N18, N19, & N20\.$/);
    expect(names(21)).toMatch(/N18, N19, … N21$/);
    expect(names(21)).not.toContain("N20");
  });

  test("R2c R19a gives one line for any metadata, and never a mail address", () => {
    fc.assert(
      fc.property(anyMetadata, (metadata) => {
        const text = citationText(cited(metadata));
        expect(text).not.toMatch(/[\n\r]|hidden@example\.org/);
        expect(text).toMatch(/\((?:n\.d\.|日付なし|[^()]*\d[^()]*)\)/);
      }),
      { numRuns: 100 },
    );
  });
});

describe("citeAs()", () => {
  test("R5 R19a an item is cited by its DOI, else its ARK, else its landing page", () => {
    expect(citeAs(cited())).toBe("https://doi.org/10.15017/64495");
    expect(citeAs(cited({ identifiers: [] }))).toBe("https://n2t.example.org/ark:/99999/fk4x");
    expect(citeAs(cited({ identifiers: [] }, { ark: null }))).toBe("https://repository.example.org/records/17");
  });

  test.each<[string, Partial<Metadata>, string | null]>([
    ["bare", { identifiers: [{ scheme: "doi", value: "10.5555/a(b)" }] }, "10.5555/a(b)"],
    ["by the registration", { identifiers: [], registration: { scheme: "JaLC", value: "10.15017/1" } }, "10.15017/1"],
    ["in the address", { identifiers: [{ scheme: "DOI", value: "x", uri: "http://dx.doi.org/10.1/2" }] }, "10.1/2"],
    ["none", { identifiers: [{ scheme: "HDL", value: "http://hdl.handle.net/2115/64495" }] }, null],
  ])("R19a the DOI is found %s", (_, metadata, expected) => {
    expect(doiOf({ ...bare, ...metadata })).toBe(expected);
  });

  test.each([
    [{ scheme: "ORCID", value: "0000-0002-1825-0097" }, "https://orcid.org/0000-0002-1825-0097"],
    [{ scheme: "isni", value: "0000 0001 2169 1048" }, "https://isni.org/isni/0000000121691048"],
    [{ scheme: "NRID", value: "1000" }, null],
    [{ scheme: "NRID", value: "1000", uri: "https://nrid.nii.ac.jp/1000" }, "https://nrid.nii.ac.jp/1000"],
    [{ scheme: "URI", value: "javascript:alert(1)" }, null],
  ])("R19a the identifier %p leads to %p", (ident, expected) => {
    expect(identAddress(ident)).toBe(expected);
  });
});

describe("citationTags()", () => {
  test("R19a an article's tags, names in the language of its title", () => {
    expect(citationTags(cited()).map(({ name, content }) => `${name}: ${content}`)).toEqual([
      "citation_title: Research on Cyber Infrastructure",
      "citation_author: Adachi, Jun",
      "citation_author_institution: The University of Tokyo",
      "citation_author_orcid: https://orcid.org/0000-0002-1825-0097",
      "citation_author: Kitsuregawa, Masaru Jean-Luc",
      "citation_publication_date: 2015/10/01",
      "citation_journal_title: Journal of Information Studies",
      "citation_issn: 1880-697X",
      "citation_volume: 12",
      "citation_issue: 3",
      "citation_firstpage: 34",
      "citation_lastpage: 57",
      "citation_publisher: The Press",
      "citation_doi: 10.15017/64495",
      "citation_language: en",
      "citation_keywords: data mining; 情報爆発",
      "citation_abstract_html_url: https://repository.example.org/records/17",
      "citation_pdf_url: https://repository.example.org/records/17/files/a.pdf",
    ]);
  });

  test("R19a R9a of one author 20 institutions are named, in their order", () => {
    const affiliations = Array.from({ length: 21 }, (_, at) => ({ names: [{ value: `U${at + 1}` }], ids: [] }));
    const [creator] = cited().metadata.creators;
    if (creator === undefined) throw new Error("nobody");
    const tags = citationTags(cited({ creators: [{ ...creator, affiliations }] }));
    expect(tags.filter(({ name }) => name === "citation_author_institution").map(({ content }) => content)).toEqual(
      affiliations.slice(0, 20).map(({ names: [name] }) => name?.value ?? ""),
    );
  });

  test("R19a a thesis tells its university, a report its institution, and no file means no PDF", () => {
    const grantors = [{ names: [{ value: "U" }], ids: [] }];
    const names = (metadata: Partial<Metadata>): string[] =>
      citationTags(cited(metadata, { files: [] })).map(({ name, content }) => `${name}: ${content}`);
    const thesis = names({ type: { id: "publication-thesis" }, degree: { names: [{ value: "D" }], grantors } });
    expect(thesis).toContain("citation_dissertation_institution: U");
    expect(thesis).toContain("citation_dissertation_name: D");
    expect(thesis.some((tag) => tag.startsWith("citation_pdf_url"))).toBe(false);
    expect(names({ type: { id: "publication-report" } })).toContain("citation_technical_report_institution: The Press");
  });
});

describe("schemaOrg()", () => {
  test("R19a an article", () => {
    expect(schemaOrg(cited({}, { updatedAt: "2026-01-02T03:04:05Z" }))).toEqual({
      "@context": "https://schema.org",
      "@type": "ScholarlyArticle",
      "@id": "https://doi.org/10.15017/64495",
      url: "https://repository.example.org/records/17",
      identifier: [
        {
          "@type": "PropertyValue",
          propertyID: "ARK",
          value: "https://n2t.example.org/ark:/99999/fk4x",
          url: "https://n2t.example.org/ark:/99999/fk4x",
        },
        { "@type": "PropertyValue", propertyID: "DOI", value: "10.15017/64495", url: "https://doi.org/10.15017/64495" },
      ],
      name: "Research on Cyber Infrastructure",
      alternateName: ["情報爆発"],
      description: ["An abstract"],
      author: [
        {
          "@type": "Person",
          "@id": "https://orcid.org/0000-0002-1825-0097",
          name: "Adachi, Jun",
          alternateName: ["安達 淳"],
          affiliation: [{ "@type": "Organization", name: "The University of Tokyo" }],
        },
        {
          "@type": "Person",
          name: "Kitsuregawa, Masaru Jean-Luc",
          familyName: "Kitsuregawa",
          givenName: "Masaru Jean-Luc",
        },
      ],
      publisher: { "@type": "Organization", name: "The Press" },
      datePublished: "2015-10-01",
      dateModified: "2026-01-02T03:04:05Z",
      inLanguage: ["en"],
      keywords: ["data mining", "情報爆発"],
      license: "https://creativecommons.org/licenses/by/4.0/",
      isPartOf: {
        "@type": "PublicationIssue",
        issueNumber: "3",
        isPartOf: {
          "@type": "PublicationVolume",
          volumeNumber: "12",
          isPartOf: { "@type": "Periodical", name: "Journal of Information Studies", issn: ["1880-697X"] },
        },
      },
      pageStart: "34",
      pageEnd: "57",
      encoding: [
        {
          "@type": "MediaObject",
          name: "a.pdf",
          contentUrl: "https://repository.example.org/records/17/files/a.pdf",
          encodingFormat: "application/pdf",
          contentSize: "1024 B",
        },
      ],
      provider: { "@type": "Organization", name: "Example Repository" },
      isAccessibleForFree: true,
    });
  });

  test("R19a a data set tells its distribution, its catalogue and its places", () => {
    const locations = [
      { box: { west: "-140", east: "109", south: "60", north: "75" }, places: [{ value: "Arctic" }], ids: [] },
      { places: [], ids: [] },
    ];
    const described = schemaOrg(cited({ type: { id: "dataset" }, locations, temporals: [{ value: "1970/2005" }] }));
    expect(described).toMatchObject({
      "@type": "Dataset",
      distribution: [{ "@type": "DataDownload" }],
      includedInDataCatalog: { "@type": "DataCatalog", name: "Example Repository" },
      temporalCoverage: ["1970/2005"],
      spatialCoverage: [{ "@type": "Place", name: ["Arctic"], geo: { "@type": "GeoShape", box: "60 -140 75 109" } }],
    });
  });

  test("R19a no metadata can break out of the script element, and none gives a mail address away", () => {
    const evil = schemaOrg(cited({ titles: [{ value: "</script><!--<script>\u2028&", kind: "main" }] }));
    expect(scriptText(evil)).not.toMatch(/[<>&\u2028\u2029]/);
    expect(JSON.parse(scriptText(evil))).toEqual(JSON.parse(JSON.stringify(evil)));
    fc.assert(
      fc.property(anyMetadata, (metadata) => {
        const item = cited(metadata);
        const text = scriptText(schemaOrg(item)) + JSON.stringify(citationTags(item));
        expect(text).not.toContain("hidden@example.org");
        expect(scriptText(schemaOrg(item))).not.toMatch(/[<>&]/);
      }),
      { numRuns: 100 },
    );
  });
});

describe("signposting", () => {
  const describedBy = [
    {
      url: "https://repository.example.org/records/17.xml",
      type: "application/xml",
      profile: "https://github.com/JPCOAR/schema/blob/master/2.0/",
    },
  ];

  test("R19a cite-as, type, license, describedby, author and item, each with its media type", () => {
    expect(linkHeader(signpostingLinks(cited(), describedBy)).split(", ")).toEqual([
      '<https://doi.org/10.15017/64495>; rel="cite-as"',
      '<https://schema.org/AboutPage>; rel="type"',
      '<https://schema.org/ScholarlyArticle>; rel="type"',
      '<https://creativecommons.org/licenses/by/4.0/>; rel="license"',
      '<https://repository.example.org/records/17.xml>; rel="describedby"; type="application/xml"; profile="https://github.com/JPCOAR/schema/blob/master/2.0/"',
      '<https://orcid.org/0000-0002-1825-0097>; rel="author"',
      '<https://repository.example.org/records/17/files/a.pdf>; rel="item"; type="application/pdf"',
    ]);
  });

  test("R19a the header is bounded; files are left out first", () => {
    const files = Array.from({ length: 1000 }, (_, index) => ({
      url: `https://repository.example.org/records/17/files/${index}.csv`,
      name: `${index}.csv`,
      mediaType: "text/csv; charset=utf-8",
      sizeBytes: null,
    }));
    const header = linkHeader(signpostingLinks(cited({}, { files }), describedBy));
    expect(header.length).toBeLessThanOrEqual(MAX_LINK_HEADER);
    expect(header).toContain('rel="author"');
    expect(header).toContain('files/0.csv>; rel="item"; type="text/csv"');
    expect(header).not.toContain("files/999.csv");
  });

  test("R19a whatever the metadata contain, the header is one line of ASCII that names addresses only", () => {
    const evil = 'https://example.org/\r\nSet-Cookie: a=b>; rel="x", <https://evil.example';
    const header = linkHeader(signpostingLinks(cited({ rights: [{ text: [], uri: evil }] }), []));
    expect(header).not.toMatch(/[^\x20-\x7E]/);
    expect(header).not.toContain("<https://evil");
    fc.assert(
      fc.property(anyMetadata, (metadata) => {
        expect(linkHeader(signpostingLinks(cited(metadata), describedBy))).toMatch(
          /^(?:<https?:\/\/[^<>\s"]+>(?:; \w+="[^"]*")+(?:, |$))+$/,
        );
      }),
      { numRuns: 200 },
    );
  });
});
