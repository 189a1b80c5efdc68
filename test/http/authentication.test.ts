// API keys and our own tokens over HTTP, on a route that asks for one scope.
import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { openStore } from "../../db/ark/store.ts";
import { guard } from "../../plugins/ark/guard.ts";
import { arkManagement } from "../../plugins/ark/management.ts";
import { oauthToken } from "../../plugins/auth/oauth-token.ts";
import { arkDialect, errors } from "../../plugins/http/errors.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { arkQueries } from "../../src/ark/ark-queries.ts";
import type { Authentication } from "../../src/ark/authentication.ts";
import { lifecycle } from "../../src/ark/lifecycle.ts";
import { minting } from "../../src/ark/minting.ts";
import type { JsonObject } from "../../src/auth/claims.ts";
import { signHs256 } from "../../src/auth/jwt.ts";
import {
  authWorld,
  CLIENT_SECRET,
  KEY,
  NOW,
  seconds,
  secretOf,
  TOKEN_SECRET,
} from "../support/world/authentication.ts";

const ISSUER = "https://ark.example.org";

/** Asks for a page that needs `ark:read`; the answer names the caller. */
function reader(auth: Authentication) {
  const { authenticate, requireScope } = auth;
  const guarded = guard({ authenticate, requireScope, bodyLimit: 1000, clientSeconds: 10, rate: null });
  const app = new Elysia().use(errors(arkDialect)).get(
    "/api/arks",
    ({ request }) => {
      const { caller } = guarded.call(request);
      return Response.json({ ...caller, scopes: [...caller.scopes] });
    },
    guarded.read(["ark:read"]),
  );
  return async (authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await app.fetch(new Request("http://minter.test/api/arks", { headers }));
    const body: unknown = await answer.json();
    return { status: answer.status, challenge: answer.headers.get("www-authenticate"), body };
  };
}

const TIMES = { iat: seconds(NOW), exp: seconds(NOW) + 60 };
const CLAIMS: JsonObject = { iss: ISSUER, aud: ISSUER, sub: "ops", ...TIMES, jti: "1", scope: "ark:read" };

const NO_CREDENTIAL = {
  status: 401,
  challenge: 'Bearer realm="ark"',
  body: { code: "SVC-1201", message: "A Bearer credential is needed", detail: {} },
};
const BAD_CREDENTIAL = {
  status: 401,
  challenge: 'Bearer realm="ark", error="invalid_token"',
  body: { code: "SVC-1202", message: "The credential is not valid", detail: {} },
};

describe("every management endpoint", () => {
  test("L38 A22 asks for a Bearer credential before it checks anything else; the token endpoint asks for none", async () => {
    const { auth } = await authWorld();
    const store = await openStore({ url: ":memory:" });
    const needs = { store, clock: { now: () => NOW }, limits: { bulkRows: 10, holdMaxDays: 90 } };
    const { authenticate, requireScope } = auth;
    const random = platformRandom();
    const app = new Elysia().use(oauthToken({ issueToken: auth.issueToken, clientSeconds: 10 })).use(
      arkManagement({
        csvGuarded: true,
        guard: guard({ authenticate, requireScope, bodyLimit: 1000, clientSeconds: 10, rate: null }),
        minting: minting({ ...needs, random }),
        lifecycle: lifecycle(needs),
        arkQueries: arkQueries(needs),
        clock: needs.clock,
      }),
    );
    const routes = app.routes.filter(({ path }) => path.startsWith("/api/"));
    expect(routes.length).toBeGreaterThan(15);
    for (const { method, path } of routes) {
      const body = method === "GET" ? {} : { body: "{ broken", headers: { "content-type": "application/json" } };
      const answer = await app.fetch(new Request(`http://minter.test${path}`, { method, ...body }));
      const got = {
        status: answer.status,
        challenge: answer.headers.get("www-authenticate"),
        body: await answer.json(),
      };
      expect([method, path, got]).toEqual([method, path, NO_CREDENTIAL]);
    }
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "ops",
      client_secret: CLIENT_SECRET,
    });
    const token = await app.fetch(new Request("http://minter.test/oauth/token", { method: "POST", body }));
    expect(token.status).toBe(200);
    await store.close();
  });
});

