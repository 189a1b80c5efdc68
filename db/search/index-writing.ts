// One batch of documents written into an embedded index (R34): one transaction, in parts that give way to others. Done
// by the thread that answers, or in the index thread where documents are long (index-thread.ts).
import type { DatabaseSync } from "node:sqlite";
import type { IndexBatch } from "../../src/repository/search/index/index-port.ts";
import { yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import { type Changes, type DocumentRows, noChanges } from "./document-rows.ts";

/** A transaction that takes longer gives way to others in between: readers see what was before. */
const PART_MS = 10;

/** What memory has to take over, and how many of the slots that were offered are taken, the first ones. */
export type WrittenBatch = { readonly changes: Changes; readonly taken: number };

/**
 * The caller is the only writer. `slots`: free ones, as many as there are documents. A failure rolls all of it back.
 */
export async function writeBatch(
  database: DatabaseSync,
  rows: DocumentRows,
  { parents, documents, position }: IndexBatch,
  slots: readonly number[],
): Promise<WrittenBatch> {
  const changes = noChanges();
  let taken = 0;
  const take = (): number => {
    const slot = slots[taken];
    if (slot === undefined) throw new RangeError("Cannot write a document: no slot was offered for it");
    taken += 1;
    return slot;
  };
  let until = performance.now() + PART_MS;
  const giveWay = async (): Promise<void> => {
    if (performance.now() < until) return;
    await yieldToEventLoop();
    until = performance.now() + PART_MS;
  };
  database.exec("begin immediate");
  try {
    const left = new Map<number, number>();
    for (const parent of parents) for (const [id, slot] of rows.slotsOf(parent)) left.set(id, slot);
    for (const each of rows.placed(documents, { take })) {
      await giveWay();
      rows.write(each, changes);
      left.delete(each.document.id);
    }
    for (const slot of left.values()) {
      rows.remove(slot, changes);
      await giveWay();
    }
    if (position !== null) {
      database.prepare("update meta set epoch = ?, horizon = ?").run(position.epoch, position.horizon);
    }
    // The words of a long document were cut just before, and are sorted and written here.
    await giveWay();
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    rows.forget();
    throw error;
  }
  return { changes, taken };
}
