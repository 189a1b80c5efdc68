// Cookies of the pages (R33): the session, the form token of guests, the way to an OpenID provider. `__Host-` with
// https.

import { sameHash } from "../../../src/shared/hash/digests.ts";
import type { ParentId } from "../../../src/shared/ids.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { cookieOf, LINK_COOKIES_MOST, linkCookieName, linkCookies, SESSION_COOKIE } from "../guard.ts";

const NAMES = { session: SESSION_COOKIE, form: "arkstone-form", attempt: "arkstone-attempt" } as const;
type CookieName = keyof typeof NAMES;

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * `secure`: the repository is reached behind https; then every cookie belongs to this host alone and never travels in
 * the open.
 */
export const cookies = (secure: boolean): Cookies => {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const nameOf = (name: CookieName): string => `${secure ? "__Host-" : ""}${NAMES[name]}`;
  return {
    read: (request, name) => {
      const value = cookieOf(request, nameOf(name));
      return value !== null && SECRET.test(value) ? value : null;
    },
    set: (name, value, maxAgeSeconds) => `${nameOf(name)}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: (name) => `${nameOf(name)}=; Max-Age=0; ${attributes}`,
    keepLink(request, parent, token) {
      const name = linkCookieName(parent, secure);
      const others = linkCookies(request, secure).filter((each) => each !== name);
      const over = others.slice(0, Math.max(0, others.length + 1 - LINK_COOKIES_MOST));
      return [`${name}=${token}; ${attributes}`, ...over.map((each) => `${each}=; Max-Age=0; ${attributes}`)];
    },
  };
};

export interface Cookies {
  read(request: Request, name: CookieName): string | null;
  set(name: CookieName, value: string, maxAgeSeconds: number): string;
  clear(name: CookieName): string;
  /** Keeps the secret of a link to a record until the browser is closed, and gives up the oldest of very many. */
  keepLink(request: Request, parent: ParentId, token: string): readonly string[];
}

/**
 * For forms that do something for who is signed out, too. Throws forbidden where the browser tells that another site
 * sent it.
 */
export function requireOwnSite({ headers }: Request): void {
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return;
  throw new Refusal("forbidden", "The form was not sent from our own page: open the page and repeat");
}

export const hasFormToken = (sent: string | undefined, own: string | null): boolean =>
  own !== null && sent !== undefined && sameHash(sent, own);

/** Throws forbidden unless the form carries the token it was given with. */
export function requireFormToken(sent: string | undefined, own: string | null): void {
  if (hasFormToken(sent, own)) return;
  throw new Refusal(
    "forbidden",
    "The form has expired, or was not sent from our own page: open the page again and repeat",
  );
}
