// Migration 32: access links and what an account holds or is named in are also found by the account, for its export and
// its closing. Expands only.
import type { Migration } from "./migration.ts";

export const linksOfAccount: Migration = {
  version: 32,
  name: "links-of-account",
  statements: () => [
    "create index access_link_of_account on access_link (account_id, id)",
    "create index request_held on request (holder_account, id) where holder_account is not null",
    "create index activity_held on activity (holder_account, id) where holder_account is not null",
    `create index request_event_about on request_event (about_account, request_id, position)
      where about_account is not null`,
    `create index activity_step_about on activity_step (about_account, activity_id, number)
      where about_account is not null`,
  ],
};
