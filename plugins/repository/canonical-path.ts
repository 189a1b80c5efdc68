// Paths of the repository's interfaces that clients write in several ways (R37): with a slash at the end, and with the
// slashes of a file's key as they are. Each is mapped to the one path that has a route.

const API = "/api/";
const FILES = /^\/api\/records\/[^/]+\/(?:draft\/)?files\//;
/** What may follow a key. */
const PART = /^[^/]+\/content\/(?!content$|commit$)[^/]+$/;
const AFTER_KEY = /^(.+?)(\/content(?:\/\d{1,9})?|\/commit)?$/;

export function canonicalPath(path: string): string {
  if (!path.startsWith(API)) return path;
  const bare = path.endsWith("/") && !path.endsWith("//") && path.length > API.length ? path.slice(0, -1) : path;
  const [start] = FILES.exec(bare) ?? [];
  const rest = bare.slice(start?.length);
  if (start === undefined || PART.test(rest)) return bare;
  const [, key = "", end = ""] = AFTER_KEY.exec(rest) ?? [];
  if (!key.includes("/")) return bare;
  return start + key.replaceAll("/", "%2F") + end;
}
