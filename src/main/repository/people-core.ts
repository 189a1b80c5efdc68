// The services of accounts that several features take (R33).
import { type AccountClosing, accountClosing } from "../../repository/people/account-closing.ts";
import { accountTokens } from "../../repository/people/account-tokens.ts";
import { type Registering, registration } from "../../repository/people/registration.ts";
import type { Core } from "./core.ts";

export function registrationOf({ store, clock, random, config }: PeopleParts): Registering {
  const { registration: sent } = config;
  const mode = typeof sent === "string" ? ({ kind: sent } as const) : ({ kind: "domains", domains: sent } as const);
  return registration({ store, clock, random, mode });
}

type PeopleParts = Pick<Core, "store" | "clock" | "random" | "config">;

export const closingOf = ({ store, clock, random, config }: PeopleParts): AccountClosing =>
  accountClosing({
    store,
    clock,
    tokens: accountTokens({ clock, random }),
    placeholderDomain: config.placeholderEmailDomain,
  });
