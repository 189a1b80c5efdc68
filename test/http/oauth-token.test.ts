// The token endpoint over HTTP.
import { describe, expect, test } from "bun:test";
import { oauthToken } from "../../plugins/auth/oauth-token.ts";
import { readJwt } from "../../src/auth/jwt.ts";
import { authWorld, CLIENT_SECRET, KEY, NOW, seconds, secretOf } from "../support/world/authentication.ts";

type World = Awaited<ReturnType<typeof authWorld>>;

async function ask({ auth }: World, init: RequestInit) {
  const app = oauthToken({ issueToken: auth.issueToken, clientSeconds: 10 });
  const answer = await app.fetch(new Request("http://minter.test/oauth/token", { method: "POST", ...init }));
  const text = await answer.text();
  // Answers of this endpoint are JSON objects; a test that gets something else fails on its fields.
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text) as Record<string, unknown> };
}

const GRANT = { grant_type: "client_credentials" };
const IN_FORM = { ...GRANT, client_id: "ops", client_secret: CLIENT_SECRET };
const form = (fields: Record<string, string>): RequestInit => ({ body: new URLSearchParams(fields) });
const basic = (id: string, secret: string): RequestInit => ({
  ...form(GRANT),
  headers: { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` },
});

describe("tokens", () => {
  test("L49 A25 client credentials in the form buy a token that works", async () => {
    const world = await authWorld();
    const { status, headers, body } = await ask(world, form({ ...IN_FORM, scope: "ark:read" }));
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("pragma")).toBe("no-cache");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    const expected = { access_token: expect.any(String), token_type: "Bearer", expires_in: 3600, scope: "ark:read" };
    expect(body).toEqual(expected);
    const caller = await world.auth.authenticate(`Bearer ${body.access_token}`);
    expect([caller.clientId, [...caller.scopes]]).toEqual(["ops", ["ark:read"]]);
    world.world.now = "2026-06-01T12:59:59.999Z";
    expect((await world.auth.authenticate(`Bearer ${body.access_token}`)).clientId).toBe("ops");
    world.world.now = "2026-06-01T13:00:00.000Z";
    await expect(world.auth.authenticate(`Bearer ${body.access_token}`)).rejects.toThrow("The credential is not valid");
  });

  test("L49 A25 so do client credentials in HTTP Basic", async () => {
    const { status, body } = await ask(await authWorld(), basic("ops", CLIENT_SECRET));
    expect([status, body.token_type]).toEqual([200, "Bearer"]);
  });

  test("L49 a client id with a colon, a blank or an accent goes through HTTP Basic form-encoded", async () => {
    const world = await authWorld();
    world.change({ clientId: "é: a" });
    expect((await ask(world, basic("é: a", CLIENT_SECRET))).status).toBe(200);
  });

  test("A25 an empty scope means all that are registered", async () => {
    const world = await authWorld();
    for (const fields of [IN_FORM, { ...IN_FORM, scope: "" }]) {
      expect((await ask(world, form(fields))).body.scope).toBe("ark:mint ark:read ark:update");
    }
  });

  test("A24 a token contains issuer, audience, subject, times, id and scope, and no two are alike", async () => {
    const world = await authWorld();
    const one = readJwt(String((await ask(world, form(IN_FORM))).body.access_token));
    const two = readJwt(String((await ask(world, form(IN_FORM))).body.access_token));
    expect(one?.header).toEqual({ alg: "HS256", typ: "JWT" });
    const issued = { iss: "https://ark.example.org", aud: "https://ark.example.org", sub: "ops" };
    const times = { iat: seconds(NOW), exp: seconds(NOW) + 3600 };
    const scope = "ark:mint ark:read ark:update";
    expect(one?.claims).toEqual({ ...issued, ...times, jti: expect.any(String), scope });
    expect(two?.claims.jti).not.toBe(one?.claims.jti);
  });

  test("A21 a token never outlives its credential", async () => {
    const world = await authWorld();
    world.change({ expiresAt: "2026-06-01T12:10:00.000Z" });
    expect((await ask(world, form(IN_FORM))).body.expires_in).toBe(600);
  });
});

describe("refusals", () => {
  test("A25 A26 every cause of a 401 is one invalid_client answer with a Basic challenge", async () => {
    const world = await authWorld();
    await world.addSecret(secretOf("sec2", "t"), "client_secret", 2);
    world.world.credentials.set("other", { ...(await otherCredential(world)), id: 2, clientId: "other" });
    const secrets = [secretOf("sec1", "x"), secretOf("none", "s"), secretOf("sec2", "t"), KEY, "hunter2"];
    const attempts: RequestInit[] = [
      ...[form(GRANT), form({ ...GRANT, client_id: "ops" }), form({ ...IN_FORM, client_id: "nobody" })],
      ...secrets.map((client_secret) => form({ ...IN_FORM, client_secret })),
      basic("nobody", CLIENT_SECRET),
      ...["Basic !", `Bearer ${KEY}`].map((authorization) => ({ ...form(GRANT), headers: { authorization } })),
    ];
    for (const attempt of attempts) await expectInvalidClient(world, attempt);
    world.world.organisationActive = false;
    await expectInvalidClient(world, form(IN_FORM));
    world.world.organisationActive = true;
    world.change({ active: false });
    await expectInvalidClient(world, form(IN_FORM));
    expect(world.world.refused.map(({ cause }) => cause)).toEqual([
      ...["no_credential", "no_credential", "other_client", "wrong_secret", "unknown_secret", "other_client"],
      ...["wrong_kind", "malformed", "other_client", "no_credential", "no_credential"],
      ...["inactive_organisation", "disabled_credential"],
    ]);
  });

  test.each([
    ["invalid_request", "SVC-1106", form({ client_id: "ops", client_secret: CLIENT_SECRET })],
    ["invalid_request", "SVC-1106", { ...basic("ops", CLIENT_SECRET), ...form(IN_FORM) }],
    ["invalid_request", "SVC-1106", { ...form(IN_FORM), body: `${new URLSearchParams(IN_FORM)}&client_id=ops` }],
    ["invalid_request", "SVC-1106", { body: JSON.stringify(IN_FORM), headers: { "content-type": "application/json" } }],
    [
      "invalid_request",
      "SVC-1106",
      {
        body: new Uint8Array([0xff]),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
    ],
    ["invalid_request", "SVC-1106", {}],
    ["unsupported_grant_type", "SVC-1204", form({ ...IN_FORM, grant_type: "password" })],
    ["invalid_scope", "SVC-1305", form({ ...IN_FORM, scope: "ark:mint ark:purge" })],
    ["invalid_scope", "SVC-1305", form({ ...IN_FORM, scope: "openid" })],
  ] as const)("A25 %s (%s) is 400", async (error, code, init) => {
    // A body that is text does not have the media type of a form.
    const headers = "body" in init && typeof init.body === "string" && !("headers" in init);
    const sent = headers ? { ...init, headers: { "content-type": "application/x-www-form-urlencoded" } } : init;
    const answer = await ask(await authWorld(), sent);
    expect(answer.status).toBe(400);
    // What is malformed is stated in words.
    const { detail, message } = answer.body;
    const { reason } = Object(detail);
    expect([typeof reason, typeof message]).toEqual([code === "SVC-1106" ? "string" : "undefined", "string"]);
    const expected = { error, code, error_description: reason ?? message };
    expect(answer.body).toMatchObject(expected);
    expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    expect(answer.headers.get("www-authenticate")).toBeNull();
    expect(JSON.stringify(answer.body)).not.toContain(CLIENT_SECRET);
  });

  test("A25 the scope that is not registered is named (1305)", async () => {
    const { body } = await ask(await authWorld(), form({ ...IN_FORM, scope: "ark:mint ark:purge openid" }));
    expect(body.detail).toEqual({ scope: "ark:purge openid" });
  });

  test("A25 credentials sent in the header and in the body at once are 400 even when both are right", async () => {
    const { headers } = basic("ops", CLIENT_SECRET);
    const { status, body } = await ask(await authWorld(), {
      ...form(IN_FORM),
      ...(headers === undefined ? {} : { headers }),
    });
    expect([status, body.error]).toEqual([400, "invalid_request"]);
  });

  test("A25 A24 where SVC_AUTH does not hold oauth2 the answer is 404 (1203)", async () => {
    const { status, body, headers } = await ask(await authWorld({ modes: ["apikey"] }), form(IN_FORM));
    expect([status, body.code, body.message]).toEqual([404, "SVC-1203", "This service does not issue tokens"]);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("A22 a body larger than any token request is 413 (1103), declared or not", async () => {
    const world = await authWorld();
    const large = form({ ...IN_FORM, padding: "x".repeat(20_000) });
    expect((await ask(world, large)).status).toBe(413);
    const declared = await ask(world, { ...form(IN_FORM), headers: { "content-length": "20000" } });
    expect([declared.status, declared.body.code, declared.body.error]).toEqual([413, "SVC-1103", "invalid_request"]);
  });
});

async function expectInvalidClient(world: World, attempt: RequestInit): Promise<void> {
  const { status, headers, body } = await ask(world, attempt);
  expect(status).toBe(401);
  expect(headers.get("www-authenticate")).toBe('Basic realm="ark"');
  expect(headers.get("cache-control")).toBe("no-store");
  const message = "The credential is not valid";
  const oauth = { error: "invalid_client", error_description: message };
  expect(body).toEqual({ ...oauth, code: "SVC-1202", message, detail: {} });
}

async function otherCredential({ world }: World) {
  const credential = world.credentials.get("ops");
  if (credential === undefined) throw new TypeError("ops is missing");
  return credential;
}
