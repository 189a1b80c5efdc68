// Mode oidc against a real authorization server, and against those who would like to be it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { exportSPKI, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { KEYS_COOLDOWN_MS, KEYS_FRESH_MS, KEYS_TRUSTED_MS, oidcKeys } from "../../src/adapters/oidc-keys.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { AUDIENCE, type AuthorizationServer, authorizationServer } from "../support/authorization-server.ts";
import { eventually } from "../support/eventually.ts";
import { authWorld } from "../support/world/authentication.ts";

let server: AuthorizationServer;
beforeAll(async () => {
  server = await authorizationServer();
});
afterAll(() => server.stop());
beforeEach(() => server.goAway(false));

/** A service that trusts `server`; `clock.ms` is what its key cache goes by. */
async function service(over: { readonly issuer?: string; readonly jwksUrl?: string } = {}) {
  const clock = { ms: 0 };
  const failures: string[] = [];
  const { issuer = server.issuer, jwksUrl = null } = over;
  const keys = oidcKeys({ issuer, jwksUrl, nowMs: () => clock.ms, onFailure: (reason) => failures.push(reason) });
  const made = await authWorld({ modes: ["apikey", "oidc"], oidc: { issuer, audience: AUDIENCE, keys } });
  made.world.now = new Date().toISOString();
  const refusal = async (token: string): Promise<ServiceError> => {
    const error: unknown = await made.auth.authenticate(`Bearer ${token}`).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof ServiceError) return error;
    throw new TypeError("Expected the token to be refused");
  };
  return {
    ...made,
    clock,
    failures,
    refusal,
    caller: (token: string) => made.auth.authenticate(`Bearer ${token}`),
    /** The reason in the log for a token that every caller gets the same answer for. */
    async causeOf(token: string): Promise<string | undefined> {
      const error = await refusal(token);
      expect([error.code, error.detail]).toEqual([1202, {}]);
      expect(error.headers).toEqual({ "www-authenticate": 'Bearer realm="ark", error="invalid_token"' });
      return made.world.refused.at(-1)?.cause;
    },
  };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** A token as the server would write it, changed by the test and signed with any key. */
async function forged(
  key: JWK | Uint8Array | CryptoKey,
  header: { readonly alg: string; readonly [name: string]: unknown },
  claims: { readonly [name: string]: unknown } = {},
): Promise<string> {
  const good = { iss: server.issuer, aud: AUDIENCE, client_id: "ops", exp: nowSeconds() + 60, scope: "ark:read" };
  const signing = "kty" in key ? await importJWK(key, header.alg) : key;
  return await new SignJWT({ ...good, ...claims }).setProtectedHeader(header).sign(signing);
}

