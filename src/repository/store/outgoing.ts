// What the repository sends to other systems (R41, R45): one outbox, written in the transaction of its cause. An entry
// is a notice, whose receivers are not known yet, or a mail to one account.
import { randomText } from "../../shared/hash/digests.ts";
import type { AccountId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import type { Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";

const OUTGOING_CHANNELS = ["notice", "mail"] as const;
export type OutgoingChannel = (typeof OUTGOING_CHANNELS)[number];

/**
 * `waiting`: for its time, or for the next try. `digest`: for the digest of its receiver. `handed`: its last bytes are
 * being sent. `uncertain`: the process ended, or the connection was lost, meanwhile: it may have arrived, and is not
 * sent again. `dropped`: nobody was to receive it any more.
 */
export const OUTGOING_STATES = ["waiting", "digest", "handed", "sent", "failed", "uncertain", "dropped"] as const;
export type OutgoingState = (typeof OUTGOING_STATES)[number];

export type OutgoingEntry = {
  readonly id: number;
  readonly channel: OutgoingChannel;
  /** What it is about and why, such as `accepted request:UUID`. */
  readonly subject: string;
  /** Null for a notice. */
  readonly accountId: AccountId | null;
  readonly payload: Json;
  readonly state: OutgoingState;
  /** How often it was tried. */
  readonly attempts: number;
  readonly runAt: Instant;
  /** For people; "" when nothing went wrong. */
  readonly lastError: string;
  readonly createdAt: Instant;
  readonly endedAt: Instant | null;
};

export type NewOutgoing = Pick<OutgoingEntry, "channel" | "subject" | "accountId" | "payload" | "runAt"> & {
  readonly state: "waiting" | "digest";
};

/** How an entry goes on; `from`: only while it is in this state. */
export type OutgoingStep = {
  readonly from: OutgoingState;
  readonly to: OutgoingState;
  readonly at: Instant;
  readonly attempts?: number;
  readonly runAt?: Instant;
  readonly error?: string;
};

export type OutgoingFilter = { readonly channel?: OutgoingChannel; readonly state?: OutgoingState };

/** What an account has chosen about notices; none: everything as it is by default. */
export type NoticeSetting = {
  readonly accountId: AccountId;
  /** Language of mails; null: that of the repository. */
  readonly language: string | null;
  /** By kind of notice. Kinds that are missing are sent at once. */
  readonly choices: Readonly<Record<string, string>>;
  /** Signs the links by which messages of a kind are ended without signing in. Kept as it was first saved. */
  readonly stopKey: string;
  /** SHA-256 of the secret in the address of the feed of tasks; null: there is none. */
  readonly feedHash: string | null;
};

/** What an account has that never chose anything. */
export const freshSetting = (accountId: AccountId, random: Pick<Random, "bytes">): NoticeSetting => ({
  accountId,
  language: null,
  choices: {},
  stopKey: randomText(random.bytes(32)),
  feedHash: null,
});

export interface OutgoingReader {
  /** Newest first, below the id `before`. */
  listOutgoing(filter: OutgoingFilter, before: number | null, limit: number): Promise<readonly OutgoingEntry[]>;
  noticeSetting(account: AccountId): Promise<NoticeSetting | null>;
  /** The account whose feed of tasks has this secret. */
  accountOfFeed(feedHash: string): Promise<AccountId | null>;
}

export interface OutgoingWriter extends OutgoingReader {
  /** Of one channel, subject and account one entry waits at a time: it takes the new payload and the earlier moment. */
  addOutgoing(entries: readonly NewOutgoing[], at: Instant): Promise<void>;
  /** The outbox is looked after at once, not at its next regular time. */
  hastenOutgoing(at: Instant): Promise<void>;
  /** Those of this state whose time has come, oldest first. */
  dueOutgoing(state: "waiting" | "digest" | "handed", at: Instant, limit: number): Promise<readonly OutgoingEntry[]>;
  /** Those that wait for the digest of an account, oldest first. */
  digestOf(account: AccountId, limit: number): Promise<readonly OutgoingEntry[]>;
  /** Whether there is, or was in the days that are kept, an entry of this channel and subject. */
  hasOutgoing(channel: OutgoingChannel, subject: string): Promise<boolean>;
  /** Whether another entry of its channel, subject and account waits. */
  hasOtherPending(entry: Pick<OutgoingEntry, "id" | "channel" | "subject" | "accountId">): Promise<boolean>;
  /** False when the entry is not in the state it was to leave: then nothing is changed. */
  settleOutgoing(id: number, step: OutgoingStep): Promise<boolean>;
  /** Removes what ended before this moment, at most `limit` entries; returns how many. */
  forgetOutgoing(before: Instant, limit: number): Promise<number>;
  saveNoticeSetting(setting: NoticeSetting): Promise<void>;
}
