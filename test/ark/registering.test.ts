// Registering qualified names below existing ones (specification 1, "Register input"; A7, A9, A11, A12, A18, A22).

import { describe, expect, test } from "bun:test";
import type { ArkRecord } from "../../src/ark/record.ts";
import { aCall, naanCall, systemCall } from "../support/callers.ts";
import { historyOf } from "../support/name-history.ts";
import { refusalOf, refused, validationRefusalOf } from "../support/refusals.ts";
import { aShoulder, NOW } from "../support/seed.ts";
import { become, namesOf } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

async function withBase(reserve = false) {
  const world = await openWorld({ names: true });
  const { record: base } = await world.minting.mint(world.a, { title: "base", reserve });
  return { ...world, base };
}

describe("register", () => {
  test("L17 L43 A7 a part gets base and qualifier, no new number and no check character", async () => {
    const { minting, a, base } = await withBase();
    const { record, replayed } = await minting.register(a, {
      ark: `ark:/${base.key}`,
      qualifier: "/page/3.v2",
      title: "p",
      url: "https://x.example/${name}",
    });
    expect(replayed).toBe(false);
    expect(record).toMatchObject({
      key: `${base.key}/page/3.v2`,
      shoulder: "b1",
      origin: "registered",
      title: "p",
      url: `https://x.example/${base.key.slice(6)}/page/3.v2`,
      createdAt: NOW,
    });
    expect((await minting.register(a, { ark: record.key, qualifier: ".en" })).record.key).toBe(`${record.key}.en`);
  });

  const states: readonly [ArkRecord["state"], string | number][] = [
    ["reserved", "reserved"],
    ["published", "published"],
    ["unpublished", "reserved"],
    ["tombstoned", 1505],
    ["deleted", 1401],
    ["purged", 1401],
  ];
  test.each(states)("A9 A12 below a %s name: %s", async (state, expected) => {
    const { store, minting, a, base } = await withBase(state === "reserved");
    if (state !== base.state) await become(store, base, state);
    const part = { ark: base.key, qualifier: "/1" };
    if (typeof expected === "number") {
      expect((await refused(() => minting.register(a, part))).code).toBe(expected);
      return;
    }
    const { record } = await minting.register(a, part);
    const date = expected === "published" ? NOW : null;
    expect(record).toMatchObject({ state: expected, publishedAt: date, firstPublishedAt: date });
  });

  test("A9 A11 a name between base and part counts as well: tombstoned 1505, deleted 1401", async () => {
    const { store, minting, a, base } = await withBase();
    const { record: middle } = await minting.register(a, { ark: base.key, qualifier: "/m" });
    const below = { ark: base.key, qualifier: "/m/1" };
    await become(store, middle, "tombstoned");
    expect((await refused(() => minting.register(a, below))).code).toBe(1505);
    await become(store, middle, "deleted");
    expect((await refused(() => minting.register(a, below))).code).toBe(1401);
    expect((await minting.register(a, { ark: base.key, qualifier: "/mm/1" })).record.key).toBe(`${base.key}/mm/1`);
  });

  test("A9 A11 the name itself: existing 1005, withdrawn 1014", async () => {
    const { store, minting, a, base } = await withBase();
    const part = { ark: base.key, qualifier: "/1" };
    const { record } = await minting.register(a, part);
    expect(await refused(() => minting.register(a, { ark: base.key, qualifier: "//1/" }))).toEqual({
      code: 1005,
      detail: { ark: `ark:${record.key}` },
    });
    await become(store, record, "purged");
    expect(await refused(() => minting.register(a, part))).toEqual({
      code: 1014,
      detail: { ark: `ark:${record.key}` },
    });
  });

  test("A22 A28 an unknown base and one out of reach look alike: 1401", async () => {
    const { minting, a, b, base } = await withBase();
    const { record: theirs } = await minting.mint(b, {});
    for (const ark of [theirs.key, "99999/b1nosuch", "88888/b1x", "12345/x"]) {
      expect(await refused(() => minting.register(a, { ark, qualifier: "/1" }))).toEqual({
        code: 1401,
        detail: { ark: `ark:${ark}` },
      });
    }
    const pinned = aCall({ organisationId: a.caller.organisationId, shoulder: "k4" });
    expect((await refused(() => minting.register(pinned, { ark: base.key, qualifier: "/1" }))).code).toBe(1401);
    for (const wide of [naanCall(), systemCall()]) {
      const { record } = await minting.register(wide, { ark: theirs.key, qualifier: `/${wide.caller.tier}` });
      expect(record.organisationId).toBeNull();
    }
  });

  test("A28 1001 to 1004: a base or qualifier that is none", async () => {
    const { minting, a, base } = await withBase();
    const code = async (ark: string, qualifier: string) =>
      (await refused(() => minting.register(a, { ark, qualifier }))).code;
    expect(await code("no ark", "/1")).toBe(1001);
    expect(await code(base.key, "1")).toBe(1002);
    expect(await code(base.key, "/-/")).toBe(1003);
    expect(await code(base.key, "/a b")).toBe(1001);
    expect(await code(base.key, `/${"a".repeat(250)}`)).toBe(1004);
  });

  test("A18 a retired shoulder registers nothing (1304), a delegated one sends on (1306)", async () => {
    const { store, minting, a, base, orgA } = await withBase();
    const part = { ark: base.key, qualifier: "/1" };
    await store.transact((tx) => tx.saveShoulder(aShoulder({ organisationId: orgA, status: "retired" })));
    expect((await refused(() => minting.register(a, part))).code).toBe(1304);
    const minter = "https://mint.example.org/";
    await store.transact((tx) => tx.saveShoulder(aShoulder({ organisationId: orgA, status: "delegated", minter })));
    expect((await refusalOf(() => minting.register(a, part))).headers).toEqual({ Location: minter });
  });

  test("A13 a repeat with the same request_id is a replay, whatever else it contains", async () => {
    const { store, minting, a, base } = await withBase();
    const first = await minting.register(a, { ark: base.key, qualifier: "/1", request_id: "r" });
    const again = await minting.register(a, { ark: "no ark", qualifier: "", request_id: "r" });
    expect(again).toEqual({ record: first.record, replayed: true });
    expect(await historyOf(store, first.record.key)).toMatchObject([{ action: "register", by: "ops" }]);
    expect(await namesOf(store)).toHaveLength(2);
    expect(minting.counters()).toMatchObject({ minted: 1, registered: 1, replayed: 1 });
  });

  test("a refused register leaves no receipt behind", async () => {
    const { minting, a, base } = await withBase();
    await minting.register(a, { ark: base.key, qualifier: "/1" });
    expect((await refused(() => minting.register(a, { ark: base.key, qualifier: "/1", request_id: "r" }))).code).toBe(
      1005,
    );
    expect((await minting.register(a, { ark: base.key, qualifier: "/2", request_id: "r" })).replayed).toBe(false);
  });

  test("A20 a target too long once filled is refused at its place", async () => {
    const { minting, a, base } = await withBase();
    const url = `https://x.example/${"${name}".repeat(200)}`;
    const error = await validationRefusalOf(() => minting.register(a, { ark: base.key, qualifier: "/1", url }));
    expect(error.problems[0]?.loc).toEqual(["body", "url"]);
  });
});
