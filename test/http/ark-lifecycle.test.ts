// The state table of A9 through the management endpoints, one test for each cell, and what each call writes (A8 to A12,
// A17).
import { describe, expect, test } from "bun:test";
import { changeNameIn } from "../../src/ark/change-name.ts";
import { liftTombstoneSteps } from "../../src/ark/lifecycle.ts";
import type { ArkState } from "../../src/ark/record.ts";
import { parseArk } from "../../src/ark/syntax.ts";
import { type Json, solemnly } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ names: true });

const IN_A_WEEK = "2026-11-27T10:00:00Z";

/** How each column of A9 is asked for. */
const CALLS: Readonly<Record<string, (ark: string) => readonly [string, string, Json]>> = {
  update: (ark) => ["PATCH", "update", { ark, title: "Another title" }],
  publish: (ark) => ["POST", "publish", { ark }],
  unpublish: (ark) => ["POST", "unpublish", solemnly(ark)],
  tombstone: (ark) => ["PUT", "tombstone", { ark }],
  hold: (ark) => ["PUT", "hold", { ark, until: IN_A_WEEK, reason: "A complaint" }],
  delete: (ark) => ["POST", "delete", solemnly(ark)],
  "delete/bulk": (ark) => ["POST", "delete/bulk", { data: [ark] }],
  purge: (ark) => ["POST", "purge", solemnly(ark)],
  "register below": (ark) => ["POST", "register", { ark, qualifier: "/part" }],
};

/** A9: status and code, then the state the name is in afterwards. `gone`: it answers as if it were not there. */
const MATRIX = `
  call           | reserved          | published          | unpublished          | tombstoned
  update         | 200 reserved      | 200 published      | 200 unpublished      | 200 tombstoned
  publish        | 200 published     | 200 published      | 200 published        | 409 SVC-1505 tombstoned
  unpublish      | 409 SVC-1503 reserved | 200 unpublished | 409 SVC-1503 unpublished | 409 SVC-1505 tombstoned
  tombstone      | 200 tombstoned    | 200 tombstoned     | 200 tombstoned       | 200 tombstoned
  hold           | 409 SVC-1503 reserved | 200 published  | 409 SVC-1503 unpublished | 409 SVC-1505 tombstoned
  delete         | 200 gone          | 409 SVC-1501 published | 200 gone         | 409 SVC-1505 tombstoned
  delete/bulk    | 200 gone          | 409 SVC-1501 published | 409 SVC-1504 unpublished | 409 SVC-1505 tombstoned
  purge          | 200 gone          | 200 gone           | 200 gone             | 200 gone
  register below | 201 reserved      | 201 published      | 201 unpublished      | 409 SVC-1505 tombstoned`;
const [STATES = [], ...ROWS] = MATRIX.trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));
const expectedIn = (state: ArkState): Readonly<Record<string, string>> => {
  const column = STATES.indexOf(state);
  return Object.fromEntries(ROWS.map((row) => [row[0], (column < 0 ? undefined : row[column]) ?? "404 SVC-1401 gone"]));
};

