// What is stored about one account (src/repository/store/personal-data.ts; R33). A table that names an account is
// exported here, or excused with a reason: test/contracts/personal-data.test.ts goes through all tables.
import type {
  AccountHoldings,
  PersonalDataReader,
  PersonalDataWriter,
  PersonalKey,
  PersonalPage,
  PersonalRow,
} from "../../src/repository/store/personal-data.ts";
import type { AccountId } from "../../src/shared/ids.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { rowsOf, run, type Session, type Statement, statement } from "../engine/dialect.ts";
import type { TableName } from "../engine/tables.ts";

type KeyColumn = readonly [column: string, kind: "text" | "number"];

type Section = {
  readonly name: string;
  readonly table: TableName;
  /** The column with the account; of `via`, where the table names none itself. */
  readonly owner: string;
  readonly via?: readonly [table: TableName, column: string];
  readonly where?: string;
  /** In which order rows are read, and where the next page begins. */
  readonly key: readonly KeyColumn[];
  /** Its rows may be large. */
  readonly isWide?: true;
  /** Rows are items: what an item holds now is exported for its owner only, for others may not read it (R2d). */
  readonly isItem?: true;
};

const ROWS = 200;
/** Each may have several MiB. */
const WIDE_ROWS = 4;

const id: KeyColumn = ["id", "number"];
const item: KeyColumn = ["item_id", "number"];
const textKey = (name: string): KeyColumn => [name, "text"];
const numberKey = (name: string): KeyColumn => [name, "number"];

export const PERSONAL_SECTIONS: readonly Section[] = [
  { name: "account", table: "account", owner: "id", key: [id] },
  { name: "profile", table: "account_profile", owner: "account_id", key: [numberKey("account_id")] },
  { name: "notices", table: "notice_setting", owner: "account_id", key: [numberKey("account_id")] },
  { name: "sessions", table: "login_session", owner: "account_id", key: [textKey("hash")] },
  { name: "sign_in_links", table: "login_link", owner: "account_id", key: [textKey("hash")] },
  { name: "tokens", table: "account_client", owner: "account_id", key: [textKey("client_id")] },
  {
    ...{ name: "token_secrets", table: "account_secret", owner: "account_id" },
    via: ["account_client", "client_id"],
    key: [textKey("id")],
  },
  {
    ...{ name: "deposit_settings", table: "sword_client", owner: "account_id" },
    via: ["account_client", "client_id"],
    key: [textKey("client_id")],
  },
  { name: "programs", table: "oauth_grant", owner: "account_id", key: [textKey("id")] },
  { name: "groups", table: "account_group_member", owner: "account_id", key: [numberKey("group_id")] },
  { name: "communities", table: "community_member", owner: "account_id", key: [textKey("community_id")] },
  { name: "indexes", table: "index_node", owner: "owner_account_id", key: [id] },
  { name: "records", table: "item_parent", owner: "owner_account_id", key: [id] },
  { name: "deposits", table: "item", owner: "deposited_by", key: [id], isWide: true, isItem: true },
  {
    ...{ name: "deposits_on_behalf", table: "item", owner: "deposited_on_behalf_of", isWide: true, isItem: true },
    key: [id],
  },
  {
    ...{ name: "revisions", table: "item_revision", owner: "account_id", isWide: true },
    key: [item, numberKey("revision")],
  },
  {
    ...{ name: "revisions_on_behalf", table: "item_revision", owner: "on_behalf_of", isWide: true },
    key: [item, numberKey("revision")],
  },
  { name: "drafts", table: "item_draft", owner: "editor_account_id", key: [item], isWide: true },
  {
    ...{ name: "draft_revisions", table: "draft_revision", owner: "account_id", isWide: true },
    key: [item, numberKey("counter")],
  },
  { name: "draft_files", table: "draft_file", owner: "account_id", key: [item, textKey("key")] },
  { name: "withdrawn", table: "tombstone", owner: "account_id", key: [item] },
  { name: "shared_with_me", table: "item_share", owner: "account_id", key: [numberKey("parent_id")] },
  {
    ...{ name: "granted_to_me", table: "item_grant", owner: "subject_id", where: "t.subject = 'user'" },
    key: [numberKey("parent_id")],
  },
  { name: "transfers_offered", table: "record_transfer", owner: "account_id", key: [textKey("id")] },
  { name: "transfers_received", table: "record_transfer", owner: "receiver_account", key: [textKey("id")] },
  {
    ...{ name: "static_pages", table: "static_page" as const, owner: "account_id", isWide: true as const },
    key: [textKey("slug"), numberKey("revision")],
  },
  { name: "saved_searches", table: "saved_search", owner: "account_id", key: [textKey("id")] },
  { name: "access_requests", table: "access_request", owner: "account_id", key: [textKey("id")] },
  { name: "access_links", table: "access_link", owner: "account_id", key: [textKey("id")] },
  { name: "activities", table: "activity", owner: "account_id", key: [textKey("created_at"), textKey("id")] },
  { name: "activities_on_behalf", table: "activity", owner: "on_behalf_of", key: [textKey("id")] },
  {
    ...{ name: "activity_steps", table: "activity_step", owner: "account_id" },
    key: [textKey("activity_id"), numberKey("number")],
  },
  { name: "deposit_receipts", table: "deposit_receipt", owner: "account_id", key: [textKey("idempotency_key")] },
  { name: "requests", table: "request", owner: "account_id", key: [id] },
  { name: "requests_received", table: "request", owner: "receiver_account", key: [id] },
  {
    ...{ name: "comments", table: "request_event", owner: "account_id" },
    key: [numberKey("request_id"), numberKey("position")],
  },
  { name: "requests_held", table: "request", owner: "holder_account", key: [id] },
  { name: "activities_held", table: "activity", owner: "holder_account", key: [textKey("id")] },
  {
    ...{ name: "named_in_requests", table: "request_event", owner: "about_account" },
    key: [numberKey("request_id"), numberKey("position")],
  },
  {
    ...{ name: "named_in_activities", table: "activity_step", owner: "about_account" },
    key: [textKey("activity_id"), numberKey("number")],
  },
  { name: "mails", table: "outgoing", owner: "account_id", key: [textKey("state"), id] },
  { name: "invitations", table: "registration", owner: "invited_by", key: [id] },
  { name: "audit", table: "repository_event", owner: "account_id", key: [textKey("at"), id] },
];

