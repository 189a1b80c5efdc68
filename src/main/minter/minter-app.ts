// The app of the minter, put together from plugins (specification 1, "What the service does" 6): it has no resolution
// routes. Roles are composition, nothing is switched off.
import { type ArkManagementNeeds, arkManagement } from "../../../plugins/ark/management.ts";
import { type OauthTokenNeeds, oauthToken } from "../../../plugins/auth/oauth-token.ts";
import { docs } from "../../../plugins/http/docs.ts";
import { arkDialect } from "../../../plugins/http/errors.ts";
import { frame, type Handler } from "../../../plugins/http/frame.ts";
import { operations } from "../../../plugins/http/operations.ts";
import { type App, behind, type CommonNeeds, type FrameSettings, root } from "../app.ts";

export type MinterNeeds = CommonNeeds & ArkManagementNeeds & OauthTokenNeeds;

/** The minter's routes, without the frame: what the interface description is made from. */
export const minterRoutes = (needs: Omit<MinterNeeds, keyof FrameSettings>): App =>
  root("minter").use(operations(needs)).use(docs(needs)).use(oauthToken(needs)).use(arkManagement(needs));

export const minterApp = (needs: MinterNeeds): Handler => {
  const routes = minterRoutes(needs);
  return frame({
    ...needs,
    ...behind(routes),
    hot: null,
    own: null,
    refuse: arkDialect,
    crossOrigin: false,
  });
};
