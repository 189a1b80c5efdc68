// The repository's front page: what this is, what was added lately, where to look (R32).
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { html, NOTHING } from "../../../pages/html.ts";
import { type IndexLine, indexList } from "./index-page.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { type SiteView, sitePage } from "./layout.ts";

type FrontView = {
  /** The repository's description; empty for our sentence. */
  readonly abstract: string;
  readonly recent: readonly ItemLine[];
  readonly indexes: readonly IndexLine[];
};

export function repositoryFrontPage(view: FrontView, site: SiteView): string {
  const { texts, rootPath, repositoryName } = site;
  const { front } = texts;
  return sitePage(site, {
    title: repositoryName,
    head: html`<link rel="alternate" type="application/atom+xml" title="${texts.search.feedOfAll}" href="${rootPath}/api/opensearch/search?format=atom">\n`,
    body: html`${pageHeading(repositoryName)}<p>${view.abstract === "" ? front.about : view.abstract}</p>
${sectionHeading(front.recent)}${view.recent.length === 0 ? html`<p>${front.empty}</p>` : itemList(view.recent, texts, rootPath)}
${view.indexes.length === 0 ? NOTHING : html`${sectionHeading(front.indexes)}${indexList(view.indexes, site)}`}`,
  });
}
