// Importing names that were minted elsewhere (A15, A20, A22; A28 codes 1005, 1012 to 1014, 1019, 1307).

import { describe, expect, test } from "bun:test";
import { aCall, naanCall, systemCall } from "../support/callers.ts";
import { historyOf } from "../support/name-history.ts";
import { refused } from "../support/refusals.ts";
import { anOrganisation, aShoulder, NOW } from "../support/seed.ts";
import { become, namesOf } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

/** Names with the right check character under b1 and under the delegated d9, and one with a wrong one. */
const UNDER_B1 = "99999/b1np1wh8v";
const UNDER_D9 = "99999/d9np1wh8j";
const WRONG = "99999/b1np1wh85";

async function withImportOnly() {
  const world = await openWorld({ names: true });
  await world.store.transact((tx) =>
    tx.saveShoulder(aShoulder({ shoulder: "qt", organisationId: world.orgA, importOnly: true, checked: false })),
  );
  return world;
}

describe("import", () => {
  test("A15 into an active, a delegated and an import-only shoulder, public at once or reserved", async () => {
    const { minting, a } = await withImportOnly();
    const active = await minting.importOne(a, {
      ark: `ark:/${UNDER_B1}`,
      title: "T",
      url: "https://x.example/${name}",
    });
    expect(active.record).toMatchObject({
      key: UNDER_B1,
      shoulder: "b1",
      origin: "imported",
      state: "published",
      publishedAt: NOW,
      firstPublishedAt: NOW,
      url: "https://x.example/b1np1wh8v",
    });
    expect((await minting.importOne(a, { ark: UNDER_D9, reserve: true })).record).toMatchObject({
      shoulder: "d9",
      state: "reserved",
      firstPublishedAt: null,
    });
    expect((await minting.importOne(a, { ark: "99999/qtNoCheck_1" })).record.shoulder).toBe("qt");
  });

  test("1307 not into a retired or reserved shoulder", async () => {
    const { store, minting, a, orgA } = await withImportOnly();
    await store.transact((tx) =>
      tx.saveShoulder(aShoulder({ shoulder: "s1", organisationId: orgA, status: "reserved" })),
    );
    for (const ark of ["99999/r7x", "99999/s1x"]) {
      expect(await refused(() => minting.importOne(a, { ark }))).toMatchObject({
        code: 1307,
        detail: { ark: `ark:${ark}` },
      });
    }
  });

  test("A4 1012 a wrong check character, where the shoulder's names carry one", async () => {
    const { minting, a } = await withImportOnly();
    expect(await refused(() => minting.importOne(a, { ark: WRONG }))).toEqual({
      code: 1012,
      detail: { ark: `ark:${WRONG}` },
    });
    expect((await refused(() => minting.importOne(a, { ark: `${WRONG}/part` }))).code).toBe(1012);
    expect((await minting.importOne(a, { ark: `${UNDER_B1}/part.1` })).record.key).toBe(`${UNDER_B1}/part.1`);
  });

  test("A22 1013 outside every shoulder is reported to those who reach the NAAN, others receive 1302", async () => {
    const { store, minting, a, orgB } = await withImportOnly();
    for (const wide of [naanCall(), systemCall()]) {
      expect((await refused(() => minting.importOne(wide, { ark: "99999/zzz" }))).code).toBe(1013);
    }
    for (const ark of ["99999/zzz", "99999/c2np1wh8", "88888/x", "12345/x"]) {
      expect((await refused(() => minting.importOne(a, { ark }))).code).toBe(1302);
    }
    await store.transact((tx) =>
      tx.saveShoulder(aShoulder({ shoulder: "", organisationId: orgB, importOnly: true, checked: false })),
    );
    const b = aCall({ clientId: "b", organisationId: orgB });
    expect((await minting.importOne(b, { ark: "99999/zzz" })).record.shoulder).toBe("");
    expect((await refused(() => minting.importOne(a, { ark: "99999/zzy" }))).code).toBe(1302);
  });

  test("1308 not under a NAAN that is not ours", async () => {
    const { minting } = await withImportOnly();
    expect((await refused(() => minting.importOne(systemCall(), { ark: "88888/x" }))).code).toBe(1308);
    expect((await refused(() => minting.importOne(naanCall(), { ark: "88888/x" }))).code).toBe(1302);
  });

  test("A11 L2 an existing name is 1005, a withdrawn one 1014 for ever", async () => {
    const { store, minting, a } = await withImportOnly();
    const { record } = await minting.importOne(a, { ark: UNDER_B1 });
    expect(await refused(() => minting.importOne(a, { ark: UNDER_B1 }))).toEqual({
      code: 1005,
      detail: { ark: `ark:${UNDER_B1}` },
    });
    await become(store, record, "deleted");
    expect((await refused(() => minting.importOne(a, { ark: UNDER_B1 }))).code).toBe(1014);
  });

  test("A11 A9 a part of a withdrawn name is 1014, of a tombstone 1505", async () => {
    const { store, minting, a } = await withImportOnly();
    const { record } = await minting.importOne(a, { ark: UNDER_B1 });
    await become(store, record, "tombstoned");
    expect(await refused(() => minting.importOne(a, { ark: `${UNDER_B1}/1` }))).toEqual({
      code: 1505,
      detail: { ark: `ark:${UNDER_B1}` },
    });
    await become(store, record, "deleted");
    expect(await refused(() => minting.importOne(a, { ark: `${UNDER_B1}/x/1` }))).toEqual({
      code: 1014,
      detail: { ark: `ark:${UNDER_B1}` },
    });
  });

  test("A13 A27 imports take a request_id, are signed, and are free of the quota", async () => {
    const { store, minting, a, orgA } = await withImportOnly();
    await store.transact((tx) => tx.saveOrganisation(anOrganisation({ id: orgA, quotaPerDay: 1 })));
    const rows = ["qt1", "qt2", "qt3"].map((name) => ({ ark: `99999/${name}`, request_id: name }));
    expect(await minting.importBulk(a, rows)).toMatchObject({ created: 3, replayed: 0 });
    expect(await minting.importBulk(a, rows)).toMatchObject({ created: 0, replayed: 3 });
    expect((await minting.importOne(a, { ark: "no ark", request_id: "qt1" })).replayed).toBe(true);
    expect((await minting.mint(a, {})).replayed).toBe(false);
    expect((await refused(() => minting.mint(a, {}))).code).toBe(1601);
    expect(await historyOf(store, "99999/qt1")).toMatchObject([{ action: "import", by: "ops" }]);
    expect(minting.counters()).toMatchObject({ imported: 3, minted: 1 });
  });
});

