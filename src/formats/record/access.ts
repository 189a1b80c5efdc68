// Access and embargo of a record in the tools' model (R2d, R37).

import { type Static, Type } from "@sinclair/typebox";
import { ACCESS_STATUSES, type AccessStatus } from "../../model/access/openness.ts";
import { isEmbargoed } from "../../model/access/visibility.ts";
import type { Access } from "../../model/items/item.ts";
import { own } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { wordOf } from "../../shared/shapes.ts";
import { type Day, isDay } from "../../shared/time/day.ts";
import { FAULT_MESSAGES, objectAt, type RecordInput, textAt } from "./record-input.ts";

const PROTECTIONS = ["public", "restricted"] as const;

/** Access as answers have it. */
export const RecordAccessShape = Type.Object(
  {
    record: wordOf(PROTECTIONS),
    files: wordOf(PROTECTIONS),
    embargo: Type.Object({
      active: Type.Boolean(),
      until: Type.Optional(Type.String({ format: "date" })),
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
    status: wordOf(ACCESS_STATUSES),
  },
  { $id: "RecordAccess" },
);

/** The access of a new record where nothing is sent. */
export const openAccess = (today: Day): Access => ({
  record: "public",
  openDate: today,
  files: "public",
  embargoUntil: null,
  embargoReason: "",
});

export function writeAccess(access: Access, status: AccessStatus, today: Day): Static<typeof RecordAccessShape> {
  const { record, files, embargoUntil: until } = access;
  const active = isEmbargoed(access, today);
  const reason = access.embargoReason === "" ? null : access.embargoReason;
  return { record, files, embargo: { active, ...(active && until !== null ? { until } : {}), reason }, status };
}

/** The access that was sent, read over the stored one. */
export function readAccess(sent: Json | undefined, before: Access, path: string, to: RecordInput, today: Day): Access {
  const members = objectAt(sent, path, ["record", "files", "embargo", "status"], to);
  if (members === null) return before;
  const record = protection(members, "record", path, to) ?? before.record;
  const files = protection(members, "files", path, to) ?? before.files;
  return { ...before, record, files, ...readEmbargo(own(members, "embargo"), before, `${path}.embargo`, to, today) };
}

function protection(
  members: JsonObject,
  name: "record" | "files",
  path: string,
  to: RecordInput,
): Access["record"] | null {
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

function readEmbargo(sent: Json | undefined, before: Access, path: string, to: RecordInput, today: Day): Embargo {
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
