// Entries of vocabularies that records name (R6a): read in one statement for an ordinary record, and kept for a while, for most records name the
// same ones.
import { type Entries, type Entry, type EntryName, entriesOf } from "../../formats/record/reading.ts";
import { most } from "../../shared/limits.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop-turn.ts";
import type { RepositoryReader } from "../store/store.ts";

/** Entries that are kept, and for how long: what an administrator changes is shown soon. */
const KEPT = 20_000;
const KEPT_MS = 30_000;
/** Entries that one statement reads: a few milliseconds of it. */
const READ_AT_ONCE = 500;

type CachedEntry = { readonly entry: Entry | null; readonly until: number };

export function recordEntries({ clock }: { readonly clock: Clock }) {
  const kept = new Map<string, CachedEntry>();

  return async (reader: Pick<RepositoryReader, "communities">, names: readonly EntryName[]): Promise<Entries> => {
    const now = Date.parse(clock.now());
    const known: Entry[] = [];
    const unknown: EntryName[] = [];
    // A record that names more was not written here: the others are shown without a title.
    for (const name of names.slice(0, most("entriesNamed"))) {
      const before = kept.get(keyOf(name));
      if (before === undefined || before.until <= now) unknown.push(name);
      else if (before.entry !== null) known.push(before.entry);
    }
    if (unknown.length === 0) return entriesOf(known);
    const found = new Map<string, Entry>();
    for (let from = 0; from < unknown.length; from += READ_AT_ONCE) {
      if (from > 0) await yieldToEventLoop();
      const some = unknown.slice(from, from + READ_AT_ONCE);
      for (const entry of await reader.communities.vocabularyEntries(some)) found.set(keyOf(entry), entry);
    }
    if (kept.size + unknown.length > KEPT) kept.clear();
    for (const name of unknown) {
      const entry = found.get(keyOf(name)) ?? null;
      kept.set(keyOf(name), { entry, until: now + KEPT_MS });
      if (entry !== null) known.push(entry);
    }
    return entriesOf(known);
  };
}

export type EntriesOf = ReturnType<typeof recordEntries>;

const keyOf = ({ type, id }: EntryName): string => `${type}\n${id}`;
