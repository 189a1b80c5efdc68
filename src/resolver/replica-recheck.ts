// The last read of the replica before a 404 (A31d), and the state that all threads of a resolver share.

import type { Replica } from "./replica.ts";
import { type ResolutionTable, withRows } from "./table.ts";

/** Reads of the replica before a 404, per second, of all threads together (A31d). */
export const LOOKS_PER_SECOND = 200;

const CELLS = { replicaUp: 0, second: 1, taken: 2 } as const;

/** Numbers in shared memory; each thread makes its own view with {@link sharedState}. */
export type SharedState = {
  readonly memory: SharedArrayBuffer;
  isReplicaUp(): boolean;
  setReplicaUp(up: boolean): void;
  /** One look of this second, or false when they are used up. */
  takeLook(nowMs: number): boolean;
};

export function sharedState(memory = new SharedArrayBuffer(4 * Object.keys(CELLS).length)): SharedState {
  const cells = new Int32Array(memory);
  return {
    memory,
    isReplicaUp: () => Atomics.load(cells, CELLS.replicaUp) === 1,
    setReplicaUp: (up) => void Atomics.store(cells, CELLS.replicaUp, up ? 1 : 0),
    takeLook(nowMs) {
      const second = Math.floor(nowMs / 1000) | 0;
      const before = Atomics.load(cells, CELLS.second);
      if (before !== second && Atomics.compareExchange(cells, CELLS.second, before, second) === before) {
        Atomics.store(cells, CELLS.taken, 0);
      }
      return Atomics.add(cells, CELLS.taken, 1) < LOOKS_PER_SECOND;
    },
  };
}

/**
 * Reads these names again before a 404: the table that includes them. Null, without a read, when the replica is
 * unavailable or was read too often in this second. The table itself is left to the feed: a row read here may be older
 * than one the feed brings meanwhile.
 */
export async function lookAgain(
  below: ResolutionTable | null,
  keys: readonly string[],
  replica: Pick<Replica, "tableRowsOf">,
  state: SharedState,
): Promise<ResolutionTable | null> {
  if (below === null || !state.isReplicaUp() || keys.length === 0 || !state.takeLook(Date.now())) return null;
  try {
    return withRows(below, keys, await replica.tableRowsOf(keys));
  } catch {
    // The refusal is final; the next refresh notices that the replica is unavailable.
    return null;
  }
}
