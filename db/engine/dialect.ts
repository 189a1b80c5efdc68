// The two databases we speak, and the few words in which their SQL differs.
import { CompiledQuery, type Kysely, type QueryResult } from "kysely";
import type { Database } from "./schema.ts";
import type { RunAll } from "./sqlite-thread.ts";

export type Dialect = "sqlite" | "postgres";

/** A database, one connection of it, or a transaction: whatever runs queries. */
export type Session = {
  readonly dialect: Dialect;
  readonly db: Kysely<Database>;
  /** Only in a separate thread: many runs of one statement in one message. */
  readonly runAll?: RunAll;
};

type SessionFunctions = Readonly<Record<string, (session: Session, ...parameters: never[]) => unknown>>;
type BoundFunctions<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (session: Session, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Functions of a session as the members of one object, which is what a port asks for. */
export function boundTo<Functions extends SessionFunctions>(
  session: Session,
  functions: Functions,
): BoundFunctions<Functions> {
  const members = Object.entries(functions).map(([name, call]) => [
    name,
    (...parameters: never[]) => call(session, ...parameters),
  ]);
  // Every member has the type it had, without its first parameter.
  return Object.fromEntries(members) as BoundFunctions<Functions>;
}

/** One transaction: everything or nothing. `work` may run more than once. */
export type Transact = <T>(work: (tx: Session) => Promise<T>, size?: "large") => Promise<T>;

/** Fragments of statements that are written once for both databases. */
export type Words = {
  readonly dialect: Dialect;
  /** ` in (…)` for a parameter made by `textList`. */
  inList(parameter: string): string;
  /** A table of one column `value` for a parameter made by `textList`. */
  listTable(parameter: string): string;
  /**
   * The rows of a select inside another, in its order, as one text: a JSON array with an array of these columns for
   * each.
   */
  jsonRows(columns: readonly string[], select: string): string;
  readonly forUpdate: string;
  /** Locks that let foreign keys of others through. */
  readonly forNoKeyUpdate: string;
};

const WORDS: Readonly<Record<Dialect, Words>> = {
  sqlite: {
    dialect: "sqlite",
    inList: (parameter) => `in (select value from json_each(${parameter}))`,
    listTable: (parameter) => `json_each(${parameter})`,
    jsonRows: (columns, select) =>
      `(select json_group_array(json_array(${columns.join(", ")})) from (${select}) as listed)`,
    forUpdate: "",
    forNoKeyUpdate: "",
  },
  postgres: {
    dialect: "postgres",
    inList: (parameter) => `= any(${parameter}::text[])`,
    listTable: (parameter) => `unnest(${parameter}::text[]) as listed(value)`,
    jsonRows: (columns, select) =>
      `(select coalesce(json_agg(json_build_array(${columns.join(", ")})), '[]')::text from (${select}) as listed)`,
    forUpdate: "for update",
    forNoKeyUpdate: "for no key update",
  },
};

/** A list of texts as one parameter, however long it is. */
export function textList(session: Session, texts: readonly string[]): unknown {
  return session.dialect === "sqlite" ? JSON.stringify(texts) : texts;
}

/**
 * A statement of fixed text: it is never compiled again, and PostgreSQL keeps it prepared. Parameters are `$1`, `$2`, …
 */
export type Statement = Readonly<Record<Dialect, string>>;

/** Every statement of fixed text whose file is loaded: a test explains each (R9b). */
export const fixedStatements = new Map<string, Statement>();

const preparedNames = new Map<string, string>();

export function statement(write: (words: Words) => string): Statement {
  const postgres = write(WORDS.postgres);
  keepPrepared(postgres);
  const made = { sqlite: write(WORDS.sqlite).replace(/\$(\d+)/g, "?$1"), postgres };
  fixedStatements.set(postgres, made);
  return made;
}

/** Asks PostgreSQL to keep a statement prepared. For texts fixed in the source only: they are never let go of. */
export function keepPrepared(text: string): void {
  if (!preparedNames.has(text)) preparedNames.set(text, `arkstone_${preparedNames.size + 1}`);
}

/** The name under which PostgreSQL keeps a statement of fixed text; undefined for every other. */
export function preparedName(text: string): string | undefined {
  return preparedNames.get(text);
}

/** What Kysely makes of a text, once for each statement. */
const queries: Readonly<Record<Dialect, WeakMap<Statement, CompiledQuery>>> = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
};

function queryOf(fixed: Statement, dialect: Dialect): CompiledQuery {
  const known = queries[dialect].get(fixed);
  if (known !== undefined) return known;
  const made = CompiledQuery.raw(fixed[dialect]);
  queries[dialect].set(fixed, made);
  return made;
}

/**
 * A query with its parameters. Kysely's own way freezes them, which for the thousands of a bulk statement costs more
 * than running it.
 */
export function withParameters(query: CompiledQuery, parameters: readonly unknown[]): CompiledQuery {
  return { ...query, parameters };
}

/** Runs a statement of fixed text. `Row` is the type of its select list. */
export function run<Row>(
  session: Session,
  fixed: Statement,
  parameters: readonly unknown[] = [],
): Promise<QueryResult<Row>> {
  return session.db.executeQuery<Row>(withParameters(queryOf(fixed, session.dialect), parameters));
}

export async function rowsOf<Row>(
  session: Session,
  fixed: Statement,
  parameters: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await run<Row>(session, fixed, parameters)).rows;
}
