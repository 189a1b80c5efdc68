// Receipts: which request_id of which client made which name (A13). They are never removed.
import type { ReceiptKind } from "../../src/ark/record.ts";
import type { Receipt } from "../../src/ark/store.ts";
import { bulkStatement, returningOneList, text } from "../engine/bulk-statements.ts";
import { rowsOf, run, type Session, statement, textList } from "../engine/dialect.ts";
import type { ReceiptTable } from "../engine/schema.ts";

const COLUMNS = ["client_id", "request_id", "kind", "ark", "created_at"].map(text);

function toCells(receipt: Receipt): string[] {
  return [receipt.clientId, receipt.requestId, receipt.kind, receipt.key, receipt.createdAt];
}

function toReceipt(row: ReceiptTable): Receipt {
  return {
    clientId: row.client_id,
    requestId: row.request_id,
    // The table's check allows no other values.
    kind: row.kind as ReceiptKind,
    key: row.ark,
    createdAt: row.created_at,
  };
}

/** In one order for all, so that two bulk calls never wait for each other in a circle. */
function sorted(receipts: readonly Receipt[]): readonly Receipt[] {
  return receipts.toSorted((a, b) => (a.requestId < b.requestId ? -1 : a.requestId > b.requestId ? 1 : 0));
}

const NAMES = COLUMNS.map(({ name }) => name).join(", ");
const SELECT = statement(
  ({ listTable }) =>
    `select ${NAMES} from receipt where client_id = $1 and request_id in (select value from ${listTable("$2")})`,
);

/**
 * A receipt states that a transaction was committed here. If the primary fails before its standby has received that
 * commit, the caller of the receipt would take it for done. A line in the log makes this transaction's own commit wait
 * for the standby, which then has the other one too.
 */
const BEHIND_THE_STANDBY = statement(
  () => `select pg_logical_emit_message(true, 'arkstone', '') where current_setting('synchronous_standby_names') <> ''`,
);

export async function readReceipts(
  session: Session,
  clientId: string,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, Receipt>> {
  if (requestIds.length === 0) return new Map();
  const rows = await rowsOf<ReceiptTable>(session, SELECT, [clientId, textList(session, requestIds)]);
  if (rows.length > 0 && session.dialect === "postgres") await run(session, BEHIND_THE_STANDBY);
  return new Map(rows.map((row) => [row.request_id, toReceipt(row)]));
}

const AFTER = statement(
  () => `select ${NAMES} from receipt where (client_id, request_id) > ($1, $2) order by client_id, request_id limit $3`,
);

export async function receiptsAfter(
  session: Session,
  after: Pick<Receipt, "clientId" | "requestId">,
  limit: number,
): Promise<readonly Receipt[]> {
  return (await rowsOf<ReceiptTable>(session, AFTER, [after.clientId, after.requestId, limit])).map(toReceipt);
}

const CLAIM = bulkStatement(COLUMNS, ({ names, from, dialect }) => {
  const insert = `insert into receipt (${names}) select ${names} from ${from} where true on conflict do nothing`;
  return dialect === "sqlite" ? `${insert} returning request_id` : returningOneList(insert, "request_id");
});

/** Returns the request_ids that were inserted. PostgreSQL waits here for a transaction that holds the same one. */
export async function claimReceipts(session: Session, receipts: readonly Receipt[]): Promise<ReadonlySet<string>> {
  const rows = sorted(receipts).map(toCells);
  if (session.dialect === "sqlite") {
    const given = await CLAIM<{ request_id: string }>(session, rows);
    return new Set(given.rows.map(({ request_id }) => request_id));
  }
  const given = await CLAIM<{ list: readonly string[] | null }>(session, rows);
  return new Set(given.rows.flatMap(({ list }) => list ?? []));
}

const MOVE = bulkStatement(
  COLUMNS,
  ({ from }) => `update receipt set ark = t.ark from ${from}
    where receipt.client_id = t.client_id and receipt.request_id = t.request_id`,
);

export async function moveReceipts(session: Session, receipts: readonly Receipt[]): Promise<void> {
  await MOVE(session, sorted(receipts).map(toCells));
}