describe("L48 A9 what each call does in each state", () => {
  for (const state of ["reserved", "published", "unpublished", "tombstoned", "deleted", "purged"] as const) {
    for (const [name, expected] of Object.entries(expectedIn(state))) {
      test(`A9 ${name} on a ${state} name: ${expected}`, async () => {
        const ark = await world.make(state);
        const call = CALLS[name];
        if (call === undefined) throw new TypeError(name);
        const before = await world.read(ark);
        const answer = await world.send("org-a", ...call(ark));
        const after = await world.read(ark);
        const code = answer.status >= 400 ? `${answer.body.code} ` : "";
        expect(`${answer.status} ${code}${after?.state ?? "gone"}`).toBe(expected);
        if (answer.status >= 400) expect(after).toEqual(before);
      });
    }
  }

  test("L9 A8 a reserved name becomes public by publish, and its first publication is never forgotten", async () => {
    const ark = await world.make("reserved");
    expect(await world.read(ark)).toMatchObject({ state: "reserved", published_at: null });
    world.time.now = "2026-11-20T11:00:00.000Z";
    const { body } = await world.send("org-a", "POST", "publish", { ark });
    expect(body).toMatchObject({ state: "published", published_at: "2026-11-20T11:00:00.000Z" });
    await world.send("org-a", "POST", "unpublish", solemnly(ark));
    expect(await world.read(ark)).toMatchObject({ state: "unpublished", published_at: null });
    world.time.now = "2026-11-20T12:00:00.000Z";
    const again = await world.send("org-a", "POST", "publish", { ark });
    expect(again.body.published_at).toBe("2026-11-20T12:00:00.000Z");
    const gone = await world.send("org-a", "POST", "purge", solemnly(ark));
    const times = { withdrawn_at: "2026-11-20T12:00:00.000Z", was_published_at: "2026-11-20T11:00:00.000Z" };
    expect(gone.body).toEqual({ ark, ...times, reason: "Asked for by its owner" });
  });

  test("A9 publishing a published name changes nothing and leaves no trace", async () => {
    const ark = await world.make("published");
    const before = await world.history(ark);
    expect((await world.send("org-a", "POST", "publish", { ark })).status).toBe(200);
    expect(await world.history(ark)).toEqual(before);
  });

  test("A12 a part takes its base's publication at that moment, and publishing the base does not touch it", async () => {
    const base = await world.make("unpublished");
    const part = await world.send("org-a", "POST", "register", { ark: base, qualifier: "/p" });
    expect(part.body).toMatchObject({ state: "reserved", published_at: null });
    await world.send("org-a", "POST", "publish", { ark: base });
    expect(await world.read(String(part.body.ark))).toMatchObject({ state: "reserved" });
    const later = await world.send("org-a", "POST", "register", { ark: base, qualifier: "/q" });
    await world.send("org-a", "POST", "unpublish", solemnly(base));
    expect(await world.read(String(later.body.ark))).toMatchObject({ state: "published" });
  });
});

describe("L29 L33 L35 L37 A17 reason and confirm", () => {
  const cases = [
    ["unpublish", "published", "SVC-1017", "SVC-1018"],
    ["delete", "unpublished", "SVC-1017", "SVC-1018"],
    ["purge", "published", "SVC-1015", "SVC-1016"],
    ["purge", "reserved", "SVC-1015", "SVC-1016"],
    ["purge", "tombstoned", "SVC-1015", "SVC-1016"],
  ] as const;
  for (const [call, state, reasonCode, confirmCode] of cases) {
    test(`L69 A17 ${call} of a ${state} name without a reason or with another confirm is 400 for every caller`, async () => {
      const ark = await world.make(state);
      for (const who of ["org-a", "naan", "system"]) {
        for (const reason of [undefined, "", "  \t "]) {
          const answer = await world.send(who, "POST", call, { ark, confirm: ark, reason });
          expect(`${answer.status} ${answer.body.code}`).toBe(`400 ${reasonCode}`);
        }
        for (const confirm of [undefined, "", "yes", "ark:99999/b1other", `${ark}/x`]) {
          const answer = await world.send(who, "POST", call, { ark, reason: "Why not", confirm });
          expect(`${answer.status} ${answer.body.code}`).toBe(`400 ${confirmCode}`);
        }
      }
      expect(await world.read(ark)).toMatchObject({ state });
      const spelled = `https://example.org/ark:/${ark.slice(4).replace("/", "/-")}`;
      expect((await world.send("org-a", "POST", call, { ark, reason: "Why not", confirm: spelled })).status).toBe(200);
    });
  }

  test("A17 a reason may have 500 characters, 501 are a 422", async () => {
    const ark = await world.make("published");
    const long = await world.send("org-a", "POST", "unpublish", { ark, confirm: ark, reason: "x".repeat(501) });
    expect(long.status).toBe(422);
    expect(long.body.detail).toMatchObject([{ loc: ["body", "reason"], type: "string_too_long" }]);
    const fits = await world.send("org-a", "POST", "unpublish", { ark, confirm: ark, reason: "x".repeat(500) });
    expect(fits.status).toBe(200);
  });

  test("L32 a reserved name is deleted without ceremony, and deleting it again is 404", async () => {
    const ark = await world.make("reserved");
    const answer = await world.send("org-a", "POST", "delete", { ark });
    expect(answer.body).toMatchObject({ ark, reason: "", was_published_at: null });
    expect((await world.send("org-a", "POST", "delete", { ark })).body).toMatchObject({ code: "SVC-1401" });
  });
});

