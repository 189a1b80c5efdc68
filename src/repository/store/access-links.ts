// Links that give a right to a record (R2d, R37). Of the secret of a link only its hash is known.
import type { Permission } from "../../model/items/item.ts";
import type { AccountId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";

export type AccessLink = {
  /** UUID. */
  readonly id: string;
  readonly parent: ParentId;
  readonly permission: Permission;
  /** SHA-256 (hex) of its secret. */
  readonly hash: string;
  readonly description: string;
  readonly maker: AccountId;
  readonly createdAt: Instant;
  /** Null: it does not expire. */
  readonly expiresAt: Instant | null;
  /** The request for closed files that it answers: then it opens files alone, for one person. */
  readonly request: string | null;
  /** How often the page of the record was opened with it. */
  readonly uses: number;
  readonly lastUsed: Day | null;
};

export interface AccessLinkReader {
  /** Oldest first. */
  linksOf(parent: ParentId): Promise<readonly AccessLink[]>;
  accessLink(id: string): Promise<AccessLink | null>;
  /** Those with these secrets. */
  linksByHash(hashes: readonly string[]): Promise<readonly AccessLink[]>;
}

export interface AccessLinkWriter extends AccessLinkReader {
  insertLink(link: AccessLink): Promise<void>;
  /** Permission, description and end. */
  saveLink(link: AccessLink): Promise<void>;
  deleteLink(id: string): Promise<void>;
  /** Another secret for the link that answers a request; false where there is none any more. */
  setLinkHash(request: string, hash: string): Promise<boolean>;
  deleteLinkOfRequest(request: string): Promise<void>;
  countLinkUse(hash: string, day: Day): Promise<void>;
  /** Keeps them as they are until the end of the transaction: nobody revokes them meanwhile. */
  holdLinks(hashes: readonly string[]): Promise<void>;
  /** The link, locked by somebody who changes it: before its record, as those who use it lock them. */
  lockLink(id: string): Promise<AccessLink | null>;
}
