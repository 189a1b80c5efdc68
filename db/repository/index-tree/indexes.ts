// The queries of the index tree (R24, R25): an adjacency list. What lies above or below an index is asked for by
// recursion in the database.
import { INDEX_FIELDS } from "../../../src/model/indexes/index-fields.ts";
import {
  type IndexAttributes,
  type IndexNode,
  type IndexOutline,
  SHOWN_NAMES,
} from "../../../src/model/indexes/index-node.ts";
import type { IndexAbove, IndexReader, IndexWriter, Lineages } from "../../../src/repository/store/indexes.ts";
import type { IndexId } from "../../../src/shared/ids.ts";
import { rowsOf, run, type Session, statement, textList, type Words } from "../../engine/dialect.ts";
import { idsOf, membersOf, rowsAs } from "../../engine/record.ts";
import type { IndexNodeTable } from "../../engine/repository-schema.ts";
import { changeCommunities } from "./index-communities.ts";
import { busyItem, itemsOnlyIn, itemsUnfiledAt, unfile } from "./index-items.ts";

const NODE = rowsAs<IndexNodeTable, IndexNode>({
  id: "id",
  parent: "parent",
  position: "position",
  ...membersOf(INDEX_FIELDS),
  owner: "owner_account_id",
  createdAt: "created_at",
  updatedAt: "updated_at",
  deletedAt: "deleted_at",
});
const OUTLINE = "id, parent, position, public_state, public_date, browsing_role, browsing_group";
const SHOWN = NODE.only(SHOWN_NAMES);
const SHOWN_SETTINGS = NODE.only(SHOWN_NAMES.filter((name) => name in INDEX_FIELDS));
const of = (alias: string, names: string): string => names.replace(/\w+/g, (name) => `${alias}.${name}`);

/** A tree has at most this depth, so that a loop in damaged data ends; used where no table gives a lower limit. */
const LEVELS_MAX = 100_000;

const BY_ID = statement(() => `select ${NODE.list} from index_node where id = $1`);
const idList = (words: Words, parameter: string): string =>
  `in (select cast(value as ${words.dialect === "sqlite" ? "integer" : "bigint"}) from ${words.listTable(parameter)})`;
const LIVE_AMONG = statement(
  (words) => `select ${NODE.list} from index_node where id ${idList(words, "$1")} and deleted_at is null`,
);
const SHOWN_AMONG = statement(
  (words) => `select ${SHOWN.list} from index_node where id ${idList(words, "$1")} and deleted_at is null`,
);
const CHILDREN = statement(
  () => `select ${NODE.list} from index_node where parent = $1 and deleted_at is null order by position, id`,
);
const AFTER = statement(
  () => `select ${NODE.list} from index_node where id > $1 and deleted_at is null order by id limit $2`,
);
const OUTLINE_AFTER = statement(
  () => `select ${OUTLINE} from index_node where id > $1 and deleted_at is null order by id limit $2`,
);
const LINEAGE = statement(
  () => `with recursive up(id, parent, level) as (
      select id, parent, 0 from index_node where id = $1 and deleted_at is null
      union all
      select n.id, n.parent, up.level + 1 from up join index_node n on n.id = up.parent
        where n.deleted_at is null and up.level < ${LEVELS_MAX}
    ) select ${of("n", NODE.list)} from up join index_node n on n.id = up.id order by up.level`,
);
const LINEAGES = statement(
  (words) => `with recursive up(start, id, parent, level) as (
      select id, id, parent, 0 from index_node where id ${idList(words, "$1")} and deleted_at is null
      union all
      select up.start, n.id, n.parent, up.level + 1 from up join index_node n on n.id = up.parent
        where n.deleted_at is null and up.level < ${LEVELS_MAX}
    ) select up.start, ${of("n", NODE.list)},
      ${words.jsonRows(["id"], "select c.id from community c where c.root_index = n.id and c.deleted_at is null order by c.id")} as root_of
      from up join index_node n on n.id = up.id order by up.start, up.level`,
);
/** `down`: an index and everything below it. */
const DOWN = `with recursive down(id, level) as (
      select id, 0 from index_node where id = $1 and deleted_at is null
      union all
      select n.id, down.level + 1 from down join index_node n on n.parent = down.id
        where n.deleted_at is null and down.level < ${LEVELS_MAX}
    )`;
