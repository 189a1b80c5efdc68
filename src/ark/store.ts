// The writing database of the ARK service, as small as services need it. `db/` implements it on SQLite and PostgreSQL;
// test/contracts/store-contract.ts is the suite every implementation passes.

import type { AccountReader } from "../auth/accounts.ts";
import type { Actor, Credential } from "../auth/caller.ts";
import type { RateBudget } from "../shared/http/rate-limit.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { ArkRecord, ArkState, Naan, Organisation, ReceiptKind, RegisteredThings, Shoulder } from "./record.ts";

/** What a caller may see. `organisation` reaches the names under its shoulders (one of them when pinned). */
export type Reach =
  | { readonly kind: "system" }
  | { readonly kind: "naan"; readonly naan: string }
  | {
      readonly kind: "organisation";
      readonly naan: string;
      readonly organisationId: number;
      readonly shoulder: string | null;
    };

export type ArkFilter = {
  readonly reach: Reach;
  readonly naan?: string;
  readonly shoulder?: string;
  /** Without it, withdrawn names (deleted, purged) are left out; `any`: they are not. */
  readonly state?: ArkState | "any";
  readonly updatedSince?: Instant;
  /** Found in title or url, ignoring the case of ASCII letters. */
  readonly text?: string;
};

export type Receipt = {
  readonly clientId: string;
  readonly requestId: string;
  readonly kind: ReceiptKind;
  readonly key: string;
  readonly createdAt: Instant;
};

type ChangeSubject = "ark" | "shoulder" | "naan" | "organisation" | "credential";

/** One entry of the history and of the feed; the audit gets the same with the actor's tier and address. */
export type Change = {
  readonly subject: ChangeSubject;
  /** Key of the ARK, `naan/shoulder`, NAAN, `naan/organisation name`, or client_id. */
  readonly target: string;
  readonly action: string;
  readonly beforeUrl: string;
  readonly afterUrl: string;
  /** Names of the fields that changed. */
  readonly fields: readonly string[];
  readonly reason: string;
};

export type HistoryEntry = Omit<Change, "subject" | "target"> & { readonly at: Instant; readonly by: string };

/** An entry and its place in the order in which changes were written. */
export type NumberedEntry = HistoryEntry & { readonly id: number };

/** At most `limit` entries after an id; or, newest first, before one. Null: from the first on. */
export type HistoryPage = {
  readonly order: "oldest first" | "newest first";
  readonly from: number | null;
  readonly limit: number;
};

export type ShoulderCounts = {
  readonly naan: string;
  readonly shoulder: string;
  readonly states: Readonly<Record<ArkState, number>>;
  /** Names made (minted, registered) since each of the instants asked for, in that order. */
  readonly madeSince: readonly number[];
  /** Holds on single names that have not ended at the instant `now`. */
  readonly holds: number;
};

export type SecretKind = "api_key" | "client_secret";

/** One secret of a credential; only the SHA-256 (hex) of its random part is kept (A23). */
export type CredentialSecret = {
  readonly id: string;
  readonly credentialId: number;
  readonly kind: SecretKind;
  readonly hash: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
};

export type UnregisteredSubject = {
  readonly issuer: string;
  readonly subject: string;
  readonly lastSeenAt: Instant;
  readonly times: number;
};

/** A credential as authentication needs it, read in one query. `secret` is null when it was found by client_id only. */
export type FoundCredential = {
  readonly credential: Credential;
  readonly secret: CredentialSecret | null;
  /** True where the credential belongs to no organisation. */
  readonly organisationActive: boolean;
};

export interface ArkReader {
  arks(keys: readonly string[]): Promise<ReadonlyMap<string, ArkRecord>>;
  /** Rows with a key greater than `after`, in key order (bytes). */
  listArks(filter: ArkFilter, after: string, limit: number): Promise<readonly ArkRecord[]>;
  /** Changes of one name, oldest first; all of them: historyParts of name-history.ts. */
  history(key: string, page: HistoryPage): Promise<readonly NumberedEntry[]>;
  /** The same of many names at once, by key; a name without changes is left out. */
  histories(keys: readonly string[]): Promise<ReadonlyMap<string, readonly HistoryEntry[]>>;
  /** Receipts behind this one, by client and request_id (bytes). */
  receiptsAfter(after: Pick<Receipt, "clientId" | "requestId">, limit: number): Promise<readonly Receipt[]>;
  counts(reach: Reach, now: Instant, since: readonly Instant[]): Promise<readonly ShoulderCounts[]>;

  naans(): Promise<readonly Naan[]>;
  /** NAANs, organisations, and the shoulders of these NAANs or all, read together. */
  registered(naans?: readonly string[]): Promise<RegisteredThings>;
  organisations(): Promise<readonly Organisation[]>;
  /** All shoulders of the NAANs named, or all there are. */
  shoulders(naans?: readonly string[]): Promise<readonly Shoulder[]>;
  credentials(): Promise<readonly Credential[]>;
  secretsOf(credentialId: number): Promise<readonly CredentialSecret[]>;

