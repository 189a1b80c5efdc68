// The queries of requests for closed files (src/repository/store/access-requests.ts; Q.60).
import type {
  AccessRequest,
  AccessRequestReader,
  AccessRequestWriter,
  AccessSight,
  EndedBecause,
} from "../../../src/repository/store/access-requests.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { rowsOf, run, type Session, statement, textList, type Words } from "../../engine/dialect.ts";
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
/** Open requests for records that an account owns, or manages by a grant, a group or a community ($2). */
const waitingFor = ({ inList }: Words): string => `select id from access_request where status = 'submitted'
  and parent_id in (select id from item_parent where owner_account_id = $1
    union select parent_id from item_grant where subject = 'user' and subject_id = $1 and permission = 'manage'
    union select g.parent_id from account_group_member m
      join item_grant g on g.subject = 'role' and g.subject_id = m.group_id and g.permission = 'manage'
      where m.account_id = $1)
  union select r.id from access_request r join item_community c on c.parent_id = r.parent_id
    where r.status = 'submitted' and c.community_id ${inList("$2")}`;
/** Where no more are open in the repository, their records are asked for, not all records of the account for requests. */
const FEW_OPEN = 1_000;
const open = (limit: number): string =>
  `select id, parent_id from access_request where status = 'submitted' order by id limit ${limit}`;
const COUNT_OPEN = statement(() => `select count(*) as open from (${open(FEW_OPEN + 1)}) o`);
const waitingOfFew = ({ inList }: Words): string => `select a.id from (${open(FEW_OPEN)}) a where
    exists (select 1 from item_parent p where p.id = a.parent_id and p.owner_account_id = $1)
    or exists (select 1 from item_grant g where g.parent_id = a.parent_id and g.permission = 'manage'
      and (g.subject = 'user' and g.subject_id = $1 or g.subject = 'role' and exists (
        select 1 from account_group_member m where m.group_id = g.subject_id and m.account_id = $1)))
    or exists (select 1 from item_community c where c.parent_id = a.parent_id and c.community_id ${inList("$2")})`;
const statementsOf = (waiting: (words: Words) => string) => ({
  list: statement((words) => `${FROM} where id in (${waiting(words)}) order by created_at desc, id limit $3`),
  count: statement((words) => `select count(*) as waiting from (${waiting(words)}) w`),
});
const WAITING = { few: statementsOf(waitingOfFew), many: statementsOf(waitingFor) };

async function waitingOf(session: Session) {
  const [row] = await rowsOf<{ open: number }>(session, COUNT_OPEN);
  return Number(row?.open ?? 0) <= FEW_OPEN ? WAITING.few : WAITING.many;
}
/** Roles are a list of single digits: 4 administers the items of its communities. */
const MANAGES = "a.active = 1 and a.roles like '%4%' and m.role in ('owner', 'manager')";
const DECIDERS = statement(
  () => `select p.owner_account_id as account from item_parent p where p.id = $1
    union select subject_id from item_grant where parent_id = $1 and subject = 'user' and permission = 'manage'
    union select gm.account_id from item_grant g join account_group_member gm on gm.group_id = g.subject_id
      where g.parent_id = $1 and g.subject = 'role' and g.permission = 'manage'
    union select m.account_id from item_community c join community_member m on m.community_id = c.community_id
      join account a on a.id = m.account_id where c.parent_id = $1 and ${MANAGES} limit $2`,
);
const DECIDING = statement(
  () => `select c.community_id as community from item_community c join item_parent p on p.id = c.parent_id
    where c.parent_id = $1 and exists (select 1 from community_member m
      join account a on a.id = m.account_id where m.community_id = c.community_id and ${MANAGES})
    order by case when c.community_id = p.default_community then 0 else 1 end, c.community_id limit 1`,
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
const OPEN = statement(() => `${FROM} where status = 'submitted' and id > $1 order by id limit $2`);
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
    (select id from access_request where status = 'created' and created_at < $1 order by created_at, id limit $2) returning id`,
);
const ENDED_GUESTS = statement(
  () => `select id from access_request where account_id is null and mail > ''
    and ((status in ('declined', 'cancelled', 'expired') and updated_at < $1)
      or (status = 'accepted' and (revoked_at < $1 or ends_on < $2))) order by id limit $3`,
);
const FORGET_LINKS = statement(({ inList }) => `delete from access_link where request_id ${inList("$1")}`);
const FORGET_GUESTS = statement(
  ({ inList }) => `update access_request set mail = '', name = '', consent = 0, token_hash = null
    where id ${inList("$1")}`,
);
const SETTINGS = statement(() => "update item_parent set access_settings = $2 where id = $1");

const sightValues = (session: Session, { account, communities }: AccessSight) => [
  account,
  textList(session, communities),
];

const kindOf = (who: AccountId | string): "account" | "mail" => (typeof who === "string" ? "mail" : "account");

export const accessRequestReader = (session: Session): AccessRequestReader => ({
  accessRequest: (id) => oneRow(session, ONE, [id], ROW.read),
  accessRequestByHash: (hash) => oneRow(session, BY_HASH, [hash], ROW.read),
  accessRequestsOf: (parent, limit) => allRows(session, OF_PARENT, [parent, limit], ROW.read),
  accessRequestsBy: (account, limit) => allRows(session, BY_ACCOUNT, [account, limit], ROW.read),
  async accessRequestsFor(sight, limit) {
    const { list } = await waitingOf(session);
    return await allRows(session, list, [...sightValues(session, sight), limit], ROW.read);
  },
  async countAccessRequestsFor(sight) {
    const { count } = await waitingOf(session);
    const [row] = await rowsOf<{ waiting: number }>(session, count, sightValues(session, sight));
    return Number(row?.waiting ?? 0);
  },
  async possibleDeciders(parent, limit) {
    const rows = await rowsOf<{ account: AccountId }>(session, DECIDERS, [parent, limit]);
    return rows.map(({ account }) => account);
  },
  async decidingCommunity(parent) {
    const [row] = await rowsOf<{ community: string }>(session, DECIDING, [parent]);
    return row?.community ?? null;
  },
  liveAccessRequest: (parent, who, today) => oneRow(session, LIVE[kindOf(who)], [parent, who, today], ROW.read),
  async countAccessRequests(parent, who, since) {
    type Counted = { readonly of_record: number; readonly of_person: number; readonly waiting: number };
    const [row] = await rowsOf<Counted>(session, COUNTS[kindOf(who)], [parent, who, since]);
    const { of_record: ofRecord = 0, of_person: ofPerson = 0, waiting = 0 } = row ?? {};
    return { ofRecord: Number(ofRecord), ofPerson: Number(ofPerson), waiting: Number(waiting) };
  },
  openAccessRequests: (after, limit) => allRows(session, OPEN, [after, limit], ROW.read),
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
  async forgetGuests(before, day, limit) {
    const ended = await rowsOf<{ id: string }>(session, ENDED_GUESTS, [before, day, limit]);
    if (ended.length === 0) return 0;
    const ids = textList(
      session,
      ended.map(({ id }) => id),
    );
    await run(session, FORGET_LINKS, [ids]);
    await run(session, FORGET_GUESTS, [ids]);
    return ended.length;
  },
  async saveAccessSettings(parent, settings) {
    await run(session, SETTINGS, [parent, settings]);
  },
});
