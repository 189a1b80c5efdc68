// Migration 19: programs that people let in (R6b, R30): clients that registered, what an account allowed a client at a
// resource, and the codes and tokens of that. Expands only.
import type { Dialect } from "../engine/dialect.ts";
import type { Migration } from "./migration.ts";

const ENDED = "old.ended_at is not null";
const USED = "old.used_at is not null and new.used_at is distinct from old.used_at";

/** What has ended, or was used, stays so, whatever a program does. */
const FINAL: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    `create trigger oauth_grant_final before update on oauth_grant when ${ENDED}
      begin select raise(abort, 'a grant that has ended stays as it is'); end`,
    `create trigger grant_secret_final before update on grant_secret when ${USED.replace("is distinct from", "is not")}
      begin select raise(abort, 'a secret that was used stays used'); end`,
  ],
  postgres: [
    `create function arkstone_grant_final() returns trigger language plpgsql as $body$ begin
      raise exception 'a grant or secret that has ended stays as it is'; end $body$`,
    `create trigger oauth_grant_final before update on oauth_grant for each row
      when (${ENDED}) execute function arkstone_grant_final()`,
    `create trigger grant_secret_final before update on grant_secret for each row
      when (${USED}) execute function arkstone_grant_final()`,
  ],
};

export const authorization: Migration = {
  version: 19,
  name: "authorization",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const [key, int] = isSqlite ? ["text", "integer"] : ['text collate "C"', "bigint"];
    const clustered = isSqlite ? "strict, without rowid" : "";
    return [
      // `kind`: registered by itself over HTTP, or by the operator (account), who vouches for it.
      `create table oauth_client (
        id ${key} primary key, kind text not null check (kind in ('registered', 'account')),
        name text not null, uri text, redirect_uris text not null, created_at ${key} not null, used_at ${key}
      ) ${clustered}`,
      "create index oauth_client_unused on oauth_client (created_at) where used_at is null",
      // A client may be known by the address of its document: no foreign key. `made_with`: the client whose token
      // signed the person in (R6c).
      `create table oauth_grant (
        id ${key} primary key, account_id ${int} not null references account (id), client_id ${key} not null,
        client_name text not null, resource ${key} not null, scopes text not null, made_with ${key},
        created_at ${key} not null, last_used_at ${key}, ended_at ${key}
      ) ${clustered}`,
      // One living grant of an account to a client at a resource.
      "create unique index oauth_grant_living on oauth_grant (account_id, client_id, resource) where ended_at is null",
      "create index oauth_grant_ended on oauth_grant (ended_at) where ended_at is not null",
      "create index oauth_grant_made_with on oauth_grant (made_with) where made_with is not null and ended_at is null",
      `create table grant_secret (
        id ${key} primary key, grant_id ${key} not null references oauth_grant (id),
        kind text not null check (kind in ('code', 'access', 'refresh')), hash text not null, scopes text not null,
        created_at ${key} not null, expires_at ${key} not null, used_at ${key}, redirect_uri text, challenge text
      ) ${clustered}`,
      "create index grant_secret_of on grant_secret (grant_id, expires_at)",
      "create index grant_secret_ending on grant_secret (expires_at)",
      ...FINAL[dialect],
    ];
  },
};
