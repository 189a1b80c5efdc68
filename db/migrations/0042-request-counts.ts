// Migration 42: requests of communities are counted by type and state from an index alone, however many were decided.
import type { Migration } from "./migration.ts";

export const requestCounts: Migration = {
  version: 42,
  name: "request-counts",
  statements: () => ["create index request_counts on request (community_id, type, asks_to_join, status)"],
};
