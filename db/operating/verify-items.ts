// Items as `arkstone verify` reads them: each with the matching rows of the other tables, page by page.
import type { ItemRow, ParentRow, StrayIndexRow } from "../../src/operating/verify/items.ts";
import { rowsOf, type Session, type Statement, statement } from "../engine/dialect.ts";

const PAGE_ROWS = 2_000;

const ITEMS = statement(
  () => `select i.id, i.state, i.revision, i.file_set_id as "fileSet", r.kind, i.ark, a.state as "arkState", a.url as "arkUrl",
      (select count(*) from item_revision v where v.item_id = i.id) as revisions,
      (select v.file_set_id from item_revision v where v.item_id = i.id and v.revision = i.revision) as "revisionSet",
      (select count(*) from tombstone t where t.item_id = i.id) as tombstones
    from item i left join resource r on r.id = i.id left join ark a on a.ark = i.ark
    where i.id > $1 order by i.id limit ${PAGE_ROWS}`,
);
const PARENTS = statement(
  () => `select p.id, r.kind, p.latest_item_id as latest,
      (select i.id from item i where i.parent_id = p.id and i.state = 'published' order by i.version_index desc limit 1) as highest
    from item_parent p left join resource r on r.id = p.id where p.id > $1 order by p.id limit ${PAGE_ROWS}`,
);
/** Items in an index that is none, so that a page has an end that the next one begins behind. */
const STRAY_INDEXES = statement(
  () => `select p.item_id as id, p.item_id as "itemId", min(p.index_id) as "indexId" from item_place p
      left join index_node n on n.id = p.index_id and n.deleted_at is null
    where n.id is null and p.item_id > $1 group by p.item_id order by p.item_id limit ${PAGE_ROWS}`,
);

async function* pages<Row>(session: Session, asked: Statement): AsyncGenerator<readonly Row[]> {
  for (let after = 0; ; ) {
    const rows = await rowsOf<Row & { readonly id: number }>(session, asked, [after]);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.id;
  }
}

export const itemPages = (session: Session) => pages<ItemRow>(session, ITEMS);
export const parentPages = (session: Session) => pages<ParentRow>(session, PARENTS);
export const strayIndexes = (session: Session) => pages<StrayIndexRow>(session, STRAY_INDEXES);
