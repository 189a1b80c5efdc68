// PUT and PATCH of descriptions, one and many, and the other bulk calls: what is replaced, what is refused, what stays
// whole (specification 1, "Update input", rule 10; A14, A15, A18, A20).
import { describe, expect, test } from "bun:test";
import { DESCRIPTIVE_FIELDS } from "../../src/ark/record.ts";
import { solemnly } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ names: { bulkRows: 30 } });

const UNKNOWN = "ark:99999/b1unknown";

describe("L18 A18 one description", () => {
  test("L18 A18 PUT replaces: a field left out becomes empty", async () => {
    const ark = await world.make("published", { who: "Somebody", when: "1999" });
    const { status, body } = await world.send("org-a", "PUT", "update", { ark, title: "Only this" });
    expect(status).toBe(200);
    for (const field of DESCRIPTIVE_FIELDS) expect(body[field]).toBe(field === "title" ? "Only this" : "");
    expect(body).toMatchObject({ ark, state: "published" });
  });

  test("A15 PATCH changes only what is sent, and an empty string clears", async () => {
    const ark = await world.make("published", { who: "Somebody", when: "1999" });
    const { body } = await world.send("org-a", "PATCH", "update", { ark, who: "", title: "T" });
    expect(body).toMatchObject({ who: "", title: "T", when: "1999", url: "https://example.org/thing" });
  });

  test("L13 A16 every descriptive field can be written and is returned", async () => {
    const ark = await world.make("reserved");
    const texts = Object.fromEntries(DESCRIPTIVE_FIELDS.map((field) => [field, `https://example.org/${field}`]));
    const { body } = await world.send("org-a", "PUT", "update", { ark, ...texts });
    expect(body).toMatchObject(texts);
  });

  test("A2 an update finds its name in any spelling, and gives the canonical one back", async () => {
    const ark = await world.make("published");
    const name = ark.slice("ark:99999/".length);
    for (const spelled of [
      `ark:/99999/${name}`,
      `ARK:99999/${name}`,
      `99999/${name}`,
      `https://n2t.net/ark:/99999/${name}`,
    ]) {
      const answer = await world.send("org-a", "PATCH", "update", { ark: spelled, title: spelled });
      expect(answer.body).toMatchObject({ ark, title: spelled });
    }
  });

  test("A20 an update refuses a target that runs script, however it is dressed, and fills placeholders", async () => {
    const ark = await world.make("published");
    for (const url of [
      "javascript:alert(1)",
      " JaVaScRiPt:alert(1)",
      "java\tscript:alert(1)",
      "data:text/html,x",
      "not a url",
      // As long as a target may be, until the name is filled in.
      `https://example.org/${"x".repeat(2022)}\${ark}`,
    ]) {
      for (const [method, path, body] of [
        ["PUT", "update", { ark, url }],
        ["PATCH", "update", { ark, url }],
        ["PUT", "tombstone", { ark, url }],
      ] as const) {
        const answer = await world.send("org-a", method, path, body);
        expect(answer.status).toBe(422);
        expect(answer.body.detail).toMatchObject([{ loc: ["body", "url"] }]);
      }
    }
    const filled = await world.send("org-a", "PATCH", "update", { ark, url: "https://example.org/?id=${ark}" });
    expect(filled.body.url).toBe(`https://example.org/?id=${ark}`);
  });

  test("A39 updated_at moves with a change, and not with an update that changes nothing", async () => {
    const ark = await world.make("published");
    const before = await world.read(ark);
    world.time.now = "2026-11-20T10:30:00.000Z";
    await world.send("org-a", "PATCH", "update", { ark, title: "A thing" });
    expect(await world.read(ark)).toEqual(before);
    const changed = await world.send("org-a", "PATCH", "update", { ark, title: "Another" });
    expect(changed.body.updated_at).toBe("2026-11-20T10:30:00.000Z");
    expect(changed.body.created_at).toBe(before?.created_at);
  });

  test("A3 A28 a text that is not an ARK is 400 (1001) with the reason, one too long 400 (1004)", async () => {
    for (const [ark, reason] of [
      ["hello", "A NAAN is made of digits and the letters bcdfghjkmnpqrstvwxz"],
      ["ark:", "The NAAN is missing"],
      ["ark:99999", "The name after the NAAN is missing"],
      ["99999/", "The name after the NAAN is missing"],
      ["ark:99999/-./", "The name after the NAAN is missing"],
      ["ark:99999/b1%zz", "A % is not followed by two hexadecimal digits"],
      ["https://example.org/x", "The path of this URL holds no ark:"],
      ["ark:99999/b{1}", 'A name holds "{" only percent-encoded'],
      ["ark:99999/b1 x", 'A name holds " " only percent-encoded'],
      ["ark:99999/b1\u{1F600}", 'A name holds "\u{1F600}" only percent-encoded'],
    ]) {
      const answer = await world.send("org-a", "PUT", "update", { ark });
      expect(`${ark} ${answer.status} ${answer.body.code}`).toBe(`${ark} 400 SVC-1001`);
      expect(answer.body.detail).toMatchObject({ reason });
    }
    const long = await world.send("org-a", "PUT", "update", { ark: `99999/${"b".repeat(256)}` });
    expect(long.body).toMatchObject({ code: "SVC-1004", detail: { length: 256, limit: 255 } });
  });
});

