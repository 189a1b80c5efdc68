// R2d and R2e cell by cell: each role, each relation to the item, each action; each fact of visibility on its day and
// the day before.
import { describe, expect, test } from "bun:test";
import {
  effectiveRoles,
  GUEST,
  type MemberRole,
  REPOSITORY_OPERATOR,
  type RoleId,
  type Viewer,
} from "../../src/auth/account.ts";
import {
  accessOn,
  fileReading,
  type IndexGate,
  isPrivileged,
  type Lineage,
  mayBrowseIndex,
  mayContribute,
  mayDelete,
  mayDeposit,
  mayEdit,
  mayReadRecord,
  mayRemove,
  mayUpdate,
  type RecordFacts,
  refusalFor,
} from "../../src/model/access/visibility.ts";
import type { Access, ItemFile } from "../../src/model/items/item.ts";
import { anAccount } from "../support/accounts.ts";

const TODAY = "2026-11-20";
const YESTERDAY = "2026-11-19";
const TOMORROW = "2026-11-21";
const ALL: readonly RoleId[] = [1, 2, 3, 4, -98, -99];
const COLUMNS: readonly RoleId[] = [1, 2, 4, 3, -98, -99];
const OWNER = 7;
const VIEWER = 8;
const COMMUNITY = "community-1";
const ROOT = 100;

/** Somebody with this one role; `memberOf` makes them a member of the community whose root is index 100. */
function viewer(
  role: RoleId,
  more: { readonly id?: number; readonly groups?: readonly number[]; readonly memberOf?: MemberRole } = {},
): Viewer {
  if (role === -99) return GUEST;
  const account = anAccount({ id: more.id ?? VIEWER, roles: role === -98 ? [] : [role] });
  const memberships =
    more.memberOf === undefined ? [] : [{ communityId: COMMUNITY, role: more.memberOf, rootIndex: ROOT }];
  return {
    account,
    roles: effectiveRoles(account),
    groups: more.groups ?? [],
    memberships,
    scopes: null,
    clientId: "",
    address: "",
  };
}

function gate(changes: Partial<IndexGate> = {}): IndexGate {
  return {
    id: 5,
    parent: 0,
    position: 0,
    publicState: true,
    publicDate: null,
    browsingRole: ALL,
    browsingGroup: [],
    contributeRole: ALL,
    contributeGroup: [],
    ...changes,
  };
}

const OPEN: Access = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" };

function facts(changes: Partial<RecordFacts> = {}): RecordFacts {
  return { owner: OWNER, shared: [], communities: [], state: "published", access: OPEN, lineages: [], ...changes };
}

/** How the viewer of a column is to the item. */
type Relation = "stranger" | "owner" | "shared" | "reader" | "curator" | "manager" | "community owner";
const RELATIONS: Readonly<Record<Relation, (role: RoleId) => { readonly who: Viewer; readonly of: RecordFacts }>> = {
  stranger: (role) => ({ who: viewer(role), of: facts({ communities: [COMMUNITY] }) }),
  owner: (role) => ({ who: viewer(role, { id: OWNER }), of: facts() }),
  shared: (role) => ({ who: viewer(role), of: facts({ shared: [VIEWER] }) }),
  reader: (role) => ({ who: viewer(role, { memberOf: "reader" }), of: facts({ communities: [COMMUNITY] }) }),
  curator: (role) => ({ who: viewer(role, { memberOf: "curator" }), of: facts({ communities: [COMMUNITY] }) }),
  manager: (role) => ({ who: viewer(role, { memberOf: "manager" }), of: facts({ communities: [COMMUNITY] }) }),
  "community owner": (role) => ({ who: viewer(role, { memberOf: "owner" }), of: facts({ communities: [COMMUNITY] }) }),
};

type Cells = readonly [Relation, string];

/** One row of R2e: `+` and `-` for the roles 1, 2, 4, 3, -98, -99 in that order. */
function rows(right: (who: Viewer, of: RecordFacts) => boolean, cells: readonly Cells[]) {
  test.each(cells)("R2e %s: %s", (relation, expected) => {
    const got = COLUMNS.map((role) => {
      const { who, of } = RELATIONS[relation](role);
      return right(who, of) ? "+" : "-";
    });
    expect(got.join(" ")).toBe(expected);
  });
}

describe("PUT: any; items of own communities, own, shared; own, shared; nobody else", () => {
  rows(mayUpdate, [
    ["stranger", "+ + - - - -"],
    ["owner", "+ + + + - -"],
    ["shared", "+ + + + - -"],
    ["reader", "+ + - - - -"],
    ["curator", "+ + - - - -"],
    ["manager", "+ + + - - -"],
    ["community owner", "+ + + - - -"],
  ]);
});

describe("DELETE: any; items of own communities, own; own; nobody else, not whom it is shared with (R15)", () => {
  rows(mayDelete, [
    ["stranger", "+ + - - - -"],
    ["owner", "+ + + + - -"],
    ["shared", "+ + - - - -"],
    ["reader", "+ + - - - -"],
    ["curator", "+ + - - - -"],
    ["manager", "+ + + - - -"],
    ["community owner", "+ + + - - -"],
  ]);
});

