// What is sent about requests for closed files (Q.60), in the names of existing record repositories.
import { Type } from "@sinclair/typebox";
import { normalMail } from "../../auth/mail-address.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import {
  boolean,
  type Field,
  object,
  oneOf,
  optional,
  orNull,
  refined,
  type Sent,
  trimmed,
  type ValueOf,
  whole,
} from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { type Day, isDay } from "../../shared/time/day.ts";

const MESSAGE_MAX = most("accessPurposeCharacters");
const NAME_MAX = 200;
export const ACCESS_DAYS = most("accessDays");

const MAIL: Field<string> = {
  schema: Type.String({ maxLength: 320, description: "Of a guest, who confirms it by a link" }),
  read(value, path) {
    const mail = typeof value === "string" ? normalMail(value) : null;
    if (mail !== null) return mail;
    throw faultSentence(path, "Not a valid email address.");
  },
};

/** Clients send it as a word too. */
const CONSENT: Field<boolean> = {
  schema: Type.Union([Type.Boolean(), Type.Unsafe<string>({ type: "string", enum: ["true", "false"] })], {
    description: "Those who decide may see the name and the address of who asks",
  }),
  read: (value, path) => boolean().read(value === "true" ? true : value === "false" ? false : value, path),
};

/** The last day of a right. */
export const LAST_DAY: Field<Day> = {
  schema: Type.Unsafe<Day>({ type: "string", format: "date", description: "The last day of the right" }),
  read(value, path) {
    if (typeof value === "string" && isDay(value)) return value;
    throw faultSentence(path, "Not a valid day: write YYYY-MM-DD.");
  },
};

/** What people ask for, and why. `email` and `full_name`: of guests. */
export const ACCESS_REQUEST = object(
  {
    permission: optional(oneOf(["view"])),
    message: refined(
      trimmed({ max: MESSAGE_MAX, about: { description: "The purpose, as plain text" } }),
      (message, path) => {
        if (message === "") throw faultSentence(path, "State the purpose.");
        return message;
      },
    ),
    email: optional(orNull(MAIL)),
    full_name: optional(orNull(trimmed({ max: NAME_MAX }))),
    consent_to_share_personal_data: optional(CONSENT),
  },
  { others: "ignored", $id: "NewAccessRequest" },
);
export type NewAccessRequest = Sent<ValueOf<typeof ACCESS_REQUEST>>;

/** Who may ask; members that are absent stay as they are. */
export const ACCESS_SETTINGS = object(
  {
    allow_user_requests: optional(boolean()),
    allow_guest_requests: optional(boolean({ description: "Only where mail is configured" })),
    accept_conditions_text: optional(
      orNull(trimmed({ max: MESSAGE_MAX, about: { description: "What people accept by asking, as plain text" } })),
    ),
    secret_link_expiration: optional(
      orNull(whole(1, ACCESS_DAYS, { description: "Days that a right lasts where no end is set" })),
    ),
  },
  { others: "ignored", $id: "ChangedAccessSettings" },
);
export type ChangedAccessSettings = Sent<ValueOf<typeof ACCESS_SETTINGS>>;
