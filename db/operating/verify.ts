// The database as `arkstone verify` reads it (src/operating/inspection.ts): one moment of it, page by page.

import type { Inspection } from "../../src/operating/inspection.ts";
import type { Finding } from "../../src/operating/verify/finding.ts";
import type { HistoryStep } from "../../src/operating/verify/history.ts";
import type { FeedRow, ReceiptRow } from "../../src/operating/verify/records.ts";
import { errorMessage } from "../../src/shared/error-message.ts";
import { toArk } from "../ark/arks.ts";
import { findByClientId } from "../ark/credentials.ts";
import { readNaans, readOrganisations, readShoulders } from "../ark/registry.ts";
import { rowsOf, type Session, statement } from "../engine/dialect.ts";
import { migrationStatus, NEWEST_SCHEMA } from "../engine/migrate.ts";
import { openDatabase } from "../engine/open.ts";
import type { ArkTable, AuditEventTable, CredentialTable } from "../engine/schema.ts";
import { inSnapshot, pagesOf } from "../engine/snapshot.ts";
import { TABLES } from "../engine/tables.ts";
import { EPOCH_KEY, UNFINISHED_KEY } from "../engine/unfinished-restore.ts";
import { inspectEngine } from "./engine-checks.ts";
import { authorPages, countAuthorKeys } from "./verify-authors.ts";
import { itemPages, parentPages, strayIndexes } from "./verify-items.ts";

const PAGE_ROWS = 2_000;

/** Opens the database for reading and hands `work` one moment of it. Nothing is migrated, nothing is written. */
export async function withInspection<T>(url: string, work: (inspection: Inspection) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url, readOnly: true, poolSize: 2, unhurried: true });
  try {
    const { applied } = await migrationStatus(database);
    const schema = applied.at(-1)?.version ?? 0;
    if (schema !== NEWEST_SCHEMA) {
      throw new Error(
        `The database has schema ${schema}, this program verifies ${NEWEST_SCHEMA}: run "arkstone migrate"`,
      );
    }
    await requireRights({ dialect: database.dialect, db: database.reader });
    const engine = await inspectEngine({ dialect: database.dialect, db: database.reader }).catch(unreadable);
    return await inSnapshot(database, (session) => work(inspectionOf(session, engine)));
  } finally {
    await database.close();
  }
}

/** Not every table may be read by the role that asks. */
export class NarrowRole extends Error {
  override readonly name = "NarrowRole";
}

const UNREADABLE = statement(
  () => `select current_user::text as role, tablename as "table" from pg_tables
    where schemaname = any(current_schemas(false)) and tablename in (${TABLES.map((table) => `'${table}'`).join(", ")})
      and not has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'select')
    order by tablename`,
);

/** Reported before any check: a table that may not be read is not damage. */
async function requireRights(session: Session): Promise<void> {
  if (session.dialect === "sqlite") return;
  const [first, ...more] = await rowsOf<{ role: string; table: string }>(session, UNREADABLE);
  if (first === undefined) return;
  const others = more.length === 0 ? "" : ` and ${more.length} more tables`;
  throw new NarrowRole(`The role "${first.role}" may not read ${first.table}${others}: this needs the owner's rights`);
}

type Engine = { readonly findings: readonly Finding[]; readonly notes: readonly string[] };

function unreadable(error: unknown): Engine {
  const words = errorMessage(error);
  return { findings: [{ kind: "engine", key: "database", problem: `it cannot be checked: ${words}` }], notes: [] };
}

function inspectionOf(session: Session, engine: Engine): Inspection {
  type Signed = Pick<AuditEventTable, "at" | "subject" | "target" | "action">;
  const columns = ["id", "at", "subject", "target", "action"];
  return {
    engine: async () => engine,
    policy: async () => ({
      naans: await readNaans(session),
      organisations: await readOrganisations(session),
      shoulders: await readShoulders(session),
      credentials: await readCredentialRows(session),
      secrets: await rowsOf(session, SECRETS),
    }),
    async *arks() {
      for await (const rows of pagesOf<ArkTable & Row>(session, "ark", { pageRows: PAGE_ROWS })) yield rows.map(toArk);
    },
    history: () => historyOf(session),
    receipts: () => receiptsOf(session),
    changes: () => pagesOf<Signed & Row>(session, "ark_change", { columns, pageRows: PAGE_ROWS }),
    audit: () => pagesOf<Signed & Row>(session, "audit_event", { columns, pageRows: PAGE_ROWS }),
    feed: () => readFeed(session),
    items: () => itemPages(session),
    parents: () => parentPages(session),
    strayIndexes: () => strayIndexes(session),
    authors: () => authorPages(session),
    countAuthorKeys: () => countAuthorKeys(session),
    hasRepository: async () => (await rowsOf(session, WORKFLOW)).length > 0,
    credentialByClientId: (clientId) => findByClientId(session, clientId),
  };
}

