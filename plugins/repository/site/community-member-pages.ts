// Pages of the members of a community, of its invitations and of the requests to it (R37, R40).

import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { mayReviewFor, roleIn } from "../../../src/model/rights/community-rights.ts";
import { may } from "../../../src/model/rights/policy.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import type { CommunityJson } from "../../../src/repository/communities/community-json.ts";
import { CHANGED_MEMBERS, MEMBER_QUERY } from "../../../src/repository/communities/members.ts";
import { refusalProblem, refusalText } from "../../../src/repository/pages/refusal-words.ts";
import {
  communityRequestsPage,
  type InvitationsView,
  invitationsPage,
  type MemberLine,
  membersPage,
} from "../../../src/repository/pages/templates/community-manage-pages.ts";
import { typedHtml } from "../../../src/repository/requests/comment-body.ts";
import { INVITATION, INVITATION_QUERY } from "../../../src/repository/requests/invitations.ts";
import { REQUEST_QUERY } from "../../../src/repository/requests/request-lists.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, pageNumber, type Reader, redirectTo } from "./answers.ts";
import { pathOf, rolesGivenBy } from "./community-manage-pages.ts";
import { COMMUNITY, type CommunityPagesNeeds, factsOf, headOf, openCommunities } from "./community-pages.ts";
import {
  AFTER_FORM,
  FORBIDDEN,
  FORM_AGAIN,
  form,
  GONE,
  html,
  mountPages,
  NOT_FOUND,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";

export type CommunityMemberPagesNeeds = CommunityPagesNeeds & {
  readonly requests: Pick<Requests, "invitations" | "listOfCommunity">;
};

const MEMBERS = "/communities/:community/members";
const INVITATIONS = "/communities/:community/invitations";
const REQUESTS = "/communities/:community/requests";
const PAGE_SIZE = 25;
/** Entries of a list that can be paged through (R10). */
const REACHED = 10_000;
const PAGE_PARAMETER = queryParameter("page", "Page of the list, from 1", { type: "integer" });
const SENT = { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND, ...GONE };
const IN_SESSION = {
  ...{ ...UNKEPT, ...SIGN_IN, ...FORBIDDEN, ...NOT_FOUND, ...GONE },
  400: html("The list is invalid"),
};

const { get, post } = routesOf<CommunityMemberPagesNeeds>();

const ROUTES = [
  get(MEMBERS, {
    id: "communityMembersPage",
    summary: "Members of a community: all of them for members, for others those who want to be seen",
    scopes: ["item:read"],
    parameters: [COMMUNITY, queryParameter("q", "Words of names", { type: "string" }), PAGE_PARAMETER],
    answers: { ...UNKEPT, ...FORBIDDEN, ...NOT_FOUND, ...GONE, 400: html("The list is invalid") },
    run: (needs, request, { community }) => members(needs, request, community),
  }),
  post(MEMBERS, {
    id: "changeMemberByForm",
    summary: "Change or remove a member, or leave",
    scopes: "session",
    parameters: [COMMUNITY],
    content: form({ do: "role, remove, show or hide", member: "Number of the account", role: "The new role" }),
    answers: SENT,
    run: (needs, request, { community }) => change(needs, request, community),
  }),
  get(INVITATIONS, {
    id: "communityInvitationsPage",
    summary: "Invitations to a community, for those who look after its members",
    scopes: "session",
    parameters: [COMMUNITY, PAGE_PARAMETER, queryParameter("done", "What was done by a form", { type: "string" })],
    answers: IN_SESSION,
    run: (needs, request, { community }) => invitations(needs, request, community),
  }),
  post(INVITATIONS, {
    id: "inviteByForm",
    summary: "Invite somebody to a community",
    scopes: "session",
    parameters: [COMMUNITY],
    content: form({
      who: "Number of an account, or for administrators a mail address",
      role: "What to become",
      message: "A message, as plain text",
    }),
    answers: SENT,
    run: (needs, request, { community }) => invite(needs, request, community),
  }),
  get(REQUESTS, {
    id: "communityRequestsPage",
    summary: "Requests to a community, for those who decide about them",
    scopes: "session",
    parameters: [COMMUNITY, queryParameter("closed", "1: those that were decided", { type: "string" }), PAGE_PARAMETER],
    answers: IN_SESSION,
    run: (needs, request, { community }) => requests(needs, request, community),
  }),
];

export const communityMemberPages = (needs: CommunityMemberPagesNeeds) =>
  mountPages("community-member-pages", ROUTES, needs, null);

const pagesOf = (total: number): number => Math.max(1, Math.ceil(Math.min(total, REACHED) / PAGE_SIZE));
/** Addresses of the pages of a list. `kept`: its other parameters. */
const addresses =
  (at: string, kept: Readonly<Record<string, string>>) =>
  (page: number): string =>
    `${at}?${new URLSearchParams({ ...kept, ...(page > 1 ? { page: `${page}` } : {}) })}`;

async function members(needs: CommunityMemberPagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openCommunities(needs, request);
  return await membersAnswer(needs, request, reader, await needs.communities.read(reader.viewer, named), []);
}

async function membersAnswer(
  needs: CommunityMemberPagesNeeds,
  request: Request,
  reader: Reader,
  community: CommunityJson,
  problems: readonly FieldProblem[],
): Promise<Response> {
  const { viewer, site } = reader;
  const url = new URL(request.url);
  const words = url.searchParams.get("q")?.trim() ?? "";
  const page = pageNumber(url);
  const query = MEMBER_QUERY.read(new URLSearchParams({ q: words, page: `${page}`, size: `${PAGE_SIZE}` }));
  const found = await memberLines(needs, reader, community, query);
  const kept = words === "" ? {} : { q: words };
  const asked = url.searchParams.get("done");
  const view = {
    head: await headOf(needs, reader, community),
    done: (["changed", "removed"] as const).find((each) => each === asked) ?? null,
    ...{ problems, words, page, members: found.lines, pages: pagesOf(found.total) },
    pageAt: addresses(`${site.rootPath}${pathOf(community.slug, "members")}`, kept),
    roles: rolesGivenBy(reader, community),
    mayInvite: reader.signedIn !== null && may(viewer, "community.manage-members", { id: community.id, roles: [] }),
  };
  const status = problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, membersPage(view, site), { status, cacheable: false });
}

