// The documents of OpenSearch (specification 3, "OpenSearch documents"; R29, R36), whatever items contain: each by the
// schema or the rules of its namespaces.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PREFIXES, SCHEMA_LOCATION } from "../../../src/formats/jpcoar/schema.ts";
import { atomWriter } from "../../../src/formats/opensearch/atom.ts";
import { writeDescription } from "../../../src/formats/opensearch/description.ts";
import { entryOf, type Feed, type FeedItem, type FeedWriter } from "../../../src/formats/opensearch/feed.ts";
import { jpcoarWriter, type RecordItem } from "../../../src/formats/opensearch/jpcoar-feed.ts";
import { jsonHit } from "../../../src/formats/opensearch/json.ts";
import { rssWriter } from "../../../src/formats/opensearch/rss.ts";
import { NAMESPACES } from "../../../src/formats/opensearch/xml.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { publicMetadata } from "../../../src/model/metadata/public-metadata.ts";
import { accessRightsOf } from "../../../src/model/rights/access-rights.ts";
import { textOf, type XmlElement } from "../../../src/shared/xml/element.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { printXml } from "../../../src/shared/xml/print.ts";
import { agentOf } from "../../support/cited-items.ts";
import { anyMetadata } from "../../support/jpcoar-metadata.ts";
import { hasJpcoarData, hasXmllint, schemaErrors } from "../../support/jpcoar-schema.ts";
import { attributeOf, childElements } from "../../support/xml-elements.ts";
import { atomErrors, hasAtomJudge } from "../../support/xml-judges.ts";

const FEED: Feed = {
  address: "https://repo.example.org/api/opensearch/search?q=%E5%8F%A4%E6%96%87%E6%9B%B8&format=atom&page=2",
  page: "https://repo.example.org/search?q=%E5%8F%A4%E6%96%87%E6%9B%B8",
  title: "Arkstone OpenSearch: 古文書 <&>",
  repositoryName: "Repository <&>",
  language: "ja",
  updatedAt: "2026-11-22T10:00:00.123Z",
  total: 41,
  startIndex: 11,
  itemsPerPage: 10,
  correction: null,
  links: [{ rel: "next", href: "https://repo.example.org/api/opensearch/search?page=3" }],
};

const METADATA: Metadata = {
  ...EMPTY_METADATA,
  type: { id: "publication-article", label: "journal article" },
  titles: [
    { value: "古文書の研究", lang: "ja", kind: "main" },
    { value: "Studies of old documents", lang: "en", kind: "translated" },
  ],
  creators: [agentOf({ emails: ["hanako@example.org"], names: [{ family: "山田", given: "花子", lang: "ja" }] })],
  subjects: [{ text: { value: "歴史" }, scheme: "NDLSH" }],
  descriptions: [{ value: "<p>要旨</p>", kind: "Abstract", html: true, lang: "ja" }],
  publishers: [{ names: [{ value: "東京大学" }] }],
  publicationDate: "2020-03",
  containers: [
    {
      ...{ titles: [{ value: "史学雑誌" }], ids: [{ scheme: "PISSN", value: "0018-2478" }], place: "flat" },
      ...{ volume: "12", issue: "3", pageStart: "1", pageEnd: "20" },
    },
  ],
};

