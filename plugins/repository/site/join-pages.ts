// The page on which a person asks to join a community (R44).

import type { Viewer } from "../../../src/auth/account.ts";
import { MEMBER_ROLES } from "../../../src/auth/account.ts";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import type { CommunityJson } from "../../../src/repository/communities/community-json.ts";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import { type JoinView, joinPage } from "../../../src/repository/pages/templates/join-page.ts";
import { typedHtml } from "../../../src/repository/requests/comment-body.ts";
import { MEMBERSHIP_REQUEST } from "../../../src/repository/requests/membership-requests.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import { isRefusal } from "../../../src/shared/refusal.ts";
import { pathParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import { AFTER_FORM, FORM_AGAIN, form, GONE, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";

export type JoinPagesNeeds = PageNeeds & {
  readonly requests: Pick<Requests, "membershipRequests">;
  /** By UUID or slug. @throws Refusal `not_found`, `gone` */
  readonly communityOf: (viewer: Viewer, idOrSlug: string) => Promise<CommunityJson>;
};

const JOIN = "/communities/:community/join";
const COMMUNITY = pathParameter("community", "UUID or slug of the community");

const { get, post } = routesOf<JoinPagesNeeds>();

const ROUTES = [
  get(JOIN, {
    id: "joinPage",
    summary: "The page on which a person asks to join a community",
    scopes: "session",
    parameters: [COMMUNITY],
    answers: { ...UNKEPT, ...SIGN_IN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { community }) => ask(needs, request, community),
  }),
  post(JOIN, {
    id: "joinByForm",
    summary: "Ask to join a community",
    scopes: "session",
    parameters: [COMMUNITY],
    content: form({ role: `What to become: ${MEMBER_ROLES.join(", ")}`, message: "A message, as plain text" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { community }) => send(needs, request, community),
  }),
];

export const joinPages = (needs: JoinPagesNeeds) => mountPages("join-pages", ROUTES, needs, null);

const pathOf = (slug: string): string => `/communities/${encodeURIComponent(slug)}/join`;

async function ask(needs: JoinPagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(pathOf(named)));
  const view = await viewOf(needs, reader, named);
  return await htmlAnswer(request, reader.site, joinPage(view, reader.site), { cacheable: false });
}

const NOTHING_SENT = { role: "reader", message: "" };

async function viewOf(
  needs: JoinPagesNeeds,
  { viewer }: Reader,
  named: string,
  more: Partial<Pick<JoinView, "sent" | "problems">> = {},
): Promise<JoinView> {
  const { slug, metadata, access } = await needs.communityOf(viewer, named);
  const isOpen = access.member_policy === "open";
  return { slug, title: metadata.title, isOpen, sent: NOTHING_SENT, problems: [], ...more };
}

async function send(needs: JoinPagesNeeds, request: Request, named: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const sent = { role: fields.get("role") ?? "", message: fields.get("message") ?? "" };
  try {
    const body = sentRecord(MEMBERSHIP_REQUEST, { role: sent.role, message: typedHtml(sent.message) });
    const id = await needs.requests.membershipRequests.ask(reader.viewer, named, body);
    return redirectTo(reader.site.rootPath, `/requests/${id}?done=asked`);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const { errors } = error.detail;
    const field = JSON.stringify(errors ?? "").includes('"role"') ? "role" : "message";
    const problems = [refusalProblem(field, error.message, reader.site.texts)];
    const view = await viewOf(needs, reader, named, { sent, problems });
    const page = joinPage(view, reader.site);
    return await htmlAnswer(request, reader.site, page, { status: error.status, cacheable: false });
  }
}
