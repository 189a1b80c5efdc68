// Migration 4: receipts of items under a name that no client can have (R5a), and what a session was signed in with
// (R6c). Expands only.
import type { Migration } from "./migration.ts";

/**
 * Of the receipts that were kept under the name of a credential only those whose name the item has are the item's; what
 * else was sent with such a request_id stays its sender's. The rows they were copied from stay, as receipts always do.
 */
const ITEM_RECEIPTS = `insert into receipt (client_id, request_id, kind, ark, created_at)
  select '(repository)', r.request_id, r.kind, r.ark, min(r.created_at)
  from receipt r join item i on i.ark = r.ark
  where r.kind = 'mint' and r.request_id like 'item:%' and r.request_id = 'item:' || cast(i.id as text)
  group by r.request_id, r.kind, r.ark
  on conflict do nothing`;

export const rights: Migration = {
  version: 4,
  name: "rights",
  statements(dialect) {
    const key = dialect === "sqlite" ? "text" : 'text collate "C"';
    return [
      ITEM_RECEIPTS,
      // Null: written by a version that did not set it. Such a session is invalid: its person signs in again.
      `alter table login_session add column way ${key}`,
      // The client whose token signed in; it ends with it. Null: a person did, by link or at a provider.
      `alter table login_session add column client_id ${key} references account_client (client_id)`,
      // The client in whose session this one was made; it ends with it.
      `alter table account_client add column made_with ${key} references account_client (client_id)`,
    ];
  },
};