async function memberLines(
  needs: CommunityMemberPagesNeeds,
  { viewer, site }: Reader,
  community: CommunityJson,
  query: ReturnType<typeof MEMBER_QUERY.read>,
): Promise<{ readonly lines: readonly MemberLine[]; readonly total: number }> {
  const { id } = community;
  const nameOf = (member: { readonly id: string; readonly name: string }): string =>
    member.name || site.texts.community.account(member.id);
  if (roleIn(viewer, id) === null && !may(viewer, "community.change", factsOf(community))) {
    const { hits } = await needs.members.listVisible(viewer, id, () => query);
    const lines = hits.hits.map((each) => ({ id: each.id, name: nameOf(each.member), isSelf: false, more: null }));
    return { lines, total: hits.total };
  }
  const { hits } = await needs.members.list(viewer, id, () => query);
  const lines = hits.hits.map(({ id: account, member, role, visible, is_current_user: isSelf, permissions }) => ({
    ...{ id: account, name: nameOf(member), isSelf },
    more: {
      ...{ role, visible },
      canDelete: permissions.can_delete === true,
      canUpdateRole: permissions.can_update_role === true,
      canHide: permissions.can_update_visible === true,
    },
  }));
  return { lines, total: hits.total };
}

async function change(needs: CommunityMemberPagesNeeds, request: Request, named: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { viewer, site } = reader;
  const community = await needs.communities.read(viewer, named);
  const [action, member] = [fields.get("do") ?? "", fields.get("member") ?? ""];
  const of = { members: [{ type: "user", id: member }] };
  const isOwn = String(viewer.account?.id) === member;
  try {
    if (action === "remove") {
      await needs.members.remove(viewer, community.id, sentRecord(CHANGED_MEMBERS, of));
      if (!isOwn) return redirectTo(site.rootPath, pathOf(community.slug, "members?done=removed"));
      // A restricted community is no longer there for who has left it.
      return redirectTo(site.rootPath, `/communities?done=left`);
    }
    const what = action === "role" ? { role: fields.get("role") ?? "" } : visibilityOf(action);
    await needs.members.update(viewer, community.id, sentRecord(CHANGED_MEMBERS, { ...of, ...what }));
    return redirectTo(site.rootPath, pathOf(community.slug, "members?done=changed"));
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const problem = { field: null, text: refusalText(error, site.texts) };
    return await membersAnswer(needs, request, reader, community, [problem]);
  }
}

const visibilityOf = (action: string): object =>
  action === "show" || action === "hide" ? { visible: action === "show" } : {};

