// The app of the repository, put together from plugins (R1, R32): every door is one plugin over the same services.
import { type ActivitiesPluginNeeds, activitiesPlugin } from "../../plugins/repository/activities/activities.ts";
import { docs } from "../../plugins/http/docs.ts";
import { frame, type Handler } from "../../plugins/http/frame.ts";
import { type IndexTreePluginNeeds, indexTreePlugin } from "../../plugins/repository/index-tree/index-tree.ts";
import { type OauthTokenNeeds, oauthToken } from "../../plugins/auth/oauth-token.ts";
import { operations } from "../../plugins/http/operations.ts";
import { type RepositoryAdminNeeds, repositoryAdmin } from "../../plugins/repository/administration/administration.ts";
import { indexDialect, recordsDialect } from "../../plugins/repository/errors.ts";
import type { RepositoryGuard } from "../../plugins/repository/guard.ts";
import { pageDialect } from "../../plugins/repository/site/answers.ts";
import { type SiteNeeds, site } from "../../plugins/repository/site/site.ts";
import { type SwordNeeds, sword } from "../../plugins/repository/sword/sword.ts";
import { swordDialect } from "../../plugins/repository/sword/errors.ts";
import { Refusal } from "../shared/refusal.ts";
import { type App, behind, type CommonNeeds, type FrameSettings, root } from "./app.ts";

export type RepositoryNeeds = CommonNeeds &
  OauthTokenNeeds & {
    readonly guard: RepositoryGuard;
    readonly sword: Omit<SwordNeeds, "guard">;
    readonly indexTree: Omit<IndexTreePluginNeeds, "guard">;
    readonly activities: Omit<ActivitiesPluginNeeds, "guard">;
    readonly administration: RepositoryAdminNeeds["administration"];
    readonly site: Omit<SiteNeeds, "guard">;
  };

/** The repository's routes, without the frame. */
export const repositoryRoutes = (needs: Omit<RepositoryNeeds, keyof FrameSettings>): App => {
  const { guard } = needs;
  return root("repository")
    .use(operations(needs))
    .use(docs(needs))
    .use(oauthToken(needs))
    .use(sword({ ...needs.sword, guard }))
    .use(indexTreePlugin({ ...needs.indexTree, guard }))
    .use(activitiesPlugin({ ...needs.activities, guard }))
    .use(repositoryAdmin({ administration: needs.administration, guard }))
    .use(site({ ...needs.site, guard }));
};

export const repositoryApp = (needs: RepositoryNeeds): Handler => {
  const routes = repositoryRoutes(needs);
  return frame({
    ...needs,
    ...behind(routes),
    hot: null,
    own: null,
    refuse: (refusal, request) => repositoryRefusal(refusal, request, needs),
    crossOrigin: false,
  });
};

const INDEX_PATHS = /^\/api\/(?:[^/]+\/tree|indextree)(?:\/|$)/;

/** Unknown routes, methods and hosts, in the shape of the door that was meant: browsers outside the interfaces get a page (R9). */
function repositoryRefusal(refusal: Refusal, request: Request, needs: RepositoryNeeds): Response | Promise<Response> {
  const path = new URL(request.url).pathname.slice(needs.rootPath.length);
  if (path === "/sword" || path.startsWith("/sword/")) return swordDialect(needs.sword.now)(refusal, request);
  const asked = ofVersion(refusal, path);
  if (INDEX_PATHS.test(path)) return indexDialect(asked, request);
  const isPage = !path.startsWith("/api/") && /\btext\/html\b/i.test(request.headers.get("accept") ?? "");
  return isPage ? pageDialect(needs.site.settings)(asked, request) : recordsDialect(asked, request);
}

const VERSIONED_PATHS = /^\/api\/([^/]+)\/(?:workflow|admin)(?:\/|$)/;

/** An interface that exists, asked under a version that does not (R9). */
function ofVersion(refusal: Refusal, path: string): Refusal {
  const version = VERSIONED_PATHS.exec(path)?.[1];
  if (refusal.kind !== "not_found" || version === undefined || version === "v1") return refusal;
  return new Refusal("invalid", "This API version does not found", { headers: refusal.headers });
}
