// The audit of the repository: who did what to what, when and from where. Rows are never changed.
import type { Viewer } from "../../src/auth/account.ts";
import type { RepositoryEvent } from "../../src/repository/store/store.ts";
import type { Instant } from "../../src/shared/instant.ts";
import { type Session, statement } from "../engine/dialect.ts";
import { allRows, json, rowsAs } from "../engine/record.ts";
import type { RepositoryEventTable } from "../engine/repository-schema.ts";

type ReadEvent = RepositoryEvent & { readonly at: Instant; readonly accountId: number | null };

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

const EVENT = rowsAs<Omit<RepositoryEventTable, "id" | "client_id" | "address">, ReadEvent>({
  at: "at",
  accountId: "account_id",
  action: "action",
  subject: "subject",
  detail: json("detail"),
});
const EVENTS = statement(
  () => `select ${EVENT.list} from repository_event where subject = $1 order by id desc limit $2`,
);

/** Newest first. */
export const readEvents = (session: Session, subject: string, limit: number): Promise<readonly ReadEvent[]> =>
  allRows(session, EVENTS, [subject, limit], EVENT.read);
