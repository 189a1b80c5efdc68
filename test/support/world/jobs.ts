// Jobs as the features of the repository bring them to its process (R8), and a runner for one kind.
import { type JobKinds, jobRunner } from "../../../src/jobs/runner.ts";
import { jobKindsOf } from "../../../src/main/repository/repository.ts";
import { runtimeOf } from "../../../src/main/repository/runtime.ts";
import { quietLog } from "../quiet-log.ts";
import type { RepositoryWorld } from "./repository.ts";

export function jobs({ parts, store, clock }: RepositoryWorld) {
  const jobKinds: JobKinds = jobKindsOf(runtimeOf(parts));
  return {
    jobKinds,
    /** Enqueues a job of this kind and runs it. Returns its row as the run left it: state, progress, error. */
    async runJob(kind: string, subject = "") {
      const { [kind]: found } = jobKinds;
      if (found === undefined) throw new RangeError(`No feature brings jobs of the kind "${kind}"`);
      const id = await store.transact((tx) => tx.jobs.enqueue({ kind, subject }, clock.now()));
      await jobRunner({ store, kinds: { [kind]: found }, clock, log: quietLog, owner: "test" }).runDue();
      const job = await store.jobs.job(id);
      if (job === null) throw new RangeError(`The job ${id} of the kind "${kind}" has no row`);
      return job;
    },
  };
}