const OUTLINE_FROM = statement(
  () => `${DOWN} select ${of("n", OUTLINE)} from down cross join index_node n where n.id = down.id`,
);
const SUBTREE = statement(() => `${DOWN} select id from down`);
const HEIGHT = statement(() => `${DOWN} select max(level) as height from down`);
const REVISION = statement(() => "select value from repository_state where key = 'tree'");

const LOCK = statement((words) => `select value from repository_state where key = 'tree' ${words.forUpdate}`);
const HOLD = statement(() => "select value from repository_state where key = 'tree' for share");
const RAISE = statement(() => "update repository_state set value = value + 1 where key = 'tree'");
const TAKEN = statement(() => "select 1 as taken from index_node where id = $1");
const END_OF_RUN = statement(
  () => `select n.id from index_node n
    where n.id >= $1 and not exists (select 1 from index_node m where m.id = n.id + 1) order by n.id limit 1`,
);
const PARAMETERS = NODE.names.map((_, i) => `$${i + 1}`).join(", ");
const INSERT = statement(
  () => `insert into index_node (${NODE.list}) values (${PARAMETERS}) on conflict (id) do nothing returning id`,
);
const UPDATE = statement(
  () =>
    `update index_node set ${NODE.names
      .slice(1)
      .map((name, i) => `${name} = $${i + 2}`)
      .join(", ")} where id = $1`,
);
const DELETE = statement(
  (words) =>
    `update index_node set deleted_at = $2, updated_at = $2 where id ${idList(words, "$1")} and deleted_at is null`,
);
const COUNT_OTHERS = statement(
  () => "select count(*) as others from index_node where parent = $1 and id <> $2 and deleted_at is null",
);
const LAST = statement(
  () =>
    "select position from index_node where parent = $1 and deleted_at is null order by position desc, id desc limit 1",
);
/** `$3` is the position kept free; only rows whose number changes are written. */
const RENUMBER = statement(
  () => `with ranked as (
      select id as ranked_id, row_number() over (order by position, id) - 1 as place
        from index_node where parent = $1 and id <> $2 and deleted_at is null
    ), placed as (select ranked_id, place + case when place >= $3 then 1 else 0 end as place from ranked)
    update index_node set position = placed.place from placed
      where index_node.id = placed.ranked_id and index_node.position <> placed.place`,
);

/** Written out: the shape of a tree is read from every index, and this is three times as fast as a table. */
const toOutline = (row: IndexNodeTable): IndexOutline => ({
  id: row.id,
  parent: row.parent,
  position: row.position,
  publicState: row.public_state === 1,
  publicDate: row.public_date,
  browsingRole: idsOf(row.browsing_role),
  browsingGroup: idsOf(row.browsing_group),
});

/** What every index has is written out as well. */
const toShown = (row: IndexNodeTable): IndexAttributes => {
  const { id, parent, position, deleted_at: deletedAt } = row;
  return SHOWN_SETTINGS.onto({ id, parent, position, deletedAt }, row);
};

const cellsOf = (node: IndexNode): readonly unknown[] => Object.values(NODE.write(node));

const ids = (session: Session, given: readonly number[]): unknown => textList(session, given.map(String));

type AboveRow = IndexNodeTable & { readonly start: number; readonly root_of: string };

async function readLineages(session: Session, asked: readonly number[]): Promise<Lineages> {
  const lineages = new Map<number, IndexAbove[]>();
  if (asked.length === 0) return lineages;
  for (const row of await rowsOf<AboveRow>(session, LINEAGES, [ids(session, asked)])) {
    const lineage = lineages.get(row.start) ?? [];
    lineages.set(row.start, lineage);
    lineage.push({ ...NODE.read(row), rootOf: (JSON.parse(row.root_of) as readonly [string][]).flat() });
  }
  return lineages;
}

