// Lists of requests (R37; specification 3, list_requests): as far as the viewer may see them, never one that was not
// submitted.
import { type Static, Type } from "@sinclair/typebox";
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import {
  buckets,
  chosen,
  hitsShape,
  type PageRequest,
  pageLinks,
  pageQuery,
  type QueryReader,
  readPageRequest,
} from "../../model/input/list-parameters.ts";
import type { FieldError } from "../../model/input/record-refusals.ts";
import { permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import { mayReviewFor } from "../../model/rights/community-rights.ts";
import { may } from "../../model/rights/policy.ts";
import { isOpen, REQUEST_STATUSES, REQUEST_TYPES } from "../../model/rights/request-rules.ts";
import type { Sent } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { REQUEST_SORTS, type RequestFilter, type RequestSort } from "../store/requests.ts";
import { factsWith, requestSightOf } from "./request-facts.ts";
import { commentsOf, type RequestJson, RequestShape, requestJson } from "./request-json.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { requestsSought } from "./request-query.ts";

type ListScope = Pick<RequestFilter, "community" | "parent">;

/** One page of requests, with facets. */
export const RequestListShape = hitsShape(RequestShape, "RequestList");
type RequestList = Static<typeof RequestListShape>;

const SORTS = { sorts: REQUEST_SORTS, found: "bestmatch", all: "newest" } as const;
const several = (words: readonly string[]) => `One or more, separated by commas: ${words.join(", ")}`;

type ListedRequests = {
  readonly asked: PageRequest<RequestSort>;
  readonly filter: RequestFilter;
  /** What the links to other pages repeat. */
  readonly kept: Readonly<Record<string, string | undefined>>;
};

/** The parameters of a list of requests. */
export const REQUEST_QUERY: QueryReader<ListedRequests> = {
  parameters: [
    ...pageQuery(SORTS).parameters,
    { name: "status", description: several(REQUEST_STATUSES), schema: Type.String() },
    { name: "type", description: several(REQUEST_TYPES), schema: Type.String() },
    { name: "is_open", description: "Only those that wait, or only the others", schema: Type.Boolean() },
    { name: "created_by", description: "`user:ID`", schema: Type.String() },
    { name: "receiver", description: "`community:UUID` or `user:ID`", schema: Type.String() },
    { name: "topic", description: "`record:ID`", schema: Type.String() },
  ],
  read(parameters) {
    const { filter, errors } = filterOf(parameters);
    const kept = ["status", "type", "is_open"].map((name) => [name, parameters.get(name) ?? undefined] as const);
    return { asked: readPageRequest(parameters, SORTS, errors), filter, kept: Object.fromEntries(kept) };
  },
};
type RequestQuery = Sent<ListedRequests>;

export interface RequestLists {
  list(viewer: Viewer, query: RequestQuery): Promise<RequestList>;
  listOwn(viewer: Viewer, query: RequestQuery): Promise<RequestList>;
  /** For those who decide about them. @throws Refusal not_found, forbidden. */
  listOfCommunity(viewer: Viewer, idOrSlug: string, query: RequestQuery): Promise<RequestList>;
  /** For those who may change the record. @throws Refusal not_found. */
  listOfRecord(viewer: Viewer, item: ItemId, query: RequestQuery): Promise<RequestList>;
}

export const requestLists = (needs: RequestsNeeds): RequestLists => {
  const { store, baseUrl } = needs;

  async function list(viewer: Viewer, query: RequestQuery, path: string, within: ListScope): Promise<RequestList> {
    const { asked, filter: sent, kept } = query();
    const seenBy = requestSightOf(viewer);
    const filter: RequestFilter = {
      ...sent,
      ...within,
      ...(asked.q === "" ? {} : { sought: requestsSought(asked.q) }),
      ...(seenBy === undefined ? {} : { seenBy }),
    };
    const counts = await store.requests.countRequests(filter);
    const hits = await page(viewer, filter, asked);
    return {
      hits: { hits, total: counts.total },
      aggregations: {
        type: { ...buckets(counts.types, nameOf, filter.types), label: "Type" },
        status: { ...buckets(counts.statuses, nameOf, filter.statuses), label: "Status" },
      },
      sortBy: asked.sort,
      links: pageLinks(baseUrl + path, asked, counts.total, kept),
    };
  }

  async function page(
    viewer: Viewer,
    filter: RequestFilter,
    asked: PageRequest<RequestSort>,
  ): Promise<readonly RequestJson[]> {
    const found = await store.requests.findRequests(filter, asked.sort, (asked.page - 1) * asked.size, asked.size);
    const parents = await store.items.parents([...new Set(found.flatMap(({ parent }) => parent ?? []))]);
    const comments = await commentsOf(
      store,
      found.map(({ number }) => number),
    );
    return found.map((request) => {
      const facts = factsWith(request, parents.get(request.parent ?? 0) ?? null);
      return requestJson(viewer, request, facts, comments(request.number), baseUrl);
    });
  }

  return {
    list: (viewer, query) => list(viewer, query, "/api/requests", {}),

    listOwn: (viewer, query) => list(viewer, query, "/api/user/requests", {}),

    async listOfCommunity(viewer, idOrSlug, query) {
      const community = await store.communities.community(idOrSlug.slice(0, 200).toLowerCase());
      if (community === null || !may(viewer, "community.see", community)) throw unknownRecord();
      if (!mayReviewFor(viewer, community.id)) throw permissionDenied();
      const path = `/api/communities/${community.id}/requests`;
      return await list(viewer, query, path, { community: community.id });
    },

    async listOfRecord(viewer, item, query) {
      const found = await store.items.withParent(item);
      if (found === null) throw unknownRecord();
      const { parent } = found;
      if (!isAdministrator(viewer) && !may(viewer, "item.edit", parent)) {
        throw found.item.state === "draft" ? unknownRecord() : permissionDenied();
      }
      return await list(viewer, query, `/api/records/${item}/requests`, { parent: parent.id });
    },
  };
};

const nameOf = (key: string): string => {
  const words = key.replaceAll("-", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

/** What is asked for, and what is wrong with it: a status or type that there is none of. */
function filterOf(parameters: URLSearchParams): {
  readonly filter: RequestFilter;
  readonly errors: readonly FieldError[];
} {
  const errors: FieldError[] = [];
  const among = <T extends string>(name: string, known: readonly T[]): readonly T[] | undefined => {
    const values = chosen(parameters, name);
    if (values === undefined) return undefined;
    const unknown = values.filter((value) => !known.some((each) => each === value));
    if (unknown.length > 0) errors.push({ field: name, messages: [`Must be one of: ${known.join(", ")}.`] });
    return known.filter((each) => values.includes(each));
  };
  const statuses = among("status", REQUEST_STATUSES);
  const types = among("type", REQUEST_TYPES);
  const open = parameters.get("is_open");
  if (open !== null && !/^(?:true|false|1|0)$/i.test(open)) {
    errors.push({ field: "is_open", messages: ["Not a valid boolean."] });
  }
  const wanted = open === null ? null : /^(?:true|1)$/i.test(open);
  const inState = (statuses ?? REQUEST_STATUSES).filter((each) => wanted === null || isOpen(each) === wanted);
  const filter: RequestFilter = {
    ...(types === undefined ? {} : { types }),
    ...(statuses === undefined && wanted === null ? {} : { statuses: inState }),
    ...references(parameters),
  };
  return { filter, errors };
}

/** `created_by=user:1`, `receiver=community:UUID`, `topic=record:7`; a reference to nothing is ignored. */
function references(parameters: URLSearchParams): RequestFilter {
  const creator = /^user:([1-9]\d{0,14})$/.exec(parameters.get("created_by") ?? "")?.[1];
  const community = /^community:([0-9a-f-]{36})$/i.exec(parameters.get("receiver") ?? "")?.[1];
  const receiver = /^user:([1-9]\d{0,14})$/.exec(parameters.get("receiver") ?? "")?.[1];
  const item = /^record:([1-9]\d{0,14})$/.exec(parameters.get("topic") ?? "")?.[1];
  return {
    ...(creator === undefined ? {} : { creator: Number(creator) }),
    ...(community === undefined ? {} : { community: community.toLowerCase() }),
    ...(receiver === undefined ? {} : { receiver: Number(receiver) }),
    ...(item === undefined ? {} : { item: Number(item) }),
  };
}
