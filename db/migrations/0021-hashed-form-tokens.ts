// Migration 21: no secret of a browser is kept as it is. Form tokens of sessions become hashes; nonce and PKCE verifier of a sign-in at a provider are
// made from its cookie. Sessions go on: what was kept is overwritten, for tokens are made from the cookie too. Expands only.
import type { Migration } from "./migration.ts";

export const hashedFormTokens: Migration = {
  version: 21,
  name: "hashed-form-tokens",
  statements: (dialect) => [
    // Never empty: an earlier version compares it with what a form carries.
    `update login_session set csrf = ${
      dialect === "sqlite" ? "lower(hex(randomblob(32)))" : "gen_random_uuid()::text || gen_random_uuid()::text"
    }`,
    "delete from login_attempt",
  ],
};
