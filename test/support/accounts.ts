// An account for tests, which name only the members that matter to them.
import type { Account } from "../../src/auth/account.ts";

const CREATED_AT = "2026-01-02T03:04:05.000Z";

/** An account of a registered user, with id 0 as one that is not stored yet. */
export const anAccount = (members: Partial<Account> = {}): Account => ({
  id: 0,
  mail: null,
  eppn: null,
  name: "Somebody",
  roles: [3],
  active: true,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  ...members,
});
