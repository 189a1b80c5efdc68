// What an account may reach by its roles, memberships and scopes (R2e, R6a, R6d), each of them in any place among
// others.
import { describe, expect, test } from "bun:test";
import {
  administeredCommunities,
  curatedCommunities,
  effectiveRoles,
  GUEST,
  guestWithout,
  isAdministrator,
  type MemberRole,
  ROLE_IDS,
  ROLE_NAMES,
  ROLES,
  type RoleId,
  type Viewer,
} from "../../src/auth/account.ts";
import { anAccount } from "../support/accounts.ts";

const memberOf = (communityId: string, role: MemberRole) => ({ communityId, role, rootIndex: null });
const MEMBERSHIPS = (["reader", "curator", "owner", "manager"] as const).map((role) => memberOf(`of-${role}`, role));
const viewer = (roles: readonly RoleId[], more: Partial<Viewer> = {}): Viewer => ({
  ...GUEST,
  ...{ roles, memberships: MEMBERSHIPS, clientId: "c", address: "192.0.2.7" },
  ...more,
});

describe("roles", () => {
  test("R2e every role has the number that is stored, and the command line has a name for those that are given", () => {
    expect<readonly number[]>(Object.values(ROLES)).toEqual([1, 2, 3, 4, -98, -99]);
    expect(ROLE_IDS).toEqual(Object.values(ROLES));
    expect(ROLE_NAMES["community-administrator"]).toBe(ROLES.communityAdministrator);
  });

  test.each([
    [[1], true, []],
    [[3, 1], true, []],
    [[4, 2], true, ["of-owner", "of-manager"]],
    [[3, 4], false, ["of-owner", "of-manager"]],
    [[4], false, ["of-owner", "of-manager"]],
    [[3], false, []],
    [[-98], false, []],
  ] as const)("R2e R6a roles %p: administrator %p, administers %p, curates the same", (roles, isAll, administered) => {
    const given = viewer(roles);
    expect(isAdministrator(given)).toBe(isAll);
    expect(administeredCommunities(given).map(({ communityId }) => communityId)).toEqual([...administered]);
    expect(curatedCommunities(given)).toEqual(["of-curator", "of-owner", "of-manager"]);
  });

  test("R2e an account without a role is general, others keep theirs", () => {
    const withRoles = (roles: readonly RoleId[]) => effectiveRoles(anAccount({ roles }));
    expect([withRoles([]), withRoles([3, 4])]).toEqual([[-98], [3, 4]]);
  });
});

test("R6d a token with none of the scopes reaches what a guest reaches, one with any of them, and a session, keep all", () => {
  for (const [scopes, isKept] of [
    [new Set(["item:read", "mcp:write"]), true],
    [new Set(["mcp:read"]), true],
    [null, true],
    [new Set(["item:read"]), false],
    [new Set<string>(), false],
  ] as const) {
    const given = viewer([1], { scopes });
    const expected = isKept ? given : { ...GUEST, address: "192.0.2.7" };
    expect(guestWithout(given, ["mcp:read", "mcp:write"])).toEqual(expected);
  }
});
