// What every store promises (src/ports/store.ts), on every database it runs on.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CompiledQuery } from "kysely";
import { openDatabase } from "../../db/open.ts";
import { openStore } from "../../db/store.ts";
import { type ArkRecord, DESCRIPTIVE_FIELDS } from "../../src/domain/ark/record.ts";
import type { Change, Reach, Receipt, Store } from "../../src/ports/store.ts";
import { arkRecord, NEVER_PUBLIC } from "../support/memory-replica.ts";
import { aNaan, anOrganisation, aShoulder, NOW, type Seeded, seed, TESTER } from "../support/seed.ts";
import { concurrencyContract } from "./store-concurrency.ts";
import { lawsContract } from "./store-laws.ts";
import { listContract } from "./store-lists.ts";

/** Where a store lives for one suite. `url` is used by one store at a time where `shared` is false. */
export type Place = { readonly url: string; drop(): Promise<void> };

export type Bench = {
  readonly store: Store;
  readonly seeded: Seeded;
  /** Runs SQL past the store, on a connection of its own. */
  sql(text: string): Promise<readonly Record<string, unknown>[]>;
};

const SYSTEM: Reach = { kind: "system" };
export const LATER = "2026-11-21T10:00:00.000Z";
const WITHDRAWN = { ...NEVER_PUBLIC, state: "deleted", withdrawnAt: NOW, withdrawnReason: "Mistake" } as const;

export function receiptOf(requestId: string, key: string, changes: Partial<Receipt> = {}): Receipt {
  return { clientId: "ops", requestId, kind: "mint", key, createdAt: NOW, ...changes };
}

export function changeOf(target: string, changes: Partial<Change> = {}): Change {
  return { subject: "ark", target, action: "mint", beforeUrl: "", afterUrl: "", fields: [], reason: "", ...changes };
}