describe("L10 L45 A14 many at once", () => {
  test("L45 A18 bulk PUT matches rows by name, not by position, and replaces each", async () => {
    const arks = [await world.make("published"), await world.make("reserved"), await world.make("tombstoned")];
    const data = [2, 0, 1].map((index) => ({ ark: arks[index], title: `Title ${index}` }));
    const { status, body } = await world.send("org-a", "PUT", "update/bulk", { data });
    expect(status).toBe(200);
    expect(body).toEqual({ updated: 3 });
    for (const [index, ark] of arks.entries()) {
      expect(await world.read(ark)).toMatchObject({ title: `Title ${index}`, url: "", commitment: "" });
    }
  });

  test("A15 bulk PATCH keeps what is not sent", async () => {
    const arks = [await world.make("published"), await world.make("reserved")];
    const data = arks.map((ark) => ({ ark, who: "Both" }));
    expect((await world.send("org-a", "PATCH", "update/bulk", { data })).body).toEqual({ updated: 2 });
    for (const ark of arks) expect(await world.read(ark)).toMatchObject({ who: "Both", title: "A thing" });
  });

  test("L10 L69 A14 one missing or unreachable row fails the whole request: 404 with the first 20 keys and the count", async () => {
    const mine = await world.make("published");
    const foreign = await world.send("org-b", "POST", "mint", {});
    const unknown = Array.from({ length: 24 }, (_, index) => `ark:99999/b1none${index}`);
    const names = [mine, foreign.body.ark, ...unknown];
    const calls = [
      ["PUT", "update/bulk", { data: names.map((ark) => ({ ark, title: "Never" })) }],
      ["PATCH", "update/bulk", { data: names.map((ark) => ({ ark, title: "Never" })) }],
      ["POST", "publish/bulk", { data: names }],
      ["POST", "unpublish/bulk", { data: names, reason: "Why not", confirm: names.length }],
      ["POST", "delete/bulk", { data: names }],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await world.send("org-a", method, path, body);
      expect(`${path} ${answer.status} ${answer.body.code}`).toBe(`${path} 404 SVC-1401`);
      expect(answer.body.detail).toEqual({ arks: names.slice(1, 21), count: 25, row: 1 });
    }
    expect(await world.read(mine)).toMatchObject({ title: "A thing", state: "published" });
  });

  test("A14 the same ARK twice in one request is 400 (1019), in whatever spelling", async () => {
    const ark = await world.make("published");
    const twice = [ark, `https://n2t.net/ark:/${ark.slice(4)}`];
    const calls = [
      ["PUT", "update/bulk", { data: twice.map((each) => ({ ark: each })) }],
      ["POST", "publish/bulk", { data: twice }],
      ["POST", "unpublish/bulk", { data: twice, reason: "Why not", confirm: 2 }],
      ["POST", "delete/bulk", { data: twice }],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await world.send("org-a", method, path, body);
      expect(answer.body).toMatchObject({ code: "SVC-1019", detail: { ark, row: 1, first_row: 0 } });
      expect(answer.status).toBe(400);
    }
  });

  test("A14 more rows than the limit are 400 (1011), never a silent cut; exactly the limit is served", async () => {
    const rows = Array.from({ length: 31 }, (_, index) => `ark:99999/b1many${index}`);
    const objects = { data: rows.map((ark) => ({ ark })) };
    const calls = [
      ["PUT", "update/bulk", objects],
      ["PATCH", "update/bulk", objects],
      ["POST", "unpublish/bulk", { data: rows, reason: "Why not", confirm: 31 }],
      ["POST", "mint/bulk", { data: rows.map(() => ({})) }],
      ["POST", "import/bulk", objects],
      ...["publish/bulk", "delete/bulk", "query"].map((path) => ["POST", path, { data: rows }] as const),
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await world.send("org-a", method, path, body);
      expect(`${path} ${answer.status} ${answer.body.code}`).toBe(`${path} 400 SVC-1011`);
      expect(answer.body.detail).toMatchObject({ limit: 30 });
    }
    const minted = await world.send("org-a", "POST", "mint/bulk", {
      data: rows.slice(1).map(() => ({ reserve: true })),
    });
    expect(minted.body).toMatchObject({ created: 30, replayed: 0 });
    const arks = (minted.body.minted as readonly { ark: string }[]).map(({ ark }) => ark);
    const deleted = await world.send("org-a", "POST", "delete/bulk", { data: arks, reason: "Tidy" });
    expect(deleted.body).toEqual({ withdrawn: arks, count: 30 });
  });

  test("A14 empty data is 200 with zeros", async () => {
    const calls = [
      ["PUT", "update/bulk", { updated: 0 }],
      ["PATCH", "update/bulk", { updated: 0 }],
      ["POST", "publish/bulk", { published: 0 }],
      ["POST", "unpublish/bulk", { unpublished: 0 }],
      ["POST", "delete/bulk", { withdrawn: [], count: 0 }],
      ["POST", "query", { data: [] }],
      ["POST", "mint/bulk", { minted: [], created: 0, replayed: 0 }],
      ["POST", "import/bulk", { imported: [], created: 0, replayed: 0 }],
    ] as const;
    for (const [method, path, expected] of calls) {
      const answer = await world.send("org-a", method, path, { data: [] });
      expect(`${path} ${answer.status}`).toBe(`${path} 200`);
      expect(answer.body).toEqual(expected);
    }
  });

  test("A14 an error about one row names it, and nothing is written", async () => {
    const [good, gone] = [await world.make("published"), await world.make("tombstoned")];
    const rows = [
      { ark: good, title: "Never" },
      { ark: gone, url: "https://example.org/" },
    ];
    const fresh = () => world.make("reserved");
    const cases = [
      ["PUT", "update/bulk", { data: rows }, "SVC-1505"],
      ["POST", "publish/bulk", { data: [await fresh(), gone] }, "SVC-1505"],
      ["POST", "unpublish/bulk", { data: [good, gone], reason: "Why not", confirm: "2" }, "SVC-1505"],
      ["POST", "unpublish/bulk", { data: [good, await fresh()], reason: "Why", confirm: 2 }, "SVC-1503"],
      ["PUT", "update/bulk", { data: [{ ark: good }, { ark: "not one" }] }, "SVC-1001"],
    ] as const;
    for (const [method, path, body, code] of cases) {
      const answer = await world.send("org-a", method, path, body);
      expect(answer.body).toMatchObject({ code, detail: { row: 1 } });
    }
    expect(await world.read(good)).toMatchObject({ title: "A thing", state: "published" });
  });

  test("L34 L69 A9 bulk delete with a public or ever-public row is 409 and deletes nothing", async () => {
    for (const [state, code] of [
      ["published", "SVC-1501"],
      ["unpublished", "SVC-1504"],
      ["tombstoned", "SVC-1505"],
    ] as const) {
      const reserved = await world.make("reserved");
      const data = [reserved, await world.make(state)];
      const answer = await world.send("org-a", "POST", "delete/bulk", { data });
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code, detail: { ark: data[1], row: 1 } });
      expect(await world.read(reserved)).toMatchObject({ state: "reserved" });
    }
  });

  test("A15 bulk publish and unpublish: confirm is the number of rows", async () => {
    const data = [await world.make("reserved"), await world.make("unpublished"), await world.make("published")];
    expect((await world.send("org-a", "POST", "publish/bulk", { data })).body).toEqual({ published: 3 });
    for (const [body, code] of [
      [{ data, confirm: 3 }, "SVC-1017"],
      [{ data, reason: " ", confirm: 3 }, "SVC-1017"],
      [{ data, reason: "Why not" }, "SVC-1018"],
      [{ data, reason: "Why not", confirm: 2 }, "SVC-1018"],
      [{ data, reason: "Why not", confirm: "three" }, "SVC-1018"],
    ] as const) {
      const answer = await world.send("org-a", "POST", "unpublish/bulk", body);
      expect(`${answer.status} ${answer.body.code}`).toBe(`400 ${code}`);
      if (code === "SVC-1018") {
        expect(answer.body.message).toBe("Unpublishing several names needs confirm to be their number");
        expect(answer.body.detail).toEqual({ count: 3, confirm: "confirm" in body ? String(body.confirm) : "" });
      }
    }
    const done = await world.send("org-a", "POST", "unpublish/bulk", { data, reason: "Why not", confirm: 3 });
    expect(done.body).toEqual({ unpublished: 3 });
    for (const ark of data) {
      expect(await world.read(ark)).toMatchObject({ state: "unpublished" });
      expect((await world.history(ark)).at(-1)).toMatchObject({ action: "unpublish", reason: "Why not" });
    }
  });
});

