// The id under which a database marks its storage, and the turns it took there (R7c).

import type { StorageIdentity } from "../../../src/repository/store/storage-marker.ts";
import type { StorageIdentityWriter } from "../../../src/repository/store/store.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";

const INSERT = statement(
  () => "insert into storage_identity (only_one, id, turns) values (1, $1, '[]') on conflict (only_one) do nothing",
);
const LOCK = statement(({ forUpdate }) => `select id, turns from storage_identity ${forUpdate}`);
const SAVE = statement(() => "update storage_identity set turns = $2 where id = $1");

export function storageIdentityWriter(session: Session): StorageIdentityWriter {
  return {
    async lockIdentity(fresh) {
      await run(session, INSERT, [fresh]);
      const [row] = await rowsOf<{ id: string; turns: string }>(session, LOCK);
      if (row === undefined) throw new RangeError("The database has no id for its storage");
      // Written by `saveTurns` alone.
      return { id: row.id, turns: JSON.parse(row.turns) as StorageIdentity["turns"] };
    },
    async saveTurns({ id, turns }) {
      await run(session, SAVE, [id, JSON.stringify(turns)]);
    },
  };
}
