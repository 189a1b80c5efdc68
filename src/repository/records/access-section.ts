// The section `access` of a record (specification 3, "Tool-server records"; R2d): who reads record and files, and the embargo.
import { type Day, isDay } from "../../shared/day.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import type { AccessStatus } from "../model/embargo.ts";
import type { Access } from "../model/item.ts";
import type { FieldError } from "../model/record-refusals.ts";
import { isEmbargoed } from "../model/visibility.ts";

const REASON_MAX = 10_000;
const EITHER = ["public", "restricted"] as const;
type Either = (typeof EITHER)[number];

/** What a record has that was given none. */
export const openAccess = (today: Day): Access => ({
  record: "public",
  openDate: today,
  files: "public",
  embargoUntil: null,
  embargoReason: "",
});

type ReadAccess = { readonly access: Access; readonly errors: readonly FieldError[] };

/**
 * The section as it was sent over what the record has. What is wrong leaves the record as it is and is told. A section that is left out changes
 * nothing; so does a member of it.
 */
export function readAccess(sent: unknown, before: Access, today: Day): ReadAccess {
  if (sent === undefined) return { access: before, errors: [] };
  if (!isObject(sent)) return { access: before, errors: [at("access", "Invalid input type.")] };
  const errors: FieldError[] = [];
  const either = (name: "record" | "files"): Either => {
    const value = memberOf(sent, name);
    if (value === undefined) return before[name];
    const known = EITHER.find((each) => each === value);
    if (known !== undefined) return known;
    errors.push(at(`access.${name}`, `'${name}' must be either 'public' or 'restricted'`));
    return before[name];
  };
  const [record, files] = [either("record"), either("files")];
  const embargo = readEmbargo(memberOf(sent, "embargo"), before, today, errors);
  return { access: { ...before, record, files, ...embargo }, errors };
}

type Embargo = Pick<Access, "embargoUntil" | "embargoReason">;
const NO_EMBARGO: Embargo = { embargoUntil: null, embargoReason: "" };

function readEmbargo(sent: unknown, before: Access, today: Day, errors: FieldError[]): Embargo {
  const kept = { embargoUntil: before.embargoUntil, embargoReason: before.embargoReason };
  if (sent === undefined) return kept;
  if (sent === null) return NO_EMBARGO;
  const wrong = (field: string, message: string): Embargo => {
    errors.push(at(field, message));
    return kept;
  };
  if (!isObject(sent)) return wrong("access.embargo", "Invalid input type.");
  const active = memberOf(sent, "active") ?? false;
  if (typeof active !== "boolean") return wrong("access.embargo.active", "Not a valid boolean.");
  const until = memberOf(sent, "until") ?? null;
  if (until !== null && (typeof until !== "string" || !isDay(until))) {
    return wrong("access.embargo.until", "Not a valid date.");
  }
  const reason = memberOf(sent, "reason") ?? "";
  if (typeof reason !== "string") return wrong("access.embargo.reason", "Not a valid string.");
  if (reason.length > REASON_MAX) return wrong("access.embargo.reason", `Longer than maximum length ${REASON_MAX}.`);
  if (!active) {
    if (until === null || until <= today) return NO_EMBARGO;
    return wrong("access.embargo.until", "Embargo end date must be unset or in the past.");
  }
  if (until === null || until <= today) {
    return wrong("access.embargo.until", "Embargo end date must be set to a future date.");
  }
  return { embargoUntil: until, embargoReason: reason };
}

const at = (field: string, message: string): FieldError => ({ field, messages: [message] });

/** The section as it is shown. */
export function accessSection(access: Access, status: AccessStatus, today: Day) {
  const active = isEmbargoed(access, today);
  return {
    record: access.record,
    files: access.files,
    embargo: {
      active,
      ...(active ? { until: access.embargoUntil } : {}),
      reason: active && access.embargoReason !== "" ? access.embargoReason : null,
    },
    status,
  };
}
