// How open an item is to everybody, as its badge shows it (R2d): derived from the facts, finer than `access.status`,
// which has no word for "partly".

import type { Day } from "../../shared/time/day.ts";
import type { Access, ItemFile } from "../items/item.ts";
import { accessOn, isEmbargoed } from "./visibility.ts";

/**
 * `partly`: some files are open, others are not; `opensOn` when the next ones follow, null for never. `later`: nothing
 * is open yet, and some files, but not all on one day, open by themselves from `opensOn` on.
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

export function openness(
  content: { readonly access: Access; readonly files: readonly FileFacts[] },
  today: Day,
): Openness {
  const { access, files } = content;
  if (isEmbargoed(access, today)) return { kind: "embargoed", opensOn: access.embargoUntil ?? today };
  const now = accessOn(access, today);
  if (now.openDate > today) return { kind: "embargoed", opensOn: now.openDate };
  if (now.record === "restricted") return { kind: "restricted", opensOn: null };
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
