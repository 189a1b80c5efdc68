// Tombstones of deleted records (R2c; specification 3, "States and transitions"): only administrators see who deleted a
// record.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import type { Tombstone } from "../../model/items/item.ts";

export function tombstoneJson(tombstone: Tombstone, viewer: Viewer) {
  const { reason, note, by, at, citation, isVisible } = tombstone;
  return {
    removal_reason: reason === null ? null : { id: reason },
    note,
    ...(isAdministrator(viewer) ? { removed_by: { user: by === null ? "system" : String(by) } } : {}),
    removal_date: at,
    citation_text: citation,
    is_visible: isVisible,
  };
}
