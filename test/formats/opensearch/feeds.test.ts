// The documents of OpenSearch (specification 3, "OpenSearch documents"; R29, R36), whatever items say: each by the schema or the rules of its
// namespaces.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PREFIXES, SCHEMA_LOCATION } from "../../../src/formats/jpcoar/schema.ts";
import { atomWriter } from "../../../src/formats/opensearch/atom.ts";
import { writeDescription } from "../../../src/formats/opensearch/description.ts";
import type { Feed, FeedItem, FeedWriter } from "../../../src/formats/opensearch/feed.ts";
import { jpcoarWriter, type RecordItem } from "../../../src/formats/opensearch/jpcoar-feed.ts";
import { jsonHit } from "../../../src/formats/opensearch/json.ts";
import { rssWriter } from "../../../src/formats/opensearch/rss.ts";
import { NAMESPACES } from "../../../src/formats/opensearch/xml.ts";
import { accessRightsOf } from "../../../src/repository/model/access-rights.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/repository/model/metadata.ts";
import { publicMetadata } from "../../../src/repository/model/public-metadata.ts";
import { textOf, type XmlElement } from "../../../src/shared/xml/element.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { printXml } from "../../../src/shared/xml/print.ts";
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
  links: [{ rel: "next", href: "https://repo.example.org/api/opensearch/search?page=3" }],
};

const METADATA: Metadata = {
  ...EMPTY_METADATA,
  type: { id: "publication-article", label: "journal article" },
  titles: [
    { value: "古文書の研究", lang: "ja", kind: "main" },
    { value: "Studies of old documents", lang: "en", kind: "translated" },
  ],
  creators: [
    {
      ...{ kind: "personal", alternatives: [], ids: [], affiliations: [], emails: ["hanako@example.org"] },
      names: [{ family: "山田", given: "花子", lang: "ja" }],
    },
  ],
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
const said = (element: XmlElement) => childElements(element).map((child) => [named(child), textOf(child).trim()]);
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

describe("Atom", () => {
  test("S3.4.1 the feed has id, title, updated, links, generator and the three counters, each entry what it says of an item", () => {
    const root = parseXml(atom([item(7, METADATA)]));
    expect(said(root).filter(([name]) => name !== "atom:link" && name !== "atom:entry")).toEqual([
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
    expect(said(entry)).toEqual([
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
    "S3.4.1 property: whatever items say, the feed is valid against RFC 4287's schema",
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
    expect(said(channel)).toEqual([
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
    expect(said(child(root, "rss:item"))).toEqual([
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

  test("S3.4.2 property: whatever items say, the document is well-formed and every item has title, link and an address of its own", () => {
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
    expect(said(child(root, "none:header"))).toEqual([
      ["opensearch:totalResults", "41"],
      ["opensearch:startIndex", "11"],
      ["opensearch:itemsPerPage", "10"],
    ]);
    const description = child(child(root, "none:items"), "rdf:Description");
    expect(attributeOf(description, "about", NAMESPACES.rdf)).toBe("https://repo.example.org/records/7");
    expect(childElements(child(parseXml(jpcoar([])), "none:items"))).toEqual([]);
  });

  test.skipIf(!(hasJpcoarData && hasXmllint))(
    "S3.4.3 R29 property: whatever items say, each record is valid against the JPCOAR 2.0 schema",
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
    };
    const text = writeDescription({ ...described, page: null });
    expect(text).toContain('template="https://repo.example.org/api/opensearch/search?q={searchTerms}&amp;format=atom"');
    const root = parseXml(text);
    expect([root.namespace, root.name]).toEqual(["http://a9.com/-/spec/opensearch/1.1/", "OpenSearchDescription"]);
    expect(said(root)).toEqual([
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
