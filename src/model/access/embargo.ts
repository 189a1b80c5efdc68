// How open an item is, in one word (R2d, `access.status`), and whether that agrees with what its metadata states.

import { boundedCompatible } from "../../shared/text/normal-form.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Access, ItemContent, ItemFile } from "../items/item.ts";
import type { AccessRights } from "../metadata/metadata.ts";
import { accessRightsOf } from "../rights/access-rights.ts";
import { accessOn, isEmbargoed } from "./visibility.ts";

const ACCESS_STATUS = ["embargoed", "restricted", "metadata-only", "open"] as const;
export type AccessStatus = (typeof ACCESS_STATUS)[number];

/** What exports print when the depositor stated no access rights. */
export const STATUS_RIGHTS: Readonly<Record<AccessStatus, Required<AccessRights>>> = {
  embargoed: accessRightsOf("embargoed access"),
  restricted: accessRightsOf("restricted access"),
  "metadata-only": accessRightsOf("metadata only access"),
  open: accessRightsOf("open access"),
};

type Files = readonly Pick<ItemFile, "access" | "accessDate">[];

function opensLater(file: Files[number], today: Day): boolean {
  return file.access === "date" && file.accessDate !== null && file.accessDate > today;
}

function isOpen(file: Files[number], today: Day): boolean {
  return file.access === "open" || (file.access === "date" && file.accessDate !== null && file.accessDate <= today);
}

/** The day on which access opens by itself; null when none is set. */
export function opensOn(access: Access, files: Files, today: Day): Day | null {
  if (isEmbargoed(access, today)) return access.embargoUntil;
  if (access.openDate > today) return access.openDate;
  // Files that all open on one day are an embargo, whatever its name (R2d).
  const [first] = files;
  if (first === undefined || !files.every((file) => opensLater(file, today) && file.accessDate === first.accessDate)) {
    return null;
  }
  return first.accessDate;
}

/** Embargoed before restricted, restricted before metadata-only, open where at least one file is. */
export function accessStatus(content: { readonly access: Access; readonly files: Files }, today: Day): AccessStatus {
  if (opensOn(content.access, content.files, today) !== null) return "embargoed";
  const { record, files } = accessOn(content.access, today);
  if (record === "restricted") return "restricted";
  if (content.files.length === 0) return "metadata-only";
  return files === "public" && content.files.some((file) => isOpen(file, today)) ? "open" : "restricted";
}

/** No label of access rights is longer. */
const LABEL_READ = 1_000;

/**
 * The sentence for answer and page when the depositor states another access than the facts give; null when they agree
 * or nothing is stated (R2d).
 */
export function statedAccessWarning(
  content: Pick<ItemContent, "access" | "files" | "metadata">,
  today: Day,
): string | null {
  const stated = content.metadata.accessRights;
  if (stated === undefined) return null;
  const derived = STATUS_RIGHTS[accessStatus(content, today)];
  const label = boundedCompatible(stated.label, LABEL_READ).trim().toLowerCase();
  if (label === derived.label || (label === "" && stated.uri === derived.uri)) return null;
  return `The metadata state "${stated.label}", the item is under "${derived.label}"`;
}
