// The changes of one name (A17), a bounded part at a time: a name may have been changed a hundred thousand times (R9a).
import type { ArkReader, HistoryEntry, HistoryPage } from "./store.ts";

/** An entry has at most two addresses and a reason, which makes some hundred kilobytes of text. */
const ENTRIES_READ_AT_ONCE = 100;

/** Each part is read when it is asked for. */
export async function* historyParts(
  reader: Pick<ArkReader, "history">,
  key: string,
  order: HistoryPage["order"] = "oldest first",
): AsyncGenerator<readonly HistoryEntry[], void> {
  for (let from: number | null = null; ; ) {
    const entries = await reader.history(key, { order, from, limit: ENTRIES_READ_AT_ONCE });
    const last = entries.at(-1);
    if (last !== undefined) yield entries.map(({ id: _, ...entry }) => entry);
    if (last === undefined || entries.length < ENTRIES_READ_AT_ONCE) return;
    from = last.id;
  }
}
