// Whose address counts as the client's (SVC_TRUSTED_PROXIES), and which addresses are this machine itself.

/**
 * The client's address. Each trusted proxy appended the address it saw to `X-Forwarded-For`; what stands further left was written
 * by the client and proves nothing. With fewer entries than proxies the leftmost one counts.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || forwardedFor === null) return peer;
  const hops = forwardedFor.split(",").map((hop) => hop.trim());
  const hop = hops[Math.max(0, hops.length - trustedProxies)] ?? "";
  return isPlausible(hop) ? hop : peer;
}

/** Letters an address may hold: nothing that could forge a log line. */
function isPlausible(hop: string): boolean {
  return /^[0-9A-Fa-f.:[\]]{2,60}$/.test(hop);
}

/** True for addresses of this machine, IPv4 addresses inside IPv6 included. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/^::ffff:/i, "");
  return plain === "::1" || /^127(?:\.\d{1,3}){3}$/.test(plain);
}
