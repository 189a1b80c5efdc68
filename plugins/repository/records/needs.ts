// What the routes of records take, and the parts of addresses they share (R37).
import type { Viewer } from "../../../src/auth/account.ts";
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import type { RepositoryGuard } from "../guard.ts";

export type RecordPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyone" | "viewer" | "json" | "document">;
  readonly records: Records;
  readonly baseUrl: string;
  /** The record in the format that `Accept` names; null: it names none of another kind. */
  readonly exported?: (request: Request, viewer: Viewer, id: number) => Promise<Response | null>;
};

/** What is counted together against the limit of requests per minute (R9). */
export const GROUP = "records";
const ID = /^[1-9]\d{0,14}$/;

/** Text that is not an id: nothing has it. */
export function idOf(text: string): number {
  if (ID.test(text)) return Number(text);
  throw unknownRecord();
}
