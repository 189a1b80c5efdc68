// Who may move an activity, and what a workflow may be (R16, R2e).
import { describe, expect, test } from "bun:test";
import { GUEST, type MemberRole, type RoleId, type Viewer } from "../../src/auth/account.ts";
import {
  type ApprovalFacts,
  actionsProblem,
  mayApprove,
  mayCancel,
  maySeeActivity,
  nextStop,
  takesDeposits,
  WORKFLOW_ACTIONS_MAX,
} from "../../src/model/rights/workflow-rules.ts";
import { anAccount } from "../support/accounts.ts";

function viewer(id: number, role: RoleId, communities: readonly (readonly [string, MemberRole])[] = []): Viewer {
  const roles = role === -98 ? [] : [role];
  return {
    ...GUEST,
    account: anAccount({ id, roles }),
    roles: [role],
    memberships: communities.map(([communityId, member]) => ({ communityId, role: member, rootIndex: null })),
  };
}

const facts = (fields: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  approvers: { roles: [], accounts: [], communities: [] },
  depositor: 10,
  onBehalfOf: null,
  communities: ["maps"],
  ...fields,
});
const named = { roles: [3, 4], accounts: [], communities: [] };

describe("R2e approving", () => {
  test("R2e administrators approve any activity, their own deposit too", () => {
    for (const role of [1, 2] as const) {
      expect(mayApprove(viewer(1, role), facts())).toBe(true);
      expect(mayApprove(viewer(10, role), facts())).toBe(true);
    }
  });

  test("R2e a registered user approves where the workflow names the role or the account, and nowhere else", () => {
    expect(mayApprove(viewer(1, 3), facts())).toBe(false);
    expect(mayApprove(viewer(1, 3), facts({ approvers: named }))).toBe(true);
    expect(mayApprove(viewer(1, 3), facts({ approvers: { roles: [], accounts: [1], communities: [] } }))).toBe(true);
    expect(mayApprove(viewer(2, 3), facts({ approvers: { roles: [], accounts: [1], communities: [] } }))).toBe(false);
  });

  test("R2e a community administrator approves what is in an own community, and where the workflow names them", () => {
    expect(mayApprove(viewer(1, 4, [["maps", "manager"]]), facts())).toBe(true);
    expect(mayApprove(viewer(1, 4, [["maps", "owner"]]), facts())).toBe(true);
    expect(mayApprove(viewer(1, 4, [["maps", "curator"]]), facts())).toBe(false);
    expect(mayApprove(viewer(1, 4, [["texts", "owner"]]), facts())).toBe(false);
    expect(mayApprove(viewer(1, 4), facts({ approvers: named }))).toBe(true);
    const curators = { roles: [], accounts: [], communities: ["texts"] };
    expect(mayApprove(viewer(1, 4, [["texts", "curator"]]), facts({ approvers: curators }))).toBe(true);
    expect(mayApprove(viewer(1, 4, [["texts", "reader"]]), facts({ approvers: curators }))).toBe(false);
  });

  test("R2e a member of role 3 does not approve by being a manager of a community: that is role 4's", () => {
    expect(mayApprove(viewer(1, 3, [["maps", "manager"]]), facts())).toBe(false);
  });

  test("R2e nobody else approves, whomever the workflow names: general users and guests never", () => {
    const everybody = { roles: [1, 2, 3, 4, -98, -99], accounts: [1], communities: [] };
    expect(mayApprove(viewer(1, -98), facts({ approvers: everybody }))).toBe(false);
    expect(mayApprove(GUEST, facts({ approvers: everybody }))).toBe(false);
  });

  test("R2e R15 no approvers approve their own deposit, nor one made for them", () => {
    expect(mayApprove(viewer(10, 3), facts({ approvers: named }))).toBe(false);
    expect(mayApprove(viewer(11, 3), facts({ approvers: named, onBehalfOf: 11 }))).toBe(false);
    expect(mayApprove(viewer(10, 4, [["maps", "owner"]]), facts())).toBe(false);
  });

  test("R16 an activity is seen by its depositor, by whom it is for, and by its approvers; it is cancelled by depositor and approvers", () => {
    expect(maySeeActivity(viewer(10, 3), facts())).toBe(true);
    expect(maySeeActivity(viewer(11, -98), facts({ onBehalfOf: 11 }))).toBe(true);
    expect(maySeeActivity(viewer(12, 3), facts())).toBe(false);
    expect(maySeeActivity(viewer(1, 2), facts())).toBe(true);
    expect(maySeeActivity(GUEST, facts())).toBe(false);
    expect(mayCancel(viewer(10, 3), facts())).toBe(true);
    expect(mayCancel(viewer(11, 3), facts({ onBehalfOf: 11 }))).toBe(false);
    expect(mayCancel(viewer(1, 1), facts())).toBe(true);
    expect(mayCancel(viewer(12, 3), facts())).toBe(false);
  });
});

describe("R16 workflows", () => {
  const registration = ["start", "item_registration", "item_link", "identifier_grant", "approval", "end"];

  test("R16 a workflow stops at its next approval, else at its end", () => {
    const actions = ["start", "item_registration", "approval", "item_link", "approval", "end"] as const;
    expect([0, 2, 3, 5].map((step) => nextStop(actions, step))).toEqual([2, 2, 4, 5]);
  });

  test("message 22 a workflow that is deleted or registers no item takes no deposit", () => {
    expect(takesDeposits({ deleted: false, actions: registration })).toBe(true);
    expect(takesDeposits({ deleted: true, actions: registration })).toBe(false);
    expect(takesDeposits({ deleted: false, actions: ["start", "approval", "end"] })).toBe(false);
  });

  test.each([
    [registration, "registration", null],
    [["start", "approval", "end"], "deletion", null],
    [["start", "end"], "deletion", null],
    [["start", "oa_policy", "end"], "registration", "Unknown action"],
    [["item_registration", "end"], "registration", "begins with start"],
    [["start", "item_registration"], "registration", "ends with end"],
    [[], "registration", "begins with start"],
    [["start", "start", "end"], "registration", "one start"],
    [["start", "end", "end"], "registration", "one start and one end"],
    [["start", "item_registration", "item_registration", "end"], "registration", "one item_registration"],
    [["start", "approval", "item_registration", "end"], "registration", "comes before item_registration"],
    [["start", "item_registration", "end"], "deletion", "registers no item"],
    [["start", ...Array.from({ length: WORKFLOW_ACTIONS_MAX }, () => "approval"), "end"], "deletion", "at most"],
  ] as const)("R16 the actions %j of a %s: %s", (actions, kind, problem) => {
    const found = actionsProblem(actions, kind);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });
});
