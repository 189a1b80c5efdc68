// Conditions on entity tags (RFC 9110 section 13.1): the tags of a header against the one a thing has now.

const WEAK = /^W\//;

const tagsOf = (header: string): readonly string[] => header.split(",").map((tag) => tag.trim());

/** If-None-Match: any of its tags, or `*`, by weak comparison (section 13.1.2). False where the header is not sent. */
export function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  const own = etag.replace(WEAK, "");
  return ifNoneMatch !== null && tagsOf(ifNoneMatch).some((tag) => tag === "*" || tag.replace(WEAK, "") === own);
}

/** Whether If-Match names a tag at all: not for `*`, and not when it was not sent. */
export function isMatchAsked(ifMatch: string | null): ifMatch is string {
  return ifMatch !== null && ifMatch.trim() !== "" && ifMatch.trim() !== "*";
}

/**
 * If-Match (section 13.1.1): one of its tags is the one that is meant, `word` without its quotes. Clients leave the
 * quotes out. A tag that is marked as weak counts like the strong one it was: servers in front mark the tags of what
 * they pack.
 */
export function allowsTag(ifMatch: string | null, word: string): boolean {
  const words = matchedWords(ifMatch);
  return words === null || words.includes(word);
}

/** The tags of If-Match without quotes and without the mark of weak ones; null: any. */
export function matchedWords(ifMatch: string | null): readonly string[] | null {
  if (!isMatchAsked(ifMatch)) return null;
  return tagsOf(ifMatch).map((tag) => tag.replace(WEAK, "").replace(/^"(.*)"$/, "$1"));
}
