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
  TaskPart,
  TaskSight,
} from "../../../src/repository/store/requests.ts";
import { searchedText } from "../../../src/shared/text/text.ts";
import { patiently, rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import { fieldConditionSql } from "../../engine/field-conditions.ts";
import { allRows, flag, oneRow, rowsAs } from "../../engine/record.ts";
import type { RequestEventTable, RequestTable } from "../../engine/repository-schema.ts";
import type { Database } from "../../engine/schema.ts";

/** The type is in two columns. */
const ROW = rowsAs<
  Omit<Selectable<RequestTable>, "searched" | "type" | "asks_to_join">,
  Omit<CommunityRequest, "type">
>({
  number: "id",
  id: "uuid",
  status: "status",
  title: "title",
  community: "community_id",
  item: "topic_item",
  parent: "topic_parent",
  creator: "account_id",
  receiver: "receiver_account",
  role: "role",
  holder: "holder_account",
  linked: flag("linked"),
  revision: "revision",
  events: "events",
  createdAt: "created_at",
  updatedAt: "updated_at",
  submittedAt: "submitted_at",
});
const JOINING = "community-membership-request";
const REQUEST = {
  names: [...ROW.names, "type", "asks_to_join"] as const,
  list: `${ROW.list}, type, asks_to_join`,
  read(row: object): CommunityRequest {
    const { type, asks_to_join: asks } = row as Selectable<RequestTable>;
    return { ...ROW.read(row), type: asks === 1 ? JOINING : (type as CommunityRequest["type"]) };
  },
  write: ({ type, ...rest }: CommunityRequest) => ({
    ...ROW.write(rest),
    type: type === JOINING ? "community-invitation" : type,
    asks_to_join: type === JOINING ? 1 : 0,
  }),
};
/** By none of its indexes. */
const COMMUNITY = sql<string>`community_id || ''`;
const TYPE = sql<string>`case when asks_to_join = 1 then ${sql.lit(JOINING)} else type end`;
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
  field: "field",
  about: "about_account",
  revision: "revision",
  createdAt: "created_at",
  updatedAt: "updated_at",
});

const ONE = statement(() => `select ${REQUEST.list} from request where uuid = $1`);
const LOCKED = statement(
  ({ forNoKeyUpdate }) => `select ${REQUEST.list} from request where uuid = $1 ${forNoKeyUpdate}`,
);
const PLANNED = statement(
  () =>
    `select ${REQUEST.list} from request where topic_parent = $1 and type = 'community-inclusion' and status = 'created' order by id`,
);
const DELETE_EVENTS = statement(() => "delete from request_event where request_id = $1");
const DELETE = statement(() => "delete from request where id = $1 and status = 'created'");
const ONE_EVENT = statement(() => `select ${EVENT.list} from request_event where uuid = $1`);
const TIMELINE = {
  oldest: timeline("asc"),
  newest: timeline("desc"),
};
const FIELD_COMMENTS = statement(
  () => `select ${EVENT.list} from request_event
    where request_id = $1 and type = 'C' and field <> '' order by position limit 500`,
);
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
  () => `insert into request_event
      (request_id, position, uuid, type, account_id, event, content, revision, created_at, updated_at, field, about_account)
    values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8, $9, $10)`,
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
  type: TYPE,
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
  const { sought, types, statuses, community, item, parent, creator, receiver, submittedBefore } = filter;
  const among = (column: "status" | typeof TYPE, values: readonly string[]) =>
    values.length === 0 ? build.lit(false) : build(column, "in", [...values]);
  return build.and([
    build("status", "!=", "created"),
    ...(sought === undefined ? [] : [fieldConditionSql(sought, SOUGHT)]),
    ...(types === undefined ? [] : [among(TYPE, types)]),
    ...(statuses === undefined ? [] : [among("status", statuses)]),
    // Of one record there are few, of a community many: SQLite would count those of the community.
    ...(community === undefined ? [] : [build(parent === undefined ? "community_id" : COMMUNITY, "=", community)]),
    ...(item === undefined ? [] : [build("topic_item", "=", item)]),
    ...(parent === undefined ? [] : [build("topic_parent", "=", parent)]),
    ...(creator === undefined ? [] : [build("account_id", "=", creator)]),
    ...(receiver === undefined ? [] : [build("receiver_account", "=", receiver)]),
    ...(submittedBefore === undefined ? [] : [build("submitted_at", "<", submittedBefore)]),
  ]);
}

