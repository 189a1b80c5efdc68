// Pages of reviewers (R44): what waits for the person signed in, and requests with their decision.

import { isAdministrator, type Viewer } from "../../../src/auth/account.ts";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { type RequestView, requestPage } from "../../../src/repository/pages/templates/review-pages.ts";
import {
  COMMENT,
  commentAsTyped,
  commentParts,
  DECISION_COMMENTS,
  quoted,
  typedHtml,
} from "../../../src/repository/requests/comment-body.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import { TIMELINE_QUERY } from "../../../src/repository/requests/timeline.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import { type ChecksNeeds, checksOf } from "./checks.ts";
import { commentsIn, fieldsIn } from "./field-comments.ts";
import { HOLDER_FORM, holderIn } from "./holder-form.ts";
import { nextTask, type TasksOf } from "./next-task.ts";
import { AFTER_FORM, BUSY, FORM_AGAIN, form, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";
import { proposalView } from "./views.ts";

export type ReviewPagesNeeds = PageNeeds &
  ChecksNeeds & {
    readonly requests: Pick<Requests, "read" | "timeline" | "decide" | "addComment" | "setHolder">;
    readonly communityTitle: (id: string) => Promise<string>;
    /** @throws Refusal `not_found`, `gone` */
    readonly communityOf: (viewer: Viewer, id: string) => Promise<{ readonly slug: string }>;
    readonly showing: Showing;
    readonly tasksOf: TasksOf;
  };

const ONE = "/requests/:request_id";
const ID = pathParameter("request_id", "UUID of the request");
/** Entries of the timeline that the page shows: the newest. */
const ENTRIES = 100;
const ACTIONS = ["accept", "decline", "cancel"] as const;
type Action = (typeof ACTIONS)[number];

const { get, post } = routesOf<ReviewPagesNeeds>();

const COMMENT_FORM = { comment: "A comment, as plain text" };
const FIELDS = "`field:NAME`: a comment on a field";
const DECIDED = { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND };

const ROUTES = [
  get(ONE, {
    id: "requestPage",
    summary: "One request with what it is about and its timeline",
    scopes: "session",
    parameters: [
      ID,
      queryParameter("quote", "UUID of the comment that an answer quotes", { type: "string" }),
      queryParameter("done", "decided, commented or asked, after a form", { type: "string" }),
    ],
    answers: { ...UNKEPT, ...SIGN_IN, ...NOT_FOUND },
    run: (needs, request, { request_id: id }) => detail(needs, request, id),
  }),
  post(`${ONE}/accept`, decisionRow("accept", "acceptRequestByForm", "Accept a request")),
  post(`${ONE}/decline`, decisionRow("decline", "declineRequestByForm", "Decline a request")),
  post(`${ONE}/cancel`, decisionRow("cancel", "cancelRequestByForm", "Withdraw a request")),
  post(`${ONE}/holder`, {
    id: "holdRequestByForm",
    summary: "Take, release or reassign a request",
    parameters: [ID],
    scopes: "session",
    content: form(HOLDER_FORM),
    answers: DECIDED,
    run: (needs, request, { request_id: id }) => hold(needs, request, id),
  }),
  post(`${ONE}/comment`, {
    id: "commentOnRequestByForm",
    summary: "Comment on a request",
    parameters: [ID],
    scopes: "session",
    content: form(COMMENT_FORM, FIELDS),
    answers: DECIDED,
    run: (needs, request, { request_id: id }) => comment(needs, request, id),
  }),
];

function decisionRow(action: Action, id: string, summary: string) {
  return {
    id,
    summary,
    parameters: [ID],
    scopes: "session" as const,
    content: form(COMMENT_FORM, FIELDS),
    answers: action === "accept" ? { ...DECIDED, ...BUSY } : DECIDED,
    run: (needs: ReviewPagesNeeds, request: Request, params: { readonly request_id: string }) =>
      decide(needs, request, params.request_id, action),
  };
}

export const reviewPages = (needs: ReviewPagesNeeds) => mountPages("review-pages", ROUTES, needs, null);

const pathOf = (id: string): string => `/requests/${encodeURIComponent(id)}`;

async function detail(needs: ReviewPagesNeeds, request: Request, id: string): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(pathOf(id)));
  const { searchParams } = new URL(request.url);
  const quote = searchParams.get("quote");
  const view = await viewOf(needs, reader, id, searchParams.get("done"));
  const parts = view.entries.find((entry) => entry.id === quote)?.parts ?? [];
  const own = parts.flatMap(({ isQuote, text }) => (isQuote ? [] : [text])).join("\n");
  const page = requestPage({ ...view, sent: own === "" ? "" : quoted(own) }, reader.site);
  return await htmlAnswer(request, reader.site, page, { cacheable: false });
}

