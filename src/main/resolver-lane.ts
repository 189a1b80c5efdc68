// What the fast lane of a resolver's thread knows: the rules of its heads, the table, and the octets of a redirect (docs/fast-lane.md).
import { isAllowedHost, PLAIN_REDIRECT } from "../../plugins/http/frame.ts";
import { redirectHeaders } from "../../plugins/resolver/answers.ts";
import { PlainHead } from "../resolver/lane/plain-head.ts";
import { plainRedirect } from "../resolver/plain-redirect.ts";
import type { Lane } from "./fast-lane.ts";
import { laneAnswers } from "./lane-answers.ts";
import type { ResolverAppNeeds } from "./resolver-app.ts";

type ResolverLaneNeeds = Pick<
  ResolverAppNeeds,
  "tables" | "settings" | "metrics" | "accessLog" | "allowedHosts" | "trustedProxies"
> & {
  /** Null: as it pays. */
  readonly fastLane: boolean | null;
};

/**
 * Undefined where there is to be none: a setting says so, or each redirect is a line of the log. A front sends requests of all kinds on connections
 * that it keeps, and what is handed on stays so: there the lane would cost more than it saves.
 */
export function resolverLane(needs: ResolverLaneNeeds): Lane | undefined {
  const { tables, settings, metrics, allowedHosts } = needs;
  if (!(needs.fastLane ?? needs.trustedProxies === 0) || needs.accessLog === "all") return undefined;
  return {
    head: new PlainHead(settings),
    answers: laneAnswers(redirectHeaders(settings)),
    isOurHost: allowedHosts.size === 0 ? null : (host) => isAllowedHost(allowedHosts, host),
    locationOf(path, from) {
      const table = tables.current();
      return table === null ? null : plainRedirect(table, path, from);
    },
    count: () => metrics.countFast(PLAIN_REDIRECT),
  };
}
