// Who may change which index (R2e; specification 2, "Authentication" 3 and 6).
import { beforeAll, describe, expect, test } from "bun:test";
import { aViewer, type TreeJson } from "../support/world/tree.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ tree: true });

const post = (index: unknown, who: string | null) => world.ask(who, "POST", "/v1/tree/index", { index });
const put = (id: number, index: unknown, who: string | null) =>
  world.ask(who, "PUT", `/v1/tree/index/${id}`, { index });

describe("R2e S2.16 who may change which index", () => {
  let own = 0;
  let below = 0;
  let foreign = 0;
  beforeAll(async () => {
    own = await world.make({ index_name: "own" });
    below = await world.make({ parent: own });
    foreign = await world.make({ index_name: "foreign" });
    const membership = (role: "owner" | "manager" | "curator" | "reader", rootIndex: number | null) => [
      { communityId: "c", role, rootIndex },
    ];
    world.viewers.set("manager", aViewer(17, [4], { memberships: membership("manager", own) }));
    world.viewers.set("curator", aViewer(18, [4], { memberships: membership("curator", own) }));
    world.viewers.set("rootless", aViewer(19, [4], { memberships: membership("owner", null) }));
    world.viewers.set("manager-without-role", aViewer(20, [3], { memberships: membership("manager", own) }));
  });

  test("R2e administrators of the repository write anywhere, registered and general users nowhere, guests are asked who they are", async () => {
    const calls = (who: string | null) => [
      () => post({ parent: own }, who),
      () => put(below, { comment: "x" }, who),
      () => world.ask(who, "POST", "/indextree/create", { parent_id: own, index_info: { comment: "x" } }),
    ];
    const statuses = async (who: string | null) => {
      const all: number[] = [];
      for (const call of calls(who)) all.push((await call()).status);
      const id = await world.make({ parent: own });
      all.push((await world.ask(who, "DELETE", `/v1/tree/index/${id}`)).status);
      return all;
    };
    for (const who of ["admin", "repository-admin", "manager"]) {
      expect([who, await statuses(who)]).toEqual([who, [201, 200, 200, 204]]);
    }
    for (const who of ["registered", "general", "community", "curator", "rootless", "manager-without-role"]) {
      expect([who, await statuses(who)]).toEqual([who, [403, 403, 403, 403]]);
    }
    expect(await statuses(null)).toEqual([401, 401, 401, 401]);
    expect(await statuses("nobody")).toEqual([401, 401, 401, 401]);
  });

  test("R2e an administrator of a community stays inside own subtrees: never below the root, never moved out", async () => {
    const inside = await world.make({ parent: below }, "manager");
    expect((await put(inside, { parent: own, position: 0 }, "manager")).status).toBe(200);
    expect((await put(own, { comment: "its own root" }, "manager")).status).toBe(200);
    const refused: readonly (() => Promise<{ status: number; json: TreeJson }>)[] = [
      () => post({ parent: 0 }, "manager"),
      () => post({ parent: foreign }, "manager"),
      () => put(foreign, { comment: "x" }, "manager"),
      () => put(inside, { parent: 0 }, "manager"),
      () => put(inside, { parent: foreign }, "manager"),
      () => put(own, { parent: 0, position: 0 }, "manager"),
      () => put(own, { position: 0 }, "manager"),
      () => world.ask("manager", "DELETE", `/v1/tree/index/${foreign}`),
      () => world.ask("manager", "DELETE", `/v1/tree/index/${inside}?items=delete`),
      () => world.ask("manager", "POST", "/indextree/create", { index_info: { comment: "x" } }),
    ];
    for (const call of refused) {
      const { status, json } = await call();
      expect([status, json.code]).toEqual([403, 403]);
      expect(json.description).toContain("Permission denied");
    }
    expect((await post({ parent: 31337 }, "manager")).status).toBe(404);
  });

  test("R2e a role without the scope, and a scope without the role, are 403", async () => {
    const calls: readonly (readonly [string, string, string, unknown])[] = [
      ["index:create", "POST", "/v1/tree/index", { index: { parent: 0 } }],
      ["index:update", "PUT", `/v1/tree/index/${below}`, { index: {} }],
      ["index:delete", "DELETE", `/v1/tree/index/${below}`, undefined],
      ["index:create", "POST", "/indextree/create", { index_info: { comment: "x" } }],
    ];
    const all = ["index:read", "index:create", "index:update", "index:delete"];
    for (const [scope, method, path, body] of calls) {
      const without = all.filter((each) => each !== scope).join();
      const lacking = await world.ask(`admin;${without}`, method, path, body);
      expect([path, lacking.status, lacking.json.code]).toEqual([path, 403, 403]);
      expect(lacking.json.description).toContain(scope);
      expect((await world.ask(`registered;${scope}`, method, path, body)).status).toBe(403);
      expect((await world.ask("admin", method, path.replace("/v1/", "/v9/"), body)).status).toBe(
        path.startsWith("/v1/") ? 400 : 200,
      );
    }
  });
});
