// Migration 37: pictures of communities (R37), as base64 so that backups and both databases hold them alike. Expands only.
import type { Migration } from "./migration.ts";

export const communityLogos: Migration = {
  version: 37,
  name: "community-logos",
  statements(dialect) {
    const [key, int, end] =
      dialect === "sqlite" ? ["text", "integer", "strict, without rowid"] : ['text collate "C"', "bigint", ""];
    return [
      `create table community_logo (
        community_id ${key} primary key references community (id), media_type ${key} not null,
        sha256 ${key} not null, size_bytes ${int} not null, content text not null,
        created_at ${key} not null, updated_at ${key} not null
      ) ${end}`,
    ];
  },
};
