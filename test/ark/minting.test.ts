// Minting one by one and in bulk: names, shoulders, all or nothing (specification 1, "Mint input", "Bulk mint"; A4 to
// A6, A8, A14, A20, A22, A30).

import { describe, expect, test } from "bun:test";
import { hasCheckCharacter } from "../../src/ark/syntax.ts";
import { OPERATOR } from "../../src/auth/caller.ts";
import { aCall, naanCall, systemCall } from "../support/callers.ts";
import { historyOf } from "../support/name-history.ts";
import { refusalOf, refused, validationRefusalOf } from "../support/refusals.ts";
import { aNaan, anOrganisation, aShoulder, NOW } from "../support/seed.ts";
import { namesOf, scripted } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

describe("one mint", () => {
  test("A5 A4 L1 a name is shoulder, eight random betanumerics and the check character", async () => {
    const { minting, a } = await openWorld({ names: true });
    const { record, replayed } = await minting.mint(a, {});
    expect(replayed).toBe(false);
    expect(record.key).toMatch(/^99999\/b1[0-9bcdfghjkmnpqrstvwxz]{9}$/);
    expect(hasCheckCharacter(record.key)).toBe(true);
    expect(record).toMatchObject({ naan: "99999", shoulder: "b1", origin: "minted" });
  });

  test("A4 A5 the check character of a generated blade is that of the Noid documentation", async () => {
    const { store, minting, orgA } = await openWorld({ names: { random: scripted(["np1wh8"]) } });
    await store.transact(async (tx) => {
      await tx.saveNaan(aNaan({ naan: "12345" }));
      await tx.saveShoulder(aShoulder({ naan: "12345", shoulder: "x6", organisationId: orgA, bladeLength: 6 }));
    });
    const { record } = await minting.mint(systemCall(), { shoulder: "12345/x6" });
    expect(record.key).toBe("12345/x6np1wh8k");
  });

  test("L15 L41 A8 a mint without reserve is published at once, with it both dates stay empty", async () => {
    const { minting, a } = await openWorld({ names: true });
    const open = await minting.mint(a, { title: "T", who: "W", reserve: false });
    expect(open.record).toMatchObject({
      state: "published",
      title: "T",
      who: "W",
      url: "",
      createdAt: NOW,
      updatedAt: NOW,
      publishedAt: NOW,
      firstPublishedAt: NOW,
    });
    const kept = await minting.mint(a, { reserve: true });
    expect(kept.record).toMatchObject({ state: "reserved", publishedAt: null, firstPublishedAt: null, createdAt: NOW });
  });

  test("what is answered is what is stored, half surrogates included", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const { record } = await minting.mint(a, { title: "\ud800 half", request_id: "\udfff" });
    expect((await store.arks([record.key])).get(record.key)).toEqual(record);
    expect(record.title).toBe("\ufffd half");
    expect(await minting.mint(a, { request_id: "\udfff" })).toEqual({ record, replayed: true });
  });

  test("A20 ${ark}, ${naan} and ${name} are filled in when the name is minted; another is refused here as well", async () => {
    const { minting, a } = await openWorld({ names: { random: scripted(["00000000"]) } });
    const { record } = await minting.mint(a, { url: "https://x.example/${name}?a=${ark}&n=${naan}&$other" });
    const name = record.key.slice(6);
    expect(record.url).toBe(`https://x.example/${name}?a=ark:99999/${name}&n=99999&$other`);
    const refusal = await validationRefusalOf(() => minting.mint(a, { url: "https://x.example/${other}" }));
    expect(refusal.problems[0]?.msg).toContain("must not hold the placeholder ${other}");
  });

  test("A20 a target that its placeholders make too long is refused with its place, and nothing is written", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const url = `https://x.example/${"${ark}".repeat(300)}`;
    const single = await validationRefusalOf(() => minting.mint(a, { url }));
    expect(single.problems[0]).toMatchObject({ loc: ["body", "url"], type: "string_too_long" });
    const bulk = await validationRefusalOf(() => minting.mintBulk(a, [{}, { url }]));
    expect(bulk.problems[0]).toMatchObject({ loc: ["body", "data", 1, "url"] });
    expect(await namesOf(store)).toHaveLength(0);
  });

  test("A27 a mint leaves one line of history, signed by the credential", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const { record } = await minting.mint(a, { url: "https://x.example/", title: "T" });
    expect(await historyOf(store, record.key)).toEqual([
      {
        at: NOW,
        action: "mint",
        beforeUrl: "",
        afterUrl: "https://x.example/",
        fields: ["url", "title"],
        by: "ops",
        reason: "",
      },
    ]);
  });
});

