// What somebody answers to a program that asks for consent, what comes of it, and how it ends, over HTTP (R30, R6c; RFC
// 6749 section 4.1.2, RFC 9700).
import { describe, expect, test } from "bun:test";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { signIn } from "../../src/repository/people/sign-in.ts";
import { ALLOW, BACK, press, RESOURCE, STATE, saidIn, VERIFIER, where } from "../support/world/consent.ts";
import { BASE, csrfIn, type PagesWorld, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true, consent: true });

describe("the decision", () => {
  test("S3.7.72 S3.7.66: allowing sends code, state and iss, and grants what was ticked", async () => {
    const { browser, viewer } = await world.signedIn("allows");
    const answer = await press(browser, world.asking({ scope: "mcp:curate" }), ALLOW);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(`${where(answer).origin}${where(answer).pathname}`).toBe(BACK);
    const { code, ...rest } = saidIn(answer);
    expect(code).toMatch(/^svc_/);
    expect(rest).toEqual({ state: STATE, iss: BASE });
    const [grant] = await world.allowedBy(viewer);
    expect(grant?.scopes).toEqual(["mcp:read", "mcp:write"]);
  });

  test("S3.7.72: refusing sends access_denied, state and iss, and grants nothing", async () => {
    const { browser, viewer } = await world.signedIn("refuses");
    const answer = await press(browser, world.asking(), { ...ALLOW, decision: "refuse" });
    expect([answer.status, where(answer).origin]).toEqual([303, "https://client.example"]);
    expect(saidIn(answer)).toMatchObject({ error: "access_denied", state: STATE, iss: BASE });
    expect(saidIn(answer).code).toBeUndefined();
    expect(await world.allowedBy(viewer)).toEqual([]);
  });

  test("S3.7.66: deciding without changing is asked about again, with what was ticked", async () => {
    const { browser, viewer } = await world.signedIn("half");
    const answer = await press(browser, world.asking({ scope: "mcp:curate" }), {
      decision: "allow",
      "scope:mcp:curate": "1",
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Deciding includes changing");
    expect(answer.text).toContain('name="scope:mcp:curate" value="1" checked');
    expect(answer.text).not.toContain('name="scope:mcp:write" value="1" checked');
    expect(await world.allowedBy(viewer)).toEqual([]);
  });

  test("S3.7.66: what was not asked for is not granted, whatever a form contains", async () => {
    const { browser, viewer } = await world.signedIn("more");
    await press(browser, world.asking({ scope: "mcp:read" }), {
      ...ALLOW,
      "scope:mcp:curate": "1",
      scope: "mcp:curate",
    });
    const [grant] = await world.allowedBy(viewer);
    expect(grant?.scopes).toEqual(["mcp:read"]);
  });

  test("S3.7.69: the form of another request, another session, or without a token decides nothing and is shown again", async () => {
    const { browser, viewer } = await world.signedIn("forged");
    const other = await world.signedIn("forger");
    const page = csrfIn((await browser.get(world.asking())).text);
    const session = csrfIn((await browser.get("/account/tokens")).text);
    const theirs = csrfIn((await other.browser.get(world.asking())).text);
    const changed = world.asking({ redirect_uri: BACK, scope: "mcp:curate" });
    const tries: readonly (readonly [string, Record<string, string>])[] = [
      [world.asking(), {}],
      [world.asking(), { csrf: "" }],
      [world.asking(), { csrf: session }],
      [world.asking(), { csrf: theirs }],
      [changed, { csrf: page }],
      [world.asking({ client_id: "own" }), { csrf: page }],
      [world.asking({ state: "other" }), { csrf: page }],
      [world.asking({ code_challenge: "c".repeat(43) }), { csrf: page }],
    ];
    for (const [path, fields] of tries) {
      const answer = await browser.post(path, { ...ALLOW, ...fields });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 403, null]);
    }
    expect(await world.allowedBy(viewer)).toEqual([]);
    expect((await browser.post(world.asking(), { ...ALLOW, csrf: page })).status).toBe(303);
  });

  test("S3.7.69: what a program is called when the form comes back is what the page showed, else the page is shown again", async () => {
    await world.client("renamed", "First name", [BACK]);
    const { browser } = await world.signedIn("renames");
    const path = world.asking({ client_id: "renamed" });
    const csrf = csrfIn((await browser.get(path)).text);
    await world.client("renamed", "Second name", [BACK]);
    const answer = await browser.post(path, { ...ALLOW, csrf });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("Second name");
    expect(answer.text).toContain("This form has ended");
  });

  test("S3.7.69 S3.7.80: without a session nothing is decided, with a token in a header neither", async () => {
    const token = await world.token(world.owner);
    const guest = world.visitor();
    expect((await guest.post(world.asking(), ALLOW)).status).toBe(401);
    const api = { authorization: `Bearer ${token}` };
    expect((await guest.get(world.asking(), api)).status).toBe(303);
    expect((await guest.get("/account/grants", api)).status).toBe(303);
    const sent = await guest.send(world.asking(), {
      method: "POST",
      headers: { ...api, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(ALLOW).toString(),
    });
    expect(sent.status).toBe(401);
    expect(await world.allowedBy(world.owner)).toEqual([]);
  });

  test("S3.7.77: a form sent twice, at once or later, leaves one grant", async () => {
    const { browser, viewer } = await world.signedIn("twice");
    const csrf = csrfIn((await browser.get(world.asking())).text);
    const send = () => browser.post(world.asking(), { ...ALLOW, csrf });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await world.allowedBy(viewer)).toHaveLength(1);
  });
});