describe("API keys", () => {
  test("L38 A26 without a Bearer credential the answer is 401 (1201) and a bare challenge", async () => {
    const { auth, world } = await authWorld();
    const read = reader(auth);
    expect(await read()).toEqual(NO_CREDENTIAL);
    expect(await read(`Basic ${btoa(`ops:${CLIENT_SECRET}`)}`)).toEqual(NO_CREDENTIAL);
    expect(world.refused.map(({ cause }) => cause)).toEqual(["no_credential", "no_credential"]);
  });

  test("L65 L67 A23 a key brings the registered attributes of its credential", async () => {
    const { auth } = await authWorld();
    const organisation = { naan: "99999", organisationId: 7, organisationActive: true, shoulder: null };
    // By it the credential is checked again where a name is written.
    const proof = { secretId: "key1", carried: null, endsAt: null };
    const scopes = ["ark:mint", "ark:read", "ark:update"];
    expect(await reader(auth)(`Bearer ${KEY}`)).toEqual({
      status: 200,
      challenge: null,
      body: { clientId: "ops", tier: "organisation", ...organisation, scopes, proof },
    });
  });

  test("A23 A26 every cause of a 401 looks alike to the caller; the log tells them apart and holds no secret", async () => {
    const { auth, world, addSecret, change, changeSecret } = await authWorld();
    const read = reader(auth);
    await addSecret(secretOf("old", "o"), "api_key");
    changeSecret("old", { expiresAt: NOW });
    await addSecret(secretOf("gone", "g"), "api_key");
    changeSecret("gone", { revokedAt: NOW });
    const wrong = [secretOf("nobody", "k"), secretOf("key1", "x"), secretOf("old", "o"), secretOf("gone", "g")];
    const attempts = [...wrong, CLIENT_SECRET, `${KEY}x`, "svc_", "nonsense", "two words"];
    for (const attempt of attempts) expect(await read(`Bearer ${attempt}`)).toEqual(BAD_CREDENTIAL);
    change({ expiresAt: NOW });
    expect(await read(`Bearer ${KEY}`)).toEqual(BAD_CREDENTIAL);
    change({ expiresAt: null, active: false });
    expect(await read(`Bearer ${KEY}`)).toEqual(BAD_CREDENTIAL);
    const secrets = ["unknown_secret nobody", "wrong_secret key1", "expired_secret old", "revoked_secret gone"];
    expect(world.refused.map(({ cause, who }) => `${cause} ${who}`)).toEqual([
      ...[...secrets, "wrong_kind sec1", "malformed ", "malformed ", "malformed ", "malformed "],
      ...["expired_credential ops", "disabled_credential ops"],
    ]);
    for (const attempt of attempts) {
      expect(JSON.stringify(world.refused)).not.toContain(`${attempt.split("_")[2] ?? attempt}"`);
    }
  });

  test("A23 several secrets are active at once, each until its own end", async () => {
    const { auth, world, addSecret, changeSecret } = await authWorld();
    const read = reader(auth);
    const second = secretOf("key2", "z");
    await addSecret(second, "api_key");
    changeSecret("key1", { expiresAt: "2026-06-01T13:00:00.000Z" });
    expect([(await read(`Bearer ${KEY}`)).status, (await read(`Bearer ${second}`)).status]).toEqual([200, 200]);
    world.now = "2026-06-01T13:00:00.000Z";
    expect([(await read(`Bearer ${KEY}`)).status, (await read(`Bearer ${second}`)).status]).toEqual([401, 200]);
  });

  test("A26 L68 a missing scope is 403 (1301) and named", async () => {
    const { auth, change } = await authWorld();
    change({ scopes: ["ark:mint"] });
    expect(await reader(auth)(`Bearer ${KEY}`)).toEqual({
      status: 403,
      challenge: 'Bearer realm="ark", error="insufficient_scope", scope="ark:read"',
      body: { code: "SVC-1301", message: "The credential lacks a scope", detail: { scope: "ark:read" } },
    });
  });

  test("A21 a disabled organisation stops every call of its credentials at once (1303)", async () => {
    const { auth, world } = await authWorld();
    const read = reader(auth);
    expect((await read(`Bearer ${KEY}`)).status).toBe(200);
    world.organisationActive = false;
    const answer = await read(`Bearer ${KEY}`);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: "SVC-1303" });
  });

  test("A21 scopes are not hierarchical: publish is held by itself or by mint, purge holds nothing else", async () => {
    const { auth, change } = await authWorld();
    change({ scopes: ["ark:mint", "ark:purge"] });
    const caller = await auth.authenticate(`Bearer ${KEY}`);
    auth.requireScope(caller, ["ark:publish", "ark:mint"]);
    expect(() => auth.requireScope(caller, ["ark:delete"])).toThrow("The credential lacks a scope");
    expect(() => auth.requireScope(caller, [])).toThrow("The credential lacks a scope");
  });
});

