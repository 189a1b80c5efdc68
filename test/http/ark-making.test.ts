// Making names over HTTP: the fields of mint, bulk mint, register and import, and what their refusals carry
// (specification 1, "Mint input", "Bulk mint", "Register input"; A8, A13 to A15, A20, A27, A28, A30, A46).
import { beforeAll, describe, expect, test } from "bun:test";
import { DESCRIPTIVE_FIELDS } from "../../src/ark/record.ts";
import { anOrganisation, aShoulder, NOW } from "../support/seed.ts";
import type { Json } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ names: { bulkRows: 5 } });
beforeAll(async () => {
  await world.store.transact((tx) =>
    tx.saveShoulder(aShoulder({ shoulder: "qt", organisationId: world.seeded.orgA, importOnly: true, checked: false })),
  );
});

const post = (path: string, body: Json, who = "org-a") => world.send(who, "POST", path, body);

describe("mint", () => {
  test("L13 L14 L15 L41 A8 A16 {} mints: 201, published at once, every field there and empty", async () => {
    const { status, body } = await post("mint", {});
    expect(status).toBe(201);
    expect(body.ark).toMatch(/^ark:99999\/b1[0-9bcdfghjkmnpqrstvwxz]{9}$/);
    for (const field of DESCRIPTIVE_FIELDS) expect(body[field]).toBe("");
    const expected = { state: "published", created_at: NOW, updated_at: NOW, published_at: NOW, hold_until: null };
    expect(body).toMatchObject(expected);
  });

  test("L8 L15 A8 with reserve it is unpublished and may be deleted", async () => {
    const { status, body } = await post("mint", { reserve: true, title: "Kept back" });
    expect([status, body.state, body.published_at, body.title]).toEqual([201, "reserved", null, "Kept back"]);
    expect((await post("delete", { ark: body.ark })).status).toBe(200);
  });

  test("L15 a request_id has at most 200 characters", async () => {
    expect((await post("mint", { request_id: "r".repeat(200) })).status).toBe(201);
    const { status, body } = await post("mint", { request_id: "r".repeat(201) });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ["body", "request_id"], type: "string_too_long" }]);
  });

  test("L4 L41 A46 a naan in a mint is 422, and so is a mistyped reserve: neither mints", async () => {
    for (const field of ["naan", "reserved"]) {
      const { status, body } = await post("mint", { [field]: true });
      expect(status).toBe(422);
      expect(body.detail).toMatchObject([{ loc: ["body", field], type: "extra_forbidden" }]);
    }
  });

  test("L4 A22 a shoulder of another organisation is 403 (1302), whether it is there or not", async () => {
    for (const shoulder of ["c2", "99999/c2", "zz9"]) {
      const { status, body } = await post("mint", { shoulder });
      expect([status, body.code]).toEqual([403, "SVC-1302"]);
    }
    expect((await post("mint", { shoulder: "zz9" }, "naan")).body.code).toBe("SVC-1008");
  });

  test("A20 targets with placeholders are filled, refused ones are 422 at their field", async () => {
    const { body } = await post("mint", { url: "https://x.example/${name}" });
    expect(body.url).toBe(`https://x.example/${String(body.ark).slice("ark:99999/".length)}`);
    for (const url of ["JavaScript:alert(1)", " data:,x", `https://x.example/${"${ark}".repeat(200)}`]) {
      const refused = await post("mint", { url });
      expect(refused.status).toBe(422);
      expect(refused.body.detail).toMatchObject([{ loc: ["body", "url"] }]);
    }
  });
});

describe("bulk mint", () => {
  test("L16 L42 A13 minted in the order sent, created and replayed counted", async () => {
    const data = [{ title: "0" }, { title: "1", request_id: "k" }, { title: "2", request_id: "k" }];
    const { status, body } = await post("mint/bulk", { data });
    expect([status, body.created, body.replayed]).toEqual([201, 2, 1]);
    expect((body.minted as readonly Json[]).map(({ title }) => title)).toEqual(["0", "1", "1"]);
    expect(Object.keys(body).sort()).toEqual(["created", "minted", "replayed"]);
  });

  test("A14 empty data is 200 and zeros; a row too many is 400 (1011) and mints nothing", async () => {
    const empty = await post("mint/bulk", { data: [] });
    expect([empty.status, empty.body]).toEqual([200, { minted: [], created: 0, replayed: 0 }]);
    const many = await post("mint/bulk", { data: [{}, {}, {}, {}, {}, { request_id: "sixth" }] });
    expect([many.status, many.body.code, many.body.detail]).toEqual([400, "SVC-1011", { rows: 6, limit: 5 }]);
    expect((await post("mint", { request_id: "sixth" })).status).toBe(201);
  });
});