describe("what was allowed", () => {
  test("S3.7.78: is listed with scopes, resource and times, and ended by a button; an empty list is stated", async () => {
    const { browser, viewer } = await world.signedIn("lists");
    const empty = await browser.get("/account/grants");
    expect(empty.text).toContain("You have not allowed any program");
    expect(empty.headers.get("cache-control")).toBe("no-store");
    expect((await browser.get("/account/tokens")).text).toContain('href="/account/grants"');
    await press(browser, world.asking(), ALLOW);
    const page = await browser.get("/account/grants");
    for (const response of [
      "<bdi>Library &lt;Helper&gt;</bdi>",
      "mcp:read mcp:write",
      RESOURCE,
      "Last used: never",
      "Since: ",
    ])
      expect(page.text).toContain(response);
    const id = /name="grant_id" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expect((await browser.post("/account/grants/end", { csrf: "x", grant_id: id })).status).toBe(403);
    const ended = await browser.post("/account/grants/end", { csrf: csrfIn(page.text), grant_id: id });
    expect([ended.status, where(ended).pathname]).toEqual([303, "/account/grants"]);
    expect(await world.allowedBy(viewer)).toEqual([]);
    // The button pressed twice.
    expect((await browser.post("/account/grants/end", { csrf: csrfIn(page.text), grant_id: id })).status).toBe(303);
    expect((await browser.get("/account/grants?lang=ja")).text).toContain("許可したプログラムはありません");
  });

  test("S3.7.72 S3.7.78: the code opens the tools with what was ticked, and ending it stops them at once", async () => {
    const { browser } = await world.signedIn("whole way");
    const { code = "" } = saidIn(await press(browser, world.asking({ client_id: "own", scope: "mcp:curate" }), ALLOW));
    const program = world.visitor();
    const grant = { grant_type: "authorization_code", client_id: "own", code, code_verifier: VERIFIER };
    const exchanged = await program.post("/oauth/token", { ...grant, redirect_uri: BACK, resource: RESOURCE });
    const { access_token: token, scope } = JSON.parse(exchanged.text);
    expect(scope).toBe("mcp:read mcp:write");
    const call = async (name: string, args: object = {}): Promise<number> => {
      const response = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
      const headers = {
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
        authorization: `Bearer ${token}`,
      };
      return (await program.send("/mcp", { method: "POST", headers, body: JSON.stringify(response) })).status;
    };
    expect(await call("whoami")).toBe(200);
    expect(await call("restore_record", { recid: "1" })).toBe(403);
    const page = await browser.get("/account/grants");
    expect(page.text).not.toContain("Last used: never");
    const id = /name="grant_id" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    await browser.post("/account/grants/end", { csrf: csrfIn(page.text), grant_id: id });
    expect(await call("whoami")).toBe(401);
  });

  test("S3.7.78 S3.7.79 S3.7.80: people see and end their own grants one by one; nobody else and no bearer token does", async () => {
    const [owner, other, boss] = [
      await world.signedIn("owns"),
      await world.signedIn("other"),
      await world.signedIn("boss", [1]),
    ];
    for (const { browser } of [owner, other]) {
      for (const client_id of ["web", "own"]) await press(browser, world.asking({ client_id }), ALLOW);
    }
    const idsOf = async ({ viewer }: typeof owner) => (await world.allowedBy(viewer)).map(({ id }) => id).sort();
    const [own, others] = [await idsOf(owner), await idsOf(other)];
    const shownTo = async ({ browser }: typeof owner) => {
      const { text } = await browser.get("/account/grants");
      return [...text.matchAll(/name="grant_id" value="([^"]+)"/g)].map(([, id = ""]) => id).sort();
    };
    expect([own.length, others.length, await shownTo(boss)]).toEqual([2, 2, []]);
    expect([await shownTo(owner), await shownTo(other)]).toEqual([own, others]);
    for (const { browser } of [other, boss]) {
      const csrf = csrfIn((await browser.get("/account/tokens")).text);
      for (const grant_id of own)
        expect((await browser.post("/account/grants/end", { csrf, grant_id })).status).toBe(404);
    }
    const authorization = `Bearer ${await world.token(owner.viewer)}`;
    const guest = world.visitor();
    for (const headers of [{}, { authorization }]) {
      const sent = await guest.send("/account/grants/end", {
        method: "POST",
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ grant_id: own[0] ?? "" }).toString(),
      });
      expect(sent.status).toBe(401);
    }
    expect([await idsOf(owner), await idsOf(other)]).toEqual([own, others]);
    const csrf = csrfIn((await owner.browser.get("/account/grants")).text);
    await owner.browser.post("/account/grants/end", { csrf, grant_id: own[0] ?? "" });
    expect([await idsOf(owner), await shownTo(owner), await idsOf(other)]).toEqual([
      own.slice(1),
      own.slice(1),
      others,
    ]);
    expect(where(await world.visitor().get("/account/grants")).pathname).toBe("/account/login");
  });
});

