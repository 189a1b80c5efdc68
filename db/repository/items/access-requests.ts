// The queries of requests for closed files (src/repository/store/access-requests.ts; Q.60).
import type {
  AccessRequest,
  AccessRequestReader,
  AccessRequestWriter,
  EndedBecause,
} from "../../../src/repository/store/access-requests.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, flag, oneRow, rowsAs } from "../../engine/record.ts";
import type { AccessRequestTable } from "../../engine/repository-schema.ts";

const ROW = rowsAs<AccessRequestTable, AccessRequest>({
  id: "id",
  type: "type",
  status: "status",
  parent: "parent_id",
  item: "item_id",
  title: "title",
  message: "message",
  answer: "answer",
  account: "account_id",
  mail: "mail",
  name: "name",
  language: "language",
  hasConsent: flag("consent"),
  hash: "token_hash",
  decidedBy: "decided_by",
  endsOn: "ends_on",
  revokedAt: "revoked_at",
  endedBecause: {
    column: "ended_because",
    read: (word: string) => word as EndedBecause,
    write: (word) => word,
  },
  createdAt: "created_at",
  updatedAt: "updated_at",
});

const FROM = `select ${ROW.list} from access_request`;
const ONE = statement(() => `${FROM} where id = $1`);
const LOCKED = statement(({ forNoKeyUpdate }) => `${FROM} where id = $1 ${forNoKeyUpdate}`);
const BY_HASH = statement(() => `${FROM} where token_hash = $1`);
const OF_PARENT = statement(
  () => `${FROM} where parent_id = $1 and status <> 'created' order by created_at desc, id limit $2`,
);
const BY_ACCOUNT = statement(() => `${FROM} where account_id = $1 order by created_at desc, id limit $2`);
/** Records that the account owns or manages, each by its own index. */
const DECIDED = `parent_id in (select id from item_parent where owner_account_id = $1 union
  select parent_id from item_grant where subject = 'user' and subject_id = $1 and permission = 'manage')`;
const WAITING_FOR = statement(
  () => `${FROM} where status = 'submitted' and ${DECIDED} order by created_at desc, id limit $2`,
);
const COUNT_WAITING = statement(
  () => `select count(*) as waiting from access_request where status = 'submitted' and ${DECIDED}`,
);
const live = (who: string) =>
  statement(
    () => `${FROM} where parent_id = $1 and ${who} = $2 and (status = 'submitted' or (status = 'accepted'
      and revoked_at is null and ends_on >= $3)) order by created_at desc, id limit 1`,
  );
const LIVE = { account: live("account_id"), mail: live("mail") };
const counts = (who: string) =>
  statement(
    () => `select
      (select count(*) from access_request where parent_id = $1 and created_at > $3) as of_record,
      (select count(*) from access_request where ${who} = $2 and created_at > $3) as of_person,
      (select count(*) from access_request where parent_id = $1 and status = 'submitted') as waiting`,
  );
const COUNTS = { account: counts("account_id"), mail: counts("account_id is null and mail") };
const IN_STATUS = statement(() => `${FROM} where status = $1 and id > $2 order by id limit $3`);
const SAVE = statement(
  // Of requests that were submitted at once one is: the others find it, and change nothing.
  () => `update access_request set status = $2, answer = $3, token_hash = $4, decided_by = $5, ends_on = $6,
      revoked_at = $7, ended_because = $8, updated_at = $9
    where id = $1 and ($2 <> 'submitted' or status = 'submitted' or not exists (select 1 from access_request o
      where o.parent_id = access_request.parent_id and o.status = 'submitted' and o.id <> access_request.id
        and (o.account_id = access_request.account_id
          or (o.account_id is null and access_request.account_id is null and o.mail = access_request.mail))))
    returning id`,
);
const SET_HASH = statement(
  () => "update access_request set token_hash = $2 where id = $1 and status = 'created' returning id",
);
const FORGET = statement(
  () => `delete from access_request where id in
    (select id from access_request where status = 'created' and created_at < $1 order by id limit $2) returning id`,
);
const SETTINGS = statement(() => "update item_parent set access_settings = $2 where id = $1");

const kindOf = (who: AccountId | string): "account" | "mail" => (typeof who === "string" ? "mail" : "account");

export const accessRequestReader = (session: Session): AccessRequestReader => ({
  accessRequest: (id) => oneRow(session, ONE, [id], ROW.read),
  accessRequestByHash: (hash) => oneRow(session, BY_HASH, [hash], ROW.read),
  accessRequestsOf: (parent, limit) => allRows(session, OF_PARENT, [parent, limit], ROW.read),
  accessRequestsBy: (account, limit) => allRows(session, BY_ACCOUNT, [account, limit], ROW.read),
  accessRequestsFor: (account, limit) => allRows(session, WAITING_FOR, [account, limit], ROW.read),
  async countAccessRequestsFor(account) {
    const [row] = await rowsOf<{ waiting: number }>(session, COUNT_WAITING, [account]);
    return Number(row?.waiting ?? 0);
  },
  liveAccessRequest: (parent, who, today) => oneRow(session, LIVE[kindOf(who)], [parent, who, today], ROW.read),
  async countAccessRequests(parent, who, since) {
    type Counted = { readonly of_record: number; readonly of_person: number; readonly waiting: number };
    const [row] = await rowsOf<Counted>(session, COUNTS[kindOf(who)], [parent, who, since]);
    const { of_record: ofRecord = 0, of_person: ofPerson = 0, waiting = 0 } = row ?? {};
    return { ofRecord: Number(ofRecord), ofPerson: Number(ofPerson), waiting: Number(waiting) };
  },
  accessRequestsIn: (status, after, limit) => allRows(session, IN_STATUS, [status, after, limit], ROW.read),
});

export const accessRequestWriter = (session: Session): AccessRequestWriter => ({
  ...accessRequestReader(session),
  lockAccessRequest: (id) => oneRow(session, LOCKED, [id], ROW.read),
  async insertAccessRequest(request) {
    const made = await session.db
      .insertInto("access_request")
      .values(ROW.write(request))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    return made.length > 0;
  },
  async saveAccessRequest({ id, status, answer, hash, decidedBy, endsOn, revokedAt, endedBecause, updatedAt }) {
    const values = [id, status, answer, hash, decidedBy, endsOn, revokedAt, endedBecause, updatedAt];
    return (await rowsOf(session, SAVE, values)).length > 0;
  },
  setAccessRequestHash: async (id, hash) => (await rowsOf(session, SET_HASH, [id, hash])).length > 0,
  forgetUnconfirmed: async (before, limit) => (await rowsOf(session, FORGET, [before, limit])).length,
  async saveAccessSettings(parent, settings) {
    await run(session, SETTINGS, [parent, settings]);
  },
});
