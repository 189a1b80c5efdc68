// The checks of a draft as pages of reviewers show them (R44).
import type { Viewer } from "../../../src/auth/account.ts";
import type { DraftChecks } from "../../../src/repository/records/draft-checks.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import { isRefusal } from "../../../src/shared/refusal.ts";

export type ChecksNeeds = { readonly records: Pick<Records, "checks"> };

/** Null where there is no draft, or its form cannot be read. */
export async function checksOf({ records }: ChecksNeeds, viewer: Viewer, id: ItemId): Promise<DraftChecks | null> {
  try {
    return await records.checks(viewer, id);
  } catch (error) {
    if (isRefusal(error, "not_found", "gone", "unavailable")) return null;
    throw error;
  }
}