describe("bulk import", () => {
  test("A14 the records come back in the order sent, base and part in one call", async () => {
    const { store, minting, a } = await withImportOnly();
    const rows = ["qt9/p", "qt9", "qt1"].map((name) => ({ ark: `99999/${name}` }));
    const { records, created } = await minting.importBulk(a, rows);
    expect(records.map((record) => record.key)).toEqual(rows.map((row) => row.ark));
    expect(created).toBe(3);
    expect(await namesOf(store)).toHaveLength(3);
  });

  test.each([
    ["1001", { ark: "no ark" }],
    ["1001", { ark: "99999/qt/%2E%2E/x" }],
    ["1005", { ark: "99999/qt-there" }],
    ["1012", { ark: WRONG }],
    ["1019", { ark: "ark:/99999/q-t-1" }],
    ["1302", { ark: "99999/c2x" }],
    ["1307", { ark: "99999/r7x" }],
  ])("A14 1019 a row refused with %s undoes all and names its row", async (code, row) => {
    const { store, minting, a } = await withImportOnly();
    await minting.importOne(a, { ark: "99999/qtthere" });
    const rows = [{ ark: "99999/qt1", request_id: "r" }, { ark: "99999/qt2" }, row];
    expect(await refused(() => minting.importBulk(a, rows))).toMatchObject({ code: Number(code), detail: { row: 2 } });
    expect(await namesOf(store)).toHaveLength(1);
    expect((await minting.importOne(a, { ark: "99999/qt1", request_id: "r" })).replayed).toBe(false);
  });

  test("1019 the same ARK under one request_id is a replay, not a mistake", async () => {
    const { minting, a } = await withImportOnly();
    const row = { ark: "99999/qt1", request_id: "r" };
    expect(await minting.importBulk(a, [row, row])).toMatchObject({ created: 1, replayed: 1 });
  });
});
