// Accounts and their tokens, as a feature of the repository (R6a, R12).
import { oauthToken } from "../../../plugins/auth/oauth-token.ts";
import { authentication } from "../../ark/authentication.ts";
import { accountSecretLookup } from "../../repository/people/account-tokens.ts";
import { tokenCommands } from "../commands/repository/token.ts";
import { userCommands } from "../commands/repository/user.ts";
import { tokensOf } from "../role-parts.ts";
import type { Feature } from "./feature.ts";

export const peopleFeature: Feature = {
  commands: { People: [...userCommands, ...tokenCommands] },
  door: ({ config, store, clock }) => {
    const { issueToken } = authentication({
      store: store.arks,
      accountBySecret: accountSecretLookup({ accounts: store.accounts, clock }),
      clock,
      modes: config.auth,
      tokens: tokensOf(config),
      oidc: null,
    });
    return { plugin: oauthToken({ issueToken, clientSeconds: config.clientSeconds }) };
  },
};
