// How communities and their members describe themselves in the interface description (R6a, R32, R37): kept apart from
// the routes.
import { type TSchema, Type } from "@sinclair/typebox";
import {
  hitsOf,
  ifMatch,
  oneOf,
  open,
  operation,
  paging,
  pathParameter,
  queryParameter,
  refusals,
  response,
} from "../../http/document-parts.ts";

const TAG = "Communities";

const ErrorOut = Type.Object({
  status: Type.Integer(),
  message: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), messages: Type.Array(Type.String()) }), {
      description: "Every member that is wrong, by its path",
    }),
  ),
});

/** What every route of communities and requests may answer. */
const REFUSED = refusals(ErrorOut, {
  400: "Something sent is wrong: `errors` names every member",
  403: "The token lacks the scope, or the caller may not do this",
  404: "There is none, or none the caller may know of",
});
const GONE = { 410: response("The community was deleted", ErrorOut) };
const CONDITION = { 412: response("Another revision is there than `If-Match` names", ErrorOut) };
const IF_MATCH = ifMatch("The revision the caller has seen");

const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema);

const Q = queryParameter("q", "The query", Type.String());

const CommunityIn = open({
  slug: Type.String({ maxLength: 100, pattern: "^[a-z0-9-]+$" }),
  metadata: Type.Object({
    title: Type.String({ minLength: 1, maxLength: 250 }),
    description: maybe(Type.String({ maxLength: 250 })),
    type: maybe(Type.Object({ id: Type.String({ description: "Entry of the vocabulary communitytypes" }) })),
    website: maybe(Type.String({ format: "uri" })),
    organizations: maybe(Type.Array(open({ id: maybe(Type.String()), name: maybe(Type.String()) }))),
    curation_policy: maybe(Type.String({ description: "HTML" })),
    page: maybe(Type.String({ description: "HTML" })),
  }),
  access: Type.Object({
    visibility: maybe(oneOf(["public", "restricted"])),
    members_visibility: maybe(oneOf(["public", "restricted"])),
    record_submission_policy: maybe(oneOf(["open", "closed"])),
    review_policy: maybe(oneOf(["closed", "open", "members"])),
    member_policy: maybe(oneOf(["open", "closed"])),
  }),
});
const CommunityOut = open({
  id: Type.String({ format: "uuid" }),
  slug: Type.String(),
  created: Type.String({ format: "date-time" }),
  updated: Type.String({ format: "date-time" }),
  revision_id: Type.Integer({ description: "Also the ETag" }),
  metadata: open({ title: Type.String() }),
  access: open({}),
  links: open({ self: Type.String() }),
});
const community = (description: string) =>
  response(description, CommunityOut, { ETag: { description: "The revision", schema: { type: "string" } } });
const COMMUNITIES_OUT = response("The page", hitsOf(CommunityOut));

const ID = pathParameter("id", "UUID or slug of the community");

type CommunityOperation = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly answers: Readonly<Record<number, object>>;
  readonly body?: TSchema;
  readonly parameters?: readonly object[];
  /** Guests may ask. */
  readonly forGuests?: true;
};

function communityOperation({
  id,
  summary,
  description,
  answers,
  body,
  parameters = [ID],
  forGuests,
}: CommunityOperation) {
  const scope = "user:activity";
  return {
    ...operation({
      id,
      tag: TAG,
      summary,
      description: `${description}\n\nScope of a token: \`${scope}\`${forGuests ? " for more than guests see" : ""}.`,
      parameters,
      ...(body === undefined ? {} : { body }),
      responses: { ...REFUSED, ...answers },
    }),
    ...(forGuests === true ? { security: [{}, { bearer: [] }] } : {}),
  };
}

const SORTS = ["bestmatch", "newest", "oldest", "updated-desc", "updated-asc"];
const FILTERS = [
  queryParameter("type", "Entries of the vocabulary communitytypes, separated by commas", Type.String()),
  queryParameter("visibility", "public, restricted", Type.String()),
];

