// Items, their versions, revisions and drafts, and the facts their visibility is decided from (R2a to R2d).

import type { AccountId, IndexId, ItemId, ParentId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { Metadata } from "../metadata/metadata.ts";

export const ITEM_STATES = ["draft", "published", "deleted"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

export const FILE_ACCESS = ["open", "date", "login", "closed"] as const;
export type FileAccess = (typeof FILE_ACCESS)[number];

/** Two of the four facts of R2d that hold for a whole item, and its embargo. */
export type Access = {
  readonly record: "public" | "restricted";
  /** The record is shown from this day on. */
  readonly openDate: Day;
  readonly files: "public" | "restricted";
  readonly embargoUntil: Day | null;
  readonly embargoReason: string;
};

/** One file of an item, by name. The storage keeps its bytes under `storageKey`. */
export type ItemFile = {
  /** Unique in its item; nested paths are flattened (R13a). */
  readonly name: string;
  readonly storageKey: string;
  /**
   * Lower case hex; empty until a job has read what was uploaded in parts and so never passed whole through us (R7a).
   */
  readonly sha256: string;
  readonly md5: string | null;
  readonly sizeBytes: number;
  readonly mediaType: string;
  readonly access: FileAccess;
  /** From when `access: "date"` opens. */
  readonly accessDate: Day | null;
  /** Groups that `access: "login"` is limited to; empty: everybody who is signed in. */
  readonly groups: readonly number[];
  /** JPCOAR file: label, objectType, version, licence, dates; item type group File. */
  readonly label?: string;
  readonly objectType?: string;
  readonly version?: string;
  readonly license?: string;
  readonly licenseText?: string;
  readonly displayType?: string;
  /** The address the depositor gave for it, when it is not our own. */
  readonly url?: string;
  readonly dates?: readonly { readonly date: string; readonly type: string }[];
  /** Sizes as the depositor words them: "3MB", "24 pages" (JPCOAR extent). */
  readonly extents?: readonly string[];
  /** Members that its depositor sets over the interface of records (R37). */
  readonly metadata?: { readonly [member: string]: Json };
  /** Until its MD5 is known: the MD5 of the parts it was uploaded in, `multipart:<hex>-<parts>-<bytes of a part>`. */
  readonly composite?: string;
};

/**
 * What is read, stored and returned in TSV, and never shown in public output (R14). Keys are the column names without
 * the dot.
 */
export type PrivateSettings = {
  readonly feedbackMail?: readonly string[];
  readonly requestMail?: readonly string[];
  readonly posIndex?: readonly string[];
  readonly cnri?: string;
  readonly doiRa?: string;
  readonly doi?: string;
  readonly researchmapLinkage?: string;
  readonly grant?: readonly Json[];
  readonly textExtraction?: Readonly<Record<string, boolean>>;
  /**
   * The format of its package, whose settings decide how it is deleted (R16a). Not a column or a term of any format.
   */
  readonly packageFormat?: "TSV/CSV" | "XML" | "JSON";
  /** The workflow that was chosen for a draft (R16), until it is submitted. Like the format, not a column. */
  readonly workflow?: number;
};

/** The parts of an item that a revision or a draft stores. */
export type ItemContent = {
  readonly itemType: number;
  readonly itemTypeVersion: number;
  readonly metadata: Metadata;
  readonly access: Access;
  /** The indexes of the item, in the order given. */
  readonly indexes: readonly IndexId[];
  readonly settings: PrivateSettings;
  readonly files: readonly ItemFile[];
} & FileOptions;

/** What is to become of the files of a record (R37). */
export type FileOptions = {
  /** False: a record without files. Absent: enabled where there are some. */
  readonly filesEnabled?: boolean;
  /** Name of the file that is shown first. */
  readonly defaultPreview?: string;
  /** Names of files in the order in which they are shown; those that are not named follow. */
  readonly fileOrder?: readonly string[];
};

/** One version of a record. `id` is the recid (R2a). */
export type Item = {
  readonly id: ItemId;
  readonly parentId: ParentId;
  readonly versionIndex: number;
  readonly state: ItemState;
  /** Committed changes of the published side; 0 before the first publishing. Is the eTag (R2b). */
  readonly revision: number;
  /** Null while the item was never published: then it has only a draft. */
  readonly content: ItemContent | null;
  /** `naan/name` without `ark:`; null before it is minted. */
  readonly ark: string | null;
  readonly isLatest: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly publishedAt: Instant | null;
  readonly depositedBy: AccountId | null;
  readonly depositedOnBehalfOf: AccountId | null;
};

/** An item without its content and its files: what decides who may read it. */
export type ItemOutline = Omit<Item, "content"> & { readonly content: Pick<ItemContent, "access" | "indexes"> | null };

/** An outline, and about how many bytes the rest has in the database: at least a long text, where it is long. */
export type MeasuredOutline = ItemOutline & { readonly bytes: number };

/** A version without its content. */
export type VersionLine = Pick<Item, "id" | "versionIndex" | "state" | "isLatest" | "publishedAt">;

/**
 * How far the request stands by which an unpublished item waits for somebody; `created`: it was not yet submitted
 * (R2c).
 */
const REVIEW_STATES = ["created", "submitted", "declined", "expired"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];
/** `id`, `community`: UUIDs. */
export type Review = { readonly id: string; readonly community: string; readonly state: ReviewState };

/** What the versions of one record have in common (R2a). */
/** What a record is shared for; each includes those before it: reading, reading drafts, editing, sharing (R15, R37). */
export const PERMISSIONS = ["view", "preview", "edit", "manage"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** `role`: a group of accounts, as clients of existing record repositories call it. */
export type Grant = {
  readonly subject: "user" | "role";
  readonly id: number;
  readonly permission: Permission;
};

export type ItemParent = {
  readonly id: ParentId;
  readonly owner: AccountId;
  /** Accounts the item is shared with for editing or managing: they read and PUT, they do not delete (R15). */
  readonly shared: readonly AccountId[];
  /** What `shared` does not cover: other rights of accounts, and all rights of groups. */
  readonly grants?: readonly Grant[];
  readonly communities: readonly string[];
  /** The community it belongs to first, among these (R37). */
  readonly defaultCommunity: string | null;
  /** The request by which its first version waits for a community, or last waited; null: none. */
  readonly review: Review | null;
  /** The published, undeleted version with the highest index; null before publication. */
  readonly latest: ItemId | null;
  /** Accounts whose requests for closed files were accepted; absent: none. */
  readonly fileGrants?: readonly FileGrant[];
  /** Absent: as it is by default. */
  readonly accessSettings?: AccessSettings;
};

/** Opens the closed files of a record and its versions, and nothing else. */
export type FileGrant = { readonly account: AccountId; readonly endsOn: Day };

/** Who may ask for closed files, and what they read and receive. */
export type AccessSettings = {
  readonly users: boolean;
  readonly guests: boolean;
  /** What people accept by asking; "": nothing. */
  readonly conditions: string;
  /** Days that a right lasts where the deciding person sets no end. */
  readonly days: number;
};

/** An item and what ties it to its other versions, read together. */
export type WithParent<One = Item> = { readonly item: One; readonly parent: ItemParent };

export type Tombstone = {
  readonly itemId: ItemId;
  /** An id of the vocabulary removalreasons; null when the deletion came through SWORD or with an index (R2c). */
  readonly reason: string | null;
  readonly note: string;
  readonly by: AccountId | null;
  readonly at: Instant;
  readonly citation: string;
  /** False: only administrators see what was here; to everybody else there is nothing. */
  readonly isVisible: boolean;
};

export type Revision = {
  readonly itemId: ItemId;
  readonly revision: number;
  readonly action: string;
  readonly at: Instant;
  readonly by: AccountId | null;
  readonly onBehalfOf: AccountId | null;
  readonly content: ItemContent;
  /** The deposited package the revision came from; the bytes are not kept unless saveAsIs (R13). */
  readonly packageName: string | null;
  readonly packageSha256: string | null;
  /** When its content was destroyed; absent: never. */
  readonly erasedAt?: Instant;
};

export type Draft = {
  readonly itemId: ItemId;
  /** Counts the savings of the draft; not the eTag. */
  readonly counter: number;
  readonly content: ItemContent;
  readonly editor: AccountId;
  readonly savedAt: Instant;
  /** The counter starts again with every draft of an item. Null: it began before this was kept. */
  readonly beganAt: Instant | null;
  /** The activity that holds this draft, null for a person's own work. */
  readonly activityId: string | null;
};
