// What the routes of records take (R37).
import type { Viewer } from "../../../src/auth/account.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import type { RecordId } from "../../../src/shared/ids.ts";
import type { RepositoryGuard } from "../guard.ts";

export type RecordPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyone" | "viewer" | "json" | "document">;
  readonly records: Records;
  readonly baseUrl: string;
  /** The record in the format that `Accept` names; null: it names none of another kind. */
  readonly exported?: (request: Request, viewer: Viewer, id: RecordId) => Promise<Response | null>;
};

/** What is counted together against the limit of requests per minute (R9). */
export const GROUP = "records";