describe("L36 A10 tombstones", () => {
  test("L19 L36 A10 the description stays, the way to the thing goes; an empty commitment keeps the stored one", async () => {
    const ark = await world.make("published", { who: "Somebody", metadata: "{}" });
    const { body } = await world.send("org-a", "PUT", "tombstone", { ark, commitment: "" });
    expect(body).toMatchObject({ state: "tombstoned", url: "", title: "A thing", who: "Somebody", commitment: "Kept" });
    expect(body.published_at).not.toBe(null);
    const moved = await world.send("org-a", "PUT", "tombstone", {
      ark,
      url: "https://example.org/gone",
      commitment: "New",
    });
    expect(moved.body).toMatchObject({ url: "https://example.org/gone", commitment: "New" });
  });

  test("A9 A10 A18 texts of a tombstone can be corrected, its target cannot be moved by an update", async () => {
    const page = "https://example.org/why";
    const ark = await world.make("published");
    await world.send("org-a", "PUT", "tombstone", { ark, url: page });
    for (const method of ["PUT", "PATCH"]) {
      for (const url of ["https://example.org/back", ""]) {
        const answer = await world.send("org-a", method, "update", { ark, url, title: "T" });
        expect(`${answer.status} ${answer.body.code}`).toBe("409 SVC-1505");
      }
      const same = await world.send("org-a", method, "update", { ark, url: page, title: `By ${method}` });
      expect(same.body).toMatchObject({ url: page, title: `By ${method}`, state: "tombstoned" });
      const left = await world.send("org-a", method, "update", { ark, who: `By ${method}` });
      expect(left.body).toMatchObject({ url: page, who: `By ${method}` });
    }
  });

  test("A10 a lifted tombstone leads to the state and the target from before, and the history keeps everything", async () => {
    for (const state of ["reserved", "published", "unpublished"] as const) {
      const ark = await world.make(state);
      for (const url of ["https://example.org/first", "https://example.org/second"]) {
        await world.send("org-a", "PATCH", "update", { ark, url });
        const before = await world.read(ark);
        await world.send("org-a", "PUT", "tombstone", { ark, url: "https://example.org/a" });
        await world.send("org-a", "PUT", "tombstone", { ark, url: "https://example.org/b" });
        const call = { caller: world.callers.system, address: "", readOnly: false };
        await world.store.transact((tx) =>
          changeNameIn(tx, call, parseArk(ark), () => world.time.now, liftTombstoneSteps),
        );
        expect(await world.read(ark)).toEqual({ ...before, url, updated_at: world.time.now });
        const actions = (await world.history(ark)).map((entry) => entry.action);
        expect(actions.slice(-3)).toEqual(["tombstone", "tombstone", "lift-tombstone"]);
      }
    }
  });
});

