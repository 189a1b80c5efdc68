// Asking somebody whether a program may act for him, as browsers and programs see it over HTTP (R30; RFC 6749 section 4.1, RFC 9207, RFC 9700).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_SCOPES, type RoleId } from "../../src/auth/account.ts";
import { signIn } from "../../src/repository/people/sign-in.ts";
import { codeChallenge } from "../../src/shared/pkce.ts";
import { BASE, csrfIn, type PagesWorld, pagesWorld, type Visitor } from "../support/pages-world.ts";

const BACK = "https://client.example/back";
const STATE = "a/b c&d=é";
const RESOURCE = `${BASE}/mcp`;

let world: PagesWorld;
let challenge = "";
beforeAll(async () => {
  world = await pagesWorld();
  challenge = await codeChallenge("v".repeat(43));
  await client("web", "Library <Helper>\u202E", [BACK]);
  await client("desktop", "Desk", ["http://127.0.0.1/cb"]);
  await client("nameless", "\u200B", [BACK]);
  await client("own", "Catalogue", [BACK], "account");
});
afterAll(() => world.close());

async function client(
  id: string,
  name: string,
  redirectUris: readonly string[],
  kind: "registered" | "account" = "registered",
): Promise<void> {
  const times = { createdAt: world.time.now, usedAt: null };
  await world.store.transact((tx) => tx.grants.saveOauthClient({ id, kind, name, uri: null, redirectUris, ...times }));
}

