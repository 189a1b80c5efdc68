// The writing database of the repository: one transaction over all its aggregates and the ARK service's tables (R5: an
// item and its ARK are one commit).
import type { ArkWriter, Store } from "../../ark/store.ts";
import type { Viewer } from "../../auth/account.ts";
import type { AccountReader, AccountWriter } from "../../auth/accounts.ts";
import type { ProfileReader, ProfileWriter } from "../../auth/profiles.ts";
import type { JobReader, JobWriter } from "../../jobs/store.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { AccessLinkReader, AccessLinkWriter } from "./access-links.ts";
import type { AccessRequestReader, AccessRequestWriter } from "./access-requests.ts";
import type { ActivityReader, ActivityWriter } from "./activities.ts";
import type { AuditReader, RepositoryEvent } from "./audit.ts";
import type { AuthorReader, AuthorWriter } from "./authors.ts";
import type { ChangeReader } from "./changes.ts";
import type { CommunityReader, CommunityWriter } from "./communities.ts";
import type { CountReader } from "./counts.ts";
import type { DraftFileReader, DraftFileWriter } from "./draft-files.ts";
import type { DraftRevisionReader, DraftRevisionWriter } from "./draft-revisions.ts";
import type { FullTextReader, FullTextWriter } from "./full-text.ts";
import type { GrantReader, GrantWriter } from "./grants.ts";
import type { HarvestReader, HarvestWriter } from "./harvest.ts";
import type { IndexReader, IndexWriter } from "./indexes.ts";
import type { ItemReader, ItemWriter } from "./items.ts";
import type { OutgoingReader, OutgoingWriter } from "./outgoing.ts";
import type { PersonalDataReader, PersonalDataWriter } from "./personal-data.ts";
import type { RequestReader, RequestWriter } from "./requests.ts";
import type { SavedSearchReader, SavedSearchWriter } from "./saved-searches.ts";
import type { SearchCollectionReader, SearchWriter } from "./search-writer.ts";
import type { SettingReader, SettingWriter } from "./settings.ts";
import type { StaticPageReader, StaticPageWriter } from "./static-pages.ts";
import type { StorageIdentity } from "./storage-marker.ts";
import type { TransferReader, TransferWriter } from "./transfers.ts";
import type { UsageReader, UsageWriter } from "./usage.ts";

export type RepositoryReader = {
  readonly accounts: AccountReader;
  readonly profiles: ProfileReader;
  readonly personalData: PersonalDataReader;
  readonly grants: GrantReader;
  readonly communities: CommunityReader;
  readonly requests: RequestReader;
  readonly authors: AuthorReader;
  readonly settings: SettingReader;
  readonly indexes: IndexReader;
  readonly items: ItemReader;
  readonly transfers: TransferReader;
  readonly accessRequests: AccessRequestReader;
  readonly staticPages: StaticPageReader;
  readonly accessLinks: AccessLinkReader;
  readonly draftFiles: DraftFileReader;
  readonly draftRevisions: DraftRevisionReader;
  readonly activities: ActivityReader;
  readonly jobs: JobReader;
  readonly fullText: FullTextReader;
  readonly harvest: HarvestReader;
  readonly usage: UsageReader;
  readonly outgoing: OutgoingReader;
  readonly savedSearches: SavedSearchReader;
};

/** Exists only inside `transact`. */
export type RepositoryWriter = {
  readonly arks: ArkWriter;
  readonly accounts: AccountWriter;
  readonly profiles: ProfileWriter;
  readonly personalData: PersonalDataWriter;
  readonly grants: GrantWriter;
  readonly communities: CommunityWriter;
  readonly requests: RequestWriter;
  readonly authors: AuthorWriter;
  readonly settings: SettingWriter;
  readonly indexes: IndexWriter;
  readonly items: ItemWriter;
  readonly transfers: TransferWriter;
  readonly accessRequests: AccessRequestWriter;
  readonly staticPages: StaticPageWriter;
  readonly accessLinks: AccessLinkWriter;
  readonly draftFiles: DraftFileWriter;
  readonly draftRevisions: DraftRevisionWriter;
  readonly activities: ActivityWriter;
  readonly jobs: JobWriter;
  readonly fullText: FullTextWriter;
  readonly harvest: HarvestWriter;
  readonly usage: UsageWriter;
  readonly outgoing: OutgoingWriter;
  readonly savedSearches: SavedSearchWriter;
  readonly storage: StorageIdentityWriter;
  readonly searchWriting: SearchWriter;
  audit(viewer: Viewer, at: Instant, events: readonly RepositoryEvent[]): Promise<void>;
};

export type RepositoryStore = RepositoryReader &
  AuditReader & {
    /** The store of the ARK service on the same database. */
    readonly arks: Store;
    readonly counts: CountReader;
    readonly searching: SearchCollectionReader;
    /** What was changed, in the order in which it was committed (R34). */
    readonly changes: ChangeReader;
    /**
     * One transaction: everything or nothing. `work` may run more than once. `large`: its statements run in the thread
     * that writes, where there is one.
     */
    transact<T>(work: (tx: RepositoryWriter) => Promise<T>, size?: "large"): Promise<T>;
    ping(): Promise<void>;
    close(): Promise<void>;
  };

/** What a database knows of the storage it may sweep (R7c). */
export interface StorageIdentityWriter {
  /** Held until the end of the transaction. `fresh` becomes the id of a database that has none yet. */
  lockIdentity(fresh: string): Promise<StorageIdentity>;
  saveTurns(identity: StorageIdentity): Promise<void>;
}

/** What a part of the repository writes at every start where it is missing (R32); what is there stays. */
export type SetupStep = (tx: RepositoryWriter, at: Instant) => Promise<void>;
