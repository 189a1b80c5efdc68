// A file of the repository in the form of an item type.
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { FileClaim, PlannedFile } from "./described-package.ts";

/**
 * A file in forms and tables: what its depositor can state, nothing the repository found out or keeps for itself.
 */
export function claimOf(file: PlannedFile): FileClaim {
  const { name, mediaType, access, accessDate, groups } = file;
  const { label, objectType, version, license, licenseText, displayType, url, dates, extents } = file;
  const stated = { label, objectType, version, license, licenseText, displayType, url, dates, extents };
  return {
    path: name,
    mediaType,
    access,
    ...(accessDate === null ? {} : { accessDate }),
    ...(groups.length === 0 ? {} : { groups: groups.map(String) }),
    ...withoutUndefined(stated),
  };
}
