// Access and embargo as tools take them (R2d, R30): what is not understood is refused before anything is written, for a
// record is never more open than its depositor meant.

import { openAccess, readAccess } from "../../formats/record/access.ts";
import { NO_ENTRIES, recordInput } from "../../formats/record/record-input.ts";
import { type FieldError, invalidRecord } from "../../model/input/record-refusals.ts";
import type { Json } from "../../shared/json/json.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";

type Section = Readonly<Record<string, unknown>>;

const PUBLIC: Section = { record: "public", files: "public" };

/**
 * The whole section: what was sent over what is there. @throws Refusal `invalid` naming every member that was not
 * understood.
 */
export function givenAccess(sent: Section, today: Day, before: Section = PUBLIC): Section {
  const { record, files, embargo } = before;
  // An embargo that is over is ignored.
  const current = isObject(embargo) && memberOf(embargo, "active") === true ? { embargo } : {};
  const section = { record, files, ...current, ...sent };
  const to = recordInput(NO_ENTRIES);
  // Arguments of a tool are JSON.
  const access = readAccess(section as Json, openAccess(today), "access", to, today);
  const errors: readonly FieldError[] = [...to.faults(), ...embargoFaults(section)];
  if (errors.length > 0) throw invalidRecord(errors);
  const isOpen = access.record === "public" && access.files === "public";
  if (access.embargoUntil !== null && isOpen) {
    throw invalidRecord([
      { field: "access.embargo", messages: ["An embargo needs record or files to be restricted until its day."] },
    ]);
  }
  return section;
}

/** A day without `active` would be no embargo. */
function embargoFaults({ embargo }: Section): readonly FieldError[] {
  if (!isObject(embargo)) return [];
  const [active, until] = [memberOf(embargo, "active"), memberOf(embargo, "until")];
  const isUnset = typeof active !== "boolean" && until !== undefined && until !== null;
  return isUnset ? [{ field: "access.embargo.active", messages: ["Must be true where until is set."] }] : [];
}
