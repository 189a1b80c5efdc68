// Requests and their timeline (R37; specification 3, "States and transitions").
import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type {
  CommunityRequest,
  RequestCounts,
  RequestEvent,
  RequestFilter,
  RequestReader,
  RequestSort,
  RequestWriter,
} from "../../../src/repository/store/requests.ts";
import { searchedText } from "../../../src/shared/text/text.ts";
import { rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import { fieldConditionSql } from "../../engine/field-conditions.ts";
import { allRows, flag, oneRow, rowsAs } from "../../engine/record.ts";
import type { RequestEventTable, RequestTable } from "../../engine/repository-schema.ts";
import type { Database } from "../../engine/schema.ts";

const REQUEST = rowsAs<Omit<Selectable<RequestTable>, "searched">, CommunityRequest>({
  number: "id",
  id: "uuid",
  type: "type",
  status: "status",
  title: "title",
  community: "community_id",
  item: "topic_item",
  parent: "topic_parent",
  creator: "account_id",
  receiver: "receiver_account",
  role: "role",
  linked: flag("linked"),
  revision: "revision",
  events: "events",
  createdAt: "created_at",
  updatedAt: "updated_at",
  submittedAt: "submitted_at",
});
const EVENT = rowsAs<Selectable<RequestEventTable>, RequestEvent>({
  request: "request_id",
  position: "position",
  id: "uuid",
  kind: {
    column: "type",
    read: (letter: string) => (letter === "C" ? "comment" : "log"),
    write: (kind) => (kind === "comment" ? "C" : "L"),
  },
  account: "account_id",
  event: "event",
  content: "content",
  revision: "revision",
  createdAt: "created_at",
  updatedAt: "updated_at",
});

const ONE = statement(() => `select ${REQUEST.list} from request where uuid = $1`);
const LOCKED = statement(
  ({ forNoKeyUpdate }) => `select ${REQUEST.list} from request where uuid = $1 ${forNoKeyUpdate}`,
);
const DELETE_EVENTS = statement(() => "delete from request_event where request_id = $1");
const DELETE = statement(() => "delete from request where id = $1 and status = 'created'");
const ONE_EVENT = statement(() => `select ${EVENT.list} from request_event where uuid = $1`);
const TIMELINE = {
  oldest: timeline("asc"),
  newest: timeline("desc"),
};
const EVENTS = statement(() => "select count(*) as events from request_event where request_id = $1");
const LAST_COMMENTS = statement(
  ({ listTable }) => `select ${EVENT.list} from request_event e
    where type = 'C' and request_id in (select cast(value as bigint) from ${listTable("$1")})
      and position = (select max(position) from request_event where request_id = e.request_id and type = 'C')`,
);
const COMMENTS = statement(
  ({ listTable }) => `select request_id as request, count(*) as comments from request_event
    where type = 'C' and request_id in (select cast(value as bigint) from ${listTable("$1")}) group by request_id`,
);
/** Counts the entry: the transaction that adds one locks the row of the request from here on. */
const NEXT = statement(
  () => `update request set events = events + 1, revision = revision + 1, updated_at = $2 where id = $1
    returning events`,
);
const ADD = statement(
  () => `insert into request_event (request_id, position, uuid, type, account_id, event, content, revision, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8)`,
);
const SAVE_EVENT = statement(
  () => `update request_event set type = $3, event = $4, content = $5, revision = revision + 1, updated_at = $6
    where request_id = $1 and position = $2`,
);
const TOUCH = statement(() => "update request set revision = revision + 1, updated_at = $2 where id = $1");

function timeline(direction: "asc" | "desc") {
  return statement(
    () => `select ${EVENT.list} from request_event where request_id = $1
      order by position ${direction} limit $2 offset $3`,
  );
}

const SOUGHT = {
  words: "searched",
  id: "uuid",
  number: "id",
  type: "type",
  status: "status",
  community: "community_id",
  record: "topic_item",
  creator: "account_id",
  receiver: "receiver_account",
  created: "created_at",
  updated: "updated_at",
};

type Build = ExpressionBuilder<Database, "request">;

function fits(build: Build, filter: RequestFilter) {
  const { sought, types, statuses, community, item, parent, creator, receiver, submittedBefore, seenBy } = filter;
  const among = (column: "type" | "status" | "community_id", values: readonly string[]) =>
    values.length === 0 ? build.lit(false) : build(column, "in", [...values]);
  return build.and([
    build("status", "!=", "created"),
    ...(sought === undefined ? [] : [fieldConditionSql(sought, SOUGHT)]),
    ...(types === undefined ? [] : [among("type", types)]),
    ...(statuses === undefined ? [] : [among("status", statuses)]),
    ...(community === undefined ? [] : [build("community_id", "=", community)]),
    ...(item === undefined ? [] : [build("topic_item", "=", item)]),
    ...(parent === undefined ? [] : [build("topic_parent", "=", parent)]),
    ...(creator === undefined ? [] : [build("account_id", "=", creator)]),
    ...(receiver === undefined ? [] : [build("receiver_account", "=", receiver)]),
    ...(submittedBefore === undefined ? [] : [build("submitted_at", "<", submittedBefore)]),
    ...(seenBy === undefined ? [] : [build("id", "in", seen(build, seenBy))]),
  ]);
}

/** What an account may see: each part by its own index, however many requests of others there are (R9b). */
function seen(build: Build, { account, curated, managed }: NonNullable<RequestFilter["seenBy"]>) {
  const requests = build.selectFrom("request as r").select("r.id");
  let all = requests
    .where("r.account_id", "=", account)
    .union(requests.where("r.receiver_account", "=", account))
    .union(
      build
        .selectFrom("item_share as s")
        .innerJoin("request as r", "r.topic_parent", "s.parent_id")
        .select("r.id")
        .where("s.account_id", "=", account),
    )
    .union(
      build
        .selectFrom("item_parent as p")
        .innerJoin("request as r", "r.topic_parent", "p.id")
        .select("r.id")
        .where("p.owner_account_id", "=", account),
    );
  if (curated.length > 0) {
    all = all.union(requests.where("r.community_id", "in", [...curated]).where("r.type", "!=", "community-invitation"));
  }
  if (managed.length > 0) {
    all = all.union(requests.where("r.community_id", "in", [...managed]).where("r.type", "=", "community-invitation"));
  }
  return all;
}

const ORDER: Readonly<Record<RequestSort, readonly ["id" | "updated_at", "asc" | "desc"]>> = {
  bestmatch: ["id", "desc"],
  newest: ["id", "desc"],
  oldest: ["id", "asc"],
  newestactivity: ["updated_at", "desc"],
  oldestactivity: ["updated_at", "asc"],
};

async function countRequests({ db }: Session, filter: RequestFilter): Promise<RequestCounts> {
  const rows = await db
    .selectFrom("request")
    .select(["type", "status", ({ fn }) => fn.countAll<number>().as("requests")])
    .where((build) => fits(build, filter))
    .groupBy(["type", "status"])
    .execute();
  const by = (name: "type" | "status"): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(row[name], (counts.get(row[name]) ?? 0) + Number(row.requests));
    return counts;
  };
  const total = rows.reduce((sum, { requests }) => sum + Number(requests), 0);
  return { total, types: by("type"), statuses: by("status") };
}

