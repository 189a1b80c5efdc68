// What the pages of the repository show (R19a, R24): one face over items, indexes and exports.
import { exportShowing } from "./exports.ts";
import { listShowing } from "./lists.ts";
import type { ShowingNeeds } from "./addresses.ts";
import { recordShowing } from "./record.ts";

export type { ShowingNeeds } from "./addresses.ts";

export type Showing = ReturnType<typeof showing>;

export const showing = (needs: ShowingNeeds) => {
  const record = recordShowing(needs);
  return { ...record, ...listShowing(needs), ...exportShowing(needs, record.record), baseUrl: needs.baseUrl };
};
