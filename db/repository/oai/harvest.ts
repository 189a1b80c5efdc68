// The queries of what harvesters receive (src/repository/store/harvest.ts, R36). Lists are read by key, in the order of
// datestamp and number.
import type { AccessStatus } from "../../../src/model/access/openness.ts";
import type {
  Due,
  HarvestedParent,
  HarvestQuery,
  HarvestReader,
  HarvestRecord,
  HarvestState,
  HarvestWriter,
  ParentsPage,
  PublishedVersion,
} from "../../../src/repository/store/harvest.ts";
import type { IndexId, ItemId, ParentId } from "../../../src/shared/ids.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, run, type Session, statement, textList, type Words } from "../../engine/dialect.ts";
import { rowsAs } from "../../engine/record.ts";
import type { OaiRecordTable, OaiStateTable } from "../../engine/repository-schema.ts";

const among = (words: Words, parameter: string): string =>
  `in (select cast(value as bigint) from ${words.listTable(parameter)})`;
const numbers = (session: Session, ids: readonly number[]): unknown => textList(session, ids.map(String));

const RECORD = rowsAs<OaiRecordTable, HarvestRecord>({
  parentId: "parent_id",
  number: "number",
  datestamp: "datestamp",
  state: { column: "state", read: (cell: HarvestRecord["state"]) => cell, write: (value) => value },
  itemId: "item_id",
  revision: "revision",
  ark: "ark",
  accessStatus: { column: "access_status", read: (cell: AccessStatus) => cell, write: (value) => value },
  content: "content",
  sets: {
    column: "sets",
    read: (cell: string) => (cell === "" ? [] : cell.split(" ")),
    write: (sets) => sets.join(" "),
  },
});
const COLUMNS = RECORD.names.map((name) => `r.${name}`).join(", ");

const STATE = statement(() => "select epoch, horizon, closed, day, ready, secret from oai_state");
const LOCK = statement(
  (words) => `select epoch, horizon, closed, day, ready, secret from oai_state ${words.forUpdate}`,
);
const BY_PARENT = statement((words) => `select ${COLUMNS} from oai_record r where r.parent_id ${among(words, "$1")}`);
const BY_NUMBER = statement(() => `select ${COLUMNS} from oai_record r where r.number = $1`);
const PARENT_OF = statement(() => "select parent_id from item where id = $1 and version_index = 1");
const EARLIEST = statement(() => "select datestamp from oai_record order by datestamp, number limit 1");
// The newest first: a new publication does not wait until everything is checked.
const DUE = statement(() => "select parent_id, content, again from oai_due order by parent_id desc limit $1");
// A record is shown or deleted, and few are deleted.
const COUNTS = statement(
  () => `select (select count(*) from oai_record) as known,
    (select count(*) from oai_record where state = 'deleted') as deleted, (select count(*) from oai_due) as due`,
);

/** Of all records, or of those of a set; without a start, every text comes after the empty one. */
const STRETCH = {
  all: `from oai_record r where (r.datestamp, r.number) > ($1, $2) and r.datestamp <= $3`,
  set: `from oai_record_set s join oai_record r on r.number = s.number
    where s.spec = $4 and (s.datestamp, s.number) > ($1, $2) and s.datestamp <= $3`,
} as const;
const PAGE = {
  all: statement(() => `select ${COLUMNS} ${STRETCH.all} order by r.datestamp, r.number limit $4`),
  set: statement(() => `select ${COLUMNS} ${STRETCH.set} order by s.datestamp, s.number limit $5`),
};
const COUNT = {
  all: statement(() => `select count(*) as records ${STRETCH.all}`),
  set: statement(
    () => `select count(*) as records from oai_record_set s
      where s.spec = $4 and (s.datestamp, s.number) > ($1, $2) and s.datestamp <= $3`,
  ),
};

