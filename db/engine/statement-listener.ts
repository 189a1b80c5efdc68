// Passes statements to a listener that counts them: tests hold requests to a number of statements.
import type { LogEvent } from "kysely";

/**
 * Receives the text and the parameters of every statement after it has run, of those that begin and end transactions
 * too.
 */
export type OnStatement = (text: string, parameters: readonly unknown[]) => void;

/** What Kysely takes for it. */
export function loggingStatements(listener: OnStatement | undefined) {
  return listener === undefined ? {} : { log: ({ query }: LogEvent) => listener(query.sql, query.parameters) };
}