type Sight = NonNullable<RequestFilter["seenBy"]>;

/** Who made or received requests sees them: what else that account may see need not be put together. */
function filterAlone(filter: RequestFilter): RequestFilter {
  const { seenBy, ...rest } = filter;
  const isOwn = seenBy !== undefined && (filter.creator === seenBy.account || filter.receiver === seenBy.account);
  return isOwn ? rest : filter;
}

/** Those of communities in which somebody decides: found by one list of communities, so that each is read once. */
function ofCommunities(build: Build, { curated, managed }: Sight) {
  const among = (communities: readonly string[]) =>
    communities.length === 0 ? build.lit(false) : build("request.community_id", "in", [...communities]);
  const ofType = (comparison: "=" | "!=", communities: readonly string[]) =>
    build.and([build("request.type", comparison, "community-invitation"), among(communities)]);
  return build.and([
    among([...new Set([...curated, ...managed])]),
    build.or([ofType("!=", curated), ofType("=", managed)]),
  ]);
}

/** Those that are about an account or its records: each part by its own index, however many others there are (R9b). */
function ofAccount(build: Build, account: number) {
  const requests = build.selectFrom("request as r").select("r.id");
  return requests
    .where("r.account_id", "=", account)
    .unionAll(requests.where("r.receiver_account", "=", account))
    .unionAll(
      build
        .selectFrom("item_share as s")
        .innerJoin("request as r", "r.topic_parent", "s.parent_id")
        .select("r.id")
        .where("s.account_id", "=", account),
    )
    .unionAll(
      build
        .selectFrom("item_parent as p")
        .innerJoin("request as r", "r.topic_parent", "p.id")
        .select("r.id")
        .where("p.owner_account_id", "=", account),
    );
}

/** All that an account may see. */
function seen(build: Build, sight: Sight) {
  const { account, curated, managed } = sight;
  const requests = build.selectFrom("request as r").select("r.id");
  let all = ofAccount(build, account);
  if (curated.length > 0) {
    const decided = requests.where("r.community_id", "in", [...curated]);
    all = all.unionAll(decided.where("r.type", "!=", "community-invitation"));
  }
  if (managed.length > 0) {
    const invited = requests.where("r.community_id", "in", [...managed]);
    all = all.unionAll(invited.where("r.type", "=", "community-invitation"));
  }
  return all;
}

/** The same, for a few requests that are read anyway. */
function isSeen(build: Build, sight: Sight) {
  const { account } = sight;
  return build.or([
    ofCommunities(build, sight),
    build("request.account_id", "=", account),
    build("request.receiver_account", "=", account),
    build.exists(
      build
        .selectFrom("item_share as s")
        .select("s.parent_id")
        .whereRef("s.parent_id", "=", "request.topic_parent")
        .where("s.account_id", "=", account),
    ),
    build.exists(
      build
        .selectFrom("item_parent as p")
        .select("p.id")
        .whereRef("p.id", "=", "request.topic_parent")
        .where("p.owner_account_id", "=", account),
    ),
  ]);
}

/** What somebody may accept, each part by its own index; those that the person made are left out. */
function ownTasks(build: Pick<Build, "selectFrom">, { account, curated, managed, owned }: TaskSight) {
  const waiting = build
    .selectFrom("request as r")
    .select("r.id")
    .where("r.status", "=", sql.lit("submitted"))
    .where("r.account_id", "!=", account);
  let all = waiting
    .where("r.receiver_account", "=", account)
    .union(waiting.where("r.community_id", "in", ["", ...curated]).where("r.type", "!=", "community-invitation"));
  const joining = waiting.where("r.asks_to_join", "=", 1);
  if (managed.length > 0) {
    all = all.union(joining.where("r.community_id", "in", [...managed]).where("r.role", "!=", "owner"));
  }
  return owned.length > 0 ? all.union(joining.where("r.community_id", "in", [...owned])) : all;
}

function tasks(build: Build, sight: TaskSight) {
  const mine = build("id", "in", ownTasks(build, sight));
  if (!sight.everything) return mine;
  const ofOthers = build.and([
    build("status", "=", sql.lit("submitted")),
    build("account_id", "!=", sight.account),
    build.or([build("type", "!=", "community-invitation"), build("asks_to_join", "=", 1)]),
  ]);
  return build.or([ofOthers, mine]);
}

