// Workflow activities and their steps (R16). Receipts of deposits are in deposit-receipts.ts.

import { type ExpressionBuilder, sql } from "kysely";
import type {
  Activity,
  ActivityFilter,
  ActivityKind,
  ActivityReach,
  ActivityReader,
  ActivityState,
  ActivityStep,
  ActivityWriter,
} from "../../../src/repository/store/activities.ts";
import type { WorkflowAction } from "../../../src/repository/store/settings.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import type { ActivityStepTable, ActivityTable } from "../../engine/repository-schema.ts";
import type { Database } from "../../engine/schema.ts";
import * as receipts from "./deposit-receipts.ts";

const COLUMNS = [
  "id",
  "workflow_id",
  "kind",
  "item_id",
  "state",
  "step",
  "action",
  "actions",
  "title",
  "account_id",
  "on_behalf_of",
  "client_id",
  "package_name",
  "package_sha256",
  "note",
  "created_at",
  "updated_at",
] as const;
const LIST = COLUMNS.join(", ");
const BY_ID = statement(() => `select ${LIST} from activity where id = $1`);
const LOCKED = statement(({ forUpdate }) => `select ${LIST} from activity where id = $1 ${forUpdate}`);
const OPEN = statement(() => `select ${LIST} from activity where item_id = $1 and state in ('M', 'B', 'P')`);
const STEPS = statement(
  () => `select activity_id, number, action, state, account_id, comment, at from activity_step
    where activity_id = $1 order by number`,
);
const NEXT_NUMBER = statement(
  () => `insert into activity_number (kind, day, last) values ($1, $2, 1)
    on conflict (kind, day) do update set last = activity_number.last + 1 returning last`,
);
const ADD_STEP = statement(
  () => `insert into activity_step (activity_id, number, action, state, account_id, comment, at)
    select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6 from activity_step where activity_id = $1`,
);

function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}

