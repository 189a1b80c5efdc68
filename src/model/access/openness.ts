// How open an item is to everybody (R2d), derived from the facts of its access: the badge of pages, the one word of
// `access.status`, the day of exports, and whether that agrees with what the metadata state.

import { boundedCompatible } from "../../shared/text/text.ts";
import { type Day, laterDay } from "../../shared/time/day.ts";
import type { Access, ItemContent, ItemFile } from "../items/item.ts";
import type { AccessRights } from "../metadata/metadata.ts";
import { accessRightsOf } from "../rights/access-rights.ts";
import { accessOn, isEmbargoed } from "./visibility.ts";

/**
 * `embargoed`: all of it opens on one day. `partly`: some files are open, others are not; `opensOn` when the next ones
 * follow, null for never. `later`: nothing is open yet, and some files, but not all on one day, open by themselves from
 * `opensOn` on.
 */
export type Openness =
  | { readonly kind: "open" | "restricted" | "metadata-only"; readonly opensOn: null }
  | { readonly kind: "embargoed" | "later"; readonly opensOn: Day }
  | { readonly kind: "partly"; readonly opensOn: Day | null };

type FileFacts = Pick<ItemFile, "access" | "accessDate">;

/** From when a file is everybody's: "" for now, null for never. */
function openFrom({ access, accessDate }: FileFacts, today: Day): Day | "" | null {
  if (access === "open") return "";
  if (access !== "date" || accessDate === null) return null;
  return accessDate <= today ? "" : accessDate;
}

type AccessFacts = { readonly access: Access; readonly files: readonly FileFacts[] };

export function openness({ access, files }: AccessFacts, today: Day): Openness {
  const { embargoUntil, openDate } = access;
  if (embargoUntil !== null && isEmbargoed(access, today)) {
    return { kind: "embargoed", opensOn: laterDay(embargoUntil, openDate) };
  }
  const now = accessOn(access, today);
  if (now.record === "restricted") return { kind: "restricted", opensOn: null };
  if (openDate > today) return { kind: "embargoed", opensOn: openDate };
  if (files.length === 0) return { kind: "metadata-only", opensOn: null };
  return now.files === "public" ? ofFiles(files, today) : { kind: "restricted", opensOn: null };
}

function ofFiles(files: readonly FileFacts[], today: Day): Openness {
  const days = new Set(files.map((file) => openFrom(file, today)));
  const later = [...days].filter((day) => day !== null && day !== "").sort();
  const [first = null] = later;
  if (days.has("")) return days.size === 1 ? { kind: "open", opensOn: null } : { kind: "partly", opensOn: first };
  if (first === null) return { kind: "restricted", opensOn: null };
  return { kind: days.size === 1 ? "embargoed" : "later", opensOn: first };
}

/** In the order of facets. */
export const ACCESS_STATUSES = ["open", "embargoed", "restricted", "metadata-only"] as const;
export type AccessStatus = (typeof ACCESS_STATUSES)[number];

/** What exports print when the depositor stated no access rights. */
export const STATUS_RIGHTS: Readonly<Record<AccessStatus, Required<AccessRights>>> = {
  embargoed: accessRightsOf("embargoed access"),
  restricted: accessRightsOf("restricted access"),
  "metadata-only": accessRightsOf("metadata only access"),
  open: accessRightsOf("open access"),
};

/** Open where at least one file is; what opens in parts is restricted until the first of them does. */
const STATUS_OF: Readonly<Record<Openness["kind"], AccessStatus>> = {
  open: "open",
  partly: "open",
  restricted: "restricted",
  later: "restricted",
  "metadata-only": "metadata-only",
  embargoed: "embargoed",
};

/** `access.status` (R2d). */
export const accessStatus = (content: AccessFacts, today: Day): AccessStatus =>
  STATUS_OF[openness(content, today).kind];

/** The day on which all of it opens by itself; null when none is set. */
export function opensOn(content: AccessFacts, today: Day): Day | null {
  const { kind, opensOn: day } = openness(content, today);
  return kind === "embargoed" ? day : null;
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
