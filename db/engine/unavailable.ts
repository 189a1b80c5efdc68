// Distinguishes a database that does not answer from every other failure, so that callers receive "try again later"
// (A28: 1901, 503).
import { ServiceError } from "../../src/shared/errors.ts";

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
