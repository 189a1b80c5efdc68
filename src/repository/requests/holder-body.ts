// Who is to hold a task, as it is sent (R44): `{"user": "7"}`, or null to release it.
import { Type } from "@sinclair/typebox";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, orNull, refined, trimmed } from "../../shared/fields.ts";
import type { AccountId } from "../../shared/ids.ts";

/** An id is sent as text or as a number. */
const ACCOUNT: Field<AccountId> = {
  schema: Type.Union([Type.String({ maxLength: 15, description: "Id of an account" }), Type.Integer({ minimum: 1 })]),
  read(value, path) {
    const id = trimmed({ min: 1, max: 15 }).read(typeof value === "number" ? String(value) : value, path);
    if (!/^[1-9]\d*$/.test(id)) throw faultSentence(path, "Not the id of an account.");
    return Number(id);
  },
};

export const HOLDER: Field<AccountId | null> = refined(
  object({ user: orNull(ACCOUNT) }, { $id: "TaskHolder" }),
  ({ user }) => user,
);
