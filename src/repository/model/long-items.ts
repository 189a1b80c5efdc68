// What is long of an item (R9a): writing it in a format, or reading it, holds up whoever else is to be answered, and is done beside them.
import type { Metadata } from "./metadata.ts";

/** What an item may hold to be written in the server: some tens of milliseconds at worst. */
const SHORT = { values: 4_000, characters: 200_000 } as const;

/** Whether metadata and files are more than that; looks no further than it has to. */
export function isLong({ metadata, files }: { readonly metadata: Metadata; readonly files: readonly unknown[] }): boolean {
  if (files.length * VALUES_OF_FILE > SHORT.values) return true;
  const left = { values: SHORT.values - files.length * VALUES_OF_FILE, characters: SHORT.characters };
  const take = (value: unknown): void => {
    left.values -= 1;
    if (typeof value === "string") left.characters -= value.length;
    if (typeof value !== "object" || value === null) return;
    for (const key in value) {
      if (left.values < 0 || left.characters < 0) return;
      take(Reflect.get(value, key));
    }
  };
  take(metadata);
  return left.values < 0 || left.characters < 0;
}

const VALUES_OF_FILE = 10;
