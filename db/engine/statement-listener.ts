// Statements told to whoever counts them: tests hold requests to a number of them.
import type { LogEvent } from "kysely";

/** Receives the text and the parameters of every statement after it has run, of those that begin and end transactions too. */
export type OnStatement = (text: string, parameters: readonly unknown[]) => void;

/** What Kysely takes for it. */
export function tellingStatements(told: OnStatement | undefined) {
  return told === undefined ? {} : { log: ({ query }: LogEvent) => told(query.sql, query.parameters) };
}
