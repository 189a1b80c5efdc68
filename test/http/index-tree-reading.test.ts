// Reading the index tree over HTTP (specification 2, "Index resource" and "Index tree endpoints"; R2e, R9, R24).
import { beforeAll, describe, expect, test } from "bun:test";
import { aViewer, type TreeJson } from "../support/world/tree.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const SPECIFIED_FIELDS = `pid cid position name index_name value index_name_english value_english link_name
  index_link_name_english index_link_enabled public_state public_date browsing_role contribute_role browsing_group
  contribute_group more_check display_no coverpage_state recursive_coverpage_check is_deleted id emitLoadNextLevel
  settings children`.split(/\s+/);

const childrenOf = (node: TreeJson): readonly TreeJson[] => (Array.isArray(node.children) ? node.children : []);

/** Names of a tree as `a(b(c)d)`. */
function shape(node: TreeJson): string {
  return childrenOf(node)
    .map((child) => `${child.index_name}${childrenOf(child).length > 0 ? `(${shape(child)})` : ""}`)
    .join(" ");
}

/**
 * What a client of existing repositories does with the answer: it walks a list of indexes, each with `id`, `name` and
 * `children`.
 */
function titlesOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) throw new Error("No list");
  return list.flatMap(({ id, name, children }) => [`${id} ${name}`, ...titlesOf(children)]);
}

describe("R13c GET /api/tree", () => {
  const world = setUpWorld({ tree: true });

  test("R13c it answers as the listing with a version does, with the same rights; with action=browsing the indexes are a list", async () => {
    const top = await world.make({ index_name: "top", public_state: true });
    const below = await world.make({ parent: top, index_name: "below", public_state: true });
    await world.make({ parent: top, index_name: "hidden", public_state: false });
    for (const who of ["admin", "registered", "general", null]) {
      const [plain, versioned] = [await world.ask(who, "GET", "/tree"), await world.ask(who, "GET", "/v1/tree")];
      expect([plain.status, plain.json]).toEqual([versioned.status, versioned.json]);
      expect(plain.headers.get("etag")).toBe(versioned.headers.get("etag"));
    }
    const { status, json } = await world.ask("registered", "GET", "/tree?action=browsing");
    expect([status, titlesOf(json)]).toEqual([200, ["1 サンプル", `${top} top`, `${below} below`]]);
    expect((await world.ask(null, "GET", "/tree?action=browsing")).status).toBe(401);
    expect((await world.ask("registered", "GET", "/v1/tree?action=browsing")).index.cid).toBe(0);
    const etag = (await world.ask("admin", "GET", "/tree")).headers.get("etag") ?? "";
    expect((await world.ask("admin", "GET", "/tree", undefined, { "if-none-match": etag })).status).toBe(304);
  });
});

describe("S2.14 GET /api/{version}/tree", () => {
  const world = setUpWorld({ tree: true });

  test("R24 a fresh repository has the root with one public index, id 1", async () => {
    const { status, index, headers } = await world.ask("admin", "GET", "/v1/tree");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    const { children, ...root } = index;
    const members = ["name", "value", "index_name", "index_name_english", "value_english"];
    const same = Object.fromEntries(members.map((member) => [member, "Root-index"]));
    expect(root).toEqual({ cid: 0, id: "0", public_state: true, ...same, index_link_name_english: "" });
    const sample = Object.fromEntries(["name", "value", "index_name"].map((member) => [member, "サンプル"]));
    const english = ["index_name_english", "index_link_name_english", "value_english"];
    const rights = { browsing_role: "1,2,3,4,-98,-99", contribute_role: "1,2,3,4,-98" };
    const groups = { browsing_group: "", contribute_group: "" };
    const place = { pid: 0, cid: 1, id: "1", position: 0, display_no: 5, children: [] };
    const names = {
      ...sample,
      ...Object.fromEntries(english.map((member) => [member, "Sample Index"])),
      link_name: "",
    };
    const state = { index_link_enabled: false, public_state: true, public_date: "", more_check: false };
    const marks = { coverpage_state: false, recursive_coverpage_check: false, is_deleted: false };
    const shown = { emitLoadNextLevel: false, settings: { isCollapsedOnInit: false, checked: false } };
    expect(children).toEqual([{ ...place, ...names, ...state, ...rights, ...groups, ...marks, ...shown }]);
  });

  test("R24 S2.8 every field of the specification's table is answered, with what was written", async () => {
    const named = { index_name: '日本語 <b>"太字"</b> & \'\\', index_name_english: "English </script>" };
    const link = { index_link_name: "リンク", index_link_name_english: "Link", index_link_enabled: true };
    const state = { public_state: true, public_date: "20260101", browsing_role: "3,-98,-99", contribute_role: "1,2" };
    const cover = { coverpage_state: true, recursive_coverpage_check: true };
    const fields = { ...named, ...link, ...state, more_check: true, display_no: 7, ...cover };
    const id = await world.make(fields);
    const { index, text } = await world.ask("admin", "GET", `/v1/tree/${id}`);
    expect(Object.keys(index).sort()).toEqual([...SPECIFIED_FIELDS].sort());
    const { index_link_name, ...same } = fields;
    const names = { name: fields.index_name, value: fields.index_name, value_english: fields.index_name_english };
    expect(index).toMatchObject({ pid: 0, cid: id, id: String(id), ...same, ...names, link_name: index_link_name });
    expect(index).toMatchObject({ is_deleted: false, children: [] });
    // Not HTML-escaped.
    expect(text).toContain("</script>");
  });

  test("R24 children are ordered by position, then id; deeper ones name their parent", async () => {
    const top = await world.make({ index_name: "top", public_state: true });
    const [a, b, c] = [
      await world.make({ parent: top, index_name: "a" }),
      await world.make({ parent: top, index_name: "b" }),
      await world.make({ parent: top, index_name: "c" }),
    ];
    const below = await world.make({ parent: b, index_name: "b1" });
    await world.make({ parent: below, index_name: "b11" });
    await world.ask("admin", "PUT", `/v1/tree/index/${c}`, { index: { position: 0 } });
    const { index } = await world.ask("admin", "GET", `/v1/tree/${top}`);
    expect(shape(index)).toBe("c a b(b1(b11))");
    expect(childrenOf(index).map((each) => [each.cid, each.position, each.pid, each.parent])).toEqual([
      [c, 0, top, `${top}`],
      [a, 1, top, `${top}`],
      [b, 2, top, `${top}`],
    ]);
    const deep = await world.ask("admin", "GET", `/v1/tree/${below}`);
    expect([deep.index.parent, childrenOf(deep.index)[0]?.parent]).toEqual([`${top}/${b}`, `${top}/${b}/${below}`]);
    const whole = await world.ask("admin", "GET", "/v1/tree");
    const listed = childrenOf(whole.index).find((each) => each.cid === top);
    expect(listed).toEqual(index);
    // 0 is the root.
    expect((await world.ask("admin", "GET", "/v1/tree/0")).text).toBe(whole.text);
  });

  test("pretty=true indents by four blanks and has the same content", async () => {
    for (const path of ["/v1/tree", "/v1/tree/1"]) {
      const plain = await world.ask("admin", "GET", path);
      const pretty = await world.ask("admin", "GET", `${path}?pretty=true`);
      expect(pretty.json).toEqual(plain.json);
      expect(pretty.text).toBe(`${JSON.stringify(plain.json, null, 4)}\n`);
      expect(plain.text).toBe(JSON.stringify(plain.json));
    }
  });

  test("R24 the ETag answers 304 until the tree changes, and each viewer has their own", async () => {
    const etagOf = async (who: string, path = "/v1/tree") =>
      (await world.ask(who, "GET", path)).headers.get("etag") ?? "";
    const etag = await etagOf("admin");
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    for (const sent of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
      const same = await world.ask("admin", "GET", "/v1/tree", undefined, { "if-none-match": sent });
      expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect(await etagOf("repository-admin")).toBe(etag);
    expect(await etagOf("general")).not.toBe(etag);
    expect(await etagOf("registered")).not.toBe(await etagOf("community"));
    expect(await etagOf("admin", "/v1/tree/1")).not.toBe(etag);
    await world.make({ index_name: "changes it" });
    const changed = await world.ask("admin", "GET", "/v1/tree", undefined, { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
    expect(changed.headers.get("cache-control")).toContain("private");
  });

  test("R24 a listing is streamed, and stays whole when indexes are deleted while it is being sent", async () => {
    const other = await openWorld({ tree: true });
    const admin = other.viewers.get("admin");
    if (admin === undefined) throw new Error("there is no administrator");
    const made: number[] = [];
    for (let i = 0; i < 600; i++) {
      const parent = i % 3 === 0 ? 0 : (made.at(-1) ?? 0);
      made.push((await other.tree.create(admin, { parent, indexName: `索引 ${i} ${"あ".repeat(50)}` })).id);
    }
    const { text } = await other.tree.open(admin, 0);
    const pieces: string[] = [];
    for await (const piece of text(false)) {
      if (pieces.length === 0) {
        for (const gone of [made[450], made[598]]) await other.tree.remove(admin, gone ?? 0);
      }
      pieces.push(piece);
    }
    expect(pieces.length).toBeGreaterThan(3);
    const parsed: { readonly index: TreeJson } = JSON.parse(pieces.join(""));
    const listed = new Set<unknown>();
    const collect = (node: TreeJson): void => {
      listed.add(node.cid);
      childrenOf(node).forEach(collect);
    };
    collect(parsed.index);
    const gone = [450, 451, 452, 598, 599].map((i) => made[i]);
    expect(made.filter((id) => !listed.has(id))).toEqual(gone.filter((id) => id !== undefined));
  });

  test("HEAD answers as GET without a body", async () => {
    const [get, head] = [await world.ask("admin", "GET", "/v1/tree"), await world.ask("admin", "HEAD", "/v1/tree")];
    expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", get.headers.get("etag")]);
    expect((await world.ask(null, "HEAD", "/v1/tree")).status).toBe(401);
  });

  test("R25 a deleted or unknown index is 404, and so is what is not an id", async () => {
    const id = await world.make({});
    expect((await world.ask("admin", "DELETE", `/v1/tree/index/${id}`)).status).toBe(204);
    for (const asked of [String(id), "999", "abc", "-1", "1.5", "1e3", "01", "99999999999999999999", "%00"]) {
      const { status, json } = await world.ask("admin", "GET", `/v1/tree/${asked}`);
      expect([asked, status, json.code, typeof json.description]).toEqual([asked, 404, 404, "string"]);
    }
  });

  test("R9 S2.16 S2.18 S2.20 an unknown version is 400, a missing or wrong token 401, a missing scope 403, all in the shape of the indexes", async () => {
    const refused = async (who: string | null, path: string) => {
      const { status, json } = await world.ask(who, "GET", path);
      expect(json).toEqual({ code: status, description: expect.any(String), message: json.description });
      return status;
    };
    const version = await world.ask("admin", "GET", "/v2/tree");
    expect(version.json.description).toBe("This API version does not found");
    expect(await refused("admin", "/v2/tree")).toBe(400);
    expect(await refused("admin", "/v1.0/tree/1")).toBe(400);
    expect(await refused(null, "/v1/tree")).toBe(401);
    expect(await refused(null, "/v1/tree/1")).toBe(401);
    expect(await refused("nobody", "/v1/tree")).toBe(401);
    expect(await refused("admin;index:create,index:update,index:delete", "/v1/tree")).toBe(403);
    expect(await refused("admin;index:create", "/v1/tree/1")).toBe(403);
    const challenge = await world.ask(null, "GET", "/v1/tree");
    expect(challenge.headers.get("www-authenticate")).toContain("Bearer");
  });
});

describe("R2e who may browse which index", () => {
  const ids: Record<string, number> = {};
  const publicly = { public_state: true };

  const world = setUpWorld({ tree: true });
  beforeAll(async () => {
    const groups = await world.store.transact(async (tx) => [
      await tx.accounts.insertGroup("readers", "2026-01-01T00:00:00.000Z"),
    ]);
    const group = groups[0] ?? 0;
    const make = async (name: string, fields: TreeJson) => {
      ids[name] = await world.make({ index_name: name, ...fields });
    };
    await world.ask("admin", "DELETE", "/v1/tree/index/1");
    await make("open", publicly);
    await make("private", {});
    await make("below-private", { ...publicly, parent: ids.private });
    await make("tomorrow", { ...publicly, public_date: "20260616" });
    await make("today", { ...publicly, public_date: "20260615" });
    await make("registered", { ...publicly, browsing_role: "3" });
    await make("guests", { ...publicly, browsing_role: "-99" });
    await make("group", { ...publicly, browsing_role: "", browsing_group: String(group) });
    await make("nobody", { ...publicly, browsing_role: "" });
    await make("own", { parent: ids.private });
    await make("below-own", { parent: ids.own, browsing_role: "" });
    world.viewers.set("member", aViewer(6, [-98], { groups: [group] }));
    world.viewers.set(
      "manager",
      aViewer(7, [4], { memberships: [{ communityId: "c", role: "manager", rootIndex: ids.own ?? null }] }),
    );
    world.viewers.set(
      "curator",
      aViewer(8, [4], { memberships: [{ communityId: "c", role: "curator", rootIndex: ids.own ?? null }] }),
    );
    world.viewers.set(
      "manager-without-role",
      aViewer(9, [3], { memberships: [{ communityId: "c", role: "manager", rootIndex: ids.own ?? null }] }),
    );
  });

  const ALL = "open private(below-private own(below-own)) tomorrow today registered guests group nobody";
  const cases: readonly (readonly [string, string])[] = [
    ["admin", ALL],
    ["repository-admin", ALL],
    ["registered", "open today registered"],
    ["general", "open today"],
    ["member", "open today group"],
    ["community", "open today"],
    // Own subtrees are shown whatever hides them; what is around them is not.
    ["manager", "own(below-own) open today"],
    ["curator", "open today"],
    ["manager-without-role", "open today registered"],
  ];
  test.each(cases)("R2e %s sees %s", async (who, seen) => {
    const { index } = await world.ask(who, "GET", "/v1/tree");
    const names = (text: string) => text.split(" ").sort();
    expect(names(shape(index))).toEqual(names(seen));
  });

  test.each(cases)("R2e %s reads one by one exactly what the tree shows", async (who, seen) => {
    for (const [name, id] of Object.entries(ids)) {
      const { status, json } = await world.ask(who, "GET", `/v1/tree/${id}`);
      const shown = seen.split(/[ ()]+/).includes(name);
      expect([name, status]).toEqual([name, shown ? 200 : 403]);
      if (!shown) expect(json.description).toContain("Permission denied");
    }
  });

  test("R2d an index opens on its day, and the ETag of those it opens for changes with it", async () => {
    const before = await world.ask("general", "GET", "/v1/tree");
    world.time.today = "2026-06-16";
    const after = await world.ask("general", "GET", "/v1/tree");
    expect(shape(before.index)).not.toContain("tomorrow");
    expect(shape(after.index)).toContain("tomorrow");
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    world.time.today = "2026-06-15";
  });
});
