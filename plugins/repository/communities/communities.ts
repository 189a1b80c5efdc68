// Communities, their pictures and their members over HTTP (R6a, R37; specification 3, search_communities to
// create_community).

import { Type } from "@sinclair/typebox";
import { COMMUNITY_QUERY, type Communities } from "../../../src/repository/communities/communities.ts";
import {
  CHANGED_COMMUNITY,
  NEW_COMMUNITY,
  RENAMED_COMMUNITY,
} from "../../../src/repository/communities/community-body.ts";
import { CommunityList, CommunityShape } from "../../../src/repository/communities/community-json.ts";
import { LogoShape, type Logos } from "../../../src/repository/communities/logos.ts";
import {
  CHANGED_MEMBERS,
  MEMBER_QUERY,
  MemberList,
  type Members,
  NEW_MEMBERS,
  PublicMemberList,
} from "../../../src/repository/communities/members.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { recordGroup } from "../record-dialect.ts";
import { logoResponse } from "./logo-response.ts";

type Services = {
  readonly communities: Communities;
  readonly members: Members;
  readonly logos: Logos;
  /** The bytes of a picture, within their limit. */
  readonly logoBytes: (request: Request) => Promise<Uint8Array>;
};

const Bytes = Type.String({ format: "binary" });

const GROUP = recordGroup({
  name: "communities",
  tag: "Communities",
  scopes: ["user:activity"],
  ofOne: [404, 410],
  pathParameters: { id: "UUID or slug of the community" },
});

const list = { status: 200, description: "The page", schema: CommunityList };
const community = (status: number) => ({
  status,
  description: "The community",
  schema: CommunityShape,
  headers: { ETag: { description: "The revision", schema: { type: "string" } } },
  headersOf: ({ revision_id: revision }: { readonly revision_id: number }) => ({ etag: `"${revision}"` }),
});

const { get, post, put, remove } = endpointsOf<Services>();

const COMMUNITY_ENDPOINTS = [
  get("/communities", {
    id: "searchCommunities",
    summary: "Communities",
    description: "Restricted ones are shown to their members only.",
    access: "guests",
    query: COMMUNITY_QUERY,
    answer: list,
    run: ({ communities }, { viewer, query }) => communities.search(viewer, query),
  }),
  get("/user/communities", {
    id: "searchOwnCommunities",
    summary: "Communities the caller is a member of",
    description: "In whatever role.",
    query: COMMUNITY_QUERY,
    answer: list,
    run: ({ communities }, { viewer, query }) => communities.searchOwn(viewer, query),
  }),
  post("/communities", {
    id: "createCommunity",
    summary: "A new community",
    description:
      "The account that creates it becomes its owner. Submissions are reviewed unless `review_policy` specifies otherwise.",
    body: NEW_COMMUNITY,
    answer: community(201),
    run: ({ communities }, { viewer, body }) => communities.create(viewer, body),
  }),
  get("/communities/:id", {
    id: "readCommunity",
    summary: "One community",
    description: "A restricted one is there for its members only.",
    access: "guests",
    answer: community(200),
    run: ({ communities }, { viewer, params }) => communities.read(viewer, params.id),
  }),
  put("/communities/:id", {
    id: "updateCommunity",
    summary: "Change a community",
    description: "Owners. `metadata` is replaced, of `access` what is sent; the slug is changed by renaming.",
    body: CHANGED_COMMUNITY,
    conditional: true,
    answer: community(200),
    run: ({ communities }, { viewer, params, body, expected }) => communities.update(viewer, params.id, body, expected),
  }),
  post("/communities/:id/rename", {
    id: "renameCommunity",
    summary: "Another slug",
    description: "Owners.",
    body: RENAMED_COMMUNITY,
    conditional: true,
    answer: community(200),
    run: ({ communities }, { viewer, params, body, expected }) => communities.rename(viewer, params.id, body, expected),
  }),
  remove("/communities/:id", {
    id: "deleteCommunity",
    summary: "Delete a community",
    description:
      "Owners. Its records and indexes stay; its slug is never another's. Not while requests to it are open.",
    conditional: true,
    answer: noContent("The community is deleted"),
    refuses: [400],
    run: ({ communities }, { viewer, params, expected }) => communities.remove(viewer, params.id, expected),
  }),
  get("/communities/:id/logo", {
    id: "readCommunityLogo",
    summary: "The picture of a community",
    description: "404 where it has none.",
    access: "guests",
    answer: { status: 200, description: "The picture", schema: Bytes, mediaType: "image/*" },
    also: { 304: { description: "The caller has it", schema: null } },
    run: async ({ logos }, { viewer, params, request }) => logoResponse(request, await logos.read(viewer, params.id)),
  }),
  put("/communities/:id/logo", {
    id: "updateCommunityLogo",
    summary: "Give a community a picture",
    description: "Owners. PNG, JPEG, WebP or GIF, by the bytes.",
    content: { "application/octet-stream": Bytes },
    answer: { status: 200, description: "What is stated of it", schema: LogoShape },
    refuses: [400, 408, 413],
    run: async ({ logos, logoBytes }, { viewer, params, request }) =>
      await logos.save(viewer, params.id, await logoBytes(request)),
  }),
  remove("/communities/:id/logo", {
    id: "deleteCommunityLogo",
    summary: "Remove the picture of a community",
    description: "Owners.",
    answer: noContent("It has none any more"),
    run: ({ logos }, { viewer, params }) => logos.remove(viewer, params.id),
  }),
  get("/communities/:id/members", {
    id: "listCommunityMembers",
    summary: "Members of a community",
    description: "For its members.",
    query: MEMBER_QUERY,
    answer: { status: 200, description: "The page", schema: MemberList },
    run: ({ members }, { viewer, params, query }) => members.list(viewer, params.id, query),
  }),
  get("/communities/:id/members/public", {
    id: "listPublicCommunityMembers",
    summary: "Members who want to be seen",
    description: "For everybody, unless the community keeps its members to itself.",
    access: "guests",
    query: MEMBER_QUERY,
    answer: { status: 200, description: "The page", schema: PublicMemberList },
    run: ({ members }, { viewer, params, query }) => members.listVisible(viewer, params.id, query),
  }),
  post("/communities/:id/members", {
    id: "addCommunityMembers",
    summary: "Make accounts members",
    description: "Owners in any role, managers in any but owner. All or none.",
    body: NEW_MEMBERS,
    answer: noContent("They are members"),
    run: ({ members }, { viewer, params, body }) => members.add(viewer, params.id, body),
  }),
  put("/communities/:id/members", {
    id: "updateCommunityMembers",
    summary: "Another role, or who is seen",
    description:
      "Members cannot change their role, and only they can make themselves visible. At least one owner stays.",
    body: CHANGED_MEMBERS,
    answer: noContent("They are changed"),
    run: ({ members }, { viewer, params, body }) => members.update(viewer, params.id, body),
  }),
  remove("/communities/:id/members", {
    id: "removeCommunityMembers",
    summary: "Take members out, or leave",
    description: "One owner at least stays.",
    body: CHANGED_MEMBERS,
    answer: noContent("They are members no more"),
    run: ({ members }, { viewer, params, body }) => members.remove(viewer, params.id, body),
  }),
];

export const communityPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, COMMUNITY_ENDPOINTS, services, guard);
