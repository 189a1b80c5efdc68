// Creating, changing, moving and deleting indexes over HTTP (specification 2, "Index tree endpoints"; R9, R24, R25).
import { describe, expect, test } from "bun:test";
import { localRateLimit } from "../../src/shared/http/rate-limit.ts";
import { NOW, NOW_MS } from "../support/world/tree.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const world = setUpWorld({ tree: true });

const post = (index: unknown, who: string | null = "admin") => world.ask(who, "POST", "/v1/tree/index", { index });
const put = (id: number | string, index: unknown, who: string | null = "admin") =>
  world.ask(who, "PUT", `/v1/tree/index/${id}`, { index });

const DEFAULTS = {
  parent: 0,
  index_name: "New Index",
  index_name_english: "New Index",
  index_link_name: "",
  index_link_name_english: "New Index",
  index_link_enabled: false,
  comment: "",
  more_check: false,
  display_no: 5,
  harvest_public_state: true,
  display_format: "1",
  public_state: false,
  public_date: null,
  rss_status: false,
  coverpage_state: false,
  // R2e: all of them; those who contribute have an account.
  browsing_role: "1,2,3,4,-98,-99",
  contribute_role: "1,2,3,4,-98",
  browsing_group: "",
  contribute_group: "",
  online_issn: "",
};
const FULL = {
  parent: 0,
  index_name: "日本語",
  index_name_english: "<i>English</i>",
  index_link_name: "リンク",
  index_link_name_english: "Link",
  index_link_enabled: true,
  comment: "A comment",
  more_check: true,
  display_no: 1000,
  harvest_public_state: false,
  display_format: "2",
  public_state: true,
  public_date: "20240229",
  rss_status: true,
  coverpage_state: true,
  browsing_role: "3,-98",
  contribute_role: "1,2,3",
  online_issn: "1234-5678",
};