  credentialBySecret(secretId: string): Promise<FoundCredential | null>;
  credentialByClientId(clientId: string): Promise<FoundCredential | null>;
}

/**
 * Exists only inside `Store.transact`. On PostgreSQL the `lock…` functions take row locks in key order; on SQLite the
 * transaction itself is the lock.
 */
export interface ArkWriter extends ArkReader {
  /** The rows of these keys, locked until the end of the transaction. */
  lockArks(keys: readonly string[]): Promise<ReadonlyMap<string, ArkRecord>>;
  lockOrganisations(ids: readonly number[]): Promise<ReadonlyMap<number, Organisation>>;
  /**
   * Live names (any state but deleted and purged) below one of `keys` at a `/` or `.` boundary that are not in `keys`
   * themselves; at most `limit`.
   */
  partsBelow(keys: readonly string[], limit: number): Promise<readonly string[]>;
  /** How many of them there are. */
  countPartsBelow(keys: readonly string[]): Promise<number>;
  /**
   * Inserts rows whose key was never assigned; returns the inserted keys. A key that exists already, in any state, is
   * left alone.
   */
  insertArks(rows: readonly ArkRecord[]): Promise<ReadonlySet<string>>;
  /** Writes every column of these existing rows but the key. */
  updateArks(rows: readonly ArkRecord[]): Promise<void>;

  receipts(clientId: string, requestIds: readonly string[]): Promise<ReadonlyMap<string, Receipt>>;
  /**
   * Inserts receipts that do not exist yet; returns the inserted request_ids. Waits for a concurrent transaction that
   * holds the same one. All of one client.
   */
  claimReceipts(receipts: readonly Receipt[]): Promise<ReadonlySet<string>>;
  /** Points receipts claimed in this transaction at another key (after a collision). */
  moveReceipts(receipts: readonly Receipt[]): Promise<void>;
  /** Names newly minted or registered for this organisation since the instant (A27). */
  madeSince(organisationId: number, since: Instant): Promise<number>;
  /** Raises the blade length of a shoulder; never lowers it. */
  growBlade(naan: string, shoulder: string, bladeLength: number): Promise<void>;

  /** History, feed and audit of one or more changes, signed by one actor at one moment. */
  record(actor: Actor, at: Instant, changes: readonly Change[]): Promise<void>;
  /**
   * History that came with names from another service (A51), as it was signed there: feed and audit get it too, of the
   * tier `carried`.
   */
  recordCarried(histories: ReadonlyMap<string, readonly HistoryEntry[]>): Promise<void>;

  /** Inserts or replaces by NAAN. */
  saveNaan(naan: Naan): Promise<void>;
  /** Inserts (id 0: the database chooses) or replaces by id; returns the id. */
  saveOrganisation(organisation: Organisation): Promise<number>;
  /** Inserts or replaces by (naan, shoulder). Never lowers the blade length. */
  saveShoulder(shoulder: Shoulder): Promise<void>;
  /** Inserts (id 0) or replaces by id; returns the id. */
  saveCredential(credential: Credential): Promise<number>;
  insertSecret(secret: CredentialSecret): Promise<void>;
  revokeSecret(id: string, at: Instant): Promise<void>;
}

export interface Store extends ArkReader {
  /**
   * One transaction: everything or nothing. After serialisation failures and deadlocks `work` runs again.
   * One that is known to be `large` runs in another thread where that is possible.
   */
  transact<T>(work: (tx: ArkWriter) => Promise<T>, size?: "large"): Promise<T>;
  /** The reader that `read_only=true` asks for: the replica where one is configured, otherwise this store (A19). */
  readonly replica: ArkReader;
  /** Remembers a subject of the OIDC issuer that is not registered, for the operator (A24). At most 1,000 are kept. */
  noteUnregisteredSubject(issuer: string, subject: string, at: Instant): Promise<void>;
  unregisteredSubjects(): Promise<readonly UnregisteredSubject[]>;
  /** The budget of request rates that all minters of this database share; null where only one can be (SQLite). */
  readonly rates: RateBudget | null;
  /** Accounts of the repository, whose clients get tokens from the same endpoint (R6b). */
  readonly accounts: Pick<AccountReader, "secret" | "clientLife">;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  /** Proves by writing that it can be written, and leaves nothing; otherwise returns the reason in one sentence. */
  writeProblem(): Promise<string | null>;
  /** Connections open, idle and waited for (all zero on SQLite but `open`). */
  /** Nothing came for a while: memory that only answers sooner goes back to the system. */
  rest(): void;
  pool(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}
