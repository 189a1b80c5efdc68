// The rules of the index tree without a database: the plan of a viewer's tree and the text of a listing (R2e, R24).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GUEST } from "../../src/auth/account.ts";
import type { IndexNode } from "../../src/model/indexes/index-node.ts";
import { viewOf } from "../../src/model/rights/index-rights.ts";
import { treeText } from "../../src/repository/index-tree/index-answers.ts";
import { makeIndex } from "../../src/repository/index-tree/new-index.ts";
import { treePlanner } from "../../src/repository/index-tree/tree-order.ts";

const AT = "2026-06-15T12:00:00.000Z";
const aNode = (id: number, parent: number, position: number, publicState = true): IndexNode => ({
  ...makeIndex({ parent, indexName: `索引 "${id}"` }, null, { id, position, owner: null, at: AT }),
  publicState,
});

type Tree = { readonly id: number; readonly children: readonly Tree[] };

/**
 * The plain way: by recursion. What is hidden hides what is below it, but for own subtrees, which move up to the
 * nearest shown one.
 */
function plainly(
  nodes: readonly IndexNode[],
  own: ReadonlySet<number>,
  parent: number,
  given: "shown" | "hidden" | "own",
): Tree[] {
  const children = nodes
    .filter((node) => node.parent === parent)
    .sort((a, b) => a.position - b.position || a.id - b.id);
  return children.flatMap((node) => {
    const isOwn = given === "own" || own.has(node.id);
    const state = isOwn ? "own" : given === "hidden" || !node.publicState ? "hidden" : "shown";
    const below = plainly(nodes, own, node.id, state);
    return state === "hidden" ? below : [{ id: node.id, children: below }];
  });
}

function written(nodes: readonly IndexNode[], own: ReadonlySet<number>, pretty: boolean, bare = false) {
  const planner = treePlanner({ admits: (index) => index.publicState, own });
  planner.add(nodes);
  const plan = planner.plan(0);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const writer = treeText(pretty, bare);
  let text = writer.start();
  for (const [entry, id] of plan.ids.entries()) {
    const node = byId.get(id);
    if (node !== undefined) text += writer.node(node, plan.depths[entry] ?? 0, plan.pathOf(entry));
  }
  return text + writer.end();
}

type Written = {
  readonly cid: number;
  readonly pid: number;
  readonly parent?: string;
  readonly children: readonly Written[];
};

const idsOf = (node: { readonly children: readonly Written[] }): Tree[] =>
  node.children.map((child) => ({ id: child.cid, children: idsOf(child) }));

/** Each index hangs below one that comes before it, or below the root. */
const someNodes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.boolean(), fc.boolean()), { maxLength: 25 });

describe("viewOf()", () => {
  test("R24 tells viewers apart by role, group, own subtree and day, and by nothing else", () => {
    const community = { communityId: "c", role: "owner" as const };
    const views = [
      viewOf(GUEST, "2026-06-15"),
      viewOf(GUEST, "2026-06-16"),
      viewOf({ ...GUEST, roles: [3] }, "2026-06-15"),
      viewOf({ ...GUEST, roles: [3], groups: [9] }, "2026-06-15"),
      viewOf({ ...GUEST, roles: [3], groups: [10] }, "2026-06-15"),
      viewOf({ ...GUEST, roles: [4], memberships: [{ ...community, rootIndex: 9 }] }, "2026-06-15"),
      viewOf({ ...GUEST, roles: [4], memberships: [{ ...community, rootIndex: 10 }] }, "2026-06-15"),
      viewOf({ ...GUEST, roles: [1] }, "2026-06-15"),
    ];
    expect(new Set(views).size).toBe(views.length);
    const one = { ...GUEST, roles: [3, 4] as const, groups: [9, 10] };
    const other = { ...one, roles: [4, 3] as const, groups: [10, 9], clientId: "other", address: "192.0.2.1" };
    expect(viewOf(one, "2026-06-15")).toBe(viewOf(other, "2026-06-15"));
  });
});

describe("the tree of a viewer", () => {
  test("R2e R24 is planned without recursion as the plain way makes it, for any tree and any own subtrees", () => {
    fc.assert(
      fc.property(someNodes, fc.boolean(), (generated, pretty) => {
        const nodes = generated.map(([above, position, isPublic], i) =>
          aNode(i + 1, i === 0 ? 0 : above % (i + 1), position, isPublic),
        );
        const own = new Set(generated.flatMap(([, position, , isOwn], i) => (isOwn && position === 0 ? [i + 1] : [])));
        const text = written(nodes, own, pretty);
        const parsed: { readonly index: Written } = JSON.parse(text);
        expect(idsOf(parsed.index)).toEqual(plainly(nodes, own, 0, "shown"));
        expect(text).toBe(pretty ? `${JSON.stringify(parsed, null, 4)}\n` : JSON.stringify(parsed));
        const bare = written(nodes, own, pretty, true);
        expect(JSON.parse(bare)).toEqual(parsed.index.children);
        expect(bare).toBe(pretty ? `${JSON.stringify(JSON.parse(bare), null, 4)}\n` : JSON.stringify(JSON.parse(bare)));
        const byId = new Map(nodes.map((node) => [node.id, node]));
        const check = (node: Written): void => {
          const path: number[] = [];
          for (let at = byId.get(node.cid)?.parent ?? 0; at !== 0; at = byId.get(at)?.parent ?? 0) path.unshift(at);
          expect(node.parent ?? "").toBe(path.join("/"));
          expect(node.pid).toBe(path.at(-1) ?? 0);
          for (const child of node.children) check(child);
        };
        for (const child of parsed.index.children) check(child);
      }),
      { numRuns: 300 },
    );
  });

  test("R24 a chain of 5,000 indexes is planned and written without running out of stack", () => {
    const nodes = Array.from({ length: 5000 }, (_, i) => aNode(i + 1, i, 0));
    const planner = treePlanner({ admits: () => true, own: new Set() });
    planner.add(nodes.toReversed());
    const { ids, depths } = planner.plan(0);
    expect([ids.at(-1), depths.at(-1)]).toEqual([5000, 4999]);
    const writer = treeText(false);
    const text = writer.start() + nodes.map((node, i) => writer.node(node, i, "")).join("") + writer.end();
    expect(text.endsWith("]}".repeat(5001).concat("}"))).toBe(true);
  });

  test("an index whose parent is not there, and a circle in damaged data, are left out", () => {
    const nodes = [aNode(1, 0, 0), aNode(2, 99, 0), aNode(3, 4, 0), aNode(4, 3, 0)];
    const planner = treePlanner({ admits: () => true, own: new Set() });
    planner.add(nodes);
    expect(planner.plan(0).ids).toEqual([1]);
  });
});
