// Access and embargo in the tools' model (R2d, R37).
import type { AccessStatus } from "../../model/access/embargo.ts";
import { isEmbargoed } from "../../model/access/visibility.ts";
import type { Access } from "../../model/items/item.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { own } from "../../shared/own-entry.ts";
import { type Day, isDay } from "../../shared/time/day.ts";
import { FAULT_MESSAGES, objectAt, type Reading, textAt } from "./reading.ts";

/** The access of a new record where nothing is sent. */
export const openAccess = (today: Day): Access => ({
  record: "public",
  openDate: today,
  files: "public",
  embargoUntil: null,
  embargoReason: "",
});

export function writeAccess(access: Access, status: AccessStatus, today: Day): JsonObject {
  const active = isEmbargoed(access, today);
  const reason = access.embargoReason === "" ? null : access.embargoReason;
  return {
    record: access.record,
    files: access.files,
    embargo: { active, ...(active ? { until: access.embargoUntil } : {}), reason },
    status,
  };
}

/** The access that was sent, read over the stored one. */
export function readAccess(sent: Json | undefined, before: Access, path: string, to: Reading, today: Day): Access {
  const members = objectAt(sent, path, ["record", "files", "embargo", "status"], to);
  if (members === null) return before;
  const record = protection(members, "record", path, to) ?? before.record;
  const files = protection(members, "files", path, to) ?? before.files;
  return { ...before, record, files, ...readEmbargo(own(members, "embargo"), before, `${path}.embargo`, to, today) };
}

function protection(members: JsonObject, name: "record" | "files", path: string, to: Reading): Access["record"] | null {
  const value = own(members, name);
  if (value === "public" || value === "restricted") return value;
  if (value === undefined) to.fault(`${path}.${name}`, FAULT_MESSAGES.missing);
  else if (textAt(value, `${path}.${name}`, to) !== null) {
    to.fault(`${path}.record`, `'${name}' must be either 'public' or 'restricted'`);
  }
  return null;
}

type Embargo = Pick<Access, "embargoUntil" | "embargoReason">;

const NO_EMBARGO: Embargo = { embargoUntil: null, embargoReason: "" };

function readEmbargo(sent: Json | undefined, before: Access, path: string, to: Reading, today: Day): Embargo {
  const members = sent === null ? null : objectAt(sent, path, ["active", "until", "reason"], to);
  if (members === null) return NO_EMBARGO;
  const [active = null, until = null, reason = null] = ["active", "until", "reason"].map((name) => own(members, name));
  if (active !== null && typeof active !== "boolean") to.fault(`${path}.active`, FAULT_MESSAGES.notTruth);
  const day = until === null ? null : textAt(until, `${path}.until`, to);
  if (day !== null && !isDay(day)) to.fault(`${path}.until`, "Not a valid date.");
  const because = reason === null ? null : textAt(reason, `${path}.reason`, to, { characters: most("nameCharacters") });
  const isFuture = day !== null && isDay(day) && day > today;
  if (active === true) {
    if (isFuture) return { embargoUntil: day, embargoReason: because ?? "" };
    to.fault(`${path}.until`, "Embargo end date must be set to a future date.");
    return NO_EMBARGO;
  }
  if (active === false && isFuture) to.fault(`${path}.until`, "Embargo end date must be unset or in the past.");
  // A reason that is shown without an embargo is kept with it.
  return because === null || because === ""
    ? NO_EMBARGO
    : { embargoUntil: keptDay(before, today), embargoReason: because };
}

/** The day of an embargo that has ended stays until the job has opened the record and its files. */
const keptDay = (before: Access, today: Day): Day | null =>
  before.embargoUntil !== null && !isEmbargoed(before, today) ? before.embargoUntil : null;
