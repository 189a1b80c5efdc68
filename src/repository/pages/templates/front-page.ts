// The repository's front page (R32, Q.1 to Q.4): search, what this is, what is here in figures, what was added lately and
// is used most, where to look; in an empty repository, what to do next.
import { button, linkButton } from "../../../pages/components/buttons.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { attributes, type Html, html, NOTHING } from "../../../pages/html.ts";
import type { FrontFigures } from "../front.ts";
import { FRONT_STEPS, type FrontStep } from "../front-steps.ts";
import { type IndexLine, indexList } from "./index-page.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { type SiteView, searchInput, sitePage, titleIn } from "./layout.ts";

export type FrontView = {
  /** The repository's description; empty for our sentence. */
  readonly abstract: string;
  /** Below the mount prefix. */
  readonly picture: { readonly path: string; readonly alt: string } | null;
  readonly figures: FrontFigures | null;
  readonly recent: readonly ItemLine[];
  readonly mostUsed: readonly ItemLine[];
  readonly indexes: readonly IndexLine[];
  readonly hasMoreIndexes: boolean;
  readonly communities: readonly {
    readonly title: { readonly en: string; readonly ja: string };
    readonly href: string;
    readonly items: number;
  }[];
  /** Of an empty repository. */
  readonly steps: readonly FrontStep[];
};

export function repositoryFrontPage(view: FrontView, site: SiteView): string {
  const { texts, rootPath, repositoryName } = site;
  const { front, search } = texts;
  const newest = `${rootPath}/search?sort=-controlnumber`;
  return sitePage(site, {
    title: repositoryName,
    searched: true,
    head: html`<link rel="alternate" type="application/atom+xml" title="${search.feedOfAll}" href="${rootPath}/api/opensearch/search?format=atom">\n`,
    body: html`${pageHeading(repositoryName)}${
      view.picture === null
        ? NOTHING
        : html`<img class="front" src="${rootPath}${view.picture.path}" alt="${view.picture.alt}">\n`
    }<p>${view.abstract === "" ? front.about : view.abstract}</p>
<form class="search front" role="search" aria-label="${search.box}" action="${rootPath}/search"><div class="line">${searchInput(site, search.box, { placeholder: search.box })}${button({ label: search.go })}</div></form>
${view.figures === null || view.figures.items === 0 ? NOTHING : figures(view.figures, site)}${nextSteps(view.steps, site)}
${sectionHeading(front.recent)}${
  view.recent.length === 0
    ? html`<p>${front.empty}</p>`
    : html`${itemList(view.recent, texts, rootPath)}<p class="links"><a href="${newest}">${front.allItems}</a></p>`
}
${view.mostUsed.length === 0 ? NOTHING : html`${sectionHeading(front.mostUsed)}${itemList(view.mostUsed, texts, rootPath)}`}
${
  view.indexes.length === 0
    ? NOTHING
    : html`${sectionHeading(front.indexes)}${indexList(view.indexes, site)}${
        view.hasMoreIndexes ? html`<p class="links"><a href="${rootPath}/index">${front.allIndexes}</a></p>` : NOTHING
      }`
}
${communities(view.communities, site)}${browse(site)}`,
  });
}

function figures(
  { items, openItems, people, hasMorePeople, communities, at }: FrontFigures,
  { texts }: SiteView,
): Html {
  const { front, locale } = texts;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" }).format(new Date(at));
  const one = (label: string, count: number, more = ""): Html =>
    html`<div><dt>${label}</dt><dd>${front.number(count)}${more}</dd></div>\n`;
  return html`${sectionHeading(front.figures)}<dl class="figures">
${[
  one(front.items, items),
  one(front.openItems, openItems),
  ...(people === 0 ? [] : [one(front.people, people, hasMorePeople ? "+" : "")]),
  ...(communities === 0 ? [] : [one(front.communityCount, communities)]),
]}</dl>
<p class="hint">${front.counted} <time datetime="${at}">${time} UTC</time></p>
`;
}

function nextSteps(steps: readonly FrontStep[], { texts: { front }, rootPath }: SiteView): Html {
  if (steps.length === 0) return NOTHING;
  const lines = steps.map((step) => {
    const { href, command } = FRONT_STEPS[step];
    const [label = "", text = ""] = front.steps[step];
    const name = href === null ? html`<strong>${label}</strong>` : linkButton(label, `${rootPath}${href}`, "small");
    return html`<li>${name} ${text}${command === null ? NOTHING : html` <code>${command}</code>`}</li>\n`;
  });
  return html`${sectionHeading(front.next)}<ol class="bare steps">${lines}</ol>\n`;
}

function communities(listed: FrontView["communities"], { texts }: SiteView): Html {
  if (listed.length === 0) return NOTHING;
  const lines = listed.map(({ title, href, items }) => {
    const name = titleIn(title, texts.tag);
    const lang = attributes({ lang: name === title.en || texts.tag === "ja" ? null : "ja" });
    return html`<li><a href="${href}"${lang}>${name}</a> <span class="kind">(${texts.front.count(items)})</span></li>\n`;
  });
  return html`${sectionHeading(texts.front.communities)}<ul class="tree">${lines}</ul>`;
}

/** The other ways to what is here. */
function browse({ texts, rootPath }: SiteView): Html {
  const { filed, figures: words, front: own } = texts;
  const links: readonly (readonly [href: string, label: string])[] = [
    ["/persons", filed.people.heading],
    ["/subjects", filed.kinds.subjects],
    ["/funders", filed.kinds.funders],
    ["/licences", filed.kinds.licences],
    ["/statistics", words.heading],
  ];
  return html`${sectionHeading(own.browse)}<p class="links">${links.map(([href, label]) => html`<a href="${rootPath}${href}">${label}</a>`)}</p>`;
}
