// Saved searches and what their alerts have reported (src/repository/store/saved-searches.ts; issue 26).
import type {
  SavedSearch,
  SavedSearchReader,
  SavedSearchWriter,
} from "../../../src/repository/store/saved-searches.ts";
import { run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, oneRow, rowsAs } from "../../engine/record.ts";
import type { SavedSearchTable } from "../../engine/repository-schema.ts";

const SEARCH = rowsAs<SavedSearchTable, SavedSearch>({
  id: "id",
  accountId: "account_id",
  position: "position",
  name: "name",
  query: "query",
  frequency: "frequency",
  feedHash: "feed_hash",
  since: "since",
  nextRunAt: "next_run_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
});

const ONE = statement(() => `select ${SEARCH.list} from saved_search where id = $1`);
const LOCKED = statement(
  ({ forNoKeyUpdate }) => `select ${SEARCH.list} from saved_search where id = $1 ${forNoKeyUpdate}`,
);
const OF_ACCOUNT = statement(() => `select ${SEARCH.list} from saved_search where account_id = $1 order by position`);
const OF_FEED = statement(() => `select ${SEARCH.list} from saved_search where feed_hash = $1`);
const DUE = statement(
  () => `select ${SEARCH.list} from saved_search
    where next_run_at is not null and next_run_at <= $1 order by next_run_at, id limit $2`,
);
const SAVE = statement(
  () => `update saved_search set name = $2, frequency = $3, feed_hash = $4, since = $5, next_run_at = $6,
      updated_at = $7
    where id = $1`,
);
const DELETE_ITEMS = statement(() => "delete from saved_search_item where search_id = $1");
const DELETE = statement(() => "delete from saved_search where id = $1");
const FORGET = statement(() => "delete from saved_search_item where search_id = $1 and published_at < $2");

export const savedSearchReader = (session: Session): SavedSearchReader => ({
  savedSearch: (id) => oneRow(session, ONE, [id], SEARCH.read),
  savedSearchesOf: (account) => allRows(session, OF_ACCOUNT, [account], SEARCH.read),
  savedSearchOfFeed: (feedHash) => oneRow(session, OF_FEED, [feedHash], SEARCH.read),
  dueSavedSearches: (at, limit) => allRows(session, DUE, [at, limit], SEARCH.read),
  async reportedItems(search, items) {
    if (items.length === 0) return [];
    const rows = await session.db
      .selectFrom("saved_search_item")
      .select("item_id")
      .where("search_id", "=", search)
      .where("item_id", "in", [...items])
      .execute();
    return rows.map(({ item_id: id }) => Number(id));
  },
});

export const savedSearchWriter = (session: Session): SavedSearchWriter => ({
  ...savedSearchReader(session),
  lockSavedSearch: (id) => oneRow(session, LOCKED, [id], SEARCH.read),
  async insertSavedSearch(search) {
    const made = await session.db
      .insertInto("saved_search")
      .values(SEARCH.write(search))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    return made.length > 0;
  },
  async saveSavedSearch({ id, name, frequency, feedHash, since, nextRunAt, updatedAt }) {
    await run(session, SAVE, [id, name, frequency, feedHash, since, nextRunAt, updatedAt]);
  },
  async deleteSavedSearch(id) {
    await run(session, DELETE_ITEMS, [id]);
    await run(session, DELETE, [id]);
  },
  async addReportedItems(search, items) {
    if (items.length === 0) return;
    await session.db
      .insertInto("saved_search_item")
      .values(items.map(({ id, publishedAt }) => ({ search_id: search, item_id: id, published_at: publishedAt })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  async removeReportedItems(search, items) {
    if (items.length === 0) return;
    await session.db
      .deleteFrom("saved_search_item")
      .where("search_id", "=", search)
      .where("item_id", "in", [...items])
      .execute();
  },
  async forgetReportedItems(search, before) {
    await run(session, FORGET, [search, before]);
  },
});
