// The audit of the repository: who did what to what, when and from where. Rows are never changed.
import { sql } from "kysely";
import type { Viewer } from "../../src/auth/account.ts";
import type {
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditPlace,
  AuditReader,
  RepositoryEvent,
} from "../../src/repository/store/audit.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { type Session, statement } from "../engine/dialect.ts";
import { allRows, json, rowsAs } from "../engine/record.ts";
import type { RepositoryEventTable } from "../engine/repository-schema.ts";

export async function recordEvents(
  { db }: Session,
  viewer: Viewer,
  at: Instant,
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

const EVENT = rowsAs<RepositoryEventTable, AuditEntry>({
  id: "id",
  at: "at",
  accountId: "account_id",
  clientId: "client_id",
  address: "address",
  action: "action",
  subject: "subject",
  detail: json("detail"),
});
const EVENTS = statement(
  () => `select ${EVENT.list} from repository_event where subject = $1 order by id desc limit $2`,
);

/** Rows that one page reads at most where an index answers a part of the filter only (R9b). */
const READ_MAX = 2_000;

/** Members that an index finds, those first that fewer entries share. */
const FOUND_BY = { subject: "subject", account: "account_id", action: "action" } as const;

/** The first member named is found by its index, together with the time; the others are compared here. */
async function listEvents(
  { db }: Session,
  filter: AuditFilter,
  before: AuditPlace | null,
  limit: number,
): Promise<AuditPage> {
  const named = (Object.keys(FOUND_BY) as (keyof typeof FOUND_BY)[]).filter((name) => filter[name] !== undefined);
  const [first] = named;
  const isWhole = named.length <= 1 && filter.client === undefined;
  const size = isWhole ? limit + 1 : READ_MAX;
  let query = db.selectFrom("repository_event").selectAll().orderBy("at", "desc").orderBy("id", "desc").limit(size);
  const value = first === undefined ? undefined : filter[first];
  if (first !== undefined && value !== undefined) query = query.where(FOUND_BY[first], "=", value);
  if (filter.since !== undefined) query = query.where("at", ">=", filter.since);
  if (filter.until !== undefined) query = query.where("at", "<", filter.until);
  if (before !== null) query = query.where(sql<boolean>`(at, id) < (${before.at}, ${before.id})`);
  const read = (await query.execute()).map(EVENT.read);
  const fitting = isWhole ? read : read.filter((entry) => fits(entry, filter));
  const entries = fitting.slice(0, limit);
  const last = fitting.length > limit ? entries.at(-1) : read.length === size ? read.at(-1) : undefined;
  return { entries, next: last === undefined ? null : { at: last.at, id: last.id } };
}

function fits(entry: AuditEntry, { subject, account, action, client }: AuditFilter): boolean {
  return (
    (subject === undefined || entry.subject === subject) &&
    (account === undefined || entry.accountId === account) &&
    (action === undefined || entry.action === action) &&
    (client === undefined || entry.clientId === client)
  );
}

export const auditReader = (session: Session): AuditReader => ({
  events: (subject, limit) => allRows(session, EVENTS, [subject, limit], EVENT.read),
  listEvents: (filter, before, limit) => listEvents(session, filter, before, limit),
});
