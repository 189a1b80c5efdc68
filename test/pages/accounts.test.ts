// Signing in and out, one-time links and tokens, as a browser does it (R33; R6b).
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../db/engine/open.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { signIn } from "../../src/repository/people/sign-in.ts";
import { sha256Hex } from "../../src/shared/hash/digests.ts";
import { csrfIn, type PagesWorld } from "../support/world/pages.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

const accountOf = (viewer: PagesWorld["owner"]): number => viewer.account?.id ?? 0;
const links = () =>
  signIn({ store: world.store, clock: { now: () => world.time.now }, random: platformRandom(), oidc: null });
const linkFor = async (viewer: PagesWorld["owner"]): Promise<string> =>
  `/account/login/${(await links().makeLink(world.admin, accountOf(viewer))).token}`;

describe("signing in with a token", () => {
  test("R33 a personal token opens a session: a random cookie, of which the table keeps a hash, that scripts cannot read", async () => {
    const browser = world.visitor();
    const answer = await browser.signIn(await world.token(world.owner), "/index");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/index"]);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("arkstone-session=")) ?? "";
    expect(cookie).toMatch(/^arkstone-session=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    const front = await browser.get("/");
    expect(front.text).toContain("Sign out");
    expect(front.text).toContain(">owner</a>");
    const secret = browser.cookies.get("arkstone-session") ?? "";
    expect(await world.store.accounts.session(secret)).toBeNull();
  });

  test("R33 the database holds neither the cookie nor the token of its forms, only hashes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-sessions-"));
    const url = join(folder, "arkstone.db");
    const own = await openWorld({ pages: { url } });
    try {
      const [one, other] = [own.visitor(), own.visitor()];
      for (const browser of [one, other]) await browser.signIn(await own.token(own.owner));
      const csrf = csrfIn((await one.get("/")).text);
      expect(csrf).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(csrfIn((await other.get("/")).text)).not.toBe(csrf);
      const { reader, close } = await openDatabase({ url, readOnly: true });
      const rows = await reader.selectFrom("login_session").selectAll().execute();
      await close();
      expect(rows.map((row) => row.csrf)).toContain(sha256Hex(csrf));
      for (const secret of [csrf, one.cookies.get("arkstone-session") ?? ""]) {
        expect([secret.length, JSON.stringify(rows).includes(secret)]).toEqual([43, false]);
      }
      expect((await other.post("/account/logout", { csrf })).status).toBe(403);
      expect((await one.post("/account/logout", { csrf })).status).toBe(303);
    } finally {
      await own.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("R33 a form of another site signs nobody out: its answer leaves the cookie, with and without it in the request", async () => {
    const browser = world.visitor();
    await browser.signIn(await world.token(world.owner));
    const csrf = csrfIn((await browser.get("/")).text);
    // SameSite=Lax: what another site sends comes without cookies, and its answer may set or clear them.
    const bare = await world.visitor().post("/account/logout", {});
    expect([bare.status, bare.headers.getSetCookie()]).toEqual([303, []]);
    const sent = (site: string, fields: Record<string, string>) =>
      browser.send("/account/logout", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": site },
        body: new URLSearchParams(fields).toString(),
      });
    for (const site of ["cross-site", "same-site"]) {
      const refused = await sent(site, { csrf });
      expect([site, refused.status, refused.headers.getSetCookie()]).toEqual([site, 403, []]);
    }
    expect((await browser.get("/")).text).toContain("Sign out");
    const out = await sent("same-origin", { csrf });
    expect([out.status, out.headers.getSetCookie().length]).toEqual([303, 1]);
    expect((await browser.get("/")).text).toContain("Sign in");
  });

  test("R33 a session lasts 12 hours", async () => {
    const browser = world.visitor();
    await browser.signIn(await world.token(world.owner));
    const began = world.time.now;
    world.time.now = new Date(Date.parse(began) + 12 * 3_600_000 - 1).toISOString();
    expect((await browser.get("/")).text).toContain("Sign out");
    world.time.now = new Date(Date.parse(began) + 12 * 3_600_000).toISOString();
    expect((await browser.get("/")).text).toContain("Sign in");
    world.time.now = began;
  });

  test("R33 disabling the account ends its session at once, signing out too", async () => {
    const person = await world.person("leaving", [3]);
    const [one, other] = [world.visitor(), world.visitor()];
    const token = await world.token(person);
    await one.signIn(token);
    await other.signIn(token);
    const csrf = csrfIn((await one.get("/")).text);
    const kept = one.cookies.get("arkstone-session") ?? "";
    const out = await one.post("/account/logout", { csrf });
    expect([out.status, out.headers.get("location")]).toEqual([303, "/"]);
    one.cookies.set("arkstone-session", kept);
    expect((await one.get("/")).text).toContain("Sign in");
    expect((await other.get("/")).text).toContain("Sign out");
    const { account } = person;
    if (account === null) throw new Error("It has an account");
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active: false }));
    expect((await other.get("/")).text).toContain("Sign in");
  });

  test("R33 a wrong token, a revoked one and one that does not allow everything sign nobody in", async () => {
    const narrow = await world.token(world.owner, ["item:read"]);
    const revoked = await world.token(world.owner);
    const id = /^svc_([0-9a-z]+)_/.exec(revoked)?.[1] ?? "";
    await world.store.transact((tx) => tx.accounts.revokeSecret(id, world.time.now));
    for (const token of ["", "nonsense", "svc_abc_".padEnd(51, "x"), narrow, revoked]) {
      const browser = world.visitor();
      const answer = await browser.signIn(token);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("This token is not valid");
      expect(answer.text).not.toContain(token === "" ? "svc_abc_" : token);
      expect(browser.cookies.has("arkstone-session")).toBe(false);
    }
  });

  test("R33 a form without the token of this browser is refused for every sender", async () => {
    const token = await world.token(world.owner);
    const browser = world.visitor();
    const form = await browser.get("/account/login");
    expect((await browser.post("/account/login", { token })).status).toBe(403);
    expect((await browser.post("/account/login", { token, csrf: "x".repeat(43) })).status).toBe(403);
    expect((await world.visitor().post("/account/login", { token, csrf: csrfIn(form.text) })).status).toBe(403);
    expect((await browser.post("/account/login", { token, csrf: csrfIn(form.text) })).status).toBe(303);
    expect((await browser.post("/account/logout", { csrf: "x" })).status).toBe(403);
    expect((await browser.get("/")).text).toContain("Sign out");
  });

  const elsewhere = ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"];
  const ELSEWHERE = [...elsewhere, "/account/logout", "/\u0001x", `/${"x".repeat(3000)}`];
  test("R33 return_to that is not one of our pages leads to the front page", async () => {
    for (const returnTo of ELSEWHERE) {
      const answer = await world.visitor().signIn(await world.token(world.owner), returnTo);
      expect([returnTo, answer.status, answer.headers.get("location")]).toEqual([returnTo, 303, "/"]);
    }
  });

  test("R33 a client that guesses tokens is slowed down", async () => {
    const slow = await openWorld({ pages: { env: { SVC_RATE_PER_MINUTE: "5" } } });
    const statuses: number[] = [];
    const browser = slow.visitor();
    const csrf = csrfIn((await browser.get("/account/login")).text);
    for (let i = 0; i < 7; i += 1)
      statuses.push((await browser.post("/account/login", { csrf, token: "svc_x" })).status);
    expect(statuses.slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
    expect(statuses.slice(5)).toEqual([429, 429]);
  });

  test("R33 behind https the cookie is __Host- and Secure, and no other name counts", async () => {
    const secure = await openWorld({ pages: { env: { SVC_BASE_URL: "https://repository.test" } } });
    const browser = secure.visitor();
    const answer = await browser.signIn(await secure.token(secure.owner));
    const cookie = answer.headers.getSetCookie().find((line) => line.includes("session")) ?? "";
    expect(cookie).toMatch(
      /^__Host-arkstone-session=[^;]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect((await browser.get("/")).text).toContain("Sign out");
    const secret = browser.cookies.get("__Host-arkstone-session") ?? "";
    browser.cookies.clear();
    browser.cookies.set("arkstone-session", secret);
    expect((await browser.get("/")).text).toContain("Sign in");
  });
});