describe("S3.7.76: in a session that a token signed in (R6c)", () => {
  const tokenRequest = { kind: "personal", name: "x", scopes: REPOSITORY_SCOPES, expiresAt: null } as const;
  async function byToken(name: string) {
    const viewer = await world.person(name, [3]);
    const made = await world.tokens.make(viewer, { ...tokenRequest, accountId: viewer.account?.id ?? 0 });
    const browser = world.visitor();
    await browser.signIn(made.text);
    const { clientId } = made.client;
    return { viewer, browser, clientId, end: () => world.tokens.revoke(viewer, clientId) };
  }
  /** The same person, signed in by link. */
  async function byLink(viewer: PagesWorld["owner"]): Promise<Visitor> {
    const links = signIn({ ...world, clock: { now: () => world.time.now }, random: platformRandom(), oidc: null });
    const { token } = await links.makeLink(world.admin, viewer.account?.id ?? 0);
    const browser = world.visitor();
    await press(browser, `/account/login/${token}`, {});
    return browser;
  }
  const madeWith = async (viewer: PagesWorld["owner"]) =>
    (await world.allowedBy(viewer)).map((grant) => [grant.madeWith, grant.scopes.length]);

  test("S3.7.76: the page states that what is allowed ends with the token, and so it does", async () => {
    const { viewer, browser, clientId, end } = await byToken("by token");
    expect((await browser.get(world.asking())).text).toContain("ends with that token");
    await press(browser, world.asking(), ALLOW);
    expect(await madeWith(viewer)).toEqual([[clientId, 2]]);
    const person = await byLink(viewer);
    expect((await person.get("/account/grants")).text).toContain("Library");
    expect((await person.get(world.asking())).text).not.toContain("ends with that token");
    await end();
    expect((await person.get("/account/grants")).text).toContain("You have not allowed any program");
  });

  test("S3.7.76: what the token may not do is not allowed, and the page states why", async () => {
    const { viewer, browser, clientId } = await byToken("narrowed");
    const own = await world.store.accounts.client(clientId);
    if (own === null) throw new Error("The token has a client");
    await world.store.transact((tx) => tx.accounts.saveClient({ ...own, scopes: ["mcp:read"] }));
    const answer = await press(browser, world.asking(), ALLOW);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("The token that signed in lacks the scope mcp:write");
    expect(await madeWith(viewer)).toEqual([]);
    expect((await press(browser, world.asking(), { decision: "allow" })).status).toBe(303);
    expect(await madeWith(viewer)).toEqual([[clientId, 1]]);
  });

  test("S3.7.76: a token widens nothing that the person allowed without it, and its end does not prevent a new consent", async () => {
    const { viewer, browser, clientId, end } = await byToken("both ways");
    const person = await byLink(viewer);
    await press(person, world.asking({ scope: "mcp:read" }), ALLOW);
    expect(await madeWith(viewer)).toEqual([[null, 1]]);
    await press(browser, world.asking(), ALLOW);
    expect(await madeWith(viewer)).toEqual([[clientId, 2]]);
    await end();
    await press(person, world.asking({ scope: "mcp:read" }), ALLOW);
    expect(await madeWith(viewer)).toEqual([[null, 1]]);
  });
});
