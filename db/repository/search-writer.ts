// The one process that writes the search index which all share, and what its collections hold (R34).
import type {
  SearchCollection,
  SearchCollectionReader,
  SearchWriter,
} from "../../src/repository/store/search-writer.ts";
import { rowsOf, run, type Session, statement } from "../engine/dialect.ts";

const TAKE = statement(
  () => `insert into search_writer (only_one, owner, until) values (1, $1, $3)
    on conflict (only_one) do update set owner = excluded.owner, until = excluded.until
      where search_writer.owner = $1 or search_writer.until <= $2
    returning owner`,
);
const RELEASE = statement(() => "delete from search_writer where owner = $1");

const SAVE = statement(
  () => `insert into search_collection (name, state, schema, least, most, labels, written, seal)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (name) do update set state = excluded.state, schema = excluded.schema, least = excluded.least,
      most = excluded.most, labels = excluded.labels, written = excluded.written, seal = excluded.seal`,
);
const REMOVE = statement(() => "delete from search_collection where name = $1");
/** One answers, one is built, and some were left behind. */
const ALL = statement(
  () =>
    "select name, state, schema, least, most, labels, written, seal from search_collection order by name limit 1000",
);

export const searchCollectionReader = (session: Session): SearchCollectionReader => ({
  async searchCollections() {
    const rows = await rowsOf<SearchCollection>(session, ALL);
    return rows.map(({ name, state, schema, least, most, labels, written, seal }) => ({
      name,
      state,
      schema,
      least: Number(least),
      most: most === null ? null : Number(most),
      labels: Number(labels),
      written: Number(written),
      seal: seal === null ? null : Number(seal),
    }));
  },
});

export const searchWriter = (session: Session): SearchWriter => ({
  takeSearchWriting: async (owner, now, until) => (await rowsOf(session, TAKE, [owner, now, until])).length > 0,
  async releaseSearchWriting(owner) {
    await run(session, RELEASE, [owner]);
  },
  async saveSearchCollection({ name, state, schema, least, most, labels, written, seal }) {
    await run(session, SAVE, [name, state, schema, least, most, labels, written, seal]);
  },
  async removeSearchCollection(name) {
    await run(session, REMOVE, [name]);
  },
});
