// The mark of a restore that has not ended: while it is there, no service works on the database.
import { rowsOf, type Session, statement } from "./dialect.ts";

export const EPOCH_KEY = "feed_epoch";
export const UNFINISHED_KEY = "restore_unfinished";

const MARK = statement(() => `select value from service where key = '${UNFINISHED_KEY}'`);

/** @throws Error when a restore into this database was cut off, or is still at work. */
export async function refuseUnfinished(session: Session): Promise<void> {
  const [mark] = await rowsOf<{ value: string }>(session, MARK);
  if (mark !== undefined) throw new Error(unfinishedText(mark.value));
}

function unfinishedText(of: string): string {
  return `A restore of ${of} into this database has not ended: wait for it, or run "arkstone restore" again`;
}
