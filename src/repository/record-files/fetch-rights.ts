// Who has files fetched from an address (R37; specification 3, upload_file_from_url): administrators.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { permissionDenied } from "../model/record-refusals.ts";

/** Fetches the file of a draft; its subject is the id of the upload. */
export const FETCH_JOB = "file_fetch";

/** @throws Refusal 403 */
export function mayFetchFiles(viewer: Viewer): void {
  if (!isAdministrator(viewer)) throw permissionDenied();
}
