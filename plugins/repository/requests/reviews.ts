// The review of a draft, and the communities of a record, over HTTP (R6a, R37; specification 3, submit_to_community).
import { type TSchema, Type } from "@sinclair/typebox";
import { COMMUNITY_QUERY } from "../../../src/repository/communities/communities.ts";
import { CommunityList } from "../../../src/repository/communities/community-json.ts";
import { SUBMISSION } from "../../../src/repository/requests/comment-body.ts";
import {
  DEFAULT_COMMUNITY,
  INCLUSIONS,
  InclusionOutcome,
  ParentCommunities,
  REMOVALS,
  RemovalOutcome,
} from "../../../src/repository/requests/inclusions.ts";
import { type RecordCommunities, SUGGESTION_QUERY } from "../../../src/repository/requests/record-communities.ts";
import { RequestShape } from "../../../src/repository/requests/request-json.ts";
import { REQUEST_QUERY } from "../../../src/repository/requests/request-lists.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import { REVIEW } from "../../../src/repository/requests/reviews.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { RecordError, recordAnswer, recordGroup, recordIdOf } from "../record-dialect.ts";
import { REQUEST_TAG, requestList } from "./requests.ts";

type Services = { readonly requests: Requests; readonly communities: RecordCommunities };

const GROUP = recordGroup({
  ...REQUEST_TAG,
  name: "reviews",
  always: [404],
  pathParameters: { id: "Number of the record" },
});

const request = (status: number, description: string) => ({ status, description, schema: RequestShape });
const communityList = { status: 200, description: "The page", schema: CommunityList };
const nothingDone = (schema: TSchema) => ({
  400: {
    description: "Something sent is wrong, or nothing was done: `errors` has why",
    schema: Type.Union([RecordError, schema]),
  },
});

const { get, post, put, remove } = endpointsOf<Services>();

const REVIEW_ENDPOINTS = [
  get("/records/:id/requests", {
    id: "listRecordRequests",
    summary: "Requests about a record",
    description: "For those who may change it.",
    query: REQUEST_QUERY,
    answer: requestList,
    run: ({ requests }, { viewer, params, query }) => requests.listOfRecord(viewer, recordIdOf(params.id), query),
  }),
  get("/records/:id/draft/review", {
    id: "readDraftReview",
    summary: "The review of a draft",
    description: "The request by which it waits for a community, or waited last.",
    answer: request(200, "The request"),
    run: async ({ requests }, { viewer, params }) =>
      await requests.read(viewer, await requests.reviews.read(viewer, recordIdOf(params.id))),
  }),
  put("/records/:id/draft/review", {
    id: "setDraftReview",
    summary: "Which community reviews a draft",
    description:
      "Of the first version of a record that was never published. Takes the place of a review that is not open.",
    body: REVIEW,
    answer: request(200, "The request, not yet submitted"),
    run: async ({ requests }, { viewer, params, body }) =>
      await requests.read(viewer, await requests.reviews.set(viewer, recordIdOf(params.id), body)),
  }),
  remove("/records/:id/draft/review", {
    id: "deleteDraftReview",
    summary: "Remove the review",
    description: "Not while it is open.",
    answer: noContent("The review is removed"),
    refuses: [400],
    run: ({ requests }, { viewer, params }) => requests.reviews.remove(viewer, recordIdOf(params.id)),
  }),
  post("/records/:id/draft/actions/submit-review", {
    id: "submitDraftForReview",
    summary: "Submit a draft to its community",
    description:
      "The draft must be valid for publication. If the community accepts it without a review, it is published at once. After a declined or expired review it is submitted again.",
    body: SUBMISSION,
    answer: request(202, "The request"),
    refuses: [409],
    run: async ({ requests }, { viewer, params, body }) =>
      await requests.read(viewer, await requests.reviews.submit(viewer, recordIdOf(params.id), body)),
  }),
  get("/records/:id/communities", {
    id: "listRecordCommunities",
    summary: "Communities of a record",
    description: "Those the caller may see.",
    access: "guests",
    query: COMMUNITY_QUERY,
    answer: communityList,
    refuses: [403, 410],
    run: ({ communities }, { viewer, params, query }) => communities.list(viewer, recordIdOf(params.id), query),
  }),
  get("/records/:id/communities-suggestions", {
    id: "suggestRecordCommunities",
    summary: "Communities a record may be taken into",
    description: "Those it is not in and does not wait for.",
    query: SUGGESTION_QUERY,
    answer: communityList,
    refuses: [410],
    run: ({ communities }, { viewer, params, query }) => communities.suggestions(viewer, recordIdOf(params.id), query),
  }),
  post("/records/:id/communities", {
    id: "addRecordCommunities",
    summary: "Ask that a published record be taken into communities",
    description: "Each by a request, which is accepted at once where the community takes it without a review.",
    body: INCLUSIONS,
    answer: { status: 200, description: "One was asked at least", schema: InclusionOutcome },
    also: nothingDone(InclusionOutcome),
    refuses: [409],
    async run({ requests }, { viewer, params, body }) {
      const { processed, errors } = await requests.inclusions.add(viewer, recordIdOf(params.id), body);
      return processed.length === 0 ? recordAnswer(refused(errors), 400) : { processed, ...refused(errors) };
    },
  }),
  remove("/records/:id/communities", {
    id: "removeRecordCommunities",
    summary: "Take a record out of communities",
    description: "Those who may change the record, and curators of the community.",
    body: REMOVALS,
    answer: { status: 200, description: "It is out of one at least", schema: RemovalOutcome },
    also: nothingDone(RemovalOutcome),
    refuses: [409],
    async run({ requests }, { viewer, params, body }) {
      const { processed, errors } = await requests.inclusions.remove(viewer, recordIdOf(params.id), body);
      return processed.length === 0 ? recordAnswer(refused(errors), 400) : refused(errors);
    },
  }),
  put("/records/:id/communities", {
    id: "setDefaultRecordCommunity",
    summary: "Set the default community",
    description: "One the record is in; null for none.",
    body: DEFAULT_COMMUNITY,
    answer: { status: 200, description: "Its communities", schema: ParentCommunities },
    run: ({ requests }, { viewer, params, body }) =>
      requests.inclusions.setDefault(viewer, recordIdOf(params.id), body),
  }),
];

const refused = <T>(errors: readonly T[]): { readonly errors?: readonly T[] } =>
  errors.length === 0 ? {} : { errors };

export const reviewPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, REVIEW_ENDPOINTS, services, guard);
