// The kinds of jobs that the features of the repository bring to one runner (R8).
import { expect, test } from "bun:test";
import type { JobKind } from "../../src/jobs/runner.ts";
import { jobKindsOf } from "../../src/main/repository/repository.ts";

test("R8 the kinds of all features run, and two features cannot bring the same kind", () => {
  const kind: JobKind = { run: async () => {}, maxAttempts: 1 };
  const [first, second] = [{ jobs: () => ({ sweep: kind, count: kind }) }, { jobs: () => ({ mail: kind }) }];
  // These features read nothing of it.
  const runtime = {} as never;
  expect(Object.keys(jobKindsOf(runtime, [first, {}, second]))).toEqual(["sweep", "count", "mail"]);
  expect(() => jobKindsOf(runtime, [first, second, { jobs: () => ({ count: kind }) }])).toThrow(
    'Two features bring jobs of the kind "count"',
  );
});
