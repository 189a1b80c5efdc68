// The options of commands about accounts (R6a).
import { ROLE_NAMES, type RoleId } from "../../../auth/account.ts";
import { nearest } from "../../../shared/text/nearest-word.ts";
import { UsageError } from "../refusals.ts";
import { wordsOf } from "./records.ts";

const ROLE_HELP = Object.keys(ROLE_NAMES).join(", ");

/** What is set of an account. */
export const MEMBERS = {
  name: { type: "string", value: "TEXT", help: "Name of the person" },
  eppn: { type: "string", value: "EPPN", help: "eduPersonPrincipalName the person is known by too" },
  role: { type: "string", value: "A,B", help: `Roles, none for a user without: ${ROLE_HELP}` },
} as const;

/** The roles that a text names. @throws UsageError */
export function rolesOf(text: string | undefined): readonly RoleId[] | undefined {
  const words = text?.toLowerCase() === "none" ? [] : wordsOf(text);
  return words?.map((word) => {
    const role = Object.hasOwn(ROLE_NAMES, word) ? ROLE_NAMES[word] : undefined;
    if (role !== undefined) return role;
    const near = nearest(word, Object.keys(ROLE_NAMES));
    throw new UsageError(
      `There is no role "${word}"${near === null ? "" : `: did you mean ${near}?`}`,
      `There are ${ROLE_HELP}`,
    );
  });
}
