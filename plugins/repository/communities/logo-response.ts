// The picture of a community as an answer (R37): bytes of somebody else that nothing but an image element reads.
import type { Logos } from "../../../src/repository/communities/logos.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";

/** Characters of the digest that name a version in an address. */
const VERSION = 16;

export const logoVersion = ({ sha256 }: { readonly sha256: string }): string => sha256.slice(0, VERSION);

/** An address that names the version (`v`) is kept for good by browsers, any other is asked for again. */
export function logoResponse(request: Request, { logo, bytes }: Awaited<ReturnType<Logos["read"]>>): Response {
  const isVersioned = new URL(request.url).searchParams.get("v") === logoVersion(logo);
  const etag = `"${logo.sha256}"`;
  const headers = {
    etag,
    "cache-control": isVersioned ? "private, max-age=31536000, immutable" : "private, no-cache",
    vary: "Cookie, Authorization",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  };
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const content = { "content-type": logo.mediaType, "content-length": `${logo.sizeBytes}` };
  const body = request.method === "HEAD" ? null : bytes.slice();
  return new Response(body, { headers: { ...headers, ...content } });
}