describe("tokens of the configured issuer", () => {
  test.each(["RS256", "ES256", "EdDSA"] as const)("L65 A24 a token signed with %s is its client", async (signed) => {
    const { caller } = await service();
    const { clientId, naan, scopes } = await caller(await server.token({ signed }));
    expect([clientId, naan, [...scopes]]).toEqual(["ops", "99999", ["ark:mint", "ark:read"]]);
  });

  test("A21 the scopes of a token narrow the registered ones; without any ark: scope those hold", async () => {
    const { caller, change } = await service();
    const scopesOf = async (scope: string) => [...(await caller(await server.token({ scope }))).scopes];
    expect(await scopesOf("ark:read")).toEqual(["ark:read"]);
    expect(await scopesOf("openid-ish")).toEqual(["ark:mint", "ark:read", "ark:update"]);
    change({ scopes: ["ark:mint"] });
    expect(await scopesOf("ark:read ark:mint")).toEqual(["ark:mint"]);
  });

  test("A52 scp, as text or as a list, narrows a token as scope does", async () => {
    const { caller } = await service();
    const key = server.keyOf("ES256");
    const scopesOf = async (claims: { readonly [name: string]: unknown }) => {
      const token = await forged(key, { alg: "ES256", kid: String(key.kid) }, { scope: undefined, ...claims });
      return [...(await caller(token)).scopes];
    };
    expect(await scopesOf({ scp: ["ark:read"] })).toEqual(["ark:read"]);
    expect(await scopesOf({ scp: "openid ark:read" })).toEqual(["ark:read"]);
    expect(await scopesOf({ scp: ["ark:purge"] })).toEqual([]);
    expect(await scopesOf({ scp: ["openid"] })).toEqual(["ark:mint", "ark:read", "ark:update"]);
    expect(await scopesOf({ scope: "openid", scp: ["ark:mint"] })).toEqual(["ark:mint"]);
  });

  test("A24 the key set may be configured instead of discovered", async () => {
    const { caller } = await service({ jwksUrl: `${server.issuer}/jwks` });
    expect((await caller(await server.token())).clientId).toBe("ops");
  });

  test("A24 a subject that is not registered is refused and noted for the operator", async () => {
    const { causeOf, world } = await service();
    expect(await causeOf(await server.token({ client: "stranger" }))).toBe("unregistered_subject");
    expect(world.unregistered).toEqual([`${server.issuer} stranger`]);
  });

  test("A21 a disabled credential stops a live token at once", async () => {
    const { caller, causeOf, change } = await service();
    const token = await server.token();
    expect((await caller(token)).clientId).toBe("ops");
    change({ active: false });
    expect(await causeOf(token)).toBe("disabled_credential");
  });

  test("A24 an expired token is refused after 60 seconds of leeway", async () => {
    const { caller, causeOf, world } = await service();
    const token = await server.token();
    const issued = Date.now();
    world.now = new Date(issued + 355_000).toISOString();
    expect((await caller(token)).clientId).toBe("ops");
    world.now = new Date(issued + 362_000).toISOString();
    expect(await causeOf(token)).toBe("expired");
  });

  test("A24 a token for another audience of the same issuer is refused", async () => {
    const { causeOf } = await service();
    expect(await causeOf(await server.token({ audience: "urn:other" }))).toBe("audience");
  });

  test("A24 a token of another issuer is refused, and nobody is asked for keys", async () => {
    const other = await authorizationServer();
    try {
      const { causeOf } = await service();
      const reads = server.keyReads();
      expect(await causeOf(await other.token())).toBe("issuer");
      expect([server.keyReads(), other.keyReads()]).toEqual([reads, 0]);
    } finally {
      await other.stop();
    }
  });

  test("L65 API keys go on working next to oidc, and our own tokens do not while oauth2 is off", async () => {
    const { caller, causeOf } = await service();
    expect((await caller(`svc_key1_${"k".repeat(43)}`)).clientId).toBe("ops");
    const own = await forged(
      new TextEncoder().encode("x".repeat(32)),
      { alg: "HS256" },
      { iss: "https://ark.example.org" },
    );
    expect(await causeOf(own)).toBe("algorithm");
  });
});

