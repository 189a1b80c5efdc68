// Sweeping the storage (R7a, R7c): bytes that no row names, and uploads in parts that were never ended, go once they
// are old enough; never in a storage that is not ours, and never many at once without an operator's word.

import { batches, KEYS_AT_ONCE } from "../../shared/bytes/byte-streams.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import { StorageProblem, UNNAMED_KEPT_MS } from "../../storage/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import { removableAtOnce } from "../store/storage-marker.ts";
import type { StorageClaim } from "./storage-claim.ts";

/** Removed by one sweep; what is more waits for the next one. */
const REMOVED_MAX = 100_000;

type SweepNeeds = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly claim: Pick<StorageClaim, "takeTurn">;
  /** Of these keys those that a row names: of a file, of a draft, or of an upload that is under way. */
  readonly named: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
};

export type SweepOptions = {
  /** Looks and removes nothing; needs no turn. */
  readonly dryRun?: boolean;
  /** The operator confirmed that all of them may be removed. */
  readonly however?: boolean;
};

export type SweepReport = {
  readonly looked: number;
  /** Old enough, and named by nobody. */
  readonly unnamed: number;
  readonly removed: number;
  /** Null where the store cannot list them. */
  readonly abortedUploads: number | null;
};

/** More would go than a sweep takes away by itself: the database may not be the one that belongs here. */
export class TooManyToSweep extends Error {
  override readonly name = "TooManyToSweep";
}

/**
 * Removes what is older than 24 h and named by nobody. Bytes are put before the row that names them, and the row within
 * 24 h; what is put again meanwhile counts as new.
 *
 * @throws NotOurs, TooManyToSweep before anything was removed; StorageProblem
 */
export async function sweepStorage(
  needs: SweepNeeds,
  { dryRun = false, however = false }: SweepOptions = {},
): Promise<SweepReport> {
  const { storage, clock, claim, named } = needs;
  const olderThan = addMilliseconds(clock.now(), -UNNAMED_KEPT_MS);
  const turn = dryRun ? null : await claim.takeTurn();
  const { looked, unnamed, keys } = await unnamedKeys(needs, olderThan);
  if (turn === null) return { looked, unnamed, removed: 0, abortedUploads: 0 };
  if (!however && unnamed > removableAtOnce(looked)) throw new TooManyToSweep(tooMany(looked, unnamed));
  let removed = 0;
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const some = keys.slice(start, start + KEYS_AT_ONCE);
    if (!(await turn.stillHolds()))
      throw new StorageProblem("unavailable", "Another process has begun to sweep the storage");
    // Asked again: a deposit may have named it since.
    const namedNow = await named(some);
    for (const key of some) if (!namedNow.has(key) && (await storage.remove(key, olderThan))) removed += 1;
  }
  return { looked, unnamed, removed, abortedUploads: await abortUploads(needs, olderThan) };
}

async function unnamedKeys({ storage, named }: SweepNeeds, olderThan: string) {
  let [looked, unnamed] = [0, 0];
  const keys: string[] = [];
  for await (const batch of batches(storage.keys(olderThan), KEYS_AT_ONCE)) {
    const known = await named(batch.map(({ key }) => key));
    looked += batch.length;
    for (const { key } of batch) {
      if (known.has(key)) continue;
      unnamed += 1;
      if (keys.length < REMOVED_MAX) keys.push(key);
    }
  }
  return { looked, unnamed, keys };
}

function tooMany(looked: number, unnamed: number): string {
  const count = `${unnamed} of ${looked} files are named by no row, ${removableAtOnce(looked)} are removed without being asked`;
  return `The storage is not swept: ${count}; see whether the database is the right one, then \`arkstone storage sweep --yes\``;
}

/** A store that cannot list uploads in parts keeps them: its own rules end them, or nobody does. */
async function abortUploads({ storage: { multipart }, named }: SweepNeeds, olderThan: string): Promise<number | null> {
  let aborted = 0;
  try {
    for await (const uploads of batches(multipart.unfinished(olderThan), KEYS_AT_ONCE)) {
      const known = await named(uploads.map(({ key }) => key));
      for (const upload of uploads.filter(({ key }) => !known.has(key))) {
        await multipart.abortMultipart(upload);
        aborted += 1;
      }
    }
    return aborted;
  } catch (error) {
    if (error instanceof StorageProblem && error.kind === "refused") return null;
    throw error;
  }
}
