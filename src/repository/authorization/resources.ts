// What tokens of grants are made for (RFC 8707): the two entrances of the tool server. Pure.

const ENTRANCES = ["mcp", "mcp-auth"] as const;

/** The exact URLs, as protected resource metadata (RFC 9728) names them. */
export const resourcesUnder = (baseUrl: string): readonly string[] => ENTRANCES.map((each) => `${baseUrl}/${each}`);

/** The resource a request names; the first entrance where it names none; null where it names another, or several. */
export function resourceOf(sent: readonly string[], baseUrl: string): string | null {
  const named = [...new Set(sent.filter((each) => each !== ""))];
  const [only] = named;
  if (only === undefined) return `${baseUrl}/mcp`;
  return named.length === 1 ? knownResource(only, baseUrl) : null;
}

/** The resource that is meant by a URL: host and scheme in any case, a port that goes without saying. */
export function knownResource(sent: string, baseUrl: string): string | null {
  const known = resourcesUnder(baseUrl);
  if (known.includes(sent)) return sent;
  if (sent.length > 2_000 || !URL.canParse(sent)) return null;
  const { href } = new URL(sent);
  return known.find((each) => URL.canParse(each) && new URL(each).href === href) ?? null;
}