describe("forged tokens", () => {
  test("A24 alg none is refused, with and without a signature", async () => {
    const { causeOf } = await service();
    const [, claims = "", signature = ""] = (await server.token()).split(".");
    const header = btoa(JSON.stringify({ alg: "none", typ: "at+jwt" })).replace(/=/g, "");
    expect(await causeOf(`${header}.${claims}.`)).toBe("algorithm");
    expect(await causeOf(`${header}.${claims}.${signature}`)).toBe("algorithm");
  });

  test("A24 HS256 with the public key as its secret is refused", async () => {
    const { causeOf } = await service();
    const { d, p, q, dp, dq, qi, ...published } = server.keyOf("RS256");
    const publicKey = await importJWK(published, "RS256", { extractable: true });
    if (publicKey instanceof Uint8Array) throw new TypeError("Not a public key");
    for (const text of [await exportSPKI(publicKey), JSON.stringify(published), published.n ?? ""]) {
      const header = { alg: "HS256", kid: published.kid };
      expect(await causeOf(await forged(new TextEncoder().encode(text), header))).toBe("algorithm");
    }
  });

  test("A24 a stranger's key under a known key id is refused", async () => {
    const { causeOf } = await service();
    const { privateKey } = await generateKeyPair("RS256");
    const header = { alg: "RS256", kid: server.keyOf("RS256").kid };
    expect(await causeOf(await forged(privateKey, header))).toBe("wrong_signature");
  });

  test("A24 keys and addresses of keys inside a token are never used", async () => {
    const { causeOf } = await service();
    const thief = await authorizationServer();
    try {
      const { d, p, q, dp, dq, qi, ...jwk } = thief.keyOf("RS256");
      const header = { alg: "RS256", kid: jwk.kid, jwk, jku: `${thief.issuer}/jwks`, x5u: `${thief.issuer}/jwks` };
      expect(await causeOf(await forged(thief.keyOf("RS256"), header))).toBe("unknown_key");
      expect(thief.keyReads()).toBe(0);
    } finally {
      await thief.stop();
    }
  });

  test("A24 claims changed after signing, algorithms beyond the three and foreign types are refused", async () => {
    const { causeOf } = await service();
    const key = server.keyOf("RS256");
    const [header = "", , signature = ""] = (await forged(key, { alg: "RS256", kid: key.kid })).split(".");
    const [, claims = ""] = (await forged(key, { alg: "RS256", kid: key.kid }, { client_id: "root" })).split(".");
    expect(await causeOf(`${header}.${claims}.${signature}`)).toBe("wrong_signature");
    const { alg, ...anyAlgorithm } = key;
    expect(await causeOf(await forged(anyAlgorithm, { alg: "RS512", kid: key.kid }))).toBe("algorithm");
    expect(await causeOf(await forged(anyAlgorithm, { alg: "PS256", kid: key.kid }))).toBe("algorithm");
    expect(await causeOf(await forged(key, { alg: "RS256", kid: key.kid, typ: "logout+jwt" }))).toBe("token_type");
    expect(await causeOf(await forged(key, { alg: "RS256", kid: key.kid }, { exp: undefined }))).toBe("no_expiry");
    expect(await causeOf(await forged(key, { alg: "RS256", kid: key.kid }, { nbf: nowSeconds() + 70 }))).toBe(
      "not_yet_valid",
    );
  });

  test("A24 azp goes before client_id, and a token that names nobody is refused", async () => {
    const { caller, causeOf } = await service();
    const key = server.keyOf("ES256");
    const header = { alg: "ES256", kid: key.kid };
    expect((await caller(await forged(key, header, { azp: "ops", client_id: "stranger" }))).clientId).toBe("ops");
    expect(await causeOf(await forged(key, header, { azp: "stranger" }))).toBe("unregistered_subject");
    expect(await causeOf(await forged(key, header, { client_id: undefined }))).toBe("claims");
  });
});