describe("one-time links", () => {
  test("R33 opening the link uses nothing up, the button does, once", async () => {
    const link = await linkFor(world.owner);
    for (let i = 0; i < 3; i += 1) expect((await world.visitor().get(link)).status).toBe(200);
    const browser = world.visitor();
    const csrf = csrfIn((await browser.get(link)).text);
    const answer = await browser.post(link, { csrf });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    expect((await browser.get("/")).text).toContain("Sign out");
    const other = world.visitor();
    const again = await other.post(link, { csrf: csrfIn((await other.get(link)).text) });
    expect(again.status).toBe(403);
    expect(again.text).toContain("This link was used already");
  });

  test("R33 a link ends after 15 minutes", async () => {
    const link = await linkFor(world.owner);
    const began = world.time.now;
    const browser = world.visitor();
    const csrf = csrfIn((await browser.get(link)).text);
    world.time.now = new Date(Date.parse(began) + 15 * 60_000).toISOString();
    expect((await browser.post(link, { csrf })).status).toBe(403);
    world.time.now = began;
  });

  test("R33 a button pressed without our form does not use the link up", async () => {
    const link = await linkFor(world.owner);
    expect((await world.visitor().post(link, { csrf: "x".repeat(43) })).status).toBe(403);
    const browser = world.visitor();
    expect((await browser.post(link, { csrf: csrfIn((await browser.get(link)).text) })).status).toBe(303);
  });

  test("R33 what is not a link is a 404", async () => {
    expect((await world.visitor().get("/account/login/short")).status).toBe(404);
  });

  test("R33 the token of a link is in no log line", async () => {
    const lines: string[] = [];
    const logged = await openWorld({
      pages: { env: { SVC_ACCESS_LOG: "on" }, onLog: (line) => void lines.push(line) },
    });
    const token = "A".repeat(43);
    for (const path of ["/account/login", "/account/register", "/feeds/tasks"]) {
      await logged.visitor().get(`${path}/${token}`);
      expect(lines.some((line) => line.includes(`${path}/********`))).toBe(true);
    }
    expect(lines.join("")).not.toContain(token);
  });

  test("R33 pages with secrets are kept by nobody and tell nobody where they were", async () => {
    const page = await world.visitor().get(await linkFor(world.owner));
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("tokens", () => {
  test("R33 R6b P.13 a token is made with scopes and an end, shown once, works, and is revoked", async () => {
    const browser = world.visitor();
    await browser.signIn(await world.token(world.owner));
    const form = await browser.get("/account/tokens");
    const csrf = csrfIn(form.text);
    const scopes = { "scope:user:activity": "1", "scope:item:read": "1" };
    const token = { name: "My <script>", ...scopes, last_day: "2027-01-31" };
    const made = await browser.post("/account/tokens", { csrf, ...token });
    expect(made.status).toBe(200);
    expect(made.headers.get("cache-control")).toBe("no-store");
    const text = /svc_[0-9a-z]+_[A-Za-z0-9_-]{43}/.exec(made.text)?.[0] ?? "";
    expect(made.text).toContain("My &lt;script&gt;");
    for (const scope of REPOSITORY_SCOPES) {
      const words = new RegExp(`<label for="scopes[^>]*>([^<]*) <code>${scope}</code>`);
      expect([scope, (words.exec(form.text)?.[1]?.length ?? 0) > 10]).toEqual([scope, true]);
    }
    const api = { authorization: `Bearer ${text}`, accept: "application/json" };
    expect((await world.visitor().get("/api/v1/workflow/activities", api)).status).toBe(200);
    const list = await browser.get("/account/tokens");
    expect(list.text).not.toContain(text);
    expect(list.text).toContain("31 January 2027");
    const [client] = (await world.store.accounts.clientsOf(accountOf(world.owner))).filter(
      ({ name }) => name === "My <script>",
    );
    expect(client?.scopes).toEqual(["item:read", "user:activity"]);
    await browser.post("/account/tokens/revoke", { csrf, token_id: client?.clientId ?? "" });
    expect((await world.visitor().get("/api/v1/workflow/activities", api)).status).toBe(401);
  });

  test.each([
    [{ name: "", "scope:item:read": "1" }, '<a href="#name">Enter a name of at most 200 characters</a>'],
    [{ name: "x" }, '<a href="#scopes">Choose at least one thing that it allows</a>'],
    [{ name: "x", "scope:all": "1" }, "Unknown scope"],
    [
      { name: "x", "scope:item:read": "1", last_day: "2020-01-01" },
      '<a href="#last_day">Enter a day that is not past</a>',
    ],
    [
      { name: "x", "scope:item:read": "1", last_day: "tomorrow" },
      '<a href="#last_day">Enter a day that is not past</a>',
    ],
  ])("R33 a form with %j shows what is wrong and keeps what was written", async (fields, message) => {
    const browser = world.visitor();
    await browser.signIn(await world.token(world.owner));
    const csrf = csrfIn((await browser.get("/account/tokens")).text);
    const answer = await browser.post("/account/tokens", { csrf, ...(fields as Record<string, string>) });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
  });

  test("R33 nobody revokes somebody else's token, and tokens are for signed-in users", async () => {
    const other = await world.person("other", [3]);
    const token = await world.token(other);
    const [client] = await world.store.accounts.clientsOf(accountOf(other));
    const browser = world.visitor();
    await browser.signIn(await world.token(world.owner));
    const csrf = csrfIn((await browser.get("/account/tokens")).text);
    expect((await browser.post("/account/tokens/revoke", { csrf, token_id: client?.clientId ?? "" })).status).toBe(404);
    expect((await world.visitor().get("/account/tokens", { authorization: `Bearer ${token}` })).status).toBe(303);
    const guest = await world.visitor().get("/account/tokens");
    const expected = [303, "/account/login?return_to=%2Faccount%2Ftokens"];
    expect([guest.status, guest.headers.get("location")]).toEqual(expected);
  });

  test("R33 no page takes a bearer token from an address", async () => {
    const item = await world.publish({
      access: { record: "restricted", openDate: "2026-01-01", files: "public", embargoUntil: null, embargoReason: "" },
    });
    const token = await world.token(world.owner);
    for (const name of ["access_token", "authorization"]) {
      expect((await world.visitor().get(`/records/${item.id}?${name}=${token}`)).status).toBe(403);
    }
    // The secret of a link to the record is kept for this record by a cookie; an access token is none.
    const guest = world.visitor();
    expect((await guest.get(`/records/${item.id}?token=${token}`)).status).toBe(303);
    expect((await guest.get(`/records/${item.id}`)).status).toBe(403);
  });
});
