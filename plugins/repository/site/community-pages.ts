// Pages of communities for readers (R37, R40): the list, one community with its works, and their feed.

import { Type } from "@sinclair/typebox";
import { guestWithout, type Viewer } from "../../../src/auth/account.ts";
import type { CommunityFacts } from "../../../src/model/rights/community-rights.ts";
import { mayReviewFor, roleIn } from "../../../src/model/rights/community-rights.ts";
import { may } from "../../../src/model/rights/policy.ts";
import { COMMUNITY_QUERY, type Communities } from "../../../src/repository/communities/communities.ts";
import type { CommunityJson } from "../../../src/repository/communities/community-json.ts";
import { MEMBER_QUERY, type Members } from "../../../src/repository/communities/members.ts";
import type { CommunityShowing } from "../../../src/repository/pages/communities.ts";
import { atomFeed } from "../../../src/repository/pages/site-map.ts";
import {
  type CommunityHead,
  type CommunityLine,
  communityListPage,
  communityPage,
} from "../../../src/repository/pages/templates/community-pages.ts";
import { titleIn } from "../../../src/repository/pages/templates/layout.ts";
import { isLinkable } from "../../../src/shared/http/web-url.ts";
import { pathParameter, queryParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { logoVersion } from "../communities/logo-response.ts";
import { htmlAnswer, openPage, type PageNeeds, pageNumber, type Reader } from "./answers.ts";
import { entryOf, feedText, type MachinePagesNeeds } from "./machine-pages.ts";
import { FORBIDDEN, GONE, html, mountPages, NOT_FOUND, PAGE } from "./page-routes.ts";
import { itemLine } from "./views.ts";

export type CommunityPagesNeeds = PageNeeds &
  MachinePagesNeeds & {
    readonly communities: Communities;
    readonly members: Members;
    readonly communityWorks: CommunityShowing;
    /** The pictures of these, by id. */
    readonly logosOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, { readonly sha256: string }>>;
    /** Without slash at the end. */
    readonly baseUrl: string;
  };

export const COMMUNITY = pathParameter("community", "UUID or slug of the community");
const ONE = "/communities/:community";
const PAGE_SIZE = 20;
/** Members on the page of a community. */
const MEMBERS_SHOWN = 20;

const { get } = routesOf<CommunityPagesNeeds>();

const ROUTES = [
  get("/communities", {
    id: "communityListPage",
    summary: "Communities that the reader may see, with how many works each has",
    parameters: [
      queryParameter("q", "Words", { type: "string" }),
      queryParameter("type", "Entry of the vocabulary communitytypes", { type: "string" }),
      queryParameter("sort", "Order", { type: "string" }),
      queryParameter("mine", "1: only those of the reader", { type: "string" }),
      queryParameter("page", "Page of the list, from 1", { type: "integer" }),
    ],
    answers: { ...PAGE, 400: html("The list is invalid") },
    run: list,
  }),
  get(ONE, {
    id: "communityPage",
    summary: "A community: what it is, its works, its visible members",
    parameters: [
      COMMUNITY,
      queryParameter("q", "Words of its works", { type: "string" }),
      queryParameter("subject", "A subject of its works", { type: "string" }),
      queryParameter("page", "Page of the works, from 1", { type: "integer" }),
    ],
    answers: { ...PAGE, ...NOT_FOUND, ...GONE, 400: html("The search is invalid") },
    run: (needs, request, { community }) => one(needs, request, community),
  }),
  get(`${ONE}/feed`, {
    id: "communityFeed",
    summary: "Atom feed of the newest works of a community",
    parameters: [COMMUNITY],
    answers: {
      200: response("The feed", Type.String(), {}, "application/atom+xml"),
      ...FORBIDDEN,
      ...NOT_FOUND,
      ...GONE,
    },
    run: (needs, request, { community }) => feed(needs, request, community),
  }),
];

export const communityPages = (needs: CommunityPagesNeeds) => mountPages("community-pages", ROUTES, needs);

/** A token that reads items and does not reach communities sees what guests see of both (R6d). */
export async function openCommunities(needs: CommunityPagesNeeds, request: Request): Promise<Reader> {
  const reader = await openPage(needs, request, "pages");
  return { ...reader, viewer: guestWithout(reader.viewer, ["user:activity"]) };
}

export const factsOf = ({ id, access }: CommunityJson): CommunityFacts => ({
  id,
  visibility: access.visibility,
  submissionPolicy: access.record_submission_policy,
  reviewPolicy: access.review_policy,
});

/** The title in the language of the page. */
const titleOf = ({ metadata: { title, title_ja: ja = "" } }: CommunityJson, tag: string): string =>
  titleIn({ en: title, ja }, tag);

export async function headOf(
  needs: CommunityPagesNeeds,
  { viewer, site }: Pick<Reader, "viewer" | "site">,
  community: CommunityJson,
): Promise<CommunityHead> {
  const logo = (await needs.logosOf([community.id])).get(community.id);
  return { ...lineOf(community, site, logo), tabs: tabsOf(viewer, community) };
}

function tabsOf(viewer: Viewer, community: CommunityJson): CommunityHead["tabs"] {
  const { id, access } = community;
  const isOwner = may(viewer, "community.change", factsOf(community));
  const isMember = isOwner || roleIn(viewer, id) !== null;
  return [
    "overview",
    ...(isMember || access.members_visibility === "public" ? (["members"] as const) : []),
    ...(mayReviewFor(viewer, id) ? (["requests"] as const) : []),
    ...(isOwner ? (["settings"] as const) : []),
  ];
}

function lineOf(
  community: CommunityJson,
  { rootPath, texts: { tag } }: Reader["site"],
  logo: { readonly sha256: string } | undefined,
): Omit<CommunityHead, "tabs"> {
  const { type } = community.metadata;
  return {
    slug: community.slug,
    title: titleOf(community, tag),
    type: type === undefined ? "" : type.title === undefined ? type.id : titleIn(type.title, tag),
    isRestricted: community.access.visibility === "restricted",
    logo: logo === undefined ? null : `${rootPath}/communities/${community.slug}/logo?v=${logoVersion(logo)}`,
  };
}

async function list(needs: CommunityPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openCommunities(needs, request);
  const { rootPath } = site;
  const url = new URL(request.url);
  const [words, type, sort] = ["q", "type", "sort"].map((name) => url.searchParams.get(name)?.trim() ?? "");
  const isOwn = url.searchParams.get("mine") === "1" && viewer.account !== null;
  const page = pageNumber(url);
  const asked = { q: words ?? "", type: type ?? "", sort: sort ?? "" };
  const parameters = new URLSearchParams({ ...asked, page: `${page}`, size: `${PAGE_SIZE}` });
  const query = () => COMMUNITY_QUERY.read(parameters);
  const found = await (isOwn ? needs.communities.searchOwn(viewer, query) : needs.communities.search(viewer, query));
  const { hits, total } = found.hits;
  const ids = hits.map(({ id }) => id);
  const works = await needs.communityWorks.counts(viewer, ids);
  const pictures = await needs.logosOf(ids);
  const kept = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
  if (isOwn) kept.set("mine", "1");
  const view = {
    ...{ words: asked.q, type: asked.type, sort: asked.sort, isOwn },
    types: (found.aggregations?.type?.buckets ?? []).map(({ key, label }) => ({ value: key, label })),
    communities: hits.map(
      (each): CommunityLine => ({
        ...lineOf(each, site, pictures.get(each.id)),
        description: each.metadata.description ?? "",
        works: works.get(each.id) ?? 0,
      }),
    ),
    total,
    page,
    pages: Math.max(1, Math.ceil(Math.min(total, 10_000) / PAGE_SIZE)),
    pageAt: (number: number) =>
      `${rootPath}/communities?${new URLSearchParams([...kept, ...(number > 1 ? [["page", `${number}`]] : [])])}`,
    mayMake: may(viewer, "community.create", null),
    done: LIST_DONE.find((each) => each === url.searchParams.get("done")) ?? null,
  };
  return await htmlAnswer(request, site, communityListPage(view, site));
}

/** Outcomes of forms that lead to the page of a community, and to the list. */
const DONE = ["made"] as const;
const LIST_DONE = ["deleted", "left"] as const;

async function one(needs: CommunityPagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openCommunities(needs, request);
  const { viewer, site } = reader;
  const community = await needs.communities.read(viewer, named);
  const url = new URL(request.url);
  const { searchParams } = url;
  const asked = {
    words: searchParams.get("q")?.trim() ?? "",
    subject: searchParams.get("subject")?.trim().slice(0, 1_000) ?? "",
    page: pageNumber(url),
  };
  const works = await needs.communityWorks.works(viewer, community.id, asked);
  const head = await headOf(needs, reader, community);
  const { metadata, access, slug, id } = community;
  const members = await visibleMembers(needs, viewer, community);
  const kept = { ...(asked.words === "" ? {} : { q: asked.words }) };
  const at = `${site.rootPath}/communities/${slug}`;
  const withSubject = { ...kept, ...(asked.subject === "" ? {} : { subject: asked.subject }) };
  const address = `${needs.baseUrl}/communities/${slug}`;
  const isGuest = viewer.account === null;
  const view = {
    ...head,
    ...{ id, address, words: asked.words, subject: asked.subject, page: asked.page },
    description: metadata.description ?? "",
    website: metadata.website ?? "",
    organizations: (metadata.organizations ?? []).map(organizationOf),
    about: metadata.page ?? "",
    policy: metadata.curation_policy ?? "",
    members: members?.hits.hits.map(({ member }) => member.name || site.texts.community.account(member.id)) ?? null,
    hasMoreMembers: (members?.hits.total ?? 0) > MEMBERS_SHOWN,
    mayDeposit:
      may(viewer, "community.submit", factsOf(community)) ||
      (isGuest && access.visibility === "public" && access.record_submission_policy === "open"),
    mayJoin: access.member_policy === "open" && roleIn(viewer, id) === null,
    items: works.items.map((item) => itemLine(item, site.texts.tag)),
    total: works.total,
    facet: works.facet,
    subjects: works.subjects.map(({ label, count }) => ({
      ...{ label, count, href: `${at}?${new URLSearchParams({ ...kept, subject: label })}#works` },
    })),
    pages: works.pages,
    pageAt: (page: number) =>
      `${at}?${new URLSearchParams({ ...withSubject, ...(page > 1 ? { page: `${page}` } : {}) })}#works`,
    data: schemaOrganization(community, address, head.logo === null ? null : `${address}/logo`),
    done: DONE.find((each) => each === searchParams.get("done")) ?? null,
  };
  return await htmlAnswer(request, site, communityPage(view, site));
}

/** Null where the community keeps its members to itself. */
async function visibleMembers({ members }: CommunityPagesNeeds, viewer: Viewer, { id, access }: CommunityJson) {
  if (access.members_visibility !== "public" && roleIn(viewer, id) === null) return null;
  const query = MEMBER_QUERY.read(new URLSearchParams({ size: `${MEMBERS_SHOWN}` }));
  return await members.listVisible(viewer, id, () => query);
}

const ROR = /^0[a-hj-km-np-tv-z0-9]{6}[0-9]{2}$/;
type Organization = NonNullable<CommunityJson["metadata"]["organizations"]>[number];

function organizationOf({ id = "", name = "" }: Organization) {
  const href = ROR.test(id) ? `https://ror.org/${id}` : isLinkable(id) ? id : null;
  return { name: name || id, href };
}

/** schema.org Organization. */
function schemaOrganization({ metadata, slug }: CommunityJson, url: string, logo: string | null) {
  const { title, title_ja: ja, description, website, organizations = [] } = metadata;
  const parents = organizations.map(organizationOf).map(({ name, href }) => ({
    ...{ "@type": "Organization", name },
    ...(href === null ? {} : { sameAs: href }),
  }));
  return {
    "@context": "https://schema.org/",
    "@type": metadata.type?.id === "project" ? "ResearchProject" : "Organization",
    "@id": url,
    url,
    name: title,
    identifier: slug,
    ...(ja === undefined ? {} : { alternateName: ja }),
    ...(description === undefined ? {} : { description }),
    ...(website === undefined ? {} : { sameAs: website }),
    ...(logo === null ? {} : { logo }),
    ...(parents.length === 0 ? {} : { parentOrganization: parents }),
  };
}

async function feed(needs: CommunityPagesNeeds, request: Request, named: string): Promise<Response> {
  const { viewer, site } = await openCommunities(needs, request);
  const community = await needs.communities.read(viewer, named);
  const { items } = await needs.communityWorks.works(viewer, community.id, { words: "", subject: "", page: 1 });
  const page = `${needs.baseUrl}/communities/${community.slug}`;
  const { tag } = site.texts;
  const times = items.map(({ item }) => item.updatedAt).sort();
  const body = atomFeed({
    url: `${page}/feed`,
    page,
    title: `${titleOf(community, tag)} · ${site.repositoryName}`,
    updatedAt: times.at(-1) ?? community.updated,
    entries: items.map(({ item }) => entryOf(item, needs.showing.addresses, tag)),
  });
  return feedText(request, body);
}
