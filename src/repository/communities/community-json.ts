// Communities as the records interface shows them (R6a, R37), and the addresses they and their parts have.

import { type Static, Type } from "@sinclair/typebox";
import { buckets, hitsShape, type PageRequest, pageLinks } from "../../model/input/list-parameters.ts";
import { BilingualShape, MomentShape, shownFields, UuidShape, wordOf } from "../../shared/shapes.ts";
import { type Community, type CommunityCounts, REVIEW_POLICIES } from "../store/communities.ts";
import { COMMUNITY_DETAILS } from "../store/community-details.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";

/** Titles of the vocabulary communitytypes, by id. */
export type TypeTitles = ReadonlyMap<string, VocabularyEntry["title"]>;

export const communityPath = (id: string): string => `/api/communities/${id}`;

/** A community as every answer has it. */
export const CommunityShape = Type.Object(
  {
    id: UuidShape,
    slug: Type.String(),
    created: MomentShape,
    updated: MomentShape,
    revision_id: Type.Integer({ description: "Also the ETag" }),
    metadata: Type.Object({
      title: Type.String(),
      title_ja: Type.Optional(Type.String({ description: "In Japanese, where it is another title" })),
      type: Type.Optional(
        Type.Object({
          id: Type.String({ description: "Entry of the vocabulary communitytypes" }),
          title: Type.Optional(BilingualShape),
        }),
      ),
      ...shownFields(COMMUNITY_DETAILS),
    }),
    access: Type.Object({
      visibility: wordOf(["public", "restricted"]),
      members_visibility: wordOf(["public", "restricted"]),
      member_policy: wordOf(["open", "closed"]),
      record_submission_policy: wordOf(["open", "closed"]),
      review_policy: wordOf(REVIEW_POLICIES),
    }),
    custom_fields: Type.Object({}),
    deletion_status: Type.Object({ is_deleted: Type.Boolean(), status: Type.String() }),
    children: Type.Object({ allow: Type.Boolean() }),
    links: Type.Object({
      self: Type.String(),
      rename: Type.String(),
      logo: Type.String(),
      members: Type.String(),
      public_members: Type.String(),
      invitations: Type.String(),
      membership_requests: Type.String(),
      requests: Type.String(),
      records: Type.String(),
    }),
  },
  { $id: "Community" },
);
export type CommunityJson = Static<typeof CommunityShape>;

export function communityJson(community: Community, types: TypeTitles, baseUrl: string): CommunityJson {
  const { id, slug, title, type, details } = community;
  const own = types.get(type);
  return {
    id,
    slug,
    created: community.createdAt,
    updated: community.updatedAt,
    revision_id: community.revision,
    metadata: {
      title: title.en,
      ...(title.ja === title.en || title.ja === "" ? {} : { title_ja: title.ja }),
      ...(type === "" ? {} : { type: { id: type, ...(own === undefined ? {} : { title: own }) } }),
      ...details,
    },
    access: {
      visibility: community.visibility,
      members_visibility: community.membersVisibility,
      member_policy: community.memberPolicy,
      record_submission_policy: community.submissionPolicy,
      review_policy: community.reviewPolicy,
    },
    custom_fields: {},
    deletion_status: { is_deleted: false, status: "P" },
    children: { allow: false },
    links: communityLinks(id, baseUrl),
  };
}

function communityLinks(id: string, baseUrl: string) {
  const self = baseUrl + communityPath(id);
  return {
    self,
    rename: `${self}/rename`,
    logo: `${self}/logo`,
    members: `${self}/members`,
    public_members: `${self}/members/public`,
    invitations: `${self}/invitations`,
    membership_requests: `${self}/membership-requests`,
    requests: `${self}/requests`,
    records: `${self}/records`,
  };
}

/** A page of communities. */
export const CommunityList = hitsShape(CommunityShape, "CommunityList");

type Page = {
  readonly found: readonly Community[];
  readonly counts: CommunityCounts;
  readonly asked: PageRequest<string>;
  readonly selected: {
    readonly types?: readonly string[] | undefined;
    readonly visibility?: readonly string[] | undefined;
  };
  /** Where it is asked for, below the public address. */
  readonly path: string;
};

export function communityListJson(
  { found, counts, asked, selected, path }: Page,
  types: TypeTitles,
  baseUrl: string,
): Static<typeof CommunityList> {
  const label = (key: string): string => types.get(key)?.en ?? key;
  const parameters = { type: selected.types?.join(","), visibility: selected.visibility?.join(",") };
  return {
    hits: { hits: found.map((each) => communityJson(each, types, baseUrl)), total: counts.total },
    aggregations: {
      type: { ...buckets(counts.types, label, selected.types), label: "Type" },
      visibility: {
        ...buckets(counts.visibility, (key) => `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`, selected.visibility),
        label: "Visibility",
      },
    },
    sortBy: asked.sort,
    links: pageLinks(baseUrl + path, asked, counts.total, parameters),
  };
}
