// What the tools of communities and requests do (R30; specification 3, "Tool servers"; reference 1.2): over the use cases of both.

import type { Viewer } from "../../auth/account.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import { htmlToText } from "../../shared/html-text.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Communities } from "../communities/communities.ts";
import type { CommunityJson } from "../communities/community-json.ts";
import { cut } from "../model/summary.ts";
import type { Records } from "../records/records.ts";
import type { EventJson, RequestJson } from "../requests/request-json.ts";
import type { Requests } from "../requests/requests.ts";
import type { Arguments } from "./arguments.ts";
import { ToolRefusal } from "./outcome.ts";
import { isSet, number, paged, pageOf, text } from "./paging.ts";
import { summaryOf } from "./summary.ts";
import type { ToolHandlers } from "./tool-server.ts";
import { REQUEST_STATUSES } from "./tool-table.ts";

export type CommunityToolNeeds = {
  readonly communities: Communities;
  readonly requests: Requests;
  readonly records: Records;
  /** The number of the record a text names. */
  readonly idOf: (viewer: Viewer, given: string) => Promise<number>;
  readonly countRecords: (viewer: Viewer, community: string) => Promise<number>;
};

/** Characters of one entry of a timeline, and entries of a page of it. */
const ENTRY_MAX = 4_000;
const TIMELINE_PAGE = 50;

export function communityTools(needs: CommunityToolNeeds): ToolHandlers {
  const { communities, requests, records, idOf } = needs;

  function sought(args: Arguments): { paging: ReturnType<typeof pageOf>; parameters: URLSearchParams } {
    const paging = pageOf(args);
    const parameters = new URLSearchParams({ page: String(paging.page), size: String(paging.size) });
    if (text(args, "query") !== "") parameters.set("q", text(args, "query"));
    return { paging, parameters };
  }

  async function withRecord(viewer: Viewer, id: string) {
    const request = await requests.read(viewer, id);
    return { request: briefRequest(request) };
  }

  return {
    async search_communities({ viewer, args }) {
      const { paging, parameters } = sought(args);
      const { hits } = await communities.search(viewer, parameters);
      return { ...paged(hits.total, paging), communities: hits.hits.map(briefCommunity) };
    },

    async get_community({ viewer, args }) {
      const found = await communities.read(viewer, text(args, "community"));
      const { description, website } = found.metadata;
      return {
        ...briefCommunity(found),
        ...(description === undefined ? {} : { description: htmlToText(description) }),
        ...(website === undefined ? {} : { website }),
        records: await needs.countRecords(viewer, found.id),
        links: { self: found.links.self },
      };
    },

    async create_community({ viewer, args }) {
      const made = await communities.create(viewer, {
        slug: text(args, "slug"),
        metadata: { title: text(args, "title"), type: { id: text(args, "community_type") } },
        access: { visibility: text(args, "visibility"), review_policy: text(args, "review_policy") },
      });
      return briefCommunity(made);
    },

    async list_requests({ viewer, args }) {
      const { paging, parameters } = sought(args);
      const status = text(args, "status");
      if (status !== "" && !REQUEST_STATUSES.some((each) => each === status)) {
        throw new ToolRefusal(
          "invalid",
          `There is no status "${status.slice(0, 40)}".`,
          `status is one of ${REQUEST_STATUSES.join(", ")}, or empty`,
        );
      }
      if (status !== "") parameters.set("status", status);
      const { hits } = await requests.list(viewer, parameters);
      return { ...paged(hits.total, paging), requests: hits.hits.map(briefRequest) };
    },

    async get_request({ viewer, args }) {
      const id = text(args, "request_id");
      const request = briefRequest(await requests.read(viewer, id));
      if (!isSet(args, "timeline")) return request;
      const page = number(args, "page");
      const asked = new URLSearchParams({ page: String(page), size: String(TIMELINE_PAGE), sort: "oldest" });
      const { hits } = await requests.timeline(viewer, id, asked);
      const { next_page: next, total } = paged(hits.total, { page, size: TIMELINE_PAGE });
      return {
        ...request,
        timeline: hits.hits.map(entryOf),
        timeline_total: total,
        ...(next === undefined ? {} : { next_page: next }),
      };
    },

    async submit_to_community({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      const request = await requests.reviews.submitTo(viewer, id, text(args, "community"), text(args, "comment"));
      const told = await withRecord(viewer, request);
      // Under an open policy it is published already.
      const view = await records.readDraft(viewer, id).catch((error: unknown) => {
        if (!isRefusal(error, "not_found")) throw error;
        return records.read(viewer, id);
      });
      return { ...told, record: summaryOf(records.jsonOf(view), new Map()) };
    },

    async comment_on_request({ viewer, args }) {
      const id = text(args, "request_id");
      const event = await requests.addComment(viewer, id, said(text(args, "comment")));
      return { request_id: id, comment_id: event.id, ...entryOf(event) };
    },

    async request_action({ viewer, args }) {
      const id = text(args, "request_id");
      const comment = text(args, "comment");
      await requests.decide(viewer, id, text(args, "action"), comment.trim() === "" ? {} : said(comment));
      return briefRequest(await requests.read(viewer, id));
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
  last_reply,
  links,
}: RequestJson) {
  return {
    ...{ id, type, title, status, is_open, created, created_by, receiver, topic },
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
    ...(words === "" ? {} : { text: cut(words, ENTRY_MAX) }),
  };
}