/** Null where the viewer may not see the community, or it was deleted. */
async function slugOf({ communityOf }: ReviewPagesNeeds, viewer: Viewer, id: string): Promise<string | null> {
  try {
    return (await communityOf(viewer, id)).slug;
  } catch (error) {
    if (isRefusal(error, "not_found") || isRefusal(error, "gone")) return null;
    throw error;
  }
}

async function viewOf(
  needs: ReviewPagesNeeds,
  { viewer, site }: Reader,
  id: string,
  done: string | null,
  more: Partial<Pick<RequestView, "sent" | "sentFields" | "problems">> = {},
): Promise<RequestView> {
  const found = await needs.requests.read(viewer, id);
  const newest = TIMELINE_QUERY.read(new URLSearchParams({ size: String(ENTRIES), sort: "newest" }));
  const { hits } = await needs.requests.timeline(viewer, id, () => newest);
  const own = String(viewer.account?.id ?? "");
  const { review } = site.texts;
  const person = (account: string): string => review.person(account);
  const community = "community" in found.receiver ? found.receiver.community : communityIn(found);
  return {
    id: found.id,
    kind: found.type,
    status: found.status,
    title: found.title,
    community: { title: await needs.communityTitle(community), slug: await slugOf(needs, viewer, community) },
    role: found.payload?.role ?? null,
    by: "user" in found.created_by ? person(found.created_by.user) : "",
    isOwn: "user" in found.created_by && found.created_by.user === own,
    since: found.created,
    record:
      "record" in found.topic
        ? await recordIn(needs, { viewer, site }, Number(found.topic.record), found.is_open)
        : null,
    entries: hits.hits
      .map((entry) => ({
        id: entry.id,
        by: entry.created_by.user === "system" ? null : person(entry.created_by.user),
        isOwn: entry.created_by.user === own,
        at: entry.created,
        event: entry.type === "L" ? (entry.payload.event ?? "") : null,
        parts: commentParts(entry.payload.content ?? ""),
        field: entry.payload.field ?? "",
        isEdited: entry.type === "C" && entry.revision_id > 1,
        about: aboutOf(entry.payload.reviewers?.[0]?.user ?? "", own, person, review.you),
      }))
      .toReversed(),
    hasEarlier: hits.total > ENTRIES,
    holding: {
      action: `${pathOf(found.id)}/holder`,
      ...holdingOf(viewer, found, person, review.you),
    },
    may: ACTIONS.filter((action) => Object.hasOwn(found.links.actions, action)),
    done: done === "decided" || done === "commented" || done === "asked" ? done : null,
    next: done === "decided" ? await nextTask(needs, viewer, `request:${id}`) : null,
    sent: "",
    sentFields: new Map(),
    problems: [],
    ...more,
  };
}

type InWords = (account: string) => string;

const aboutOf = (account: string, own: string, person: InWords, you: string): string =>
  account === "" ? "" : account === own ? you : person(account);

