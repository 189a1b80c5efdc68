// Lists of requests (R37; specification 3, list_requests): as far as the viewer may see them, never one that was not
// submitted.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import {
  buckets,
  chosen,
  invalidQuery,
  type PageRequest,
  pageLinks,
  readPageRequest,
} from "../../model/input/list-parameters.ts";
import type { FieldError } from "../../model/input/record-refusals.ts";
import { permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import { mayReviewFor } from "../../model/rights/community-rights.ts";
import { may } from "../../model/rights/policy.ts";
import { isOpen, REQUEST_STATUSES, REQUEST_TYPES } from "../../model/rights/request-rules.ts";
import type { ItemId } from "../../shared/ids.ts";
import { REQUEST_SORTS, type RequestFilter } from "../store/requests.ts";
import { factsWith, requestSightOf } from "./request-facts.ts";
import { commentsOf, type RequestJson, requestJson } from "./request-json.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { requestsSought } from "./request-query.ts";

type ListScope = Pick<RequestFilter, "community" | "parent">;

/** One page of requests, with facets. */
type RequestList = {
  readonly hits: { readonly hits: readonly RequestJson[]; readonly total: number };
  readonly aggregations: { readonly type: object; readonly status: object };
  readonly sortBy: string;
  readonly links: Readonly<Record<string, string>>;
};

export interface RequestLists {
  list(viewer: Viewer, parameters: URLSearchParams): Promise<RequestList>;
  listOwn(viewer: Viewer, parameters: URLSearchParams): Promise<RequestList>;
  /** For those who decide about them. @throws Refusal not_found, forbidden. */
  listOfCommunity(viewer: Viewer, idOrSlug: string, parameters: URLSearchParams): Promise<RequestList>;
  /** For those who may change the record. @throws Refusal not_found. */
  listOfRecord(viewer: Viewer, item: ItemId, parameters: URLSearchParams): Promise<RequestList>;
}

export const requestLists = (needs: RequestsNeeds): RequestLists => {
  const { store, baseUrl } = needs;

  async function list(
    viewer: Viewer,
    parameters: URLSearchParams,
    path: string,
    within: ListScope,
  ): Promise<RequestList> {
    const asked = readPageRequest(parameters, { sorts: REQUEST_SORTS, found: "bestmatch", all: "newest" });
    const seenBy = requestSightOf(viewer);
    const filter: RequestFilter = {
      ...filterOf(parameters),
      ...within,
      ...(asked.q === "" ? {} : { sought: requestsSought(asked.q) }),
      ...(seenBy === undefined ? {} : { seenBy }),
    };
    const counts = await store.requests.countRequests(filter);
    const hits = await page(viewer, filter, asked);
    const kept = ["status", "type", "is_open"].map((name) => [name, parameters.get(name) ?? undefined] as const);
    return {
      hits: { hits, total: counts.total },
      aggregations: {
        type: { ...buckets(counts.types, nameOf, filter.types), label: "Type" },
        status: { ...buckets(counts.statuses, nameOf, filter.statuses), label: "Status" },
      },
      sortBy: asked.sort,
      links: pageLinks(baseUrl + path, asked, counts.total, Object.fromEntries(kept)),
    };
  }

  async function page(
    viewer: Viewer,
    filter: RequestFilter,
    asked: PageRequest<(typeof REQUEST_SORTS)[number]>,
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
    list: (viewer, parameters) => list(viewer, parameters, "/api/requests", {}),

    listOwn: (viewer, parameters) => list(viewer, parameters, "/api/user/requests", {}),

    async listOfCommunity(viewer, idOrSlug, parameters) {
      const community = await store.communities.community(idOrSlug.slice(0, 200).toLowerCase());
      if (community === null || !may(viewer, "community.see", community)) throw unknownRecord();
      if (!mayReviewFor(viewer, community.id)) throw permissionDenied();
      const path = `/api/communities/${community.id}/requests`;
      return await list(viewer, parameters, path, { community: community.id });
    },

    async listOfRecord(viewer, item, parameters) {
      const found = await store.items.withParent(item);
      if (found === null) throw unknownRecord();
      const { parent } = found;
      if (!isAdministrator(viewer) && !may(viewer, "item.edit", parent)) {
        throw found.item.state === "draft" ? unknownRecord() : permissionDenied();
      }
      return await list(viewer, parameters, `/api/records/${item}/requests`, { parent: parent.id });
    },
  };
};

const nameOf = (key: string): string => {
  const words = key.replaceAll("-", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

/** @throws Refusal `invalid` for a status or type that there is none of, naming those there are. */
function filterOf(parameters: URLSearchParams): RequestFilter {
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
  if (errors.length > 0) throw invalidQuery(errors);
  const wanted = open === null ? null : /^(?:true|1)$/i.test(open);
  const inState = (statuses ?? REQUEST_STATUSES).filter((each) => wanted === null || isOpen(each) === wanted);
  return {
    ...(types === undefined ? {} : { types }),
    ...(statuses === undefined && wanted === null ? {} : { statuses: inState }),
    ...references(parameters),
  };
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
