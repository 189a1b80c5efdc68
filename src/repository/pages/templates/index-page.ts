// Pages of the index tree: the top level, and one index with its children and items (R24).

import { buttonRow, linkButton } from "../../../pages/components/buttons.ts";
import { hiddenField } from "../../../pages/components/fields.ts";
import { trail } from "../../../pages/components/lists.ts";
import { state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { IndexId } from "../../../shared/ids.ts";
import { figuresLink } from "./figure-pages.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { type SiteView, searchInput, sitePage } from "./layout.ts";

type Names = { readonly en: string; readonly ja: string };

export type IndexLine = {
  readonly id: IndexId;
  readonly name: Names;
  readonly comment: string;
  /** One level further down, where the index is shown as a table of contents. */
  readonly children: readonly { readonly id: IndexId; readonly name: Names }[];
  /** Items in it and below, where they were counted. */
  readonly count?: number;
};

type IndexView = {
  readonly id: IndexId;
  readonly name: Names;
  readonly comment: string;
  /** From the top down to the parent. */
  readonly trail: readonly { readonly id: IndexId; readonly name: Names }[];
  readonly children: readonly IndexLine[];
  /** Children that are not shown at first (`more_check`, `display_no`). */
  readonly hidden: readonly IndexLine[];
  readonly items: readonly ItemLine[];
  readonly count: number | null;
  /** The key of the next page; null on the last one. */
  readonly next: number | null;
  readonly isFirst: boolean;
  /** Where the reader may deposit. */
  readonly isForDeposits: boolean;
  readonly communities: readonly { readonly slug: string; readonly title: Names }[];
  /** Address of the feed; null where the index shows none. */
  readonly feed: string | null;
};

const nameIn = (name: Names, tag: string): string => (tag === "ja" ? name.ja || name.en : name.en || name.ja);

export function indexPage(view: IndexView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { index } = texts;
  const name = nameIn(view.name, texts.tag);
  const here = `${rootPath}/index/${view.id}`;
  const above = [
    { label: index.heading, href: `${rootPath}/index` },
    ...view.trail.map((each) => ({ label: nameIn(each.name, texts.tag), href: `${rootPath}/index/${each.id}` })),
  ];
  return sitePage(site, {
    title: name,
    noindex: !view.isFirst,
    head: html`${
      view.feed === null
        ? NOTHING
        : html`<link rel="alternate" type="application/atom+xml" title="${index.feed}" href="${view.feed}">\n`
    }<link rel="alternate" type="application/atom+xml" title="${texts.search.feedHere}" href="${rootPath}/api/opensearch/search?iid=${view.id}&amp;format=atom">\n`,
    body: html`${trail(above, texts)}${pageHeading(name)}${view.comment === "" ? NOTHING : html`<p class="abstract">${view.comment}</p>`}${depositLinks(view, site)}
${
  view.children.length === 0
    ? NOTHING
    : html`${sectionHeading(index.children)}${indexList(view.children, site)}${
        view.hidden.length === 0
          ? NOTHING
          : html`<details><summary>${index.more(view.hidden.length)}</summary>${indexList(view.hidden, site)}</details>`
      }`
}
${sectionHeading(index.items, { count: view.count === null || view.count === 0 ? "" : index.count(view.count) })}<form class="find" role="search" aria-label="${texts.search.searchHere}" action="${rootPath}/search">${hiddenField("iid", `${view.id}`)}${searchInput(site, texts.search.searchHere, { placeholder: texts.search.searchHere })}<button>${texts.search.go}</button></form>
<p class="links"><a href="${rootPath}/search?iid=${view.id}">${texts.search.narrowHere}</a>${figuresLink(`${here}/statistics`, site)}</p>
${view.items.length === 0 ? state({ kind: "empty", text: index.noItems }) : itemList(view.items, texts, rootPath)}
<p class="links">${view.isFirst ? NOTHING : html`<a href="${here}">${texts.site.newest}</a>`}${
      view.next === null ? NOTHING : html`<a href="${here}?before=${view.next}" rel="next">${texts.site.older}</a>`
    }${view.feed === null ? NOTHING : html`<a href="${view.feed}">${index.feed}</a>`}</p>`,
  });
}

/** "Deposit here", with the place filled in. */
function depositLinks({ id, isForDeposits, communities }: IndexView, { texts, rootPath }: SiteView): Html {
  const words = texts.place;
  const links = [
    ...(isForDeposits ? [linkButton(words.depositHere, `${rootPath}/deposit?index=${id}`, "quiet")] : []),
    ...communities.map(({ slug, title }) => {
      const address = `${rootPath}/deposit?community=${encodeURIComponent(slug)}`;
      return linkButton(words.depositInto(nameIn(title, texts.tag)), address, "quiet");
    }),
  ];
  return links.length === 0 ? NOTHING : buttonRow(links);
}

export function indexTopPage(lines: readonly IndexLine[], site: SiteView): string {
  const { index } = site.texts;
  return sitePage(site, {
    title: index.heading,
    body: html`${pageHeading(index.heading)}<p>${lines.length === 0 ? index.empty : index.intro}</p>
${lines.length === 0 ? NOTHING : indexList(lines, site)}`,
  });
}

/** Indexes one below the other; those with children show them. */
export function indexList(lines: readonly IndexLine[], { texts, rootPath }: SiteView): Html {
  const link = (id: IndexId, name: Names): Html =>
    html`<a href="${rootPath}/index/${id}">${nameIn(name, texts.tag)}</a>`;
  return html`<ul class="tree">${lines.map(
    ({ id, name, children, count }) =>
      html`<li>${link(id, name)}${count === undefined ? NOTHING : html` <span class="kind">(${texts.front.count(count)})</span>`}${
        children.length === 0
          ? NOTHING
          : html`<ul>${children.map((child) => html`<li>${link(child.id, child.name)}</li>`)}</ul>`
      }</li>\n`,
  )}</ul>`;
}
