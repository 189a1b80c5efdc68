// What the tools of communities and requests do (R30; specification 3, "Tool servers"; reference 1.2): over the use cases of both.

import type { Viewer } from "../../auth/account.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import { htmlToText } from "../../shared/html-text.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Communities } from "../communities/communities.ts";
import { requireCommunityNames } from "../communities/community-query.ts";
import type { CommunityJson } from "../communities/community-json.ts";
import { permissionDenied, RECORD_SENTENCES } from "../model/record-refusals.ts";
import type { RecordLists } from "../record-lists/record-lists.ts";
import type { Records } from "../records/records.ts";
import type { EventJson, RequestJson } from "../requests/request-json.ts";
import { requireRequestNames } from "../requests/request-query.ts";
import type { Requests } from "../requests/requests.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { Arguments } from "./arguments.ts";
import { bounded } from "./bounds.ts";
import { namedThing } from "./identifiers.ts";
import { inArguments, ToolRefusal } from "./outcome.ts";
import { isSet, paged, pageOf, text } from "./paging.ts";
import { recordAnswers } from "./record-answers.ts";
import type { ToolHandlers } from "./tool-server.ts";

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

/** What the bodies of the records interface call what the tools take as arguments. */
const COMMUNITY_ARGUMENTS = {
  "metadata.title": "title",
  "metadata.type.id": "community_type",
  "access.visibility": "visibility",
  "access.review_policy": "review_policy",
};
const COMMENT_ARGUMENTS = { payload: "comment", "payload.content": "comment", "receiver.community": "community" };
/** The same of the one community of add_to_community. */
const INCLUSION_ARGUMENTS = { "communities.0.id": "community", "communities.0.comment.payload.content": "comment" };

