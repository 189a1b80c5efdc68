// Communities (R6a); their reader also reads the vocabularies.

import type { MemberRole } from "../../auth/account.ts";
import type { Instant } from "../../shared/instant.ts";
import type { VocabularyReader, VocabularyWriter } from "./vocabularies.ts";

export type Community = {
  /** UUID. */
  readonly id: string;
  /** What `communityIds` and `communityid` of the interfaces name. */
  readonly slug: string;
  readonly title: { readonly en: string; readonly ja: string };
  readonly type: string;
  readonly visibility: "public" | "restricted";
  readonly reviewPolicy: "closed" | "open";
  readonly rootIndex: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export interface CommunityReader extends VocabularyReader {
  communities(): Promise<readonly Community[]>;
  /** By UUID or slug. */
  community(idOrSlug: string): Promise<Community | null>;
  members(communityId: string): Promise<readonly { readonly accountId: number; readonly role: MemberRole }[]>;
}

export interface CommunityWriter extends CommunityReader, VocabularyWriter {
  /** Inserts or replaces by id. False when the slug is taken. */
  saveCommunity(community: Community): Promise<boolean>;
  deleteCommunity(id: string, at: Instant): Promise<void>;
  setMember(communityId: string, accountId: number, role: MemberRole | null): Promise<void>;
}
