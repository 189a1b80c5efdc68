// Migration 43: requests of an account are found by their last change, and counted from an index alone, as the tasks of
// communities are; of the records for harvesters only the deleted ones are counted one by one.
import type { Migration } from "./migration.ts";

export const largeRepositories: Migration = {
  version: 43,
  name: "large-repositories",
  statements: () => [
    "create index request_own_counts on request (account_id, type, asks_to_join, status)",
    "create index request_by_activity on request (account_id, updated_at, id)",
    `create index request_task_counts on request (community_id, submitted_at, id, account_id, type, asks_to_join, role)
      where status = 'submitted'`,
    "drop index request_tasks",
    "create index oai_record_deleted on oai_record (number) where state = 'deleted'",
  ],
};
