// What the pages of the repository show (R19a, R24): one face over items, indexes and exports.
import type { Viewer } from "../../auth/account.ts";
import type { Addresses } from "../../model/items/addresses.ts";
import type { RecordId } from "../../shared/ids.ts";
import type { ExportOptions } from "../exports/formats.ts";
import type { RecordExport, RecordExports } from "../exports/record-exports.ts";
import type { ReadableItem } from "../items/item-views.ts";
import { type ListShowing, listShowing } from "./lists.ts";
import type { ShowingNeeds } from "./needs.ts";
import { type PreviewShowing, previewShowing } from "./preview.ts";
import { type RecordShowing, recordShowing } from "./record.ts";

export type { ShowingNeeds } from "./needs.ts";

export interface Showing extends RecordShowing, ListShowing, ExportShowing, PreviewShowing {
  readonly addresses: Addresses;
}

export const showing = (needs: ShowingNeeds): Showing => {
  const record = recordShowing(needs);
  return {
    ...record,
    ...listShowing(needs),
    ...previewShowing(needs, record),
    ...exportShowing(needs.exports, record.readable),
    addresses: needs.addresses,
  };
};

// An item in the formats its landing page offers (R19a, R38), of what the viewer may read.

interface ExportShowing {
  /** Throws not_found for a format there is none of and for drafts, and as reading the record does. */
  export(viewer: Viewer, id: RecordId, format: string, options: ExportOptions): Promise<RecordExport>;
}

const exportShowing = (
  exports: RecordExports,
  readable: (viewer: Viewer, id: RecordId) => Promise<ReadableItem>,
): ExportShowing => ({
  export: async (viewer, id, format, options) =>
    await exports.write(viewer, await readable(viewer, id), format, options),
});