describe("the shoulder of a mint", () => {
  test.each(["b1", "/b1", "99999/b1", "ark:99999/b1", "ark:/99999/b1", " ARK:99999/b1 "])(
    "L4 A6 it is accepted as %s",
    async (shoulder) => {
      const { minting, a } = await openWorld({ names: true });
      expect((await minting.mint(a, { shoulder })).record.shoulder).toBe("b1");
    },
  );

  test("L4 without one the organisation's default is used; without a default it is 1010", async () => {
    const { store, minting, a, orgA } = await openWorld({ names: true });
    expect((await minting.mint(a, { shoulder: "" })).record.shoulder).toBe("b1");
    await store.transact((tx) => tx.saveOrganisation(anOrganisation({ id: orgA, defaultShoulder: "" })));
    expect((await refused(() => minting.mint(a, {}))).code).toBe(1010);
  });

  test.each(["c2", "99999/c2", "ark:99999/c2", "zz9", "99999/zz9", "88888/b1", "12345/b1", "no naan/b1"])(
    "L4 A22 %s: an organisation receives 1302 for what is out of reach and for what is not there",
    async (shoulder) => {
      const { minting, a } = await openWorld({ names: true });
      expect(await refused(() => minting.mint(a, { shoulder }))).toEqual({ code: 1302, detail: { shoulder } });
    },
  );

  test("A21 a pinned credential mints under its shoulder and no other one of its organisation", async () => {
    const { store, minting, orgA } = await openWorld({ names: true });
    await store.transact((tx) => tx.saveShoulder(aShoulder({ shoulder: "k4", organisationId: orgA })));
    const pinned = aCall({ clientId: "pinned", organisationId: orgA, shoulder: "k4" });
    expect((await minting.mint(pinned, {})).record.shoulder).toBe("k4");
    expect((await refused(() => minting.mint(pinned, { shoulder: "b1" }))).code).toBe(1302);
  });

  test("A22 callers whose reach covers the NAAN receive 1007 and 1008", async () => {
    const { minting } = await openWorld({ names: true });
    for (const call of [naanCall(), systemCall(), OPERATOR]) {
      expect((await refused(() => minting.mint(call, {}))).code).toBe(1007);
      expect((await refused(() => minting.mint(call, { shoulder: "99999/zz9" }))).code).toBe(1008);
      expect((await minting.mint(call, { shoulder: "99999/c2" })).record.organisationId).toBeNull();
    }
    expect((await refused(() => minting.mint(naanCall(), { shoulder: "88888/b1" }))).code).toBe(1302);
    expect((await refused(() => minting.mint(naanCall(), { shoulder: "zz9" }))).code).toBe(1008);
  });

  test("1308 nobody mints under a NAAN that is not ours", async () => {
    const { minting } = await openWorld({ names: true });
    expect((await refused(() => minting.mint(systemCall(), { shoulder: "88888/b1" }))).code).toBe(1308);
    expect((await refused(() => minting.mint(systemCall(), { shoulder: "77777/b1" }))).code).toBe(1308);
    expect((await refused(() => minting.mint(naanCall("88888"), { shoulder: "88888/b1" }))).code).toBe(1308);
  });

  test("1009 a shoulder that several NAANs have must be named with its NAAN", async () => {
    const { store, minting, orgA } = await openWorld({ names: true });
    await store.transact(async (tx) => {
      await tx.saveNaan(aNaan({ naan: "12345" }));
      await tx.saveShoulder(aShoulder({ naan: "12345", shoulder: "b1", organisationId: orgA }));
    });
    expect(await refused(() => minting.mint(systemCall(), { shoulder: "b1" }))).toEqual({
      code: 1009,
      detail: { shoulder: "b1", naans: ["12345", "99999"] },
    });
    expect((await minting.mint(systemCall(), { shoulder: "12345/b1" })).record.naan).toBe("12345");
    expect((await minting.mint(naanCall(), { shoulder: "b1" })).record.naan).toBe("99999");
  });

  test("1303 a credential whose organisation was disabled mints nothing, not even a replay", async () => {
    const { minting, orgA, a } = await openWorld({ names: true });
    await minting.mint(a, { request_id: "r" });
    const disabled = aCall({ organisationId: orgA, organisationActive: false });
    expect((await refused(() => minting.mint(disabled, { request_id: "r" }))).code).toBe(1303);
  });
});

