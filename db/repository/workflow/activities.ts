// Workflow activities and their steps (R16). Receipts of deposits are in deposit-receipts.ts.

import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type {
  Activity,
  ActivityFilter,
  ActivityReach,
  ActivityReader,
  ActivityStep,
  ActivityWriter,
} from "../../../src/repository/store/activities.ts";
import { run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, json, oneRow, rowsAs } from "../../engine/record.ts";
import type { ActivityStepTable, ActivityTable } from "../../engine/repository-schema.ts";
import type { Database } from "../../engine/schema.ts";
import { readReceipt, receiptWriter } from "./deposit-receipts.ts";

const ACTIVITY = rowsAs<Omit<ActivityTable, "action">, Activity>({
  id: "id",
  workflow: "workflow_id",
  kind: "kind",
  itemId: "item_id",
  state: "state",
  step: "step",
  actions: json("actions"),
  title: "title",
  account: "account_id",
  onBehalfOf: "on_behalf_of",
  holder: "holder_account",
  clientId: { column: "client_id", read: (id: string | null) => id ?? "", write: (id) => id },
  packageName: "package_name",
  packageSha256: "package_sha256",
  note: "note",
  createdAt: "created_at",
  updatedAt: "updated_at",
});
const STEP = rowsAs<Selectable<ActivityStepTable>, ActivityStep>({
  activityId: "activity_id",
  number: "number",
  action: "action",
  state: "state",
  account: "account_id",
  comment: "comment",
  at: "at",
  event: { column: "event", read: (event: ActivityStep["event"]) => event, write: (event) => event },
  field: "field",
  about: "about_account",
});
const BY_ID = statement(() => `select ${ACTIVITY.list} from activity where id = $1`);
const LOCKED = statement(({ forUpdate }) => `select ${ACTIVITY.list} from activity where id = $1 ${forUpdate}`);
const OPEN = statement(() => `select ${ACTIVITY.list} from activity where item_id = $1 and state in ('M', 'B', 'P')`);
const STEPS = statement(
  () => `select ${STEP.list} from activity_step
    where activity_id = $1 order by number`,
);
const NEXT_NUMBER = statement(
  () => `insert into activity_number (kind, day, last) values ($1, $2, 1)
    on conflict (kind, day) do update set last = activity_number.last + 1 returning last`,
);
const ADD_STEP = statement(
  () => `insert into activity_step (activity_id, number, action, state, account_id, comment, at, event, field, about_account)
    select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6, $7, $8, cast($9 as bigint) from activity_step where activity_id = $1`,
);

/** With the name of its current step, for lists. */
function toRow(activity: Activity): ActivityTable {
  return { ...ACTIVITY.write(activity), action: activity.actions[activity.step] ?? "end" };
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

/**
 * Two parts: one's deposits, and those of others that one may approve; administrators approve their own too (R2e). Each
 * part has a separate index, however many activities of others there are (R9b).
 */
function seenBy(build: Build, reach: ActivityReach, condition: "todo" | "wait" | "all") {
  const { account, workflows, communities } = reach;
  const activities = build.selectFrom("activity as a").select("a.id");
  const own =
    account === null
      ? activities.where("a.id", "is", null)
      : activities.where("a.account_id", "=", account).union(activities.where("a.on_behalf_of", "=", account));
  // No workflow has the number 0: a list is never empty.
  const inWorkflows = activities.where("a.workflow_id", "in", [0, ...workflows]);
  let others = condition === "all" ? inWorkflows : inWorkflows.where("a.state", "=", "M");
  if (communities.length > 0) {
    const filed = build
      .selectFrom("item")
      .innerJoin("item_community", "item_community.parent_id", "item.parent_id")
      .select("item.id")
      .where("item_community.community_id", "in", [...communities]);
    // Far fewer wait than are filed.
    const curated =
      condition === "all"
        ? activities.where("a.item_id", "in", filed)
        : activities
            .where("a.state", "=", "M")
            .where(({ exists }) => exists(filed.where(sql<boolean>`item.id = a.item_id`)));
    // What is not filed yet, and is to lie below the root of one of these communities.
    const ahead = sql<number>`(${draftsBelow(communities)})`;
    others = others.union(curated).union(activities.where("a.kind", "!=", "deletion").where("a.item_id", "in", ahead));
  }
  const atDepositor = build("action", "=", "item_registration");
  const isOwn = build("id", "in", own);
  // As an expression, which no index has: those found by the parts are compared with it.
  const isWaiting = sql<boolean>`state || '' = 'M'`;
  if (condition === "wait") return build.and([isOwn, isWaiting, build.not(atDepositor)]);
  if (condition === "all") return reach.everything ? build.lit(true) : build("id", "in", own.union(others));
  if (reach.everything) {
    return build.and([build("state", "=", "M"), build.or([build.not(atDepositor), isOwn])]);
  }
  return build.and([
    build("id", "in", own.union(others)),
    isWaiting,
    build.or([build.and([build.not(isOwn), build.not(atDepositor)]), build.and([isOwn, atDepositor])]),
  ]);
}

/** Items whose drafts are to be filed at or below the roots of these communities. */
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
    activity: (id) => oneRow(session, BY_ID, [id], ACTIVITY.read),
    openActivity: (itemId) => oneRow(session, OPEN, [itemId], ACTIVITY.read),
    steps: (activityId) => allRows(session, STEPS, [activityId], STEP.read),
    async listActivities(filter, offset, limit) {
      // What waits for somebody is begun with what waits longest.
      const isQueue = filter.seenBy?.condition === "todo";
      const direction = isQueue ? "asc" : "desc";
      const rows = await filtered(session, filter)
        .select(ACTIVITY.names)
        .orderBy(isQueue ? "updated_at" : "created_at", direction)
        .orderBy("id", direction)
        .offset(offset)
        .limit(limit)
        .execute();
      return rows.map(ACTIVITY.read);
    },
    async countActivities(filter) {
      const counted = await filtered(session, filter)
        .select(({ fn }) => fn.countAll<number>().as("activities"))
        .executeTakeFirst();
      return Number(counted?.activities ?? 0);
    },
    async activityTasks(reach, { after, limit, isFree = false }) {
      const rows = await filtered(session, { seenBy: { reach, condition: "todo" } })
        .select(ACTIVITY.names)
        .$if(after !== null, (query) =>
          query.where(sql<boolean>`(updated_at, id) > (${after?.since ?? ""}, ${after?.id ?? ""})`),
        )
        .$if(isFree, (query) =>
          query.where((build) =>
            build.or([build("holder_account", "is", null), build("holder_account", "=", reach.account)]),
          ),
        )
        .orderBy("updated_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(ACTIVITY.read);
    },
    depositReceipt: (accountId, key) => readReceipt(session, accountId, key),
  };
}

export function activityWriter(session: Session): ActivityWriter {
  const { db } = session;
  return {
    ...activityReader(session),
    ...receiptWriter(session),
    async nextActivityId(kind, day) {
      const { rows } = await run<{ last: number }>(session, NEXT_NUMBER, [kind, day]);
      const number = Number(rows[0]?.last ?? 1);
      return `${kind}-${day.replaceAll("-", "")}-${String(number).padStart(5, "0")}`;
    },
    lockActivity: (id) => oneRow(session, LOCKED, [id], ACTIVITY.read),
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
    async addStep({ activityId, action, state, account, comment, at, event = "", field = "", about = null }) {
      await run(session, ADD_STEP, [activityId, action, state, account, comment, at, event, field, about]);
    },
  };
}
