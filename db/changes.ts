// History, change feed and audit, written in the transaction of the change itself (A17, A27).
import type { Instant } from "../src/domain/ark/record.ts";
import type { Actor } from "../src/domain/auth/caller.ts";
import type { Change, HistoryEntry } from "../src/ports/store.ts";
import { bulkStatement, text } from "./bulk.ts";
import { rowsOf, run, type Session, statement } from "./dialect.ts";
import type { ArkChangeTable } from "./schema.ts";

const CHANGE_COLUMNS = ["at", "subject", "target", "action", "before_url", "after_url", "fields", "by", "reason"];
/** What history and audit say alike. */
const SHARED = "at, subject, target, action, before_url, after_url, fields, reason";
const AUDIT = `insert into audit_event (${SHARED}, client_id, tier, address)`;

const INSERT = bulkStatement(
  CHANGE_COLUMNS.map(text),
  ({ names, from }) => `insert into ark_change (${names}) select ${names} from ${from} where true`,
);

/** SQLite's writer is alone, so the rows just written are the last ones. */
const AUDIT_LAST = statement(() => `${AUDIT} select ${SHARED}, "by", $1, $2 from ark_change where id > $3`);

const RECORD_ON_POSTGRES = bulkStatement(
  [...CHANGE_COLUMNS, "tier", "address"].map(text),
  ({ from }) => `with given as materialized (select * from ${from}),
    change as (insert into ark_change (${SHARED}, "by") select ${SHARED}, "by" from given)
    ${AUDIT} select ${SHARED}, "by", tier, address from given`,
);

export async function recordChanges(
  session: Session,
  actor: Actor,
  at: Instant,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => [
    at,
    change.subject,
    change.target,
    change.action,
    change.beforeUrl,
    change.afterUrl,
    JSON.stringify(change.fields),
    actor.clientId,
    change.reason,
  ]);
  if (session.dialect === "postgres") {
    await RECORD_ON_POSTGRES(
      session,
      rows.map((row) => [...row, actor.tier, actor.address]),
    );
    return;
  }
  const { lastId, count } = await INSERT(session, rows);
  await run(session, AUDIT_LAST, [actor.tier, actor.address, lastId - count]);
}

const HISTORY = statement(
  () => `select ${SHARED}, "by" from ark_change where target = $1 and subject = 'ark' order by id`,
);

/** Field names as they were written above. */
function fieldNames(json: string): readonly string[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

export async function readHistory(session: Session, key: string): Promise<readonly HistoryEntry[]> {
  const rows = await rowsOf<Omit<ArkChangeTable, "id">>(session, HISTORY, [key]);
  return rows.map((row) => ({
    at: row.at,
    action: row.action,
    beforeUrl: row.before_url,
    afterUrl: row.after_url,
    fields: fieldNames(row.fields),
    by: row.by,
    reason: row.reason,
  }));
}
