// Accounts and their tokens, as a feature of the repository (R6a, R12). The token endpoint is the authorization
// server's.

import { type AccountClosing, accountClosing } from "../../repository/people/account-closing.ts";
import { accountTokens } from "../../repository/people/account-tokens.ts";
import { tokenCommands } from "../commands/repository/token.ts";
import { userCommands } from "../commands/repository/user.ts";
import type { Core } from "./core.ts";
import type { Feature } from "./feature.ts";

export const peopleFeature: Feature = {
  commands: { People: [...userCommands, ...tokenCommands] },
};

export const closingOf = ({
  store,
  clock,
  random,
  config,
}: Pick<Core, "store" | "clock" | "random" | "config">): AccountClosing =>
  accountClosing({
    store,
    clock,
    tokens: accountTokens({ clock, random }),
    placeholderDomain: config.placeholderEmailDomain,
  });