describe("tools, drafts and versions: any; own, shared, curated; own for accounts without a role; none", () => {
  rows(mayEdit, [
    ["stranger", "+ + - - - -"],
    ["owner", "+ + + + + -"],
    ["shared", "+ + + + - -"],
    ["reader", "+ + - - - -"],
    ["curator", "+ + + + - -"],
    ["manager", "+ + + + - -"],
    ["community owner", "+ + + + - -"],
  ]);
});

describe("tools, delete and restore a published record: administrators", () => {
  rows(mayRemove, [
    ["stranger", "+ + - - - -"],
    ["owner", "+ + - - - -"],
    ["manager", "+ + - - - -"],
  ]);
});

describe("privileged for an item (R2d): administrators, owner, shared, curators and managers", () => {
  rows(isPrivileged, [
    ["stranger", "+ + - - - -"],
    ["owner", "+ + + + + -"],
    ["shared", "+ + + + + -"],
    ["reader", "+ + - - - -"],
    ["curator", "+ + + + + -"],
    ["manager", "+ + + + + -"],
    ["community owner", "+ + + + + -"],
  ]);
});

describe("POST deposit", () => {
  const cells = (right: (role: RoleId) => boolean) => COLUMNS.map((role) => (right(role) ? "+" : "-")).join(" ");
  test("R2e accounts without a role and guests deposit nothing, whatever an index allows", () => {
    expect(cells((role) => mayDeposit(viewer(role)))).toBe("+ + + + - -");
    expect(cells((role) => mayContribute(viewer(role), [gate()]))).toBe("+ + + + - -");
  });
  test("R2e where contribute does not admit only administrators deposit, and role 4 into the subtree of an own community", () => {
    const closed = [gate({ contributeRole: [] }), gate({ id: ROOT, contributeRole: [] })];
    expect(cells((role) => mayContribute(viewer(role), closed))).toBe("+ + - - - -");
    expect(cells((role) => mayContribute(viewer(role, { memberOf: "manager" }), closed))).toBe("+ + + - - -");
    expect(cells((role) => mayContribute(viewer(role, { memberOf: "curator" }), closed))).toBe("+ + - - - -");
  });
  test.each([
    ["the role", { contributeRole: [3] }, "+ + - + - -"],
    ["the other role", { contributeRole: [4] }, "+ + + - - -"],
    ["a group", { contributeRole: [], contributeGroup: [9] }, "+ + + + - -"],
    ["another group", { contributeRole: [], contributeGroup: [10] }, "+ + - - - -"],
  ] as const)("R2e an index whose contribute lists name %s", (_, changes, expected) => {
    expect(cells((role) => mayContribute(viewer(role, { groups: [9] }), [gate(changes)]))).toBe(expected);
  });
  test("R2e an index that does not exist takes nothing but what administrators put there", () => {
    expect(cells((role) => mayContribute(viewer(role), []))).toBe("+ + - - - -");
  });
});

describe("who is asked to sign in", () => {
  test.each(COLUMNS.map((role) => [role, role === -99 ? "unauthenticated" : "forbidden"] as const))(
    "R2e role %p without a right is %s",
    (role, kind) => expect(refusalFor(viewer(role))).toBe(kind),
  );
  test("R2e the command line is an administrator without an account", () => {
    expect(mayUpdate(REPOSITORY_OPERATOR, facts())).toBe(true);
    expect(mayRemove(REPOSITORY_OPERATOR)).toBe(true);
  });
});

describe("browsing an index", () => {
  const guest = viewer(-99);
  const someone = viewer(3, { groups: [9] });
  test.each<[string, Lineage, boolean, boolean]>([
    ["open with open ancestors", [gate(), gate({ id: 6 })], true, true],
    ["private", [gate({ publicState: false })], false, false],
    ["below a private ancestor", [gate(), gate({ id: 6, publicState: false })], false, false],
    ["public from today", [gate({ publicDate: TODAY })], true, true],
    ["public from tomorrow", [gate({ publicDate: TOMORROW })], false, false],
    ["below an ancestor public from tomorrow", [gate(), gate({ publicDate: TOMORROW })], false, false],
    ["for guests only: the lists are literal", [gate({ browsingRole: [-99] })], true, false],
    ["for role 3 only", [gate({ browsingRole: [3] })], false, true],
    ["for a group", [gate({ browsingRole: [], browsingGroup: [9] })], false, true],
    ["for another group", [gate({ browsingRole: [], browsingGroup: [10] })], false, false],
    ["with empty lists", [gate({ browsingRole: [] })], false, false],
    ["below an ancestor for nobody", [gate(), gate({ id: 6, browsingRole: [] })], false, false],
    ["that does not exist", [], false, false],
  ])("R2d an index %s", (_, lineage, guests, registered) => {
    expect(mayBrowseIndex(guest, lineage, TODAY)).toBe(guests);
    expect(mayBrowseIndex(someone, lineage, TODAY)).toBe(registered);
    if (lineage.length > 0)
      for (const role of [1, 2] as const) expect(mayBrowseIndex(viewer(role), lineage, TODAY)).toBe(true);
  });
  test("R2e role 4 browses its own subtree, however private", () => {
    const closed = [gate({ publicState: false, browsingRole: [] }), gate({ id: ROOT })];
    expect(mayBrowseIndex(viewer(4, { memberOf: "manager" }), closed, TODAY)).toBe(true);
    expect(mayBrowseIndex(viewer(4), closed, TODAY)).toBe(false);
    expect(mayBrowseIndex(viewer(3, { memberOf: "manager" }), closed, TODAY)).toBe(false);
  });
});

