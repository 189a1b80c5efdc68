// Replaced by its owner within the hour: the queries of accounts.
import type { AccountReader, AccountWriter } from "../../src/ports/repository/accounts.ts";
import type { Session } from "../dialect.ts";

export function accountReader(_session: Session): AccountReader {
  return {} as AccountReader;
}

export function accountWriter(_session: Session): AccountWriter {
  return {} as AccountWriter;
}