describe("L44 L67 A22 reach", () => {
  test("L44 L67 A22 names of another organisation are as unknown ones, for every call", async () => {
    const ark = await world.make("published");
    for (const who of ["org-b", "pinned", "foreign"]) {
      for (const [method, path, body] of [
        ["PUT", "update", { ark }],
        ["PATCH", "update", { ark }],
        ["PUT", "tombstone", { ark }],
        ["POST", "publish", { ark }],
        ["POST", "unpublish", solemnly(ark)],
        ["POST", "delete", solemnly(ark)],
        ["POST", "purge", solemnly(ark)],
        ["PUT", "hold", { ark, until: "2026-12-01T00:00:00Z", reason: "R" }],
        ["PUT", "hold/release", { ark }],
      ] as const) {
        const answer = await world.send(who, method, path, body);
        const unknown = await world.send(who, method, path, JSON.parse(JSON.stringify(body).replaceAll(ark, UNKNOWN)));
        expect(`${path} ${answer.status} ${answer.body.code}`).toBe(`${path} 404 SVC-1401`);
        expect(unknown.body).toEqual(JSON.parse(JSON.stringify(answer.body).replaceAll(ark, UNKNOWN)));
      }
    }
    for (const who of ["naan", "system", "org-a"]) {
      expect((await world.send(who, "PATCH", "update", { ark, title: who })).body).toMatchObject({ title: who });
    }
  });

  test("A21 a caller of a disabled organisation may not write (1303)", async () => {
    const ark = await world.make("published");
    const answer = await world.send("disabled", "PUT", "update", { ark });
    expect(`${answer.status} ${answer.body.code}`).toBe("403 SVC-1303");
  });

  test("A18 names under a retired or delegated shoulder can still be described and withdrawn", async () => {
    for (const ark of ["ark:99999/r7old", "ark:99999/d9old"]) {
      const key = ark.slice(4);
      const model = (await world.store.arks([(await world.make("published")).slice(4)])).values().next().value;
      if (model === undefined) throw new Error("No model");
      await world.store.transact((tx) => tx.insertArks([{ ...model, key, shoulder: key.slice(6, 8) }]));
      expect((await world.send("org-a", "PATCH", "update", { ark, title: "T" })).status).toBe(200);
      expect((await world.send("org-a", "POST", "purge", solemnly(ark))).status).toBe(200);
    }
  });
});
