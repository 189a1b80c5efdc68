// Counts over what a caller reaches, for `GET /api/stats` and the command line (A17).

import { type Caller, reachesNaan, reachesShoulder } from "../auth/caller.ts";
import { addMilliseconds, type Instant } from "../shared/time/instant.ts";
import { reachOf } from "./current-caller.ts";
import { holdAt } from "./lifecycle-table.ts";
import { type ArkState, SHOULDER_STATUSES, type Shoulder, type ShoulderStatus } from "./record.ts";
import type { ArkReader, ShoulderCounts } from "./store.ts";

const DAY_MS = 86_400_000;

const NO_STATES = { reserved: 0, published: 0, unpublished: 0, tombstoned: 0 };
const NO_WITHDRAWN = { deleted: 0, purged: 0 };
/** Names made (minted, registered) in the last day, week and month. */
const NO_MINTED = { "24h": 0, "7d": 0, "30d": 0 };

type StateCounts = Readonly<typeof NO_STATES>;
type WithdrawnCounts = Readonly<typeof NO_WITHDRAWN>;
type MintedCounts = Readonly<typeof NO_MINTED>;

export type Stats = {
  /** What the figures cover: the caller's reach. */
  readonly scope: {
    readonly tier: Caller["tier"];
    readonly naan: string | null;
    readonly organisation: string | null;
    readonly shoulder: string | null;
  };
  readonly arks: StateCounts;
  readonly withdrawn: WithdrawnCounts;
  readonly shoulders: Readonly<Record<ShoulderStatus, number>>;
  readonly minted: MintedCounts;
  /** Holds in force: on names, shoulders, and NAANs that the reach covers. */
  readonly holds: number;
  readonly by_shoulder: readonly {
    readonly naan: string;
    readonly shoulder: string;
    readonly status: ShoulderStatus;
    readonly arks: StateCounts;
    readonly withdrawn: WithdrawnCounts;
    readonly minted: MintedCounts;
    readonly holds: number;
  }[];
};

/** The statistics of A17 at `now`. */
export async function statsOf(reader: ArkReader, caller: Caller, now: Instant): Promise<Stats> {
  const since = [1, 7, 30].map((days) => addMilliseconds(now, -days * DAY_MS));
  const counts = await reader.counts(reachOf(caller), now, since);
  const counted = new Map(counts.map((count) => [`${count.naan}/${count.shoulder}`, count]));
  const shoulders = (await reader.shoulders(caller.naan === null ? undefined : [caller.naan])).filter((shoulder) =>
    reachesShoulder(caller, shoulder),
  );
  const rows = shoulders.map((shoulder) => rowOf(shoulder, counted.get(`${shoulder.naan}/${shoulder.shoulder}`)));
  const heldNaans = (await reader.naans()).filter(
    (naan) => reachesNaan(caller, naan.naan) && holdAt(naan, now) !== null,
  );
  const heldShoulders = shoulders.filter((shoulder) => holdAt(shoulder, now) !== null);
  const statuses = SHOULDER_STATUSES.map((status) => [status, shoulders.filter((s) => s.status === status).length]);
  const organisation =
    caller.organisationId === null
      ? undefined
      : (await reader.organisations()).find((row) => row.id === caller.organisationId);
  return {
    scope: {
      tier: caller.tier,
      naan: caller.naan,
      organisation: organisation?.name ?? null,
      shoulder: caller.shoulder,
    },
    arks: added(
      NO_STATES,
      rows.map((row) => row.arks),
    ),
    withdrawn: added(
      NO_WITHDRAWN,
      rows.map((row) => row.withdrawn),
    ),
    shoulders: Object.fromEntries(statuses) as Record<ShoulderStatus, number>, // every status is one of its entries
    minted: added(
      NO_MINTED,
      rows.map((row) => row.minted),
    ),
    holds: rows.reduce((sum, row) => sum + row.holds, 0) + heldShoulders.length + heldNaans.length,
    by_shoulder: rows,
  };
}

/** Sums by name, in the order of `none`. */
function added<Counts extends Readonly<Record<string, number>>>(none: Counts, counted: readonly Counts[]): Counts {
  const sums = Object.keys(none).map((name) => [name, counted.reduce((sum, each) => sum + (each[name] ?? 0), 0)]);
  return Object.fromEntries(sums) as Counts; // of the names of `none`, each with a number
}

function rowOf(shoulder: Shoulder, count: ShoulderCounts | undefined): Stats["by_shoulder"][number] {
  const state = (name: ArkState) => count?.states[name] ?? 0;
  return {
    naan: shoulder.naan,
    shoulder: shoulder.shoulder,
    status: shoulder.status,
    arks: {
      reserved: state("reserved"),
      published: state("published"),
      unpublished: state("unpublished"),
      tombstoned: state("tombstoned"),
    },
    withdrawn: { deleted: state("deleted"), purged: state("purged") },
    minted: {
      "24h": count?.madeSince[0] ?? 0,
      "7d": count?.madeSince[1] ?? 0,
      "30d": count?.madeSince[2] ?? 0,
    },
    holds: count?.holds ?? 0,
  };
}
