// Workflow activities and their steps, and the receipts of deposits (R13, R16).
import type { TaskEvent } from "../../model/rights/task-rules.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { TaskPart } from "./requests.ts";
import type { WorkflowAction } from "./settings.ts";

/** M doing, B begun, P stopped, F completed, C cancelled, E error (R16). */
export type ActivityState = "M" | "B" | "P" | "F" | "C" | "E";
/** B begin, F done, P not done, R retry, M doing, T thrown out, S skipped, E error, C cancelled. */
export type ActionState = "B" | "F" | "P" | "R" | "M" | "T" | "S" | "E" | "C";
export type ActivityKind = "registration" | "update" | "deletion";

export type Activity = {
  /** `A-YYYYMMDD-00001`, deletions `D-…`. */
  readonly id: string;
  readonly workflow: number;
  readonly kind: ActivityKind;
  readonly itemId: ItemId | null;
  readonly state: ActivityState;
  /** Index in `actions`, from 0, of the current action. */
  readonly step: number;
  readonly actions: readonly WorkflowAction[];
  readonly title: string;
  readonly account: AccountId;
  readonly onBehalfOf: AccountId | null;
  /** Who took it, to decide about it; null: nobody. */
  readonly holder: AccountId | null;
  readonly clientId: string;
  readonly packageName: string | null;
  readonly packageSha256: string | null;
  /** Why it waits, for people; "" otherwise. */
  readonly note: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type ActivityStep = {
  readonly activityId: string;
  readonly number: number;
  readonly action: WorkflowAction;
  readonly state: ActionState;
  readonly account: AccountId | null;
  readonly comment: string;
  readonly at: Instant;
  /** What happened besides a step: the task changed hands, or a field was commented on; "": a step. */
  readonly event: "" | TaskEvent | "comment";
  /** The field that the comment is about; "": none. */
  readonly field: string;
  /** The account that holds the task from here on. */
  readonly about: AccountId | null;
};
type NewActivityStep = Omit<ActivityStep, "number" | "event" | "field" | "about"> &
  Partial<Pick<ActivityStep, "event" | "field" | "about">>;

export type ActivityFilter = {
  readonly account?: AccountId;
  readonly states?: readonly ActivityState[];
  readonly updatedBefore?: Instant;
  /** Standing at this action. */
  readonly action?: WorkflowAction;
  /** As far as somebody may see them, and what of it: what waits for them, what of theirs waits for others, or all. */
  readonly seenBy?: { readonly reach: ActivityReach; readonly condition: "todo" | "wait" | "all" };
};

/** Whose activities somebody sees: their own, and those they may approve. */
export type ActivityReach = {
  readonly account: AccountId | null;
  /** Administrators: every activity. */
  readonly everything: boolean;
  /** Workflows whose approver they are. */
  readonly workflows: readonly number[];
  /** Communities whose items they approve. */
  readonly communities: readonly string[];
};

/** The first answer to an Idempotency-Key (R13). `status` null: the deposit is still being worked on. */
export type DepositReceipt = {
  readonly accountId: AccountId;
  readonly key: string;
  /** Method and path. */
  readonly target: string;
  readonly packageSha256: string;
  readonly status: number | null;
  /** JSON of the answer: headers and body. */
  readonly answer: string | null;
  readonly owner: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
};

export interface ActivityReader {
  activity(id: string): Promise<Activity | null>;
  /** The one open (M, B or P) activity of an item. */
  openActivity(itemId: ItemId): Promise<Activity | null>;
  steps(activityId: string): Promise<readonly ActivityStep[]>;
  /** Newest first; what waits for somebody (`todo`) by how long it waits. */
  listActivities(filter: ActivityFilter, offset: number, limit: number): Promise<readonly Activity[]>;
  countActivities(filter: ActivityFilter): Promise<number>;
  /** What waits for somebody (`todo`), those that wait longest first. */
  activityTasks(reach: ActivityReach, part: TaskPart<string>): Promise<readonly Activity[]>;
  depositReceipt(accountId: AccountId, key: string): Promise<DepositReceipt | null>;
}

export interface ActivityWriter extends ActivityReader {
  /** The next id of the day, unique under concurrency. */
  nextActivityId(kind: "A" | "D", day: string): Promise<string>;
  lockActivity(id: string): Promise<Activity | null>;
  /** False when the item has an open activity already. */
  insertActivity(activity: Activity): Promise<boolean>;
  updateActivity(activity: Activity): Promise<void>;
  addStep(step: NewActivityStep): Promise<void>;
  /**
   * The receipt that is there, or null after inserting this one. One that is being worked on and has expired is taken
   * over.
   */
  claimDepositReceipt(receipt: DepositReceipt): Promise<DepositReceipt | null>;
  /** False when the receipt is no longer this owner's: then nothing may be registered. */
  finishDepositReceipt(receipt: DepositReceipt): Promise<boolean>;
  /** False when the claim is answered or no longer this owner's. */
  extendDepositReceipt(accountId: AccountId, key: string, owner: string, expiresAt: Instant): Promise<boolean>;
  releaseDepositReceipt(accountId: AccountId, key: string, owner: string): Promise<void>;
  /** Claims of processes that have died; their owners begin with its id. */
  releaseReceiptsOf(processes: readonly string[]): Promise<void>;
  forgetDepositReceipts(before: Instant): Promise<number>;
}
