// Group commit by itself: who shares a transaction, and what one job's failure means for the others (A13).
import { describe, expect, test } from "bun:test";
import { ServiceError } from "../../src/shared/errors.ts";
import { groupCommit } from "../../src/shared/group-commit.ts";
import { eventually } from "../support/eventually.ts";
import { refused } from "../support/refusals.ts";

type Write = (jobs: readonly number[]) => Promise<readonly (string | Error)[]>;

function recording(write: Write, limits = { maxGroup: 4, maxWaiting: 10 }) {
  const groups: (readonly number[])[] = [];
  const submit = groupCommit<number, string>({
    ...limits,
    write: async (jobs) => {
      groups.push(jobs);
      return await write(jobs);
    },
  });
  return { groups, submit };
}

const named: Write = async (jobs) => jobs.map((job) => `job ${job}`);

describe("group commit", () => {
  test("jobs that come at once share a group, at most the limit, and each gets its own answer", async () => {
    const { groups, submit } = recording(named);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(submit));
    expect(answers).toEqual(["job 1", "job 2", "job 3", "job 4", "job 5", "job 6"]);
    expect(groups).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
    expect(await submit(7)).toBe("job 7");
  });

  test("jobs that come while a group is written go with the next one, and none is answered before its own", async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { groups, submit } = recording(async (jobs) => {
      if (jobs.includes(1)) await held;
      return await named(jobs);
    });
    const first = submit(1);
    await eventually("the first group is written", () => groups.length > 0);
    const answered: string[] = [];
    const later = [submit(2), submit(3)].map((answer) => answer.then((text) => answered.push(text)));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(answered).toEqual([]);
    finish();
    await first;
    await Promise.all(later);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  test("an error in the answers refuses that job alone", async () => {
    const { groups, submit } = recording(async (jobs) =>
      jobs.map((job) => (job === 2 ? new Error("no") : `job ${job}`)),
    );
    const settled = await Promise.allSettled([1, 2, 3].map(submit));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(groups).toHaveLength(1);
  });

  test("when the shared transaction fails its jobs are written one by one, and only the culprit fails", async () => {
    const { groups, submit } = recording(async (jobs) => {
      if (jobs.includes(2)) throw new Error("poison");
      return await named(jobs);
    });
    const settled = await Promise.allSettled([1, 2, 3].map(submit));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(await submit(4)).toBe("job 4");
  });

  test("1901 a database that is away fails the whole group at once: what it may have taken is never written twice", async () => {
    let away = true;
    const { groups, submit } = recording(async (jobs) => {
      if (away) throw new ServiceError(1901);
      return await named(jobs);
    });
    const settled = await Promise.allSettled([1, 2, 3].map(submit));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(groups).toEqual([[1, 2, 3]]);
    away = false;
    expect(await submit(4)).toBe("job 4");
  });

  test("1901 the line of those who wait is limited", async () => {
    const { submit } = recording(named, { maxGroup: 4, maxWaiting: 2 });
    const waiting = [submit(1), submit(2)];
    expect((await refused(() => submit(3))).code).toBe(1901);
    expect(await Promise.all(waiting)).toEqual(["job 1", "job 2"]);
    expect(await submit(4)).toBe("job 4");
  });
});
