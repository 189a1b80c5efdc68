// Migration 31: review (R44): people who ask to join communities, who holds a task, comments on single fields, and the
// indexes by which tasks are found. Expands only.
import type { Migration } from "./migration.ts";

export const review: Migration = {
  version: 31,
  name: "review",
  statements(dialect) {
    const int = dialect === "sqlite" ? "integer" : "bigint";
    return [
      // With the type of an invitation, and nobody invited: the check of that column allows no fourth word.
      "alter table request add column asks_to_join integer not null default 0 check (asks_to_join in (0, 1))",
      `alter table request add column holder_account ${int}`,
      "alter table request_event add column field text not null default ''",
      `alter table request_event add column about_account ${int}`,
      `alter table activity add column holder_account ${int}`,
      "alter table activity_step add column event text not null default ''",
      "alter table activity_step add column field text not null default ''",
      `alter table activity_step add column about_account ${int}`,
      "alter table community add column member_policy text not null default 'closed' check (member_policy in ('open', 'closed'))",
      // One open request of a person to join a community.
      `create unique index request_joining on request (account_id, community_id)
        where asks_to_join = 1 and status = 'submitted'`,
      "create index request_tasks on request (community_id, submitted_at, id) where status = 'submitted'",
    ];
  },
};
