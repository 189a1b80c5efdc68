// Which earlier states of a draft are kept (R42). A draft is saved while its author types: the last state before each
// pause stays, and what was saved in between is dropped after an hour. Until then it is there, since another window may
// be based on it.
import type { AccountId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { Draft } from "./item.ts";

/** One state of a draft, without its content. `by`: who saved it. */
export type DraftRevisionLine = {
  readonly counter: number;
  readonly savedAt: Instant;
  readonly by: AccountId;
  readonly characters: number;
};

/** A state of a draft among those of all drafts of its item: counters start again with each. */
export const draftMark = ({ counter, beganAt }: Pick<Draft, "counter" | "beganAt">): string =>
  `${counter}.${beganAt ?? ""}`;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Who saves again earlier than this has not paused. */
const PAUSE_MS = MINUTE_MS;
/** Somebody who never pauses gets a revision so often. */
const LONGEST_BURST_MS = 10 * MINUTE_MS;
/** How long every state is kept. */
const RECENT_MS = 60 * MINUTE_MS;

/** Saved before this moment, a revision has ended. */
export const draftRevisionsEnd = (now: Instant): Instant => addMilliseconds(now, -most("draftRevisionDays") * DAY_MS);

/**
 * The counters of the revisions that are dropped. The last line is the present state of the draft and always stays.
 *
 * @param lines oldest first
 */
export function surplusRevisions(lines: readonly DraftRevisionLine[], now: Instant): ReadonlySet<number> {
  const end = draftRevisionsEnd(now);
  const recent = addMilliseconds(now, -RECENT_MS);
  const between = statesBetween(lines);
  const earlier = lines.slice(0, -1);
  const dropped = new Set(
    earlier
      .filter(({ counter, savedAt }) => savedAt < end || (savedAt < recent && between.has(counter)))
      .map(({ counter }) => counter),
  );
  let count = lines.length - dropped.size;
  let characters = lines.reduce((sum, line) => (dropped.has(line.counter) ? sum : sum + line.characters), 0);
  // Too many: first what was saved between pauses, then the oldest.
  const candidates = [...earlier.filter(({ counter }) => between.has(counter)), ...earlier];
  for (const line of candidates) {
    if (count <= most("draftRevisions") && characters <= most("draftRevisionCharacters")) break;
    if (dropped.has(line.counter)) continue;
    dropped.add(line.counter);
    count -= 1;
    characters -= line.characters;
  }
  return dropped;
}

/** States that the same account has replaced before a pause, but for one in ten minutes. */
function statesBetween(lines: readonly DraftRevisionLine[]): ReadonlySet<number> {
  const between = new Set<number>();
  let burstBegan = Date.parse(lines[0]?.savedAt ?? "");
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next === undefined) break;
    const [at, later] = [Date.parse(line.savedAt), Date.parse(next.savedAt)];
    const isPaused = next.by !== line.by || later - at >= PAUSE_MS || later - burstBegan >= LONGEST_BURST_MS;
    if (isPaused) burstBegan = later;
    else between.add(line.counter);
  }
  return between;
}
