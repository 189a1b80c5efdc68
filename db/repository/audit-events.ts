// The audit of the repository: who did what to what, when and from where. Rows are never changed.
import type { Viewer } from "../../src/auth/account.ts";
import type { RepositoryEvent } from "../../src/repository/store/store.ts";
import { bulkStatement, number, text } from "../engine/bulk-statements.ts";
import { rowsOf, type Session, statement } from "../engine/dialect.ts";

const RECORD = bulkStatement(
  [text("at"), number("account_id"), ...["client_id", "address", "action", "subject", "detail"].map(text)],
  ({ names, from }) => `insert into repository_event (${names}) select ${names} from ${from} where true`,
);

export async function recordEvents(
  session: Session,
  viewer: Viewer,
  at: string,
  events: readonly RepositoryEvent[],
): Promise<void> {
  const who = [at, viewer.account?.id ?? null, viewer.clientId, viewer.address];
  await RECORD.later(
    session,
    events.map(({ action, subject, detail }) => [...who, action, subject, JSON.stringify(detail)]),
  );
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
