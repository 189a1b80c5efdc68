// An automated FAIR assessment of landing pages (R19a, Q.203): the metrics of F-UJI (version 0.8) that need no network,
// over ten kinds of items, as a program sees them that has only the address of the page.
import { beforeAll, expect, test } from "bun:test";
import type { Item } from "../../src/model/items/item.ts";
import type { Metadata } from "../../src/model/metadata/metadata.ts";
import { textOf, type XmlElement } from "../../src/shared/xml/element.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";
import { childElements } from "../support/xml-elements.ts";

const person = (family: string, given: string) => ({
  kind: "personal" as const,
  names: [{ family, given, lang: "en" }],
  alternatives: [],
  ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }],
  emails: [],
  affiliations: [{ names: [{ value: "Institute of Tides", lang: "en" }], ids: [] }],
});

/** What a careful depositor states. */
const STATED: Partial<Metadata> = {
  creators: [person("Ito", "Hana"), person("Sato", "Ken")],
  contributors: [{ ...person("Abe", "Rei"), role: "DataCollector" }],
  descriptions: [{ value: "What was measured, where and how.", kind: "Abstract", lang: "en", html: false }],
  subjects: [{ text: { value: "tides", lang: "en" } }, { text: { value: "sea level", lang: "en" } }],
  rights: [{ id: "cc-by-4.0", text: [{ value: "CC BY 4.0" }], uri: "https://creativecommons.org/licenses/by/4.0/" }],
  publicationDate: "2026-02-03",
  languages: ["eng"],
  relations: [
    {
      type: "isDerivedFrom",
      ident: { scheme: "DOI", value: "10.5555/source", uri: "https://doi.org/10.5555/source" },
      titles: [],
    },
  ],
};

type Kind = { readonly type: Metadata["type"]; readonly file: readonly [name: string, mediaType: string] | null };
const KINDS: Readonly<Record<string, Kind>> = {
  dataset: { type: { id: "dataset", label: "dataset" }, file: ["levels.csv", "text/csv"] },
  article: { type: { id: "publication-article", label: "journal article" }, file: ["article.pdf", "application/pdf"] },
  book: { type: { id: "publication-book", label: "book" }, file: ["book.epub", "application/epub+zip"] },
  thesis: { type: { id: "publication-thesis", label: "thesis" }, file: ["thesis.pdf", "application/pdf"] },
  software: { type: { id: "software", label: "software" }, file: ["tides.zip", "application/zip"] },
  image: { type: { id: "image-photo", label: "still image" }, file: ["harbour.png", "image/png"] },
  video: { type: { id: "video", label: "video" }, file: ["waves.webm", "video/webm"] },
  conference: {
    type: { id: "publication-conferencepaper", label: "conference paper" },
    file: ["paper.pdf", "application/pdf"],
  },
  report: { type: { id: "publication-report", label: "report" }, file: ["report.txt", "text/plain"] },
  map: { type: { id: "other", label: "map" }, file: null },
};

const world = setUpWorld({ pages: true });
const items = new Map<string, Item>();
beforeAll(async () => {
  for (const [kind, { type, file }] of Object.entries(KINDS)) {
    const files = file === null ? [] : [await world.file(file[0], `bytes of ${kind}`, { mediaType: file[1] })];
    items.set(kind, await world.publish({ metadata: titled(`Tides as ${kind}`, { ...STATED, type }), files }));
  }
});

const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  world.visitor("").get(path.replace("http://repository.test", ""), headers);

type Found = {
  readonly page: string;
  readonly links: readonly { readonly href: string; readonly rel: string; readonly type: string | null }[];
  readonly tags: ReadonlyMap<string, readonly string[]>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly datacite: XmlElement;
  readonly dcat: string;
};

