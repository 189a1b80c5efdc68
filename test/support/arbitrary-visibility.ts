// Viewers, items and files made up at random with few different roles, groups, indexes, communities and days (R2d), so
// that what decides meets.
import fc from "fast-check";
import {
  effectiveRoles,
  GUEST,
  MEMBER_ROLES,
  REPOSITORY_OPERATOR,
  type RoleId,
  type Viewer,
} from "../../src/auth/account.ts";
import type { IndexGate, Lineage, RecordFacts } from "../../src/model/access/visibility.ts";
import { type Access, type Grant, type ItemFile, PERMISSIONS } from "../../src/model/items/item.ts";
import { anAccount } from "./accounts.ts";

export const DAYS = ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"];
const COMMUNITIES = ["7c1d", "b42f", "physics"];
const day = fc.constantFrom(...DAYS);
const roleIds: readonly RoleId[] = [1, 2, 3, 4, -98, -99];
const account = fc.integer({ min: 1, max: 4 });
const group = fc.integer({ min: 1, max: 3 });
const indexId = fc.integer({ min: 10, max: 15 });

export const arbitraryViewer: fc.Arbitrary<Viewer> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(GUEST) },
  { weight: 1, arbitrary: fc.constant(REPOSITORY_OPERATOR) },
  {
    weight: 8,
    arbitrary: fc
      .record({
        id: account,
        roles: fc.oneof(
          { weight: 9, arbitrary: fc.subarray<RoleId>([3, 4]) },
          { weight: 1, arbitrary: fc.subarray<RoleId>([1, 2, 3, 4]) },
        ),
        groups: fc.uniqueArray(group),
        memberships: fc.array(
          fc.record({
            communityId: fc.constantFrom(...COMMUNITIES),
            role: fc.constantFrom(...MEMBER_ROLES),
            rootIndex: fc.option(indexId),
          }),
          { maxLength: 2 },
        ),
      })
      .map(({ id, roles, groups, memberships }) => {
        const one = anAccount({ id, roles });
        return { ...GUEST, account: one, roles: effectiveRoles(one), groups, memberships };
      }),
  },
);

const gate: fc.Arbitrary<IndexGate> = fc.record({
  id: indexId,
  parent: fc.constant(0),
  position: fc.constant(0),
  publicState: fc.integer({ max: 5, min: 0 }).map((one) => one > 0),
  publicDate: fc.option(day, { freq: 2 }),
  browsingRole: fc.oneof(fc.constant(roleIds), fc.subarray([...roleIds])),
  browsingGroup: fc.oneof(fc.constant<number[]>([]), fc.uniqueArray(group)),
  contributeRole: fc.constant([]),
  contributeGroup: fc.constant([]),
});

const arbitraryLineage: fc.Arbitrary<Lineage> = fc.array(gate, { maxLength: 3 });

const arbitraryAccess: fc.Arbitrary<Access> = fc.record({
  record: fc.constantFrom("public" as const, "public" as const, "restricted" as const),
  openDate: day,
  files: fc.constantFrom("public" as const, "public" as const, "restricted" as const),
  embargoUntil: fc.option(day, { freq: 2 }),
  embargoReason: fc.constant(""),
});

const grants: fc.Arbitrary<readonly Grant[]> = fc.uniqueArray(
  fc.record({
    subject: fc.constantFrom("user" as const, "role" as const),
    id: group,
    permission: fc.constantFrom(...PERMISSIONS),
  }),
  { maxLength: 3, selector: ({ subject, id }) => `${subject} ${id}` },
);

export const arbitraryFacts: fc.Arbitrary<RecordFacts> = fc.record({
  owner: account,
  shared: fc.uniqueArray(account, { maxLength: 2 }),
  grants: fc.oneof({ weight: 2, arbitrary: fc.constant<readonly Grant[]>([]) }, { weight: 1, arbitrary: grants }),
  communities: fc.subarray(COMMUNITIES, { maxLength: 2 }),
  state: fc.constant("published" as const),
  access: arbitraryAccess,
  lineages: fc.oneof(fc.constant<Lineage[]>([]), fc.array(arbitraryLineage, { maxLength: 3 })),
});

export const arbitraryFileAccess: fc.Arbitrary<Pick<ItemFile, "access" | "accessDate" | "groups">> = fc.record({
  access: fc.constantFrom("open" as const, "date" as const, "login" as const, "closed" as const),
  accessDate: fc.option(day, { freq: 5 }),
  groups: fc.uniqueArray(group, { maxLength: 2 }),
});