const two = (en: string, ja: string) => [
  { value: en, lang: "en" },
  { value: ja, lang: "ja" },
];
const groupAgent = (name: string, more: Partial<Agent> = {}): Agent => ({
  ...{ kind: "organizational", alternatives: [], emails: [] },
  names: [
    { full: name, lang: "en" },
    { full: `${name}の会`, lang: "ja" },
  ],
  ids: [{ scheme: "ROR", value: `ror-${name}` }],
  affiliations: [{ names: two(`Home of ${name}`, `${name}の家`), ids: [] }],
  ...more,
});
/** Two of everything, in two languages. */
const TWICE: Metadata = {
  ...EMPTY_METADATA,
  type: { id: "publication-book", label: "book" },
  titles: [
    { value: "Main", lang: "en", kind: "main" },
    { value: "主", lang: "ja", kind: "translated" },
    ...(["alternative", "subtitle", "other"] as const).map((kind) => ({ value: `A ${kind} title`, kind })),
  ],
  creators: [groupAgent("Red", { role: "Author" }), groupAgent("Blue")],
  contributors: [groupAgent("Green", { role: "Editor" }), groupAgent("Grey", { role: "Other" })],
  accessRights: { label: "embargoed access" },
  rights: [
    { text: [{ value: "Some rights" }], uri: "https://example.org/terms" },
    { id: "cc-by-4.0", text: [] },
  ],
  subjects: [{ text: { value: "one" }, scheme: "NDC" }, { text: { value: "two" } }],
  descriptions: [
    { value: "A note", kind: "Other", html: false, lang: "en" },
    { value: "<p>First abstract</p>", kind: "Abstract", html: true, lang: "en" },
    { value: "抄録", kind: "Abstract", html: false, lang: "ja" },
  ],
  publishers: [{ names: two("First press", "第一社") }, { names: two("Second press", "第二社") }],
  publicationDate: "2020-03",
  dates: [
    { date: "2019-01-01", type: "Accepted" },
    { date: "2020-02-02", type: "Created" },
  ],
  languages: ["eng", "jpn"],
  versionType: { label: "VoR" },
  identifiers: [
    { scheme: "DOI", value: "10.5555/one" },
    { scheme: "URI", value: "", uri: "https://example.org/two" },
  ],
  relations: [
    { type: "isPartOf", ident: { scheme: "ISBN", value: "978-4" }, titles: [{ value: "Whole" }] },
    { type: "references", titles: [{ value: "Source" }] },
  ],
  temporals: [{ value: "Edo" }, { value: "Meiji" }],
  locations: [
    { places: [{ value: "Kyoto" }], ids: [], point: { longitude: "135.7", latitude: "35.0" } },
    { places: [], ids: [], box: { west: "1", east: "2", south: "3", north: "4" } },
  ],
  funding: [
    { funder: { names: [{ value: "JSPS" }], ids: [] }, award: { number: "JP1", titles: [{ value: "Tides" }] } },
    { funder: { names: [{ value: "JST" }], ids: [] } },
  ],
  containers: [
    {
      ...{ titles: two("Journal", "雑誌"), ids: [{ scheme: "NCID", value: "AA1" }], place: "flat" },
      ...{ volume: "1", issue: "2", numPages: "3", pageStart: "4", pageEnd: "5" },
    },
    {
      ...{ titles: [{ value: "Series" }], ids: [{ scheme: "EISSN", value: "1234-5679" }], place: "grouped" },
      ...{ volume: "6", issue: "7", numPages: "8", pageStart: "9", pageEnd: "10" },
    },
  ],
  formats: [{ value: "print" }, { value: "microfilm" }],
  degree: {
    ...{ number: "甲第1号", names: [{ value: "Doctor" }, { value: "博士" }], granted: "2021-01-01" },
    grantors: [
      { names: [{ value: "Kyoto University" }], ids: [] },
      { names: [{ value: "Osaka University" }], ids: [] },
    ],
  },
  conferences: ["First meeting", "Second meeting"].map((value) => ({
    ...{ names: [{ value }], sponsors: [], venues: [], places: [] },
  })),
};

const item = (id: number, metadata: Metadata): FeedItem => ({
  id,
  landingPage: `https://repo.example.org/records/${id}`,
  oaiRecord: `https://repo.example.org/oai?verb=GetRecord&metadataPrefix=jpcoar_2.0&identifier=oai:repo.example.org:${id}`,
  metadata: publicMetadata(metadata),
  files: [{ url: `https://repo.example.org/records/${id}/files/a%20b.pdf`, mediaType: "application/pdf" }],
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-02-03T04:05:06.789Z",
});
const record = (id: number, metadata: Metadata): RecordItem => ({
  ...item(id, metadata),
  ...{ ark: null, accessRights: accessRightsOf("open access"), described: [] },
});

const written = (writer: Omit<FeedWriter, "item">, items: readonly FeedItem[], parts: readonly string[]): string =>
  [
    writer.begin(
      FEED,
      items.map(({ landingPage }) => landingPage),
    ),
    ...parts,
    writer.end(),
  ].join("");
const atom = (items: readonly FeedItem[]) =>
  written(
    atomWriter,
    items,
    items.map((each) => atomWriter.item(each, FEED)),
  );