/** No number is below this one: behind `(from, -1)` lies everything that is dated at `from` or later. */
function stretchOf({ set, from, until, after }: HarvestQuery): {
  readonly kind: "all" | "set";
  readonly bounds: unknown[];
} {
  const start =
    after === null || (from !== null && from > after.datestamp) ? [from ?? "", -1] : [after.datestamp, after.number];
  return { kind: set === null ? "all" : "set", bounds: [...start, until, ...(set === null ? [] : [set])] };
}

const PARENTS = statement(
  (words) => `select f.parent_id, f.id as number, ${words.jsonRows(
    ["slug"],
    `select c.slug from item_community m join community c on c.id = m.community_id
      where m.parent_id = f.parent_id and c.deleted_at is null and c.visibility = 'public' order by c.slug`,
  )} as communities
    from item f where f.version_index = 1 and f.parent_id ${among(words, "$1")} order by f.parent_id`,
);
const PUBLISHED = statement(
  (
    words,
  ) => `select i.id, i.state, i.parent_id, i.revision, i.ark, i.record_access, i.open_date, i.files_access, i.embargo_until, i.updated_at,
      octet_length(i.metadata) + 500 * (select count(*) from file_set_entry where file_set_id = i.file_set_id) as bytes,
      ${words.jsonRows(["index_id"], "select index_id from item_place where item_id = i.id order by position")} as indexes,
      ${words.jsonRows(
        ["access", "access_date"],
        `select distinct access, access_date from file_set_entry
          where file_set_id = i.file_set_id and storage_key is not null`,
      )} as files
    from item i where i.parent_id ${among(words, "$1")} and i.state <> 'draft' order by i.parent_id, i.version_index desc`,
);

type PublishedRow = {
  readonly id: number;
  readonly state: string;
  readonly parent_id: ParentId;
  readonly revision: number;
  readonly ark: string | null;
  readonly record_access: string;
  readonly open_date: string;
  readonly files_access: string;
  readonly embargo_until: string | null;
  readonly updated_at: string;
  /** PostgreSQL gives counts as texts. */
  readonly bytes: number | string;
  readonly indexes: string;
  readonly files: string;
};

function toPublished(row: PublishedRow): PublishedVersion {
  // The statement that was run made these texts.
  const files = JSON.parse(row.files) as readonly [PublishedVersion["files"][number]["access"], string | null][];
  return {
    id: row.id,
    state: row.state === "published" ? "published" : "deleted",
    parentId: row.parent_id,
    revision: row.revision,
    ark: row.ark,
    access: {
      record: row.record_access === "public" ? "public" : "restricted",
      openDate: row.open_date,
      files: row.files_access === "public" ? "public" : "restricted",
      embargoUntil: row.embargo_until,
      embargoReason: "",
    },
    indexes: (JSON.parse(row.indexes) as readonly [number][]).map(([id]) => id),
    files: files.map(([access, accessDate]) => ({ access, accessDate })),
    updatedAt: row.updated_at,
    bytes: Number(row.bytes),
  };
}

async function readParents(session: Session, ids: readonly ParentId[]): Promise<readonly HarvestedParent[]> {
  if (ids.length === 0) return [];
  const asked = [numbers(session, ids)];
  const published = new Map<number, PublishedVersion[]>();
  for (const row of await rowsOf<PublishedRow>(session, PUBLISHED, asked)) {
    const versions = published.get(row.parent_id) ?? [];
    published.set(row.parent_id, versions);
    versions.push(toPublished(row));
  }
  type Row = { readonly parent_id: ParentId; readonly number: number; readonly communities: string };
  return (await rowsOf<Row>(session, PARENTS, asked)).map((row) => ({
    id: row.parent_id,
    number: row.number,
    versions: published.get(row.parent_id) ?? [],
    communities: (JSON.parse(row.communities) as readonly [string][]).map(([slug]) => slug),
  }));
}

