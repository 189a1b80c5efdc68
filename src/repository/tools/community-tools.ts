// The tools of communities and requests (R30; specification 3, "Tool servers"; reference 1.2), over the use cases of
// both.

import type { Viewer } from "../../auth/account.ts";
import { permissionDenied, RECORD_SENTENCES, sentRecord } from "../../model/input/record-refusals.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { memberOf } from "../../shared/objects.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { COMMUNITY_QUERY, type Communities } from "../communities/communities.ts";
import { NEW_COMMUNITY } from "../communities/community-body.ts";
import type { CommunityJson } from "../communities/community-json.ts";
import { requireCommunityNames } from "../communities/community-query.ts";
import type { RecordLists } from "../record-lists/record-lists.ts";
import type { Records } from "../records/records.ts";
import { COMMENT, OPTIONAL_COMMENT } from "../requests/comment-body.ts";
import { INCLUSIONS } from "../requests/inclusions.ts";
import type { EventJson, RequestJson } from "../requests/request-json.ts";
import { REQUEST_QUERY } from "../requests/request-lists.ts";
import { requireRequestNames } from "../requests/request-query.ts";
import type { Requests } from "../requests/requests.ts";
import { TIMELINE_QUERY } from "../requests/timeline.ts";
import { COMMUNITY_DETAILS } from "../store/community-details.ts";
import type { RepositoryReader } from "../store/store.ts";
import { inArguments, ToolRefusal } from "./outcome.ts";
import { type RecordAnswers, recordAnswers } from "./record-answers.ts";
import { namedThing } from "./record-lookup.ts";
import { type ListArguments, paged, pageOf } from "./tool-input.ts";
import { bounded } from "./tool-server.ts";
import type { HttpCall, HttpHandlers } from "./tool-table.ts";

export type CommunityToolNeeds = {
  readonly communities: Communities;
  readonly requests: Requests;
  readonly records: Records;
  readonly lists: RecordLists;
  readonly store: Pick<RepositoryReader, "communities">;
  /** The number of the record a text names. */
  readonly idOf: (viewer: Viewer, given: string) => Promise<number>;
  readonly countRecords: (viewer: Viewer, community: string) => Promise<number>;
  readonly baseUrl: string;
};

/** Arguments of the tools by the fields of the bodies of the records interface. */
const COMMUNITY_ARGUMENTS = {
  "metadata.title": "title",
  "metadata.type.id": "community_type",
  "access.visibility": "visibility",
  "access.review_policy": "review_policy",
  ...Object.fromEntries(Object.keys(COMMUNITY_DETAILS).map((name) => [`metadata.${name}`, name])),
};
const COMMENT_ARGUMENTS = { payload: "comment", "payload.content": "comment", "receiver.community": "community" };
/** The same for the one community of add_to_community. */
const INCLUSION_ARGUMENTS = { "communities.0.id": "community", "communities.0.comment.payload.content": "comment" };

type CommunityToolContext = CommunityToolNeeds & { readonly answers: RecordAnswers };

export function communityTools(own: CommunityToolNeeds) {
  const needs: CommunityToolContext = { ...own, answers: recordAnswers(own) };
  return {
    search_communities: (call) => searchCommunities(needs, call),
    get_community: (call) => getCommunity(needs, call),
    create_community: (call) => createCommunity(needs, call),
    list_requests: (call) => listRequests(needs, call),
    get_request: (call) => getRequest(needs, call),
    submit_to_community: (call) => submitToCommunity(needs, call),
    add_to_community: (call) => addToCommunity(needs, call),
    cancel_submission: (call) => cancelSubmission(needs, call),
    comment_on_request: (call) => commentOnRequest(needs, call),
    async request_action({ viewer, args }) {
      return await decide(needs, viewer, requestNamed(needs, args), args.action, args.comment);
    },
  } satisfies Partial<HttpHandlers>;
}