const rss = (items: readonly FeedItem[]) =>
  written(
    rssWriter,
    items,
    items.map((each) => rssWriter.item(each, FEED)),
  );
const jpcoar = (items: readonly RecordItem[]) =>
  written(
    jpcoarWriter,
    items,
    items.map((each) => jpcoarWriter.item(each)),
  );

/** `prefix:name` of children with their texts. */
const NAMES = new Map(Object.entries(NAMESPACES).map(([prefix, namespace]) => [namespace as string, prefix]));
const named = ({ namespace, name }: XmlElement) => `${NAMES.get(namespace)}:${name}`;
const textsOf = (element: XmlElement) => childElements(element).map((child) => [named(child), textOf(child).trim()]);
const child = (element: XmlElement | undefined, name: string): XmlElement => {
  const found = element === undefined ? undefined : childElements(element).find((each) => named(each) === name);
  if (found === undefined) throw new RangeError(`There is no ${name}`);
  return found;
};

const PRISM = [
  ["prism:aggregationType", "journal"],
  ["prism:publicationName", "史学雑誌"],
  ["prism:issn", "0018-2478"],
  ["prism:volume", "12"],
  ["prism:number", "3"],
  ["prism:startingPage", "1"],
  ["prism:endingPage", "20"],
  ["prism:publicationDate", "2020-03"],
  ["prism:creationDate", "2026-01-02T03:04:05.678Z"],
  ["prism:modificationDate", "2026-02-03T04:05:06.789Z"],
  ["prism:url", "https://repo.example.org/records/7"],
];
const DC = [
  ["dc:publisher", "東京大学"],
  ["dc:subject", "歴史"],
  ["dc:type", "journal article"],
  ["dc:format", "application/pdf"],
  ["dc:identifier", "7"],
  ["dc:identifier", "https://repo.example.org/records/7/files/a%20b.pdf"],
];

