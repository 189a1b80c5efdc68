// `arkstone user invite`: a link to make an account, sent by mail (R33).
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonText } from "../../process/terminal.ts";
import { registrationOf } from "../../repository/people-core.ts";
import { command } from "../command.ts";
import { OPERATOR, withRepository } from "./repository-context.ts";
import { MEMBERS, rolesOf } from "./user-members.ts";

export const userInvite = command({
  name: "user invite",
  summary: "Invite somebody by mail to make an account",
  words: ["MAIL"],
  options: {
    name: { ...MEMBERS.name },
    role: { ...MEMBERS.role },
    lang: { type: "string", value: "LANG", help: "Language of the mail: en or ja" },
  },
  details: `SVC_REGISTRATION must allow it, and the running repository sends the mail. The link works once, within 14 days.`,
  examples: ["arkstone user invite grace@example.org --role registered"],
  run: (context, given, [mail = ""]) => {
    const more = withoutUndefined({ name: given.name, roles: rolesOf(given.role), language: given.lang });
    return withRepository(context, async (services) => {
      const invited = await registrationOf(services).invite(OPERATOR, { mail, ...more });
      if (context.json) return context.out(jsonText({ mail: invited.mail, expires_at: invited.expiresAt }));
      context.out(`Invited ${invited.mail}, until ${invited.expiresAt}.\n`);
    });
  },
});
