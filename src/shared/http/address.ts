// The address that a request asks for, as it was sent; whose address counts as the client's (SVC_TRUSTED_PROXIES), and
// which addresses are this machine itself.

/**
 * The address that the trusted proxies give for the client; null where they give none, and the address of the
 * connection counts. Each trusted proxy appended the address it saw to `X-Forwarded-For`; what is further left was
 * written by the client and proves nothing. With fewer entries than proxies a proxy was passed by, and what is there
 * may be anybody's word: then the connection itself counts.
 */
export function forwardedAddress(forwardedFor: string | null, trustedProxies: number): string | null {
  if (trustedProxies === 0 || forwardedFor === null) return null;
  const hops = forwardedFor.split(",").map((hop) => hop.trim());
  const hop = hops[hops.length - trustedProxies] ?? "";
  return isPlausible(hop) ? hop : null;
}

/** Letters an address may hold: nothing that could forge a log line. */
function isPlausible(hop: string): boolean {
  return /^[0-9A-Fa-f.:[\]]{2,60}$/.test(hop);
}

/**
 * What counts as one address: an IPv4 address, or the /64 network of an IPv6 address, which is what one customer is
 * given.
 */
export function addressKey(address: string): string {
  const plain = address
    .replace(/^\[|\]$/g, "")
    .replace(/%.*$/s, "")
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .toLowerCase();
  if (!plain.includes(":")) return plain === "" ? "unknown" : plain;
  const [left = "", right] = plain.split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right === undefined || right === "" ? [] : right.split(":");
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

/** True for addresses of this machine, IPv4 addresses inside IPv6 included. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/^::ffff:/i, "");
  return plain === "::1" || /^127(?:\.\d{1,3}){3}$/.test(plain);
}

/**
 * Path and query of a request URL, or of a raw request target, by slicing: no parser may touch them. A fragment, which
 * no client should send, is dropped.
 */
export function pathAndQueryOf(url: string): string {
  const authority = url.startsWith("/") ? -1 : url.indexOf("://");
  const from = authority === -1 ? 0 : authority + 3;
  const slash = url.indexOf("/", from);
  const query = url.indexOf("?", from);
  const start = slash === -1 || (query !== -1 && query < slash) ? query : slash;
  if (start === -1) return "/";
  const fragment = url.indexOf("#", start);
  const target = fragment === -1 ? url.slice(start) : url.slice(start, fragment);
  return target.startsWith("/") ? target : `/${target}`;
}

/** The path without the mount prefix; requests come with and without it (A49). */
export function withoutRootPath(path: string, rootPath: string): string {
  if (rootPath === "" || !path.startsWith(rootPath)) return path;
  const rest = path.slice(rootPath.length);
  return rest.startsWith("/") ? rest : rest === "" ? "/" : path;
}
