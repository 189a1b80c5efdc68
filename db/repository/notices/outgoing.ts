// The outbox, and what accounts chose about notices (src/repository/store/outgoing.ts; R41, R45).
import type { Selectable } from "kysely";
import { OUTGOING_JOB } from "../../../src/model/notices/notice-rules.ts";
import type {
  NewOutgoing,
  NoticeSetting,
  OutgoingEntry,
  OutgoingFilter,
  OutgoingReader,
  OutgoingStep,
  OutgoingWriter,
} from "../../../src/repository/store/outgoing.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, json, oneRow, rowsAs } from "../../engine/record.ts";
import type { NoticeSettingTable, OutgoingTable } from "../../engine/repository-schema.ts";
import { hastenJob } from "../../jobs/jobs.ts";

const ENTRY = rowsAs<Selectable<OutgoingTable>, OutgoingEntry>({
  id: "id",
  channel: "channel",
  subject: "subject",
  accountId: "account_id",
  payload: { column: "payload", read: (cell: string) => JSON.parse(cell), write: JSON.stringify },
  state: "state",
  attempts: "attempts",
  runAt: "run_at",
  lastError: "last_error",
  createdAt: "created_at",
  endedAt: "ended_at",
});
const SETTING = rowsAs<NoticeSettingTable, NoticeSetting>({
  accountId: "account_id",
  language: "language",
  choices: json("choices"),
  stopKey: "stop_key",
  feedHash: "feed_hash",
});

const SETTING_OF = statement(() => `select ${SETTING.list} from notice_setting where account_id = $1`);
const FEED = statement(() => "select account_id from notice_setting where feed_hash = $1");
const ADD = statement(
  () => `insert into outgoing (channel, subject, account_id, payload, state, attempts, run_at, last_error, created_at)
    values ($1, $2, $3, $4, $5, 0, $6, '', $7)
    on conflict (channel, subject, coalesce(account_id, 0)) where state in ('waiting', 'digest') do update set
      payload = excluded.payload,
      run_at = case when outgoing.run_at < excluded.run_at then outgoing.run_at else excluded.run_at end`,
);
const DUE = statement(
  () => `select ${ENTRY.list} from outgoing
    where state = $1 and run_at <= $2 and ended_at is null order by run_at, id limit $3`,
);
const DIGEST = statement(
  () => `select ${ENTRY.list} from outgoing where account_id = $1 and state = 'digest' order by id limit $2`,
);
const KNOWN = statement(() => "select id from outgoing where channel = $1 and subject = $2 limit 1");
const OTHER_PENDING = statement(
  () => `select id from outgoing
    where channel = $1 and subject = $2 and coalesce(account_id, 0) = $3 and state in ('waiting', 'digest')
      and id <> $4
    limit 1`,
);
const SETTLE = statement(
  () => `update outgoing set state = $3, attempts = coalesce($4, attempts), run_at = coalesce($5, run_at),
      last_error = $6, ended_at = $7
    where id = $1 and state = $2 returning id`,
);
const FORGET = statement(
  () => `delete from outgoing where id in (
      select id from outgoing where ended_at is not null and ended_at < $1 order by ended_at limit $2) returning id`,
);
const SAVE_SETTING = statement(
  () => `insert into notice_setting (account_id, language, choices, stop_key, feed_hash) values ($1, $2, $3, $4, $5)
    on conflict (account_id) do update set
      language = excluded.language, choices = excluded.choices, feed_hash = excluded.feed_hash`,
);

/** States that an entry does not leave, except that what was uncertain may turn out to have been sent. */
const ENDS: ReadonlySet<string> = new Set(["sent", "failed", "uncertain", "dropped"]);

async function listOutgoing(
  session: Session,
  { channel, state }: OutgoingFilter,
  before: number | null,
  limit: number,
): Promise<readonly OutgoingEntry[]> {
  let query = session.db.selectFrom("outgoing").selectAll().orderBy("id", "desc").limit(limit);
  if (channel !== undefined) query = query.where("channel", "=", channel);
  if (state !== undefined) query = query.where("state", "=", state);
  if (before !== null) query = query.where("id", "<", before);
  return (await query.execute()).map(ENTRY.read);
}

async function addOutgoing(session: Session, entries: readonly NewOutgoing[], at: Instant): Promise<void> {
  for (const { channel, subject, accountId, payload, state, runAt } of entries) {
    await run(session, ADD, [channel, subject, accountId, JSON.stringify(payload), state, runAt, at]);
  }
}

async function settleOutgoing(session: Session, id: number, step: OutgoingStep): Promise<boolean> {
  const { from, to, at, attempts = null, runAt = null, error = "" } = step;
  const values = [id, from, to, attempts, runAt, error, ENDS.has(to) ? at : null];
  return (await rowsOf(session, SETTLE, values)).length > 0;
}

export function outgoingReader(session: Session): OutgoingReader {
  return {
    listOutgoing: (filter, before, limit) => listOutgoing(session, filter, before, limit),
    noticeSetting: (account) => oneRow(session, SETTING_OF, [account], SETTING.read),
    async accountOfFeed(feedHash) {
      const [row] = await rowsOf<{ account_id: number }>(session, FEED, [feedHash]);
      return row === undefined ? null : Number(row.account_id);
    },
  };
}

export function outgoingWriter(session: Session): OutgoingWriter {
  return {
    ...outgoingReader(session),
    addOutgoing: (entries, at) => addOutgoing(session, entries, at),
    hastenOutgoing: (at) => hastenJob(session, OUTGOING_JOB, at),
    dueOutgoing: (state, at, limit) => allRows(session, DUE, [state, at, limit], ENTRY.read),
    digestOf: (account, limit) => allRows(session, DIGEST, [account, limit], ENTRY.read),
    hasOutgoing: async (channel, subject) => (await rowsOf(session, KNOWN, [channel, subject])).length > 0,
    hasOtherPending: async ({ id, channel, subject, accountId }) =>
      (await rowsOf(session, OTHER_PENDING, [channel, subject, accountId ?? 0, id])).length > 0,
    settleOutgoing: (id, step) => settleOutgoing(session, id, step),
    forgetOutgoing: async (before, limit) => (await rowsOf(session, FORGET, [before, limit])).length,
    async saveNoticeSetting(setting) {
      const { account_id, language, choices, stop_key, feed_hash } = SETTING.write(setting);
      await run(session, SAVE_SETTING, [account_id, language, choices, stop_key, feed_hash]);
    },
  };
}
