// The jobs of a repository process (R8, R8a): what cares for the stored bytes, and what the other parts bring.
import { setTimeout as sleep } from "node:timers/promises";
import { unpacking } from "../adapters/unpacking.ts";
import type { Clock, Random } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";
import type { RepositoryStore } from "../repository/store/store.ts";
import { type JobKinds, type JobRunner, jobRunner } from "../jobs/runner.ts";
import { storageClaim } from "../repository/items/storage-claim.ts";
import { storageJobs } from "../repository/items/storage-jobs.ts";
import type { OpenedStorage } from "./storage.ts";

export type RepositoryJobsNeeds = {
  readonly store: RepositoryStore;
  readonly files: Pick<OpenedStorage, "storage" | "location">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

/** Nothing runs before `start`. `more`: kinds of the other parts. */
export function repositoryJobs(needs: RepositoryJobsNeeds, more: JobKinds = {}): JobRunner {
  const { store, clock, random, log } = needs;
  const { storage, location } = needs.files;
  const claim = storageClaim({ storage, location, items: store.items, store, random });
  const hashing = unpacking();
  const kinds = {
    ...storageJobs({ storage, claim, hashing, items: store.items, store, clock, log, sleep: (ms) => sleep(ms) }),
    ...more,
  };
  const owner = Array.from(random.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return jobRunner({ store, kinds, clock, log, owner });
}
