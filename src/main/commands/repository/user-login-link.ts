// `arkstone user login-link`: a link that signs somebody in to the pages of the repository, once (R33).
import { LINK_MS, signIn } from "../../../repository/people/sign-in.ts";
import { jsonText } from "../../process/terminal.ts";
import { command } from "../command.ts";
import { namedAccount, OPERATOR, withRepository } from "./repository-context.ts";

export const userLoginLink = command({
  name: "user login-link",
  summary: "Make a link that signs somebody in to the pages, once",
  words: ["USER"],
  details: `USER is an e-mail address, an ePPN or the number of an account. The link works once, within ${LINK_MS / 60_000} minutes.
Anyone who has it can sign in as that person: protect it like a password.`,
  examples: ["arkstone user login-link ada@example.org"],
  run: (context, _given, [user = ""]) =>
    withRepository(context, async (services) => {
      const { id } = await namedAccount(services, user);
      const { token, expiresAt } = await signIn({ ...services, oidc: null }).makeLink(OPERATOR, id);
      const link = services.addresses.signInLink(token);
      if (context.json) return context.out(jsonText({ link, account: id, expires_at: expiresAt }));
      context.out(`${link}\n`);
      context.err(`It works once, until ${expiresAt}.\n`);
    }),
});
