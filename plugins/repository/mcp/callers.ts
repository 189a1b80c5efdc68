// Which pages and under which names the tool server may be spoken to (R30; reference 4.1): a page of somebody else's
// that a browser shows must not reach it with what the browser knows, not by its own name (Origin) and not by a name
// that was turned towards us (Host, DNS rebinding).
import { Refusal } from "../../../src/shared/refusal.ts";
import { isAllowedHost } from "../../http/frame.ts";

export type CallerNeeds = {
  readonly baseUrl: string;
  /** Origins of pages that may call this server, in addition to our own. */
  readonly origins: readonly string[];
  /** Host names that it accepts, in addition to those of the base URL and of this machine. */
  readonly hosts: ReadonlySet<string>;
};

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

type CallerCheck = {
  /** @throws Refusal forbidden for a page or a name that is neither ours nor set. */
  readonly require: (request: Request) => void;
  /** What lets a browser show the answer to the page that asked; nothing for pages that may not, and for programs. */
  readonly shownTo: (request: Request) => Readonly<Record<string, string>>;
};

/** Fields that clients of the protocol send, and those of answers that they read. */
const SENT =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";
const READ = "WWW-Authenticate, Retry-After, X-Request-Id";
const PREFLIGHT_SECONDS = "86400";

/** The answer to a preflight of a page that may speak to the server. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "POST, GET, DELETE, OPTIONS",
      "access-control-allow-headers": SENT,
      "access-control-max-age": PREFLIGHT_SECONDS,
    },
  });

export function callerCheck({ baseUrl, origins, hosts }: CallerNeeds): CallerCheck {
  const own = new URL(baseUrl);
  const pages = new Set([own.origin, ...origins]);
  const names = new Set([own.hostname, ...hosts]);
  const mayAsk = (origin: string): boolean => pages.has(origin) || isOfThisMachine(origin);

  function require({ headers }: Request): void {
    const host = headers.get("host");
    if (host !== null && !LOOPBACK.test(host) && !isAllowedHost(names, host)) {
      throw new Refusal("forbidden", `These tools are not at "${host.slice(0, 200)}": see SVC_MCP_HOSTS`);
    }
    const origin = headers.get("origin");
    if (origin !== null && !mayAsk(origin)) {
      throw new Refusal("forbidden", `Pages of "${origin.slice(0, 200)}" may not use these tools: see SVC_MCP_ORIGINS`);
    }
  }

  function shownTo({ headers }: Request): Readonly<Record<string, string>> {
    const origin = headers.get("origin");
    if (origin === null || !mayAsk(origin)) return { vary: "Origin" };
    return { "access-control-allow-origin": origin, "access-control-expose-headers": READ, vary: "Origin" };
  }

  return { require, shownTo };
}

/** A program on this very machine, which a browser shows. */
const isOfThisMachine = (origin: string): boolean => LOOPBACK.test(origin.replace(/^https?:\/\//, ""));
