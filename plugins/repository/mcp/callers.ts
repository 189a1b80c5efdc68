// Which pages and under which names the tool server may be spoken to (R30; reference 4.1): a page of somebody else's that a browser shows must not reach
// it with what the browser knows, not by its own name (Origin) and not by a name that was turned towards us (Host, DNS rebinding).
import { Refusal } from "../../../src/shared/refusal.ts";
import { isAllowedHost } from "../../http/frame.ts";

export type CallerNeeds = {
  readonly baseUrl: string;
  /** Origins of pages that may speak to this server, beside our own. */
  readonly origins: readonly string[];
  /** Names it is reached by, beside that of the base URL and those of this machine. */
  readonly hosts: ReadonlySet<string>;
};

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** @throws Refusal forbidden for a page or a name that is neither ours nor set. */
export function callerCheck({ baseUrl, origins, hosts }: CallerNeeds): (request: Request) => void {
  const own = new URL(baseUrl);
  const pages = new Set([own.origin, ...origins]);
  const names = new Set([own.hostname, ...hosts]);
  return ({ headers }) => {
    const host = headers.get("host");
    if (host !== null && !LOOPBACK.test(host) && !isAllowedHost(names, host)) {
      throw new Refusal("forbidden", `These tools are not at "${host.slice(0, 200)}": see SVC_MCP_HOSTS`);
    }
    const origin = headers.get("origin");
    if (origin !== null && !pages.has(origin) && !isOfThisMachine(origin)) {
      throw new Refusal("forbidden", `Pages of "${origin.slice(0, 200)}" may not use these tools: see SVC_MCP_ORIGINS`);
    }
  };
}

/** A program on this very machine, which a browser shows. */
const isOfThisMachine = (origin: string): boolean => LOOPBACK.test(origin.replace(/^https?:\/\//, ""));