export function indexReader(session: Session): IndexReader {
  const nodes = async (...query: Parameters<typeof rowsOf>) => (await rowsOf<IndexNodeTable>(...query)).map(NODE.read);
  const outlines = async (...query: Parameters<typeof rowsOf>) =>
    (await rowsOf<IndexNodeTable>(...query)).map(toOutline);
  return {
    index: async (id) => (await nodes(session, BY_ID, [id]))[0] ?? null,
    indexes: (given) => (given.length === 0 ? Promise.resolve([]) : nodes(session, LIVE_AMONG, [ids(session, given)])),
    shownIndexes: async (given) =>
      given.length === 0
        ? []
        : (await rowsOf<IndexNodeTable>(session, SHOWN_AMONG, [ids(session, given)])).map(toShown),
    lineage: (id) => nodes(session, LINEAGE, [id]),
    lineages: (given) => readLineages(session, given),
    children: (parent) => nodes(session, CHILDREN, [parent]),
    indexesAfter: (id, limit) => nodes(session, AFTER, [id, limit]),
    outlineAfter: (id, limit) => outlines(session, OUTLINE_AFTER, [id, limit]),
    outlineFrom: (id) => outlines(session, OUTLINE_FROM, [id]),
    itemsUnfiledAt: (at, after, limit) => itemsUnfiledAt(session, at, after, limit),
    treeRevision: async () => (await rowsOf<{ value: number }>(session, REVISION))[0]?.value ?? 0,
  };
}

export function indexWriter(session: Session): IndexWriter {
  const nextPosition = async (parent: IndexId): Promise<number> => {
    const [last] = await rowsOf<{ position: number }>(session, LAST, [parent]);
    return last === undefined ? 0 : last.position + 1;
  };
  return {
    ...indexReader(session),
    nextPosition,
    lockTree: async () => {
      if (session.dialect === "postgres") await run(session, LOCK);
    },
    holdTree: async () => {
      // On SQLite the transaction itself is the lock.
      if (session.dialect === "postgres") await run(session, HOLD);
    },
    freeIndexId: async (from) => {
      if ((await rowsOf(session, TAKEN, [from])).length === 0) return from;
      const [last] = await rowsOf<{ id: IndexId }>(session, END_OF_RUN, [from]);
      return (last?.id ?? from) + 1;
    },
    insertIndex: async (node) => (await rowsOf(session, INSERT, cellsOf(node))).length > 0,
    updateIndex: async (node) => {
      await run(session, UPDATE, cellsOf(node));
    },
    subtree: async (id) => (await rowsOf<{ id: IndexId }>(session, SUBTREE, [id])).map((row) => row.id),
    height: async (id) => (await rowsOf<{ height: number | null }>(session, HEIGHT, [id]))[0]?.height ?? 0,
    arrange: async (parent, id, position) => {
      const [counted] = await rowsOf<{ others: number }>(session, COUNT_OTHERS, [parent, id]);
      const others = counted?.others ?? 0;
      const found = position === null ? others : Math.min(position, others);
      await run(session, RENUMBER, [parent, id, found]);
      return found;
    },
    deleteIndexes: async (given, at) => {
      if (given.length > 0) await run(session, DELETE, [ids(session, given), at]);
    },
    raiseTreeRevision: async () => {
      await run(session, RAISE);
    },
    changeCommunities: (indexId, change) => changeCommunities(session, indexId, change),
    itemsOnlyIn: (indexIds, limit) => itemsOnlyIn(session, indexIds, limit),
    busyItem: (itemIds, at) => busyItem(session, itemIds, at),
    unfile: (indexIds, revision) => unfile(session, indexIds, revision),
  };
}
