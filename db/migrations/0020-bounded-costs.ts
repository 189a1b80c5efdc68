// Migration 20: indexes for statements that read whole tables, however little they asked for (R9b). Expands only.
import type { Migration } from "./migration.ts";

export const boundedCosts: Migration = {
  version: 20,
  name: "bounded-costs",
  statements: (dialect) => [
    // Licences are found by their addresses, of which a key holds 500 characters.
    `create index vocabulary_license_address on vocabulary (
      substr(lower(rtrim(${dialect === "sqlite" ? "json_extract(props, '$.url')" : "props::json ->> 'url'"}, '/')), 1, 500)
    ) where type = 'licenses'`,
    // The order of a vocabulary, and where its next entry goes.
    "create index vocabulary_by_position on vocabulary (type, position, id)",
    // Activities that an account may see: for whom it was deposited, by workflow, and the newest of all.
    "create index activity_by_behalf on activity (on_behalf_of) where on_behalf_of is not null",
    "create index activity_by_workflow on activity (workflow_id, state)",
    "create index activity_by_age on activity (created_at, id)",
    // What is below an index, deleted ones included: `index_node_by_parent` has the others only.
    "create index index_node_below on index_node (parent)",
    "create index oauth_grant_of_client on oauth_grant (client_id)",
    "create index job_of_subject on job (subject, kind, id)",
  ],
};
