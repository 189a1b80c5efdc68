// What the pages of the repository show (R19a, R24): one face over items, indexes and exports.
import { type ExportShowing, exportShowing } from "./exports.ts";
import { type ListShowing, listShowing } from "./lists.ts";
import type { ShowingNeeds } from "./addresses.ts";
import { type RecordShowing, recordShowing } from "./record.ts";

export type { ShowingNeeds } from "./addresses.ts";

export interface Showing extends RecordShowing, ListShowing, ExportShowing {
  readonly baseUrl: string;
}

export const showing = (needs: ShowingNeeds): Showing => {
  const record = recordShowing(needs);
  return { ...record, ...listShowing(needs), ...exportShowing(needs, record.record), baseUrl: needs.baseUrl };
};