/** Everything that the page says to programs, and the documents that it names. */
async function found(item: Item): Promise<Found> {
  const { text: page, headers } = await ask(`/records/${item.id}`, { accept: "text/html" });
  const links = (headers.get("link") ?? "").split(/, (?=<)/).map((link) => ({
    href: /^<([^>]+)>/.exec(link)?.[1] ?? "",
    rel: /rel="([^"]+)"/.exec(link)?.[1] ?? "",
    type: /type="([^"]+)"/.exec(link)?.[1] ?? null,
  }));
  const tags = new Map<string, string[]>();
  for (const [, name = "", content = ""] of page.matchAll(/<meta name="([^"]+)" content="([^"]*)">/g)) {
    tags.set(name, [...(tags.get(name) ?? []), content]);
  }
  const json = /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "{}";
  const described = (type: string): string =>
    links.find((link) => link.rel === "describedby" && link.type === type)?.href ?? "/missing";
  return {
    page,
    links,
    tags,
    data: JSON.parse(json) as Found["data"],
    datacite: parseXml((await ask(described("application/vnd.datacite.datacite+xml"))).text),
    dcat: (await ask(described("application/dcat+xml"))).text,
  };
}

const below = (element: XmlElement): readonly XmlElement[] =>
  childElements(element).flatMap((child) => [child, ...below(child)]);
const named = (root: XmlElement, name: string): readonly XmlElement[] =>
  below(root).filter((element) => element.name === name && textOf(element).trim() !== "");
const attributes = (elements: readonly XmlElement[], name: string): readonly string[] =>
  elements.flatMap((element) => element.attributes.filter((each) => each.name === name).map(({ value }) => value));

type Described = { readonly contentUrl?: string; readonly encodingFormat?: string; readonly contentSize?: string };
const contents = ({ data }: Found): readonly Described[] =>
  [data.distribution ?? data.encoding ?? []].flat() as readonly Described[];
const is = (value: unknown): boolean => value !== undefined && value !== null && value !== "";
const linksTo = ({ links }: Found, rel: string): readonly string[] =>
  links.filter((link) => link.rel === rel).map(({ href }) => href);
const ADDRESS = /^https?:\/\/\S+$/;

/** Metrics about the item; `file`: those about its bytes, which an item without files cannot reach. */
const METRICS: Readonly<Record<string, { readonly file?: true; readonly holds: (page: Found) => boolean }>> = {
  "FsF-F1-01MD-1 identifier of the metadata is globally unique": {
    holds: (page) => linksTo(page, "cite-as").every((address) => ADDRESS.test(address)),
  },
  "FsF-F1-01MD-2 identifiers of the data are globally unique": {
    file: true,
    holds: (page) => contents(page).every(({ contentUrl = "" }) => ADDRESS.test(contentUrl)),
  },
  "FsF-F1-02MD-1 identifier of the metadata is persistent": {
    holds: (page) => linksTo(page, "cite-as").some((address) => /\/ark:\d{5,}\/\w+$/.test(address)),
  },
  "FsF-F2-01M-2 core elements of a citation": {
    holds: ({ data, datacite }) =>
      is(data.author) &&
      is(data.name) &&
      is(data.identifier) &&
      is(data.datePublished) &&
      is(data["@type"]) &&
      named(datacite, "publisher").length === 1,
  },
  "FsF-F2-01M-3 core elements of a description": {
    holds: ({ data }) => is(data.description) && is(data.keywords),
  },
  "FsF-F3-01M-2 metadata name where the data is": {
    file: true,
    holds: (page) => contents(page).length > 0 && linksTo(page, "item").length === contents(page).length,
  },
  "FsF-F4-01M-1 search engines can read it": {
    holds: ({ data, tags }) => data["@context"] === "https://schema.org" && tags.has("citation_title"),
  },
  "FsF-A1-01M-1 access level in a controlled term": {
    holds: ({ datacite }) =>
      attributes(named(datacite, "rights"), "rightsURI").some((uri) =>
        uri.startsWith("http://purl.org/coar/access_right/"),
      ),
  },
  "FsF-A1.1-01MD, FsF-A1.2-01MD addresses use a standard protocol that supports authentication": {
    holds: (page) =>
      [...linksTo(page, "cite-as"), ...contents(page).map(({ contentUrl = "" }) => contentUrl)].every((address) =>
        ADDRESS.test(address),
      ),
  },
  "FsF-I1-01M-1 structured metadata in the page": { holds: ({ data }) => is(data["@id"]) },
  "FsF-I2-01M-2 terms of registered vocabularies by their namespaces": {
    holds: ({ datacite, dcat }) =>
      attributes(named(datacite, "rights"), "schemeURI").includes("https://spdx.org/licenses/") &&
      dcat.includes("http://publications.europa.eu/resource/authority/"),
  },
  "FsF-I3-01M-2 related things by identifier, with their relation": {
    holds: ({ datacite }) =>
      attributes(named(datacite, "relatedIdentifier"), "relationType").some((type) => type === "IsDerivedFrom"),
  },
  "FsF-R1-01M-1 type of the resource": {
    holds: (page) =>
      is(page.data["@type"]) &&
      linksTo(page, "type").length === 2 &&
      attributes(named(page.datacite, "resourceType"), "resourceTypeGeneral").length === 1,
  },
  "FsF-R1-01M-2 size and type of the files": {
    file: true,
    holds: (page) =>
      contents(page).every(({ contentSize, encodingFormat }) => is(contentSize) && is(encodingFormat)) &&
      page.links.filter(({ rel }) => rel === "item").every(({ type }) => type !== null),
  },
  "FsF-R1.1-01M-1 licence": {
    holds: (page) =>
      page.data.license === "https://creativecommons.org/licenses/by/4.0/" && linksTo(page, "license").length === 1,
  },
  "FsF-R1.2-01M-1 provenance: when, by whom, which version": {
    holds: ({ data }) => is(data.author) && is(data.contributor) && is(data.dateCreated) && is(data.dateModified),
  },
  "FsF-R1.2-01M-2 provenance in the words of PROV": {
    holds: ({ dcat }) => dcat.includes("<prov:wasDerivedFrom") && dcat.includes("<prov:qualifiedAttribution"),
  },
  "FsF-R1.3-01M-3 a standard for metadata that communities endorse": {
    holds: ({ datacite, dcat }) =>
      datacite.namespace === "http://datacite.org/schema/kernel-4" && dcat.includes("http://www.w3.org/ns/dcat#"),
  },
};

