// Every table by name and primary key, in an order in which rows may be inserted, and the columns that a database
// reports.
import { type Column, number, text } from "./bulk-statements.ts";
import { rowsOf, type Session, statement } from "./dialect.ts";
import type { Database } from "./schema.ts";

export type TableName = Exclude<keyof Database, "schema_migration">;

/** A table comes after those it refers to. A table that is missing here does not compile. */
export const PRIMARY_KEYS = {
  naan: ["naan"],
  organisation: ["id"],
  shoulder: ["naan", "shoulder"],
  credential: ["id"],
  credential_secret: ["id"],
  unregistered_subject: ["issuer", "subject"],
  service: ["key"],
  ark: ["ark"],
  receipt: ["client_id", "request_id"],
  ark_change: ["id"],
  audit_event: ["id"],
  account: ["id"],
  login_link: ["hash"],
  account_profile: ["account_id"],
  registration: ["id"],
  account_client: ["client_id"],
  login_session: ["hash"],
  account_secret: ["id"],
  oauth_client: ["id"],
  oauth_grant: ["id"],
  grant_secret: ["id"],
  account_group: ["id"],
  account_group_member: ["group_id", "account_id"],
  community: ["id"],
  community_member: ["community_id", "account_id"],
  community_logo: ["community_id"],
  vocabulary: ["type", "id"],
  vocabulary_word: ["type", "word", "id"],
  usage_day: ["day", "subject", "id", "file"],
  usage_total: ["subject", "id"],
  usage_month: ["subject", "ref", "month"],
  item_type: ["id"],
  item_type_version: ["item_type_id", "version"],
  mapping: ["id"],
  workflow: ["id"],
  sword_format: ["format"],
  sword_client: ["client_id"],
  search_setting: ["name"],
  index_node: ["id"],
  repository_state: ["key"],
  resource: ["id"],
  item_parent: ["id"],
  item_share: ["parent_id", "account_id"],
  item_grant: ["parent_id", "subject", "subject_id"],
  access_request: ["id"],
  access_link: ["id"],
  record_transfer: ["id"],
  static_page: ["slug", "revision"],
  saved_search: ["id"],
  saved_search_item: ["search_id", "item_id"],
  item_community: ["parent_id", "community_id"],
  file_set: ["id"],
  file_set_entry: ["file_set_id", "name"],
  item: ["id"],
  item_revision: ["item_id", "revision"],
  item_summary: ["item_id"],
  item_draft: ["item_id"],
  draft_file: ["item_id", "key"],
  draft_revision: ["item_id", "counter"],
  removed_file: ["id"],
  item_draft_place: ["index_id", "item_id"],
  item_place: ["index_id", "item_id"],
  tombstone: ["item_id"],
  duplicate_key: ["kind", "digest", "item_id"],
  item_lock: ["item_id"],
  activity: ["id"],
  activity_step: ["activity_id", "number"],
  activity_number: ["kind", "day"],
  deposit_receipt: ["account_id", "idempotency_key"],
  job: ["id"],
  outgoing: ["id"],
  notice_setting: ["account_id"],
  repository_event: ["id"],
  login_attempt: ["state"],
  storage_identity: ["only_one"],
  item_change: ["id"],
  author: ["id"],
  author_key: ["kind", "key", "author_id"],
  author_number: ["number"],
  author_community: ["community_id", "author_id"],
  author_choice: ["kind", "id"],
  item_author: ["author_id", "item_id"],
  author_propagation: ["author_id"],
  request: ["id"],
  request_event: ["request_id", "position"],
  file_text: ["sha256"],
  oai_record: ["parent_id"],
  oai_record_set: ["spec", "datestamp", "number"],
  oai_due: ["parent_id"],
  oai_state: ["only_one"],
  search_writer: ["only_one"],
  search_collection: ["name"],
} as const satisfies Readonly<Record<TableName, readonly string[]>>;

export const TABLES = Object.keys(PRIMARY_KEYS) as readonly TableName[];

export function isTable(name: string): name is TableName {
  return Object.hasOwn(PRIMARY_KEYS, name);
}

const COLUMNS = statement(({ dialect }) =>
  dialect === "sqlite"
    ? "select name, lower(type) as type from pragma_table_info($1) order by cid"
    : `select column_name as name, data_type as type from information_schema.columns
        where table_name = $1 and table_schema = any(current_schemas(false)) order by ordinal_position`,
);

/** The number of the transaction that wrote a row means something in its own cluster only. */
const NOT_PORTABLE = ["xid8"];

/** The columns of a table as the database has them; none where there is no such table. */
export async function columnsOf(session: Session, table: TableName): Promise<readonly Column[]> {
  const rows = await rowsOf<{ name: string; type: string }>(session, COLUMNS, [table]);
  return rows
    .filter(({ type }) => !NOT_PORTABLE.includes(type))
    .map(({ name, type }) => {
      if (type === "text") return text(name);
      if (type === "integer" || type === "bigint") return number(name);
      throw new TypeError(`Column ${table}.${name} has type ${type}, which no backup can hold yet`);
    });
}

export async function countRows(session: Session, table: TableName): Promise<number> {
  const [row] = await rowsOf<{ rows: number }>(
    session,
    statement(() => `select count(*) as rows from ${table}`),
  );
  return Number(row?.rows ?? 0);
}
