// Which items are so long that a document of them is written in a separate thread (R9a,
// src/repository/store/exporting.ts).
import type { Metadata } from "../metadata/metadata.ts";

/** The most an item may hold to be written in the server's own thread: some tens of milliseconds at worst. */
const SHORT = { values: 4_000, characters: 200_000 } as const;

type LongOrShort = { readonly metadata: Metadata; readonly files: readonly unknown[] };

/** Whether metadata and files are more than that; looks no further than it has to. */
export function isLong({ metadata, files }: LongOrShort): boolean {
  if (files.length * VALUES_OF_FILE > SHORT.values) return true;
  let values = SHORT.values - files.length * VALUES_OF_FILE;
  let { characters }: { characters: number } = SHORT;
  const take = (value: unknown): void => {
    values -= 1;
    if (typeof value === "string") characters -= value.length;
    if (typeof value !== "object" || value === null) return;
    for (const each of Array.isArray(value) ? value : Object.values(value)) {
      if (values < 0 || characters < 0) return;
      take(each);
    }
  };
  take(metadata);
  return values < 0 || characters < 0;
}

const VALUES_OF_FILE = 10;
