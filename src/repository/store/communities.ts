// Communities and vocabularies (R6a).

import type { MemberRole } from "../../auth/account.ts";
import type { Instant } from "../../shared/instant.ts";

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

export type VocabularyEntry = {
  readonly type: string;
  readonly id: string;
  readonly title: { readonly en: string; readonly ja: string };
  readonly props: Readonly<Record<string, string>>;
};

export interface CommunityReader {
  communities(): Promise<readonly Community[]>;
  /** By UUID or slug. */
  community(idOrSlug: string): Promise<Community | null>;
  members(communityId: string): Promise<readonly { readonly accountId: number; readonly role: MemberRole }[]>;
  vocabularyTypes(): Promise<readonly string[]>;
  /** In their order, at most `limit`; all of them where it is left out. */
  vocabulary(type: string, limit?: number): Promise<readonly VocabularyEntry[]>;
  vocabularyEntry(type: string, id: string): Promise<VocabularyEntry | null>;
  countVocabulary(type: string): Promise<number>;
  /** Which of our editions the entries come from; 0 for none. */
  vocabularyEdition(): Promise<number>;
}

export interface CommunityWriter extends CommunityReader {
  /** Inserts or replaces by id. False when the slug is taken. */
  saveCommunity(community: Community): Promise<boolean>;
  deleteCommunity(id: string, at: Instant): Promise<void>;
  setMember(communityId: string, accountId: number, role: MemberRole | null): Promise<void>;
  /** Inserts or replaces, in the order given. */
  saveVocabulary(entries: readonly VocabularyEntry[]): Promise<void>;
  /** Inserts behind the others, or replaces where they stand. */
  putVocabulary(entries: readonly VocabularyEntry[]): Promise<void>;
  setVocabularyEdition(edition: number): Promise<void>;
  removeVocabularyEntry(type: string, id: string): Promise<boolean>;
}
