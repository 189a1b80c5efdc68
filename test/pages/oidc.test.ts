// Signing in at a real OpenID provider, and what a provider or a third party may try (R33).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { OidcProvider } from "../../src/adapters/oidc-sign-in.ts";
import { CLIENT, type LoginServer, loginServer } from "../support/login-server.ts";
import { BASE, csrfIn, type Visitor } from "../support/world/pages.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const CALLBACK = `${BASE}/account/oidc/callback`;

describe("the way over the provider", () => {
  let provider: LoginServer;
  beforeAll(async () => {
    provider = await loginServer(CALLBACK, {
      owner: { email: "Owner@example.org", email_verified: true },
      unverified: { email: "owner@example.org", email_verified: false },
      named: { eduperson_principal_name: "owner@idp.example.org" },
      stranger: { email: "stranger@example.org", email_verified: true },
      disabled: { email: "disabled@example.org", email_verified: true },
    });
  });
  const world = setUpWorld(() => ({
    pages: {
      env: {
        SVC_OIDC_ISSUER: provider.issuer,
        SVC_OIDC_CLIENT_ID: CLIENT.id,
        SVC_OIDC_CLIENT_SECRET: CLIENT.secret,
      },
    },
  }));
  beforeAll(async () => {
    // The provider lives in real time.
    world.time.now = new Date().toISOString();
    const { account } = await world.person("disabled", [3]);
    if (account !== null) await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active: false }));
  });
  afterAll(() => provider.stop());

  /** What the browser is given at the end, and the browser. */
  async function over(name: string, returnTo = "/index") {
    const browser = world.visitor();
    const away = await browser.get(`/account/oidc?return_to=${encodeURIComponent(returnTo)}`);
    const back = await provider.signIn(away.headers.get("location") ?? "", name);
    return { browser, away, back, answer: await browser.get(`${back.pathname}${back.search}`) };
  }

  test("R33 the page offers it, sends there with state, nonce, PKCE and the exact redirect address", async () => {
    const browser = world.visitor();
    expect((await browser.get("/account/login")).text).toContain('href="/account/oidc?return_to=%2F"');
    const away = await browser.get("/account/oidc");
    expect(away.status).toBe(302);
    const url = new URL(away.headers.get("location") ?? "");
    expect(url.origin).toBe(provider.issuer);
    const { state, nonce, code_challenge: challenge, ...others } = Object.fromEntries(url.searchParams);
    expect(others).toEqual({
      response_type: "code",
      client_id: CLIENT.id,
      redirect_uri: CALLBACK,
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    for (const text of [state, nonce, challenge]) expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/);
    // The cookie is not sent to the provider: a reader of its address, or the database, has not the secret.
    const secret = browser.cookies.get("arkstone-attempt") ?? "";
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const text of [state, nonce, challenge]) expect(secret).not.toBe(text);
    const kept = await world.store.transact((tx) => tx.accounts.takeLoginAttempt(state ?? "", world.time.now));
    expect(kept).toEqual({ state: state ?? "", returnTo: "/", expiresAt: expect.any(String) });
  });

  test("R33 whose verified mail address has an account is signed in, and led back", async () => {
    const { browser, answer } = await over("owner");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/index"]);
    expect((await browser.get("/")).text).toContain(">owner</a>");
    expect(browser.cookies.has("arkstone-attempt")).toBe(false);
  });

  test("R33 so is whose ePPN has one", async () => {
    const { browser } = await over("named");
    expect((await browser.get("/")).text).toContain(">owner</a>");
  });

  test.each(["stranger", "unverified", "disabled"])("R33 %s is not signed in, and gets no account", async (name) => {
    const before = (await world.store.accounts.listAccounts(0, 100)).length;
    const { browser, answer } = await over(name);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("you have no account here");
    // Another try leads to where the first one was to.
    expect(answer.text).toContain('name="return_to" value="/index"');
    expect((await browser.get("/")).text).toContain("Sign in");
    expect((await world.store.accounts.listAccounts(0, 100)).length).toBe(before);
  });

  test("R33 an answer of the provider works once, and in the browser that asked for it only", async () => {
    const browser = world.visitor();
    const first = await browser.get("/account/oidc");
    const kept = browser.cookies.get("arkstone-attempt") ?? "";
    const back = await provider.signIn(first.headers.get("location") ?? "", "owner");
    const path = `${back.pathname}${back.search}`;
    // Not even a party that knows the state, which the provider and its log do.
    const knowing = world.visitor();
    for (const cookie of [back.searchParams.get("state") ?? "", "x".repeat(43)]) {
      knowing.cookies.set("arkstone-attempt", cookie);
      expect((await knowing.get(path)).status).toBe(403);
    }
    expect((await browser.get(path)).status).toBe(303);
    browser.cookies.set("arkstone-attempt", kept);
    expect((await browser.get(path)).status).toBe(403);
    const started = world.visitor();
    const away = await started.get("/account/oidc");
    const stolen = await provider.signIn(away.headers.get("location") ?? "", "owner");
    const victim = world.visitor();
    expect((await victim.get(`${stolen.pathname}${stolen.search}`)).status).toBe(403);
    expect((await victim.get("/")).text).toContain("Sign in");
  });

  test("R33 return_to that is not one of our pages leads to the front page", async () => {
    const { answer } = await over("owner", "https://evil.example/");
    expect(answer.headers.get("location")).toBe("/");
  });

  test("S3.7.62: the request of a program is come back to over the provider, long as it may be", async () => {
    const path = "/oauth/authorize?client_id=https%3A%2F%2Fa.example%2Fc.json&state=".padEnd(4_000, "s");
    const { answer } = await over("owner", path);
    expect(answer.headers.get("location")).toBe(path);
  });

  test("R33 what the provider refuses is shown on the page", async () => {
    const browser = world.visitor();
    const away = new URL((await browser.get("/account/oidc?return_to=%2Findex")).headers.get("location") ?? "");
    const state = away.searchParams.get("state");
    const answer = await browser.get(`/account/oidc/callback?error=access_denied&state=${state}`);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("did not work");
    expect(answer.text).toContain('name="return_to" value="/index"');
    expect((await browser.get("/account/oidc/callback")).status).toBe(403);
  });

  test("R33 without a provider there is no such way", async () => {
    const plain = await openWorld({ pages: true });
    expect((await plain.visitor().get("/account/login")).text).not.toContain("/account/oidc");
    expect((await plain.visitor().get("/account/oidc")).status).toBe(404);
    expect((await plain.visitor().get("/account/oidc/callback?state=x&code=y")).status).toBe(403);
  });

  test("R33 a provider that does not answer is 503, not our error", async () => {
    const lost = await openWorld({
      pages: {
        env: {
          SVC_OIDC_ISSUER: "http://127.0.0.1:9",
          SVC_OIDC_CLIENT_ID: CLIENT.id,
          SVC_OIDC_CLIENT_SECRET: CLIENT.secret,
        },
      },
    });
    expect((await lost.visitor().get("/account/oidc")).status).toBe(503);
  });
});

