// Site maps and feeds for machines that come by themselves (R19a, R24; sitemaps.org, RFC 4287). Texts are escaped;
// nothing restricted is handed in.
import type { Instant } from "../../shared/time/instant.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Characters XML 1.0 cannot hold are left out. */
function escaped(text: string): string {
  const sayable = text.toWellFormed().replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
  return sayable.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITE_MAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

type SiteMapEntry = { readonly url: string; readonly changedAt: Instant };

/** Piece by piece, as the entries come. */
export async function* siteMap(pages: AsyncIterable<readonly SiteMapEntry[]>): AsyncGenerator<string, void, undefined> {
  yield `${HEAD}<urlset ${SITE_MAP}>\n`;
  for await (const page of pages) {
    yield page
      .map(({ url, changedAt }) => `<url><loc>${escaped(url)}</loc><lastmod>${changedAt}</lastmod></url>\n`)
      .join("");
  }
  yield "</urlset>\n";
}

/** The list of the site maps. */
export function siteMapIndex(urls: readonly string[]): string {
  return `${HEAD}<sitemapindex ${SITE_MAP}>\n${urls.map((url) => `<sitemap><loc>${escaped(url)}</loc></sitemap>\n`).join("")}</sitemapindex>\n`;
}

type FeedEntry = {
  readonly url: string;
  readonly id: string;
  readonly title: string;
  readonly updatedAt: Instant;
  readonly publishedAt: Instant | null;
  readonly people: readonly string[];
  readonly summary: string;
};

type Feed = {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly updatedAt: Instant;
  readonly entries: readonly FeedEntry[];
};

/** An Atom feed of one of our pages. */
export function atomFeed({ url, page, title, updatedAt, entries }: Feed): string {
  const lines = entries.map(
    (entry) => `<entry>
<id>${escaped(entry.id)}</id>
<title>${escaped(entry.title)}</title>
<link href="${escaped(entry.url)}"/>
<updated>${entry.updatedAt}</updated>
${entry.publishedAt === null ? "" : `<published>${entry.publishedAt}</published>\n`}${entry.people
  .map((name) => `<author><name>${escaped(name)}</name></author>\n`)
  .join("")}${entry.summary === "" ? "" : `<summary>${escaped(entry.summary)}</summary>\n`}</entry>
`,
  );
  return `${HEAD}<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escaped(url)}</id>
<title>${escaped(title)}</title>
<author><name>${escaped(title)}</name></author>
<link rel="self" href="${escaped(url)}"/>
<link href="${escaped(page)}"/>
<updated>${updatedAt}</updated>
${lines.join("")}</feed>
`;
}
