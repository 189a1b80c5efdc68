// OpenSearch over HTTP (specification 3, "OpenSearch"; R1, R2d, R2g, R10, R29, R36).
import { beforeAll, describe, expect, test } from "bun:test";
import { PREFIXES, SCHEMA_LOCATION } from "../../src/formats/jpcoar/schema.ts";
import { NAMESPACES } from "../../src/formats/opensearch/xml.ts";
import type { ItemContent } from "../../src/model/items/item.ts";
import type { Agent, Metadata } from "../../src/model/metadata/metadata.ts";
import { textOf, type XmlElement } from "../../src/shared/xml/element.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { printXml } from "../../src/shared/xml/print.ts";
import { eventually } from "../support/eventually.ts";
import { hasJpcoarData, hasXmllint, schemaErrors } from "../support/jpcoar-schema.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { type Answer, BASE_URL, INDEXES, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";
import { attributeOf, childElements } from "../support/xml-elements.ts";
import { atomErrors, hasAtomJudge } from "../support/xml-judges.ts";

const SEARCH = "/api/opensearch/search";
const ids: number[] = [];
let hidden = 0;

const person: Agent = {
  ...{ kind: "personal", alternatives: [], ids: [], affiliations: [], emails: ["hanako@example.org"] },
  names: [{ family: "山田", given: "花子", lang: "ja" }],
};
const metadata = (title: string): Metadata => ({
  ...titled(title),
  creators: [person],
  descriptions: [{ value: `About ${title}`, kind: "Abstract", html: false }],
});

async function published(fields: Partial<ItemContent>) {
  const viewer = await world.viewer("registered");
  const settings = { feedbackMail: ["feedback@example.org"], requestMail: ["request@example.org"] };
  return (await world.items.createAndPublish(viewer, { content: aContent({ settings, ...fields }) })).item;
}

const world = setUpWorld({ repository: true });
beforeAll(async () => {
  for (let number = 1; number <= 23; number += 1) {
    const files = number === 23 ? [aFile("a b.pdf", { mediaType: "application/pdf" })] : [];
    ids.push((await published({ metadata: metadata(`Fossil ${number}`), files, indexes: [INDEXES.below] })).id);
  }
  hidden = (await published({ metadata: metadata("Fossil hidden"), indexes: [INDEXES.hidden] })).id;
});

const ask = (query: string, who: Who = null): Promise<Answer> => world.ask(who, "GET", `${SEARCH}?${query}`);
const prefixOf = new Map(Object.entries(NAMESPACES).map(([prefix, namespace]) => [namespace as string, prefix]));
const named = (element: XmlElement) => `${prefixOf.get(element.namespace)}:${element.name}`;
const all = (element: XmlElement, name: string) => childElements(element).filter((child) => named(child) === name);
const texts = (element: XmlElement, name: string) => all(element, name).map(textOf);
const first = (element: XmlElement, name: string): XmlElement => {
  const [found] = all(element, name);
  if (found === undefined) throw new RangeError(`There is no ${name}`);
  return found;
};
const counters = (element: XmlElement) =>
  ["totalResults", "startIndex", "itemsPerPage"].map((name) => Number(texts(element, `opensearch:${name}`)[0]));

