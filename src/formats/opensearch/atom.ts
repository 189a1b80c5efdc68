// Search results as an Atom feed (RFC 4287; specification 3, "OpenSearch documents", Atom). Made in pieces: a feed of
// many items is never whole in memory.
import { entryOf, type Feed, type FeedItem, type FeedWriter, GENERATOR } from "./feed.ts";
import { counters, each, element, opened, prefixes, printed, words } from "./xml.ts";

const PREFIXES = prefixes(["atom", "dc", "opensearch", "prism"], "atom");

const link = (rel: string, href: string, type: string) => element("atom:link", { rel, type, href }, []);

function head(feed: Feed) {
  return [
    words("atom:id", feed.address),
    words("atom:title", feed.title),
    words("atom:updated", feed.updatedAt),
    link("self", feed.address, "application/atom+xml"),
    link("alternate", feed.page, "text/html"),
    ...feed.links.map(({ rel, href }) => link(rel, href, "application/atom+xml")),
    element("atom:author", {}, [words("atom:name", feed.repositoryName)]),
    words("atom:generator", GENERATOR),
    ...counters(feed),
  ];
}

function entry(item: FeedItem, language: string) {
  const fields = entryOf(item, language);
  return element("atom:entry", {}, [
    words("atom:id", item.oaiRecord),
    words("atom:title", fields.title),
    words("atom:updated", item.updatedAt),
    ...fields.authors.map((name) => element("atom:author", {}, [words("atom:name", name)])),
    element("atom:content", { type: "text" }, [fields.description]),
    link("alternate", item.landingPage, "text/html"),
    link("alternate", item.oaiRecord, "application/xml"),
    ...each("dc:publisher", fields.publishers),
    ...each("dc:subject", fields.subjects),
    ...each("dc:type", fields.types),
    ...each("dc:format", fields.formats),
    ...each("dc:identifier", fields.identifiers),
    ...fields.prism.map(([name, value]) => words(`prism:${name}`, value)),
  ]);
}

export const atomWriter: FeedWriter = {
  mediaType: "application/atom+xml; charset=utf-8",
  begin: (feed) => opened(element("atom:feed", { "xml:lang": feed.language }, head(feed)), PREFIXES),
  item: (item, { language }) => printed(entry(item, language), PREFIXES),
  end: () => "</feed>\n",
};