describe("id tokens", () => {
  const ISSUER = "https://idp.example.org";
  const NOW = new Date("2026-11-20T10:00:00Z");
  const SECONDS = NOW.getTime() / 1000;
  const token = { iss: ISSUER, aud: CLIENT.id, sub: "s", nonce: "n", iat: SECONDS, exp: SECONDS + 300 };
  const GOOD = { ...token, email: "A@example.org", email_verified: true };
  type Claims = Readonly<Record<string, unknown>>;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let strange: typeof keys;
  let jwks: object;
  beforeAll(async () => {
    keys = await generateKeyPair("RS256", { extractable: true });
    strange = await generateKeyPair("RS256", { extractable: true });
    jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k", alg: "RS256", use: "sig" }] };
  });

  async function signed(claims: Claims, key = keys.privateKey): Promise<string> {
    return await new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: "k" }).sign(key);
  }

  /** Whom the adapter reports, where the provider sends this token, and this discovery document. */
  function person(idToken: string, document: Claims = {}, userInfo: Claims | null = null) {
    const discovery = {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/jwks`,
      ...(userInfo === null ? {} : { userinfo_endpoint: `${ISSUER}/me` }),
      ...document,
    };
    const answers: Readonly<Record<string, object | null>> = {
      [`${ISSUER}/.well-known/openid-configuration`]: discovery,
      [`${ISSUER}/jwks`]: jwks,
      [`${ISSUER}/token`]: { id_token: idToken, access_token: "at", token_type: "Bearer" },
      [`${ISSUER}/me`]: userInfo,
    };
    const adapter = new OidcProvider({
      issuer: ISSUER,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      now: () => NOW,
      fetch: async (url) => (answers[url] == null ? new Response("", { status: 404 }) : Response.json(answers[url])),
    });
    return adapter.person({ code: "c", nonce: "n", verifier: "v", redirectUri: CALLBACK });
  }

  test("R33 a right one names the person", async () => {
    expect(await person(await signed(GOOD))).toEqual({ subject: "s", mail: "a@example.org", eppn: null });
    expect(await person(await signed({ ...GOOD, aud: [CLIENT.id, "other"], azp: CLIENT.id }))).toMatchObject({
      subject: "s",
    });
  });

  const WRONG: readonly (readonly [string, Claims])[] = [
    ["another issuer", { iss: "https://evil.example" }],
    ["another audience", { aud: "somebody else" }],
    ["another client's azp", { azp: "somebody else" }],
    ["several audiences without azp", { aud: [CLIENT.id, "other"] }],
    ["another nonce", { nonce: "m" }],
    ["no nonce", { nonce: undefined }],
    ["an end that has passed", { exp: SECONDS - 61 }],
    ["no end", { exp: undefined }],
    ["no subject", { sub: undefined }],
  ];
  test.each(WRONG)("R33 one with %s is refused", async (_what, claims) => {
    await expect(person(await signed({ ...GOOD, ...claims }))).rejects.toThrow();
  });

  test("R33 one with another signature, none, or made with the client's secret is refused", async () => {
    await expect(person(await signed(GOOD, strange.privateKey))).rejects.toThrow();
    const part = (value: object): string =>
      btoa(JSON.stringify(value)).replace(/=+$/, "").replace(/\+/g, "-").replace(/\//g, "_");
    await expect(person(`${part({ alg: "none" })}.${part(GOOD)}.`)).rejects.toThrow();
    const secret = new TextEncoder().encode(CLIENT.secret.padEnd(32, "x"));
    const own = await new SignJWT({ ...GOOD }).setProtectedHeader({ alg: "HS256", kid: "k" }).sign(secret);
    await expect(person(own)).rejects.toThrow();
  });

  test("R33 a provider that speaks for another issuer is refused", async () => {
    await expect(person(await signed(GOOD), { issuer: "https://evil.example" })).rejects.toThrow("its issuer is not");
  });

  test("R33 an address that is not verified counts for nothing; the user info is asked, and must be about the same person", async () => {
    const bare = await signed({ ...GOOD, email_verified: "true" });
    expect(await person(bare)).toEqual({ subject: "s", mail: null, eppn: null });
    const response = { sub: "s", email: "b@example.org", email_verified: true };
    expect(await person(bare, {}, response)).toMatchObject({ mail: "b@example.org" });
    await expect(person(bare, {}, { ...response, sub: "t" })).rejects.toThrow("somebody else");
  });
});

describe("ORCID", () => {
  const ID = "0000-0002-1825-0097";
  let provider: LoginServer;
  beforeAll(async () => {
    provider = await loginServer(CALLBACK, { [ID]: { name: "Josiah Carberry" }, "0000-0001-5109-3700": {} });
  });
  const world = setUpWorld(() => ({
    pages: {
      env: {
        SVC_OIDC_ISSUER: provider.issuer,
        SVC_OIDC_CLIENT_ID: CLIENT.id,
        SVC_OIDC_CLIENT_SECRET: CLIENT.secret,
        SVC_OIDC_ORCID: "yes",
      },
    },
  }));
  beforeAll(() => {
    world.time.now = new Date().toISOString();
  });
  afterAll(() => provider.stop());

  async function prove(browser: Visitor, name: string) {
    const page = await browser.get("/account");
    const away = await browser.post("/account/orcid", { csrf: csrfIn(page.text) });
    const back = await provider.signIn(away.headers.get("location") ?? "", name);
    return { page, away, answer: await browser.get(`${back.pathname}${back.search}`) };
  }
  async function signedIn(viewer: typeof world.owner): Promise<Visitor> {
    const browser = world.visitor();
    await browser.signIn(await world.token(viewer));
    return browser;
  }

  test("P.199 a person proves an ORCID iD by signing in there; it is shown as authenticated and signs them in", async () => {
    const stranger = world.visitor();
    const unknown = await stranger.get("/account/oidc");
    const refused = await provider.signIn(unknown.headers.get("location") ?? "", ID);
    expect((await stranger.get(`${refused.pathname}${refused.search}`)).status).toBe(403);

    const browser = await signedIn(world.owner);
    const { page, away, answer } = await prove(browser, ID);
    expect(page.headers.get("content-security-policy")).toContain(`form-action 'self' ${provider.issuer}`);
    expect([away.status, answer.status, answer.headers.get("location")]).toEqual([303, 303, "/account?done=connected"]);
    const id = world.owner.account?.id ?? 0;
    expect(await world.store.profiles.profile(id)).toMatchObject({ orcid: ID, orcidSource: "provider" });
    const shown = await browser.get("/account?done=connected");
    expect(shown.text).toContain("Authenticated: you signed in at ORCID on");
    expect(shown.text).not.toContain("/account/orcid");
    // Saving the form leaves it proved; typing another one does not.
    const csrf = csrfIn(shown.text);
    await browser.post("/account", { csrf, name: "owner", language: "", orcid: ID });
    expect((await world.store.profiles.profile(id))?.orcidSource).toBe("provider");

    const guest = world.visitor();
    const there = await guest.get("/account/oidc?return_to=%2Faccount");
    const back = await provider.signIn(there.headers.get("location") ?? "", ID);
    expect((await guest.get(`${back.pathname}${back.search}`)).headers.get("location")).toBe("/account");
    expect((await guest.get("/account")).text).toContain('value="owner"');
    await browser.post("/account", { csrf, name: "owner", language: "", orcid: "0000-0001-5109-3700" });
    expect((await world.store.profiles.profile(id))?.orcidSource).toBe("typed");
    await prove(browser, ID);
  });

  test("P.199 an ORCID iD belongs to one account, and to the one that asked", async () => {
    const other = await signedIn(world.admin);
    const { answer } = await prove(other, ID);
    expect(answer.headers.get("location")).toBe("/account?done=orcidTaken");
    expect((await other.get("/account?done=orcidTaken")).text).toContain("linked to another account");
    expect(await world.store.profiles.profile(world.admin.account?.id ?? 0)).toBeNull();
    // Somebody else signs in while the person is at the provider.
    const page = await other.get("/account");
    const away = await other.post("/account/orcid", { csrf: csrfIn(page.text) });
    await other.post("/account/sessions/end-all", { csrf: csrfIn(page.text), current: "yes" });
    await other.signIn(await world.token(world.owner));
    const back = await provider.signIn(away.headers.get("location") ?? "", "0000-0001-5109-3700");
    const late = await other.get(`${back.pathname}${back.search}`);
    expect(late.headers.get("location")).toContain("/account/login");
    expect(await world.store.profiles.accountOfOrcid("0000-0001-5109-3700")).toBeNull();
    expect((await other.post("/account/orcid", { csrf: "none" })).status).toBe(403);
  });
});
