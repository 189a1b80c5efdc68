// Part of the store's contract: NAANs, organisations, shoulders, credentials and their secrets.

import { expect, test } from "bun:test";
import { errorOf } from "../support/refusals.ts";
import { aNaan, anOrganisation, aShoulder, NOW } from "../support/seed.ts";
import { type Bench, LATER } from "./store-bench.ts";

export function policyContract(bench: () => Bench): void {
  test("a NAAN is inserted, then replaced", async () => {
    const { store } = bench();
    const naan = aNaan({ naan: "12345", policyUrl: "https://p.example/", holdUntil: LATER, holdReason: "Audit" });
    const leading = { redirect: "https://r.example/", minter: "https://m/" };
    const changed = aNaan({ naan: "12345", authoritative: false, ...leading });
    await store.transact((tx) => tx.saveNaan(naan));
    expect((await store.naans()).find((row) => row.naan === "12345")).toEqual(naan);
    await store.transact((tx) => tx.saveNaan(changed));
    expect((await store.naans()).find((row) => row.naan === "12345")).toEqual(changed);
    expect((await store.naans()).map((row) => row.naan)).toEqual(["12345", "88888", "99999"]);
  });

  test("A27 an organisation keeps its id, is locked by it, and one that is not there cannot be replaced", async () => {
    const { store } = bench();
    const id = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "changing" })));
    const limits = { quotaPerDay: 5, active: false, commitmentLevel: "descriptive-only" } as const;
    const changed = anOrganisation({ id, name: "changed", ...limits });
    expect(await store.transact((tx) => tx.saveOrganisation(changed))).toBe(id);
    expect((await store.organisations()).find((row) => row.id === id)).toEqual(changed);
    const locked = await store.transact((tx) => tx.lockOrganisations([id, 987_654, bench().seeded.orgA]));
    expect([...locked.keys()].sort()).toEqual([id, bench().seeded.orgA].sort());
    expect(locked.get(id)).toEqual(changed);
    expect(
      await errorOf(() => store.transact((tx) => tx.saveOrganisation({ ...changed, id: 987_654 }))),
    ).toBeInstanceOf(RangeError);
  });

  test("A5 A6 a shoulder is inserted, then replaced; its blade only ever grows", async () => {
    const { store, seeded } = bench();
    const shoulder = aShoulder({ shoulder: "g5", organisationId: seeded.orgA, bladeLength: 9 });
    const find = async () => (await store.shoulders(["99999"])).find((row) => row.shoulder === "g5");
    await store.transact((tx) => tx.saveShoulder(shoulder));
    expect(await find()).toEqual(shoulder);
    const links = { minter: "https://m.example/", about: "https://a.example/", redirect: "https://r.example/${blade}" };
    const state = { status: "delegated", checked: false, holdUntil: LATER, holdReason: "Move" } as const;
    const changed = aShoulder({ shoulder: "g5", organisationId: seeded.orgB, ...links, ...state, bladeLength: 4 });
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

export function credentialsContract(bench: () => Bench): void {
  const owner = { clientId: "ops", tier: "organisation", naan: "99999", shoulder: "b1" } as const;
  const credential = { id: 0, ...owner, scopes: ["ark:mint", "ark:read"], active: true, expiresAt: LATER } as const;
  const life = { createdAt: NOW, expiresAt: LATER, revokedAt: null };
  const secret = (credentialId: number, id: string) =>
    ({ id, credentialId, kind: "api_key", hash: "ab".repeat(32), ...life }) as const;

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
    expect(await errorOf(() => store.transact((tx) => tx.saveCredential({ ...changed, id: 987_654 })))).toBeInstanceOf(
      RangeError,
    );
  });

  test("A21 a credential of no organisation counts as active", async () => {
    const { store } = bench();
    const root = { clientId: "root", tier: "system", naan: null, shoulder: null, organisationId: null } as const;
    await store.transact((tx) => tx.saveCredential({ ...credential, ...root }));
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
  });

  test("the store answers a ping, and its replica is itself where none is configured", async () => {
    const { store } = bench();
    await store.ping();
    expect(store.pool().open).toBeGreaterThan(0);
    expect(await store.replica.naans()).toEqual(await store.naans());
    expect((await store.counts({ kind: "system" }, NOW, [])).length).toBeGreaterThan(0);
  });
}