describe("S2.14 POST /api/{version}/tree/index", () => {
  test("R24 only the parent is needed; everything else has its default, and the echo has the request's shape", async () => {
    const { status, index, headers } = await post({ parent: 0 });
    expect(status).toBe(201);
    expect(index).toMatchObject(DEFAULTS);
    const id = Number(index.id);
    expect(Number.isInteger(id)).toBe(true);
    expect(index).toMatchObject({ id, created: NOW, updated: NOW, position: expect.any(Number) });
    expect(headers.get("location")).toBe(`/api/v1/tree/${id}`);
  });

  test("R24 every field that is sent is echoed as it was sent", async () => {
    const { status, index } = await post(FULL);
    expect(status).toBe(201);
    expect(index).toMatchObject(FULL);
  });

  test("R24 ids are the time in milliseconds, plus one until it is free", async () => {
    world.time.now = "2026-06-15T12:34:56.789Z";
    const made = await Promise.all(Array.from({ length: 20 }, () => post({ parent: 0 })));
    world.time.now = NOW;
    const ids = made.map(({ index }) => Number(index.id)).sort();
    const first = Date.parse("2026-06-15T12:34:56.789Z");
    expect(ids).toEqual(Array.from({ length: 20 }, (_, i) => first + i));
    expect(first).toBeGreaterThan(NOW_MS);
  });

  test("R24 a child takes display format, harvesting and what is recursive from its parent, unless it sets them", async () => {
    const rights = { browsing_role: "3", contribute_role: "1" };
    const settings = { public_state: true, public_date: "20200101", ...rights, coverpage_state: true };
    const inherited = ["public_state", "browsing_role", "contribute_role", "coverpage_check"];
    const recursive = Object.fromEntries(inherited.map((name) => [`recursive_${name}`, true]));
    const handedDown = { display_format: "2", harvest_public_state: false };
    const plain = await world.make({ ...settings, ...handedDown });
    expect((await post({ parent: plain })).index).toMatchObject({ ...DEFAULTS, parent: plain, ...handedDown });
    const parent = await world.make({ ...settings, ...handedDown, ...recursive });
    const child = await post({ parent });
    expect(child.index).toMatchObject({ ...settings, ...handedDown, ...recursive });
    expect((await post({ parent: child.index.id })).index).toMatchObject({ ...settings, ...handedDown, ...recursive });
    const own = { display_format: "1", harvest_public_state: true, public_state: false, browsing_role: "" };
    expect((await post({ parent, ...own })).index).toMatchObject(own);
  });

  test("R24 the groups of a list exist, and a recursive list of groups goes down", async () => {
    const group = await world.store.transact((tx) => tx.accounts.insertGroup("people", NOW));
    const lists = { browsing_group: `${group}`, contribute_group: `${group}` };
    const flags = { recursive_browsing_group: true, recursive_contribute_group: true };
    const parent = await world.make({ ...lists, ...flags });
    expect((await post({ parent })).index).toMatchObject({ ...lists, ...flags });
    const { status, json } = await post({ parent: 0, browsing_group: `${group},424242` });
    expect(status).toBe(400);
    expect(json.description).toContain("index.browsing_group");
    expect(json.description).toContain("424242");
  });

  test.each([
    ["null", null],
    ["empty", ""],
  ])("R24 a public_date that is %s is echoed as null", async (_, sent) => {
    const { status, index } = await post({ parent: 0, public_date: sent });
    expect([status, index.public_date]).toEqual([201, null]);
    expect((await world.ask("admin", "GET", `/v1/tree/${index.id}`)).index.public_date).toBe("");
  });

  test("R9 everything that is wrong is reported: the first as the message, all with their fields", async () => {
    const wrong = { parent: -1, display_no: 0, browsing_group: "1,424242", comment: "fits" };
    const { status, json } = await post(wrong);
    const first = "Invalid payload: index.parent must be a whole number of 0 or more, not -1";
    expect([status, json.description, json.message]).toEqual([400, first, first]);
    expect(json.errors).toEqual([
      { field: "index.parent", message: first },
      {
        field: "index.display_no",
        message: "Invalid payload: index.display_no must be a whole number from 1 to 1000, not 0",
      },
      {
        field: "index.browsing_group",
        message: expect.stringContaining('names a group that does not exist, not "424242"'),
      },
    ]);
    expect((await post({ parent: -1 })).json).not.toHaveProperty("errors");
  });

  const tooLong = "x".repeat(1001);
  const values: Readonly<Record<string, readonly unknown[]>> = {
    parent: ["0", null, -1, 1.5, 1e300],
    index_name: [null, 5, tooLong, "a\0b", "\ud800"],
    index_name_english: ["", ["x"]],
    index_link_name: [{}, "語".repeat(1001)],
    index_link_name_english: [""],
    index_link_enabled: ["true"],
    comment: ["x".repeat(10_001)],
    more_check: [1],
    display_no: [0, 1001, "5", 2.5],
    harvest_public_state: [null],
    display_format: ["3", 1],
    public_state: ["yes"],
    public_date: ["2026-01-01", "20260230", "20250229", 20260101],
    rss_status: [0],
    coverpage_state: [[]],
    browsing_role: ["5", "1,,2", "one", null],
    contribute_role: ["1;2", Array.from({ length: 1001 }, () => "1").join()],
    browsing_group: ["99"],
    contribute_group: ["x"],
    online_issn: [false],
    recursive_public_state: ["1"],
  };
  const wrong = Object.entries(values).flatMap(([field, each]) => each.map((value) => [field, value] as const));
  test.each(wrong)("R24 %s that is wrong is refused with 400 naming it", async (field, value) => {
    const before = await world.store.indexes.treeRevision();
    const { status, json } = await post({ parent: 0, [field]: value });
    expect([status, json.code]).toEqual([400, 400]);
    expect(json.description).toContain(`index.${field}`);
    expect(await world.store.indexes.treeRevision()).toBe(before);
  });

  test("R24 names have 1,000 characters at most, counted as characters; unknown fields are ignored", async () => {
    const name = "𠮷".repeat(1000);
    const { status, index } = await post({ parent: 0, index_name: name, id: 7, created: "x", nonsense: { a: [1] } });
    expect([status, index.index_name]).toEqual([201, name]);
    expect(index.id).not.toBe(7);
  });

  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const short = { empty: "", "no JSON": "{index", null: "null", "a list": "[]", "a text": '"index"', "no index": "{}" };
  const bodies = Object.entries({
    ...short,
    "an index that is null": '{"index":null}',
    "an index that is a list": '{"index":[{"parent":0}]}',
    "an index without parent": '{"index":{}}',
    "a parent that is deep": `{"index":{"parent":0,"index_name":${deep}}}`,
    deep,
    "no UTF-8 text": '{"index":{"parent":0,"index_name":"\\ud800"}}',
    "a prototype": '{"index":{"__proto__":{"parent":0}}}',
  });
  test.each(bodies)("a body that is %s is refused with 400 in the shape of the indexes", async (_, body) => {
    const { status, json } = await world.ask("admin", "POST", "/v1/tree/index", body);
    expect([status, json.code, typeof json.description]).toEqual([400, 400, "string"]);
    expect(String(json.description).length).toBeLessThan(500);
  });

  test("R24 an unknown or deleted parent is 404", async () => {
    const gone = await world.make({});
    await world.ask("admin", "DELETE", `/v1/tree/index/${gone}`);
    for (const parent of [gone, 123456]) {
      const { status, json } = await post({ parent });
      expect([status, json.code]).toEqual([404, 404]);
      expect(json.description).toContain(String(parent));
    }
  });

  test("a body above the limit is 413, too many requests are 429, both in the shape of the indexes", async () => {
    const rate = localRateLimit({ name: "credential", perMinute: 2, nowMs: () => 0 });
    const small = await openWorld({ tree: { bodyLimit: 1000, rate } });
    const ask = (body: unknown) => small.ask("admin", "POST", "/v1/tree/index", body);
    const large = await ask({ index: { parent: 0, comment: "x".repeat(1000) } });
    expect([large.status, large.json.code]).toEqual([413, 413]);
    expect((await ask({ index: { parent: 0 } })).status).toBe(201);
    const many = await ask({ index: { parent: 0 } });
    expect([many.status, many.json.code, typeof many.json.description]).toEqual([429, 429, "string"]);
    expect(Number(many.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("S2.14 PUT /api/{version}/tree/index/{index_id}", () => {
  test("R25 only what is sent changes, and the updated index comes back with 200", async () => {
    const id = await world.make(FULL);
    world.time.now = "2026-06-16T00:00:00.000Z";
    const { status, index } = await put(id, { comment: "Another", public_date: null });
    world.time.now = NOW;
    expect(status).toBe(200);
    expect(index).toMatchObject({ ...FULL, id, comment: "Another", public_date: null });
    expect([index.created, index.updated]).toEqual([NOW, "2026-06-16T00:00:00.000Z"]);
    const whole = { ...DEFAULTS, browsing_role: "", display_no: 1 };
    expect((await put(id, whole)).index).toMatchObject(whole);
    expect((await put(id, {})).index).toMatchObject(whole);
  });

  test("R25 what GET gave can be sent back, at any depth: nothing changes; the path's last id is the parent", async () => {
    const top = await world.make({ index_name: "top", public_date: "20260601" });
    const middle = await world.make({ parent: top, browsing_role: "1,2,-99" });
    const low = await world.make({ parent: middle, index_name: "low" });
    const tree = async () => (await world.ask("admin", "GET", "/v1/tree")).json;
    for (const id of [top, middle, low]) {
      const before = await tree();
      const { index: shown } = await world.ask("admin", "GET", `/v1/tree/${id}`);
      const answer = await put(id, shown);
      expect([id, answer.status, answer.json.description]).toEqual([id, 200, undefined]);
      expect(await tree()).toEqual(before);
    }
    const { index: shown } = await world.ask("admin", "GET", `/v1/tree/${low}`);
    expect(shown.parent).toBe(`${top}/${middle}`);
    expect((await put(low, { ...shown, parent: String(top) })).index.parent).toBe(top);
    expect((await put(low, { parent: `${top}/${middle}` })).index.parent).toBe(middle);
    expect((await put(top, { parent: `${top}/${middle}` })).status).toBe(400);
    expect((await put(low, { parent: `${top}/424242` })).status).toBe(404);
    for (const parent of [
      "",
      "/",
      "1/",
      "/1",
      "1//2",
      "one",
      "-1",
      "1.5",
      "1/ 2",
      "9".repeat(17),
      "1/".repeat(20_000),
    ]) {
      const { status, json } = await put(low, { parent });
      expect([parent.slice(0, 20), status, String(json.description).includes("index.parent")]).toEqual([
        parent.slice(0, 20),
        400,
        true,
      ]);
    }
  });

  test("R25 the position is the order under the parent, unchanged when it is not sent", async () => {
    const parent = await world.make({});
    const ids = [await world.make({ parent }), await world.make({ parent }), await world.make({ parent })];
    const order = async () =>
      (await world.store.indexes.children(parent)).map((each) => [ids.indexOf(each.id), each.position]);
    expect((await put(ids[2] ?? 0, { position: 0 })).index.position).toBe(0);
    expect(await order()).toEqual([
      [2, 0],
      [0, 1],
      [1, 2],
    ]);
    await put(ids[0] ?? 0, { comment: "stays where it is" });
    expect((await put(ids[2] ?? 0, { position: 1000 })).index.position).toBe(2);
    expect(await order()).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    for (const position of [-1, 1.5, "1", null, 1e300]) {
      const { status, json } = await put(ids[0] ?? 0, { position });
      expect([status, String(json.description).includes("index.position")]).toEqual([400, true]);
    }
  });

  test("R25 another parent moves the index with all below it; below itself or a descendant is 400", async () => {
    const [a, b] = [await world.make({}), await world.make({})];
    const child = await world.make({ parent: a });
    const grandchild = await world.make({ parent: child });
    for (const parent of [a, child, grandchild]) {
      const { status, json } = await put(a, { parent });
      expect(status).toBe(400);
      expect(json.description).toContain(`Failed to move index ${a}`);
    }
    expect((await put(child, { parent: b })).index.parent).toBe(b);
    expect((await world.store.indexes.lineage(grandchild)).map(({ id }) => id)).toEqual([grandchild, child, b]);
    expect((await put(child, { parent: 0 })).index.parent).toBe(0);
    expect((await put(child, { parent: 987654 })).status).toBe(404);
  });

  test("R25 the root is 400, a deleted or unknown index 404", async () => {
    expect((await put(0, { comment: "x" })).status).toBe(400);
    const gone = await world.make({});
    await world.ask("admin", "DELETE", `/v1/tree/index/${gone}`);
    for (const id of [gone, 4711, "abc"]) expect((await put(id, { comment: "x" })).status).toBe(404);
  });
});

describe("S2.14 DELETE /api/{version}/tree/index/{index_id}", () => {
  test("R25 the index and all below it are gone: 204 without a body, then 404", async () => {
    const top = await world.make({});
    const below = await world.make({ parent: top });
    const answer = await world.ask("admin", "DELETE", `/v1/tree/index/${top}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    for (const id of [top, below]) {
      expect((await world.ask("admin", "GET", `/v1/tree/${id}`)).status).toBe(404);
      expect((await world.ask("admin", "DELETE", `/v1/tree/index/${id}`)).status).toBe(404);
    }
    expect((await world.ask("admin", "GET", "/v1/tree")).text).not.toContain(String(top));
  });

  test("R25 the root is 400, and so is anything but delete for items", async () => {
    const root = await world.ask("admin", "DELETE", "/v1/tree/index/0");
    expect([root.status, root.json.code]).toEqual([400, 400]);
    const id = await world.make({});
    for (const items of ["keep", "", "DELETE"]) {
      expect((await world.ask("admin", "DELETE", `/v1/tree/index/${id}?items=${items}`)).status).toBe(400);
    }
    expect((await world.ask("admin", "DELETE", `/v1/tree/index/${id}?items=delete`)).status).toBe(204);
  });
});
