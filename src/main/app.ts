// The two apps of the ARK service, put together from plugins (law, "What the service does" 6): the minter has no resolution routes,
// the resolver no minting routes. Roles are composition, nothing is switched off.
import { type AnyElysia, Elysia } from "elysia";
import { type ArkManagementNeeds, arkManagement } from "../../plugins/ark-management.ts";
import { type DocsNeeds, docs } from "../../plugins/docs.ts";
import { arkDialect, type Refusal } from "../../plugins/errors.ts";
import { type FrameNeeds, frame, type Handler } from "../../plugins/frame.ts";
import { type OauthTokenNeeds, oauthToken } from "../../plugins/oauth-token.ts";
import { type OperationsNeeds, operations } from "../../plugins/operations.ts";
import { type PagesNeeds, pages } from "../../plugins/pages.ts";
import { indexDialect, recordsDialect, toldOf } from "../../plugins/repository-errors.ts";
import type { RepositoryGuard } from "../../plugins/repository-guard.ts";
import { asksForName, nameAskedFor, type ResolverNeeds, resolver } from "../../plugins/resolver.ts";
import { refusalAnswer } from "../../plugins/resolver-answers.ts";
import { type WellKnownNeeds, wellKnown } from "../../plugins/well-known.ts";
import { ServiceError } from "../domain/errors.ts";

/** What both roles need besides their own services. */
export type CommonNeeds = DocsNeeds & OperationsNeeds & FrameSettings & Pick<FrameNeeds, "metrics">;

export type MinterNeeds = CommonNeeds & ArkManagementNeeds & OauthTokenNeeds;

/** The root every role starts from: unknown fields are refused, not dropped (A46); short host names route like long ones. */
const root = (name: string) => new Elysia({ name, normalize: false, handler: { standardHostname: false } });

/** The minter's routes, without the frame: what the interface description is made from. */
export const minterRoutes = (needs: Omit<MinterNeeds, keyof FrameSettings>): AnyElysia =>
  root("minter").use(operations(needs)).use(docs(needs)).use(oauthToken(needs)).use(arkManagement(needs));

export const minterApp = (needs: MinterNeeds): Handler => {
  const routes = minterRoutes(needs);
  return frame({
    ...needs,
    ...behind(routes),
    hot: null,
    own: null,
    refuse: arkDialect.render,
    crossOrigin: false,
  });
};

export type RepositoryNeeds = CommonNeeds & OauthTokenNeeds & { readonly guard: RepositoryGuard };

/** The repository's routes, without the frame. */
export const repositoryRoutes = (needs: Omit<RepositoryNeeds, keyof FrameSettings>): AnyElysia =>
  root("repository").use(operations(needs)).use(docs(needs)).use(oauthToken(needs));

export const repositoryApp = (needs: RepositoryNeeds): Handler => {
  const routes = repositoryRoutes(needs);
  return frame({
    ...needs,
    ...behind(routes),
    hot: null,
    own: null,
    refuse: (refusal, request) => repositoryRefusal(refusal, request),
    crossOrigin: false,
  });
};

/** Unknown routes, methods and hosts, in the shape of the door that was meant (R9). */
function repositoryRefusal(refusal: Refusal, request: Request): Response | Promise<Response> {
  const told = toldOf(refusal, "UNKNOWN", request);
  const path = new URL(request.url).pathname;
  if (/^\/api\/(?:[^/]+\/tree|indextree)(?:\/|$)/.test(path)) return indexDialect(told, request);
  return recordsDialect(told, request);
}

export type ResolverAppNeeds = CommonNeeds & ResolverNeeds & WellKnownNeeds & PagesNeeds;

/** The resolver's routes, its answers about names and its fast path, without the frame. */
export const resolverRoutes = (needs: Omit<ResolverAppNeeds, Exclude<keyof FrameSettings, "addressRate">>) => {
  const { plugin, names, hot } = resolver(needs);
  const routes: AnyElysia = root("resolver")
    .use(operations(needs))
    .use(docs(needs))
    .use(wellKnown(needs))
    .use(pages(needs))
    .use(plugin);
  return { routes, names, hot };
};

export const resolverApp = (needs: ResolverAppNeeds): Handler => {
  const { routes, names, hot } = resolverRoutes(needs);
  const { settings } = needs;
  return frame({
    ...needs,
    ...behind(routes),
    hot,
    own: { matches: (request) => asksForName(request, settings), pattern: NAMES, handle: names },
    refuse: async (refusal, request) => {
      if (!(refusal instanceof ServiceError)) return arkDialect.render(refusal, request);
      const name = refusal.status >= 500 ? nameAskedFor(request, settings) : null;
      const answer = await refusalAnswer(request, settings, refusal, name);
      // What else is refused here is no answer about a name.
      if (name === null) answer.headers.delete("thump-status");
      return answer;
    },
    crossOrigin: true,
  });
};

/** Under which all requests for names are counted. */
const NAMES = "/ark:*";

type FrameSettings = Pick<
  FrameNeeds,
  | "rootPath"
  | "allowedHosts"
  | "trustedProxies"
  | "accessLog"
  | "log"
  | "elapsedMs"
  | "addressRate"
  | "load"
  | "tracing"
>;

function behind(app: AnyElysia): Pick<FrameNeeds, "handle" | "routes"> {
  const routes = app.routes.map(({ method, path }) => ({ method, path }));
  return { handle: app.fetch, routes };
}
