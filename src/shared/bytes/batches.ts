// An endless list, read in batches.

/** Keys of files in one query. */
export const KEYS_AT_ONCE = 500;

export async function* batches<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