describe("entries of several values", () => {
  const FILES = ["a.pdf", "b.csv"].map((name) => ({
    url: `https://repo.example.org/records/9/files/${name}`,
    mediaType: name === "a.pdf" ? "application/pdf" : "text/csv",
  }));
  const twice = (more: Partial<Metadata> = {}): FeedItem => ({ ...item(9, { ...TWICE, ...more }), files: FILES });

  test("S3.4.1 S3.4.2 an entry has every creator, publisher, subject, format and file, in the language of the feed", () => {
    const shown = {
      ...{ title: "Main", description: "First abstract", authors: ["Red", "Blue"] },
      ...{ publishers: ["First press", "Second press"], subjects: ["one", "two"], types: ["book"] },
      formats: ["application/pdf", "text/csv", "print", "microfilm"],
      identifiers: ["9", ...FILES.map(({ url }) => url)],
      published: "2020-03",
    };
    expect(entryOf(twice(), "en")).toMatchObject(shown);
    expect(entryOf(twice(), "ja")).toMatchObject({
      ...{ ...shown, title: "主", description: "抄録", authors: ["Redの会", "Blueの会"] },
      publishers: ["第一社", "第二社"],
    });
    expect(entryOf(twice(), "ja").prism).toEqual([
      ...[["aggregationType", "journal"] as const, ["publicationName", "雑誌"] as const],
      ...[["issn", "1234-5679"] as const, ["volume", "1"] as const, ["number", "2"] as const],
      ...[["startingPage", "4"] as const, ["endingPage", "5"] as const, ["publicationDate", "2020-03"] as const],
      ["creationDate", "2026-01-02T03:04:05.678Z"],
      ["modificationDate", "2026-02-03T04:05:06.789Z"],
      ["url", "https://repo.example.org/records/9"],
    ]);
  });

  test("S3.4.1 S3.4.2 what is not stated: the number for a title, any description, a book or another kind, the last change", () => {
    const [note] = TWICE.descriptions;
    const bare = twice({ titles: [], descriptions: note === undefined ? [] : [note], containers: [] });
    expect(entryOf(bare, "en")).toMatchObject({ title: "9", description: "A note" });
    const kind = (label: string) => entryOf(twice({ containers: [], type: { id: "x", label } }), "en").prism[0];
    expect([kind("book"), kind("map")]).toEqual([
      ["aggregationType", "book"],
      ["aggregationType", "other"],
    ]);
    const undated = { ...EMPTY_METADATA, titles: TWICE.titles };
    const dates = (metadata: Metadata) =>
      textsOf(child(parseXml(rss([item(9, metadata)])), "rss:item")).filter(([name]) => name === "dc:date");
    expect([dates(undated), dates(TWICE)]).toEqual([
      [["dc:date", "2026-02-03T04:05:06.789Z"]],
      [["dc:date", "2020-03"]],
    ]);
  });

  test("S3.4.4 a hit has every value of every member, each in its own", () => {
    const agent = (name: string) => ({
      names: [name, `${name}の会`],
      nameIdentifier: [{ value: `ror-${name}`, nameIdentifierScheme: "ROR" }],
      affiliation: [`Home of ${name}`, `${name}の家`],
    });
    expect(jsonHit(twice()).metadata).toEqual({
      ...{ control_number: "9", title: ["Main", "主"] },
      alternative: ["A alternative title", "A subtitle title", "A other title"],
      creator: [{ ...agent("Red"), creatorType: "Author" }, agent("Blue")],
      contributor: [
        { ...agent("Green"), contributorType: "Editor" },
        { ...agent("Grey"), contributorType: "Other" },
      ],
      ...{ accessRights: ["embargoed access"], rights: ["Some rights", "https://example.org/terms", "cc-by-4.0"] },
      subject: [{ value: "one", subjectScheme: "NDC" }, { value: "two" }],
      description: [
        { value: "A note", descriptionType: "Other" },
        { value: "<p>First abstract</p>", descriptionType: "Abstract" },
        { value: "抄録", descriptionType: "Abstract" },
      ],
      publisher: ["First press", "第一社", "Second press", "第二社"],
      date: [
        { value: "2019-01-01", dateType: "Accepted" },
        { value: "2020-02-02", dateType: "Created" },
      ],
      ...{ language: ["eng", "jpn"], type: ["book"], versionType: ["VoR"] },
      identifier: [
        { value: "10.5555/one", identifierType: "DOI" },
        { value: "https://example.org/two", identifierType: "URI" },
      ],
      relation: [
        {
          ...{ relationType: "isPartOf", relatedTitle: ["Whole"] },
          relatedIdentifier: [{ value: "978-4", identifierType: "ISBN" }],
        },
        { relationType: "references", relatedTitle: ["Source"] },
      ],
      temporal: ["Edo", "Meiji"],
      geoLocation: [
        { geoLocationPlace: ["Kyoto"], geoLocationPoint: { longitude: "135.7", latitude: "35.0" } },
        { geoLocationPlace: [], geoLocationBox: { west: "1", east: "2", south: "3", north: "4" } },
      ],
      fundingReference: [{ funderName: ["JSPS"], awardNumber: "JP1", awardTitle: ["Tides"] }, { funderName: ["JST"] }],
      sourceIdentifier: [
        { value: "AA1", identifierType: "NCID" },
        { value: "1234-5679", identifierType: "EISSN" },
      ],
      sourceTitle: ["Journal", "雑誌", "Series"],
      ...{ volume: ["1", "6"], issue: ["2", "7"], numPages: ["3", "8"], pageStart: ["4", "9"], pageEnd: ["5", "10"] },
      ...{ dissertationNumber: ["甲第1号"], degreeName: ["Doctor", "博士"], dateGranted: ["2021-01-01"] },
      ...{ degreeGrantor: ["Kyoto University", "Osaka University"], conference: ["First meeting", "Second meeting"] },
      file: FILES.map(({ url, mediaType }) => ({ URI: url, mimeType: mediaType })),
    });
  });
});

