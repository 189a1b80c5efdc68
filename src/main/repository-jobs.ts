// The jobs of a repository process (R8, R8a): what cares for the stored bytes, and what the other parts bring.
import { setTimeout as sleep } from "node:timers/promises";
import { unpacking } from "../adapters/unpacking.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RepositoryStore } from "../ports/repository/store.ts";
import type { Storage } from "../ports/storage.ts";
import { type JobKinds, type JobRunner, jobRunner } from "../services/jobs.ts";
import { storageJobs } from "../services/storage-jobs.ts";

export type RepositoryJobsNeeds = {
  readonly store: RepositoryStore;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

/** Nothing runs before `start`. `more`: kinds of the other parts. */
export function repositoryJobs(needs: RepositoryJobsNeeds, more: JobKinds = {}): JobRunner {
  const { store, storage, clock, random, log } = needs;
  const hashing = unpacking();
  const kinds = {
    ...storageJobs({ storage, hashing, items: store.items, store, clock, log, sleep: (ms) => sleep(ms) }),
    ...more,
  };
  const owner = Array.from(random.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return jobRunner({ store, kinds, clock, log, owner });
}
