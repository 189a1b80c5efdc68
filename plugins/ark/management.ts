// The management surface of the minter: every endpoint below /api that makes, changes, withdraws or reads names
// (specification 1, "Management endpoints"; A15 to A19). No resolution happens here (L6).
import { Elysia } from "elysia";
import type { ArkQueries } from "../../src/ark/ark-queries.ts";
import type { Lifecycle } from "../../src/ark/lifecycle.ts";
import type { Minting } from "../../src/ark/minting.ts";
import type { Clock } from "../../src/shared/time/clock.ts";
import { arkAssigningRoutes } from "./assigning-routes.ts";
import { arkChangingRoutes, arkWithdrawingRoutes } from "./changing-routes.ts";
import type { Guard } from "./guard.ts";
import { arkReadingRoutes } from "./reading-routes.ts";

export type ArkManagementNeeds = {
  readonly guard: Guard;
  readonly minting: Minting;
  readonly lifecycle: Lifecycle;
  readonly arkQueries: ArkQueries;
  readonly clock: Clock;
  readonly csvGuarded: boolean;
};

export const arkManagement = (needs: ArkManagementNeeds) =>
  new Elysia({ name: "ark-management" })
    .use(arkAssigningRoutes(needs))
    .use(arkChangingRoutes(needs))
    .use(arkWithdrawingRoutes(needs))
    .use(arkReadingRoutes(needs));