export const SEARCH = communityOperation({
  id: "searchCommunities",
  summary: "Communities",
  description: "Restricted ones are shown to their members only.",
  parameters: [Q, ...paging(SORTS), ...FILTERS],
  answers: { 200: COMMUNITIES_OUT },
  forGuests: true,
});
export const SEARCH_OWN = communityOperation({
  id: "searchOwnCommunities",
  summary: "Communities the caller is a member of",
  description: "In whatever role.",
  parameters: [Q, ...paging(SORTS), ...FILTERS],
  answers: { 200: COMMUNITIES_OUT },
});
export const READ = communityOperation({
  id: "readCommunity",
  summary: "One community",
  description: "A restricted one is there for its members only.",
  answers: { 200: community("The community"), ...GONE },
  forGuests: true,
});
export const CREATE = communityOperation({
  id: "createCommunity",
  summary: "A new community",
  description:
    "The account that creates it becomes its owner. Submissions are reviewed unless `review_policy` specifies otherwise.",
  parameters: [],
  body: CommunityIn,
  answers: { 201: community("The community") },
});
export const UPDATE = communityOperation({
  id: "updateCommunity",
  summary: "Change a community",
  description: "Owners. `metadata` is replaced, of `access` what is sent; the slug is changed by renaming.",
  parameters: [ID, IF_MATCH],
  body: CommunityIn,
  answers: { 200: community("The community"), ...GONE, ...CONDITION },
});
export const RENAME = communityOperation({
  id: "renameCommunity",
  summary: "Another slug",
  description: "Owners.",
  parameters: [ID, IF_MATCH],
  body: Type.Object({ slug: Type.String() }),
  answers: { 200: community("The community"), ...GONE, ...CONDITION },
});
export const REMOVE = communityOperation({
  id: "deleteCommunity",
  summary: "Delete a community",
  description: "Owners. Its records and indexes stay; its slug is never another's. Not while requests to it are open.",
  parameters: [ID, IF_MATCH],
  answers: { 204: response("The community is deleted", null), ...GONE, ...CONDITION },
});

const Role = oneOf(["owner", "manager", "curator", "reader"]);
const Members = Type.Array(
  Type.Object({ type: oneOf(["user"]), id: Type.String({ description: "Id of an account" }) }),
  {
    minItems: 1,
    maxItems: 100,
  },
);
const MemberOut = open({
  id: Type.String(),
  member: open({ type: oneOf(["user"]), id: Type.String(), name: Type.String() }),
  role: maybe(Role),
  visible: maybe(Type.Boolean()),
  is_current_user: maybe(Type.Boolean()),
});

export const MEMBERS = communityOperation({
  id: "listCommunityMembers",
  summary: "Members of a community",
  description: "For its members.",
  parameters: [ID, Q, ...paging(["name", "newest", "oldest"])],
  answers: { 200: response("The page", hitsOf(MemberOut)), ...GONE },
});
export const PUBLIC_MEMBERS = communityOperation({
  id: "listPublicCommunityMembers",
  summary: "Members who want to be seen",
  description: "For everybody, unless the community keeps its members to itself.",
  parameters: [ID, Q, ...paging(["name", "newest", "oldest"])],
  answers: { 200: response("The page", hitsOf(MemberOut)), ...GONE },
  forGuests: true,
});
export const ADD_MEMBERS = communityOperation({
  id: "addCommunityMembers",
  summary: "Make accounts members",
  description: "Owners in any role, managers in any but owner. All or none.",
  body: open({ members: Members, role: Role }),
  answers: { 204: response("They are members", null), ...GONE },
});
export const UPDATE_MEMBERS = communityOperation({
  id: "updateCommunityMembers",
  summary: "Another role, or who is seen",
  description: "Members cannot change their role, and only they can make themselves visible. At least one owner stays.",
  body: open({ members: Members, role: maybe(Role), visible: maybe(Type.Boolean()) }),
  answers: { 204: response("They are changed", null), ...GONE },
});
export const REMOVE_MEMBERS = communityOperation({
  id: "removeCommunityMembers",
  summary: "Take members out, or leave",
  description: "One owner at least stays.",
  body: open({ members: Members }),
  answers: { 204: response("They are members no more", null), ...GONE },
});
