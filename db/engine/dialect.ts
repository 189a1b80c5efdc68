// The two databases we speak, and the few words in which their SQL differs.

import { CompiledQuery, type Kysely, type QueryResult } from "kysely";
import { ServiceError } from "../../src/shared/errors.ts";
import type { Database } from "./schema.ts";
import type { RunAll } from "./sqlite-thread.ts";

export type Dialect = "sqlite" | "postgres";

/** A database, one connection of it, or a transaction: whatever runs queries. */
export type Session = {
  readonly dialect: Dialect;
  readonly db: Kysely<Database>;
  /** Only of what reads outside of transactions: where reads go whose work grows with what there is. */
  readonly patient?: () => Kysely<Database>;
  /** Only in a separate thread: many runs of one statement in one message. */
  readonly runAll?: RunAll;
};

/** The session for reads whose work grows with what there is: within a transaction the same one. */
export const patiently = ({ dialect, db, patient }: Session): Session => ({ dialect, db: patient?.() ?? db });

/** The functions that make a port, each with the session it works on. */
export type OfSession<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...parameters: infer Rest) => infer Result
    ? (session: Session, ...rest: Rest) => Result
    : never;
};

/** Functions of a session as the members of one object, which is what a port asks for. */
export function boundTo<Port>(session: Session, functions: OfSession<Port>): Port {
  const members: Record<string, unknown> = {};
  // Every transaction does this.
  for (const [name, call] of Object.entries<(session: Session, ...parameters: never[]) => unknown>(functions)) {
    members[name] = (...parameters: never[]) => call(session, ...parameters);
  }
  // Every member has the type it had, without its first parameter.
  return members as Port;
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

// Objects whose members are made when they are first read: a transaction uses few of the writers that it offers.

type Factories<T> = { readonly [Name in keyof T]: (session: Session) => T[Name] };

/**
 * Returns a function from a session to an object with one member per factory, each made at its first use and kept.
 * Members belong to the object itself, so that a spread copies them (and makes them all).
 */
export function lazyMembers<T extends object>(factories: Factories<T>): (session: Session) => T {
  const names = Object.keys(factories) as (keyof T & string)[];
  return (session) => {
    const members = {} as T;
    for (const name of names) {
      const get = (): T[typeof name] => {
        const value = factories[name](session);
        Object.defineProperty(members, name, { value, enumerable: true });
        return value;
      };
      Object.defineProperty(members, name, { get, enumerable: true, configurable: true });
    }
    return members;
  };
}

// Distinguishes a database that does not answer from every other failure, so that callers receive "try again later"
// (A28: 1901, 503).

const RETRY_SECONDS = "5";

/**
 * SQLSTATE classes 08 (connection), 53 (no room, too many connections), 57P (shutting down), 25006 (a primary that
 * became a standby), and what took longer than we allow: a statement (57014), a wait for a lock (55P03), a transaction
 * without a question (25P03).
 */
const AWAY_STATES = /^(?:08...|53...|57P0[1-5]|25006|57014|55P03|25P03)$/;
const AWAY_CODES: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "EPIPE",
]);
/** Messages of drivers without a code. */
const AWAY_WORDS =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|query read timeout|connection error and is not queryable|database (?:table )?is locked|database or disk is full|disk I\/O error|unable to open database file|readonly database/i;

/** True for a failure that another try, a little later, may not meet. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = "code" in error ? error.code : undefined;
  if (AWAY_CODES.has(code) || (typeof code === "string" && AWAY_STATES.test(code))) return true;
  return AWAY_WORDS.test(error.message) || (error instanceof AggregateError && error.errors.some(isAway));
}

/** Waits for a question to the database; throws 1901, with what happened as its cause, where it does not answer. */
export async function answered<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (!isAway(error)) throw error;
    const refusal = new ServiceError(1901, { reason: "database" }, { "retry-after": RETRY_SECONDS });
    refusal.cause = error;
    throw refusal;
  }
}

type Questions = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>;

/** The same reader, whose questions end with 1901 while the database is away. */
export function answering<
  Reader extends { readonly [Name in keyof Reader]: (...parameters: never[]) => Promise<unknown> },
>(reader: Reader): Reader {
  const questions: Questions = { ...reader };
  const wrapped = Object.entries(questions).map(([name, ask]) => [
    name,
    (...parameters: never[]) => answered(ask(...parameters)),
  ]);
  // Every member has the type it had: only the promise is watched.
  return Object.fromEntries(wrapped) as Reader;
}
