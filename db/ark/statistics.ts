// Counts by shoulder (A17): names by state, names made since some moments, holds. Read from indexes alone.
import { ARK_STATES, type ArkState } from "../../src/ark/record.ts";
import type { Reach, ShoulderCounts } from "../../src/ark/store.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { rowsOf, type Session, statement } from "../engine/dialect.ts";
import { type ShoulderKey, shouldersInReach } from "./reach.ts";

// `$1` is a NAAN or null for all of them: an organisation's other shoulders are left out afterwards.
const STATES = statement(
  () => `select naan, shoulder, state, count(*) as names from ark
    where $1 = '' or naan = $1 group by naan, shoulder, state`,
);
const MADE = statement(
  () => `select naan, shoulder, count(*) as names from ark
    where ($1 = '' or naan = $1) and created_at >= $2 and origin <> 'imported' group by naan, shoulder`,
);
const HELD = statement(
  () => `select naan, shoulder, count(*) as names from ark
    where ($1 = '' or naan = $1) and hold_until > $2 group by naan, shoulder`,
);

type ShoulderCount = ShoulderKey & { readonly names: number };
type Counts = { states: Record<ArkState, number>; madeSince: number[]; holds: number };

const idOf = ({ naan, shoulder }: ShoulderKey) => `${naan}/${shoulder}`;

/** Every registered shoulder within reach, also one without names, and every shoulder that still has names. */
export async function readCounts(
  session: Session,
  reach: Reach,
  now: Instant,
  since: readonly Instant[],
): Promise<readonly ShoulderCounts[]> {
  const naan = reach.kind === "system" ? "" : reach.naan;
  const registered = await shouldersInReach(session, { reach });
  const found = new Map<string, ShoulderKey & Counts>();
  const countsOf = ({ naan, shoulder }: ShoulderKey) => {
    const id = idOf({ naan, shoulder });
    const known = found.get(id);
    if (known !== undefined) return known;
    const states = Object.fromEntries(ARK_STATES.map((state) => [state, 0])) as Record<ArkState, number>;
    const made = { naan, shoulder, states, madeSince: since.map(() => 0), holds: 0 };
    found.set(id, made);
    return made;
  };
  for (const shoulder of registered) countsOf(shoulder);
  const within = reach.kind === "organisation" ? new Set(found.keys()) : null;
  const inReach = (row: ShoulderKey) => within === null || within.has(idOf(row));

  const states = await rowsOf<ShoulderCount & { state: ArkState }>(session, STATES, [naan]);
  for (const row of states.filter(inReach)) countsOf(row).states[row.state] = Number(row.names);
  for (const [index, instant] of since.entries()) {
    const made = await rowsOf<ShoulderCount>(session, MADE, [naan, instant]);
    for (const row of made.filter(inReach)) countsOf(row).madeSince[index] = Number(row.names);
  }
  const held = await rowsOf<ShoulderCount>(session, HELD, [naan, now]);
  for (const row of held.filter(inReach)) countsOf(row).holds = Number(row.names);
  return [...found.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}