describe("L32 L35 A11 withdrawal", () => {
  test("L2 L35 A11 delete and purge empty target and description and keep the row, which can never be assigned again", async () => {
    for (const state of ["deleted", "purged"] as const) {
      const ark = await world.make(state);
      const key = ark.slice(4);
      const row = (await world.store.arks([key])).get(key);
      expect(row).toMatchObject({ key, state, url: "", title: "", commitment: "", publishedAt: null });
      const again = await world.send("naan", "POST", "import", { ark });
      expect(`${again.status} ${again.body.code}`).toBe("409 SVC-1014");
    }
  });

  test("A11 delete and purge are refused while parts hang below, at a boundary and not by prefix", async () => {
    const ark = await world.make("reserved");
    const part = await world.send("org-a", "POST", "register", { ark, qualifier: ".v1" });
    for (const call of ["delete", "purge"]) {
      const answer = await world.send("org-a", "POST", call, solemnly(ark));
      expect(`${answer.status} ${answer.body.code}`).toBe("409 SVC-1502");
      expect(answer.body.detail).toEqual({ ark, parts: [part.body.ark], count: 1 });
    }
    const bulk = await world.send("org-a", "POST", "delete/bulk", { data: [await world.make("reserved"), ark] });
    expect(bulk.body).toMatchObject({ code: "SVC-1502", detail: { row: 1, count: 1 } });
    const both = await world.send("org-a", "POST", "delete/bulk", { data: [ark, part.body.ark] });
    expect(both.body).toEqual({ withdrawn: [ark, part.body.ark], count: 2 });
  });

  test("A11 A14 of many parts the first twenty are named, and all are counted, each once", async () => {
    const [one, other] = [await world.make("reserved"), await world.make("reserved")];
    for (let page = 1; page <= 23; page++)
      await world.send("org-a", "POST", "register", { ark: one, qualifier: `/p${page}.x` });
    await world.send("org-a", "POST", "register", { ark: other, qualifier: "/p" });
    const withdrawn = await world.send("org-a", "POST", "register", { ark: one, qualifier: "/gone" });
    await world.send("org-a", "POST", "delete", { ark: withdrawn.body.ark });
    const answer = await world.send("org-a", "POST", "delete", { ark: one });
    expect(answer.body).toMatchObject({ code: "SVC-1502", detail: { ark: one, count: 23 } });
    expect((answer.body.detail as { parts: string[] }).parts).toHaveLength(20);
    const bulk = await world.send("org-a", "POST", "delete/bulk", { data: [one, other, `${one}/p1.x`] });
    expect(bulk.body).toMatchObject({ code: "SVC-1502", detail: { count: 23 } });
  });

  test("A11 a name whose part was withdrawn before can be deleted", async () => {
    const ark = await world.make("reserved");
    const part = await world.send("org-a", "POST", "register", { ark, qualifier: "/p" });
    await world.send("org-a", "POST", "delete", { ark: part.body.ark });
    expect((await world.send("org-a", "POST", "delete", { ark })).status).toBe(200);
  });
});

describe("A17 A27 history", () => {
  test("A9 A17 purge of a public name shows both steps, and the history can be read after it", async () => {
    const ark = await world.make("published");
    await world.send("org-a", "PATCH", "update", { ark, url: "https://example.org/new", title: "New" });
    await world.send("org-a", "PUT", "hold", { ark, until: IN_A_WEEK, reason: "A complaint" });
    await world.send("naan", "POST", "purge", solemnly(ark));
    const entries = await world.history(ark);
    const owner = "Asked for by its owner";
    expect(entries.map(({ action, by, reason }) => `${action} ${by} ${reason}`.trim())).toEqual([
      ...["mint org-a", "update org-a", "hold org-a A complaint", `unpublish naan ${owner}`, `purge naan ${owner}`],
    ]);
    const urls = { before_url: "https://example.org/thing", after_url: "https://example.org/new" };
    expect(entries[1]).toMatchObject({ at: world.time.now, ...urls, fields: ["url", "title"] });
    expect(entries[3]).toMatchObject({ fields: ["state"] });
    expect(entries[4]).toMatchObject({ before_url: "https://example.org/new", after_url: "" });
  });

  test("A22 A17 history of an unknown or unreachable name is 404 (1401)", async () => {
    const ark = await world.make("published");
    for (const [who, name] of [
      ["org-b", ark],
      ["foreign", ark],
      ["org-a", "ark:99999/b1unknown"],
    ] as const) {
      const answer = await world.send(who, "GET", `history?ark=${encodeURIComponent(name)}`);
      expect(`${answer.status} ${answer.body.code}`).toBe("404 SVC-1401");
    }
  });
});
