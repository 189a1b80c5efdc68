// The queries of earlier states of drafts (src/repository/store/draft-revisions.ts; R42).
import type { DraftRevisionLine } from "../../../src/model/items/draft-history.ts";
import type {
  DraftRevision,
  DraftRevisionReader,
  DraftRevisionWriter,
} from "../../../src/repository/store/draft-revisions.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, oneRow } from "../../engine/record.ts";
import type { DraftRevisionTable } from "../../engine/repository-schema.ts";
import { numberList } from "./item-reading.ts";
import { readContent } from "./item-rows.ts";

const LINE = "r.counter, r.saved_at, r.account_id, r.characters";
const NEWEST = statement(
  () => `select ${LINE} from draft_revision r where r.item_id = $1 order by r.counter desc limit $2`,
);
const ONE = statement(() => `select ${LINE}, r.content from draft_revision r where r.item_id = $1 and r.counter = $2`);

type Line = Pick<DraftRevisionTable, "counter" | "saved_at" | "account_id" | "characters">;

const lineOf = (row: Line): DraftRevisionLine => ({
  counter: row.counter,
  savedAt: row.saved_at,
  by: Number(row.account_id),
  characters: Number(row.characters),
});

const revisionOf = (row: Line & { readonly content: string }): DraftRevision => ({
  ...lineOf(row),
  content: readContent(row.content),
});

export const draftRevisionReader = (session: Session): DraftRevisionReader => ({
  draftRevisions: async (itemId, limit) => (await allRows(session, NEWEST, [itemId, limit], lineOf)).toReversed(),
  draftRevision: (itemId, counter) => oneRow(session, ONE, [itemId, counter], revisionOf),
});

// The content is not read: it goes from table to table. The draft of an activity is its depositor's package.
const KEEP = statement(
  () => `insert into draft_revision (item_id, counter, saved_at, account_id, characters, content)
    select item_id, counter, saved_at, editor_account_id, length(content), content from item_draft
    where item_id = $1 and activity_id is null
    on conflict do nothing`,
);
const REMOVE = statement(
  (words) => `delete from draft_revision where item_id = $1
    and counter in (select cast(value as integer) from ${words.listTable("$2")})`,
);
const EXPIRE = statement(
  () => `delete from draft_revision where (item_id, counter) in (
      select item_id, counter from draft_revision where saved_at < $1 order by saved_at limit $2)
    returning counter`,
);

export const draftRevisionWriter = (session: Session): DraftRevisionWriter => ({
  ...draftRevisionReader(session),
  keepDraftState: async (itemId) => {
    await run(session, KEEP, [itemId]);
  },
  removeDraftRevisions: async (itemId, counters) => {
    if (counters.length > 0) await run(session, REMOVE, [itemId, numberList(session, counters)]);
  },
  expireDraftRevisions: async (before, limit) => (await rowsOf(session, EXPIRE, [before, limit])).length,
});
