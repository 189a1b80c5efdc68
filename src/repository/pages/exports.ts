// An item in the formats its landing page offers (R19a, R38), of what the viewer may read.
import type { Viewer } from "../../auth/account.ts";
import type { RecordId } from "../../shared/ids.ts";
import type { ExportOptions } from "../exports/formats.ts";
import type { RecordExport, RecordExports } from "../exports/record-exports.ts";
import type { ReadableItem } from "../items/item-views.ts";

export interface ExportShowing {
  /** Throws not_found for a format there is none of and for drafts, and as reading the record does. */
  export(viewer: Viewer, id: RecordId, format: string, options: ExportOptions): Promise<RecordExport>;
}

export const exportShowing = (
  exports: RecordExports,
  readable: (viewer: Viewer, id: RecordId) => Promise<ReadableItem>,
): ExportShowing => ({
  export: async (viewer, id, format, options) =>
    await exports.write(viewer, await readable(viewer, id), format, options),
});
