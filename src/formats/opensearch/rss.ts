// Search results as RSS 1.0 (specification 3, "OpenSearch documents", RSS): RDF, with a list of the items in front of
// them.
import { entryOf, type Feed, type FeedItem, type FeedWriter, GENERATOR } from "./feed.ts";
import { counters, each, element, opened, prefixes, printed, words } from "./xml.ts";

const PREFIXES = prefixes(["rdf", "rss", "rdfs", "dc", "opensearch", "prism"], "rss");
const DOCS = "http://www.rssboard.org/rss-specification";

function channel(feed: Feed, pages: readonly string[]) {
  const items = pages.map((page) => element("rdf:li", { "rdf:resource": page }, []));
  return element("rss:channel", { "rdf:about": feed.address }, [
    words("rss:title", feed.title),
    words("rss:link", feed.page),
    words("rss:description", feed.repositoryName),
    words("rss:docs", DOCS),
    words("rss:generator", GENERATOR),
    words("rss:language", feed.language),
    element("rss:items", {}, [element("rdf:Seq", {}, items)]),
    words("rss:lastBuildDate", new Date(feed.updatedAt).toUTCString()),
    words("dc:date", feed.updatedAt),
    ...counters(feed),
  ]);
}

function item(one: FeedItem, language: string) {
  const fields = entryOf(one, language);
  return element("rss:item", { "rdf:about": one.landingPage }, [
    words("rss:title", fields.title),
    words("rss:link", one.landingPage),
    element("rdfs:seeAlso", { "rdf:resource": one.oaiRecord }, []),
    words("rss:description", fields.description),
    ...each("dc:creator", fields.authors),
    words("dc:date", fields.published ?? one.updatedAt),
    ...each("dc:publisher", fields.publishers),
    ...each("dc:subject", fields.subjects),
    ...each("dc:type", fields.types),
    ...each("dc:format", fields.formats),
    ...each("dc:identifier", fields.identifiers),
    ...fields.prism.map(([name, value]) => words(`prism:${name}`, value)),
  ]);
}

export const rssWriter: FeedWriter = {
  mediaType: "application/rss+xml; charset=utf-8",
  begin: (feed, pages) => opened(element("rdf:RDF", { "xml:lang": feed.language }, [channel(feed, pages)]), PREFIXES),
  item: (one, { language }) => printed(item(one, language), PREFIXES),
  end: () => "</rdf:RDF>\n",
};
