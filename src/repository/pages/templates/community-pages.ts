// Pages of communities for readers (R37, R40): the list, and one community with its works and what it states about
// itself.
import { button, buttonRow, linkButton } from "../../../pages/components/buttons.ts";
import { hiddenField, selectField, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, pagination, tabs } from "../../../pages/components/lists.ts";
import { badge, banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, jsonBlock, linked, NOTHING, raw } from "../../../pages/html.ts";
import { cleanHtml } from "../../../shared/html/html-clean.ts";
import { figuresLink } from "./figure-pages.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { type SiteView, sitePage } from "./layout.ts";

/** What all pages of a community show of it. */
export type CommunityHead = {
  readonly slug: string;
  readonly title: string;
  readonly type: string;
  readonly isRestricted: boolean;
  /** The address of its picture; null: it has none. */
  readonly logo: string | null;
  /** The pages that the reader may open besides. */
  readonly tabs: readonly CommunityTab[];
};
export type CommunityTab = "overview" | "members" | "requests" | "settings";

export type CommunityLine = Omit<CommunityHead, "tabs"> & {
  readonly description: string;
  readonly works: number;
};

export type CommunityListView = {
  readonly words: string;
  readonly type: string;
  readonly sort: string;
  /** Only those of the reader. */
  readonly isOwn: boolean;
  readonly types: readonly { readonly value: string; readonly label: string }[];
  readonly communities: readonly CommunityLine[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly pageAt: (page: number) => string;
  /** The reader may make one. */
  readonly mayMake: boolean;
  readonly done: "deleted" | "left" | null;
};

const LIST = "/communities";

export function communityListPage(view: CommunityListView, site: SiteView): string {
  const { texts, rootPath, person } = site;
  const words = texts.community;
  const sorts = Object.entries(words.sorts).map(([value, label]) => ({ value, label }));
  const lists = [
    { label: words.all, href: rootPath + LIST, isHere: !view.isOwn },
    { label: words.mine, href: `${rootPath}${LIST}?mine=1`, isHere: view.isOwn },
  ];
  return sitePage(site, {
    title: words.heading,
    noindex: view.words !== "" || view.type !== "" || view.isOwn || view.page > 1,
    body: html`${view.done === null ? NOTHING : banner("good", words.done[view.done], { role: "status" })}${pageHeading(words.heading)}<p>${words.intro}</p>
${view.mayMake ? buttonRow([linkButton(words.make, `${rootPath}/community/new`, "quiet")]) : NOTHING}${person === null ? NOTHING : tabs(words.heading, lists)}
<form role="search" aria-label="${words.search}" action="${rootPath}${LIST}">${view.isOwn ? hiddenField("mine", "1") : NOTHING}
${textField({ id: "q", label: words.search, value: view.words, type: "search", control: { maxlength: 1_000 } }, texts)}<div class="ordering">${selectField({ id: "type", label: words.type, value: view.type, choices: view.types, blank: words.anyType }, texts)}${selectField({ id: "sort", label: words.sort, value: view.sort, choices: sorts }, texts)}${button({ label: words.show, kind: "quiet" })}</div></form>
<p class="total" role="status">${words.found(view.total)}</p>
${view.communities.length === 0 ? state({ kind: "empty", text: view.words === "" && view.type === "" ? words.none : words.noneFound }) : communityList(view.communities, site)}${pagination(view, view.pageAt, texts)}`,
  });
}

/** Communities one below the other, each with its picture and how many works it has. */
function communityList(lines: readonly CommunityLine[], { texts, rootPath }: SiteView): Html {
  const words = texts.community;
  const items = lines.map((each) => {
    const facts = [words.works(each.works), ...(each.type === "" ? [] : [each.type])].join(" · ");
    return html`<li class="with-logo">${logoOf(each.logo)}<div><a class="what" href="${rootPath}${LIST}/${each.slug}">${each.title}</a>${each.isRestricted ? html` ${badge(words.restricted, "warn")}` : NOTHING}${each.description === "" ? NOTHING : html`<p class="snippet">${each.description}</p>`}<p>${facts}</p></div></li>\n`;
  });
  return html`<ul class="items">${items}</ul>`;
}

/** The title is next to it. */
const logoOf = (address: string | null): Html =>
  address === null ? NOTHING : html`<img class="logo" src="${address}" alt="" loading="lazy">`;

/** The head of every page of a community: picture, title, and its other pages. */
export function communityHead(head: CommunityHead, here: CommunityTab, site: SiteView): Html {
  const { texts, rootPath } = site;
  const words = texts.community;
  const at = `${rootPath}${LIST}/${head.slug}`;
  const links = head.tabs.map((tab) => ({
    ...{ label: words[tab], href: tab === "overview" ? at : `${at}/${tab}`, isHere: tab === here },
  }));
  const before = [
    ...(head.type === "" ? [] : [badge(head.type)]),
    ...(head.isRestricted ? [badge(words.restricted, "warn")] : []),
  ];
  const title = pageHeading(head.title, { before });
  return html`<div class="with-logo">${logoOf(head.logo)}<div>${title}</div></div>
${links.length < 2 ? NOTHING : tabs(words.parts, links)}`;
}

export type CommunityView = CommunityHead & {
  /** Its public address. */
  readonly address: string;
  readonly id: string;
  readonly description: string;
  readonly website: string;
  readonly organizations: readonly { readonly name: string; readonly href: string | null }[];
  /** HTML. */
  readonly about: string;
  /** HTML. */
  readonly policy: string;
  /** Who want to be seen; null: the reader does not see them. */
  readonly members: readonly string[] | null;
  readonly hasMoreMembers: boolean;
  readonly mayDeposit: boolean;
  readonly mayJoin: boolean;
  readonly words: string;
  readonly subject: string;
  readonly items: readonly ItemLine[];
  readonly total: number;
  /** The parameter of the search page; null: it has none. */
  readonly facet: string | null;
  readonly subjects: readonly { readonly label: string; readonly count: number; readonly href: string }[];
  readonly page: number;
  readonly pages: number;
  readonly pageAt: (page: number) => string;
  /** schema.org. */
  readonly data: unknown;
  readonly done: keyof SiteView["texts"]["community"]["done"] | null;
};

export function communityPage(view: CommunityView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.community;
  const at = `${rootPath}${LIST}/${view.slug}`;
  const isWhole = view.words === "" && view.subject === "" && view.page === 1;
  const feed = `${at}/feed`;
  const actions = [
    ...(view.mayDeposit
      ? [linkButton(texts.place.depositHere, `${rootPath}/deposit?community=${encodeURIComponent(view.slug)}`)]
      : []),
    ...(view.mayJoin ? [linkButton(words.join, `${at}/join`, "quiet")] : []),
  ];
  return sitePage(site, {
    title: view.title,
    noindex: view.isRestricted || !isWhole,
    head: html`${view.isRestricted ? NOTHING : html`<link rel="canonical" href="${view.address}">\n`}<link rel="alternate" type="application/atom+xml" title="${words.feed}" href="${feed}">
${view.isRestricted || !isWhole ? NOTHING : jsonBlock(view.data)}`,
    body: html`${view.done === null ? NOTHING : banner("good", words.done[view.done], { role: "status" })}${communityHead(view, "overview", site)}${view.description === "" ? NOTHING : html`<p class="abstract">${view.description}</p>`}${actions.length === 0 ? NOTHING : buttonRow(actions)}${facts(view, site)}
${works(view, site)}${prose(words.about, "about", view.about)}${prose(words.policy, "policy", view.policy)}${membersPart(view, site)}`,
  });
}

function facts({ website, organizations }: CommunityView, { texts: { community, site } }: SiteView): Html {
  const names = organizations.map(
    ({ name, href }, at) =>
      html`${at === 0 ? "" : site.between}${href === null ? html`${name}` : html`<a href="${href}" rel="nofollow noopener">${name}</a>`}`,
  );
  const rows = [
    ...(website === "" ? [] : [factRow(community.website, linked(website))]),
    ...(names.length === 0 ? [] : [factRow(community.organizations, html`${names}`)]),
  ];
  return rows.length === 0 ? NOTHING : factList(rows);
}

/** HTML as it is stored, cleaned once more: what is shown never depends on who wrote it when. */
const prose = (heading: string, id: string, text: string): Html =>
  text === "" ? NOTHING : html`${sectionHeading(heading, { id })}<div class="prose">${raw(cleanHtml(text))}</div>\n`;

function works(view: CommunityView, site: SiteView): Html {
  const { texts, rootPath } = site;
  const words = texts.community;
  const at = `${rootPath}${LIST}/${view.slug}`;
  const isNarrowed = view.words !== "" || view.subject !== "";
  const within = {
    ...(view.facet === null ? {} : { [view.facet]: view.id }),
    ...(view.words === "" ? {} : { q: view.words }),
  };
  const field = {
    ...({ id: "q", label: words.searchWithin, isLabelHidden: true, value: view.words, type: "search" } as const),
    control: { maxlength: 1_000, placeholder: words.searchWithin },
  };
  const none = state({ kind: "empty", text: isNarrowed ? words.noneMatch : words.noWorks });
  return html`${sectionHeading(words.worksHeading, { id: "works", count: view.total === 0 ? "" : words.works(view.total) })}<form class="search" role="search" aria-label="${words.searchWithin}" action="${at}">${view.subject === "" ? NOTHING : hiddenField("subject", view.subject)}<div class="line">${textField(field, texts)}${button({ label: texts.search.go })}</div></form>
${view.subject === "" ? NOTHING : html`<p>${words.onSubject(view.subject)}</p>`}${view.items.length === 0 ? none : itemList(view.items, texts, rootPath)}${pagination(view, view.pageAt, texts)}
<p class="links">${isNarrowed ? html`<a href="${at}">${words.allWorks}</a>` : NOTHING}${view.facet === null ? NOTHING : html`<a href="${rootPath}/search?${`${new URLSearchParams(within)}`}">${words.narrow}</a>`}<a href="${at}/feed">${words.feed}</a>${figuresLink(`${at}/statistics`, site)}</p>
${
  view.subjects.length === 0
    ? NOTHING
    : html`<details><summary>${words.subjects}</summary><ul>${view.subjects.map(
        ({ label, count, href }) => html`<li><a href="${href}">${label}</a> <span class="kind">(${count})</span></li>`,
      )}</ul></details>`
}`;
}

function membersPart({ members, hasMoreMembers, slug }: CommunityView, { texts, rootPath }: SiteView): Html {
  if (members === null || members.length === 0) return NOTHING;
  const words = texts.community;
  const more = html`<p class="links"><a href="${rootPath}${LIST}/${slug}/members">${words.allMembers}</a></p>`;
  return html`${sectionHeading(words.members, { id: "members" })}<ul>${members.map((name) => html`<li>${name}</li>`)}</ul>${hasMoreMembers ? more : NOTHING}`;
}
