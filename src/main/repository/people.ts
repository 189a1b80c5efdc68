// Accounts and their tokens, as a feature of the repository (R6a, R12). The token endpoint is the authorization
// server's.

import { tokenCommands } from "../commands/repository/token.ts";
import { userCommands } from "../commands/repository/user.ts";
import type { Feature } from "./feature.ts";

export const peopleFeature: Feature = {
  commands: { People: [...userCommands, ...tokenCommands] },
};
