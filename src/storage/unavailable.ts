// The answer when the storage of files is unavailable or refuses access (R7c): the client cannot repair that, so 503,
// to retry later.
import { Refusal } from "../shared/refusal.ts";
import { StorageProblem } from "./limits.ts";

const RETRY_SECONDS = "10";

/** The refusal for a storage that gives and takes nothing now; every other error as it is. */
export function orStorageAway(error: unknown): unknown {
  if (!isStorageAway(error)) return error;
  return new Refusal("unavailable", "The storage of files does not answer at the moment", {
    headers: { "retry-after": RETRY_SECONDS },
    cause: error,
  });
}

export function isStorageAway(error: unknown): error is StorageProblem {
  return error instanceof StorageProblem && (error.kind === "unavailable" || error.kind === "refused");
}
