// The one process that writes the search index which all share (R34).
import type { SearchWriter } from "../../src/repository/store/search-writer.ts";
import { rowsOf, run, type Session, statement } from "../engine/dialect.ts";

const TAKE = statement(
  () => `insert into search_writer (only_one, owner, until) values (1, $1, $3)
    on conflict (only_one) do update set owner = excluded.owner, until = excluded.until
      where search_writer.owner = $1 or search_writer.until <= $2
    returning owner`,
);
const RELEASE = statement(() => "delete from search_writer where owner = $1");

export const searchWriter = (session: Session): SearchWriter => ({
  takeSearchWriting: async (owner, now, until) => (await rowsOf(session, TAKE, [owner, now, until])).length > 0,
  async releaseSearchWriting(owner) {
    await run(session, RELEASE, [owner]);
  },
});