type Row = { readonly [column: string]: unknown };

const WORKFLOW = statement(() => "select 1 as found from workflow limit 1");
const CREDENTIALS = statement(() => "select * from credential order by client_id");
const SECRETS = statement(() => `select id, credential_id as "credentialId", hash from credential_secret order by id`);

async function readCredentialRows(session: Session) {
  type CredentialRow = Omit<CredentialTable, "id"> & { readonly id: number };
  const rows = await rowsOf<CredentialRow>(session, CREDENTIALS);
  return rows.map((row) => ({
    id: row.id,
    clientId: row.client_id,
    tier: row.tier,
    naan: row.naan,
    organisationId: row.organisation_id,
    shoulder: row.shoulder,
    scopes: row.scopes,
  }));
}

const HISTORY = statement(
  () => `select id, target, at, action, after_url as "afterUrl" from ark_change
    where subject = 'ark' and target >= $1 and (target, id) > ($1, $2) order by target, id limit ${PAGE_ROWS}`,
);

async function* historyOf(session: Session) {
  let [target, id] = ["", 0];
  for (;;) {
    const rows = await rowsOf<HistoryStep & { id: number; target: string }>(session, HISTORY, [target, id]);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    [target, id] = [last.target, last.id];
  }
}

const RECEIPTS = statement(
  () => `select r.client_id as "clientId", r.request_id as "requestId", r.kind, r.ark as key, a.origin
    from receipt r left join ark a on a.ark = r.ark
    where (r.client_id, r.request_id) > ($1, $2) order by r.client_id, r.request_id limit ${PAGE_ROWS}`,
);

async function* receiptsOf(session: Session) {
  let [client, request] = ["", ""];
  for (;;) {
    const rows = await rowsOf<ReceiptRow>(session, RECEIPTS, [client, request]);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    [client, request] = [last.clientId, last.requestId];
  }
}

const FEED = statement(
  ({ dialect }) => `select
    (select value from service where key = '${EPOCH_KEY}') as epoch,
    (select value from service where key = '${UNFINISHED_KEY}') as unfinished,
    (select coalesce(min(id), 0) from ark_change) as lowest,
    (select coalesce(max(id), 0) from ark_change) as highest,
    ${
      dialect === "sqlite"
        ? "0 as future"
        : `(select count(*) from (select 1 from ark_change
            where xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1) as newer) as future`
    }`,
);
const COUNTER = "ark_change_id_seq";
const MAY_COUNT = statement(() => `select has_sequence_privilege('${COUNTER}', 'select') as may`);
const NEXT = statement(() => `select last_value + case when is_called then 1 else 0 end as next from ${COUNTER}`);

/**
 * The number the next change gets; null on SQLite, which counts from the highest row, and where our role may not look.
 */
async function nextNumber(session: Session): Promise<number | null> {
  if (session.dialect === "sqlite") return null;
  const [right] = await rowsOf<{ may: boolean }>(session, MAY_COUNT);
  if (right?.may !== true) return null;
  const [row] = await rowsOf<{ next: number }>(session, NEXT);
  return row?.next ?? null;
}

async function readFeed(session: Session): Promise<FeedRow> {
  type Feed = Omit<FeedRow, "hasFutureWriter" | "next"> & { readonly future: number };
  const [row] = await rowsOf<Feed>(session, FEED);
  if (row === undefined) throw new RangeError("A statement without a table gave no row");
  const { future, ...feed } = row;
  return { ...feed, next: await nextNumber(session), hasFutureWriter: Number(future) > 0 };
}