describe("the keys of the issuer", () => {
  test("A24 after a rotation new tokens are accepted with one fetch of the key set, and old ones no longer", async () => {
    const { caller, causeOf, clock } = await service();
    const before = await server.token();
    expect((await caller(before)).clientId).toBe("ops");
    await server.rotate();
    clock.ms += KEYS_COOLDOWN_MS;
    const reads = server.keyReads();
    const after = await server.token();
    const callers = await Promise.all([caller(after), caller(after), caller(after)]);
    expect(callers.map(({ clientId }) => clientId)).toEqual(["ops", "ops", "ops"]);
    expect(server.keyReads()).toBe(reads + 1);
    expect(await causeOf(before)).toBe("unknown_key");
  });

  test("A24 a flood of unknown key ids costs one fetch of the key set, not one per token", async () => {
    const { caller, causeOf, clock } = await service();
    expect((await caller(await server.token())).clientId).toBe("ops");
    const { privateKey } = await generateKeyPair("ES256");
    const unknown = () => forged(privateKey, { alg: "ES256", kid: crypto.randomUUID() });
    const flood = () => Promise.all(Array.from({ length: 100 }, async () => causeOf(await unknown())));
    const reads = server.keyReads();
    expect(new Set(await flood())).toEqual(new Set(["unknown_key"]));
    expect(server.keyReads()).toBe(reads);
    clock.ms += KEYS_COOLDOWN_MS;
    await flood();
    await flood();
    expect(server.keyReads()).toBe(reads + 1);
  });

  test("A24 bad signatures under a known key id never cost a fetch of the key set", async () => {
    const { caller, causeOf, clock } = await service();
    expect((await caller(await server.token())).clientId).toBe("ops");
    clock.ms += KEYS_COOLDOWN_MS;
    const reads = server.keyReads();
    const { privateKey } = await generateKeyPair("ES256");
    const bad = await forged(privateKey, { alg: "ES256", kid: server.keyOf("ES256").kid });
    for (let count = 0; count < 20; count++) expect(await causeOf(bad)).toBe("wrong_signature");
    expect(server.keyReads()).toBe(reads);
  });

  test("A24 keys are read again in the background when they are no longer fresh", async () => {
    const { caller, clock } = await service();
    const token = await server.token();
    await caller(token);
    const reads = server.keyReads();
    clock.ms += KEYS_FRESH_MS;
    await caller(token);
    expect(server.keyReads()).toBe(reads);
    clock.ms += 1;
    await caller(token);
    await eventually("the keys are read", () => server.keyReads() > reads);
    expect(server.keyReads()).toBe(reads + 1);
  });

  test("A24 the keys themselves verify nothing but the three algorithms", async () => {
    const keys = oidcKeys({ issuer: server.issuer, jwksUrl: null });
    const { alg, ...rsa } = server.keyOf("RS256");
    const { kid } = rsa;
    expect(await keys.verify(await forged(rsa, { alg: "RS256", kid }))).toBe("verified");
    for (const other of ["RS512", "PS256"]) {
      expect(await keys.verify(await forged(rsa, { alg: other, kid }))).toBe("wrong_signature");
    }
  });

  test("A24 while no key could ever be read the answer is 503 (1901), and the issuer is not pestered", async () => {
    const { caller, refusal, clock, failures } = await service();
    const token = await server.token();
    server.goAway(true);
    clock.ms += 1000;
    for (let count = 0; count < 5; count++) {
      const error = await refusal(token);
      expect([error.code, error.headers["retry-after"]]).toEqual([1901, "30"]);
    }
    expect(failures).toHaveLength(1);
    server.goAway(false);
    clock.ms += KEYS_COOLDOWN_MS;
    expect((await caller(token)).clientId).toBe("ops");
  });

  test("A24 known keys outlast an outage of the issuer, but not for ever", async () => {
    const { caller, refusal, clock } = await service();
    const token = await server.token();
    expect((await caller(token)).clientId).toBe("ops");
    server.goAway(true);
    for (const ms of [KEYS_FRESH_MS + 1, KEYS_TRUSTED_MS]) {
      clock.ms = ms;
      expect((await caller(token)).clientId).toBe("ops");
    }
    clock.ms = KEYS_TRUSTED_MS + KEYS_COOLDOWN_MS + 1;
    expect((await refusal(token)).code).toBe(1901);
  });

  test("A24 a discovery document that speaks of another issuer gives no keys", async () => {
    const issuer = server.issuer.replace("127.0.0.1", "localhost");
    const { refusal, failures } = await service({ issuer });
    const key = server.keyOf("RS256");
    const token = await forged(key, { alg: "RS256", kid: key.kid }, { iss: issuer });
    expect((await refusal(token)).code).toBe(1901);
    expect(failures).toEqual([`Cannot use ${issuer}/.well-known/openid-configuration: its issuer is not "${issuer}"`]);
  });
});
