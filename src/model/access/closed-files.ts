// Why not everybody may have a file (R2d), and which closed files people may ask for (Q.60). Pure.

import type { Day } from "../../shared/time/day.ts";
import type { Access, AccessSettings, ItemFile, ItemParent } from "../items/item.ts";
import { accessOn, isEmbargoed } from "./visibility.ts";

/** `until` has its day. */
export type FileStatus = "open" | "until" | "login" | "groups" | "closed" | "restricted";

/** A file that opens within this number of days is waited for, not asked for. */
const NEAR_DAYS = 14;
const DAY_MS = 86_400_000;
/** Days that a right lasts where nobody chose otherwise. */
const USUAL_DAYS = 30;

export function fileStatus(
  { access }: { readonly access: Access },
  file: Pick<ItemFile, "access" | "accessDate" | "groups">,
  today: Day,
): { readonly status: FileStatus; readonly until: Day | null } {
  if (file.access === "closed" || (file.access === "date" && file.accessDate === null)) {
    return { status: "closed", until: null };
  }
  const embargo = isEmbargoed(access, today) ? (access.embargoUntil ?? "") : "";
  const own = file.access === "date" && file.accessDate !== null && file.accessDate > today ? file.accessDate : "";
  // An embargo that ends makes the files public; without one what is restricted has no day.
  if (embargo === "" && accessOn(access, today).files !== "public") return { status: "restricted", until: null };
  const last = [embargo, own].sort().at(-1) ?? "";
  if (last !== "") return { status: "until", until: last };
  if (file.access === "login") return { status: file.groups.length === 0 ? "login" : "groups", until: null };
  return { status: "open", until: null };
}

/** The day a number of days after another. */
export const dayAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Signing in, or waiting a little, opens others. */
export function isAskable({ status, until }: ReturnType<typeof fileStatus>, today: Day): boolean {
  if (status === "until") return until !== null && until > dayAfter(today, NEAR_DAYS);
  return status === "closed" || status === "restricted" || status === "groups";
}

/** Guests are asked for an address, so they need a mail server. */
export function accessSettings({ accessSettings: own }: Pick<ItemParent, "accessSettings">, isMailOn: boolean) {
  const settings: AccessSettings = own ?? { users: true, guests: true, conditions: "", days: USUAL_DAYS };
  return { ...settings, guests: settings.guests && isMailOn };
}