describe("reading a record", () => {
  const closed: Lineage = [gate({ publicState: false })];
  test.each<[string, Partial<RecordFacts>, boolean]>([
    ["published, public, open since today, in no index", {}, true],
    ["restricted", { access: { ...OPEN, record: "restricted" } }, false],
    ["open since yesterday", { access: { ...OPEN, openDate: YESTERDAY } }, true],
    ["open from tomorrow", { access: { ...OPEN, openDate: TOMORROW } }, false],
    ["in one index that may not be browsed", { lineages: [closed] }, false],
    ["in two indexes, one of which may be browsed", { lineages: [closed, [gate()]] }, true],
    ["with restricted files", { access: { ...OPEN, files: "restricted" } }, true],
    ["public, with an embargo on its files", { access: { ...OPEN, embargoUntil: TOMORROW } }, true],
    [
      "restricted under an embargo until tomorrow",
      { access: { ...OPEN, record: "restricted", embargoUntil: TOMORROW } },
      false,
    ],
    [
      "restricted under an embargo that ends today",
      { access: { ...OPEN, record: "restricted", embargoUntil: TODAY } },
      true,
    ],
  ])("R2d others and a record that is %s", (_, changes, expected) => {
    for (const who of [viewer(-99), viewer(-98), viewer(3), viewer(4)]) {
      expect(mayReadRecord(who, facts(changes), TODAY)).toBe(expected);
    }
    expect(mayReadRecord(viewer(3, { id: OWNER }), facts(changes), TODAY)).toBe(true);
    expect(mayReadRecord(viewer(1), facts(changes), TODAY)).toBe(true);
  });
  test.each(["draft", "deleted"] as const)("R2c nobody reads a %s item as a record", (state) => {
    for (const role of ALL) expect(mayReadRecord(viewer(role, { id: OWNER }), facts({ state }), TODAY)).toBe(false);
  });
});

describe("reading a file", () => {
  type File = Pick<ItemFile, "access" | "accessDate" | "groups">;
  const file = (changes: Partial<File> = {}): File => ({ access: "open", accessDate: null, groups: [], ...changes });
  test.each<[string, Partial<RecordFacts>, File, string]>([
    ["open", {}, file(), "+ + +"],
    ["closed", {}, file({ access: "closed" }), "- - -"],
    ["from today", {}, file({ access: "date", accessDate: TODAY }), "+ + +"],
    ["from tomorrow", {}, file({ access: "date", accessDate: TOMORROW }), "- - -"],
    ["from a day that is not named", {}, file({ access: "date" }), "- - -"],
    ["for who is signed in", {}, file({ access: "login" }), "- + +"],
    ["for a group", {}, file({ access: "login", groups: [9] }), "- - +"],
    ["open in a record that may not be read", { access: { ...OPEN, record: "restricted" } }, file(), "- - -"],
    ["open while files are restricted", { access: { ...OPEN, files: "restricted" } }, file(), "- - -"],
    ["open under an embargo until tomorrow", { access: { ...OPEN, embargoUntil: TOMORROW } }, file(), "- - -"],
    [
      "open under an embargo that ends today",
      { access: { ...OPEN, files: "restricted", embargoUntil: TODAY } },
      file(),
      "+ + +",
    ],
    [
      "closed under an embargo that ends today",
      { access: { ...OPEN, embargoUntil: TODAY } },
      file({ access: "closed" }),
      "- - -",
    ],
  ])("R2d guests, accounts and members of group 9 and a file that is %s", (_, changes, it, expected) => {
    const others = [viewer(-99), viewer(3), viewer(3, { groups: [9] })];
    expect(others.map((who) => (fileReading(who, facts(changes), TODAY)(it) ? "+" : "-")).join(" ")).toBe(expected);
    expect(fileReading(viewer(3, { id: OWNER }), facts(changes), TODAY)(it)).toBe(true);
  });
});

test("R2d an embargo is over on its day, not the day before", () => {
  const access: Access = {
    ...OPEN,
    record: "restricted",
    files: "restricted",
    embargoUntil: TOMORROW,
    embargoReason: "because",
  };
  expect(accessOn(access, TODAY)).toBe(access);
  expect(accessOn(access, TOMORROW)).toEqual({ ...OPEN, embargoUntil: null, embargoReason: "" });
});
