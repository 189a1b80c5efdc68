// A record of the interface in the format that `Accept` names (R38, R37), with its refusals in the dialect of this
// interface.
import type { Viewer } from "../../../src/auth/account.ts";
import type { ExportOptions } from "../../../src/repository/exports/formats.ts";
import type { RecordExport } from "../../../src/repository/exports/record-exports.ts";
import type { RecordId } from "../../../src/shared/ids.ts";
import { acceptedFormat, exportOptions, exportResponse } from "../export-response.ts";

/** Throws as reading the record does, and invalid for a citation style there is none of. */
export type WriteRecord = (
  viewer: Viewer,
  id: RecordId,
  format: string,
  options: ExportOptions,
) => Promise<RecordExport>;

const USUAL = "application/json";

/** Null where the usual answer is wanted. */
export const exportedByAccept =
  (write: WriteRecord) =>
  async (request: Request, viewer: Viewer, id: RecordId): Promise<Response | null> => {
    const format = acceptedFormat(request.headers.get("accept"), USUAL);
    if (format === null) return null;
    const written = await write(viewer, id, format, exportOptions(request));
    return await exportResponse(request, written, { vary: "Accept, Authorization" });
  };
