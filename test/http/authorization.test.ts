// The authorization server over HTTP (R30; RFC 6749, 7009, 7591, 7636, 8414, 8707, 9207): from a client that registers
// to a tool that it calls, and every way in which codes and tokens are refused.
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { REPOSITORY_LANGUAGES } from "../../src/repository/pages/languages/index.ts";
import { codeChallenge } from "../../src/shared/hash/digests.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { NOW } from "../support/seed.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { type AuthorizationWorld, authorizationOf, MCP, REDIRECT, VERIFIER } from "../support/world/authorization.ts";
import { BASE_URL, type RepositoryWorld } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const SECRET = "client_credentials of a test have 32 bytes";
const METADATA = { title: "By a program", publication_date: "2026-01-01", resource_type: { id: "dataset" } };

describe("R30 the authorization server", () => {
  let at: AuthorizationWorld;
  const world = setUpWorld({ repository: { env: { SVC_AUTH: "apikey,oauth2", SVC_TOKEN_SECRET: SECRET } } });
  const calls = toolCalls(world);
  beforeAll(() => {
    at = authorizationOf(world);
  });
  beforeEach(() => {
    world.time.now = NOW;
  });

  test("S3.7.22 S3.7.23 SVC_CLIENT_DOCUMENTS=off: no address that a client sends is fetched, and the metadata states that none is accepted", async () => {
    for (const [setting, isFetched] of [
      ["on", true],
      ["off", false],
    ] as const) {
      const lines: string[] = [];
      const note = (event: string): void => void lines.push(event);
      const log = { debug: note, info: note, warn: note, error: note };
      const own = world.under({ SVC_CLIENT_DOCUMENTS: setting }, (parts) => ({ ...parts, log }));
      const metadata = await own.ask(null, "GET", "/.well-known/oauth-authorization-server");
      expect([setting, metadata.json.client_id_metadata_document_supported]).toEqual([setting, isFetched]);
      const asked = new URLSearchParams({
        ...{ client_id: "https://client.invalid/about.json", response_type: "code", redirect_uri: REDIRECT },
        ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256", resource: MCP },
      });
      const answer = await own.ask(null, "GET", `/oauth/authorize?${asked}`);
      expect([setting, answer.status, lines.includes("client_document_refused")]).toEqual([setting, 400, isFetched]);
    }
  });

  const later = (ms: number): void => {
    world.time.now = addMilliseconds(NOW, ms);
  };
  /** What a token receives from an interface. */
  const heard = async (token: string, entrance = "/mcp"): Promise<number> =>
    (await toolCalls(world, entrance).modern({ token }, "tools/list")).status;
  const actionsOf = async (clientId: string): Promise<readonly string[]> => {
    const { id } = world.people.registered.account;
    const all = await world.store.grants.grantsOf(id);
    const ids = new Set([...all.filter((each) => each.clientId === clientId).map((each) => each.id), ...ended]);
    const events = [];
    for (const each of ids) events.push(...(await world.store.events(`grant:${each}`, 20)));
    return events.filter(({ detail }) => detail.client === clientId).map(({ action }) => action);
  };
  /** Grants that tests looked up before they ended. */
  const ended = new Set<string>();
  const remember = async (): Promise<void> => {
    for (const { id } of await world.store.grants.grantsOf(world.people.registered.account.id)) ended.add(id);
  };

  test("S3.7.1 a client registers, a person allows it, and its token calls tools as the person", async () => {
    const registered = await world.ask(null, "POST", "/oauth/register", {
      body: JSON.stringify({ redirect_uris: [REDIRECT], client_name: "Reader" }),
    });
    expect([registered.status, registered.headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(registered.json).toEqual({
      client_id: expect.stringMatching(/^client-[0-9a-z]{20}$/),
      client_id_issued_at: Date.parse(NOW) / 1000,
      client_name: "Reader",
      application_type: "web",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "mcp:read mcp:write mcp:curate",
    });
    const clientId = String(registered.json.client_id);
    const answer = await at.exchange(clientId, await at.code("registered", clientId), { resource: MCP });
    const { headers } = answer;
    expect([answer.status, headers.get("cache-control"), headers.get("pragma")]).toEqual([200, "no-store", "no-cache"]);
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^svc_access[0-9a-z]{12}_[A-Za-z0-9_-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^svc_refresh[0-9a-z]{12}_[A-Za-z0-9_-]{43}$/),
      scope: "mcp:read mcp:write",
    });
    const token = String(answer.json.access_token);
    expect(JSON.stringify((await calls.call({ token }, "whoami")).structuredContent)).toContain(
      "registered@example.org",
    );
    const { structuredContent } = await calls.call({ token }, "create_record", { metadata: METADATA });
    expect(structuredContent.title).toBe("By a program");
    const params = { name: "delete_record", arguments: { recid: "1" } };
    const refused = await calls.modern({ token }, "tools/call", params, "delete_record");
    const expected = [403, expect.stringContaining('error="insufficient_scope", scope="mcp:curate"')];
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual(expected);
  });

  test("S3.7.2 the server describes itself alike wherever clients look, and its issuer is the one the resources name", async () => {
    const paths = ["", "/mcp", "/mcp-auth"].map((path) => `/.well-known/oauth-authorization-server${path}`);
    for (const path of paths) {
      const { status, headers, json } = await world.ask(null, "GET", path);
      expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      expect(json).toEqual({
        issuer: BASE_URL,
        authorization_endpoint: `${BASE_URL}/oauth/authorize`,
        token_endpoint: `${BASE_URL}/oauth/token`,
        registration_endpoint: `${BASE_URL}/oauth/register`,
        revocation_endpoint: `${BASE_URL}/oauth/revoke`,
        scopes_supported: ["mcp:read", "mcp:write", "mcp:curate"],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
        token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
        revocation_endpoint_auth_methods_supported: ["none"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        ui_locales_supported: REPOSITORY_LANGUAGES,
      });
    }
    const { json } = await world.ask(null, "GET", "/.well-known/oauth-protected-resource/mcp");
    expect(json.authorization_servers).toEqual([BASE_URL]);
    const below = world.under({ SVC_BASE_URL: "https://a.example/repo", SVC_ROOT_PATH: "/repo", SVC_AUTH: "apikey" });
    for (const path of [
      ...["/repo", "/repo/mcp", "/repo/mcp-auth"].map((path) => `/.well-known/oauth-authorization-server${path}`),
      ...["", "/mcp", "/mcp-auth"].map((path) => `/repo/.well-known/oauth-authorization-server${path}`),
    ]) {
      const found = (await below.ask(null, "GET", path)).json;
      expect([found.issuer, found.token_endpoint_auth_methods_supported]).toEqual(["https://a.example/repo", ["none"]]);
    }
  });

  test("S3.7.3 programs in browsers may ask every endpoint, and read refusals too", async () => {
    for (const [path, method] of [
      ["/oauth/token", "POST"],
      ["/oauth/register", "POST"],
      ["/oauth/revoke", "POST"],
      ["/.well-known/oauth-authorization-server", "GET"],
    ] as const) {
      const { status, headers } = await world.ask(null, "OPTIONS", path, {
        headers: { origin: "https://app.example" },
      });
      expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 204, "*"]);
      expect(headers.get("access-control-allow-methods")).toBe(method);
      expect(headers.get("access-control-allow-headers")).toContain("Content-Type");
    }
    for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"]) {
      const refused = await at.post(path, {});
      expect([path, refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([path, 400, "*"]);
    }
  });

  test("S3.7.4 what cannot be a client is refused by name, what else it asks for is replaced", async () => {
    const register = (sent: unknown) =>
      world.ask(null, "POST", "/oauth/register", {
        body: typeof sent === "string" ? sent : JSON.stringify(sent),
        address: `198.51.100.${++addresses % 250}`,
      });
    let addresses = 0;
    const app = "https://app.example";
    const bad = [
      ...["http://app.example/cb", "javascript:alert(1)", "data:text/html,x", "myapp:/cb", "https://", "cb", ""],
      ...[`${app}/cb#x`, "https://u:p@app.example/cb", "https://u@app.example/cb", "https:app.example", "file:///x"],
      ...[`${app}\\@evil.example/`, `${app}/ cb`, `${app}/\n`, "//app.example/cb", `${app}/${"a".repeat(2_000)}`],
      ...["127.0.0.1.evil.example", "localhost.evil.example", "0x7f.1@evil.example"].map((host) => `http://${host}/`),
    ];
    for (const each of bad) {
      const { status, json } = await register({ redirect_uris: [REDIRECT, each] });
      expect([each.slice(0, 60), status, json.error]).toEqual([each.slice(0, 60), 400, "invalid_redirect_uri"]);
    }
    const many = Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`);
    for (const redirect_uris of [undefined, null, [], "https://app.example/", [1], {}, many]) {
      expect((await register({ redirect_uris })).json.error).toBe("invalid_redirect_uri");
    }
    const redirect_uris = [REDIRECT];
    for (const sent of [
      ...["", "{", "[]", "null", '"x"', "\u0000", `${"[".repeat(9_000)}`],
      ...[
        { redirect_uris, grant_types: ["implicit"] },
        { redirect_uris, grant_types: "authorization_code" },
      ],
      ...[
        { redirect_uris, response_types: ["token"] },
        { redirect_uris, client_name: 7 },
        { redirect_uris, application_type: "x" },
      ],
    ]) {
      const { status, json } = await register(sent);
      expect([sent, status, json.error]).toEqual([sent, 400, "invalid_client_metadata"]);
    }
    expect((await register({ redirect_uris, client_name: "x".repeat(20_000) })).status).toBe(413);
    const { status, json } = await register({
      redirect_uris: ["http://127.0.0.1:7777/cb", "http://localhost/cb", "http://[::1]/cb", REDIRECT],
      client_name: `  Evil\u202E\u200B\n<b>Name</b> ${"x".repeat(500)}`,
      client_uri: "javascript:alert(1)",
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      scope: "ark:mint",
      client_id: "chosen",
      __proto__: { x: 1 },
    });
    const expected = [201, "none", "mcp:read mcp:write mcp:curate", undefined];
    expect([status, json.token_endpoint_auth_method, json.scope, json.client_uri]).toEqual(expected);
    expect(json.grant_types).toEqual(["authorization_code", "refresh_token"]);
    expect(String(json.client_name)).toMatch(/^Evil <b>Name<\/b> xxx/);
    expect([...String(json.client_name)].length).toBe(100);
    expect(json.client_id).not.toBe("chosen");
    expect(json.redirect_uris).toEqual([
      ...["http://127.0.0.1:7777/cb", "http://localhost/cb", "http://[::1]/cb", REDIRECT],
    ]);
    const kinds: readonly (readonly [readonly string[], string, string | undefined, string | undefined])[] = [
      [[REDIRECT, "http://localhost/cb"], "native", "https://app.example/about", "https://app.example/about"],
      [[REDIRECT, "https://app.example/b", REDIRECT], "web", "http://app.example/about", undefined],
    ];
    for (const [sent, kind, client_uri, shown] of kinds) {
      const made = (await register({ redirect_uris: sent, client_uri, client_name: null })).json;
      expect([made.redirect_uris, made.application_type, made.client_uri, made.client_name]).toEqual([
        ...[[...new Set(sent)], kind, shown, "app.example"],
      ]);
    }
  });

  test("S3.7.5 an address registers ten clients a minute", async () => {
    const answers = [];
    for (let n = 0; n < 11; n += 1) {
      const body = JSON.stringify({ redirect_uris: [REDIRECT] });
      answers.push(await world.ask(null, "POST", "/oauth/register", { body, address: "203.0.113.9" }));
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    const expected = ["temporarily_unavailable", true];
    expect([answers[10]?.json.error, answers[10]?.headers.has("retry-after")]).toEqual(expected);
    const body = JSON.stringify({ redirect_uris: [REDIRECT] });
    const register = async (address: string) =>
      (await world.ask(null, "POST", "/oauth/register", { body, address })).status;
    expect([await register("203.0.113.10"), await register("203.0.113.9")]).toEqual([201, 429]);
  });

  test("S3.7.6 the code is for its client, its address, its verifier and its resource; a failed attempt ends nothing, and there are sixty seconds", async () => {
    const clientId = await at.register();
    const other = await at.register();
    const code = await at.code("registered", clientId);
    const client = { grant_type: "authorization_code", client_id: clientId };
    const base = { ...client, code, code_verifier: VERIFIER, redirect_uri: REDIRECT };
    const wrongEnd = `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`;
    const invalid: Readonly<Record<string, readonly string[]>> = {
      client_id: [other, "nobody"],
      code: ["x", wrongEnd, code.replace("svc_code", "svc_refresh")],
      code_verifier: ["b".repeat(43), "a".repeat(42), "a".repeat(129)],
      redirect_uri: ["https://app.example/other", ""],
    };
    const cases: readonly (readonly [Readonly<Record<string, string>>, number, string])[] = [
      ...Object.entries(invalid).flatMap(([name, values]) =>
        values.map((value): [Record<string, string>, number, string] => [{ [name]: value }, 400, "invalid_grant"]),
      ),
      [{ client_id: "" }, 400, "invalid_request"],
      [{ code: "" }, 400, "invalid_request"],
      [{ code_verifier: "" }, 400, "invalid_request"],
      [{ resource: `${BASE_URL}/mcp-auth` }, 400, "invalid_target"],
      [{ resource: "https://evil.example/mcp" }, 400, "invalid_target"],
      [{ client_secret: "x" }, 401, "invalid_client"],
      [{ grant_type: "password" }, 400, "unsupported_grant_type"],
      [{ grant_type: "" }, 400, "invalid_request"],
    ];
    for (const [changes, status, error] of cases) {
      const { json, ...answer } = await at.post("/oauth/token", { ...base, ...changes });
      expect([changes, answer.status, json.error]).toEqual([changes, status, error]);
      expect(Object.keys(json)).toEqual(["error", "error_description", "code", "message", "detail"]);
      expect(answer.text).not.toContain(code);
    }
    const basic = await at.post("/oauth/token", base, { authorization: `Basic ${btoa(`${clientId}:x`)}` });
    expect([basic.status, basic.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="ark"']);
    for (const resources of [
      [MCP, `${BASE_URL}/mcp-auth`],
      [`${BASE_URL}/mcp-auth`, MCP],
    ]) {
      const two = new URLSearchParams([...Object.entries(base), ...resources.map((each) => ["resource", each])]);
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const { json } = await world.ask(null, "POST", "/oauth/token", { headers: form, body: String(two) });
      expect([resources, json.error]).toEqual([resources, "invalid_target"]);
    }
    later(60_000);
    expect((await at.post("/oauth/token", base)).json.error).toBe("invalid_grant");
    later(59_999);
    expect((await at.post("/oauth/token", { ...base, scope: "mcp:read" })).json.scope).toBe("mcp:read mcp:write");
  });

  test("S3.7.6 a verifier has 43 to 128 characters, whatever its challenge; an address that was not asked for is not asked again", async () => {
    const clientId = await at.register();
    for (const [verifier, status] of [
      ["v".repeat(42), 400],
      ["v".repeat(43), 200],
      ["w".repeat(128), 200],
      ["w".repeat(129), 400],
      [`${"v".repeat(43)}+`, 400],
    ] as const) {
      const code = await at.code("registered", clientId, { code_challenge: codeChallenge(verifier) });
      const answer = await at.exchange(clientId, code, { code_verifier: verifier });
      expect([verifier.length, answer.status]).toEqual([verifier.length, status]);
    }
    const code = await at.code("registered", clientId, { redirect_uri: null });
    const { grant_type, code_verifier } = { grant_type: "authorization_code", code_verifier: VERIFIER };
    const answer = await at.post("/oauth/token", { grant_type, client_id: clientId, code, code_verifier });
    expect([answer.status, answer.json.scope]).toEqual([200, "mcp:read mcp:write"]);
  });

  test("S3.7.7 a token request that is not a form, repeats a parameter or never ends is refused before anything is read", async () => {
    const form = "application/x-www-form-urlencoded";
    const sent: readonly (readonly [string, BodyInit, number])[] = [
      ["application/json", "{}", 400],
      [form, "grant_type=authorization_code&code=a&code=b", 400],
      [form, "grant_type=refresh_token&client_id=a&client_id=b&refresh_token=x", 400],
      [form, new Uint8Array([0xff, 0xfe]), 400],
      [form, "&".repeat(300), 400],
      [form, `grant_type=authorization_code&code=${"x".repeat(20_000)}`, 413],
      [form, "grant_type=authorization_code%00", 400],
      [form, "grant_type=__proto__&client_id=constructor", 400],
    ];
    for (const [type, body, status] of sent) {
      for (const path of ["/oauth/token", "/oauth/revoke"]) {
        const answer = await world.ask(null, "POST", path, { headers: { "content-type": type }, body });
        expect([path, String(body).slice(0, 60), answer.status]).toEqual([path, String(body).slice(0, 60), status]);
        expect(answer.json.error).toEqual(expect.any(String));
      }
    }
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await world.ask(null, method, "/oauth/token")).status).toBe(405);
  });

  test("S3.7.8 a code that is used twice ends all that was allowed, the tokens of the first use too, and is in the audit", async () => {
    const clientId = await at.register();
    const code = await at.code("registered", clientId);
    const { json } = await at.exchange(clientId, code);
    await remember();
    expect(await heard(String(json.access_token))).toBe(200);
    const stolen = await at.exchange(clientId, code, { code_verifier: "b".repeat(43) });
    expect([stolen.json.error, await heard(String(json.access_token))]).toEqual(["invalid_grant", 200]);
    expect((await at.exchange(clientId, code)).json.error).toBe("invalid_grant");
    expect(await heard(String(json.access_token))).toBe(401);
    expect((await at.refresh(clientId, String(json.refresh_token))).json.error).toBe("invalid_grant");
    expect(await actionsOf(clientId)).toEqual(["grant-end", "grant-reuse", "grant-use", "grant-make"]);
  });

  test("S3.7.9 a refresh token is used once and makes the next; the one before, used again, ends everything", async () => {
    const { clientId, refresh, access } = await at.tokens("registered");
    await remember();
    const second = (await at.refresh(clientId, refresh)).json;
    expect([second.scope, second.expires_in]).toEqual(["mcp:read mcp:write", 3600]);
    expect(second.refresh_token).not.toBe(refresh);
    expect([await heard(access), await heard(String(second.access_token))]).toEqual([200, 200]);
    const third = (await at.refresh(clientId, String(second.refresh_token))).json;
    const { status, json } = await at.refresh(clientId, refresh);
    expect([status, json.error]).toEqual([400, "invalid_grant"]);
    for (const token of [access, second.access_token, third.access_token]) expect(await heard(String(token))).toBe(401);
    expect((await at.refresh(clientId, String(third.refresh_token))).json.error).toBe("invalid_grant");
    expect((await actionsOf(clientId)).slice(0, 3)).toEqual(["grant-end", "grant-reuse", "grant-refresh"]);
  });

  test("S3.7.10 a refresh may narrow, never widen; the next refresh token keeps what was allowed", async () => {
    const { clientId, refresh } = await at.tokens("registered");
    for (const scope of ["mcp:curate", "mcp:read mcp:curate", "ark:mint", "mcp:read x"]) {
      expect((await at.refresh(clientId, refresh, { scope })).json.error).toBe("invalid_scope");
    }
    for (const more of [{ resource: `${BASE_URL}/mcp-auth` }, { resource: "x" }]) {
      expect((await at.refresh(clientId, refresh, more)).json.error).toBe("invalid_target");
    }
    expect((await at.refresh(await at.register(), refresh)).json.error).toBe("invalid_grant");
    expect((await at.refresh(clientId, "")).json.error).toBe("invalid_request");
    const narrow = (await at.refresh(clientId, refresh, { scope: "mcp:read", resource: MCP })).json;
    expect(narrow.scope).toBe("mcp:read");
    const params = { name: "create_record", arguments: { metadata: METADATA } };
    const refused = await calls.modern({ token: String(narrow.access_token) }, "tools/call", params, "create_record");
    expect(refused.status).toBe(403);
    expect((await at.refresh(clientId, String(narrow.refresh_token))).json.scope).toBe("mcp:read mcp:write");
  });

  test("S3.7.11 access ends after an hour, a refresh token thirty days after it was made", async () => {
    const { clientId, access, refresh } = await at.tokens("registered");
    later(3_599_999);
    expect(await heard(access)).toBe(200);
    later(3_600_000);
    expect(await heard(access)).toBe(401);
    later(30 * 86_400_000);
    expect((await at.refresh(clientId, refresh)).json.error).toBe("invalid_grant");
    later(30 * 86_400_000 - 1);
    expect((await at.refresh(clientId, refresh)).status).toBe(200);
  });

  test("S3.7.12 a token opens its resource and nothing else: no other entrance, no other interface, and personal tokens open all as before", async () => {
    const { access } = await at.tokens("registered");
    const { access: second } = await at.tokens("registered", { resource: `${BASE_URL}/mcp-auth` });
    expect([await heard(access), await heard(access, "/mcp-auth")]).toEqual([200, 401]);
    expect([await heard(second, "/mcp-auth"), await heard(second)]).toEqual([200, 401]);
    for (const [method, path] of [
      ["GET", "/api/records"],
      ["GET", "/api/user/records"],
      ["POST", "/api/records"],
      ["GET", "/api/v1/records"],
      ["GET", "/api/v1/admin/item-types"],
    ] as const) {
      const body = method === "POST" ? { body: "{}" } : {};
      const { status, headers } = await world.ask({ token: access }, method, path, body);
      const expected = [path, 401, expect.stringContaining("invalid_token")];
      expect([path, status, headers.get("www-authenticate")]).toEqual(expected);
    }
    // The specification of deposits answers every bad token so.
    expect((await world.ask({ token: access }, "GET", "/sword/service-document")).status).toBe(403);
    const refused = await toolCalls(world, "/mcp-auth").modern({ token: access }, "tools/list");
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect(await heard(world.people.registered.token)).toBe(200);
    for (const none of [
      access.slice(0, -1),
      `${access}x`,
      access.replace("access", "refresh"),
      "svc_access",
      "svc_code",
    ]) {
      expect(await heard(none)).toBe(401);
    }
  });

  test("S3.7.13 a token of client credentials is for everything, or for the resource that was named", async () => {
    const { clientId, text } = await oauthClient(world);
    const buy = (more: string) =>
      world.ask(null, "POST", "/oauth/token", {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `grant_type=client_credentials&client_id=${clientId}&client_secret=${text}${more}`,
      });
    const everywhere = String((await buy("")).json.access_token);
    const bound = String((await buy(`&resource=${encodeURIComponent(MCP)}`)).json.access_token);
    const at = async (token: string) => [
      await heard(token),
      await heard(token, "/mcp-auth"),
      (await world.ask({ token }, "GET", "/api/user/records")).status,
    ];
    expect(await at(everywhere)).toEqual([200, 200, 200]);
    expect(await at(bound)).toEqual([200, 401, 401]);
    const both = await buy(`&resource=${encodeURIComponent(MCP)}&resource=${encodeURIComponent(`${MCP}-auth`)}`);
    expect(await at(String(both.json.access_token))).toEqual([200, 200, 401]);
    for (const resource of ["https://evil.example/mcp", `${MCP}/`, "x"]) {
      const refused = await buy(`&resource=${encodeURIComponent(resource)}`);
      expect([refused.status, refused.json.error]).toEqual([400, "invalid_target"]);
    }
  });

  test("S3.7.14 more that is allowed to a client widens what it has; its older tokens stay as they are", async () => {
    const clientId = await at.register();
    const narrow = (await at.exchange(clientId, await at.code("registered", clientId, { scope: "mcp:read" }))).json;
    const wide = (await at.exchange(clientId, await at.code("registered", clientId, { scope: "mcp:curate" }))).json;
    expect([narrow.scope, wide.scope]).toEqual(["mcp:read", "mcp:read mcp:write mcp:curate"]);
    const own = (await at.asking.grantsOf(await world.viewer("registered"))).filter(
      (each) => each.clientId === clientId,
    );
    expect(own.map(({ scopes }) => scopes)).toEqual([["mcp:read", "mcp:write", "mcp:curate"]]);
    const params = { name: "create_record", arguments: { metadata: METADATA } };
    const still = await calls.modern({ token: String(narrow.access_token) }, "tools/call", params, "create_record");
    expect(still.status).toBe(403);
    expect((await at.refresh(clientId, String(narrow.refresh_token))).json.scope).toBe("mcp:read");
    const less = (await at.exchange(clientId, await at.code("registered", clientId, { scope: "mcp:read" }))).json;
    const more = (await at.refresh(clientId, String(wide.refresh_token))).json;
    expect([less.scope, more.scope]).toEqual(["mcp:read", "mcp:read mcp:write mcp:curate"]);
    const resource = `${BASE_URL}/mcp-auth`;
    const second = (await at.exchange(clientId, await at.code("registered", clientId, { resource }))).json;
    expect([await heard(String(second.access_token), "/mcp-auth"), await heard(String(second.access_token))]).toEqual([
      200, 401,
    ]);
    await at.asking.endGrant(await world.viewer("registered"), own[0]?.id ?? "");
    for (const { access_token } of [narrow, wide]) expect(await heard(String(access_token))).toBe(401);
    expect(await heard(String(second.access_token), "/mcp-auth")).toBe(200);
    const left = (await at.asking.grantsOf(await world.viewer("registered"))).filter(
      (each) => each.clientId === clientId,
    );
    expect(left.map((each) => each.resource)).toEqual([resource]);
  });

  test("S3.7.15 a refresh token that is revoked ends everything, an access token itself; what is unknown is ended already", async () => {
    const { clientId, access, refresh } = await at.tokens("registered");
    const next = (await at.refresh(clientId, refresh)).json;
    const revoke = async (token: string, more: Readonly<Record<string, string>> = {}) => {
      const { status, text, json } = await at.post("/oauth/revoke", { token, ...more });
      return [status, text === "" ? "" : json.error];
    };
    expect(await revoke(access, { client_id: await at.register() })).toEqual([401, "invalid_client"]);
    expect(await revoke("")).toEqual([400, "invalid_request"]);
    for (const none of ["x", "svc_x", `${access}x`, `${access.slice(0, -1)}~`, "x".repeat(9_000), "a.b"]) {
      expect([none.slice(0, 50), ...(await revoke(none))]).toEqual([none.slice(0, 50), 200, ""]);
    }
    const wrong = `${access.slice(0, -2)}${access.endsWith("AA") ? "BB" : "AA"}`;
    expect(await revoke(wrong)).toEqual([200, ""]);
    expect(await heard(access)).toBe(200);
    for (const elsewhere of [world.people.registered.token, "aaa.bbb.ccc"]) {
      expect(await revoke(elsewhere)).toEqual([400, "unsupported_token_type"]);
    }
    expect(await revoke(access, { token_type_hint: "refresh_token", client_id: clientId })).toEqual([200, ""]);
    expect([await heard(access), await heard(String(next.access_token))]).toEqual([401, 200]);
    expect(await revoke(String(next.refresh_token))).toEqual([200, ""]);
    expect(await heard(String(next.access_token))).toBe(401);
    expect(await revoke(String(next.refresh_token))).toEqual([200, ""]);
    const other = await at.tokens("registered");
    const code = await at.code("registered", other.clientId);
    expect(await revoke(code)).toEqual([200, ""]);
    expect([await heard(other.access), (await at.exchange(other.clientId, code)).status]).toEqual([401, 400]);
  });

  test("S3.7.16 disabling the account ends the use of all its tokens at once, and of codes", async () => {
    const { clientId, access, refresh } = await at.tokens("other");
    const code = await at.code("other", clientId);
    const { account } = world.people.other;
    const save = (active: boolean) => world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active }));
    await save(false);
    expect(await heard(access)).toBe(401);
    expect((await at.refresh(clientId, refresh)).json.error).toBe("invalid_grant");
    expect((await at.exchange(clientId, code)).json.error).toBe("invalid_grant");
    await save(true);
    expect((await at.refresh(clientId, refresh)).status).toBe(200);
  });

  test("S3.7.17 people see and end what is theirs; others' grants are none; a token allows nothing", async () => {
    const { clientId, access } = await at.tokens("registered");
    const own = await at.asking.grantsOf(await world.viewer("registered"));
    const grant = own.find((each) => each.clientId === clientId);
    const times = { createdAt: NOW, lastUsedAt: NOW };
    const rights = { scopes: ["mcp:read", "mcp:write"], resource: MCP };
    const anId = expect.stringMatching(/^grant-[0-9a-z]{16}$/);
    expect(grant).toEqual({ id: anId, clientName: "Test", clientId, ...rights, ...times });
    const id = grant?.id ?? "";
    for (const [who, which] of [
      ["other", id],
      ["admin", id],
      ["registered", "grant-none"],
    ] as const) {
      await expect(at.asking.endGrant(await world.viewer(who), which)).rejects.toMatchObject({ kind: "not_found" });
    }
    const narrowed = { ...(await world.viewer("registered")), scopes: new Set(["mcp:curate"]) };
    await expect(at.asking.endGrant(narrowed, id)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(at.asking.grantsOf(narrowed)).rejects.toMatchObject({ kind: "forbidden" });
    expect(await heard(access)).toBe(200);
    await at.asking.endGrant(await world.viewer("registered"), id);
    expect(await heard(access)).toBe(401);
    // Ending it twice is not an error, and is one end in the audit.
    await at.asking.endGrant(await world.viewer("registered"), id);
    const ends = (await world.store.events(`grant:${id}`, 20)).filter(({ action }) => action === "grant-end");
    expect(ends.map(({ detail }) => detail.by)).toEqual(["person"]);
  });
});

/** A client of the token endpoint that acts as `registered`. */
async function oauthClient({ tokens, people }: RepositoryWorld) {
  const input = { accountId: people.registered.account.id, kind: "oauth", name: "robot", expiresAt: null } as const;
  const { client, text } = await tokens.make(REPOSITORY_OPERATOR, { ...input, scopes: REPOSITORY_SCOPES });
  return { clientId: client.clientId, text };
}