const PARENTS_AFTER = statement(() => "select id from item_parent where id > $1 order by id limit $2");
/** `union` ends where damaged data go round in a circle. */
const BELOW = statement(
  () => `with recursive down(id) as (
      select cast($1 as bigint) union select n.id from down join index_node n on n.parent = down.id
    ) select id from down`,
);
const FILED_IN = statement(
  () => `select p.item_id as id, i.parent_id from item_place p join item i on i.id = p.item_id
    where p.index_id = $1 and p.item_id > $2 order by p.item_id limit $3`,
);
const OPENED = statement(
  () => `select i.id, i.parent_id from item i where i.id > $3 and i.state = 'published' and i.id in (
      select id from item where open_date > $1 and open_date <= $2
      union select id from item where embargo_until is not null and embargo_until > $1 and embargo_until <= $2
      union select v.id from file_set_entry e join item_revision r on r.file_set_id = e.file_set_id
          join item v on v.id = r.item_id and v.file_set_id = e.file_set_id
        where e.access_date is not null and e.access_date > $1 and e.access_date <= $2
    ) order by i.id limit $4`,
);
const INDEXES_OPENED = statement(
  () => "select id from index_node where public_date is not null and public_date > $1 and public_date <= $2",
);

type FoundRow = { readonly id: ItemId; readonly parent_id: ParentId };
function pageOf(rows: readonly FoundRow[], limit: number): ParentsPage {
  return {
    ids: [...new Set(rows.map(({ parent_id: id }) => id))],
    last: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  };
}

const toState = (row: OaiStateTable): HarvestState => ({
  position: row.epoch === "" ? null : { epoch: row.epoch, horizon: row.horizon },
  closed: row.closed,
  day: row.day,
  ready: row.ready === 1,
  secret: row.secret,
});

type DueRow = { readonly parent_id: ParentId; readonly content: number; readonly again: number };
const toDue = (row: DueRow): Due => ({ parentId: row.parent_id, content: row.content === 1, again: row.again === 1 });

export function harvestReader(session: Session): HarvestReader {
  return {
    async state() {
      const [row] = await rowsOf<OaiStateTable>(session, STATE);
      return row === undefined ? null : toState(row);
    },
    async records(parentIds) {
      if (parentIds.length === 0) return new Map();
      const rows = await rowsOf<OaiRecordTable>(session, BY_PARENT, [numbers(session, parentIds)]);
      return new Map(rows.map((row) => [row.parent_id, RECORD.read(row)]));
    },
    async record(asked) {
      const [row] = await rowsOf<OaiRecordTable>(session, BY_NUMBER, [asked]);
      return row === undefined ? null : RECORD.read(row);
    },
    async parentOf(asked) {
      const [row] = await rowsOf<{ parent_id: ParentId }>(session, PARENT_OF, [asked]);
      return row?.parent_id ?? null;
    },
    async page(query, limit) {
      const { kind, bounds } = stretchOf(query);
      return (await rowsOf<OaiRecordTable>(session, PAGE[kind], [...bounds, limit])).map(RECORD.read);
    },
    async count(query) {
      const { kind, bounds } = stretchOf(query);
      const [row] = await rowsOf<{ records: number }>(session, COUNT[kind], bounds);
      return Number(row?.records ?? 0);
    },
    earliest: async () => (await rowsOf<{ datestamp: string }>(session, EARLIEST))[0]?.datestamp ?? null,
    parents: (ids) => readParents(session, ids),
    due: async (limit) => (await rowsOf<DueRow>(session, DUE, [limit])).map(toDue),
    async counts() {
      const [row] = await rowsOf<Record<"known" | "deleted" | "due", number>>(session, COUNTS);
      const deleted = Number(row?.deleted ?? 0);
      return { shown: Number(row?.known ?? 0) - deleted, deleted, due: Number(row?.due ?? 0) };
    },
    parentsAfter: async (after, limit) =>
      (await rowsOf<{ id: ParentId }>(session, PARENTS_AFTER, [after, limit])).map(({ id }) => id),
    indexesBelow: async (id) => (await rowsOf<{ id: IndexId }>(session, BELOW, [id])).map((row) => row.id),
    parentsFiledIn: async (index, after, limit) =>
      pageOf(await rowsOf<FoundRow>(session, FILED_IN, [index, after, limit]), limit),
    parentsOpened: async (since, until, after, limit) =>
      pageOf(await rowsOf<FoundRow>(session, OPENED, [since, until, after, limit]), limit),
    indexesOpened: async (since, until) =>
      (await rowsOf<{ id: IndexId }>(session, INDEXES_OPENED, [since, until])).map(({ id }) => id),
  };
}

