// The own account (R33): name, language, ORCID iD, sessions, as pages and over HTTP.
import { beforeAll, describe, expect, test } from "bun:test";
import { ROLES, type Viewer } from "../../src/auth/account.ts";
import { agentWords } from "../../src/auth/agent-words.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { aContent } from "../support/world/items.ts";
import { csrfIn, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0";

test("P.191 a session is recognised by browser and system, and nothing else of the header is kept", () => {
  expect([FIREFOX, EDGE, "curl/8.1", "", null, "x".repeat(9_999)].map(agentWords)).toEqual([
    ...["Firefox, Linux", "Edge, Windows", "curl", null, null, null],
  ]);
});

onEachDatabase("the own account", (database) => {
  const world = setUpWorld({ pages: true, database });
  let browser: Visitor;
  const accountId = () => world.owner.account?.id ?? 0;
  const profile = () => world.store.profiles.profile(accountId());

  async function signedIn(agent = FIREFOX): Promise<Visitor> {
    const visitor = world.visitor();
    const { send } = visitor;
    const form = await visitor.get("/account/login");
    await send("/account/login", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": agent },
      body: new URLSearchParams({ csrf: csrfIn(form.text), token: await world.token(world.owner) }).toString(),
    });
    return visitor;
  }
  /** Asks the interface as the page of a browser does. */
  async function api(visitor: Visitor, method: string, path: string, body?: object) {
    const csrf = csrfIn((await visitor.get("/account")).text);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { "x-csrftoken": csrf, accept: "application/json" };
    const { status, text } = await visitor.send(`/api/me${path}`, { method, ...sent, headers });
    return { status, json: text === "" ? null : JSON.parse(text) };
  }
  const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get("/")).text.includes("Sign out");

  beforeAll(async () => {
    browser = await signedIn();
  });

  describe("what is set", () => {
    test("P.190 name, language and ORCID iD are shown, saved and kept; pages follow the language", async () => {
      const page = await browser.get("/account");
      expect(page.text).toContain('value="owner"');
      const csrf = csrfIn(page.text);
      const sent = { csrf, name: " Ada Lovelace ", language: "ja", orcid: "https://orcid.org/0000-0002-1825-0097" };
      const answer = await browser.post("/account", sent);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/account?done=saved"]);
      expect(await profile()).toMatchObject({ orcid: "0000-0002-1825-0097", orcidSource: "typed" });
      const again = await browser.get("/account?done=saved");
      expect(again.text).toContain('<html lang="ja">');
      expect(again.text).toContain('value="Ada Lovelace"');
      expect(again.text).toContain("未認証");
      expect((await browser.get("/no/such", { accept: "text/html" })).text).toContain('<html lang="ja">');
      expect((await browser.get("/account?lang=en")).text).toContain("Not authenticated: it was typed on");
      const me = await api(browser, "GET", "");
      expect(me.json).toMatchObject({
        name: "Ada Lovelace",
        preferences: { locale: "ja" },
        identities: { orcid: "0000-0002-1825-0097", orcid_authenticated: false },
      });
      await browser.post("/account", { csrf, name: "owner", language: "", orcid: "" });
      expect(await profile()).toMatchObject({ orcid: null, orcidSource: null, orcidAt: null });
      expect((await browser.get("/account")).text).toContain('<html lang="en">');
    });

    test("P.190 a wrong value is refused at its field, what was typed stays, nothing is saved", async () => {
      const csrf = csrfIn((await browser.get("/account")).text);
      const wrong = await browser.post("/account", { csrf, name: "Ada", language: "en", orcid: "0000-0002-1825-0096" });
      expect(wrong.status).toBe(400);
      expect(wrong.text).toContain('href="#orcid"');
      expect(wrong.text).toContain('value="0000-0002-1825-0096"');
      expect((await world.store.accounts.account(accountId()))?.name).toBe("owner");
      for (const [field, value] of [
        ["name", ""],
        ["name", "x".repeat(201)],
        ["name", "a\nb"],
        ["language", "xx"],
        ["orcid", "0".repeat(101)],
      ] as const) {
        const answer = await browser.post("/account", { csrf, name: "A", [field]: value });
        expect([field, answer.status, answer.text.includes(`href="#${field}"`)]).toEqual([field, 400, true]);
      }
      expect((await browser.post("/account", { csrf: "no", name: "A" })).status).toBe(403);
      expect((await api(browser, "PUT", "", { name: "" })).status).toBe(400);
      expect((await api(browser, "PUT", "", { colour: 1 })).status).toBe(400);
    });

    test("P.190 over HTTP: a token must allow everything; one ORCID iD is typed by two, and proved by one", async () => {
      const put = async (scopes?: readonly string[]) => {
        const authorization = `Bearer ${await world.token(world.owner, ...(scopes === undefined ? [] : [scopes]))}`;
        const body = JSON.stringify({ orcid: "0000-0001-5109-3700", language: "en" });
        return await world.visitor().send("/api/me", { method: "PUT", headers: { authorization }, body });
      };
      expect((await put(["item:read"])).status).toBe(403);
      const narrow = `Bearer ${await world.token(world.owner, ["item:read"])}`;
      for (const [method, path] of [
        ["GET", "sessions"],
        ["DELETE", "sessions/x"],
        ["POST", "sessions/actions/end"],
        ["GET", "export"],
        ["POST", "actions/close"],
      ] as const) {
        const refused = await world.visitor().send(`/api/me/${path}`, { method, headers: { authorization: narrow } });
        expect([path, refused.status]).toEqual([path, 403]);
      }
      const answer = await put();
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        200,
        { language: "en", orcid: "0000-0001-5109-3700", orcid_source: "typed" },
      ]);
      const other = await world.person("other", [ROLES.registered]);
      const own = (viewer: typeof other) => ({ accountId: viewer.account?.id ?? 0, orcid: "0000-0001-5109-3700" });
      const proved = { orcidSource: "provider", orcidAt: world.time.now, closedAt: null } as const;
      const save = (viewer: typeof other) =>
        world.store.transact((tx) => tx.profiles.saveProfile({ ...own(viewer), ...proved }));
      expect([await save(other), await save(world.owner), await save(other)]).toEqual([true, false, true]);
      expect(await world.store.profiles.accountOfOrcid("0000-0001-5109-3700")).toBe(other.account?.id ?? 0);
    });
  });

  describe("sessions", () => {
    test("P.191 each is listed with its beginning, last use, way and browser", async () => {
      world.time.now = addMilliseconds(world.time.now, 1_000);
      const edge = await signedIn(EDGE);
      const page = (await edge.get("/account")).text;
      for (const words of ["Edge, Windows", "Firefox, Linux", "Access token", "this session"])
        expect(page).toContain(words);
      world.time.now = addMilliseconds(world.time.now, 11 * 60_000);
      const { json } = await api(edge, "GET", "/sessions");
      const [newest] = json.hits;
      expect(newest).toMatchObject({
        way: "token",
        agent: "Edge, Windows",
        current: true,
        last_used_at: world.time.now,
      });
      expect(json.hits.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
      await api(edge, "DELETE", `/sessions/${newest.id}`);
      expect(await isIn(edge)).toBe(false);
    });

    test("P.191 one is ended: its browser and its open forms are out at once, the others stay", async () => {
      const [one, other] = [await signedIn(EDGE), await signedIn()];
      const open = csrfIn((await one.get("/account/tokens")).text);
      const { json } = await api(one, "GET", "/sessions");
      const own = json.hits.find(({ current }: { current: boolean }) => current);
      const csrf = csrfIn((await other.get("/account")).text);
      const ended = await other.post("/account/sessions/end", { csrf, session: own.id });
      expect([ended.status, ended.headers.get("location")]).toEqual([303, "/account?done=ended"]);
      expect([await isIn(one), await isIn(other)]).toEqual([false, true]);
      expect((await one.post("/account/tokens", { csrf: open, name: "x", "scope:item:read": "1" })).status).toBe(401);
      // It is gone, and so is one of somebody else.
      expect((await other.post("/account/sessions/end", { csrf, session: own.id })).status).toBe(404);
      const stranger = world.visitor();
      await stranger.signIn(await world.token(world.admin));
      const theirs = csrfIn((await stranger.get("/account")).text);
      const { json: mine } = await api(other, "GET", "/sessions");
      const tried = await stranger.post("/account/sessions/end", { csrf: theirs, session: mine.hits[0].id });
      expect([tried.status, await isIn(other)]).toEqual([404, true]);
    });

    test("P.191 signing out everywhere keeps this session, or ends it too", async () => {
      const [one, other] = [await signedIn(), await signedIn(EDGE)];
      const csrf = csrfIn((await one.get("/account")).text);
      await one.post("/account/sessions/end-all", { csrf, current: "no" });
      expect([await isIn(one), await isIn(other), await isIn(browser)]).toEqual([true, false, false]);
      const more = await signedIn();
      expect((await api(more, "POST", "/sessions/actions/end", { which: "others" })).status).toBe(204);
      expect([await isIn(one), await isIn(more)]).toEqual([false, true]);
      const all = await more.post("/account/sessions/end-all", {
        csrf: csrfIn((await more.get("/account")).text),
        current: "yes",
      });
      expect([all.status, await isIn(more), more.cookies.size]).toEqual([303, false, 0]);
      const last = await signedIn();
      expect((await api(last, "POST", "/sessions/actions/end", { which: "all" })).status).toBe(204);
      expect(await isIn(last)).toBe(false);
    });
  });

  describe("export and closing", () => {
    const read = async (visitor: Visitor, path = "/account/export") => {
      const { status, headers, text } = await visitor.get(path);
      return { status, headers, json: JSON.parse(text) };
    };
    const enter = async (viewer: Viewer): Promise<Visitor> => {
      const visitor = world.visitor();
      await visitor.signIn(await world.token(viewer));
      return visitor;
    };

    test("P.192 everything stored about the account is in one document, without secrets and without anybody else's", async () => {
      const [one, other] = [await world.person("exported", [3]), await world.person("another", [3])];
      const [own] = [await world.publish({}, one), await world.publish({}, other)];
      const events = Array.from({ length: 450 }, (_, at) => ({ action: `test-${at}`, subject: "x:1", detail: { at } }));
      await world.store.transact((tx) => tx.audit(one, world.time.now, events));
      const visitor = await enter(one);
      await visitor.post("/account", {
        csrf: csrfIn((await visitor.get("/account")).text),
        name: "Ex Ported",
        language: "en",
      });
      const { headers, json } = await read(visitor);
      expect(headers.get("content-disposition")).toBe('attachment; filename="account.json"');
      expect(headers.get("cache-control")).toBe("no-store");
      const id = one.account?.id ?? 0;
      expect(json).toMatchObject({ format: "arkstone-account-1", account: [{ id, name: "Ex Ported", roles: [3] }] });
      expect(json.deposits.map((row: { id: number }) => row.id)).toEqual([own.id]);
      expect(json.revisions).toMatchObject([{ item_id: own.id, content: { access: { record: "public" } } }]);
      const actions = json.audit.map((row: { action: string }) => row.action);
      expect(actions.filter((action: string) => action.startsWith("test-"))).toEqual(
        events.map(({ action }) => action),
      );
      expect(actions.at(-1)).toBe("account-export");
      expect(json.tokens).toHaveLength(1);
      expect(json.token_secrets).toHaveLength(1);
      const text = JSON.stringify(json);
      expect(json.records.map((row: { id: number }) => row.id)).toEqual([own.parentId]);
      for (const secret of ['"hash"', '"csrf"', '"stop_key"', "another"]) expect(text).not.toContain(secret);
      expect((await api(visitor, "GET", "/export")).json.format).toBe("arkstone-account-1");
      const narrow = `Bearer ${await world.token(one, ["item:read"])}`;
      expect((await world.visitor().get("/api/me/export", { authorization: narrow })).status).toBe(403);
      expect((await world.visitor().get("/account/export")).headers.get("location")).toContain("/account/login");
    });

    test("P.193 an account is closed: what it published stays, everything that lets it in ends, and no one gets its number", async () => {
      const one = await world.person("closing", [3]);
      const id = one.account?.id ?? 0;
      const mail = one.account?.mail ?? "";
      const item = await world.publish({}, one);
      const token = await world.token(one);
      const [here, there] = [await enter(one), await enter(one)];
      const page = await here.get("/account/close");
      expect(page.text).toContain("What stays");
      expect(page.text).toContain(`Type ${mail} to confirm`);
      const csrf = csrfIn(page.text);
      const wrong = await here.post("/account/close", { csrf, confirm: "x" });
      expect([wrong.status, wrong.text.includes('href="#confirm"'), await isIn(there)]).toEqual([400, true, true]);
      const done = await here.post("/account/close", { csrf, confirm: ` ${mail.toUpperCase()} ` });
      expect([done.status, done.headers.get("location")]).toEqual([303, "/account/closed"]);
      expect((await here.get("/account/closed")).text).toContain("Your account is closed");
      expect([await isIn(here), await isIn(there)]).toEqual([false, false]);
      expect((await world.visitor().get(`/records/${item.id}`)).status).toBe(200);
      expect((await world.visitor().get("/api/me", { authorization: `Bearer ${token}` })).status).toBe(401);
      expect((await world.visitor().signIn(token)).status).toBe(403);
      expect(await world.store.accounts.account(id)).toMatchObject({
        name: "Closed account",
        eppn: null,
        active: false,
        roles: [],
      });
      expect(await world.store.accounts.accountByMail(mail)).toBeNull();
      expect(await world.store.personalData.holdings(id)).toEqual({
        ...{ items: 1, sessions: 0, tokens: 0, grants: 0, groups: 0, communities: 0, shares: 0 },
      });
      const { account: next } = await world.person("closing", [3]);
      expect([next?.mail, next?.id === id]).toEqual([mail, false]);
      // No administrator opens it again.
      const admin = `Bearer ${await world.token(world.admin)}`;
      const body = JSON.stringify({ active: true });
      const again = await world
        .visitor()
        .send(`/api/v1/admin/users/${id}`, { method: "PUT", headers: { authorization: admin }, body });
      expect([again.status, (await world.store.accounts.account(id))?.active]).toEqual([409, false]);
    });

    test("P.193 a draft that is being given to the account while it closes comes first, too", async () => {
      const [one, other] = [await world.person("receiving", [3]), await world.person("giving", [3])];
      const { item } = await world.items.createDraft(other, { content: aContent() });
      const visitor = await enter(one);
      const id = one.account?.id ?? 0;
      const [isHeld, isClosing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // As the transaction in which the account accepts a record.
      const accepting = world.store.transact(async (tx) => {
        await tx.accounts.hold(id, null);
        await tx.items.setOwner(item.parentId, id);
        isHeld.resolve();
        await isClosing.promise;
      });
      await isHeld.promise;
      const closing = api(visitor, "POST", "/actions/close", { confirm: one.account?.mail ?? "" });
      await Bun.sleep(200);
      isClosing.resolve();
      await accepting;
      expect((await closing).status).toBe(409);
      expect((await world.store.accounts.account(id))?.active).toBe(true);
    });

    test("P.193 drafts, a community without another owner, and the last administrator come first, each with a way", async () => {
      const one = await world.person("holding", [3]);
      const confirm = one.account?.mail ?? "";
      const visitor = await enter(one);
      const csrf = csrfIn((await visitor.get("/account/tokens")).text);
      const headers = { "x-csrftoken": csrf, accept: "application/json" };
      const record = await visitor.send("/api/records", { method: "POST", headers, body: "{}" });
      const { id: draftId } = JSON.parse(record.text);
      const slug = `held-community`;
      const community = { slug, metadata: { title: "Held" }, access: {} };
      await visitor.send("/api/communities", { method: "POST", headers, body: JSON.stringify(community) });
      const page = await visitor.get("/account/close");
      expect(page.text).toContain(`href="/deposit/${draftId}"`);
      expect(page.text).toContain(slug);
      expect(page.text).not.toContain("for good");
      const refused = await visitor.post("/account/close", { csrf, confirm });
      expect([refused.status, await isIn(visitor)]).toEqual([409, true]);
      expect((await api(visitor, "POST", "/actions/close", { confirm })).status).toBe(409);
      await visitor.send(`/api/records/${draftId}/draft`, { method: "DELETE", headers });
      expect((await visitor.post("/account/close", { csrf, confirm })).status).toBe(409);
      const found = await world.store.communities.community(slug);
      await world.store.transact((tx) =>
        tx.communities.setMember(found?.id ?? "", world.owner.account?.id ?? 0, "owner", world.time.now),
      );
      expect((await api(visitor, "POST", "/actions/close", { confirm: "no" })).status).toBe(400);
      expect((await api(visitor, "POST", "/actions/close", { confirm })).status).toBe(204);
      expect((await world.store.communities.members(found?.id ?? "")).map(({ accountId }) => accountId)).toEqual([
        world.owner.account?.id ?? 0,
      ]);
      const last = await enter(world.admin);
      const own = csrfIn((await last.get("/account/tokens")).text);
      const stays = await last.post("/account/close", { csrf: own, confirm: world.admin.account?.mail ?? "" });
      expect([stays.status, stays.text.includes("last system administrator")]).toEqual([409, true]);
    });
  });
});
