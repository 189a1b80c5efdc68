// Migration 24: indexes by which jobs and the audit are listed by what administrators ask for (R8, R17), newest first
// (R9b). Expands only.
import type { Migration } from "./migration.ts";

export const auditLists: Migration = {
  version: 24,
  name: "audit-lists",
  statements: () => [
    "create index repository_event_by_time on repository_event (at, id)",
    "create index repository_event_of_account on repository_event (account_id, at, id)",
    "create index repository_event_of_action on repository_event (action, at, id)",
    "create index repository_event_of_subject on repository_event (subject, at, id)",
    "create index job_of_kind on job (kind, id)",
    "create index job_of_kind_in_state on job (kind, state, id)",
    "create index job_in_state on job (state, id)",
    "create index job_about on job (subject, id)",
  ],
};
