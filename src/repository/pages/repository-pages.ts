// What the pages of the repository show (R19a, R24): one face over items, indexes and exports.
import type { Addresses } from "../../model/items/addresses.ts";
import { type ExportShowing, exportShowing } from "./exports.ts";
import { type ListShowing, listShowing } from "./lists.ts";
import type { ShowingNeeds } from "./needs.ts";
import { type RecordShowing, recordShowing } from "./record.ts";

export type { ShowingNeeds } from "./needs.ts";

export interface Showing extends RecordShowing, ListShowing, ExportShowing {
  readonly addresses: Addresses;
}

export const showing = (needs: ShowingNeeds): Showing => {
  const record = recordShowing(needs);
  return {
    ...record,
    ...listShowing(needs),
    ...exportShowing(needs.exports, record.readable),
    addresses: needs.addresses,
  };
};
