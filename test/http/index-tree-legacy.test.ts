// The legacy creation of an index (specification 2, "Legacy index creation"; R26).
import { describe, expect, test } from "bun:test";
import { NOW, NOW_MS } from "../support/world/tree.ts";
import { setUpWorld } from "../support/world.ts";

const TEXT = "'NoneType' object is not iterable";

describe("S2.15 POST /api/indextree/create", () => {
  const world = setUpWorld({ tree: true });
  const modern = setUpWorld({ tree: { legacyIndexCreate: "json" } });
  const create = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    world.ask("admin", "POST", "/indextree/create", body, headers);
  const newest = async () => (await world.store.indexes.children(0)).at(-1);

  test("R26 the index is made, and the answer is 200 with the text that the specification quotes", async () => {
    const names = { index_name: "日本語", index_name_english: "English", comment: "A comment" };
    const info = { ...names, public_state: true, harvest_public_state: false, display_no: 77 };
    const { status, text, headers } = await create({ parent_id: 0, index_info: info });
    expect([status, text]).toEqual([200, TEXT]);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    const stored = { indexName: "日本語", indexNameEnglish: "English", comment: "A comment" };
    // `displayNo` is not one of the five keys.
    const states = { publicState: true, harvestPublicState: false, displayNo: 5 };
    expect(await newest()).toMatchObject({ id: NOW_MS, parent: 0, ...stored, ...states });
  });

  test.each([
    [{ index_name: "only this" }, { indexName: "only this", indexNameEnglish: "New Index" }],
    [{ index_name_english: "only this" }, { indexName: "New Index", indexNameEnglish: "only this" }],
    [{ comment: "only this" }, { comment: "only this", indexName: "New Index" }],
    [{ public_state: true }, { publicState: true, harvestPublicState: true }],
    [{ harvest_public_state: false }, { publicState: false, harvestPublicState: false }],
  ])("R26 one of the five keys is enough: %j", async (info, expected) => {
    expect((await create({ index_info: info })).text).toBe(TEXT);
    expect(await newest()).toMatchObject({ parent: 0, ...expected });
  });

  test("R26 the parent given is the parent; an unknown one is 404", async () => {
    expect((await create({ parent_id: 1, index_info: { comment: "below" } })).status).toBe(200);
    expect((await world.store.indexes.children(1)).map(({ comment }) => comment)).toEqual(["below"]);
    const { status, json } = await create({ parent_id: 4242, index_info: { comment: "nowhere" } });
    expect([status, json.code]).toEqual([404, 404]);
  });

  test.each(["", "{}", "[]", "null", "5", "no json", '"{}"', "{"])("R26 %j is not data to create", async (body) => {
    const { status, json } = await create(body);
    const text = "No data to create.";
    expect([status, json]).toEqual([400, { code: 400, description: text, message: text }]);
  });

  test.each([
    { parent_id: 0 },
    { index_info: {} },
    { index_info: null },
    { index_info: [] },
    { index_info: "index_name" },
    { index_info: { display_no: 5 } },
  ])("R26 %j has no index_info", async (body) => {
    const { status, json } = await create(body);
    const text = "index_info can not be null.";
    expect([status, json]).toEqual([400, { code: 400, description: text, message: text }]);
  });

  test.each([
    [{ parent_id: "0", index_info: { comment: "x" } }, "parent_id"],
    [{ parent_id: -1, index_info: { comment: "x" } }, "parent_id"],
    [{ index_info: { index_name: 5 } }, "index_name"],
    [{ index_info: { public_state: "true" } }, "public_state"],
  ])("R26 a wrong value is 400 naming its field: %j", async (body, field) => {
    const before = await world.store.indexes.treeRevision();
    const { status, json } = await create(body);
    expect([status, json.code]).toEqual([400, 400]);
    expect(json.description).toContain(field);
    expect(await world.store.indexes.treeRevision()).toBe(before);
  });

  test("R26 the Content-Type is not checked", async () => {
    const body = JSON.stringify({ index_info: { comment: "typed" } });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      expect((await create(body, { "content-type": type })).text).toBe(TEXT);
    }
  });

  test("R26 it needs a token with the scope index:create and a role that manages indexes", async () => {
    const body = { index_info: { comment: "x" } };
    const status = async (who: string | null) => (await world.ask(who, "POST", "/indextree/create", body)).status;
    expect(await status(null)).toBe(401);
    expect(await status("admin;index:read,index:update,index:delete")).toBe(403);
    expect(await status("registered")).toBe(403);
    expect(await status("repository-admin;index:create")).toBe(200);
  });

  test("R24 twenty legacy and twenty new creations in the same millisecond make forty indexes", async () => {
    const before = (await world.store.indexes.children(0)).length;
    const both = [
      () => create({ index_info: { comment: "legacy" } }),
      () => world.ask("admin", "POST", "/v1/tree/index", { index: { parent: 0 } }),
    ];
    const answers = await Promise.all(Array.from({ length: 20 }, () => both.map((ask) => ask())).flat());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const now = await world.store.indexes.children(0);
    expect(now.length).toBe(before + 40);
    expect(new Set(now.map(({ id }) => id)).size).toBe(before + 40);
  });

  test("R26 SVC_LEGACY_INDEX_CREATE=json answers 201 with the index", async () => {
    const { status, index, headers } = await modern.ask("admin", "POST", "/indextree/create", {
      index_info: { index_name: "見える" },
    });
    expect(status).toBe(201);
    expect(index).toMatchObject({ id: NOW_MS, parent: 0, index_name: "見える", created: NOW });
    expect(headers.get("location")).toBe(`/api/v1/tree/${NOW_MS}`);
  });
});
