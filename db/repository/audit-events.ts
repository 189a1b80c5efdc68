// The audit of the repository: who did what to what, when and from where. Rows are never changed.
import type { Viewer } from "../../src/auth/account.ts";
import type { RepositoryEvent } from "../../src/repository/store/store.ts";
import { rowsOf, type Session, statement } from "../engine/dialect.ts";

export async function recordEvents(
  { db }: Session,
  viewer: Viewer,
  at: string,
  events: readonly RepositoryEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ action, subject, detail }) => ({
    at,
    account_id: viewer.account?.id ?? null,
    client_id: viewer.clientId,
    address: viewer.address,
    action,
    subject,
    detail: JSON.stringify(detail),
  }));
  await db.insertInto("repository_event").values(rows).execute();
}

const EVENTS = statement(
  () =>
    "select at, account_id, action, subject, detail from repository_event where subject = $1 order by id desc limit $2",
);

type Row = { at: string; account_id: number | null; action: string; subject: string; detail: string };

/** Newest first. */
export async function readEvents(session: Session, subject: string, limit: number) {
  return (await rowsOf<Row>(session, EVENTS, [subject, limit])).map((row) => ({
    at: row.at,
    accountId: row.account_id,
    action: row.action,
    subject: row.subject,
    detail: JSON.parse(row.detail) as Readonly<Record<string, unknown>>,
  }));
}