describe("register", () => {
  test("L17 L43 A7 a part of an existing name, 201, and 200 for its repeat", async () => {
    const base = await world.make("published");
    const first = await post("register", { ark: base, qualifier: "/page/3", title: "Page 3", request_id: "page 3" });
    expect([first.status, first.body.ark, first.body.state]).toEqual([201, `${base}/page/3`, "published"]);
    const again = await post("register", { ark: base, qualifier: "/page/3", request_id: "page 3" });
    expect([again.status, again.headers.get("idempotency-replayed"), again.body]).toEqual([200, "true", first.body]);
    for (const [qualifier, code] of [
      ["page", "SVC-1002"],
      ["", "SVC-1002"],
      ["/", "SVC-1003"],
      ["/a b", "SVC-1001"],
    ]) {
      const { status, body } = await post("register", { ark: base, qualifier });
      expect([status, body.code]).toEqual([400, code]);
    }
    expect((await post("register", { ark: base, qualifier: "/page/3" })).body.code).toBe("SVC-1005");
  });

  test("L17 ark and qualifier are required", async () => {
    const { status, body } = await post("register", {});
    expect(status).toBe(422);
    expect((body.detail as readonly Json[]).map(({ loc, type }) => [loc, type])).toEqual([
      [["body", "ark"], "missing"],
      [["body", "qualifier"], "missing"],
    ]);
  });
});

describe("import", () => {
  test("A15 names minted elsewhere come in one by one and in bulk, in any spelling", async () => {
    const one = await post("import", { ark: "https://n2t.net/ark:/99999/qt-One", url: "https://x.example/1" });
    expect([one.status, one.body.ark, one.body.state]).toEqual([201, "ark:99999/qtOne", "published"]);
    const bulk = await post("import/bulk", { data: [{ ark: "99999/qtTwo", reserve: true }, { ark: "99999/qtThree" }] });
    expect([bulk.status, bulk.body.created, bulk.body.replayed]).toEqual([201, 2, 0]);
    expect((bulk.body.imported as readonly Json[]).map(({ ark, state }) => [ark, state])).toEqual([
      ["ark:99999/qtTwo", "reserved"],
      ["ark:99999/qtThree", "published"],
    ]);
  });

  test("A14 A28 a refusal states why and in which row, and nothing of the call is there", async () => {
    for (const [ark, status, code] of [
      ["99999/qtOne", 409, "SVC-1005"],
      ["99999/b1wrong", 400, "SVC-1012"],
      ["99999/r7x", 403, "SVC-1307"],
      ["99999/qtNew", 400, "SVC-1019"],
    ] as const) {
      const answer = await post("import/bulk", { data: [{ ark: "99999/qtNew" }, { ark }] });
      expect([answer.status, answer.body.code, (answer.body.detail as Json).row]).toEqual([status, code, 1]);
    }
    expect(await world.read("99999/qtNew")).toBeUndefined();
  });
});

describe("quota", () => {
  test("A27 A28 the quota used up is 429 (1601) with quota, used, requested and Retry-After", async () => {
    const organisation = { id: world.seeded.orgB, name: "org-b", defaultShoulder: "c2" };
    await world.store.transact((tx) => tx.saveOrganisation(anOrganisation({ ...organisation, quotaPerDay: 2 })));
    expect((await post("mint", { request_id: "q" }, "org-b")).status).toBe(201);
    const { status, body, headers } = await post("mint/bulk", { data: [{}, {}] }, "org-b");
    expect([status, body.code, body.detail]).toEqual([429, "SVC-1601", { quota: 2, used: 1, requested: 2 }]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await post("mint", { request_id: "q" }, "org-b")).status).toBe(200);
  });
});