function listParameters(args: ListArguments): { paging: ReturnType<typeof pageOf>; parameters: URLSearchParams } {
  const paging = pageOf(args);
  const parameters = new URLSearchParams({ page: String(paging.page), size: String(paging.size) });
  if (args.query !== "") parameters.set("q", args.query);
  return { paging, parameters };
}

const communityNamed = (needs: CommunityToolContext, { community }: { readonly community: string }): string =>
  namedThing(community, "communities", needs.baseUrl);

const requestNamed = (needs: CommunityToolContext, { request_id: named }: { readonly request_id: string }): string =>
  namedThing(named, "requests", needs.baseUrl);

async function decide(needs: CommunityToolContext, viewer: Viewer, id: string, action: string, comment: string) {
  const body = comment.trim() === "" ? {} : commentBody(comment);
  await inArguments(COMMENT_ARGUMENTS, needs.requests.decide(viewer, id, action, sentRecord(OPTIONAL_COMMENT, body)));
  return briefRequest(await needs.requests.read(viewer, id));
}

/** With the number of its records that the viewer may read. */
async function withRecordCount(needs: CommunityToolContext, viewer: Viewer, community: CommunityJson) {
  return { ...briefCommunity(community), records: await needs.countRecords(viewer, community.id) };
}

async function searchCommunities(needs: CommunityToolContext, { viewer, args }: HttpCall<"search_communities">) {
  requireCommunityNames(args.query);
  const { paging, parameters } = listParameters(args);
  const { hits, sortBy } = await needs.communities.search(viewer, () => COMMUNITY_QUERY.read(parameters));
  const found = [];
  for (const each of hits.hits) found.push(await withRecordCount(needs, viewer, each));
  return { ...paged(hits.total, paging), communities: found, sort: sortBy };
}

async function getCommunity(needs: CommunityToolContext, { viewer, args }: HttpCall<"get_community">) {
  const found = await needs.communities.read(viewer, communityNamed(needs, args));
  const { title: _title, type: _type, description, ...details } = found.metadata;
  return {
    ...(await withRecordCount(needs, viewer, found)),
    ...(description === undefined ? {} : { description: htmlToText(description) }),
    ...details,
    links: { self: found.links.self },
  };
}

async function createCommunity(needs: CommunityToolContext, { viewer, args }: HttpCall<"create_community">) {
  const { slug, title, community_type: type, visibility, review_policy, ...details } = args;
  const body = {
    slug,
    metadata: { title, type: { id: type }, ...details },
    access: { visibility, review_policy },
  };
  const made = await inArguments(
    COMMUNITY_ARGUMENTS,
    needs.communities.create(viewer, sentRecord(NEW_COMMUNITY, body)),
  );
  return { ...briefCommunity(made), records: 0, links: { self: made.links.self } };
}

async function listRequests(needs: CommunityToolContext, { viewer, args }: HttpCall<"list_requests">) {
  requireRequestNames(args.query);
  const { paging, parameters } = listParameters(args);
  const status = args.status;
  if (status !== "") parameters.set("status", status);
  const { hits, sortBy } = await needs.requests.list(viewer, () => REQUEST_QUERY.read(parameters));
  return { ...paged(hits.total, paging), requests: hits.hits.map(briefRequest), sort: sortBy };
}

async function getRequest(needs: CommunityToolContext, { viewer, args }: HttpCall<"get_request">) {
  const id = requestNamed(needs, args);
  const request = briefRequest(await needs.requests.read(viewer, id));
  if (!args.timeline) return request;
  const paging = pageOf(args);
  const { page, size } = paging;
  const asked = new URLSearchParams({ page: String(page), size: String(size), sort: "oldest" });
  const { hits } = await needs.requests.timeline(viewer, id, () => TIMELINE_QUERY.read(asked));
  const { next_page: next, total } = paged(hits.total, paging);
  return {
    ...request,
    ...bounded({ timeline: hits.hits.map(entryOf) }, "timeline", "get_request with size=10 returns these texts whole"),
    timeline_total: total,
    ...(next === undefined ? {} : { next_page: next }),
  };
}