/** Columns that name an account and are not exported, each with the reason. */
export const NOT_PERSONAL: Readonly<Record<string, string>> = {
  "item_lock.owner": "the random name of a claim of an item, not of an account",
  "deposit_receipt.owner": "the random name of the process that took the deposit",
  "job.lease_owner": "the random name of the process that runs the job",
  "access_request.decided_by": "who asked is a person's own: the audit of an account has its decisions",
  "search_writer.owner": "the random name of the process that writes the index",
};

/** What lets somebody in, or proves something, and the hashes of that. */
const SECRETS: ReadonlySet<string> = new Set(["hash", "token_hash", "csrf", "stop_key", "feed_hash"]);

/** Of an item that has another owner by now only the facts of the deposit are exported. */
const ITEM_CONTENT: ReadonlySet<string> = new Set(["title", "metadata", "settings", "embargo_reason", "file_set_id"]);
const OWNED = "is_owned";

function statementOf({ table, owner, via, where, key, isWide, isItem }: Section): Statement {
  return statement(({ dialect }) => {
    const cast = (at: number, kind: KeyColumn[1]): string =>
      dialect === "sqlite" ? `$${at}` : `$${at}::${kind === "number" ? "bigint" : "text"}`;
    const names = key.map(([name]) => `t.${name}`);
    const least = key.map(([, kind], at) => cast(at + 2, kind));
    const from = via === undefined ? `${table} t` : `${via[0]} o join ${table} t on t.${via[1]} = o.${via[1]}`;
    const limit = isWide === true ? WIDE_ROWS : ROWS;
    const owned = `exists (select 1 from item_parent p where p.id = t.parent_id and p.owner_account_id = $1)`;
    const isOwned = isItem === true ? `, case when ${owned} then 1 else 0 end as ${OWNED}` : "";
    return `select t.*${isOwned} from ${from} where ${via === undefined ? "t" : "o"}.${owner} = $1${where === undefined ? "" : ` and ${where}`}
      and (${names.join(", ")}) > (${least.join(", ")}) order by ${names.join(", ")} limit ${limit}`;
  });
}

const STATEMENTS: ReadonlyMap<string, Section & { readonly statement: Statement }> = new Map(
  PERSONAL_SECTIONS.map((section) => [section.name, { ...section, statement: statementOf(section) }]),
);

