// Where somebody is sent after signing in (R33): one of our pages, or the front page.

/** Where people sign in; a one-time link is this and its token. */
export const SIGN_IN_PATH = "/account/login";

/** Where programs send people to be allowed something (RFC 6749 section 3.1). */
export const AUTHORIZE_PATH = "/oauth/authorize";

/** Longest address that is gone back to, in characters. */
const RETURN_PATH_MAX = 2_000;
/**
 * What a program asks for is longer: addresses, a challenge, and a state. Twice encoded it still fits into 8 KiB, which
 * fronts let through.
 */
export const AUTHORIZE_RETURN_MAX = 4_000;

/**
 * The path and query of an own page; "/" for anything else: another host, a scheme, what browsers would read as either,
 * our own sign-in pages.
 */
export function ownPath(written: string | null): string {
  const most = written?.startsWith(`${AUTHORIZE_PATH}?`) === true ? AUTHORIZE_RETURN_MAX : RETURN_PATH_MAX;
  if (written === null || written.length > most || !/^\/(?![/\\])[\x21-\x7E]*$/.test(written)) return "/";
  const origin = "http://own.invalid";
  if (!URL.canParse(written, origin)) return "/";
  const url = new URL(written, origin);
  if (
    url.origin !== origin ||
    url.pathname.startsWith("//") ||
    /^\/account\/(?:login|logout|oidc)(?:\/|$)/.test(url.pathname)
  )
    return "/";
  return `${url.pathname}${url.search}`;
}
