// Every change of a name, of which a store returns a part at a time.
import { historyParts } from "../../src/ark/name-history.ts";
import type { ArkReader, HistoryEntry } from "../../src/ark/store.ts";

export async function historyOf(store: Pick<ArkReader, "history">, key: string): Promise<readonly HistoryEntry[]> {
  return (await Array.fromAsync(historyParts(store, key))).flat();
}
