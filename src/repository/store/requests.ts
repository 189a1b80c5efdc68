// Requests by which records come into communities and people become members, and their timeline (R37; specification 3,
// "States and transitions").
import type { MemberRole } from "../../auth/account.ts";
import type { FieldCondition } from "../../model/input/field-conditions.ts";
import type { RequestStatus, RequestType } from "../../model/rights/request-rules.ts";
import type { AccountId, ItemId, ParentId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

export type CommunityRequest = {
  /** Running, for people. */
  readonly number: number;
  /** UUID. */
  readonly id: string;
  readonly type: RequestType;
  readonly status: RequestStatus;
  /** The record's title when it was submitted. */
  readonly title: string;
  readonly community: string;
  /** The record it is about, and what ties its versions together; null for an invitation. */
  readonly item: ItemId | null;
  readonly parent: ParentId | null;
  readonly creator: AccountId;
  /** Who is invited, and what the invited person, or the one who asks to join, becomes. */
  readonly receiver: AccountId | null;
  readonly role: MemberRole | null;
  /** Who took it, to decide about it; null: nobody. */
  readonly holder: AccountId | null;
  /** It is the review of its draft (`ItemParent.review`). */
  readonly linked: boolean;
  readonly revision: number;
  /** Entries of its timeline there have been. */
  readonly events: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly submittedAt: Instant | null;
};

/** `comment`: a comment, `content` is HTML. `log`: an event, which `event` names. */
export type RequestEvent = {
  readonly request: number;
  /** From 1, in the order of the timeline. */
  readonly position: number;
  /** UUID. */
  readonly id: string;
  readonly kind: "comment" | "log";
  /** Null: the repository itself. */
  readonly account: AccountId | null;
  readonly event: string;
  readonly content: string;
  /** The field of the record that a comment is about; "": none. */
  readonly field: string;
  /** Whom the event is about: the account that holds the task from here on. */
  readonly about: AccountId | null;
  readonly revision: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

type NewRequestEvent = Omit<RequestEvent, "position" | "revision" | "updatedAt" | "field" | "about"> &
  Partial<Pick<RequestEvent, "field" | "about">>;

export type RequestFilter = {
  /**
   * Of the fields `words`, `id`, `number`, `type`, `status`, `community`, `record`, `creator`, `receiver`, `created`,
   * `updated`.
   */
  readonly sought?: FieldCondition;
  readonly types?: readonly RequestType[];
  readonly statuses?: readonly RequestStatus[];
  readonly community?: string;
  readonly item?: ItemId;
  readonly parent?: ParentId;
  readonly creator?: AccountId;
  readonly receiver?: AccountId;
  readonly submittedBefore?: Instant;
  /** Only what this person may see; absent: all. */
  readonly seenBy?: RequestSight;
};

export type RequestSight = {
  readonly account: AccountId;
  /** Communities about whose records the account decides. */
  readonly curated: readonly string[];
  /** Communities whose members the account manages. */
  readonly managed: readonly string[];
};

/** Whose tasks: requests that somebody may accept and did not make. */
export type TaskSight = RequestSight & {
  /** Administrators: every request but invitations of others. */
  readonly everything: boolean;
  /** Of those they manage, communities in which they may give every role. */
  readonly owned: readonly string[];
};

/** Part of a list of tasks, oldest first. */
export type TaskPart<Id> = {
  /** Behind this one; null: from the first. */
  readonly after: { readonly since: Instant; readonly id: Id } | null;
  readonly limit: number;
  /** Without those that another account holds. */
  readonly isFree?: boolean;
};

export const REQUEST_SORTS = ["bestmatch", "newest", "oldest", "newestactivity", "oldestactivity"] as const;
export type RequestSort = (typeof REQUEST_SORTS)[number];

export type RequestCounts = {
  readonly total: number;
  readonly types: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<string, number>;
};

export interface RequestReader {
  request(id: string): Promise<CommunityRequest | null>;
  /** Never one that was not submitted. */
  findRequests(
    filter: RequestFilter,
    sort: RequestSort,
    offset: number,
    limit: number,
  ): Promise<readonly CommunityRequest[]>;
  countRequests(filter: RequestFilter): Promise<RequestCounts>;
  requestTasks(sight: TaskSight, part: TaskPart<number>): Promise<readonly CommunityRequest[]>;
  countRequestTasks(sight: TaskSight): Promise<number>;
  /** Communities that are to be asked once the draft is published, in the order in which they were chosen. */
  plannedInclusions(parent: ParentId): Promise<readonly CommunityRequest[]>;
  event(id: string): Promise<RequestEvent | null>;
  timeline(
    request: number,
    order: "oldest" | "newest",
    offset: number,
    limit: number,
  ): Promise<readonly RequestEvent[]>;
  /** Comments on single fields, oldest first. */
  fieldComments(request: number): Promise<readonly RequestEvent[]>;
  countEvents(request: number): Promise<number>;
  /** The last comment of each. */
  lastComments(requests: readonly number[]): Promise<ReadonlyMap<number, RequestEvent>>;
  /** How many comments each has; none: it is not in the map. */
  countComments(requests: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

export interface RequestWriter extends RequestReader {
  /** Locked until the end of the transaction. */
  lockRequest(id: string): Promise<CommunityRequest | null>;
  /** Null where there is another review of the thing, or another open request or invitation of this kind. */
  insertRequest(request: Omit<CommunityRequest, "number">): Promise<CommunityRequest | null>;
  /** Status, title, whether it is the review, who holds it, times; counts the change. */
  saveRequest(request: CommunityRequest): Promise<void>;
  /** One that was never submitted. */
  deleteRequest(request: number): Promise<void>;
  /** At the end of the timeline; counts as a change of its request. */
  addEvent(event: NewRequestEvent): Promise<RequestEvent>;
  /** Another text, or none any more. */
  saveEvent(event: RequestEvent): Promise<void>;
}
