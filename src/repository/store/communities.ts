// Communities (R6a, R37); their reader also reads the vocabularies.
import type { MemberRole } from "../../auth/account.ts";
import type { FieldCondition } from "../../model/input/field-conditions.ts";
import type { AccountId, IndexId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { CommunityDetails } from "./community-details.ts";
import type { VocabularyReader, VocabularyWriter } from "./vocabularies.ts";

export type Community = {
  /** UUID. */
  readonly id: string;
  /** What `communityIds` and `communityid` of the interfaces name. */
  readonly slug: string;
  readonly title: { readonly en: string; readonly ja: string };
  readonly type: string;
  readonly visibility: "public" | "restricted";
  /** Whose submissions wait for a review: everybody's, those of accounts outside the community, nobody's. */
  readonly reviewPolicy: ReviewPolicy;
  /** Who submits to it: members, or everybody who is signed in and may see it. */
  readonly submissionPolicy: "open" | "closed";
  /** Who sees those of its members who want to be seen. */
  readonly membersVisibility: "public" | "restricted";
  /** Whether people may ask to join. */
  readonly memberPolicy: "open" | "closed";
  readonly details: CommunityDetails;
  readonly rootIndex: IndexId | null;
  /** Counts its changes. */
  readonly revision: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export const REVIEW_POLICIES = ["closed", "open", "members"] as const;
type ReviewPolicy = (typeof REVIEW_POLICIES)[number];

/** The settings of a community by default. */
export const PLAIN_COMMUNITY = {
  visibility: "public",
  reviewPolicy: "closed",
  submissionPolicy: "open",
  membersVisibility: "public",
  memberPolicy: "open",
  details: {},
  rootIndex: null,
  revision: 1,
} as const;

export type CommunityMember = {
  readonly accountId: AccountId;
  readonly role: MemberRole;
  /** Others than members see them. */
  readonly visible: boolean;
  /** Empty: from before it was kept. */
  readonly createdAt: Instant | "";
  readonly updatedAt: Instant | "";
};

/** The picture of a community. */
export type CommunityLogo = {
  readonly mediaType: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type CommunityFilter = {
  /** Of the fields `words` (titles, slug, description), `id`, `slug`, `type`, `visibility`, `created`, `updated`. */
  readonly sought?: FieldCondition;
  /** First in the order by best match: the community with this slug or title. */
  readonly exact?: string;
  readonly ids?: readonly string[];
  readonly except?: readonly string[];
  readonly types?: readonly string[];
  readonly visibility?: readonly string[];
  /** Restricted ones only where they are among these; absent: all. */
  readonly seen?: readonly string[];
};
export const COMMUNITY_SORTS = ["bestmatch", "newest", "oldest", "updated-desc", "updated-asc"] as const;
export type CommunitySort = (typeof COMMUNITY_SORTS)[number];

export type CommunityCounts = {
  readonly total: number;
  readonly types: ReadonlyMap<string, number>;
  readonly visibility: ReadonlyMap<string, number>;
};

export interface CommunityReader extends VocabularyReader {
  communities(): Promise<readonly Community[]>;
  /** By UUID or slug. */
  community(idOrSlug: string): Promise<Community | null>;
  /** Of many, by id; those that are not there are left out. */
  communitiesOf(ids: readonly string[]): Promise<readonly Community[]>;
  /** One that was deleted, by UUID or slug. */
  deletedCommunity(idOrSlug: string): Promise<Community | null>;
  findCommunities(
    filter: CommunityFilter,
    sort: CommunitySort,
    offset: number,
    limit: number,
  ): Promise<readonly Community[]>;
  countCommunities(filter: CommunityFilter): Promise<CommunityCounts>;
  /** The pictures of these, by id; their bytes are read one by one. */
  logos(ids: readonly string[]): Promise<ReadonlyMap<string, CommunityLogo>>;
  logoBytes(communityId: string): Promise<Uint8Array | null>;
  /** By account. */
  members(communityId: string): Promise<readonly CommunityMember[]>;
}

export interface CommunityWriter extends CommunityReader, VocabularyWriter {
  /** The same, locked until the end of the transaction. */
  lockCommunity(idOrSlug: string): Promise<Community | null>;
  /** Inserts, or replaces by id and counts that. False when the slug is taken, also by one that was deleted. */
  saveCommunity(community: Community): Promise<boolean>;
  /** With its picture. */
  deleteCommunity(id: string, at: Instant): Promise<void>;
  /** In the place of an earlier one, whose time of making it keeps. */
  saveLogo(communityId: string, logo: CommunityLogo, bytes: Uint8Array): Promise<void>;
  /** False where there is none. */
  deleteLogo(communityId: string): Promise<boolean>;
  /** Null takes the role away. */
  setMember(communityId: string, accountId: AccountId, role: MemberRole | null, at?: Instant): Promise<void>;
  showMember(communityId: string, accountId: AccountId, visible: boolean, at: Instant): Promise<void>;
}
