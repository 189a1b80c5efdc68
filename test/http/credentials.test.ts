// Secrets made by the service and used against it, with the real database.
import { afterEach, describe, expect, test } from "bun:test";
import { platformRandom } from "../../src/adapters/random.ts";
import { authentication } from "../../src/ark/authentication.ts";
import { credentials } from "../../src/ark/credentials.ts";
import { NOW, TESTER } from "../support/seed.ts";
import { TOKEN_SECRET } from "../support/world/authentication.ts";
import type { NamesWorld } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

const opened: NamesWorld[] = [];
afterEach(async () => {
  for (const names of opened.splice(0)) await names.close();
});

/** A credential `ops` of org-a, without any secret. */
async function world() {
  const names = await openWorld({ names: true });
  opened.push(names);
  const { store, time } = names;
  const clock = { now: () => time.now };
  const { id } = await names.credential({ clientId: "ops", scopes: ["ark:mint"] });
  const tokens = { secret: TOKEN_SECRET, issuer: "arkstone", ttlSeconds: 3600 };
  const auth = authentication({ store, clock, modes: ["apikey", "oauth2"], tokens, oidc: null });
  const works = (text: string): Promise<boolean> =>
    auth.authenticate(`Bearer ${text}`).then(
      ({ clientId }) => clientId === "ops",
      () => false,
    );
  const owner = { id, clientId: "ops" };
  return { store, time, owner, auth, works, service: credentials({ store, clock, random: platformRandom() }) };
}

describe("secrets", () => {
  test("A23 a new key is svc_<id>_<43 characters>, works, and only its hash is kept", async () => {
    const { store, owner, works, service } = await world();
    const key = await service.addSecret(TESTER, { owner, kind: "api_key", expiresAt: null });
    expect(key.text).toMatch(/^svc_[0-9bcdfghjkmnpqrstvwxz]{12}_[A-Za-z0-9_-]{43}$/);
    expect(await works(key.text)).toBe(true);
    const kept = await store.secretsOf(owner.id);
    const random = key.text.slice(`svc_${key.id}_`.length);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(random)));
    const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const times = { createdAt: NOW, expiresAt: null, revokedAt: null };
    expect(kept).toEqual([{ id: key.id, credentialId: owner.id, kind: "api_key", hash: hex, ...times }]);
    expect(JSON.stringify(kept)).not.toContain(random);
  });

  test("A23 several keys are active at once, each until its own end", async () => {
    const { owner, time, works, service } = await world();
    const short = await service.addSecret(TESTER, { owner, kind: "api_key", expiresAt: "2026-11-20T11:00:00.000Z" });
    const long = await service.addSecret(TESTER, { owner, kind: "api_key", expiresAt: null });
    expect([await works(short.text), await works(long.text)]).toEqual([true, true]);
    time.now = "2026-11-20T11:00:00.000Z";
    expect([await works(short.text), await works(long.text)]).toEqual([false, true]);
  });

  test("A23 a revoked key stops at once, and cannot be revoked twice", async () => {
    const { owner, works, service } = await world();
    const key = await service.addSecret(TESTER, { owner, kind: "api_key", expiresAt: null });
    expect(await service.revokeSecret(TESTER, owner, key.id)).toBe(true);
    expect(await works(key.text)).toBe(false);
    expect(await service.revokeSecret(TESTER, owner, key.id)).toBe(false);
    expect(await service.revokeSecret(TESTER, { id: owner.id + 1, clientId: "other" }, key.id)).toBe(false);
  });

  test("A25 a client secret buys a token, and an API key does not", async () => {
    const { owner, auth, works, service } = await world();
    const key = await service.addSecret(TESTER, { owner, kind: "api_key", expiresAt: null });
    const secret = await service.addSecret(TESTER, { owner, kind: "client_secret", expiresAt: null });
    const form = { contentType: "application/x-www-form-urlencoded", body: "grant_type=client_credentials" };
    const ask = (text: string) => auth.issueToken({ authorization: `Basic ${btoa(`ops:${text}`)}`, ...form });
    expect(await works((await ask(secret.text)).token.access_token)).toBe(true);
    await expect(ask(key.text)).rejects.toThrow("The credential is not valid");
    expect(await works(secret.text)).toBe(false);
  });

  test("A21 disabling the credential or the organisation in the database stops keys and live tokens at once", async () => {
    const { store, owner, auth, works, service } = await world();
    const key = await service.addSecret(TESTER, { owner, kind: "api_key", expiresAt: null });
    const [credential] = await store.credentials();
    const [organisation] = await store.organisations();
    if (credential === undefined || organisation === undefined) throw new TypeError("The seed is missing");
    await store.transact((tx) => tx.saveOrganisation({ ...organisation, active: false }));
    const caller = await auth.authenticate(`Bearer ${key.text}`);
    expect(() => auth.requireScope(caller, ["ark:mint"])).toThrow("The credential belongs to no active organisation");
    await store.transact((tx) => tx.saveOrganisation({ ...organisation, active: true }));
    expect(await works(key.text)).toBe(true);
    await store.transact((tx) => tx.saveCredential({ ...credential, active: false }));
    expect(await works(key.text)).toBe(false);
  });
});
