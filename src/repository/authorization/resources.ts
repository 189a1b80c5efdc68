// What tokens of grants are made for (RFC 8707): the two entrances of the tool server. Pure.

const ENTRANCES = ["mcp", "mcp-auth"] as const;

/** The exact URLs, as protected resource metadata (RFC 9728) names them. */
const resourcesUnder = (baseUrl: string): readonly string[] => ENTRANCES.map((each) => `${baseUrl}/${each}`);

/** The resource a request names; the first entrance where it names none; null where it names another, or several. */
export function resourceOf(sent: readonly string[], baseUrl: string): string | null {
  const named = [...new Set(sent.filter((each) => each !== ""))];
  const [only] = named;
  if (only === undefined) return `${baseUrl}/mcp`;
  return named.length === 1 ? knownResource(only, baseUrl) : null;
}

const ORIGIN = /^https?:\/\/[^/?#]{1,300}/i;

/** The resource that a URL names, letter for letter, but for capitals in scheme and host, which mean the same. */
export function knownResource(sent: string, baseUrl: string): string | null {
  const plain = sent.slice(0, 2_000).replace(ORIGIN, (origin) => origin.toLowerCase());
  return resourcesUnder(baseUrl).find((each) => each === sent || each === plain) ?? null;
}