export function requestReader(session: Session): RequestReader {
  const { db } = session;
  return {
    request: (id) => oneRow(session, ONE, [id], REQUEST.read),
    async findRequests(filter, sort, offset, limit) {
      const [column, direction] = ORDER[sort];
      const rows = await db
        .selectFrom("request")
        .select([...REQUEST.names])
        .where((build) => fits(build, filter))
        .orderBy(column, direction)
        .orderBy("id", direction)
        .offset(offset)
        .limit(limit)
        .execute();
      return rows.map(REQUEST.read);
    },
    countRequests: (filter) => countRequests(session, filter),
    event: (id) => oneRow(session, ONE_EVENT, [id], EVENT.read),
    timeline: (request, order, offset, limit) =>
      allRows(session, TIMELINE[order], [request, limit, offset], EVENT.read),
    countEvents: async (request) => Number((await rowsOf<{ events: number }>(session, EVENTS, [request]))[0]?.events),
    async lastComments(requests) {
      if (requests.length === 0) return new Map();
      const found = await allRows(session, LAST_COMMENTS, [textList(session, requests.map(String))], EVENT.read);
      return new Map(found.map((event) => [event.request, event]));
    },
    async countComments(requests) {
      if (requests.length === 0) return new Map();
      const sent = [textList(session, requests.map(String))];
      const found = await rowsOf<{ request: number; comments: number }>(session, COMMENTS, sent);
      return new Map(found.map(({ request, comments }) => [Number(request), Number(comments)]));
    },
  };
}

export function requestWriter(session: Session): RequestWriter {
  const { db } = session;
  return {
    ...requestReader(session),
    lockRequest: (id) => oneRow(session, LOCKED, [id], REQUEST.read),
    async insertRequest(request) {
      const { id: _number, ...row } = REQUEST.write({ ...request, number: 0 });
      const [made] = await db
        .insertInto("request")
        .values({ ...row, searched: searchedText(request.title) })
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute();
      return made === undefined ? null : { ...request, number: Number(made.id) };
    },
    async saveRequest({ number, status, title, linked, updatedAt, submittedAt }) {
      await db
        .updateTable("request")
        .set({
          status,
          title,
          searched: searchedText(title),
          linked: linked ? 1 : 0,
          updated_at: updatedAt,
          submitted_at: submittedAt,
          revision: sql<number>`revision + 1`,
        })
        .where("id", "=", number)
        .execute();
    },
    async deleteRequest(request) {
      await run(session, DELETE_EVENTS, [request]);
      await run(session, DELETE, [request]);
    },
    async addEvent(event) {
      const [row] = await rowsOf<{ events: number }>(session, NEXT, [event.request, event.createdAt]);
      if (row === undefined) throw new RangeError(`Request ${event.request} is not there`);
      const made: RequestEvent = { ...event, position: Number(row.events), revision: 1, updatedAt: event.createdAt };
      const { request_id, position, uuid, type, account_id, event: name, content, created_at } = EVENT.write(made);
      await run(session, ADD, [request_id, position, uuid, type, account_id, name, content, created_at]);
      return made;
    },
    async saveEvent(event) {
      const { request_id, position, type, event: name, content, updated_at } = EVENT.write(event);
      await run(session, SAVE_EVENT, [request_id, position, type, name, content, updated_at]);
      await run(session, TOUCH, [request_id, updated_at]);
    },
  };
}