/** Text that is JSON is exported as what it is. */
function jsonOf(cell: unknown): Json {
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell !== "string") return typeof cell === "number" ? cell : null;
  if (!/^[[{]/.test(cell)) return cell;
  try {
    return JSON.parse(cell) as Json;
  } catch {
    return cell;
  }
}

/** PostgreSQL returns numbers of 64 bits as texts in some columns: keys are made what their column is. */
function pageOf(rows: readonly Readonly<Record<string, unknown>>[], section: Section): PersonalPage {
  const limit = section.isWide === true ? WIDE_ROWS : ROWS;
  const last = rows.at(-1);
  const next =
    last === undefined || rows.length < limit
      ? null
      : section.key.map(([name, kind]) => (kind === "number" ? Number(last[name]) : String(last[name])));
  const isHidden = (row: Readonly<Record<string, unknown>>, name: string): boolean =>
    SECRETS.has(name) ||
    (section.isItem === true && (name === OWNED || (Number(row[OWNED]) !== 1 && ITEM_CONTENT.has(name))));
  const shown = rows.map(
    (row): PersonalRow =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, cell]) => (isHidden(row, name) ? [] : [[name, jsonOf(cell)]])),
      ),
  );
  return { rows: shown, next };
}

async function personalRows(session: Session, name: string, accountId: AccountId, after: PersonalKey) {
  const section = STATEMENTS.get(name);
  if (section === undefined) throw new RangeError(`There is no section "${name}"`);
  const from = after ?? section.key.map(([, kind]) => (kind === "number" ? -1 : ""));
  const rows = await rowsOf<Record<string, unknown>>(session, section.statement, [accountId, ...from]);
  return pageOf(rows, section);
}

const DRAFTS = statement(
  () => `select i.id, i.title from item_parent p join item i on i.parent_id = p.id
    join item_draft d on d.item_id = i.id where p.owner_account_id = $1 order by i.id limit $2`,
);
const HOLDINGS = statement(
  () => `select (select count(*) from item_parent where owner_account_id = $1 and latest_item_id is not null) as items,
    (select count(*) from login_session where account_id = $1) as sessions,
    (select count(*) from account_client where account_id = $1 and active = 1) as tokens,
    (select count(*) from oauth_grant where account_id = $1 and ended_at is null) as grants,
    (select count(*) from account_group_member where account_id = $1) as groups,
    (select count(*) from community_member where account_id = $1) as communities,
    (select count(*) from item_share where account_id = $1) +
      (select count(*) from item_grant where subject_id = $1 and subject = 'user') as shares`,
);

/** What goes when an account is closed. Mails that were sent stay listed without their text. */
const FORGET = [
  "delete from login_link where account_id = $1",
  "delete from account_group_member where account_id = $1",
  "delete from community_member where account_id = $1",
  "delete from item_share where account_id = $1",
  "delete from item_grant where subject = 'user' and subject_id = $1",
  "delete from access_link where account_id = $1",
  "delete from saved_search_item where search_id in (select id from saved_search where account_id = $1)",
  "delete from saved_search where account_id = $1",
  `update access_request set status = case when status = 'submitted' then 'cancelled' else status end, message = '',
    name = '', revoked_at = case when status = 'accepted' then coalesce(revoked_at, updated_at) else revoked_at end
    where account_id = $1`,
  "delete from notice_setting where account_id = $1",
  "delete from outgoing where account_id = $1 and state in ('waiting', 'digest')",
].map((text) => statement(() => text));

export function personalDataReader(session: Session): PersonalDataReader {
  return {
    sections: async () => PERSONAL_SECTIONS.map(({ name }) => name),
    personalRows: (section, accountId, after) => personalRows(session, section, accountId, after),
    async ownDrafts(accountId, limit) {
      const rows = await rowsOf<{ id: number; title: string }>(session, DRAFTS, [accountId, limit]);
      return rows.map(({ id: itemId, title }) => ({ id: Number(itemId), title }));
    },
    async holdings(accountId) {
      const [row] = await rowsOf<Record<keyof AccountHoldings, number>>(session, HOLDINGS, [accountId]);
      if (row === undefined) throw new RangeError("A count has one row");
      const { items, sessions, tokens, grants, groups, communities, shares } = row;
      return {
        items: Number(items),
        sessions: Number(sessions),
        tokens: Number(tokens),
        grants: Number(grants),
        groups: Number(groups),
        communities: Number(communities),
        shares: Number(shares),
      };
    },
  };
}

export function personalDataWriter(session: Session): PersonalDataWriter {
  return {
    ...personalDataReader(session),
    async forgetAccess(accountId) {
      for (const each of FORGET) await run(session, each, [accountId]);
    },
  };
}