/** The same of requests that are read anyway. */
function isTask(build: Build, { account, everything, curated, managed, owned }: TaskSight) {
  const among = (communities: readonly string[]) =>
    communities.length === 0 ? build.lit(false) : build("community_id", "in", [...communities]);
  const isInvitation = build("type", "=", "community-invitation");
  const asks = build("asks_to_join", "=", 1);
  return build.and([
    build("account_id", "!=", account),
    build.or([
      build("receiver_account", "=", account),
      build.and([build.not(isInvitation), everything ? build.lit(true) : among(["", ...curated])]),
      build.and([asks, everything ? build.lit(true) : among(owned)]),
      build.and([asks, build("role", "!=", "owner"), among(managed)]),
    ]),
  ]);
}

/** Requests that wait longest and are read one by one, before all that somebody may accept are put together. */
const LONGEST_WAITING = 500;

/** The first tasks behind `after`, among those that wait longest or all. */
async function tasksAmong(
  among: "longest" | "all",
  { db }: Session,
  sight: TaskSight,
  { after, limit, isFree = false }: TaskPart<number>,
) {
  const behind = sql<boolean>`(submitted_at, id) > (${after?.since ?? ""}, ${after?.id ?? 0})`;
  const rows = await db
    .selectFrom((build) => {
      const waiting = build
        .selectFrom("request")
        .selectAll()
        .where("status", "=", sql.lit("submitted"))
        .$if(after !== null, (query) => query.where(behind));
      const longest = waiting.orderBy("submitted_at").orderBy("id").limit(LONGEST_WAITING);
      return (among === "longest" ? longest : waiting).as("request");
    })
    .select([...REQUEST.names])
    .where((build) => (among === "longest" ? isTask(build, sight) : tasks(build, sight)))
    .$if(isFree, (query) =>
      query.where((build) =>
        build.or([build("holder_account", "is", null), build("holder_account", "=", sight.account)]),
      ),
    )
    .orderBy("submitted_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(REQUEST.read);
}

async function requestTasks(session: Session, sight: TaskSight, part: TaskPart<number>) {
  const found = await tasksAmong("longest", session, sight, part);
  return found.length === part.limit ? found : await tasksAmong("all", patiently(session), sight, part);
}

async function countRequestTasks({ db }: Session, sight: TaskSight): Promise<number> {
  const counted = sight.everything
    ? await db
        .selectFrom("request")
        .select(({ fn }) => fn.countAll<number>().as("tasks"))
        .where((build) => tasks(build, sight))
        .executeTakeFirst()
    : await db
        .selectFrom((build) => ownTasks(build, sight).as("own"))
        .select(({ fn }) => fn.countAll<number>().as("tasks"))
        .executeTakeFirst();
  return Number(counted?.tasks ?? 0);
}

const ORDER: Readonly<Record<RequestSort, readonly ["id" | "updated_at", "asc" | "desc"]>> = {
  bestmatch: ["id", "desc"],
  newest: ["id", "desc"],
  oldest: ["id", "asc"],
  newestactivity: ["updated_at", "desc"],
  oldestactivity: ["updated_at", "asc"],
};

type Part = (build: Build) => ReturnType<Build["and"]>;

/** What somebody may see, in parts that have nothing in common, each by one index; undefined: everything. */
function partsOf(sight: RequestFilter["seenBy"]): readonly Part[] {
  if (sight === undefined) return [(build) => build.and([])];
  const { account, curated, managed } = sight;
  const made = (build: Build) => build("request.account_id", "=", account);
  const received = (build: Build) => build("request.receiver_account", "=", account);
  // PostgreSQL knows how many rows one list has, and nothing of two that are joined.
  const ofShared = (build: Build) =>
    build(
      "request.topic_parent",
      "in",
      build.selectFrom("item_share as s").select("s.parent_id").where("s.account_id", "=", account),
    );
  const ofOwned = (build: Build) =>
    build(
      "request.topic_parent",
      "in",
      build.selectFrom("item_parent as p").select("p.id").where("p.owner_account_id", "=", account),
    );
  const notReceived = (build: Build) =>
    build.or([build("request.receiver_account", "is", null), build.not(received(build))]);
  const own: readonly Part[] = [
    (build) => build.and([made(build)]),
    (build) => build.and([received(build), build.not(made(build))]),
    (build) => build.and([ofShared(build), notReceived(build), build.not(made(build))]),
    (build) => build.and([ofOwned(build), build.not(ofShared(build)), notReceived(build), build.not(made(build))]),
  ];
  if (curated.length + managed.length === 0) return own;
  return [
    (build) => build.and([ofCommunities(build, sight)]),
    ...own.map(
      (part): Part =>
        (build) =>
          build.and([part(build), build.not(ofCommunities(build, sight))]),
    ),
  ];
}

async function countRequests({ db }: Session, asked: RequestFilter): Promise<RequestCounts> {
  const filter = filterAlone(asked);
  const [types, statuses] = [new Map<string, number>(), new Map<string, number>()];
  let total = 0;
  for (const part of partsOf(filter.seenBy)) {
    const rows = await db
      .selectFrom("request")
      .select([TYPE.as("type"), "status", ({ fn }) => fn.countAll<number>().as("requests")])
      .where((build) => fits(build, filter))
      .where(part)
      .groupBy(["type", "asks_to_join", "status"])
      .execute();
    for (const { type, status, requests } of rows) {
      const count = Number(requests);
      types.set(type, (types.get(type) ?? 0) + count);
      statuses.set(status, (statuses.get(status) ?? 0) + count);
      total += count;
    }
  }
  return { total, types, statuses };
}

/** Numbers of requests at one end that are read one by one, before all that somebody may see are put together. */
const NEAREST = 500;

type Page = readonly [filter: RequestFilter, sort: RequestSort, offset: number, limit: number];

/** One page of those among the nearest ones, or of all. */
async function pageOf({ db }: Session, [filter, sort, offset, limit]: Page, among: "nearest" | "all") {
  const [column, direction] = ORDER[sort];
  const { seenBy } = filter;
  const bound = sql<number>`(select ${direction === "desc" ? sql`max(id) - ` : sql`min(id) + `} ${sql.lit(NEAREST)} from request)`;
  const rows = await db
    .selectFrom("request")
    .select([...REQUEST.names])
    .where((build) => fits(build, filter))
    .$if(among === "nearest", (query) => query.where("id", direction === "desc" ? ">" : "<", bound))
    .$if(seenBy !== undefined, (query) =>
      query.where((build) => {
        const sight = seenBy ?? { account: 0, curated: [], managed: [] };
        return among === "nearest" ? isSeen(build, sight) : build("id", "in", seen(build, sight));
      }),
    )
    .orderBy(column, direction)
    .orderBy("id", direction)
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(REQUEST.read);
}

export function requestReader(session: Session): RequestReader {
  return {
    request: (id) => oneRow(session, ONE, [id], REQUEST.read),
    async findRequests(asked, sort, offset, limit) {
      const filter = filterAlone(asked);
      const { seenBy } = filter;
      const page: Page = [filter, sort, offset, limit];
      if (seenBy !== undefined && ORDER[sort][0] === "id" && offset + limit < NEAREST) {
        const found = await pageOf(session, page, "nearest");
        if (found.length === limit) return found;
      }
      return await pageOf(patiently(session), page, "all");
    },
    countRequests: (filter) => countRequests(patiently(session), filter),
    requestTasks: (sight, part) => requestTasks(session, sight, part),
    countRequestTasks: (sight) => countRequestTasks(patiently(session), sight),
    plannedInclusions: (parent) => allRows(session, PLANNED, [parent], REQUEST.read),
    event: (id) => oneRow(session, ONE_EVENT, [id], EVENT.read),
    timeline: (request, order, offset, limit) =>
      allRows(session, TIMELINE[order], [request, limit, offset], EVENT.read),
    fieldComments: (request) => allRows(session, FIELD_COMMENTS, [request], EVENT.read),
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
    async saveRequest({ number, status, title, linked, holder, updatedAt, submittedAt }) {
      await db
        .updateTable("request")
        .set({
          status,
          title,
          searched: searchedText(title),
          linked: linked ? 1 : 0,
          holder_account: holder,
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
      const counted = { position: Number(row.events), revision: 1, updatedAt: event.createdAt };
      const made: RequestEvent = { field: "", about: null, ...event, ...counted };
      const {
        request_id,
        position,
        uuid,
        type,
        account_id,
        event: name,
        content,
        created_at,
        field,
        about_account,
      } = EVENT.write(made);
      const first = [request_id, position, uuid, type, account_id, name, content, created_at];
      await run(session, ADD, [...first, field, about_account]);
      return made;
    },
    async saveEvent(event) {
      const { request_id, position, type, event: name, content, updated_at } = EVENT.write(event);
      await run(session, SAVE_EVENT, [request_id, position, type, name, content, updated_at]);
      await run(session, TOUCH, [request_id, updated_at]);
    },
  };
}
