// Part of the store's contract: names, receipts, history and audit.

import { expect, test } from "bun:test";
import { historyParts } from "../../src/ark/name-history.ts";
import { type ArkRecord, DESCRIPTIVE_FIELDS } from "../../src/ark/record.ts";
import type { Receipt } from "../../src/ark/store.ts";
import { arkRecord, NEVER_PUBLIC } from "../support/memory-replica.ts";
import { historyOf } from "../support/name-history.ts";
import { errorOf } from "../support/refusals.ts";
import { anOrganisation, NOW, TESTER } from "../support/seed.ts";
import { type Bench, changeOf, LATER, receiptOf } from "./store-bench.ts";

const WITHDRAWN = { ...NEVER_PUBLIC, state: "deleted", withdrawnAt: NOW, withdrawnReason: "Mistake" } as const;

export function namesContract(bench: () => Bench): void {
  const insert = (...arks: ArkRecord[]) => bench().store.transact((tx) => tx.insertArks(arks));
  const find = async (key: string) => (await bench().store.arks([key])).get(key);

  test("A8 A16 a name comes back as it went in, every field of it", async () => {
    const texts = Object.fromEntries(DESCRIPTIVE_FIELDS.map((field) => [field, `${field}: "é", 漢字, 𝔸\n\t'; --`]));
    const hold = { holdUntil: LATER, holdReason: "Dispute" };
    const state = { state: "tombstoned", origin: "imported", tombstonedAt: NOW } as const;
    const full = arkRecord("99999/b1fu11", { ...texts, ...state, organisationId: bench().seeded.orgB, ...hold });
    const bare = arkRecord("99999/b1bare", { ...NEVER_PUBLIC, state: "reserved", organisationId: null });
    expect(await insert(full, bare)).toEqual(new Set([full.key, bare.key]));
    expect(await find(full.key)).toEqual(full);
    expect(await find(bare.key)).toEqual(bare);
  });

  test("L2 A11 a key ever assigned is left alone, and insertArks() returns which keys were inserted", async () => {
    const gone = arkRecord("99999/b1gone", WITHDRAWN);
    await insert(gone);
    const again = arkRecord("99999/b1gone", { title: "Another object" });
    const fresh = arkRecord("99999/b1fresh");
    expect(await insert(again, fresh)).toEqual(new Set([fresh.key]));
    expect(await find(gone.key)).toEqual(gone);
  });

  test("L2 A11 of many rows insertArks() returns exactly those that were not there, in every chunk of the statement", async () => {
    const rows = Array.from({ length: 1_500 }, (_, i) => arkRecord(`99999/b1mixed${i}`));
    const there = rows.filter((_, i) => i % 7 === 0 || i > 1_400);
    await insert(...there);
    const old = new Set(there.map(({ key }) => key));
    const fresh = rows.map(({ key }) => key).filter((key) => !old.has(key));
    expect([...(await insert(...rows))].sort()).toEqual(fresh.sort());
    expect(await insert(...rows)).toEqual(new Set());
  });

  test("L10 A14 bulk calls of every size go in whole and come back whole", async () => {
    for (const size of [0, 1, 3, 37, 293, 1_500]) {
      const rows = Array.from({ length: size }, (_, i) => arkRecord(`99999/b1s${size}n${i}`, { title: `Nr ${i}` }));
      expect((await insert(...rows)).size).toBe(size);
      const keys = rows.map(({ key }) => key);
      const found = await bench().store.arks([...keys, "99999/b1unknown"]);
      expect(rows.map(({ key }) => found.get(key))).toEqual(rows);
      expect(found.size).toBe(size);
    }
  });

  test("updateArks() writes every column of existing rows and refuses a row that is not there", async () => {
    const { store } = bench();
    const rows = Array.from({ length: 300 }, (_, i) => arkRecord(`99999/b1up${i}`));
    await insert(...rows);
    const unpublished = { state: "unpublished", publishedAt: null, updatedAt: LATER } as const;
    const changed = rows.map((row, i) => ({ ...row, title: `Title ${i}`, ...unpublished }));
    await store.transact((tx) => tx.updateArks(changed));
    const found = await store.arks(rows.map(({ key }) => key));
    expect(changed.map(({ key }) => found.get(key))).toEqual(changed);
    const missing = arkRecord("99999/b1missing");
    const other = { ...arkRecord("99999/b1up0"), title: "Never written" };
    expect(await errorOf(() => store.transact((tx) => tx.updateArks([other, missing])))).toBeInstanceOf(RangeError);
    expect((await find("99999/b1up0"))?.title).toBe("Title 0");
  });

  test("lockArks() gives the rows that exist", async () => {
    await insert(arkRecord("99999/b1lock"));
    const locked = await bench().store.transact((tx) => tx.lockArks(["99999/b1none", "99999/b1lock"]));
    expect([...locked.keys()]).toEqual(["99999/b1lock"]);
  });

  test("A11 partsBelow() finds live names at a boundary, never by string prefix", async () => {
    const part = (rest: string, changes: Partial<ArkRecord> = {}) => arkRecord(`99999/b1base${rest}`, changes);
    const own = [part(""), part("/p1"), part("/p1.pdf"), part(".v2")];
    const others = [part("2"), part("-x/1"), part("0/1"), part("/withdrawn", WITHDRAWN)];
    await insert(...own, ...others);
    const below = (keys: string[], limit = 20) => bench().store.transact((tx) => tx.partsBelow(keys, limit));
    expect(await below(["99999/b1base"])).toEqual(["99999/b1base.v2", "99999/b1base/p1", "99999/b1base/p1.pdf"]);
    expect(await below(["99999/b1base"], 2)).toEqual(["99999/b1base.v2", "99999/b1base/p1"]);
    expect(await below(["99999/b1base/p1"])).toEqual(["99999/b1base/p1.pdf"]);
    expect(await below(["99999/b1base", "99999/b1base/p1"])).toEqual(["99999/b1base.v2", "99999/b1base/p1.pdf"]);
    expect(await below(own.map(({ key }) => key))).toEqual([]);
    expect(await below([])).toEqual([]);
    const counted = (keys: string[]) => bench().store.transact((tx) => tx.countPartsBelow(keys));
    expect(await counted(["99999/b1base"])).toBe(3);
    expect(await counted(["99999/b1base", "99999/b1base/p1"])).toBe(2);
    expect(await counted(own.map(({ key }) => key))).toBe(0);
    expect(await counted([])).toBe(0);
  });

  test("A51 histories() is history() of many names; what came with names is kept as it was signed, in its order", async () => {
    const { store, sql } = bench();
    const step = (at: string, action: string, by: string) => {
      return { at, action, beforeUrl: "", afterUrl: "https://a.example/", fields: ["url"], by, reason: "Because" };
    };
    const [one, two] = ["99999/b1came1", "99999/b1came2"];
    const millisecond = (i: number) => `2020-01-01T00:00:00.${String(i).padStart(3, "0")}Z`;
    const answer = new Map([
      [one, [step("2020-01-01T00:00:00.000Z", "mint", "far"), step("2019-01-01T00:00:00.000Z", "update", "away")]],
      [two, Array.from({ length: 300 }, (_, i) => step(millisecond(i), "update", "far"))],
    ]);
    await store.transact(async (tx) => {
      await tx.recordCarried(answer);
      await tx.recordCarried(new Map());
      await tx.record(TESTER, NOW, [changeOf(one)]);
    });
    const found = await store.histories([one, two, "99999/b1nothing"]);
    expect([...found.keys()].sort()).toEqual([one, two]);
    expect(found.get(one)?.slice(0, 2)).toEqual(answer.get(one));
    expect(found.get(one)).toEqual(await historyOf(store, one));
    const newestFirst = await Array.fromAsync(historyParts(store, two, "newest first"));
    expect(newestFirst.map(({ length }) => length)).toEqual([100, 100, 100]);
    expect(newestFirst.flat().reverse()).toEqual([...(answer.get(two) ?? [])]);
    expect(await historyOf(store, two)).toEqual(answer.get(two) ?? []);
    expect(found.get(two)).toEqual(answer.get(two));
    expect(await store.histories([])).toEqual(new Map());
    const audit = await sql(`select client_id, tier, address, at from audit_event where target = '${one}' order by id`);
    expect(audit.map(({ client_id, tier, address }) => [client_id, tier, address])).toEqual([
      ["far", "carried", ""],
      ["away", "carried", ""],
      [TESTER.clientId, TESTER.tier, TESTER.address],
    ]);
  });

  test("A17 A27 history and audit hold every change, signed and in order", async () => {
    const { store, sql } = bench();
    const key = "99999/b1hist";
    const many = Array.from({ length: 300 }, (_, i) => changeOf(`99999/b1hist${i}`));
    await store.transact(async (tx) => {
      await tx.record(TESTER, NOW, [changeOf(key, { afterUrl: "https://a.example/", fields: ["url", "title"] })]);
      await tx.record({ ...TESTER, clientId: "bob", address: "192.0.2.7" }, LATER, [
        ...many,
        changeOf(key, { action: "purge", beforeUrl: "https://a.example/", reason: "It's “over”" }),
        changeOf(key, { subject: "credential" }),
      ]);
      await tx.record(TESTER, LATER, []);
    });
    const url = "https://a.example/";
    const minted = { at: NOW, action: "mint", beforeUrl: "", afterUrl: url, fields: ["url", "title"] };
    const purged = { at: LATER, action: "purge", beforeUrl: url, afterUrl: "", fields: [] };
    expect(await historyOf(store, key)).toEqual([
      { ...minted, by: "tester", reason: "" },
      { ...purged, by: "bob", reason: "It's “over”" },
    ]);
    expect(await historyOf(store, "99999/b1nothing")).toEqual([]);
    const audit = await sql(`select * from audit_event where target = '${key}' order by id`);
    expect(audit.map((row) => [row.at, row.client_id, row.tier, row.address, row.subject, row.action])).toEqual([
      [NOW, "tester", "system", "127.0.0.1", "ark", "mint"],
      [LATER, "bob", "system", "192.0.2.7", "ark", "purge"],
      [LATER, "bob", "system", "192.0.2.7", "credential", "mint"],
    ]);
    const [count] = await sql("select count(*) as events from audit_event where client_id = 'bob'");
    expect(Number(count?.events)).toBe(302);
  });
}