export function communityTools(needs: CommunityToolNeeds): ToolHandlers {
  const { communities, requests, records, idOf } = needs;
  const { briefOf } = recordAnswers(needs);

  function sought(args: Arguments): { paging: ReturnType<typeof pageOf>; parameters: URLSearchParams } {
    const paging = pageOf(args);
    const parameters = new URLSearchParams({ page: String(paging.page), size: String(paging.size) });
    if (text(args, "query") !== "") parameters.set("q", text(args, "query"));
    return { paging, parameters };
  }

  const communityOf = (args: Arguments): string => namedThing(text(args, "community"), "communities", needs.baseUrl);
  const requestOf = (args: Arguments): string => namedThing(text(args, "request_id"), "requests", needs.baseUrl);

  async function decided(viewer: Viewer, id: string, action: string, comment: string) {
    const body = comment.trim() === "" ? {} : said(comment);
    await inArguments(COMMENT_ARGUMENTS, requests.decide(viewer, id, action, body));
    return briefRequest(await requests.read(viewer, id));
  }

  /** With the records in it that this viewer may read. */
  async function counted(viewer: Viewer, community: CommunityJson) {
    return { ...briefCommunity(community), records: await needs.countRecords(viewer, community.id) };
  }

  return {
    async search_communities({ viewer, args }) {
      requireCommunityNames(text(args, "query"));
      const { paging, parameters } = sought(args);
      const { hits, sortBy } = await communities.search(viewer, parameters);
      const found = [];
      for (const each of hits.hits) found.push(await counted(viewer, each));
      return { ...paged(hits.total, paging), communities: found, sort: sortBy };
    },

    async get_community({ viewer, args }) {
      const found = await communities.read(viewer, communityOf(args));
      const { description, website } = found.metadata;
      return {
        ...(await counted(viewer, found)),
        ...(description === undefined ? {} : { description: htmlToText(description) }),
        ...(website === undefined ? {} : { website }),
        links: { self: found.links.self },
      };
    },

    async create_community({ viewer, args }) {
      const body = {
        slug: text(args, "slug"),
        metadata: { title: text(args, "title"), type: { id: text(args, "community_type") } },
        access: { visibility: text(args, "visibility"), review_policy: text(args, "review_policy") },
      };
      const made = await inArguments(COMMUNITY_ARGUMENTS, communities.create(viewer, body));
      return { ...briefCommunity(made), records: 0, links: { self: made.links.self } };
    },

    async list_requests({ viewer, args }) {
      requireRequestNames(text(args, "query"));
      const { paging, parameters } = sought(args);
      const status = text(args, "status");
      if (status !== "") parameters.set("status", status);
      const { hits, sortBy } = await requests.list(viewer, parameters);
      return { ...paged(hits.total, paging), requests: hits.hits.map(briefRequest), sort: sortBy };
    },

    async get_request({ viewer, args }) {
      const id = requestOf(args);
      const request = briefRequest(await requests.read(viewer, id));
      if (!isSet(args, "timeline")) return request;
      const paging = pageOf(args);
      const { page, size } = paging;
      const asked = new URLSearchParams({ page: String(page), size: String(size), sort: "oldest" });
      const { hits } = await requests.timeline(viewer, id, asked);
      const { next_page: next, total } = paged(hits.total, paging);
      return {
        ...request,
        ...bounded(
          { timeline: hits.hits.map(entryOf) },
          "timeline",
          "get_request with size=10 returns these texts whole",
        ),
        timeline_total: total,
        ...(next === undefined ? {} : { next_page: next }),
      };
    },

    async submit_to_community({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      const submitted = requests.reviews.submitTo(viewer, id, communityOf(args), text(args, "comment"));
      const request = await requests.read(viewer, await inArguments(COMMENT_ARGUMENTS, submitted));
      // Under an open policy it is published already.
      const view = await records.readDraft(viewer, id).catch((error: unknown) => {
        if (!isRefusal(error, "not_found")) throw error;
        return records.read(viewer, id);
      });
      return { request: briefRequest(request), record: await briefOf(view) };
    },

    async add_to_community({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      const comment = text(args, "comment");
      const body = {
        communities: [{ id: communityOf(args), ...(comment.trim() === "" ? {} : { comment: said(comment) }) }],
      };
      const { processed, errors } = await inArguments(INCLUSION_ARGUMENTS, requests.inclusions.add(viewer, id, body));
      const [included] = processed;
      if (included === undefined) {
        const messages = errors.map(({ message }) => message);
        const hint = "search_communities (query) finds communities; get_community (community) shows who may submit";
        throw new ToolRefusal("invalid", messages[0] ?? RECORD_SENTENCES.validation, hint, [
          { field: "community", messages },
        ]);
      }
      return { request: briefRequest(included.request), record: await briefOf(await records.read(viewer, id)) };
    },

    async cancel_submission({ viewer, args }) {
      const id = requestOf(args);
      const { created_by: by } = await requests.read(viewer, id);
      // Curators decide by request_action, which needs another scope.
      const isOwn = viewer.account !== null && memberOf(by, "user") === String(viewer.account.id);
      if (!isOwn) throw permissionDenied();
      return await decided(viewer, id, "cancel", text(args, "comment"));
    },

    async comment_on_request({ viewer, args }) {
      const id = requestOf(args);
      const event = await inArguments(COMMENT_ARGUMENTS, requests.addComment(viewer, id, said(text(args, "comment"))));
      return { request_id: id, comment_id: event.id, ...entryOf(event) };
    },

    async request_action({ viewer, args }) {
      return await decided(viewer, requestOf(args), text(args, "action"), text(args, "comment"));
    },
  };
}

const said = (content: string) => ({ payload: { content, format: "html" } });

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
    ...{ id, type, title, status, is_open, created, created_by, receiver, topic, comments },
    ...(last_reply === null ? {} : { last_comment: entryOf(last_reply) }),
    actions: Object.keys(links.actions),
  };
}

/** What was said or done, as plain text: written by people, and marked so. */
function entryOf({ created, created_by: by, type, payload }: EventJson) {
  const content = isObject(payload) ? memberOf(payload, "content") : undefined;
  const event = isObject(payload) ? memberOf(payload, "event") : undefined;
  const words = typeof content === "string" ? htmlToText(content) : "";
  return {
    at: created,
    by,
    kind: type === "C" ? "comment" : "event",
    ...(typeof event === "string" ? { event } : {}),
    ...(words === "" ? {} : { text: words }),
  };
}
