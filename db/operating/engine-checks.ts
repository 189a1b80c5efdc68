// The checks of the database engine itself: whole files and indexes, kept foreign keys, present and enabled triggers.
import type { Finding } from "../../src/operating/verify/finding.ts";
import { rowsOf, type Session, statement } from "../engine/dialect.ts";
import { ITEM_CHANGE_TRIGGERS } from "../migrations/0008-item-changes.ts";
import { SETTING_CHANGE_TRIGGERS } from "../migrations/0010-search-settings.ts";
import { FILE_TEXT_TRIGGERS } from "../migrations/0011-file-text.ts";
import { HARVEST_TRIGGERS } from "../migrations/0012-harvested-records.ts";
import { ITEM_GRANT_TRIGGERS } from "../migrations/0023-item-grants.ts";

/** The triggers of the migrations that protect names from loss, or report changes to followers, with their tables. */
export const GUARDS: Readonly<Record<string, string>> = {
  ark_is_kept: "ark",
  shoulder_is_kept: "shoulder",
  receipt_is_kept: "receipt",
  ark_change_is_kept: "ark_change",
  ark_keeps_key: "ark",
  ark_stays_withdrawn: "ark",
  ark_keeps_first_published: "ark",
  shoulder_keeps_key: "shoulder",
  ...ITEM_CHANGE_TRIGGERS,
  ...ITEM_GRANT_TRIGGERS,
  ...SETTING_CHANGE_TRIGGERS,
  ...FILE_TEXT_TRIGGERS,
  ...HARVEST_TRIGGERS,
  request_final: "request",
  oauth_grant_final: "oauth_grant",
  grant_secret_final: "grant_secret",
};
/** PostgreSQL can empty a table without deleting a row. */
export const POSTGRES_GUARDS: Readonly<Record<string, string>> = {
  ...GUARDS,
  ark_is_not_emptied: "ark",
  shoulder_is_not_emptied: "shoulder",
  receipt_is_not_emptied: "receipt",
  ark_change_is_not_emptied: "ark_change",
};

type Engine = { readonly findings: readonly Finding[]; readonly notes: readonly string[] };

export function inspectEngine(session: Session): Promise<Engine> {
  return session.dialect === "sqlite" ? inspectSqlite(session) : inspectPostgres(session);
}

const finding = (key: string, problem: string): Finding => ({ kind: "engine", key, problem });
const sqlite = (text: string) => ({ sqlite: text, postgres: "" });

function missing(
  guards: Readonly<Record<string, string>>,
  there: readonly { name: string; table: string }[],
): Finding[] {
  return Object.entries(guards)
    .filter(([name, table]) => !there.some((each) => each.name === name && each.table === table))
    .map(([name, table]) => finding(table, `its trigger ${name} is missing or turned off`));
}

async function inspectSqlite(session: Session): Promise<Engine> {
  const whole = await rowsOf<{ integrity_check: string }>(session, sqlite("pragma integrity_check(100)"));
  const broken = whole.map((row) => row.integrity_check).filter((text) => text !== "ok");
  const strangers = await rowsOf<{ table: string; rowid: number | null; parent: string }>(
    session,
    sqlite("pragma foreign_key_check"),
  );
  const triggers = await rowsOf<{ name: string; table: string }>(
    session,
    sqlite(`select name, tbl_name as "table" from sqlite_master where type = 'trigger'`),
  );
  return {
    findings: [
      ...broken.map((text) => finding("integrity_check", text)),
      ...strangers.map(({ table, rowid, parent }) =>
        finding(table, `row ${rowid} refers to a row of ${parent} that is not there`),
      ),
      ...missing(GUARDS, triggers),
    ],
    notes: [],
  };
}

const TRIGGERS = statement(
  () => `select t.tgname as name, c.relname as "table" from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgenabled in ('O', 'A') and c.relnamespace::regnamespace::text = any(current_schemas(false))`,
);
const CONSTRAINTS = statement(
  () => `select conname as name, conrelid::regclass::text as "table" from pg_constraint
    where not convalidated and connamespace::regnamespace::text = any(current_schemas(false))`,
);
const INDEXES = statement(
  () => `select c.oid::bigint as oid, c.relname as name, i.indisvalid as valid, a.amname as method
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where c.relnamespace::regnamespace::text = any(current_schemas(false)) order by c.relname`,
);
const AMCHECK = statement(() => "select 1 as found from pg_extension where extname = 'amcheck'");
const CHECK_INDEX = statement(() => "select bt_index_check($1::oid::regclass, true)");

async function inspectPostgres(session: Session): Promise<Engine> {
  const findings = missing(POSTGRES_GUARDS, await rowsOf(session, TRIGGERS));
  for (const { name, table } of await rowsOf<{ name: string; table: string }>(session, CONSTRAINTS)) {
    findings.push(finding(table, `its constraint ${name} was never checked`));
  }
  const indexes = await rowsOf<{ oid: number; name: string; valid: boolean; method: string }>(session, INDEXES);
  for (const { name, valid } of indexes) if (!valid) findings.push(finding(name, "the index is not valid"));
  if ((await rowsOf(session, AMCHECK)).length === 0) {
    const note = `The pages of tables and indexes were not checked: that needs "create extension amcheck" in this database`;
    return { findings, notes: [note] };
  }
  const denied = new Map<string, string[]>();
  for (const { oid, name, method } of indexes) {
    if (method !== "btree") continue;
    const problem = await indexProblem(session, oid);
    if (problem === null) continue;
    if (problem.denied) denied.set(problem.words, [...(denied.get(problem.words) ?? []), name]);
    else findings.push(finding(name, problem.words));
  }
  // One reason, such as a missing right, usually concerns all of them: it is reported once.
  const notes = [...denied].map(
    ([words, names]) => `${names.length} of the indexes were not checked (${names.join(", ")}): ${words}`,
  );
  return { findings, notes };
}

/** SQLSTATE of damage that the server has noticed; every other code means that the check was not possible. */
const CORRUPTED: readonly unknown[] = ["XX001", "XX002"];

async function indexProblem(session: Session, oid: number): Promise<{ words: string; denied: boolean } | null> {
  try {
    await rowsOf(session, CHECK_INDEX, [oid]);
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { words: error.message, denied: !("code" in error && CORRUPTED.includes(error.code)) };
  }
}
