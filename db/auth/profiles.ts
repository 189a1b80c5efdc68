// What people decide about their own account, its sessions, and links to register (src/auth/profiles.ts; R33).
import type { Selectable } from "kysely";
import { ASSIGNABLE_ROLES, type RoleId } from "../../src/auth/account.ts";
import type {
  AccountProfile,
  OrcidSource,
  ProfileReader,
  ProfileWriter,
  Registration,
} from "../../src/auth/profiles.ts";
import type { AccountId } from "../../src/shared/ids.ts";
import { rowsOf, run, type Session, statement } from "../engine/dialect.ts";
import { allRows, oneRow, rowsAs } from "../engine/record.ts";
import type { AccountProfileTable, RegistrationTable } from "../engine/repository-schema.ts";
import { SESSION } from "./accounts.ts";

const SOURCES: readonly OrcidSource[] = ["typed", "provider"];

const PROFILE = rowsAs<AccountProfileTable, AccountProfile>({
  accountId: "account_id",
  orcid: "orcid",
  orcidSource: {
    column: "orcid_source",
    read: (cell: string | null) => SOURCES.find((each) => each === cell) ?? null,
    write: (source) => source,
  },
  orcidAt: "orcid_at",
  closedAt: "closed_at",
});

const rolesOf = (cell: string): readonly RoleId[] => {
  const roles: unknown = JSON.parse(cell);
  return Array.isArray(roles) ? ASSIGNABLE_ROLES.filter((role) => roles.includes(role)) : [];
};

const REGISTRATION = rowsAs<Selectable<RegistrationTable>, Registration>({
  id: "id",
  kind: {
    column: "kind",
    read: (cell: string) => (cell === "invitation" ? "invitation" : "registration"),
    write: (kind) => kind,
  },
  mail: "mail",
  name: "name",
  language: "language",
  roles: { column: "roles", read: rolesOf, write: JSON.stringify },
  invitedBy: "invited_by",
  hash: "hash",
  createdAt: "created_at",
  expiresAt: "expires_at",
  usedAt: "used_at",
});

const PROFILE_OF = statement(() => `select ${PROFILE.list} from account_profile where account_id = $1`);
const OF_ORCID = statement(
  () => "select account_id from account_profile where orcid = $1 and orcid_source = 'provider'",
);
const SAVE = statement(
  () => `insert into account_profile (account_id, orcid, orcid_source, orcid_at, closed_at) values ($1, $2, $3, $4, $5)
    on conflict (account_id) do update set orcid = excluded.orcid, orcid_source = excluded.orcid_source,
      orcid_at = excluded.orcid_at, closed_at = excluded.closed_at`,
);
const SESSIONS_OF = statement(
  () => `select ${SESSION.list} from login_session where account_id = $1 and expires_at > $2
    order by created_at desc, hash limit $3`,
);
const TOUCH = statement(
  () => "update login_session set last_used_at = $2 where hash = $1 and coalesce(last_used_at, '') < $2",
);
const BY_ID = statement(() => `select ${REGISTRATION.list} from registration where id = $1`);
const BY_HASH = statement(() => `select ${REGISTRATION.list} from registration where hash = $1`);
const COUNT = statement(
  () => "select count(*) as count from registration where mail = $1 and created_at > $2 and kind = 'registration'",
);
const INSERT = statement(
  () => `insert into registration (kind, mail, name, language, roles, invited_by, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
);
const SET_HASH = statement(
  () => `update registration set hash = $2 where id = $1 and used_at is null and expires_at > $3 returning id`,
);
const USE = statement(
  () => `update registration set used_at = $2 where hash = $1 and used_at is null and expires_at > $2
    returning ${REGISTRATION.list}`,
);
const FORGET = statement(() => "delete from registration where expires_at < $1");
const FORGET_OF = statement(() => "delete from registration where mail = $1");

export function profileReader(session: Session): ProfileReader {
  return {
    profile: (accountId) => oneRow(session, PROFILE_OF, [accountId], PROFILE.read),
    accountOfOrcid: (orcid) =>
      oneRow(session, OF_ORCID, [orcid], (row: { account_id: AccountId }) => Number(row.account_id)),
    sessionsOf: (accountId, at, limit) => allRows(session, SESSIONS_OF, [accountId, at, limit], SESSION.read),
    registration: (id) => oneRow(session, BY_ID, [id], REGISTRATION.read),
    registrationByHash: (hash) => oneRow(session, BY_HASH, [hash], REGISTRATION.read),
    async countRegistrations(mail, since) {
      const [row] = await rowsOf<{ count: number }>(session, COUNT, [mail, since]);
      return Number(row?.count ?? 0);
    },
  };
}

async function saveProfile(session: Session, profile: AccountProfile): Promise<boolean> {
  const { account_id, orcid, orcid_source, orcid_at, closed_at } = PROFILE.write(profile);
  if (profile.orcid !== null && profile.orcidSource === "provider") {
    // Checked first: a refused row would end the transaction on PostgreSQL. The unique index decides between two at once.
    const [taken] = await rowsOf<{ account_id: AccountId }>(session, OF_ORCID, [profile.orcid]);
    if (taken !== undefined && Number(taken.account_id) !== profile.accountId) return false;
  }
  await run(session, SAVE, [account_id, orcid, orcid_source, orcid_at, closed_at]);
  return true;
}

export function profileWriter(session: Session): ProfileWriter {
  return {
    ...profileReader(session),
    saveProfile: (profile) => saveProfile(session, profile),
    async touchSession(hash, at) {
      await run(session, TOUCH, [hash, at]);
    },
    async insertRegistration({ kind, mail, name, language, roles, invitedBy, createdAt, expiresAt }) {
      const values = [kind, mail, name, language, JSON.stringify(roles), invitedBy, createdAt, expiresAt];
      const [row] = await rowsOf<{ id: number }>(session, INSERT, values);
      return Number(row?.id);
    },
    setRegistrationHash: async (id, hash, at) => (await rowsOf(session, SET_HASH, [id, hash, at])).length > 0,
    useRegistration: (hash, at) => oneRow(session, USE, [hash, at], REGISTRATION.read),
    async forgetRegistrations(before) {
      await run(session, FORGET, [before]);
    },
    async forgetRegistrationsOf(mail) {
      await run(session, FORGET_OF, [mail]);
    },
  };
}
