// History, change feed and audit, written in the transaction of the change itself (A17, A27).

import type { Change, HistoryEntry, HistoryPage, NumberedEntry } from "../../src/ark/store.ts";
import type { Actor } from "../../src/auth/caller.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { bulkStatement, type Cell, text } from "../engine/bulk-statements.ts";
import { rowsOf, run, type Session, statement, textList } from "../engine/dialect.ts";
import type { ArkChangeTable } from "../engine/schema.ts";

const CHANGE_COLUMNS = ["at", "subject", "target", "action", "before_url", "after_url", "fields", "by", "reason"];
/** The columns that history and audit share. */
const SHARED = "at, subject, target, action, before_url, after_url, fields, reason";
const AUDIT = `insert into audit_event (${SHARED}, client_id, tier, address)`;

const INSERT = bulkStatement(
  CHANGE_COLUMNS.map(text),
  ({ names, from }) => `insert into ark_change (${names}) select ${names} from ${from} where true`,
);

/** SQLite's writer is alone, so the rows just written are the last ones. */
const AUDIT_LAST = statement(
  () => `${AUDIT} select ${SHARED}, "by", $1, $2 from ark_change
    where id > (select max(id) from ark_change) - $3`,
);

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
  await writeRows(session, rows, actor);
}

/** Rows of one statement on PostgreSQL, which reads them out of one JSON text. */
const CARRIED_ROWS = 10_000;
/** Who signed is in the row; of the tier and the address over there nothing is known here. */
const CARRIED = { tier: "carried", address: "" };

export async function recordCarried(
  session: Session,
  histories: ReadonlyMap<string, readonly HistoryEntry[]>,
): Promise<void> {
  let rows: Cell[][] = [];
  for (const [key, entries] of histories) {
    for (const { at, action, beforeUrl, afterUrl, fields, by, reason } of entries) {
      rows.push([at, "ark", key, action, beforeUrl, afterUrl, JSON.stringify(fields), by, reason]);
      if (rows.length < CARRIED_ROWS) continue;
      await writeRows(session, rows, CARRIED);
      rows = [];
    }
  }
  await writeRows(session, rows, CARRIED);
}

async function writeRows(
  session: Session,
  rows: readonly (readonly Cell[])[],
  actor: Pick<Actor, "tier" | "address"> | typeof CARRIED,
): Promise<void> {
  if (rows.length === 0) return;
  if (session.dialect === "postgres") {
    await RECORD_ON_POSTGRES(
      session,
      rows.map((row) => [...row, actor.tier, actor.address]),
    );
    return;
  }
  await INSERT(session, rows);
  await run(session, AUDIT_LAST, [actor.tier, actor.address, rows.length]);
}

const HISTORY = {
  "oldest first": statement(
    () => `select id, ${SHARED}, "by" from ark_change
      where target = $1 and id > $2 and subject = 'ark' order by id limit $3`,
  ),
  "newest first": statement(
    () => `select id, ${SHARED}, "by" from ark_change
      where target = $1 and id < $2 and subject = 'ark' order by id desc limit $3`,
  ),
} as const;
const BEFORE_THE_FIRST = { "oldest first": 0, "newest first": Number.MAX_SAFE_INTEGER } as const;

/** Field names as they were written above. */
function fieldNames(json: string): readonly string[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

type HistoryRow = Omit<ArkChangeTable, "id">;

function toEntry(row: HistoryRow): HistoryEntry {
  return {
    at: row.at,
    action: row.action,
    beforeUrl: row.before_url,
    afterUrl: row.after_url,
    fields: fieldNames(row.fields),
    by: row.by,
    reason: row.reason,
  };
}

export async function readHistory(
  session: Session,
  key: string,
  { order, from, limit }: HistoryPage,
): Promise<readonly NumberedEntry[]> {
  const values = [key, from ?? BEFORE_THE_FIRST[order], limit];
  const rows = await rowsOf<HistoryRow & { readonly id: number }>(session, HISTORY[order], values);
  return rows.map((row) => ({ id: row.id, ...toEntry(row) }));
}

const HISTORIES = statement(
  (words) =>
    `select ${SHARED}, "by" from ark_change where target ${words.inList("$1")} and subject = 'ark' order by id`,
);

export async function readHistories(
  session: Session,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly HistoryEntry[]>> {
  const histories = new Map<string, HistoryEntry[]>();
  if (keys.length === 0) return histories;
  for (const row of await rowsOf<HistoryRow>(session, HISTORIES, [textList(session, keys)])) {
    const known = histories.get(row.target);
    if (known === undefined) histories.set(row.target, [toEntry(row)]);
    else known.push(toEntry(row));
  }
  return histories;
}
