// The form by which a task is taken, released or given to somebody else (R44).
import type { Viewer } from "../../../src/auth/account.ts";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { HOLDER } from "../../../src/repository/requests/holder-body.ts";
import type { AccountId } from "../../../src/shared/ids.ts";

export const HOLDER_FORM = { to: "me, the number of an account, or empty to release it" };

/** @throws Refusal `invalid` for what is not the number of an account */
export function holderIn(viewer: Viewer, fields: ReadonlyMap<string, string>): AccountId | null {
  const to = (fields.get("to") ?? "").trim();
  if (to === "") return null;
  return to === "me" ? (viewer.account?.id ?? null) : sentRecord(HOLDER, { user: to })();
}
