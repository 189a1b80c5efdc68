// Who sees, changes, reviews for and submits to a community, as a table of callers and communities (R2e, R6a, R37).
import { describe, expect, test } from "bun:test";
import { GUEST, type Viewer } from "../../src/auth/account.ts";
import {
  type CommunityFacts,
  mayChangeCommunity,
  mayIncludeDirectly,
  mayReviewFor,
  maySeeCommunity,
  maySubmitTo,
} from "../../src/model/rights/community-rights.ts";
import { anAccount } from "../support/accounts.ts";

const [OURS, OTHERS] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
type Role = "owner" | "manager" | "curator" | "reader";

const account = (roles: Viewer["roles"], memberships: readonly (readonly [string, Role])[]): Viewer => ({
  ...GUEST,
  account: anAccount({ id: 7, roles }),
  roles,
  memberships: memberships.map(([communityId, role]) => ({ communityId, role, rootIndex: null })),
});

/** Each is a member of another community as an owner, too: the role there gives nothing here. */
const CALLERS = {
  guest: GUEST,
  stranger: account([3], [[OTHERS, "owner"]]),
  reader: account(
    [3],
    [
      [OTHERS, "owner"],
      [OURS, "reader"],
    ],
  ),
  curator: account(
    [3],
    [
      [OTHERS, "owner"],
      [OURS, "curator"],
    ],
  ),
  manager: account(
    [3],
    [
      [OTHERS, "owner"],
      [OURS, "manager"],
    ],
  ),
  owner: account(
    [3],
    [
      [OTHERS, "reader"],
      [OURS, "owner"],
    ],
  ),
  administrator: account([2], []),
} as const satisfies Record<string, Viewer>;
type Caller = keyof typeof CALLERS;

const community = (facts: Partial<CommunityFacts> = {}): CommunityFacts => ({
  id: OURS,
  visibility: "public",
  submissionPolicy: "open",
  reviewPolicy: "closed",
  ...facts,
});

const MEMBERS: readonly Caller[] = ["reader", "curator", "manager", "owner"];
const SIGNED_IN: readonly Caller[] = ["stranger", ...MEMBERS, "administrator"];
const admitted = (may: (viewer: Viewer) => boolean): readonly string[] =>
  Object.entries(CALLERS).flatMap(([name, viewer]) => (may(viewer) ? [name] : []));

describe("R2e R37 rights in a community", () => {
  test("a public one is seen by all, a restricted one by members and administrators", () => {
    expect(admitted((viewer) => maySeeCommunity(viewer, community()))).toEqual(["guest", ...SIGNED_IN]);
    const restricted = community({ visibility: "restricted" });
    expect(admitted((viewer) => maySeeCommunity(viewer, restricted))).toEqual([...MEMBERS, "administrator"]);
  });

  test("owners and administrators change it; readers do not review, other members do", () => {
    expect(admitted((viewer) => mayChangeCommunity(viewer, community()))).toEqual(["owner", "administrator"]);
    expect(admitted((viewer) => mayReviewFor(viewer, OURS))).toEqual(["curator", "manager", "owner", "administrator"]);
  });

  test.each<[Partial<CommunityFacts>, readonly Caller[]]>([
    [{}, SIGNED_IN],
    [{ submissionPolicy: "closed" }, [...MEMBERS, "administrator"]],
    [{ visibility: "restricted" }, [...MEMBERS, "administrator"]],
    [{ visibility: "restricted", submissionPolicy: "closed" }, [...MEMBERS, "administrator"]],
  ])("submissions to %j", (facts, callers) => {
    expect(admitted((viewer) => maySubmitTo(viewer, community(facts)))).toEqual([...callers]);
  });

  test.each<[Partial<CommunityFacts>, readonly Caller[]]>([
    [{ reviewPolicy: "open" }, SIGNED_IN],
    [{ reviewPolicy: "open", submissionPolicy: "closed" }, [...MEMBERS, "administrator"]],
    [{ reviewPolicy: "members" }, MEMBERS],
    [{ reviewPolicy: "members", visibility: "restricted" }, MEMBERS],
    [{ reviewPolicy: "closed" }, []],
  ])("without review into %j", (facts, callers) => {
    expect(admitted((viewer) => mayIncludeDirectly(viewer, community(facts)))).toEqual([...callers]);
  });
});
