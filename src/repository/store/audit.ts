// The audit of the repository as it is read: who did what to what, when and from where. Entries are never changed.
import type { AccountId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** One entry of the audit: what was done to what. Never holds secrets, tokens or On-Behalf-Of values. */
export type RepositoryEvent = {
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type AuditEntry = RepositoryEvent & {
  readonly id: number;
  readonly at: Instant;
  /** Null: the program itself, or a guest. */
  readonly accountId: AccountId | null;
  readonly clientId: string;
  readonly address: string;
};

/** The place of an entry in the order of the audit. */
export type AuditPlace = Pick<AuditEntry, "at" | "id">;

export type AuditFilter = {
  readonly subject?: string;
  readonly account?: AccountId;
  readonly action?: string;
  readonly client?: string;
  /** At or after this moment. */
  readonly since?: Instant;
  /** Before this moment. */
  readonly until?: Instant;
};

export type AuditPage = {
  readonly entries: readonly AuditEntry[];
  /**
   * Where the next page goes on; null: there is nothing more. A page may have fewer entries than were asked for, and
   * still go on.
   */
  readonly next: AuditPlace | null;
};

export interface AuditReader {
  /** The newest entries about a subject. */
  events(subject: string, limit: number): Promise<readonly AuditEntry[]>;
  /** Newest first, after the place `before`. */
  listEvents(filter: AuditFilter, before: AuditPlace | null, limit: number): Promise<AuditPage>;
}