describe("Atom", () => {
  test("S3.4.1 the feed has id, title, updated, links, generator and the three counters, each entry the properties of an item", () => {
    const root = parseXml(atom([item(7, METADATA)]));
    expect(textsOf(root).filter(([name]) => name !== "atom:link" && name !== "atom:entry")).toEqual([
      ["atom:id", FEED.address],
      ["atom:title", FEED.title],
      ["atom:updated", FEED.updatedAt],
      ["atom:author", FEED.repositoryName],
      ["atom:generator", "Arkstone"],
      ["opensearch:totalResults", "41"],
      ["opensearch:startIndex", "11"],
      ["opensearch:itemsPerPage", "10"],
    ]);
    const entry = child(root, "atom:entry");
    expect(textsOf(entry)).toEqual([
      ["atom:id", item(7, METADATA).oaiRecord],
      ["atom:title", "古文書の研究"],
      ["atom:updated", "2026-02-03T04:05:06.789Z"],
      ["atom:author", "山田 花子"],
      ["atom:content", "要旨"],
      ["atom:link", ""],
      ["atom:link", ""],
      ...DC,
      ...PRISM,
    ]);
    const links = childElements(entry).filter((each) => named(each) === "atom:link");
    expect(links.map((each) => attributeOf(each, "href"))).toEqual([
      "https://repo.example.org/records/7",
      item(7, METADATA).oaiRecord,
    ]);
  });

  test.skipIf(!hasAtomJudge)(
    "S3.4.1 property: whatever items contain, the feed is valid against RFC 4287's schema",
    () => {
      const items = fc.sample(anyMetadata, { numRuns: 150, seed: 4287 }).map((metadata, at) => item(at + 1, metadata));
      expect(atomErrors(atom([item(7, METADATA), ...items]))).toBe("");
      expect(atomErrors(atom([]))).toBe("");
      expect(atomErrors(atom([]).replace("<updated>", "<updated>not "))).not.toBe("");
    },
    60_000,
  );
});

describe("RSS 1.0", () => {
  test("S3.4.2 the channel lists its items in front of them, with the elements of the specification", () => {
    const root = parseXml(rss([item(7, METADATA), item(8, EMPTY_METADATA)]));
    expect([named(root), childElements(root).map(named)]).toEqual(["rdf:RDF", ["rss:channel", "rss:item", "rss:item"]]);
    const channel = child(root, "rss:channel");
    expect(textsOf(channel)).toEqual([
      ["rss:title", FEED.title],
      ["rss:link", FEED.page],
      ["rss:description", FEED.repositoryName],
      ["rss:docs", "http://www.rssboard.org/rss-specification"],
      ["rss:generator", "Arkstone"],
      ["rss:language", "ja"],
      ["rss:items", expect.any(String)],
      ["rss:lastBuildDate", "Sun, 22 Nov 2026 10:00:00 GMT"],
      ["dc:date", FEED.updatedAt],
      ["opensearch:totalResults", "41"],
      ["opensearch:startIndex", "11"],
      ["opensearch:itemsPerPage", "10"],
    ]);
    const listed = childElements(child(child(channel, "rss:items"), "rdf:Seq"));
    const about = childElements(root)
      .slice(1)
      .map((each) => attributeOf(each, "about", NAMESPACES.rdf));
    expect(listed.map((each) => attributeOf(each, "resource", NAMESPACES.rdf))).toEqual(about);
    expect(textsOf(child(root, "rss:item"))).toEqual([
      ["rss:title", "古文書の研究"],
      ["rss:link", "https://repo.example.org/records/7"],
      ["rdfs:seeAlso", ""],
      ["rss:description", "要旨"],
      ["dc:creator", "山田 花子"],
      ["dc:date", "2020-03"],
      ...DC,
      ...PRISM,
    ]);
  });

  test("S3.4.2 property: whatever items contain, the document is well-formed and every item has title, link and its own address", () => {
    fc.assert(
      fc.property(fc.array(anyMetadata, { maxLength: 3 }), (all) => {
        const root = parseXml(rss(all.map((metadata, at) => item(at + 1, metadata))));
        const items = childElements(root).slice(1);
        expect(items).toHaveLength(all.length);
        for (const each of items) expect(textOf(child(each, "rss:title"))).not.toBe("");
      }),
      { numRuns: 100 },
    );
  });
});

