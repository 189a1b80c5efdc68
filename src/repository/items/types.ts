// What the core of items works with, and what its functions take and give (R1 to R5).

import type { Viewer } from "../../auth/account.ts";
import type { Item, ItemContent } from "../../model/items/item.ts";
import type { AccountId, IndexId, ItemId, RecordId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { Lineages } from "../store/indexes.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";

export type ItemsNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  /** SVC_TIME_ZONE: in it a day begins and ends (R2d). */
  readonly timeZone: string;
  /** Public address of an item's landing page; the target of its ARK. */
  readonly landingPage: (id: RecordId) => string;
  /** Where an ARK (`naan/name`) resolves; absent: it is not cited. */
  readonly arkUrl?: (ark: string) => string;
  /** SVC_REPOSITORY_NAME; citations use it where the publisher is unknown. */
  readonly repositoryName?: string;
  /** client_id of the credential that mints for items (R5); null: items get no ARK. */
  readonly arkCredential: string | null;
  /** SVC_FULL_TEXT: the words of files are read by a job; absent: they are not (R35). */
  readonly fullText?: boolean;
  /** Reports names that were refused (R5a). */
  readonly log?: Pick<Log, "warn"> | undefined;
};

/** The package a revision came from (R13). */
type PackageNote = { readonly name: string; readonly sha256: string };

/** What a change may state about itself. */
export type ChangeNotes = {
  /** Recorded in the revision and the audit; each function has its own word. */
  readonly action?: string;
  /** The account of the On-Behalf-Of; never more than its id is kept (R15). */
  readonly onBehalfOf?: AccountId | null;
  readonly package?: PackageNote | null;
  /** The revision the caller has seen (If-Match): another one is refused as `precondition`. */
  readonly expected?: number | null;
  /** A lock the caller holds himself (R19). */
  readonly lockOwner?: string;
  /** Of the indexes it is filed into, read in this transaction while the tree was held. */
  readonly lineages?: Lineages;
  /** The activity on whose behalf this happens (R2f). */
  readonly activityId?: string;
  /** The request that decides about its draft (R2f). */
  readonly reviewId?: string;
  /**
   * Another account's edit draft does not block the change: it changes nothing that drafts contain, or an administrator
   * removes the item (R19).
   */
  readonly ignoresDraft?: boolean;
};

export type NewItem = ChangeNotes & {
  readonly content: ItemContent;
  /** Absent: the caller. */
  readonly owner?: AccountId;
  readonly sharedWith?: readonly number[];
};

export type ItemChange = ChangeNotes & { readonly content: ItemContent };

export type WriteOutcome = {
  readonly item: Item;
  /**
   * The item is public and should have an ARK, and has none yet: a job enqueued in the same transaction mints it (R5).
   */
  readonly arkPending: boolean;
};

/** One change in progress: who, when, and the day it is then. */
export type ChangeContext = {
  readonly viewer: Viewer;
  readonly at: Instant;
  readonly today: Day;
  readonly notes: ChangeNotes;
};

/** What the end of an activity does to its item, and what it needs to know of it, as the workflow asks for it (R16). */
export type ActivityItems = {
  /** Publishes the draft of an item as a new revision. `index`: filed there first. */
  readonly publishDraft: (tx: RepositoryWriter, viewer: Viewer, itemId: ItemId, how: PublishHow) => Promise<Item>;
  readonly remove: (tx: RepositoryWriter, viewer: Viewer, itemId: ItemId, activityId: string) => Promise<unknown>;
  readonly discardDraft: (tx: RepositoryWriter, viewer: Viewer, itemId: ItemId, activityId: string) => Promise<unknown>;
};

type PublishHow = {
  readonly activityId: string;
  /** Index the item is filed in when its draft names none (R16). */
  readonly index: IndexId | null;
  readonly depositor: number;
  readonly onBehalfOf: AccountId | null;
  readonly packageName: string | null;
  readonly packageSha256: string | null;
  /** The owner of a lock on the item that is held by the session that advances the activity (R19). */
  readonly lockOwner?: string;
};

/** The job that mints what could not be minted at once; its subject is the item's id (R5). */
export const MINT_JOB = "item_mint";