/** Who holds the request, and what the reader may do about that. */
function holdingOf(viewer: Viewer, found: Awaited<ReturnType<Requests["read"]>>, person: InWords, you: string) {
  const own = String(viewer.account?.id ?? "");
  const holder = found.reviewers[0]?.user ?? "";
  const isAdmin = isAdministrator(viewer);
  const decides = Object.hasOwn(found.links.actions, "accept");
  return {
    holder: aboutOf(holder, own, person, you),
    may: {
      take: decides && holder !== own,
      release: holder !== "" && found.is_open && (holder === own || isAdmin),
      reassign: found.is_open && isAdmin,
    },
  };
}

const communityIn = ({ topic, created_by: by }: Awaited<ReturnType<Requests["read"]>>): string =>
  "community" in topic ? topic.community : "community" in by ? by.community : "";

/** What the request is about; null where the reader may not see it, or no longer. */
async function recordIn(
  needs: ReviewPagesNeeds,
  { viewer, site }: Pick<Reader, "viewer" | "site">,
  id: number,
  isWaiting: boolean,
) {
  try {
    const shown = await needs.showing.record(viewer, id);
    const proposed = { ...shown, content: shown.readable.content, published: null };
    const checks = isWaiting ? await checksOf(needs, viewer, id) : null;
    const proposal = await proposalView(proposed, site.texts.tag, site.rootPath, `/records/${id}`, checks);
    return { id, proposal };
  } catch (error) {
    if (isRefusal(error, "not_found", "forbidden", "gone")) return null;
    throw error;
  }
}

async function decide(needs: ReviewPagesNeeds, request: Request, id: string, action: Action): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const sent = { reader, id, text: fields.get("comment") ?? "", fields: fieldsIn(fields) };
  return await orFormAgain(needs, request, sent, async () => {
    const cleaned = commentAsTyped(sent.text);
    const payload = { comments: commentsIn(sent.fields, typedHtml) };
    const comments = sentRecord(DECISION_COMMENTS, { payload })().fields;
    await needs.requests.decide(
      reader.viewer,
      id,
      action,
      () => cleaned,
      () => comments,
    );
    return redirectTo(reader.site.rootPath, `${pathOf(id)}?done=decided`);
  });
}

async function hold(needs: ReviewPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  return await orFormAgain(needs, request, { reader, id, text: "" }, async () => {
    const to = holderIn(reader.viewer, fields);
    await needs.requests.setHolder(reader.viewer, id, () => to);
    return redirectTo(reader.site.rootPath, pathOf(id));
  });
}

async function comment(needs: ReviewPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const sent = { reader, id, text: fields.get("comment") ?? "", fields: fieldsIn(fields) };
  return await orFormAgain(needs, request, sent, async () => {
    const whole = sent.text.trim() === "" ? [] : [{ content: typedHtml(sent.text) }];
    const bodies = [...commentsIn(sent.fields, typedHtml), ...whole].map((payload) => sentRecord(COMMENT, { payload }));
    if (bodies.length === 0) throw new Refusal("invalid", "The comment is empty");
    for (const body of bodies) body();
    for (const body of bodies) await needs.requests.addComment(reader.viewer, id, body);
    return redirectTo(reader.site.rootPath, `${pathOf(id)}?done=commented`);
  });
}

type SentComments = {
  readonly reader: Reader;
  readonly id: string;
  readonly text: string;
  readonly fields?: ReadonlyMap<string, string>;
};

/** The page again with what is wrong, and with what was typed. */
async function orFormAgain(
  needs: ReviewPagesNeeds,
  request: Request,
  { reader, id, text, fields = new Map() }: SentComments,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const problems = [
      refusalProblem(request.url.endsWith("/holder") ? "to" : "comment", error.message, reader.site.texts),
    ];
    const page = requestPage(
      await viewOf(needs, reader, id, null, { sent: text, sentFields: fields, problems }),
      reader.site,
    );
    return await htmlAnswer(request, reader.site, page, { status: error.status, cacheable: false });
  }
}