function toActivity(row: ActivityTable): Activity {
  return {
    id: row.id,
    workflow: Number(row.workflow_id),
    // The table's checks allow no other values, and what is JSON was written here.
    kind: row.kind as ActivityKind,
    itemId: numberOrNull(row.item_id),
    state: row.state as ActivityState,
    step: Number(row.step),
    actions: JSON.parse(row.actions) as readonly WorkflowAction[],
    title: row.title,
    account: Number(row.account_id),
    onBehalfOf: numberOrNull(row.on_behalf_of),
    clientId: row.client_id ?? "",
    packageName: row.package_name,
    packageSha256: row.package_sha256,
    note: row.note,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toStep(row: ActivityStepTable): ActivityStep {
  return {
    activityId: row.activity_id,
    number: Number(row.number),
    // The table's check allows no other values.
    action: row.action as WorkflowAction,
    state: row.state as ActivityStep["state"],
    account: numberOrNull(row.account_id),
    comment: row.comment,
    at: row.at,
  };
}

function toRow(activity: Activity): ActivityTable {
  return {
    id: activity.id,
    workflow_id: activity.workflow,
    kind: activity.kind,
    item_id: activity.itemId,
    state: activity.state,
    step: activity.step,
    // Where it stands, for lists: the step in words.
    action: activity.actions[activity.step] ?? "end",
    actions: JSON.stringify(activity.actions),
    title: activity.title,
    account_id: activity.account,
    on_behalf_of: activity.onBehalfOf,
    client_id: activity.clientId,
    package_name: activity.packageName,
    package_sha256: activity.packageSha256,
    note: activity.note,
    created_at: activity.createdAt,
    updated_at: activity.updatedAt,
  };
}

function filtered({ db }: Session, filter: ActivityFilter) {
  let query = db.selectFrom("activity");
  if (filter.account !== undefined) query = query.where("account_id", "=", filter.account);
  if (filter.states !== undefined) query = query.where("state", "in", [...filter.states]);
  if (filter.updatedBefore !== undefined) query = query.where("updated_at", "<", filter.updatedBefore);
  if (filter.action !== undefined) query = query.where("action", "=", filter.action);
  if (filter.seenBy !== undefined) {
    const { reach, condition } = filter.seenBy;
    query = query.where((build) => seenBy(build, reach, condition));
  }
  return query;
}

type Build = ExpressionBuilder<Database, "activity">;

/** Own deposits stand on one side, those of others that one may approve on the other; administrators approve their own too (R2e). */
function seenBy(build: Build, reach: ActivityReach, condition: "todo" | "wait" | "all") {
  const nothing = build.lit(false);
  const { account } = reach;
  // Nobody's on-behalf-of is no account: a null would make the opposite neither true nor false.
  const behalf = build.fn.coalesce("on_behalf_of", build.val(0));
  const own = account === null ? nothing : build.or([build("account_id", "=", account), build(behalf, "=", account)]);
  const named = reach.workflows.length === 0 ? nothing : build("workflow_id", "in", [...reach.workflows]);
  const curated =
    reach.communities.length === 0
      ? nothing
      : build(
          "item_id",
          "in",
          build
            .selectFrom("item")
            .innerJoin("item_community", "item_community.parent_id", "item.parent_id")
            .select("item.id")
            .where("item_community.community_id", "in", [...reach.communities]),
        );
  // What is not filed yet, and is to lie below the root of one of these communities.
  const ahead =
    reach.communities.length === 0
      ? nothing
      : build.and([build("kind", "!=", "deletion"), sql<boolean>`item_id in (${draftsBelow(reach.communities)})`]);
  const decides = reach.everything ? build.lit(true) : build.and([build.or([named, curated, ahead]), build.not(own)]);
  const waiting = build("state", "=", "M");
  const atDepositor = build("action", "=", "item_registration");
  if (condition === "todo") {
    return build.and([
      waiting,
      build.or([build.and([decides, build.not(atDepositor)]), build.and([own, atDepositor])]),
    ]);
  }
  if (condition === "wait") return build.and([waiting, own, build.not(atDepositor)]);
  return build.or([own, decides]);
}

/** Items whose drafts are to lie at or below the roots of these communities. */
const draftsBelow = (communities: readonly string[]) => sql`
  select p.item_id from item_draft_place p where p.index_id in (
    with recursive below (id) as (
      select c.root_index from community c
      where c.deleted_at is null and c.root_index is not null and c.id in (${sql.join([...communities])})
      union
      select n.id from index_node n join below b on n.parent = b.id where n.deleted_at is null
    )
    select id from below
  )`;

export function activityReader(session: Session): ActivityReader {
  return {
    async activity(id) {
      const [row] = await rowsOf<ActivityTable>(session, BY_ID, [id]);
      return row === undefined ? null : toActivity(row);
    },
    async openActivity(itemId) {
      const [row] = await rowsOf<ActivityTable>(session, OPEN, [itemId]);
      return row === undefined ? null : toActivity(row);
    },
    steps: async (activityId) => (await rowsOf<ActivityStepTable>(session, STEPS, [activityId])).map(toStep),
    async listActivities(filter, offset, limit) {
      const rows = await filtered(session, filter)
        .select(COLUMNS)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .offset(offset)
        .limit(limit)
        .execute();
      return rows.map(toActivity);
    },
    async countActivities(filter) {
      const counted = await filtered(session, filter)
        .select(({ fn }) => fn.countAll<number>().as("activities"))
        .executeTakeFirst();
      return Number(counted?.activities ?? 0);
    },
    depositReceipt: (accountId, key) => receipts.readReceipt(session, accountId, key),
  };
}

export function activityWriter(session: Session): ActivityWriter {
  const { db } = session;
  return {
    ...activityReader(session),
    async nextActivityId(kind, day) {
      const { rows } = await run<{ last: number }>(session, NEXT_NUMBER, [kind, day]);
      const number = Number(rows[0]?.last ?? 1);
      return `${kind}-${day.replaceAll("-", "")}-${String(number).padStart(5, "0")}`;
    },
    async lockActivity(id) {
      const [row] = await rowsOf<ActivityTable>(session, LOCKED, [id]);
      return row === undefined ? null : toActivity(row);
    },
    async insertActivity(activity) {
      const made = await db
        .insertInto("activity")
        .values(toRow(activity))
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst();
      return made !== undefined;
    },
    async updateActivity(activity) {
      const { id, ...values } = toRow(activity);
      await db.updateTable("activity").set(values).where("id", "=", id).execute();
    },
    async addStep({ activityId, action, state, account, comment, at }) {
      await run(session, ADD_STEP, [activityId, action, state, account, comment, at]);
    },
    claimDepositReceipt: (receipt) => receipts.claimReceipt(session, receipt),
    finishDepositReceipt: (receipt) => receipts.finishReceipt(session, receipt),
    releaseDepositReceipt: (accountId, key, owner) => receipts.releaseReceipt(session, accountId, key, owner),
    extendDepositReceipt: (accountId, key, owner, expiresAt) =>
      receipts.extendReceipt(session, accountId, key, owner, expiresAt),
    releaseReceiptsOf: (processes) => receipts.releaseOf(session, processes),
    forgetDepositReceipts: (before) => receipts.forgetReceipts(session, before),
  };
}
