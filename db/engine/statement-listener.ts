// Statements told to whoever counts them: tests hold requests to a number of them.
import type { LogEvent } from "kysely";

/** Told the text of every statement when it has been run, those that begin and end transactions too. */
export type OnStatement = (text: string) => void;

/** What Kysely takes for it. */
export function tellingStatements(told: OnStatement | undefined) {
  return told === undefined ? {} : { log: ({ query }: LogEvent) => told(query.sql) };
}
