// Migration 21: each sign-in forgets sessions, links and attempts that have ended: they are found by their end (R9b).
// Expands only. Form tokens, and nonce and PKCE verifier of attempts, that an earlier version wrote as they are end
// with their rows: after 12 hours, and 10 minutes.
import type { Migration } from "./migration.ts";

export const signInEnds: Migration = {
  version: 21,
  name: "sign-in-ends",
  statements: () => [
    "create index login_session_end on login_session (expires_at)",
    "create index login_link_end on login_link (expires_at)",
    "create index login_attempt_end on login_attempt (expires_at)",
  ],
};
