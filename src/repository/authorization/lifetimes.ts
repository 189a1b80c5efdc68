// How long what is given to programs lives, and how much of it there may be (R30; RFC 6749 4.1.2, RFC 9700).

/** From the person's word to the client's request. */
export const CODE_MS = 60_000;
export const ACCESS_MS = 3_600_000;
/** Of a refresh token that nobody uses; each use makes a new one. */
export const REFRESH_MS = 30 * 86_400_000;
/** Codes and tokens of one grant that are kept: each refresh adds two, and what was used stays to be recognised. */
export const GRANT_SECRETS_MAX = 20_000;
/** Of clients that registered and were never allowed anything. */
export const UNUSED_CLIENT_MS = 7 * 86_400_000;
/** Clients that were used and have no grant any more. */
export const IDLE_CLIENT_MS = 180 * 86_400_000;
/** What has ended is kept this long, so that a second use is recognised. */
export const ENDED_KEPT_MS = 30 * 86_400_000;
