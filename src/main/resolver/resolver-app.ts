// The app of the resolver, put together from plugins (specification 1, "What the service does" 6): it has no minting
// routes. A thread that answers loads this file and nothing of the minter.
import { docs } from "../../../plugins/http/docs.ts";
import { arkDialect } from "../../../plugins/http/errors.ts";
import { frame, type Handler } from "../../../plugins/http/frame.ts";
import { operations } from "../../../plugins/http/operations.ts";
import { refusalAnswer } from "../../../plugins/resolver/answers.ts";
import { type PagesNeeds, pages } from "../../../plugins/resolver/pages.ts";
import {
  asksForName,
  nameAskedFor,
  type ResolverNeeds,
  resolver,
  sentTarget,
} from "../../../plugins/resolver/resolver.ts";
import { type WellKnownNeeds, wellKnown } from "../../../plugins/resolver/well-known.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type App, behind, type CommonNeeds, type FrameSettings, root } from "../app.ts";

export type ResolverAppNeeds = CommonNeeds & ResolverNeeds & WellKnownNeeds & PagesNeeds;

/** The resolver's routes, its answers about names and its fast path, without the frame. */
export const resolverRoutes = (needs: Omit<ResolverAppNeeds, Exclude<keyof FrameSettings, "addressRate">>) => {
  const { plugin, names, hot } = resolver(needs);
  const routes: App = root("resolver")
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
    own: {
      matches: (request) => asksForName(request, settings),
      sentTarget: (request) => sentTarget(request, settings),
      pattern: NAMES,
      handle: names,
    },
    refuse: async (refusal, request) => {
      if (!(refusal instanceof ServiceError)) return arkDialect(refusal, request);
      const name = refusal.status >= 500 ? nameAskedFor(request, settings) : null;
      const answer = await refusalAnswer(request, settings, refusal, name);
      // Other refusals here are not answers about a name.
      if (name === null) answer.headers.delete("thump-status");
      return answer;
    },
    crossOrigin: true,
  });
};

/** Under which all requests for names are counted. */
const NAMES = "/ark:*";
