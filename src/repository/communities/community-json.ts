// Communities as the records interface shows them (R6a, R37), and the addresses they and their parts have.

import { buckets, type PageRequest, pageLinks } from "../../model/input/list-parameters.ts";
import type { Community, CommunityCounts } from "../store/communities.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";

/** Titles of the vocabulary communitytypes, by id. */
export type TypeTitles = ReadonlyMap<string, VocabularyEntry["title"]>;

export const communityPath = (id: string): string => `/api/communities/${id}`;

export function communityJson(community: Community, types: TypeTitles, baseUrl: string) {
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
      ...(details.description === undefined ? {} : { description: details.description }),
      ...(type === "" ? {} : { type: { id: type, ...(own === undefined ? {} : { title: own }) } }),
      ...(details.website === undefined ? {} : { website: details.website }),
      ...(details.organizations === undefined ? {} : { organizations: details.organizations }),
      ...(details.curationPolicy === undefined ? {} : { curation_policy: details.curationPolicy }),
      ...(details.page === undefined ? {} : { page: details.page }),
    },
    access: {
      visibility: community.visibility,
      members_visibility: community.membersVisibility,
      member_policy: "closed",
      record_submission_policy: community.submissionPolicy,
      review_policy: community.reviewPolicy,
    },
    custom_fields: {},
    deletion_status: { is_deleted: false, status: "P" },
    children: { allow: false },
    links: communityLinks(id, baseUrl),
  };
}

export type CommunityJson = ReturnType<typeof communityJson>;

function communityLinks(id: string, baseUrl: string) {
  const self = baseUrl + communityPath(id);
  return {
    self,
    rename: `${self}/rename`,
    members: `${self}/members`,
    public_members: `${self}/members/public`,
    invitations: `${self}/invitations`,
    requests: `${self}/requests`,
    records: `${self}/records`,
  };
}

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

export function communityListJson({ found, counts, asked, selected, path }: Page, types: TypeTitles, baseUrl: string) {
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