describe("the status of the shoulder", () => {
  test("1304 a retired, a reserved and an import-only shoulder mint nothing", async () => {
    const { store, minting, a, orgA } = await openWorld({ names: true });
    await store.transact(async (tx) => {
      await tx.saveShoulder(aShoulder({ shoulder: "s1", organisationId: orgA, status: "reserved" }));
      await tx.saveShoulder(aShoulder({ shoulder: "qt", organisationId: orgA, importOnly: true, checked: false }));
    });
    for (const shoulder of ["r7", "s1", "qt"]) {
      expect(await refused(() => minting.mint(a, { shoulder }))).toMatchObject({ code: 1304, detail: { shoulder } });
    }
  });

  test("L7 L41 A30 a delegated shoulder answers 1306 with its minter as Location, verbatim", async () => {
    const { minting, a } = await openWorld({ names: true });
    const error = await refusalOf(() => minting.mint(a, { shoulder: "d9" }));
    expect(error).toMatchObject({
      code: 1306,
      status: 307,
      headers: { Location: "https://mint.example.org/api/mint" },
    });
    expect(error.detail).toEqual({
      shoulder: "d9",
      naan: "99999",
      minter: "https://mint.example.org/api/mint",
      about: "",
    });
  });

  test("A30 a delegated shoulder without a minter answers 1309", async () => {
    const { store, minting, a, orgA } = await openWorld({ names: true });
    const about = "https://example.org/about";
    await store.transact((tx) =>
      tx.saveShoulder(aShoulder({ shoulder: "d8", organisationId: orgA, status: "delegated", about })),
    );
    const error = await refusalOf(() => minting.mint(a, { shoulder: "d8" }));
    expect([error.code, error.status, error.headers]).toEqual([1309, 403, {}]);
    expect(error.detail).toEqual({ shoulder: "d8", naan: "99999", about });
  });

  test("A30 A14 a delegated row refuses a whole bulk with 1309, its row and no Location", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const error = await refusalOf(() => minting.mintBulk(a, [{}, {}, { shoulder: "d9" }]));
    expect([error.code, error.status, error.headers, error.detail.row]).toEqual([1309, 403, {}, 2]);
    expect(await namesOf(store)).toHaveLength(0);
  });
});

describe("bulk mint", () => {
  test("L16 L42 A13 order is kept, new and replayed rows are counted, a key twice gives one ARK", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const before = await minting.mint(a, { request_id: "old", title: "old" });
    const rows = [
      { title: "0" },
      { request_id: "old" },
      { request_id: "k", title: "2" },
      { title: "3" },
      { request_id: "k" },
    ];
    const { records, created, replayed } = await minting.mintBulk(a, rows);
    expect({ created, replayed }).toEqual({ created: 3, replayed: 2 });
    expect(records.map((record) => record.title)).toEqual(["0", "old", "2", "3", "2"]);
    expect(records[1]).toEqual(before.record);
    expect(records[4]).toEqual(records[2]);
    expect(await namesOf(store)).toHaveLength(4);
  });

  test("L3 a batch resent unchanged is all replays", async () => {
    const { minting, a } = await openWorld({ names: true });
    const rows = Array.from({ length: 50 }, (_, row) => ({ request_id: `r${row}`, title: String(row) }));
    const first = await minting.mintBulk(a, rows.slice(0, 30));
    const whole = await minting.mintBulk(a, rows);
    expect([whole.created, whole.replayed]).toEqual([20, 30]);
    expect(whole.records.slice(0, 30)).toEqual([...first.records]);
    expect(await minting.mintBulk(a, rows)).toEqual({ records: whole.records, created: 0, replayed: 50 });
  });

  test("A14 empty data makes nothing; one row more than the limit is 1011", async () => {
    const { store, minting, a } = await openWorld({ names: { bulkRows: 1000 } });
    expect(await minting.mintBulk(a, [])).toEqual({ records: [], created: 0, replayed: 0 });
    const rows = Array.from({ length: 1001 }, () => ({}));
    expect(await refused(() => minting.mintBulk(a, rows))).toEqual({ code: 1011, detail: { rows: 1001, limit: 1000 } });
    expect(await namesOf(store)).toHaveLength(0);
    expect((await minting.mintBulk(a, rows.slice(1))).created).toBe(1000);
  });

  test("L10 A14 one bad row undoes all, receipts included, and is named", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const rows = [{ request_id: "a" }, { request_id: "b", shoulder: "c2" }, { request_id: "c" }];
    expect(await refused(() => minting.mintBulk(a, rows))).toEqual({ code: 1302, detail: { shoulder: "c2", row: 1 } });
    expect(await namesOf(store)).toHaveLength(0);
    expect((await minting.mintBulk(a, [{ request_id: "a" }, { request_id: "c" }])).created).toBe(2);
  });
});
