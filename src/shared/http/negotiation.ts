// Choosing a media type and a language from what a client accepts (RFC 9110 section 12.5; specification 1, "Resolution"
// rules 2, 3 and 6; A41, A47).

type Range = { readonly value: string; readonly quality: number };

/** Longer headers are cut: nobody needs them, and they cost time. */
const HEADER_MAX = 4096;

function parseRanges(header: string): Range[] {
  return header
    .slice(0, HEADER_MAX)
    .split(",")
    .map((part) => {
      const [value = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
      return { value, quality: qualityOf(parameters) };
    })
    .filter((range) => range.value !== "");
}

/** The weight among the parameters; 1 where there is none, 0 where it cannot be read. */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const quality = Number(weight.replace(/^q\s*=\s*/, "") || "x");
  return Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0;
}

type Match = { readonly quality: number; readonly specificity: number };
const NO_MATCH: Match = { quality: 0, specificity: 0 };

/** How well a media type is accepted: the most specific range counts (RFC 9110 12.5.1). */
function matchOf(mediaType: string, ranges: readonly Range[]): Match {
  let best = NO_MATCH;
  for (const { value, quality } of ranges) {
    const specificity =
      value === mediaType
        ? 3
        : value === `${mediaType.slice(0, mediaType.indexOf("/"))}/*`
          ? 2
          : value === "*/*"
            ? 1
            : 0;
    if (specificity > best.specificity) best = { quality, specificity };
    else if (specificity > 0 && specificity === best.specificity && quality > best.quality)
      best = { quality, specificity };
  }
  return best;
}

/**
 * The media type to answer with; the first offer is the default. With ties `"default"`, another one must be wanted more
 * than every other offer. With `"named"`, of equally wanted offers the one that is named wins over one that a wildcard
 * allows, then the default, then the order of the offers. Nothing acceptable: the default.
 */
export function chooseMediaType<T extends string>(
  accept: string | null,
  offers: readonly [T, ...T[]],
  ties: "default" | "named",
): T {
  const [fallback] = offers;
  if (accept === null || accept.trim() === "") return fallback;
  const ranges = parseRanges(accept);
  const matches = offers.map((offer) => ({ offer, ...matchOf(offer, ranges) }));
  const highest = Math.max(...matches.map((match) => match.quality));
  if (highest === 0) return fallback;
  const wanted = matches.filter((match) => match.quality === highest);
  if (ties === "default") return wanted.length === 1 && wanted[0] !== undefined ? wanted[0].offer : fallback;
  const named = Math.max(...wanted.map((match) => match.specificity));
  return wanted.find((match) => match.specificity === named)?.offer ?? fallback;
}

/**
 * The language of a page: the `lang` parameter, then `Accept-Language`, then the default. Ranges match by their first
 * subtag (`en-GB` is served by `en`); of equally wanted languages the one named first wins.
 */
export function chooseLanguage<L extends string>(
  asked: string | null,
  acceptLanguage: string | null,
  available: readonly L[],
  fallback: L,
): L {
  const byTag = (tag: string): L | undefined => {
    const [primary] = tag.toLowerCase().split("-");
    return available.find((language) => language === primary);
  };
  const direct = asked === null ? undefined : byTag(asked);
  if (direct !== undefined) return direct;
  const ranges = parseRanges(acceptLanguage ?? "").sort((one, other) => other.quality - one.quality);
  const refused = new Set(ranges.filter((range) => range.quality === 0).map((range) => byTag(range.value)));
  for (const range of ranges) {
    if (range.quality === 0) break;
    if (range.value === "*")
      return refused.has(fallback) ? (available.find((each) => !refused.has(each)) ?? fallback) : fallback;
    const language = byTag(range.value);
    if (language !== undefined) return language;
  }
  return fallback;
}

/** A language tag as far as wordings are chosen by it. */
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/;

/** The language wanted most, whichever it is, in lower case; where the header names none the fallback. */
export function wantedLanguage(acceptLanguage: string | null, fallback: string): string {
  const named = parseRanges(acceptLanguage ?? "").filter(({ value, quality }) => quality > 0 && TAG.test(value));
  const [first] = named.sort((one, other) => other.quality - one.quality);
  return first?.value ?? fallback;
}
