// Counts over what a caller reaches, for `GET /api/stats` and the command line (A17).
import { holdAt } from "./lifecycle-table.ts";
import { SHOULDER_STATUSES, type Shoulder, type ShoulderStatus } from "./registered-things.ts";
import type { ArkState } from "./record.ts";
import { type Instant, addMilliseconds } from "../shared/instant.ts";
import { type Caller, reachesNaan, reachesShoulder } from "../auth/caller.ts";
import type { ArkReader, ShoulderCounts } from "./store.ts";
import { reachOf } from "./caller-reach.ts";

const DAY_MS = 86_400_000;

type StateCounts = Readonly<Record<"reserved" | "published" | "unpublished" | "tombstoned", number>>;
type WithdrawnCounts = Readonly<Record<"deleted" | "purged", number>>;
/** Names made (minted, registered) in the last day, week and month. */
type MintedCounts = Readonly<Record<"24h" | "7d" | "30d", number>>;

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

/** The figures of A17 as they stand at `now`. */
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
  const total = (count: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + count(row), 0);
  return {
    scope: {
      tier: caller.tier,
      naan: caller.naan,
      organisation: organisation?.name ?? null,
      shoulder: caller.shoulder,
    },
    arks: {
      reserved: total((row) => row.arks.reserved),
      published: total((row) => row.arks.published),
      unpublished: total((row) => row.arks.unpublished),
      tombstoned: total((row) => row.arks.tombstoned),
    },
    withdrawn: { deleted: total((row) => row.withdrawn.deleted), purged: total((row) => row.withdrawn.purged) },
    shoulders: Object.fromEntries(statuses) as Record<ShoulderStatus, number>, // every status is one of its entries
    minted: {
      "24h": total((row) => row.minted["24h"]),
      "7d": total((row) => row.minted["7d"]),
      "30d": total((row) => row.minted["30d"]),
    },
    holds: total((row) => row.holds) + heldShoulders.length + heldNaans.length,
    by_shoulder: rows,
  };
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
