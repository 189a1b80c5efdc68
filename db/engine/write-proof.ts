// Proves by a write that the database can be written, and gives the reason in one sentence if not (decisions, A15):
// a file of another user, a full disk, a standby, a role with fewer rights than its process needs.

import { statSync } from "node:fs";
import process from "node:process";
import { CompiledQuery } from "kysely";
import { errorMessage } from "../../src/shared/error-message.ts";
import { isAway, rowsOf, run, type Session, statement } from "./dialect.ts";
import { TABLE_RIGHTS } from "./roles.ts";
import { isReadOnlyFile } from "./sqlite-transactions.ts";

/** The processes that write, by the rights they are given. */
export type WritingRole = "minter" | "repository";

export const NO_ANSWER = "The database does not answer";

const PROOF_KEY = "write_proof";
const INSERT = statement(() => `insert into service (key, value) values ('${PROOF_KEY}', '')`);
const REMOVE = statement(() => `delete from service where key = '${PROOF_KEY}'`);

/** Writes and leaves nothing: a page goes to the disk with the commit, its rows are as they were. */
export async function writeOnSqlite(session: Session): Promise<void> {
  await run(session, INSERT);
  await run(session, REMOVE);
}

/**
 * Why a file cannot be written, from what the system reports of it. Without the path: /readyz shows the sentence to
 * everyone.
 */
function unwritableFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "The database cannot be written: its file is gone";
  const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
  const me = process.getuid?.();
  const own = me === undefined ? "" : `, this process is user ${me}`;
  return `The database can only be read: its file belongs to user ${found.uid} with mode ${mode}${own}, or its disk is mounted for reading`;
}

export const DISK_FULL = "The database cannot be written: its disk is full";

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /database or disk is full/i.test(error.message);
}

/** What a failed write on SQLite means to an operator. */
export function sqliteProblem(path: string, error: unknown): string {
  if (isReadOnlyFile(error)) return unwritableFile(path);
  const words = errorMessage(error);
  if (isDiskFull(error)) return DISK_FULL;
  if (/locked|busy/i.test(words)) return "The database cannot be written: another program holds it";
  if (/disk I\/O error/i.test(words)) return "The database cannot be written: its disk gives errors";
  return NO_ANSWER;
}

const SERVER = `select current_user::text as role, pg_is_in_recovery() as standby,
  current_setting('transaction_read_only') = 'on' as "readOnly"`;
/** Written to the log of the server alone: nothing of it is kept, and its commit waits for a standby as every other. */
const MESSAGE = "select pg_logical_emit_message(true, 'arkstone', '')";

/** Nothing where writing works; otherwise why not. The commit is the caller's to wait for. */
export async function postgresProblem(session: Session, role: WritingRole): Promise<string | null> {
  const ask = async <Row>(text: string): Promise<Row | undefined> =>
    (await session.db.executeQuery<Row>(CompiledQuery.raw(text))).rows[0];
  const server = await ask<{ role: string; standby: boolean; readOnly: boolean }>(SERVER);
  if (server?.standby === true) return "The database can only be read: its server is a standby";
  const lacking = (await rowsOf<{ right: string }>(session, LACKING[role])).map(({ right }) => right);
  if (lacking.length > 0) {
    const more = lacking.length > RIGHTS_NAMED ? ` and ${lacking.length - RIGHTS_NAMED} more` : "";
    const named = `${lacking.slice(0, RIGHTS_NAMED).join(", ")}${more}`;
    return `The role "${server?.role}" is not that of a ${role}: it lacks ${named} ("arkstone migrate --roles" gives the rights)`;
  }
  if (server?.readOnly === true) return `The sessions of the role "${server.role}" can only read`;
  await ask(MESSAGE);
  return null;
}

/** Rights named in the sentence; the first tells what kind of role it is. */
const RIGHTS_NAMED = 2;

/**
 * Rights on whole tables that a role must have and has not. Tables that are not there yet are for the migration to tell
 * of.
 */
function lackingRights(role: WritingRole) {
  const wanted = Object.entries(TABLE_RIGHTS).flatMap(([table, rights]) =>
    rights[role].flatMap((right) => (right.includes("(") ? [] : [`('${table}', '${right}')`])),
  );
  return statement(
    () => `select right_name || ' on ' || table_name as right from (values ${wanted.join(", ")}) as wanted (table_name, right_name)
      where to_regclass(table_name) is not null and not has_table_privilege(to_regclass(table_name), right_name)`,
  );
}
const LACKING = { minter: lackingRights("minter"), repository: lackingRights("repository") };

/** What a failed proof on PostgreSQL means to an operator. */
export function postgresFailure(error: unknown): string {
  if (isAway(error)) return NO_ANSWER;
  const words = errorMessage(error);
  return `The database cannot be written: ${words.split("\n")[0]}`;
}