const BEGIN = statement(
  () => `insert into oai_state (only_one, epoch, horizon, closed, day, ready, secret) values (1, '', '', $1, '', 0, $2)
    on conflict (only_one) do nothing`,
);
const MOVE = statement(() => "update oai_state set epoch = $1, horizon = $2");
const SET_DAY = statement(() => "update oai_state set day = $1");
const SET_READY = statement(() => "update oai_state set ready = $1");
const CLOSE = statement(() => "update oai_state set closed = $1 where closed < $1");
const MARK = statement(
  (words) => `insert into oai_due (parent_id, content, again)
    select cast(value as bigint), cast($2 as integer), cast($3 as integer) from ${words.listTable("$1")} where true
    on conflict (parent_id) do update set
      content = case when excluded.content = 1 then 1 else oai_due.content end,
      again = case when excluded.again = 1 then 1 else oai_due.again end`,
);
const TAKE = statement(
  (words) => `delete from oai_due where parent_id ${among(words, "$1")} returning parent_id, content, again`,
);
const SAVE = bulkStatement(
  RECORD.names.map((name) => (["parent_id", "number", "item_id", "revision"].includes(name) ? number : text)(name)),
  ({ names, from }) => `insert into oai_record (${names}) select ${names} from ${from} where true
    on conflict (parent_id) do update set ${RECORD.names
      .filter((name) => name !== "parent_id" && name !== "number")
      .map((name) => `${name} = excluded.${name}`)
      .join(", ")}`,
);
const LEAVE_SETS = statement((words) => `delete from oai_record_set where number ${among(words, "$1")}`);
const JOIN_SETS = bulkStatement(
  [text("spec"), text("datestamp"), number("number")],
  ({ names, from }) => `insert into oai_record_set (${names}) select ${names} from ${from}`,
);

/** Whatever is in `index:7` is in `index` as well. */
const withKinds = (sets: readonly string[]): readonly string[] => [
  ...new Set(sets.map((spec) => spec.slice(0, spec.indexOf(":")))),
  ...sets,
];

export function harvestWriter(session: Session): HarvestWriter {
  return {
    ...harvestReader(session),
    begin: async ({ closed, secret }) => void (await run(session, BEGIN, [closed, secret])),
    async lock() {
      const [row] = await rowsOf<OaiStateTable>(session, LOCK);
      if (row === undefined) throw new RangeError("The list of harvested records was not begun");
      return toState(row);
    },
    moveTo: async ({ epoch, horizon }) => void (await run(session, MOVE, [epoch, horizon])),
    setDay: async (day) => void (await run(session, SET_DAY, [day])),
    setReady: async (ready) => void (await run(session, SET_READY, [ready ? 1 : 0])),
    close: async (second) => void (await run(session, CLOSE, [second])),
    async mark(parentIds, { content, again }) {
      if (parentIds.length === 0) return;
      await run(session, MARK, [numbers(session, parentIds), content ? 1 : 0, again ? 1 : 0]);
    },
    async takeDue(parentIds) {
      if (parentIds.length === 0) return [];
      return (await rowsOf<DueRow>(session, TAKE, [numbers(session, parentIds)])).map(toDue);
    },
    async save(records) {
      if (records.length === 0) return;
      await SAVE(
        session,
        records.map((record) => {
          const row = RECORD.write(record);
          return RECORD.names.map((name) => row[name]);
        }),
      );
      await run(session, LEAVE_SETS, [
        numbers(
          session,
          records.map((record) => record.number),
        ),
      ]);
      await JOIN_SETS(
        session,
        records.flatMap(({ sets, datestamp, number: of }) => withKinds(sets).map((spec) => [spec, datestamp, of])),
      );
    },
  };
}
