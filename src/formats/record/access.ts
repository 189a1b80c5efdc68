// Access and embargo of a record in the tools' model (R2d, R37).

import { type Static, Type } from "@sinclair/typebox";
import { ACCESS_STATUSES, type AccessStatus } from "../../model/access/openness.ts";
import { isEmbargoed } from "../../model/access/visibility.ts";
import type { Access } from "../../model/items/item.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { boolean, type Field, oneOf, optional, orNull } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { wordOf } from "../../shared/shapes.ts";
import { type Day, isDay } from "../../shared/time/day.ts";
import { line, opened, type RecordInput, sentBack, shape } from "./record-input.ts";

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

/** Whatever the member, the fault is that of `record`. */
const protection = (name: "record" | "files"): Field<Access["record"]> => ({
  ...oneOf(PROTECTIONS),
  read(value, path) {
    const text = line().read(value, path);
    const found = PROTECTIONS.find((each) => each === text);
    if (found !== undefined) return found;
    throw faultSentence(path.replace(/[^.]+$/, "record"), `'${name}' must be either 'public' or 'restricted'`);
  },
});

const DAY: Field<Day> = {
  schema: Type.String({ format: "date" }),
  read(value, path) {
    const text = line().read(value, path);
    if (isDay(text)) return text;
    throw faultSentence(path, "Not a valid date.");
  },
};

const EMBARGO = shape(
  {
    active: optional(orNull(boolean())),
    until: optional(orNull(DAY)),
    reason: optional(orNull(line())),
  },
  { $id: "EmbargoInput" },
);

/** Access as it is sent. */
export const ACCESS = shape(
  {
    record: protection("record"),
    files: protection("files"),
    embargo: optional(EMBARGO),
    status: optional(sentBack(Type.String())),
  },
  { $id: "RecordAccessInput" },
);

/** The access that was sent, read over the stored one. */
export function readAccess(sent: Json | undefined, before: Access, path: string, to: RecordInput, today: Day): Access {
  const members = opened(ACCESS, sent, path, to);
  if (members === null) return before;
  const record = members.read("record") ?? before.record;
  const files = members.read("files") ?? before.files;
  return {
    ...before,
    record,
    files,
    ...readEmbargo(members.sent("embargo"), before, members.at("embargo"), to, today),
  };
}

type Embargo = Pick<Access, "embargoUntil" | "embargoReason">;

const NO_EMBARGO: Embargo = { embargoUntil: null, embargoReason: "" };

function readEmbargo(sent: Json | undefined, before: Access, path: string, to: RecordInput, today: Day): Embargo {
  const members = sent === null ? null : opened(EMBARGO, sent, path, to);
  if (members === null) return NO_EMBARGO;
  const [active, day, because] = [members.read("active"), members.read("until"), members.read("reason")];
  const isFuture = day !== null && day > today;
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
