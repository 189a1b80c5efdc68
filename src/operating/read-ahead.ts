// Reads a sequence ahead of whoever takes it, so that reading goes on while what was taken is worked on.

/** The same items in the same order; up to `most` of them are read before they are asked for. What goes wrong is told where it stood. */
export async function* readAhead<T>(source: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  const asked: Promise<IteratorResult<T>>[] = [];
  try {
    for (;;) {
      while (asked.length <= most) {
        const next = items.next();
        // It is thrown when it is its turn; nobody may call it unhandled before.
        next.catch(() => {});
        asked.push(next);
      }
      const item = await asked.shift();
      if (item === undefined || item.done === true) return;
      yield item.value;
    }
  } finally {
    await items.return?.();
  }
}
