// What the fast lane of a resolver's thread knows: the rules of its heads, the table, and the bytes of a redirect
// (docs/fast-lane.md).
import { isAllowedHost, PLAIN_REDIRECT } from "../../../plugins/http/frame.ts";
import { redirectHeaders } from "../../../plugins/resolver/answers.ts";
import type { Config } from "../../config.ts";
import { PlainHead } from "../../resolver/lane/plain-head.ts";
import { passedThrough, writePlainRedirect } from "../../resolver/plain-redirect.ts";
import { writeAscii } from "../../resolver/table.ts";
import type { ResolverAppNeeds } from "../resolver/resolver-app.ts";
import type { Lane } from "./fast-lane.ts";
import { laneAnswers } from "./lane-answers.ts";

type ResolverLaneNeeds = Pick<ResolverAppNeeds, "tables" | "settings" | "metrics" | "allowedHosts">;
type LaneSettings = Pick<Config, "fastLane" | "accessLog">;

/**
 * Whether our own listener is in front of the runtime's server also where it answers nothing by itself. A front that is
 * trusted sends one request after the other by itself.
 */
export function isInFront({ fastLane, trustedProxies }: Pick<Config, "fastLane" | "trustedProxies">): boolean {
  return fastLane ?? trustedProxies === 0;
}

/**
 * The field in which the lane passes the inner server the targets that the runtime rewrites: its name is new at each
 * start, so that no client can send it. Null where the lane is off: by a setting, or because each redirect is a line of
 * the log.
 */
export function sentTargetHeader(settings: LaneSettings): string | null {
  if (settings.fastLane === false || settings.accessLog === "all") return null;
  return `x-sent-target-${crypto.randomUUID()}`;
}

/** Undefined where there is to be none. */
export function resolverLane(needs: ResolverLaneNeeds): Lane | undefined {
  const { tables, settings, metrics, allowedHosts } = needs;
  const telling = settings.sentTargetHeader ?? null;
  if (telling === null) return undefined;
  return {
    head: new PlainHead(settings),
    answers: laneAnswers(redirectHeaders(settings)),
    telling,
    isOurHost: allowedHosts.size === 0 ? null : (host) => isAllowedHost(allowedHosts, host),
    writeLocation(bytes, from, to, room) {
      const table = tables.current();
      if (table === null) return false;
      if (writePlainRedirect(table, bytes, from, to, room)) return true;
      const location = passedThrough(table, bytes.latin1Slice(from, to), settings.resolveUnpublished);
      return location !== null && writeAscii(location, room);
    },
    count: () => metrics.countFast(PLAIN_REDIRECT),
  };
}