/** Registers the whole suite for one kind of database. */
export function storeContract(name: string, place: () => Promise<Place>): void {
  describe(name, () => {
    let at: Place;
    let bench: Bench;
    let raw: Awaited<ReturnType<typeof openDatabase>>;
    beforeAll(async () => {
      at = await place();
      const store = await openStore({ url: at.url });
      const seeded = await seed(store);
      raw = await openDatabase({ url: at.url });
      const sql = async (text: string) =>
        (await raw.writer.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
      bench = { store, seeded, sql };
    });
    afterAll(async () => {
      await bench.store.close();
      await raw.close();
      await at.drop();
    });
    namesContract(() => bench);
    receiptsContract(() => bench);
    policyContract(() => bench);
    credentialsContract(() => bench);
    listContract(() => bench);
    concurrencyContract(() => bench);
    lawsContract(() => bench);
  });
}

function namesContract(bench: () => Bench): void {
  const insert = (...arks: ArkRecord[]) => bench().store.transact((tx) => tx.insertArks(arks));
  const find = async (key: string) => (await bench().store.arks([key])).get(key);

  test("A8 A16 a name comes back as it went in, every field of it", async () => {
    const texts = Object.fromEntries(DESCRIPTIVE_FIELDS.map((field) => [field, `${field}: "é", 漢字, 𝔸\n\t'; --`]));
    const full = arkRecord("99999/b1fu11", {
      ...texts,
      state: "tombstoned",
      origin: "imported",
      organisationId: bench().seeded.orgB,
      tombstonedAt: NOW,
      holdUntil: LATER,
      holdReason: "Dispute",
    });
    const bare = arkRecord("99999/b1bare", { ...NEVER_PUBLIC, state: "reserved", organisationId: null });
    expect(await insert(full, bare)).toEqual(new Set([full.key, bare.key]));
    expect(await find(full.key)).toEqual(full);
    expect(await find(bare.key)).toEqual(bare);
  });

  test("L2 A11 a key ever assigned is left alone, and insertArks() says which keys went in", async () => {
    const gone = arkRecord("99999/b1gone", WITHDRAWN);
    await insert(gone);
    const again = arkRecord("99999/b1gone", { title: "Another object" });
    const fresh = arkRecord("99999/b1fresh");
    expect(await insert(again, fresh)).toEqual(new Set([fresh.key]));
    expect(await find(gone.key)).toEqual(gone);
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
    const changed = rows.map((row, i) => ({
      ...row,
      title: `Title ${i}`,
      state: "unpublished" as const,
      publishedAt: null,
      updatedAt: LATER,
    }));
    await store.transact((tx) => tx.updateArks(changed));
    const found = await store.arks(rows.map(({ key }) => key));
    expect(changed.map(({ key }) => found.get(key))).toEqual(changed);
    const missing = arkRecord("99999/b1missing");
    const other = { ...arkRecord("99999/b1up0"), title: "Never written" };
    await expect(store.transact((tx) => tx.updateArks([other, missing]))).rejects.toThrow(RangeError);
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
    expect(await store.history(key)).toEqual([
      {
        at: NOW,
        action: "mint",
        beforeUrl: "",
        afterUrl: "https://a.example/",
        fields: ["url", "title"],
        by: "tester",
        reason: "",
      },
      {
        at: LATER,
        action: "purge",
        beforeUrl: "https://a.example/",
        afterUrl: "",
        fields: [],
        by: "bob",
        reason: "It's “over”",
      },
    ]);
    expect(await store.history("99999/b1nothing")).toEqual([]);
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

function receiptsContract(bench: () => Bench): void {
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

function policyContract(bench: () => Bench): void {
  test("A31b a NAAN is inserted, then replaced", async () => {
    const { store } = bench();
    const naan = aNaan({ naan: "12345", policyUrl: "https://p.example/", holdUntil: LATER, holdReason: "Audit" });
    const changed = aNaan({
      naan: "12345",
      authoritative: false,
      redirect: "https://r.example/",
      minter: "https://m/",
    });
    await store.transact((tx) => tx.saveNaan(naan));
    expect((await store.naans()).find((row) => row.naan === "12345")).toEqual(naan);
    await store.transact((tx) => tx.saveNaan(changed));
    expect((await store.naans()).find((row) => row.naan === "12345")).toEqual(changed);
    expect((await store.naans()).map((row) => row.naan)).toEqual(["12345", "88888", "99999"]);
  });

  test("A27 an organisation keeps its id, is locked by it, and one that is not there cannot be replaced", async () => {
    const { store } = bench();
    const id = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "changing" })));
    const changed = anOrganisation({
      id,
      name: "changed",
      quotaPerDay: 5,
      active: false,
      commitmentLevel: "descriptive-only",
    });
    expect(await store.transact((tx) => tx.saveOrganisation(changed))).toBe(id);
    expect((await store.organisations()).find((row) => row.id === id)).toEqual(changed);
    const locked = await store.transact((tx) => tx.lockOrganisations([id, 987_654, bench().seeded.orgA]));
    expect([...locked.keys()].sort()).toEqual([id, bench().seeded.orgA].sort());
    expect(locked.get(id)).toEqual(changed);
    await expect(store.transact((tx) => tx.saveOrganisation({ ...changed, id: 987_654 }))).rejects.toThrow(RangeError);
  });

  test("A5 A6 a shoulder is inserted, then replaced; its blade only ever grows", async () => {
    const { store, seeded } = bench();
    const shoulder = aShoulder({ shoulder: "g5", organisationId: seeded.orgA, bladeLength: 9 });
    const find = async () => (await store.shoulders(["99999"])).find((row) => row.shoulder === "g5");
    await store.transact((tx) => tx.saveShoulder(shoulder));
    expect(await find()).toEqual(shoulder);
    const changed = aShoulder({
      shoulder: "g5",
      organisationId: seeded.orgB,
      status: "delegated",
      minter: "https://m.example/",
      about: "https://a.example/",
      redirect: "https://r.example/${blade}",
      checked: false,
      holdUntil: LATER,
      holdReason: "Move",
      bladeLength: 4,
    });
    await store.transact((tx) => tx.saveShoulder(changed));
    expect(await find()).toEqual({ ...changed, bladeLength: 9 });
    await store.transact((tx) => tx.growBlade("99999", "g5", 11));
    await store.transact((tx) => tx.growBlade("99999", "g5", 10));
    expect((await find())?.bladeLength).toBe(11);
    await store.transact((tx) => tx.saveShoulder({ ...changed, bladeLength: 12 }));
    expect((await find())?.bladeLength).toBe(12);
  });

  test("shoulders() gives those of the NAANs asked for, or all", async () => {
    const { store, seeded } = bench();
    await store.transact((tx) =>
      tx.saveShoulder(aShoulder({ naan: "88888", shoulder: "", importOnly: true, organisationId: seeded.orgA })),
    );
    expect((await store.shoulders(["88888"])).map((row) => row.shoulder)).toEqual([""]);
    expect(await store.shoulders(["00000"])).toEqual([]);
    expect(await store.shoulders([])).toEqual([]);
    expect(new Set((await store.shoulders()).map((row) => row.naan))).toEqual(new Set(["88888", "99999"]));
  });
}

function credentialsContract(bench: () => Bench): void {
  const credential = {
    id: 0,
    clientId: "ops",
    tier: "organisation",
    naan: "99999",
    shoulder: "b1",
    scopes: ["ark:mint", "ark:read"],
    active: true,
    expiresAt: LATER,
  } as const;
  const secret = (credentialId: number, id: string) =>
    ({
      id,
      credentialId,
      kind: "api_key",
      hash: "ab".repeat(32),
      createdAt: NOW,
      expiresAt: LATER,
      revokedAt: null,
    }) as const;

  test("A21 A23 a credential is found by client_id and by secret, with its organisation's state", async () => {
    const { store, seeded } = bench();
    const organisationId = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "holder" })));
    const wanted = { ...credential, organisationId };
    const id = await store.transact((tx) => tx.saveCredential(wanted));
    const kept = secret(id, "s1");
    await store.transact((tx) => tx.insertSecret(kept));
    const found = { credential: { ...wanted, id }, secret: kept, organisationActive: true };
    expect(await store.credentialBySecret("s1")).toEqual(found);
    expect(await store.credentialByClientId("ops")).toEqual({ ...found, secret: null });
    expect(await store.credentialBySecret("s2")).toBeNull();
    expect(await store.credentialByClientId("OPS")).toBeNull();

    const disabled = anOrganisation({ id: organisationId, name: "holder", active: false });
    await store.transact((tx) => tx.saveOrganisation(disabled));
    expect((await store.credentialBySecret("s1"))?.organisationActive).toBe(false);

    const changed = { ...wanted, id, scopes: [], active: false, expiresAt: null, organisationId: seeded.orgB } as const;
    expect(await store.transact((tx) => tx.saveCredential(changed))).toBe(id);
    expect((await store.credentialByClientId("ops"))?.credential).toEqual(changed);
    await expect(store.transact((tx) => tx.saveCredential({ ...changed, id: 987_654 }))).rejects.toThrow(RangeError);
  });

  test("A21 a credential of no organisation counts as active", async () => {
    const { store } = bench();
    await store.transact((tx) =>
      tx.saveCredential({
        ...credential,
        clientId: "root",
        tier: "system",
        naan: null,
        shoulder: null,
        organisationId: null,
      }),
    );
    expect((await store.credentialByClientId("root"))?.organisationActive).toBe(true);
    expect((await store.credentials()).map(({ clientId }) => clientId)).toEqual(["ops", "root"]);
  });

  test("A23 several secrets may be active at once; a revoked one keeps its first date", async () => {
    const { store } = bench();
    const id = (await store.credentialByClientId("ops"))?.credential.id ?? 0;
    await store.transact(async (tx) => {
      await tx.insertSecret({ ...secret(id, "s3"), kind: "client_secret", expiresAt: null });
      await tx.revokeSecret("s1", NOW);
      await tx.revokeSecret("s1", LATER);
    });
    const secrets = await store.secretsOf(id);
    expect(secrets.map((row) => [row.id, row.kind, row.expiresAt, row.revokedAt])).toEqual([
      ["s1", "api_key", LATER, NOW],
      ["s3", "client_secret", null, null],
    ]);
    expect((await store.credentialBySecret("s1"))?.secret?.revokedAt).toBe(NOW);
    expect(await store.secretsOf(987_654)).toEqual([]);
  });

  test("A24 subjects that are not registered are counted, the last 1,000 of them", async () => {
    const { store } = bench();
    const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString();
    await Promise.all(
      Array.from({ length: 1_003 }, (_, i) => store.noteUnregisteredSubject("https://i", `s${i}`, at(i))),
    );
    await store.noteUnregisteredSubject("https://i", "s1002", LATER);
    const subjects = await store.unregisteredSubjects();
    expect(subjects.length).toBe(1_000);
    expect(subjects[0]).toEqual({ issuer: "https://i", subject: "s1002", lastSeenAt: LATER, times: 2 });
    expect(subjects.some(({ subject }) => subject === "s0")).toBe(false);
  }, 20_000);

  test("A44 the store answers a ping, and its replica is itself where none is configured", async () => {
    const { store } = bench();
    await store.ping();
    expect(store.pool().open).toBeGreaterThan(0);
    expect(await store.replica.naans()).toEqual(await store.naans());
    expect((await store.counts(SYSTEM, NOW, [])).length).toBeGreaterThan(0);
  });
}