test("Q.203 pages of ten kinds of items reach every metric that a repository can reach", async () => {
  const missed: string[] = [];
  for (const [kind, item] of items) {
    const page = await found(item);
    for (const [metric, { file, holds }] of Object.entries(METRICS)) {
      if (file === true && KINDS[kind]?.file === null) continue;
      if (!holds(page)) missed.push(`${kind}: ${metric}`);
    }
  }
  expect([items.size, missed]).toEqual([10, []]);
});

test("Q.203 FsF-A1-02MD, FsF-I1-01M-2 metadata and files are there by their addresses, as RDF by negotiation", async () => {
  for (const item of items.values()) {
    const page = await found(item);
    for (const { contentUrl = "", encodingFormat = "" } of contents(page)) {
      const { status, headers } = await ask(contentUrl);
      expect([status, headers.get("content-type")?.split(";")[0]]).toEqual([200, encodingFormat]);
    }
    for (const type of ["application/ld+json", "application/dcat+xml"]) {
      const answer = await ask(`/records/${item.id}`, { accept: type });
      expect([answer.status, answer.headers.get("content-type")?.split(";")[0]]).toEqual([200, type]);
    }
    for (const { href, rel, type } of page.links.filter(({ rel }) => rel === "linkset" || rel === "describedby")) {
      const answer = await ask(href);
      expect([rel, href, answer.status, answer.headers.get("link")]).toEqual([
        rel,
        href,
        200,
        expect.stringContaining('rel="describes"'),
      ]);
      expect(type).not.toBeNull();
    }
  }
});

test("Q.203 FsF-A2-01M what is left of a deleted item is at its address: that it was, why it went, how to cite it", async () => {
  const item = await world.publish({ metadata: titled("Tides that were withdrawn", STATED) });
  await world.items.remove(world.admin, item.id, { reason: "retracted", note: "Measured with a broken gauge" });
  const gone = await ask(`/records/${item.id}`, { accept: "text/html" });
  expect(gone.status).toBe(410);
  expect(gone.text).toContain("Measured with a broken gauge");
  expect(gone.text).toContain("Tides that were withdrawn");
});
