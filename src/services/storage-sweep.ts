// Sweeping the storage (R7a): bytes that no row names, and uploads in parts that were never ended, go once they are old enough.
import { addMilliseconds } from "../domain/instant.ts";
import { UNNAMED_KEPT_MS } from "../domain/storage/limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { Storage } from "../ports/storage.ts";

/** Asked about together: one query for so many. */
const KEYS_AT_ONCE = 500;

export type SweepNeeds = {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Of these keys those that a row names: of a file, of a draft, or of an upload that is under way. */
  readonly named: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
};

export type Swept = { readonly looked: number; readonly removed: number; readonly abortedUploads: number };

/**
 * Removes what is older than 24 h and named by nobody. Bytes are put before the row that names them, and the row within 24 h; what is
 * put again meanwhile counts as new.
 */
export async function sweepStorage(needs: SweepNeeds): Promise<Swept> {
  const olderThan = addMilliseconds(needs.clock.now(), -UNNAMED_KEPT_MS);
  let [looked, removed, abortedUploads] = [0, 0, 0];
  for await (const keys of batches(needs.storage.keys(olderThan))) {
    const named = await needs.named(keys.map(({ key }) => key));
    for (const { key } of keys) {
      if (!named.has(key) && (await needs.storage.remove(key, olderThan))) removed += 1;
    }
    looked += keys.length;
  }
  const { direct } = needs.storage;
  if (direct === null) return { looked, removed, abortedUploads };
  for await (const uploads of batches(direct.unfinished(olderThan))) {
    const named = await needs.named(uploads.map(({ key }) => key));
    for (const upload of uploads.filter(({ key }) => !named.has(key))) {
      await direct.abortMultipart(upload);
      abortedUploads += 1;
    }
  }
  return { looked, removed, abortedUploads };
}

async function* batches<T>(all: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length < KEYS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
