// What programs and strangers try with the authorization server (R30; RFC 9700): addresses people are sent to, codes
// and tokens that are replayed, mixed up or weakened. All of it is refused, and nobody is sent to a wrong address.
import { beforeAll, describe, expect, test } from "bun:test";
import { jsonLog } from "../../src/adapters/log.ts";
import { codeChallenge } from "../../src/shared/hash/digests.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { type AuthorizationWorld, authorizationOf, REDIRECT, VERIFIER } from "../support/world/authorization.ts";
import { BASE_URL } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const LOCAL = "http://127.0.0.1/callback";
const lines: string[] = [];
/** Everything secret that was ever assigned. */
const secrets: string[] = [];

describe("R30 attacks on the authorization server", () => {
  let at: AuthorizationWorld;
  const world = setUpWorld({ repository: { log: jsonLog("debug", (line) => void lines.push(line)) } });
  beforeAll(() => {
    at = authorizationOf(world);
  });

  const reading = async (clientId: string, more: Readonly<Record<string, string | null>>) =>
    await at.asking.readAuthorization(await at.query(clientId, more));
  const tokens = async (...given: Parameters<AuthorizationWorld["tokens"]>) => {
    const made = await at.tokens(...given);
    secrets.push(made.access, made.refresh);
    return made;
  };
  const heard = async (token: string, entrance = "/mcp"): Promise<number> =>
    (await toolCalls(world, entrance).modern({ token }, "tools/list")).status;
  const errorOf = ({ status, json }: Awaited<ReturnType<AuthorizationWorld["post"]>>) => [status, json.error];

  test("S3.7.186: nobody is sent to an address that is only like one of the client's", async () => {
    const clientId = await at.register([REDIRECT, LOCAL]);
    for (const redirect of [
      // Before it, after it, inside it.
      ...["https://app.example/callback/", "https://app.example/callback/../evil", "https://app.example/callback?x=1"],
      ...[
        "https://app.example/callbackevil",
        "https://app.example/",
        "https://app.example/callback#x",
        `${REDIRECT}%00`,
      ],
      ...["https://app.example.evil.example/callback", "https://evil.example/https://app.example/callback"],
      ...["https://evilapp.example/callback", "https://evil.example?https://app.example/callback"],
      // Users, ports, encodings, spellings.
      ...[
        "https://app.example@evil.example/callback",
        "https://app.example:443/callback",
        "https://app.example:8443/callback",
      ],
      ...[
        "https://app.example%40evil.example/callback",
        "https://app.example/%63allback",
        "https://app.example/callback%2f..",
      ],
      ...[
        "HTTPS://app.example/callback",
        "https://APP.example/callback",
        "http://app.example/callback",
        "//app.example/callback",
      ],
      ...[
        "https:app.example/callback",
        "https:/\\app.example/callback",
        "https://app.example\\callback",
        " https://app.example/callback",
      ],
      ...[
        "https://app.example/call\tback",
        "https://app.example/callback\r\nLocation: https://evil.example",
        "https://аpp.example/callback",
      ],
      ...[
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "about:blank",
        "/callback",
        "callback",
        "https://",
      ],
      // What is like the person's own machine.
      ...[
        "http://localhost.evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.1@evil.example/callback",
      ],
      ...[
        "http://127.0.0.1:80@evil.example/callback",
        "http://127.0.0.1:99999/callback",
        "http://127.0.0.2/callback",
        "http://0.0.0.0/callback",
      ],
      ...[
        "http://2130706433/callback",
        "http://127.1/callback",
        "http://[::ffff:127.0.0.1]/callback",
        "https://127.0.0.1/callback",
      ],
      ...[
        "http://localhost:1/callback",
        "http://[::1]:1/callback",
        "http://127.0.0.1:1/other",
        "http://127.0.0.1:1/callback?x",
      ],
    ]) {
      expect([redirect, (await reading(clientId, { redirect_uri: redirect })).kind]).toEqual([redirect, "refuse"]);
    }
    expect((await reading(clientId, { redirect_uri: "http://127.0.0.1:51234/callback" })).kind).toBe("ask");
    const twice = await at.query(clientId);
    twice.append("redirect_uri", "https://evil.example/");
    expect((await at.asking.readAuthorization(twice)).kind).toBe("refuse");
    // Over HTTP nobody is sent anywhere either.
    const page = await world.ask(
      null,
      "GET",
      `/oauth/authorize?${await at.query(clientId, { redirect_uri: "https://evil.example/" })}`,
    );
    expect([page.status, page.headers.get("location"), page.text.includes("evil.example/")]).toEqual([
      400,
      null,
      false,
    ]);
  });

  test("S3.7.187: PKCE is neither left out nor weakened, and a code is nothing without its verifier", async () => {
    const clientId = await at.register();
    for (const more of [
      { code_challenge: null },
      { code_challenge_method: null },
      { code_challenge_method: "plain" },
      { code_challenge_method: "s256" },
      { code_challenge_method: "S512" },
      { code_challenge: "short" },
      { code_challenge: VERIFIER.repeat(4) },
    ]) {
      const read = await reading(clientId, more);
      expect([more, read.kind]).toEqual([more, "redirect"]);
      const parameters = new URL(read.kind === "redirect" ? read.location : BASE_URL).searchParams;
      expect([more, parameters.get("error"), parameters.get("code"), parameters.get("iss")]).toEqual([
        more,
        "invalid_request",
        null,
        BASE_URL,
      ]);
    }
    for (const verifier of [
      "",
      "b".repeat(43),
      codeChallenge(VERIFIER),
      "a".repeat(42),
      "a".repeat(129),
      `${VERIFIER}\0`,
      VERIFIER.toUpperCase(),
    ]) {
      const refused = await at.exchange(clientId, await at.code("registered", clientId), { code_verifier: verifier });
      expect([verifier, refused.status, refused.json.access_token]).toEqual([verifier, 400, undefined]);
    }
  });

  test("S3.7.188: a code that is replayed ends what it gave, whichever client replays it, and opens nothing for another client or address", async () => {
    const clientId = await at.register();
    const code = await at.code("registered", clientId);
    const first = await at.exchange(clientId, code);
    const access = String(first.json.access_token);
    secrets.push(code, access, String(first.json.refresh_token));
    expect(await heard(access)).toBe(200);
    expect(errorOf(await at.exchange(clientId, code))).toEqual([400, "invalid_grant"]);
    expect([await heard(access), (await at.refresh(clientId, String(first.json.refresh_token))).status]).toEqual([
      401, 400,
    ]);
    const [other, fresh] = [await at.register(["https://other.example/cb"]), await at.code("registered", clientId)];
    expect((await at.exchange(other, fresh)).status).toBe(400);
    const elsewhere = await at.code("registered", clientId);
    expect((await at.exchange(clientId, elsewhere, { redirect_uri: "https://other.example/cb" })).status).toBe(400);
    for (const none of ["", "svc_code", `${code}x`, "x".repeat(5_000), access])
      expect([none.slice(0, 8), (await at.exchange(clientId, none)).status]).toEqual([none.slice(0, 8), 400]);
  });

  test("S3.7.189: a refresh token that is replayed ends everything, also the thief's", async () => {
    const { clientId, access, refresh } = await tokens("registered");
    const second = await at.refresh(clientId, refresh);
    const [thiefs, next] = [String(second.json.access_token), String(second.json.refresh_token)];
    secrets.push(thiefs, next);
    expect(errorOf(await at.refresh(clientId, refresh))).toEqual([400, "invalid_grant"]);
    expect([await heard(access), await heard(thiefs), (await at.refresh(clientId, next)).status]).toEqual([
      401, 401, 400,
    ]);
    const mine = await tokens("registered");
    const other = await at.register();
    expect(errorOf(await at.refresh(other, mine.refresh))).toEqual([400, "invalid_grant"]);
    for (const wrong of [mine.access, world.people.registered.token, "", "svc_refresh"])
      expect((await at.refresh(mine.clientId, wrong)).status).toBe(400);
    const wider = await at.refresh((await tokens("other", { scope: "mcp:read" })).clientId, "x", {
      scope: "mcp:curate",
    });
    expect(wider.status).toBe(400);
  });

  test("S3.7.190: resources are not mixed up: a token opens its own, and none that was not named exactly", async () => {
    const { access, refresh } = await tokens("registered");
    expect([await heard(access), await heard(access, "/mcp-auth"), await heard(refresh)]).toEqual([200, 401, 401]);
    for (const [method, path] of [
      ["GET", "/api/user/records"],
      ["GET", "/api/records"],
      ["POST", "/api/records"],
    ] as const) {
      expect([
        path,
        (await world.ask({ token: access }, method, path, method === "POST" ? { body: "{}" } : {})).status,
      ]).toEqual([path, 401]);
    }
    // Deposits have one answer for bad tokens.
    const [stranger, mine] = await Promise.all(
      [{ token: "no-token" }, { token: access }].map((who) => world.ask(who, "GET", "/sword/service-document")),
    );
    expect([mine?.status, mine?.status]).toEqual([stranger?.status, 403]);
    const clientId = await at.register();
    for (const resource of [
      "https://evil.example/mcp",
      `${BASE_URL}/mcp/`,
      `${BASE_URL}/mcp#x`,
      `${BASE_URL}/mcp?x`,
      `${BASE_URL}`,
      `${BASE_URL}/api`,
      "mcp",
      `${BASE_URL}/MCP`,
    ]) {
      const read = await reading(clientId, { resource });
      const error = read.kind === "redirect" ? new URL(read.location).searchParams.get("error") : read.kind;
      expect([resource, error]).toEqual([resource, "invalid_target"]);
    }
    const code = await at.code("registered", clientId);
    expect(errorOf(await at.exchange(clientId, code, { resource: `${BASE_URL}/mcp-auth` }))).toEqual([
      400,
      "invalid_target",
    ]);
    const both = await at.query(clientId);
    both.append("resource", "https://evil.example/mcp");
    expect((await at.asking.readAuthorization(both)).kind).toBe("redirect");
  });

  test("S3.7.191: nobody decides for a person: not another page, not a token, not a form without its secret", async () => {
    const clientId = await at.register();
    const query = String(await at.query(clientId));
    const count = async () => (await world.store.grants.grantsOf(world.people.approver.account.id)).length;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const body = "decision=allow&scope%3Amcp%3Aread=1&csrf=x";
    for (const headers of [
      form,
      { ...form, cookie: "arkstone-session=x" },
      { ...form, cookie: `arkstone-session=${"A".repeat(43)}` },
      { ...form, origin: "https://evil.example", cookie: `arkstone-session=${"A".repeat(43)}` },
      { ...form, authorization: `Bearer ${world.people.approver.token}` },
    ]) {
      const { status, headers: given } = await world.ask(null, "POST", `/oauth/authorize?${query}`, { headers, body });
      const location = given.get("location") ?? "";
      expect([status < 500, location.startsWith("https://app.example"), location.includes("code=")]).toEqual([
        true,
        false,
        false,
      ]);
    }
    expect(await count()).toBe(0);
    const shown = await world.ask(null, "GET", `/oauth/authorize?${query}`);
    // A caller who is nobody signs in here, and is sent nowhere else.
    expect([shown.status, shown.headers.get("location")?.startsWith("/account/login")]).toEqual([303, true]);
  });

  test("S3.7.194: no code and no token of all this is in the log", async () => {
    expect([secrets.length > 8, lines.length > 50]).toEqual([true, true]);
    const written = lines.join("");
    expect(secrets.filter((secret) => secret !== "" && written.includes(secret.slice(-20)))).toEqual([]);
    expect(written.includes(VERIFIER)).toBe(false);
  });
});