describe("JPCOAR", () => {
  const recordsIn = (document: string): string[] =>
    childElements(child(parseXml(document), "none:items")).map((description) => {
      const [one] = childElements(description);
      if (one === undefined) throw new RangeError("A description is empty");
      const attributes = one.attributes.filter(({ namespace }) => namespace !== NAMESPACES.xsi);
      return printXml({ ...one, attributes }, { prefixes: PREFIXES, schemaLocation: SCHEMA_LOCATION });
    });

  test("S3.4.3 a header with the counters, and one description an item about its record page", () => {
    const root = parseXml(jpcoar([record(7, METADATA)]));
    expect(textsOf(child(root, "none:header"))).toEqual([
      ["opensearch:totalResults", "41"],
      ["opensearch:startIndex", "11"],
      ["opensearch:itemsPerPage", "10"],
    ]);
    const description = child(child(root, "none:items"), "rdf:Description");
    expect(attributeOf(description, "about", NAMESPACES.rdf)).toBe("https://repo.example.org/records/7");
    expect(childElements(child(parseXml(jpcoar([])), "none:items"))).toEqual([]);
  });

  test.skipIf(!(hasJpcoarData && hasXmllint))(
    "S3.4.3 R29 property: whatever items contain, each record is valid against the JPCOAR 2.0 schema",
    () => {
      const all = fc.sample(anyMetadata, { numRuns: 60, seed: 2 }).map((metadata, at) => record(at + 1, metadata));
      const records = recordsIn(jpcoar([record(900, METADATA), ...all]));
      expect(records).toHaveLength(61);
      expect(schemaErrors(records)).toBe("");
    },
    60_000,
  );
});

describe("JSON, the description, and addresses of people", () => {
  test("S3.4.4 a hit has id, metadata, links, created and updated, and no member of the repository's own", () => {
    expect(jsonHit(item(7, METADATA))).toMatchObject({
      id: 7,
      created: "2026-01-02T03:04:05.678Z",
      updated: "2026-02-03T04:05:06.789Z",
      metadata: {
        control_number: "7",
        title: ["古文書の研究", "Studies of old documents"],
        subject: [{ value: "歴史", subjectScheme: "NDLSH" }],
        description: [{ value: "<p>要旨</p>", descriptionType: "Abstract" }],
        sourceTitle: ["史学雑誌"],
        volume: ["12"],
      },
    });
    expect(Object.keys(jsonHit(item(7, EMPTY_METADATA)).metadata ?? {})).toEqual(["control_number", "file"]);
  });

  test("S3.4.5 the description document: names, image, and two templates that are escaped once", () => {
    const described = {
      ...{ shortName: "Repo & Co", description: "Finds <all>", image: "https://repo.example.org/static/favicon.ico" },
      search: "https://repo.example.org/api/opensearch/search",
      suggestions: "https://repo.example.org/api/opensearch/suggestions",
    };
    const text = writeDescription({ ...described, page: null });
    expect(text).toContain('template="https://repo.example.org/api/opensearch/search?q={searchTerms}&amp;format=atom"');
    const root = parseXml(text);
    expect([root.namespace, root.name]).toEqual(["http://a9.com/-/spec/opensearch/1.1/", "OpenSearchDescription"]);
    expect(textsOf(root)).toEqual([
      ["opensearch:ShortName", "Repo & Co"],
      ["opensearch:Description", "Finds <all>"],
      ["opensearch:Image", "https://repo.example.org/static/favicon.ico"],
      ["opensearch:Url", ""],
      ["opensearch:Url", ""],
    ]);
    const image = child(root, "opensearch:Image");
    expect(["height", "width", "type"].map((name) => attributeOf(image, name))).toEqual(["16", "16", "image/x-icon"]);
    const templates = childElements(root).slice(3);
    expect(templates.map((each) => [attributeOf(each, "type"), attributeOf(each, "template")])).toEqual([
      ["application/atom+xml", `${described.search}?q={searchTerms}`],
      ["application/atom+xml", `${described.search}?q={searchTerms}&format=atom`],
    ]);
    const forBrowsers = parseXml(writeDescription({ ...described, page: "https://repo.example.org/search" }));
    expect(attributeOf(child(forBrowsers, "opensearch:Url"), "type")).toBe("text/html");
  });

  test("S3.4.6 R2g no document has the address of a person", () => {
    const documents = [atom([item(7, METADATA)]), rss([item(7, METADATA)]), jpcoar([record(7, METADATA)])];
    for (const document of [...documents, JSON.stringify(jsonHit(item(7, METADATA)))])
      expect(document).not.toContain("@example");
  });
});