export function receiptsContract(bench: () => Bench): void {
  test("A13 one receipt for each client and request_id: the first stays, whatever its kind", async () => {
    const { store } = bench();
    const claim = (...receipts: Receipt[]) => store.transact((tx) => tx.claimReceipts(receipts));
    const first = receiptOf("r-1", "99999/b1r1");
    expect(await claim(first, receiptOf("r-1", "99999/b1r1x"))).toEqual(new Set(["r-1"]));
    const later = receiptOf("r-1", "99999/b1r2", { kind: "register" });
    expect(await claim(later, receiptOf("r-2", "99999/b1r3", { kind: "import" }))).toEqual(new Set(["r-2"]));
    expect(await claim(receiptOf("r-1", "99999/b1r4", { clientId: "else" }))).toEqual(new Set(["r-1"]));
    const found = await store.transact((tx) => tx.receipts("ops", ["r-1", "r-2", "r-3"]));
    expect(found).toEqual(
      new Map([
        ["r-1", first],
        ["r-2", receiptOf("r-2", "99999/b1r3", { kind: "import" })],
      ]),
    );
    expect((await store.transact((tx) => tx.receipts("nobody", ["r-1"]))).size).toBe(0);
  });

  test("A5 A13 receipts move to another key after a collision", async () => {
    const { store } = bench();
    const found = await store.transact(async (tx) => {
      const receipts = Array.from({ length: 40 }, (_, i) => receiptOf(`move-${i}`, `99999/b1old${i}`));
      await tx.claimReceipts(receipts);
      await tx.moveReceipts([receiptOf("move-3", "99999/b1new"), receiptOf("move-39", "99999/b1new39")]);
      return tx.receipts("ops", ["move-3", "move-4", "move-39"]);
    });
    expect([...found.values()].map(({ key }) => key).sort()).toEqual(["99999/b1new", "99999/b1new39", "99999/b1old4"]);
  });

  test("A51 receiptsAfter() goes through the receipts of all clients, in the order of bytes, page by page", async () => {
    const { store } = bench();
    const receipts = ["a-1", "a-2", "Z", "é", "z"].map((id) => receiptOf(id, "99999/b1page", { clientId: "zz-page" }));
    await store.transact((tx) => tx.claimReceipts(receipts));
    await store.transact((tx) => tx.claimReceipts([receiptOf("r", "99999/b1page", { clientId: "zz-qage" })]));
    const seen: string[] = [];
    for (let place = { clientId: "zz-page", requestId: "" }; ; ) {
      const page = await store.receiptsAfter(place, 2);
      seen.push(...page.map(({ clientId, requestId }) => `${clientId} ${requestId}`));
      const last = page.at(-1);
      if (last === undefined) break;
      expect(page.length).toBeLessThanOrEqual(2);
      place = last;
    }
    expect(seen).toEqual(["Z", "a-1", "a-2", "z", "é"].map((id) => `zz-page ${id}`).concat("zz-qage r"));
  });

  test("A27 madeSince() counts what the organisation minted and registered, not what it imported", async () => {
    const { store } = bench();
    const made = await store.transact(async (tx) => {
      const organisationId = await tx.saveOrganisation(anOrganisation({ name: "counted" }));
      const ark = (name: string, changes: Partial<ArkRecord>) =>
        arkRecord(`99999/b1q${name}`, { organisationId, createdAt: NOW, ...changes });
      await tx.insertArks([
        ark("1", {}),
        ark("2", { origin: "registered" }),
        ark("3", { origin: "imported" }),
        ark("4", { createdAt: "2026-11-20T09:59:59.999Z" }),
        ark("5", { organisationId: organisationId + 1_000 }),
      ]);
      return [await tx.madeSince(organisationId, NOW), await tx.madeSince(organisationId, LATER)];
    });
    expect(made).toEqual([2, 0]);
  });
}
