// Migration 39: requests for closed files (Q.60): who asks for them, and the right that an answer gives. A guest
// confirms the address first. Of the open ones a person has at most one for a record. A link that answers a request
// opens files alone, and counts how often it was used. Expands only.
import type { Migration } from "./migration.ts";

export const accessRequests: Migration = {
  version: 39,
  name: "access-requests",
  statements(dialect) {
    const [key, int, end] =
      dialect === "sqlite" ? ["text", "integer", "strict, without rowid"] : ['text collate "C"', "bigint", ""];
    return [
      `create table access_request (
        id ${key} primary key, type ${key} not null check (type in ('user-access-request', 'guest-access-request')),
        status ${key} not null
          check (status in ('created', 'submitted', 'accepted', 'declined', 'cancelled', 'expired')),
        parent_id ${int} not null references item_parent (id), item_id ${int} not null,
        title text not null, message text not null, answer text not null,
        account_id ${int} references account (id), mail ${key} not null, name text not null, language ${key} not null,
        consent integer not null check (consent in (0, 1)),
        token_hash ${key} unique, decided_by ${int} references account (id),
        ends_on ${key}, revoked_at ${key}, ended_because ${key} not null,
        created_at ${key} not null, updated_at ${key} not null,
        check ((account_id is null) = (type = 'guest-access-request'))
      ) ${end}`,
      `create unique index access_request_of_account on access_request (parent_id, account_id)
        where status = 'submitted' and account_id is not null`,
      `create unique index access_request_of_guest on access_request (parent_id, mail)
        where status = 'submitted' and account_id is null`,
      "create index access_request_by_parent on access_request (parent_id, created_at)",
      "create index access_request_by_account on access_request (account_id, created_at)",
      "create index access_request_by_mail on access_request (mail, created_at) where account_id is null",
      "create index access_request_open on access_request (id) where status = 'submitted'",
      "create index access_request_waiting on access_request (parent_id) where status = 'submitted'",
      "create index access_request_unconfirmed on access_request (created_at) where status = 'created'",
      `create index access_request_rights on access_request (parent_id)
        where status = 'accepted' and account_id is not null and revoked_at is null`,
      "create index item_grant_by_role on item_grant (subject_id) where subject = 'role'",
      // JSON; empty: as it is by default.
      "alter table item_parent add column access_settings text not null default ''",
      `alter table access_link add column request_id ${key} references access_request (id)`,
      "alter table access_link add column uses integer not null default 0",
      `alter table access_link add column last_used ${key}`,
      "create index access_link_by_request on access_link (request_id) where request_id is not null",
    ];
  },
};