describe("formats", () => {
  test("S3.4.1 format=atom is a valid Atom feed of the hits, its id the address that was asked", async () => {
    const answer = await ask("q=fossil&format=atom&size=5");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    const root = parseXml(answer.text);
    expect(texts(root, "atom:id")).toEqual([`${BASE_URL}${SEARCH}?q=fossil&format=atom&size=5`]);
    expect(texts(root, "atom:title")).toEqual(["Arkstone OpenSearch: fossil"]);
    const entries = all(root, "atom:entry");
    expect(entries.map((entry) => texts(entry, "dc:identifier")[0])).toEqual(ids.toReversed().slice(0, 5).map(String));
    const [newest] = entries;
    expect(newest === undefined ? [] : texts(newest, "dc:identifier")).toEqual([
      String(ids.at(-1)),
      `${BASE_URL}/records/${ids.at(-1)}/files/a%20b.pdf`,
    ]);
    if (hasAtomJudge) expect(atomErrors(answer.text)).toBe("");
  });

  test("S3.4.1 S3.4.8 the title has the words of every parameter, the moment is that of the last change, each format and language its own", async () => {
    const start = world.time.now;
    world.time.now = new Date(Date.parse(start) + 3_600_000).toISOString();
    const later = world.time.now;
    const titles: Metadata["titles"] = [
      { value: "Amber", lang: "en", kind: "main" },
      { value: "琥珀", lang: "ja", kind: "translated" },
    ];
    const files = [aFile("a.pdf"), aFile("b.pdf")];
    const amber = await published({ metadata: { ...metadata(""), titles }, files, indexes: [INDEXES.below] });
    world.time.now = start;
    const closed = { ...aContent().access, files: "restricted" as const };
    const locked = { metadata: metadata("Amber locked"), files: [aFile("secret.pdf")], access: closed };
    const other = await published({ ...locked, indexes: [INDEXES.below] });
    const asked = (format: string, language: string) =>
      world.ask(null, "GET", `${SEARCH}?q=amber&keyword=amber&title=amber&format=${format}`, {
        headers: { "accept-language": language },
      });
    for (let round = 0; round < 2; round += 1) {
      const root = parseXml((await asked("atom", "en")).text);
      expect(texts(root, "atom:title")).toEqual(["Arkstone OpenSearch: amber amber amber"]);
      expect(texts(root, "atom:updated")).toEqual([later]);
      expect(all(root, "atom:entry").flatMap((entry) => texts(entry, "atom:title"))).toEqual(["Amber locked", "Amber"]);
      const japanese = parseXml((await asked("atom", "ja")).text);
      expect(all(japanese, "atom:entry").flatMap((entry) => texts(entry, "atom:title"))[1]).toBe("琥珀");
      expect((await asked("rss", "en")).text).toContain("<dc:date>");
      const jpcoar = (await asked("jpcoar", "en")).text;
      expect(jpcoar).toContain("open access");
      expect(jpcoar).toContain("restricted access");
      expect(jpcoar).toContain(`ark:${amber.ark}`);
      expect([jpcoar.includes("b.pdf"), jpcoar.includes("secret.pdf")]).toEqual([true, false]);
    }
    for (const { id } of [amber, other]) await world.items.remove(await world.viewer("registered"), id);
  });

  test("S3.4.3 S3.4.4 an item is open the day its embargo has ended, and keeps when it was made", async () => {
    const start = world.time.now;
    const tomorrow = new Date(Date.parse(start) + 86_400_000).toISOString();
    const access = { ...aContent().access, files: "restricted" as const, embargoUntil: tomorrow.slice(0, 10) };
    const content = { metadata: metadata("Jet"), files: [aFile("jet.pdf")], access, indexes: [INDEXES.below] };
    const made = await published(content);
    const rights = async () =>
      /(?:open|embargoed|restricted) access/.exec((await ask("q=jet&format=jpcoar")).text)?.[0];
    expect(await rights()).toBe("embargoed access");
    world.time.now = tomorrow;
    expect(await rights()).toBe("open access");
    const viewer = await world.viewer("registered");
    await world.items.revise(viewer, made.id, { content: aContent({ ...content, metadata: metadata("Jet black") }) });
    const { hits } = (await ask("q=jet")).json.hits as { hits: readonly { created: string; updated: string }[] };
    expect(hits.map(({ created, updated }) => [created, updated])).toEqual([[start, tomorrow]]);
    world.time.now = start;
    await world.items.remove(viewer, made.id);
  });

  test("S3.4.2 format=rss is RSS 1.0 with the same items", async () => {
    const answer = await ask("q=fossil&format=rss&size=3&page=2");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/rss+xml; charset=utf-8"]);
    const root = parseXml(answer.text);
    const pages = ids
      .toReversed()
      .slice(3, 6)
      .map((id) => `${BASE_URL}/records/${id}`);
    expect(all(root, "rss:item").map((item) => attributeOf(item, "about", NAMESPACES.rdf))).toEqual(pages);
    const listed = first(first(first(root, "rss:channel"), "rss:items"), "rdf:Seq");
    expect(childElements(listed).map((item) => attributeOf(item, "resource", NAMESPACES.rdf))).toEqual(pages);
    expect(counters(first(root, "rss:channel"))).toEqual([23, 4, 3]);
  });

  test("S3.4.3 format=jpcoar has a header, and a JPCOAR record an item", async () => {
    const answer = await ask("q=fossil&format=jpcoar&size=2");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    const root = parseXml(answer.text);
    expect(counters(first(root, "none:header"))).toEqual([23, 1, 2]);
    const described = all(first(root, "none:items"), "rdf:Description");
    const newest = ids.toReversed().slice(0, 2);
    const addresses = newest.map((id) => `${BASE_URL}/records/${id}`);
    expect(described.map((one) => attributeOf(one, "about", NAMESPACES.rdf))).toEqual(addresses);
    expect(described.map((one) => childElements(one).map(({ name }) => name))).toEqual([["jpcoar"], ["jpcoar"]]);
    if (!hasJpcoarData || !hasXmllint) return;
    const records = described.flatMap(childElements).map((record) => {
      const attributes = record.attributes.filter(({ namespace }) => namespace !== NAMESPACES.xsi);
      return printXml({ ...record, attributes }, { prefixes: PREFIXES, schemaLocation: SCHEMA_LOCATION });
    });
    expect(schemaErrors(records)).toBe("");
  });

  test("S3.4.4 absent or any other format is JSON: hits, links, aggregations; prettyprint indents", async () => {
    for (const query of ["q=fossil&size=2", "q=fossil&size=2&format=json", "q=fossil&size=2&format=pdf"]) {
      const { status, headers, json } = await ask(query);
      expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(json).toMatchObject({
        hits: { total: 23, hits: [{ id: ids[22], metadata: { title: ["Fossil 23"] } }, { id: ids[21] }] },
        links: { self: `${BASE_URL}${SEARCH}?${query}` },
        aggregations: { Subject: { buckets: [] } },
      });
    }
    const [plain, pretty] = [await ask("q=fossil&size=1"), await ask("q=fossil&size=1&prettyprint=1")];
    const self = (text: string) => text.replaceAll("&prettyprint=1", "").replaceAll(/&page=1(?=")/g, "");
    expect(self(pretty.text).split("\n").length).toBeGreaterThan(10);
    expect(JSON.parse(pretty.text).hits).toEqual(JSON.parse(plain.text).hits);
    expect(pretty.text).toBe(JSON.stringify(JSON.parse(pretty.text), null, 4));
    const either = await ask("q=fossil&size=1&pretty=true");
    expect(either.text).toBe(JSON.stringify(JSON.parse(either.text), null, 4));
  });
});

describe("paging", () => {
  test("S3.4.8 R10 the counters are right on every page, ten entries by default, and the links lead around", async () => {
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const root = parseXml((await ask(`q=fossil&format=atom&page=${page}`)).text);
      expect([page, counters(root)]).toEqual([page, [23, (page - 1) * 10 + 1, 10]]);
      seen.push(...all(root, "atom:entry").flatMap((entry) => texts(entry, "dc:identifier")[0] ?? []));
    }
    expect(seen).toEqual(ids.toReversed().map(String));
    const links = all(parseXml((await ask("q=fossil&format=atom&page=2")).text), "atom:link");
    const href = (rel: string) =>
      links.map((link) => (attributeOf(link, "rel") === rel ? attributeOf(link, "href") : undefined)).find(Boolean);
    expect(href("next")).toBe(`${BASE_URL}${SEARCH}?q=fossil&format=atom&page=3&size=10`);
    expect(href("previous")).toBe(`${BASE_URL}${SEARCH}?q=fossil&format=atom&page=1&size=10`);
    expect(href("last")).toBe(`${BASE_URL}${SEARCH}?q=fossil&format=atom&page=3&size=10`);
    expect(href("alternate")).toBe(`${BASE_URL}/search?q=fossil`);
    const rels = async (query: string) => Object.keys((await ask(query)).json.links as object);
    expect(await rels("q=fossil")).toEqual(["self", "first", "next", "last"]);
    expect(await rels("q=fossil&page=2")).toEqual(["self", "first", "previous", "next", "last"]);
    expect(await rels("q=fossil&page=3")).toEqual(["self", "first", "previous", "last"]);
    expect(await rels("q=nothinglikethis")).toEqual(["self"]);
    const { headers } = await ask("q=fossil&page=3");
    expect(headers.get("link")).not.toContain('rel="next"');
  });

  test("S3.4.8 R10 a window that is too large is 400, as JSON; page_no and list_view_num are read too", async () => {
    const { status, json } = await ask("q=fossil&format=atom&page=1001");
    expect([status, json.code]).toEqual([400, 400]);
    expect(counters(parseXml((await ask("q=fossil&format=atom&page_no=3&list_view_num=5")).text))).toEqual([23, 11, 5]);
    const both = "page_no=3&page=2&list_view_num=5&size=4";
    expect(counters(parseXml((await ask(`q=fossil&format=atom&${both}`)).text))).toEqual([23, 5, 4]);
  });
});

describe("parameters", () => {
  const total = async (query: string, who: Who = null) => JSON.parse((await ask(query, who)).text).hits.total;

  test("R2h by an index that the caller may not see nothing is found, whatever else is in it", async () => {
    await published({ metadata: metadata("Basalt in two places"), indexes: [INDEXES.open, INDEXES.hidden] });
    for (const name of ["iid", "Iid", "index_id"]) {
      expect([name, await total(`q=basalt&${name}=${INDEXES.open}`)]).toEqual([name, 1]);
      expect([name, await total(`q=basalt&${name}=${INDEXES.hidden}`)]).toEqual([name, 0]);
      expect([name, await total(`q=basalt&${name}=${INDEXES.hidden}`, "admin")]).toEqual([name, 1]);
    }
  });

  test("S3.4.7 title, des, keyword, wid, Iid, iid and those of the detailed search", async () => {
    expect(await total("title=fossil+7")).toBe(1);
    expect(await total("des=about+7")).toBe(1);
    expect(await total("keyword=fossil&title=7")).toBe(1);
    expect(await total(`wid=${ids[3]}`)).toBe(1);
    expect(await total(`Iid=${INDEXES.community}&q=fossil`)).toBe(23);
    expect(await total(`iid=${INDEXES.open}&q=fossil`)).toBe(0);
    expect(await total(`index_id=${INDEXES.open}&q=fossil`)).toBe(0);
    expect(await total(`index_id=${INDEXES.below}&q=fossil`)).toBe(23);
    expect(await total("q=fossil&Subject=nothing")).toBe(0);
    const sorted = (await ask("title=fossil+7+OR+fossil+8+OR+fossil+9&sort=wtl")).json.hits as {
      hits: { id: number }[];
    };
    expect(sorted.hits.map(({ id }) => id)).toEqual([ids[6], ids[7], ids[8]] as never);
    expect(await total("creator=%E5%B1%B1%E7%94%B0&title=7+OR+8")).toBe(2);
    expect(await total("q=fossil&type=0")).toBe(0);
    expect(await total("q=fossil+7+OR+fossil+8")).toBe(2);
  });

  test("S3.4.9 R2d R6d guests may ask, a token without item:read finds what they find, with it what its account may read", async () => {
    expect(await total("q=fossil")).toBe(23);
    const read = await world.token("registered", ["item:read"], null);
    expect(await total("q=fossil", read)).toBe(24);
    for (const scope of ["item:create", "index:read", "file:read", "mcp:curate"]) {
      const narrow = await world.token("registered", [scope], null);
      expect([scope, await total("q=fossil", narrow)]).toEqual([scope, 23]);
    }
    expect(await total(`wid=${hidden}`, "other")).toBe(0);
    const unknown = await ask("q=fossil&format=atom", { token: "svc_nobody" });
    expect([unknown.status, unknown.json.code]).toEqual([401, 401]);
  });

  test("S3.4.6 R2g no format has an address of a person, not even for whose item it is", async () => {
    for (const format of ["atom", "rss", "jpcoar", "json"]) {
      for (const who of [null, "registered", "system"] as const) {
        const { status, text } = await ask(`q=fossil&size=30&format=${format}`, who);
        expect([format, status, /[\w.]+@example\.org/.exec(text)]).toEqual([format, 200, null]);
      }
    }
  });

  test("R36 a record keeps its identifier over its versions", async () => {
    const viewer = await world.viewer("registered");
    const item = await published({ metadata: metadata("Trilobite"), indexes: [INDEXES.below] });
    const { item: next } = await world.items.newVersion(viewer, item.id, {
      content: aContent({ metadata: metadata("Trilobite again"), indexes: [INDEXES.below] }),
    });
    const [entry] = all(parseXml((await ask("q=trilobite&format=atom")).text), "atom:entry");
    expect(entry === undefined ? [] : [texts(entry, "dc:identifier")[0], texts(entry, "atom:id")[0]]).toEqual([
      String(next.id),
      expect.stringContaining(`identifier=oai:repo.example.org:${String(item.id).padStart(8, "0")}`),
    ]);
  });
});

test("S3.4.4 a facet that is switched off is not counted", async () => {
  const set = (active: boolean) =>
    world.ask("system", "PUT", "/api/v1/admin/facets/3", { body: JSON.stringify({ active }) });
  const counted = async () => Object.keys((await ask("q=fossil")).json.aggregations as object);
  expect(await counted()).toContain("Language");
  expect((await set(false)).status).toBe(200);
  await eventually("the facet is left out", async () => !(await counted()).includes("Language"));
  expect(await counted()).toContain("Subject");
  expect((await set(true)).status).toBe(200);
  await eventually("the facet is back", async () => (await counted()).includes("Language"));
});

describe("the description document", () => {
  test("S3.4.5 names the service and its two templates; the icon it names is there", async () => {
    const answer = await world.ask(null, "GET", "/api/opensearch/description.xml");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    const root = parseXml(answer.text);
    expect(texts(root, "opensearch:ShortName")).toEqual(["Arkstone"]);
    expect(all(root, "opensearch:Url").map((url) => attributeOf(url, "template"))).toEqual([
      `${BASE_URL}${SEARCH}?q={searchTerms}`,
      `${BASE_URL}${SEARCH}?q={searchTerms}&format=atom`,
    ]);
    const image = texts(root, "opensearch:Image")[0] ?? "";
    expect(image).toBe(`${BASE_URL}/static/favicon.ico`);
    const icon = await world.ask(null, "GET", new URL(image).pathname);
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
  });

  test("S3.4.5 short name, description and image are settings", async () => {
    const other = world.under({
      SVC_OPENSEARCH_SHORT_NAME: "Kura",
      SVC_OPENSEARCH_DESCRIPTION: "Finds old things",
      SVC_OPENSEARCH_IMAGE: "https://cdn.example.org/kura.ico",
    });
    const root = parseXml((await other.ask(null, "GET", "/api/opensearch/description.xml")).text);
    expect(["ShortName", "Description", "Image"].flatMap((name) => texts(root, `opensearch:${name}`))).toEqual([
      ...["Kura", "Finds old things", "https://cdn.example.org/kura.ico"],
    ]);
    const feed = parseXml((await other.ask(null, "GET", `${SEARCH}?q=fossil&format=atom&size=1`)).text);
    expect(texts(feed, "atom:title")).toEqual(["Kura OpenSearch: fossil"]);
  });

  test.each([
    ["SVC_OPENSEARCH_SHORT_NAME", "seventeen letters"],
    ["SVC_OPENSEARCH_DESCRIPTION", "a".repeat(1_025)],
    ["SVC_OPENSEARCH_DESCRIPTION", "two\nlines"],
  ])("S3.4.5 %s may not be what the standard does not allow: %j", (name, value) => {
    expect(() => world.under({ [name]: value })).toThrow(name);
  });

  test("S3.4.5 browsers are led from every page to a separate document, and by it to the search page", async () => {
    const { text } = await world.ask(null, "GET", "/", { headers: { accept: "text/html" } });
    const href = /<link rel="search" type="application\/opensearchdescription\+xml"[^>]* href="([^"]+)"/.exec(
      text,
    )?.[1];
    const answer = await world.ask(null, "GET", href ?? "");
    const expected = [200, "application/opensearchdescription+xml; charset=utf-8"];
    expect([answer.status, answer.headers.get("content-type")]).toEqual(expected);
    const [url] = all(parseXml(answer.text), "opensearch:Url");
    expect(url === undefined ? "" : attributeOf(url, "type")).toBe("text/html");
    const template = url === undefined ? "" : (attributeOf(url, "template") ?? "");
    const page = new URL(template.replace("{searchTerms}", encodeURIComponent("fossil 7")));
    const found = await world.ask(null, "GET", page.pathname + page.search, { headers: { accept: "text/html" } });
    expect([page.origin, found.status, found.text.includes("7</mark>")]).toEqual([BASE_URL, 200, true]);
  });
});