describe("our own tokens", () => {
  test("L65 A21 a token is its credential, narrowed to what it carries and to what is registered now", async () => {
    const { auth, change } = await authWorld();
    const token = await signHs256({ ...CLAIMS, scope: "ark:read ark:mint ark:purge" }, TOKEN_SECRET);
    const read = reader(auth);
    expect((await read(`Bearer ${token}`)).body).toMatchObject({ clientId: "ops", scopes: ["ark:mint", "ark:read"] });
    change({ scopes: ["ark:read", "ark:purge"] });
    expect((await read(`Bearer ${token}`)).body).toMatchObject({ scopes: ["ark:read", "ark:purge"] });
  });

  test("A21 disabling a credential or its organisation stops a live token at once", async () => {
    const { auth, world, change } = await authWorld();
    const token = await signHs256(CLAIMS, TOKEN_SECRET);
    const read = reader(auth);
    expect((await read(`Bearer ${token}`)).status).toBe(200);
    world.organisationActive = false;
    expect((await read(`Bearer ${token}`)).status).toBe(403);
    world.organisationActive = true;
    change({ active: false });
    expect(await read(`Bearer ${token}`)).toEqual(BAD_CREDENTIAL);
  });

  test.each([
    ["audience", { aud: "https://other.example.org" }],
    ["audience", { aud: undefined }],
    ["no_expiry", { exp: undefined }],
    ["expired", { exp: seconds(NOW) }],
    ["not_yet_valid", { nbf: seconds(NOW) + 1 }],
    ["claims", { sub: undefined }],
    ["claims", { sub: "" }],
    ["claims", { jti: undefined }],
    ["claims", { scope: undefined }],
    ["claims", { scope: ["ark:read"] }],
    ["unregistered_subject", { sub: "somebody" }],
    ["mode_off", { iss: "https://other.example.org" }],
    ["mode_off", { iss: undefined }],
  ] as const)("A24 a token signed by us is refused for its %s: %j", async (cause, wrong) => {
    const { auth, world } = await authWorld();
    const token = await signHs256({ ...CLAIMS, ...wrong }, TOKEN_SECRET);
    expect(await reader(auth)(`Bearer ${token}`)).toEqual(BAD_CREDENTIAL);
    expect(world.refused.map((each) => each.cause)).toEqual([cause]);
    expect(world.unregistered).toEqual([]);
  });

  test("A24 a token with another signature, algorithm or no signature is refused", async () => {
    const { auth, world } = await authWorld();
    const read = reader(auth);
    const part = (value: unknown) =>
      btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=/g, "");
    const [, claims = "", signature = ""] = (await signHs256(CLAIMS, TOKEN_SECRET)).split(".");
    const other = await signHs256(CLAIMS, new TextEncoder().encode("a signing secret of somebody else, just as long"));
    const header = part({ alg: "HS256", typ: "JWT" });
    const unsigned = `${part({ alg: "none", typ: "JWT" })}.${claims}.`;
    const longer = `${part({ alg: "HS512", typ: "JWT" })}.${claims}.${signature}`;
    const root = `${header}.${part({ ...CLAIMS, sub: "root" })}.${signature}`;
    const attempts = [other, unsigned, `${unsigned}${signature}`, longer, `${header}.${claims}.`, root];
    for (const attempt of attempts) expect(await read(`Bearer ${attempt}`)).toEqual(BAD_CREDENTIAL);
    const causes = world.refused.map(({ cause }) => cause).join(" ");
    expect(causes).toBe("wrong_signature algorithm algorithm algorithm wrong_signature wrong_signature");
  });

  test("L65 A24 a credential of a mode that is off is refused", async () => {
    const keysOnly = await authWorld({ modes: ["apikey"] });
    const tokensOnly = await authWorld({ modes: ["oauth2"] });
    const token = await signHs256(CLAIMS, TOKEN_SECRET);
    expect(await reader(keysOnly.auth)(`Bearer ${token}`)).toEqual(BAD_CREDENTIAL);
    expect((await reader(keysOnly.auth)(`Bearer ${KEY}`)).status).toBe(200);
    expect(await reader(tokensOnly.auth)(`Bearer ${KEY}`)).toEqual(BAD_CREDENTIAL);
    expect((await reader(tokensOnly.auth)(`Bearer ${token}`)).status).toBe(200);
  });
});