/** For those who look after the members. @throws Refusal `forbidden` */
function requireManager({ viewer }: Reader, { id }: CommunityJson): void {
  if (!may(viewer, "community.manage-members", { id, roles: [] })) {
    throw new Refusal("forbidden", "Permission denied.");
  }
}

const NOTHING_SENT = { who: "", role: "reader", message: "" };

async function invitations(needs: CommunityMemberPagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(pathOf(named, "invitations")));
  const community = await needs.communities.read(reader.viewer, named);
  return await invitationsAnswer(needs, request, reader, community, NOTHING_SENT, []);
}

async function invitationsAnswer(
  needs: CommunityMemberPagesNeeds,
  request: Request,
  reader: Reader,
  community: CommunityJson,
  sent: InvitationsView["sent"],
  problems: readonly FieldProblem[],
): Promise<Response> {
  const { viewer, site } = reader;
  requireManager(reader, community);
  const url = new URL(request.url);
  const page = pageNumber(url);
  const query = INVITATION_QUERY.read(new URLSearchParams({ page: `${page}`, size: `${PAGE_SIZE}` }));
  const { hits } = await needs.requests.invitations.list(viewer, community.id, () => query);
  const view: InvitationsView = {
    head: await headOf(needs, reader, community),
    done: url.searchParams.get("done") === "invited" ? "invited" : null,
    ...{ problems, sent, page, pages: pagesOf(hits.total) },
    pageAt: addresses(`${site.rootPath}${pathOf(community.slug, "invitations")}`, {}),
    roles: rolesGivenBy(reader, community),
    invitations: hits.hits.map(({ member, role, request: { id, status }, created, permissions }) => ({
      request: id,
      name: member.name || site.texts.community.account(member.id),
      ...{ role, status, at: created, canCancel: permissions.can_cancel },
    })),
  };
  const status = problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, invitationsPage(view, site), { status, cacheable: false });
}

async function invite(needs: CommunityMemberPagesNeeds, request: Request, named: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { viewer, site } = reader;
  const community = await needs.communities.read(viewer, named);
  requireManager(reader, community);
  const [who = "", role = "", message = ""] = ["who", "role", "message"].map((name) => fields.get(name)?.trim() ?? "");
  const type = who.includes("@") ? "email" : "user";
  try {
    const body = { members: [{ type, id: who }], role, message: typedHtml(message) };
    await needs.requests.invitations.invite(viewer, community.id, sentRecord(INVITATION, body));
    return redirectTo(site.rootPath, pathOf(community.slug, "invitations?done=invited"));
  } catch (error) {
    // Only administrators may look up an account by its mail address.
    const isShown = error instanceof Refusal && (error.kind === "invalid" || error.kind === "forbidden");
    if (!isShown) throw error;
    const { errors } = error.detail;
    const wrong = JSON.stringify(errors ?? "");
    const field = wrong.includes('"role"') ? "role" : wrong.includes('"message"') ? "message" : "who";
    const problem = { ...refusalProblem(field, error.message, site.texts), text: refusalText(error, site.texts) };
    return await invitationsAnswer(needs, request, reader, community, { who, role, message }, [problem]);
  }
}

async function requests(needs: CommunityMemberPagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  const { viewer, site } = reader;
  if (reader.signedIn === null) return redirectTo(site.rootPath, signInPath(pathOf(named, "requests")));
  const community = await needs.communities.read(viewer, named);
  if (!mayReviewFor(viewer, community.id)) throw new Refusal("forbidden", "Permission denied.");
  const url = new URL(request.url);
  const isClosed = url.searchParams.get("closed") === "1";
  const page = pageNumber(url);
  const query = REQUEST_QUERY.read(
    new URLSearchParams({ page: `${page}`, size: `${PAGE_SIZE}`, is_open: `${!isClosed}` }),
  );
  const { hits } = await needs.requests.listOfCommunity(viewer, community.id, () => query);
  const view = {
    head: await headOf(needs, reader, community),
    ...{ done: null, problems: [], page, pages: pagesOf(hits.total), isClosed },
    pageAt: addresses(`${site.rootPath}${pathOf(community.slug, "requests")}`, isClosed ? { closed: "1" } : {}),
    requests: hits.hits.map(({ id, title, type, status, created: since }) => ({ id, title, type, status, since })),
  };
  return await htmlAnswer(request, site, communityRequestsPage(view, site), { cacheable: false });
}