/** Path and query of a request; `undefined` leaves a parameter out. */
function asking(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const usual = {
    response_type: "code",
    client_id: "web",
    redirect_uri: BACK,
    code_challenge: challenge,
    code_challenge_method: "S256",
    scope: "mcp:write",
    resource: RESOURCE,
    state: STATE,
  };
  const all = Object.entries({ ...usual, ...changes }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `/oauth/authorize?${new URLSearchParams(all)}`;
}

async function person(name: string, roles: readonly RoleId[] = [3]) {
  const viewer = await world.person(name, roles);
  const browser = world.visitor();
  await browser.signIn(await world.token(viewer));
  return { viewer, browser };
}

type Page = Awaited<ReturnType<Visitor["get"]>>;
const where = ({ headers }: Page): URL => new URL(headers.get("location") ?? "", BASE);
const saidIn = (page: Page): Record<string, string> => Object.fromEntries(where(page).searchParams);
/** Presses a button of the page at `path`. */
async function press(browser: Visitor, path: string, fields: Readonly<Record<string, string>>): Promise<Page> {
  return await browser.post(path, { csrf: csrfIn((await browser.get(path)).text), ...fields });
}
const ALLOW = { decision: "allow", "scope:mcp:write": "1" };

describe("the way there", () => {
  test("S3.7.61 S3.7.62: whoever is not signed in signs in, and comes back to the very same request", async () => {
    const browser = world.visitor();
    const first = await browser.get(asking());
    expect([first.status, where(first).pathname]).toEqual([303, "/account/login"]);
    const back = where(first).searchParams.get("return_to") ?? "";
    const token = await world.token(await world.person("back", [3]));
    const form = await browser.get(`${where(first).pathname}${where(first).search}`);
    expect(form.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    const entered = await browser.post("/account/login", { csrf: csrfIn(form.text), return_to: back, token });
    expect(Object.fromEntries(where(entered).searchParams)).toEqual(
      Object.fromEntries(new URL(asking(), BASE).searchParams),
    );
    expect((await browser.get(`${where(entered).pathname}${where(entered).search}`)).status).toBe(200);
  });

  test("S3.7.62: a long request comes back whole, one beyond the limit is refused before anybody signs in", async () => {
    const browser = world.visitor();
    const most = 4_000 - asking({ more: "" }).length;
    const long = await browser.get(asking({ more: "s".repeat(most) }));
    const back = where(long).searchParams.get("return_to") ?? "";
    const answer = await browser.signIn(await world.token(world.owner), back);
    expect(saidIn(answer).more).toBe("s".repeat(most));
    const longer = await browser.get(asking({ more: "s".repeat(most + 1) }));
    expect([longer.status, longer.headers.get("location")]).toEqual([400, null]);
    // What becomes longer by being written as addresses are.
    const raw = await browser.get(asking({ state: undefined }) + `&state=${"'".repeat(1_500)}`);
    expect([raw.status, raw.headers.get("location")]).toEqual([400, null]);
  });

  test("S3.7.67: another account is used by way of signing out and in, back to the same request", async () => {
    const { browser } = await person("one of two");
    const page = await browser.get(asking());
    expect(page.text).toContain("one of two");
    const [csrf = ""] = [
      ...page.text.matchAll(/action="\/account\/logout"><input type="hidden" name="csrf" value="([^"]+)"/g),
    ].map(([, value]) => value ?? "");
    const returnTo = /name="return_to" value="([^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const out = await browser.post("/account/logout", { csrf, return_to: returnTo });
    expect([out.status, where(out).pathname]).toEqual([303, "/account/login"]);
    const again = new URL(where(out).searchParams.get("return_to") ?? "", BASE);
    expect([...again.searchParams]).toEqual([...new URL(asking(), BASE).searchParams]);
  });
});

describe("what the page says", () => {
  test("S3.7.63 S3.7.64 S3.7.65 S3.7.68: program, where the answer goes, scopes in words, and that a stranger chose the name", async () => {
    const { browser } = await person("reader");
    const { text } = await browser.get(asking({ scope: "mcp:write" }));
    expect(text).toContain("<bdi>Library &lt;Helper&gt;</bdi>");
    expect(text).not.toContain("\u202E");
    expect(text).toContain("<code>client.example</code>");
    expect(text).toContain("it chose its name itself");
    expect(text).toContain("publish, make new versions");
    expect(text).not.toContain('name="scope:mcp:curate"');
    expect(text).not.toContain("<script");
    const own = await browser.get(asking({ client_id: "own" }));
    expect(own.text).not.toContain("it chose its name itself");
    const japanese = await browser.get(`${asking({ scope: "mcp:curate" })}&lang=ja`);
    expect(japanese.text).toContain("このプログラムにアカウントの利用を許可しますか");
    expect(japanese.text).toContain("公開済みレコードの取り下げ");
  });

  test("S3.7.63: an answer to a program on this device is told with a warning", async () => {
    const { browser } = await person("device");
    const desk = await browser.get(asking({ client_id: "desktop", redirect_uri: "http://127.0.0.1:6274/cb" }));
    expect(desk.text).toContain("a program on this device (<code>127.0.0.1:6274</code>)");
    expect(desk.text).toContain("any program that runs here could be the one that asks");
    const nameless = await browser.get(asking({ client_id: "nameless" }));
    expect(nameless.text).toContain("A program without a name");
    expect(nameless.text).not.toContain("on this device");
  });

  test("S3.7.64: administrators are told how far their own rights reach", async () => {
    const { browser } = await person("chief", [1]);
    expect((await browser.get(asking())).text).toContain("You are an administrator");
    expect((await browser.get(asking({ scope: "mcp:read" }))).text).not.toContain("You are an administrator");
  });

  test("S3.7.70 S3.7.71: headers: no frame, no cache, no referrer, and a policy that names where the form leads", async () => {
    const { browser } = await person("headers");
    const { headers } = await browser.get(asking());
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'none'");
    expect(policy).toContain("form-action 'self' https://client.example https:");
    const desk = await browser.get(asking({ client_id: "desktop", redirect_uri: "http://127.0.0.1:6274/cb" }));
    expect(desk.headers.get("content-security-policy")).toContain("form-action 'self' http://127.0.0.1:6274 https:;");
  });
});

describe("the decision", () => {
  test("S3.7.72 S3.7.66: allowing sends code, state and iss, and grants what was ticked", async () => {
    const { browser, viewer } = await person("allows");
    const answer = await press(browser, asking({ scope: "mcp:curate" }), ALLOW);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(`${where(answer).origin}${where(answer).pathname}`).toBe(BACK);
    const { code, ...rest } = saidIn(answer);
    expect(code).toMatch(/^svc_/);
    expect(rest).toEqual({ state: STATE, iss: BASE });
    const [grant] = await world.store.grants.grantsOf(viewer.account?.id ?? 0);
    expect(grant?.scopes).toEqual(["mcp:read", "mcp:write"]);
  });

  test("S3.7.72: refusing sends access_denied, state and iss, and grants nothing", async () => {
    const { browser, viewer } = await person("refuses");
    const answer = await press(browser, asking(), { ...ALLOW, decision: "refuse" });
    expect([answer.status, where(answer).origin]).toEqual([303, "https://client.example"]);
    expect(saidIn(answer)).toMatchObject({ error: "access_denied", state: STATE, iss: BASE });
    expect(saidIn(answer).code).toBeUndefined();
    expect(await world.store.grants.grantsOf(viewer.account?.id ?? 0)).toEqual([]);
  });

  test("S3.7.66: deciding without changing is asked about again, with what was ticked", async () => {
    const { browser, viewer } = await person("half");
    const answer = await press(browser, asking({ scope: "mcp:curate" }), {
      decision: "allow",
      "scope:mcp:curate": "1",
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Deciding includes changing");
    expect(answer.text).toContain('name="scope:mcp:curate" value="1" checked');
    expect(answer.text).not.toContain('name="scope:mcp:write" value="1" checked');
    expect(await world.store.grants.grantsOf(viewer.account?.id ?? 0)).toEqual([]);
  });

  test("S3.7.66: what was not asked for is not granted, whatever a form says", async () => {
    const { browser, viewer } = await person("more");
    await press(browser, asking({ scope: "mcp:read" }), { ...ALLOW, "scope:mcp:curate": "1", scope: "mcp:curate" });
    const [grant] = await world.store.grants.grantsOf(viewer.account?.id ?? 0);
    expect(grant?.scopes).toEqual(["mcp:read"]);
  });

  test("S3.7.69: the form of another request, another session, or without a token decides nothing and is shown anew", async () => {
    const { browser, viewer } = await person("forged");
    const other = await person("forger");
    const page = csrfIn((await browser.get(asking())).text);
    const session = csrfIn((await browser.get("/account/tokens")).text);
    const theirs = csrfIn((await other.browser.get(asking())).text);
    const changed = asking({ redirect_uri: BACK, scope: "mcp:curate" });
    const tries: readonly (readonly [string, Record<string, string>])[] = [
      [asking(), {}],
      [asking(), { csrf: "" }],
      [asking(), { csrf: session }],
      [asking(), { csrf: theirs }],
      [changed, { csrf: page }],
      [asking({ client_id: "own" }), { csrf: page }],
      [asking({ state: "other" }), { csrf: page }],
      [asking({ code_challenge: "c".repeat(43) }), { csrf: page }],
    ];
    for (const [path, fields] of tries) {
      const answer = await browser.post(path, { ...ALLOW, ...fields });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 403, null]);
    }
    expect(await world.store.grants.grantsOf(viewer.account?.id ?? 0)).toEqual([]);
    expect((await browser.post(asking(), { ...ALLOW, csrf: page })).status).toBe(303);
  });

  test("S3.7.69: what a program is called when the form comes back is what the page showed, else the page is shown anew", async () => {
    await client("renamed", "First name", [BACK]);
    const { browser } = await person("renames");
    const path = asking({ client_id: "renamed" });
    const csrf = csrfIn((await browser.get(path)).text);
    await client("renamed", "Second name", [BACK]);
    const answer = await browser.post(path, { ...ALLOW, csrf });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("Second name");
    expect(answer.text).toContain("This form has ended");
  });

  test("S3.7.69 S3.7.80: without a session nothing is decided, with a token in a header neither", async () => {
    const token = await world.token(world.owner);
    const guest = world.visitor();
    expect((await guest.post(asking(), ALLOW)).status).toBe(401);
    const api = { authorization: `Bearer ${token}` };
    expect((await guest.get(asking(), api)).status).toBe(303);
    expect((await guest.get("/account/grants", api)).status).toBe(303);
    const sent = await guest.send(asking(), {
      method: "POST",
      headers: { ...api, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(ALLOW).toString(),
    });
    expect(sent.status).toBe(401);
  });

  test("S3.7.77: a form sent twice, at once or later, leaves one grant", async () => {
    const { browser, viewer } = await person("twice");
    const csrf = csrfIn((await browser.get(asking())).text);
    const send = (): Promise<Page> => browser.post(asking(), { ...ALLOW, csrf });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await world.store.grants.grantsOf(viewer.account?.id ?? 0)).toHaveLength(1);
  });

  describe("S3.7.76: in a session that a token signed in (R6c)", () => {
    const wish = { kind: "personal", name: "x", scopes: REPOSITORY_SCOPES, expiresAt: null } as const;
    async function byToken(name: string) {
      const viewer = await world.person(name, [3]);
      const made = await world.tokens.make(viewer, { ...wish, accountId: viewer.account?.id ?? 0 });
      const browser = world.visitor();
      await browser.signIn(made.text);
      return {
        viewer,
        browser,
        clientId: made.client.clientId,
        end: () => world.tokens.revoke(viewer, made.client.clientId),
      };
    }
    /** The same person, signed in by link. */
    async function byLink(viewer: PagesWorld["owner"]): Promise<Visitor> {
      const links = signIn({ ...world, clock: { now: () => world.time.now }, random: platformRandom(), oidc: null });
      const { token } = await links.makeLink(world.admin, viewer.account?.id ?? 0);
      const browser = world.visitor();
      await press(browser, `/account/login/${token}`, {});
      return browser;
    }
    const madeWith = async ({ account }: PagesWorld["owner"]) =>
      (await world.store.grants.grantsOf(account?.id ?? 0)).map((grant) => [grant.madeWith, grant.scopes.length]);

    test("S3.7.76: the page says that what is allowed ends with the token, and so it does", async () => {
      const { viewer, browser, clientId, end } = await byToken("by token");
      expect((await browser.get(asking())).text).toContain("ends with that token");
      await press(browser, asking(), ALLOW);
      expect(await madeWith(viewer)).toEqual([[clientId, 2]]);
      const person = await byLink(viewer);
      expect((await person.get("/account/grants")).text).toContain("Library");
      expect((await person.get(asking())).text).not.toContain("ends with that token");
      await end();
      expect((await person.get("/account/grants")).text).toContain("You have not allowed any program");
    });

    test("S3.7.76: what the token may not do is not allowed, and the page says why", async () => {
      const { viewer, browser, clientId } = await byToken("narrowed");
      const own = await world.store.accounts.client(clientId);
      if (own === null) throw new Error("The token has a client");
      await world.store.transact((tx) => tx.accounts.saveClient({ ...own, scopes: ["mcp:read"] }));
      const answer = await press(browser, asking(), ALLOW);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("The token that signed in lacks the scope mcp:write");
      expect(await madeWith(viewer)).toEqual([]);
      expect((await press(browser, asking(), { decision: "allow" })).status).toBe(303);
      expect(await madeWith(viewer)).toEqual([[clientId, 1]]);
    });

    test("S3.7.76: a token widens nothing that the person allowed without it, and its end hinders nobody to allow anew", async () => {
      const { viewer, browser, clientId, end } = await byToken("both ways");
      const person = await byLink(viewer);
      await press(person, asking({ scope: "mcp:read" }), ALLOW);
      expect(await madeWith(viewer)).toEqual([[null, 1]]);
      await press(browser, asking(), ALLOW);
      expect(await madeWith(viewer)).toEqual([[clientId, 2]]);
      await end();
      await press(person, asking({ scope: "mcp:read" }), ALLOW);
      expect(await madeWith(viewer)).toEqual([[null, 1]]);
    });
  });
});

describe("what is wrong with a request", () => {
  test.each([
    ["no client", { client_id: undefined }],
    ["an unknown client", { client_id: "nobody" }],
    ["another redirect_uri", { redirect_uri: "https://evil.example/back" }],
    ["a longer redirect_uri", { redirect_uri: `${BACK}/more` }],
    ["a redirect_uri of script", { redirect_uri: "javascript:alert(1)" }],
  ])("S3.7.73: %s is a page with 400, for guests as well, and nobody is sent anywhere", async (_, changes) => {
    const answer = await world.visitor().get(asking(changes));
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).not.toMatch(/(?:href|action)="(?:https:\/\/evil|javascript)/);
  });

  test.each([
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["an unknown scope", { scope: "item:read" }, "invalid_scope"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
  ])("S3.7.74: %s goes to the redirect_uri with error, description, state and iss", async (_, changes, error) => {
    const answer = await world.visitor().get(asking(changes));
    expect([answer.status, where(answer).origin]).toEqual([302, "https://client.example"]);
    expect(saidIn(answer)).toMatchObject({ error, state: STATE, iss: BASE });
    expect(saidIn(answer).error_description).toMatch(/^[\x20-\x7E]+$/);
  });

  test("S3.7.75: prompt none asks nobody; login has the person sign in anew, once", async () => {
    const guest = await world.visitor().get(asking({ prompt: "none" }));
    expect(saidIn(guest)).toMatchObject({ error: "login_required", state: STATE, iss: BASE });
    const { browser } = await person("prompted");
    const silent = await browser.get(asking({ prompt: "none" }));
    expect([silent.status, saidIn(silent).error]).toEqual([302, "consent_required"]);
    expect(saidIn(await browser.get(asking({ prompt: "none login" }))).error).toBe("invalid_request");
    expect((await browser.get(asking({ prompt: "consent" }))).text).toContain('value="allow"');
    const again = await browser.get(asking({ prompt: "login" }));
    expect(again.text).not.toContain('value="allow"');
    const fields = { csrf: csrfIn(again.text), return_to: asking({ prompt: undefined }) };
    expect(again.text).toContain(`name="return_to" value="${fields.return_to.replaceAll("&", "&amp;")}"`);
    const out = await browser.post("/account/logout", fields);
    expect(where(out).pathname).toBe("/account/login");
    const next = await world.visitor().get(asking({ prompt: "login consent" }));
    expect(where(next).searchParams.get("return_to")).toBe(asking({ prompt: "consent" }));
  });
});

describe("what was allowed", () => {
  test("S3.7.78: is listed with scopes, resource and times, and ended by a button; where there is nothing, it says so", async () => {
    const { browser, viewer } = await person("lists");
    const empty = await browser.get("/account/grants");
    expect(empty.text).toContain("You have not allowed any program");
    expect(empty.headers.get("cache-control")).toBe("no-store");
    expect((await browser.get("/account/tokens")).text).toContain('href="/account/grants"');
    await press(browser, asking(), ALLOW);
    const page = await browser.get("/account/grants");
    for (const said of [
      "<bdi>Library &lt;Helper&gt;</bdi>",
      "mcp:read mcp:write",
      RESOURCE,
      "Last used: never",
      "Since: ",
    ])
      expect(page.text).toContain(said);
    const id = /name="grant_id" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expect((await browser.post("/account/grants/end", { csrf: "x", grant_id: id })).status).toBe(403);
    const ended = await browser.post("/account/grants/end", { csrf: csrfIn(page.text), grant_id: id });
    expect([ended.status, where(ended).pathname]).toEqual([303, "/account/grants"]);
    expect(await world.store.grants.grantsOf(viewer.account?.id ?? 0)).toEqual([]);
    // The button pressed twice.
    expect((await browser.post("/account/grants/end", { csrf: csrfIn(page.text), grant_id: id })).status).toBe(303);
    expect((await browser.get("/account/grants?lang=ja")).text).toContain("許可したプログラムはありません");
  });

  test("S3.7.72 S3.7.78: the code opens the tools with what was ticked, and ending it stops them at once", async () => {
    const { browser } = await person("whole way");
    const { code = "" } = saidIn(await press(browser, asking({ client_id: "own", scope: "mcp:curate" }), ALLOW));
    const program = world.visitor();
    const exchanged = await program.post("/oauth/token", {
      ...{
        grant_type: "authorization_code",
        client_id: "own",
        code,
        redirect_uri: BACK,
        code_verifier: "v".repeat(43),
      },
      resource: RESOURCE,
    });
    const { access_token: token, scope } = JSON.parse(exchanged.text);
    expect(scope).toBe("mcp:read mcp:write");
    const call = async (name: string, args: object = {}): Promise<number> => {
      const said = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
      const headers = {
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
        authorization: `Bearer ${token}`,
      };
      return (await program.send("/mcp", { method: "POST", headers, body: JSON.stringify(said) })).status;
    };
    expect(await call("whoami")).toBe(200);
    expect(await call("restore_record", { recid: "1" })).toBe(403);
    const page = await browser.get("/account/grants");
    expect(page.text).not.toContain("Last used: never");
    const id = /name="grant_id" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    await browser.post("/account/grants/end", { csrf: csrfIn(page.text), grant_id: id });
    expect(await call("whoami")).toBe(401);
  });

  test("S3.7.79: nobody sees or ends what others allowed, administrators neither", async () => {
    const { browser, viewer } = await person("owns");
    await press(browser, asking(), ALLOW);
    const [grant] = await world.store.grants.grantsOf(viewer.account?.id ?? 0);
    for (const other of [await person("other"), await person("boss", [1])]) {
      const page = await other.browser.get("/account/grants");
      expect(page.text).not.toContain(grant?.id ?? "");
      const csrf = csrfIn((await other.browser.get("/account/tokens")).text);
      const ended = await other.browser.post("/account/grants/end", { csrf, grant_id: grant?.id ?? "" });
      expect(ended.status).toBe(404);
    }
    expect(await world.store.grants.grantsOf(viewer.account?.id ?? 0)).toHaveLength(1);
    expect(where(await world.visitor().get("/account/grants")).pathname).toBe("/account/login");
  });
});
