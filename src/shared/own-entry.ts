// Looking something up by a word from outside.

/** The entry of a table under `key`; undefined where the table itself has none: `toString` and its like are on every object. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
