// Changes of authors that are applied to their items (R23): the progress of each, and the items that were in use
// meanwhile.
import type { AuthorReader, AuthorWriter, DroppedValues, Propagation } from "../../../src/repository/store/authors.ts";
import type { AuthorId } from "../../../src/shared/ids.ts";
import { rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import { flag, json, oneRow, rowsAs } from "../../engine/record.ts";
import type { AuthorPropagationTable } from "../../engine/repository-schema.ts";

const PROPAGATION = rowsAs<AuthorPropagationTable, Propagation>({
  authorId: "author_id",
  generation: "turn",
  afterId: "behind",
  done: "done",
  total: "total",
  withNames: flag("with_names"),
  dropped: json("dropped"),
});

const READ = statement(() => `select ${PROPAGATION.list} from author_propagation where author_id = $1`);
const POSTPONED = statement(
  () => `select l.item_id from item_author l join item i on i.id = l.item_id
    where l.author_id = $1 and l.item_id > $2 and l.postponed = 1 and i.state = 'published' order by l.item_id limit $3`,
);
const LOCK_AUTHOR = statement((words) => `select id from author where id = $1 ${words.forUpdate}`);
const COUNT = statement(
  () => `select count(*) as items from item_author l join item i on i.id = l.item_id
    where l.author_id = $1 and i.state = 'published'`,
);
const BEGIN = statement(
  () => `insert into author_propagation (author_id, turn, behind, done, total, with_names, dropped)
    values ($1, 1, 0, 0, $2, $3, $4)
    on conflict (author_id) do update set turn = author_propagation.turn + 1, behind = 0, done = 0, total = excluded.total,
      with_names = excluded.with_names, dropped = excluded.dropped`,
);
const AGAIN = statement(
  (words) => `update author_propagation set behind = $2 - 1, turn = turn + 1
    where author_id in (select cast(value as ${words.dialect === "sqlite" ? "integer" : "bigint"}) from ${words.listTable("$1")})
    and behind >= $2`,
);
const STEP = statement(
  () =>
    `update author_propagation set behind = $3, done = done + 1 where author_id = $1 and turn = $2 returning author_id`,
);
const MARK = statement(
  () => "update item_author set postponed = $3 where author_id = $1 and item_id = $2 and postponed <> $3",
);
const LEFT = statement(
  () => `select 1 as found from item_author l join item i on i.id = l.item_id
    where l.author_id = $1 and i.state = 'published' and (l.postponed = 1 or l.item_id > $2) limit 1`,
);
const END = statement(() => "delete from author_propagation where author_id = $1 and turn = $2 returning author_id");

/** The number of dropped changes that are listed; older ones are not. */
const DROPPED_MAX = 2_000;

function together(one: DroppedValues, other: DroppedValues): DroppedValues {
  const both = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].slice(-DROPPED_MAX);
  return {
    identifiers: both(one.identifiers, other.identifiers),
    emails: both(one.emails, other.emails),
    affiliations: one.affiliations || other.affiliations,
  };
}

const read = (session: Session, authorId: AuthorId) => oneRow(session, READ, [authorId], PROPAGATION.read);

type Reading = Pick<AuthorReader, "postponedItems" | "propagation">;

export const propagationReader = (session: Session): Reading => ({
  postponedItems: async (authorId, after, limit) =>
    (await rowsOf<{ item_id: number }>(session, POSTPONED, [authorId, after, limit])).map((row) => row.item_id),
  propagation: (authorId) => read(session, authorId),
});

type Writing = Pick<AuthorWriter, "passAgain" | "beginPropagation" | "propagated" | "caughtUp" | "endPropagation">;

export const propagationWriter = (session: Session): Writing => ({
  async passAgain(authorIds, itemId) {
    await run(session, AGAIN, [textList(session, authorIds.map(String)), itemId]);
  },
  async beginPropagation(authorId, { withNames, dropped }) {
    const [counted] = await rowsOf<{ items: number | string }>(session, COUNT, [authorId]);
    const items = Number(counted?.items ?? 0);
    if (items === 0) return 0;
    const before = await read(session, authorId);
    const all = before === null ? dropped : together(before.dropped, dropped);
    const names = withNames || before?.withNames === true;
    await run(session, BEGIN, [authorId, items, names ? 1 : 0, JSON.stringify(all)]);
    return items;
  },
  async propagated({ authorId, generation }, itemId, isPostponed) {
    // The mark first: a writer of an item changes its links before it reads this row, too.
    await run(session, MARK, [authorId, itemId, isPostponed ? 1 : 0]);
    return (await rowsOf(session, STEP, [authorId, generation, itemId])).length > 0;
  },
  async caughtUp(authorId, itemId) {
    await run(session, MARK, [authorId, itemId, 0]);
  },
  async endPropagation({ authorId, generation, afterId }) {
    // A writer that links an item to the author locks the author: its links are waited for, and read.
    if (session.dialect === "postgres") await run(session, LOCK_AUTHOR, [authorId]);
    if ((await rowsOf(session, LEFT, [authorId, afterId])).length > 0) return false;
    return (await rowsOf(session, END, [authorId, generation])).length > 0;
  },
});
