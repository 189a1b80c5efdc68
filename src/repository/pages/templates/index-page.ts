// Pages of the index tree: the top level, and one index with its children and items (R24).
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { IndexId } from "../../../shared/ids.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { type SiteView, sitePage } from "./layout.ts";

type Names = { readonly en: string; readonly ja: string };

export type IndexLine = {
  readonly id: IndexId;
  readonly name: Names;
  readonly comment: string;
  /** One level further down, where the index is shown as a table of contents. */
  readonly children: readonly { readonly id: IndexId; readonly name: Names }[];
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
  /** Address of the feed; null where the index shows none. */
  readonly feed: string | null;
};

const nameIn = (name: Names, tag: string): string => (tag === "ja" ? name.ja || name.en : name.en || name.ja);

export function indexPage(view: IndexView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { index } = texts;
  const name = nameIn(view.name, texts.tag);
  const here = `${rootPath}/index/${view.id}`;
  return sitePage(site, {
    title: name,
    noindex: !view.isFirst,
    head: html`${
      view.feed === null
        ? NOTHING
        : html`<link rel="alternate" type="application/atom+xml" title="${index.feed}" href="${view.feed}">\n`
    }<link rel="alternate" type="application/atom+xml" title="${texts.search.feedHere}" href="${rootPath}/api/opensearch/search?iid=${view.id}&amp;format=atom">\n`,
    body: html`<nav aria-label="${index.trail}"><ol class="trail"><li><a href="${rootPath}/index">${index.heading}</a></li>${view.trail.map(
      (each) => html`<li><a href="${rootPath}/index/${each.id}">${nameIn(each.name, texts.tag)}</a></li>`,
    )}</ol></nav>
<h1>${name}</h1>
${view.comment === "" ? NOTHING : html`<p class="abstract">${view.comment}</p>`}
${
  view.children.length === 0
    ? NOTHING
    : html`<h2>${index.children}</h2>
${indexList(view.children, site)}${
  view.hidden.length === 0
    ? NOTHING
    : html`<details><summary>${index.more(view.hidden.length)}</summary>${indexList(view.hidden, site)}</details>`
}`
}
<h2>${index.items}${view.count === null || view.count === 0 ? NOTHING : html` <span class="kind">(${index.count(view.count)})</span>`}</h2>
<form class="find" role="search" aria-label="${texts.search.searchHere}" action="${rootPath}/search"><input type="hidden" name="iid" value="${view.id}"><input type="search" name="q" aria-label="${texts.search.searchHere}" placeholder="${texts.search.searchHere}"><button>${texts.search.go}</button></form>
<p class="links"><a href="${rootPath}/search?iid=${view.id}">${texts.search.narrowHere}</a></p>
${view.items.length === 0 ? html`<p>${index.noItems}</p>` : itemList(view.items, texts, rootPath)}
<p class="links">${view.isFirst ? NOTHING : html`<a href="${here}">${texts.site.newest}</a>`}${
      view.next === null ? NOTHING : html`<a href="${here}?before=${view.next}" rel="next">${texts.site.older}</a>`
    }${view.feed === null ? NOTHING : html`<a href="${view.feed}">${index.feed}</a>`}</p>`,
  });
}

export function indexTopPage(lines: readonly IndexLine[], site: SiteView): string {
  const { index } = site.texts;
  return sitePage(site, {
    title: index.heading,
    body: html`<h1>${index.heading}</h1>
<p>${lines.length === 0 ? index.empty : index.intro}</p>
${lines.length === 0 ? NOTHING : indexList(lines, site)}`,
  });
}

/** Indexes one below the other; those with children show them. */
export function indexList(lines: readonly IndexLine[], { texts, rootPath }: SiteView): Html {
  const link = (id: IndexId, name: Names): Html =>
    html`<a href="${rootPath}/index/${id}">${nameIn(name, texts.tag)}</a>`;
  return html`<ul class="tree">${lines.map(
    ({ id, name, children }) =>
      html`<li>${link(id, name)}${
        children.length === 0
          ? NOTHING
          : html`<ul>${children.map((child) => html`<li>${link(child.id, child.name)}</li>`)}</ul>`
      }</li>\n`,
  )}</ul>`;
}
