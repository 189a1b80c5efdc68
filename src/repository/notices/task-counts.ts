// How much waits for somebody, for the head of every page (R44): counted at most twice a minute for each account, and
// again after a form of theirs.
import type { Viewer } from "../../auth/account.ts";
import type { Clock } from "../../shared/time/clock.ts";

const KEPT_MS = 30_000;
/** Accounts whose counts are kept; with more of them all are counted again. */
const ACCOUNTS_MOST = 10_000;

type Kept = { readonly until: number; readonly count: Promise<number> };

export interface TaskCounts {
  /** `isChanging`: the account sends a form, which may change the count. */
  waiting(viewer: Viewer, isChanging: boolean): Promise<number>;
}

type TaskCountNeeds = {
  readonly clock: Pick<Clock, "now">;
  readonly count: (viewer: Viewer) => Promise<number>;
};

export const taskCounts = ({ clock, count }: TaskCountNeeds): TaskCounts => {
  const kept = new Map<number, Kept>();
  return {
    async waiting(viewer, isChanging) {
      const account = viewer.account?.id;
      if (account === undefined) return 0;
      const now = Date.parse(clock.now());
      const known = kept.get(account);
      if (isChanging) {
        if (known !== undefined) kept.set(account, { ...known, until: 0 });
        return await (known?.count ?? 0);
      }
      if (known !== undefined && known.until > now) return await known.count;
      if (kept.size >= ACCOUNTS_MOST) kept.clear();
      const counting = count(viewer);
      kept.set(account, { until: now + KEPT_MS, count: counting });
      try {
        return await counting;
      } catch (error) {
        kept.delete(account);
        throw error;
      }
    },
  };
};