async function submitToCommunity(needs: CommunityToolContext, { viewer, args }: HttpCall<"submit_to_community">) {
  const id = await needs.idOf(viewer, args.recid);
  const submitted = needs.requests.reviews.submitTo(viewer, id, communityNamed(needs, args), args.comment);
  const request = await needs.requests.read(viewer, await inArguments(COMMENT_ARGUMENTS, submitted));
  // Under an open policy it is published already.
  const view = await needs.records.readDraft(viewer, id).catch((error: unknown) => {
    if (!isRefusal(error, "not_found")) throw error;
    return needs.records.read(viewer, id);
  });
  return { request: briefRequest(request), record: await needs.answers.briefOf(view) };
}

async function addToCommunity(needs: CommunityToolContext, { viewer, args }: HttpCall<"add_to_community">) {
  const id = await needs.idOf(viewer, args.recid);
  const comment = args.comment;
  const body = {
    communities: [
      { id: communityNamed(needs, args), ...(comment.trim() === "" ? {} : { comment: commentBody(comment) }) },
    ],
  };
  const { processed, errors } = await inArguments(
    INCLUSION_ARGUMENTS,
    needs.requests.inclusions.add(viewer, id, sentRecord(INCLUSIONS, body)),
  );
  const [included] = processed;
  if (included === undefined) {
    const messages = errors.map(({ message }) => message);
    const hint = "search_communities (query) finds communities; get_community (community) shows who may submit";
    throw new ToolRefusal("invalid", messages[0] ?? RECORD_SENTENCES.validation, hint, [
      { field: "community", messages },
    ]);
  }
  return {
    request: briefRequest(included.request),
    record: await needs.answers.briefOf(await needs.records.read(viewer, id)),
  };
}

async function cancelSubmission(needs: CommunityToolContext, { viewer, args }: HttpCall<"cancel_submission">) {
  const id = requestNamed(needs, args);
  const { created_by: by } = await needs.requests.read(viewer, id);
  // Curators decide by request_action, which needs another scope.
  const isOwn = viewer.account !== null && memberOf(by, "user") === String(viewer.account.id);
  if (!isOwn) throw permissionDenied();
  return await decide(needs, viewer, id, "cancel", args.comment);
}

async function commentOnRequest(needs: CommunityToolContext, { viewer, args }: HttpCall<"comment_on_request">) {
  const id = requestNamed(needs, args);
  const event = await inArguments(
    COMMENT_ARGUMENTS,
    needs.requests.addComment(viewer, id, sentRecord(COMMENT, commentBody(args.comment))),
  );
  return { request_id: id, comment_id: event.id, ...entryOf(event) };
}

const commentBody = (content: string) => ({ payload: { content, format: "html" } });

function briefCommunity({ id, slug, metadata, access, revision_id: revision }: CommunityJson) {
  return {
    id,
    slug,
    title: metadata.title,
    ...(metadata.type === undefined ? {} : { type: metadata.type.id }),
    visibility: access.visibility,
    review_policy: access.review_policy,
    revision_id: revision,
  };
}

function briefRequest({
  id,
  type,
  title,
  status,
  is_open,
  created,
  created_by,
  receiver,
  topic,
  comments_count: comments,
  last_reply,
  links,
}: RequestJson) {
  return {
    id,
    type,
    title,
    status,
    is_open,
    created,
    created_by,
    receiver,
    topic,
    comments,
    ...(last_reply === null ? {} : { last_comment: entryOf(last_reply) }),
    actions: Object.keys(links.actions),
  };
}

/** A comment or event of the timeline; comments as plain text. */
function entryOf({ created, created_by: by, type, payload }: EventJson) {
  const { content = "", event } = payload;
  const words = htmlToText(content);
  return {
    at: created,
    by,
    kind: type === "C" ? "comment" : "event",
    ...(event === undefined ? {} : { event }),
    ...(words === "" ? {} : { text: words }),
  };
}
