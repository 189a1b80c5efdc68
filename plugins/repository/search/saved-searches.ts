// Saved searches over HTTP (issue 26): each account sees and changes its own.
import { Type } from "@sinclair/typebox";
import {
  CHANGED_SEARCH,
  NEW_SEARCH,
  SAVED_SEARCHES_MOST,
  type SavedSearches,
  SavedSearchList,
  SavedSearchShape,
  savedSearchJson,
} from "../../../src/repository/saved-searches/saved-searches.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { recordGroup } from "../record-dialect.ts";

/** Below the base URL: the address of the feed of a search, with its secret at the end. */
export const SEARCH_FEEDS = "/feeds/searches/";

type Services = {
  readonly savedSearches: SavedSearches;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

const GROUP = recordGroup({
  name: "saved-searches",
  tag: "Accounts",
  scopes: ["user:activity"],
  ofOne: [404],
  pathParameters: { id: "UUID of the saved search" },
});

const FeedShape = Type.Object({ address: Type.String() }, { $id: "SavedSearchFeed" });
const one = (status: number) => ({ status, description: "The saved search", schema: SavedSearchShape });

const { get, post, put, remove } = endpointsOf<Services>();

const ENDPOINTS = [
  get("/user/saved-searches", {
    id: "listSavedSearches",
    summary: "The own saved searches",
    description: `At most ${SAVED_SEARCHES_MOST}.`,
    answer: { status: 200, description: "All of them", schema: SavedSearchList },
    async run({ savedSearches, baseUrl }, { viewer }) {
      const all = await savedSearches.list(viewer);
      return { hits: { hits: all.map((each) => savedSearchJson(each, baseUrl)), total: all.length } };
    },
  }),
  post("/user/saved-searches", {
    id: "saveSearch",
    summary: "Save a search",
    description: "`query`: parameters of the search page; those of the display are left out.",
    body: NEW_SEARCH,
    answer: one(201),
    refuses: [409],
    run: async ({ savedSearches, baseUrl }, { viewer, body }) =>
      savedSearchJson(await savedSearches.create(viewer, body), baseUrl),
  }),
  get("/user/saved-searches/:id", {
    id: "readSavedSearch",
    summary: "One saved search",
    description: "Of the caller.",
    answer: one(200),
    run: async ({ savedSearches, baseUrl }, { viewer, params }) =>
      savedSearchJson(await savedSearches.read(viewer, params.id), baseUrl),
  }),
  put("/user/saved-searches/:id", {
    id: "changeSavedSearch",
    summary: "Rename a saved search, or change its alert",
    description: "What is not sent stays.",
    body: CHANGED_SEARCH,
    answer: one(200),
    run: async ({ savedSearches, baseUrl }, { viewer, params, body }) =>
      savedSearchJson(await savedSearches.change(viewer, params.id, body), baseUrl),
  }),
  remove("/user/saved-searches/:id", {
    id: "deleteSavedSearch",
    summary: "Delete a saved search",
    description: "Its feed and its alert end.",
    answer: noContent("Deleted"),
    run: ({ savedSearches }, { viewer, params }) => savedSearches.remove(viewer, params.id),
  }),
  post("/user/saved-searches/:id/feed", {
    id: "makeSavedSearchFeed",
    summary: "A new address of the Atom feed of a saved search",
    description: "The address is secret and returned once; an earlier one ends.",
    answer: { status: 201, description: "The address", schema: FeedShape },
    run: async ({ savedSearches, baseUrl }, { viewer, params }) => ({
      address: `${baseUrl}${SEARCH_FEEDS}${await savedSearches.makeFeed(viewer, params.id)}`,
    }),
  }),
  remove("/user/saved-searches/:id/feed", {
    id: "endSavedSearchFeed",
    summary: "End the feed of a saved search",
    description: "Its address answers 404.",
    answer: noContent("Ended"),
    run: ({ savedSearches }, { viewer, params }) => savedSearches.endFeed(viewer, params.id),
  }),
];

export const savedSearchRoutes = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ENDPOINTS, services, guard);
