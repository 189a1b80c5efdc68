// Who may use the deposit interfaces (specification 2, "Authentication" 1 to 8; R2e, R6b, R15): scopes of each
// operation, roles, On-Behalf-Of.
import { describe, expect, test } from "bun:test";
import type { LogFields } from "../../src/shared/log.ts";
import { cratePackage, swordPackage, tablePackage } from "../support/deposit-requests.ts";
import { csrfIn, visitor } from "../support/world/pages.ts";
import { type Answer, INDEXES, type PersonName, recidOf, SERVICE } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const logged: (readonly [string, LogFields | undefined])[] = [];
const note = (event: string, fields?: LogFields): void => void logged.push([event, fields]);
const world = setUpWorld({ repository: { log: { debug: note, info: note, warn: note, error: note } } });

const FORBIDDEN = "Not allowed operation in your role or token scope.";
const into = (index: number) => cratePackage({ "svc:index": [String(index)] });
const deposited = async (who: PersonName, index: number = INDEXES.open): Promise<number> =>
  recidOf(await world.deposit(who, into(index)));

describe("R6e a depositor's own token", () => {
  const DEPOSIT = ["deposit:write", "deposit:actions", "item:create", "item:update", "item:delete", "user:activity"];

  /** Made by its owner in a browser, at /account/tokens. */
  async function ownToken(who: PersonName, scopes: readonly string[]): Promise<{ readonly token: string }> {
    const browser = visitor(world.handler);
    await browser.signIn(world.people[who].token);
    const csrf = csrfIn((await browser.get("/account/tokens")).text);
    const ticked = Object.fromEntries(scopes.map((scope) => [`scope:${scope}`, "on"]));
    const made = await browser.post("/account/tokens", { csrf, name: "My deposits", ...ticked });
    const [token] = /svc_[A-Za-z0-9_-]+/.exec(made.text) ?? [];
    if (token === undefined) throw new Error(`No token: ${made.status}`);
    return { token };
  }

  test("R6e with all deposit scopes it deposits, replaces and deletes linked data in both forms; with one scope fewer, nothing", async () => {
    const token = await ownToken("registered", DEPOSIT);
    for (const [pkg, again] of [
      [cratePackage({ name: "By my own token" }), cratePackage({ name: "By my own token, again" })],
      [swordPackage(), swordPackage()],
    ] as const) {
      const made = await world.deposit(token, pkg);
      expect([made.status, made.json.error]).toEqual([201, undefined]);
      const id = recidOf(made);
      expect((await world.item(id)).content?.indexes).toEqual([INDEXES.open]);
      expect((await world.replace(token, id, again)).status).toBe(200);
      expect((await world.item(id)).revision).toBe(2);
      expect((await world.remove(token, id)).status).toBe(204);
    }
    const narrow = await ownToken(
      "registered",
      DEPOSIT.filter((scope) => scope !== "item:create"),
    );
    expect((await world.deposit(narrow, cratePackage())).status).toBe(403);
    expect((await world.deposit(await ownToken("general", DEPOSIT), cratePackage())).status).toBe(403);
  });

  test("R6e R17 the settings of the format hold for it: a workflow, a switched-off format; an attached record narrows it", async () => {
    const token = await world.token("registered", DEPOSIT, null);
    const workflow = await world.workflow();
    await world.format("JSON", { registrationType: 2, workflow });
    expect((await world.deposit(token, cratePackage())).status).toBe(202);
    await world.format("JSON", { registrationType: 1, workflow: null, active: false });
    expect((await world.deposit(token, cratePackage())).status).toBe(415);
    await world.format("JSON", { active: true });
    expect((await world.deposit(token, cratePackage())).status).toBe(201);
    await world.client(token, { registrationType: 2, workflow });
    expect((await world.deposit(token, cratePackage())).status).toBe(202);
    await world.client(token, { active: false });
    expect((await world.deposit(token, cratePackage())).json.error).toContain("No SWORD API setting found");
  });

  test("R6e SVC_DEFAULT_INDEX comes before the index of the shipped record", async () => {
    const token = await world.token("admin", DEPOSIT, null);
    const own = world.under({ SVC_DEFAULT_INDEX: String(INDEXES.closed) });
    const id = recidOf(await own.deposit(token, cratePackage()));
    expect((await world.item(id)).content?.indexes).toEqual([INDEXES.closed]);
  });
});

describe("S2.16 scopes", () => {
  const OPERATIONS = [
    ["POST", ["deposit:write", "deposit:actions", "item:create"]],
    ["PUT", ["deposit:write", "deposit:actions", "item:update"]],
    ["DELETE", ["deposit:write", "deposit:actions", "item:delete"]],
  ] as const;

  type Method = "POST" | "PUT" | "DELETE";
  async function operate(token: { readonly token: string }, method: Method, id: number, pkg = cratePackage()) {
    if (method === "POST") return await world.deposit(token, pkg);
    if (method === "PUT") return await world.replace(token, id, pkg);
    return await world.remove(token, id);
  }

  test.each(OPERATIONS)("R2e %s needs all of %p and no other scope", async (method, scopes) => {
    const id = await deposited("registered");
    for (const missing of scopes) {
      const token = await world.token(
        "registered",
        scopes.filter((scope) => scope !== missing),
      );
      const refused = await operate(token, method, id);
      const expected = { missing, status: 403, "@type": "Forbidden", error: FORBIDDEN };
      expect({ missing, status: refused.status, ...refused.json }).toMatchObject(expected);
    }
    const enough = await operate(await world.token("registered", scopes), method, id);
    expect(enough.status).toBe({ POST: 201, PUT: 200, DELETE: 204 }[method]);
  });

  test("R2e GET needs a token and no scope", async () => {
    const id = await deposited("registered");
    const token = await world.token("registered", ["author:search"]);
    expect((await world.status(token, id)).status).toBe(200);
    expect((await world.ask(token, "GET", SERVICE)).status).toBe(200);
  });

  test.each(["system", "admin", "manager", "registered", "general"] as const)(
    "R2e the service document and the status document of what one may read are for %s too, with any token of theirs",
    async (who) => {
      const id = await deposited("other");
      const hidden = recidOf(await world.deposit("other", cratePackage({ "svc:publishStatus": "private" })));
      const token = await world.token(who, ["author:search"], null);
      const service = await world.ask(token, "GET", SERVICE);
      expect([service.status, service.json["@type"]]).toEqual([200, "ServiceDocument"]);
      const status = await world.status(token, id);
      expect([status.status, status.json["@type"]]).toEqual([200, "Status"]);
      const isAdministrator = who === "system" || who === "admin";
      expect((await world.status(token, hidden)).status).toBe(isAdministrator ? 200 : 403);
    },
  );

  test("R2e message 1 guests have neither: 401", async () => {
    const id = await deposited("other");
    for (const answer of [await world.ask(null, "GET", SERVICE), await world.status(null, id)]) {
      expect([answer.status, answer.json.error]).toEqual([401, "OAuth token is missing in the request."]);
    }
  });

  test.each(OPERATIONS)(
    "R16 %s through a workflow needs user:activity too, before the body",
    async (method, scopes) => {
      const workflow = await world.workflow({
        actions: ["start", "item_registration", "end"],
        delete: { actions: ["start", "end"] },
      });
      const id = await deposited("registered");
      const record = { registrationType: 2, workflow } as const;
      const refused = await operate(await world.token("registered", scopes, record), method, id);
      expect([refused.status, refused.json.error]).toEqual([403, FORBIDDEN]);
      const unreadable = { ...cratePackage(), bytes: new TextEncoder().encode("not a ZIP") };
      const unread = await operate(await world.token("registered", scopes, record), method, id, unreadable);
      expect([unread.status, unread.json.error]).toEqual([403, FORBIDDEN]);
      const enough = await operate(await world.token("registered", [...scopes, "user:activity"], record), method, id);
      expect(enough.status).toBe({ POST: 201, PUT: 200, DELETE: 204 }[method]);
    },
  );

  test("R16 R17 a table whose format goes through a workflow needs user:activity, although the client has no record", async () => {
    const workflow = await world.workflow({ actions: ["start", "item_registration", "end"] });
    await world.format("TSV/CSV", { registrationType: 2, workflow });
    const scopes = ["deposit:write", "deposit:actions", "item:create"];
    const refused = await world.deposit(await world.token("registered", scopes, null), tablePackage());
    const enough = await world.deposit(
      await world.token("registered", [...scopes, "user:activity"], null),
      tablePackage(),
    );
    await world.format("TSV/CSV", { registrationType: 1, workflow: null });
    expect([refused.status, refused.json.error, enough.status]).toEqual([403, FORBIDDEN, 201]);
  });
});

describe("S2.16 roles", () => {
  type Rights = Readonly<Partial<Record<PersonName, readonly number[]>>>;
  // Into the index everybody contributes to, one for administrators only, and one of the community.
  const POST: Rights = {
    system: [201, 201, 201],
    admin: [201, 201, 201],
    manager: [201, 400, 201],
    stranger: [201, 400, 400],
    registered: [201, 400, 400],
    curator: [201, 400, 400],
    general: [403, 403, 403],
  };
  test.each(Object.entries(POST))("R2e POST by %s into open, closed, community's index: %p", async (who, expected) => {
    const found: number[] = [];
    for (const index of [INDEXES.open, INDEXES.closed, INDEXES.below]) {
      // Object.entries forgets the type of keys.
      const answer = await world.deposit(who as PersonName, into(index));
      found.push(answer.status);
      if (answer.status === 400) {
        expect(answer.json.error).toBe(`Item check error: you may not put items into index ${index}`);
      }
      if (answer.status === 403) expect([answer.json["@type"], answer.json.error]).toEqual(["Forbidden", FORBIDDEN]);
    }
    expect(found).toEqual([...expected]);
  });

  // Of somebody else, of the community, their own, shared with them.
  const PUT: Rights = {
    system: [200, 200, 200, 200],
    admin: [200, 200, 200, 200],
    manager: [403, 200, 200, 200],
    stranger: [403, 403, 200, 200],
    registered: [403, 403, 200, 200],
    curator: [403, 403, 200, 200],
  };
  const DELETE: Rights = {
    system: [204, 204, 204, 204],
    admin: [204, 204, 204, 204],
    manager: [403, 204, 204, 403],
    stranger: [403, 403, 204, 403],
    registered: [403, 403, 204, 403],
    curator: [403, 403, 204, 403],
  };

  async function theFour(who: PersonName): Promise<readonly number[]> {
    const others = await deposited("other");
    const community = await deposited("system", INDEXES.below);
    const own = await deposited(who);
    const shared = await deposited("other");
    await world.items.share(shared, [world.people[who].account.id]);
    return [others, community, own, shared];
  }

  test.each(Object.entries(PUT))(
    "R2e PUT by %s of others', community, own and shared items: %p",
    async (name, expected) => {
      const who = name as PersonName; // Object.entries forgets the type of keys.
      const found: number[] = [];
      for (const id of await theFour(who)) found.push((await world.replace(who, id, cratePackage())).status);
      expect(found).toEqual([...expected]);
    },
  );

  test.each(Object.entries(DELETE))(
    "R2e R15 DELETE by %s of others', community, own, shared items: %p",
    async (name, expected) => {
      const who = name as PersonName; // Object.entries forgets the type of keys.
      const found: number[] = [];
      for (const id of await theFour(who)) found.push((await world.remove(who, id)).status);
      expect(found).toEqual([...expected]);
    },
  );

  test("R2e general users change and delete nothing, guests are 401, and both may not even see what is not theirs", async () => {
    const id = await deposited("registered");
    expect((await world.replace("general", id, cratePackage())).status).toBe(403);
    expect((await world.remove("general", id)).status).toBe(403);
    expect((await world.status("general", id)).status).toBe(200);
    expect((await world.replace(null, id, cratePackage())).status).toBe(401);
    expect((await world.remove(null, id)).status).toBe(401);
  });

  test("R2e who replaces an item that an administrator filed elsewhere need not be admitted there; a new index must admit them", async () => {
    const id = await deposited("registered");
    await world.items.file(await world.viewer("admin"), id, INDEXES.closed);
    expect((await world.replace("registered", id, cratePackage())).status).toBe(200);
    expect((await world.item(id)).content?.indexes).toEqual([INDEXES.open, INDEXES.closed]);
    const kept = cratePackage({ "svc:index": [String(INDEXES.closed)] });
    expect((await world.replace("registered", id, kept)).status).toBe(200);
    expect((await world.replace("registered", id, into(INDEXES.below))).json.error).toBe(
      `Item check error: you may not put items into index ${INDEXES.below}`,
    );
  });

  test("R6b disabling an account ends its live token at once", async () => {
    const { account } = world.people.curator;
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active: false }));
    const answer = await world.ask("curator", "GET", SERVICE);
    await world.store.transact((tx) => tx.accounts.saveAccount(account));
    expect([answer.status, answer.json["@type"]]).toEqual([403, "AuthenticationFailed"]);
  });
});

describe("On-Behalf-Of", () => {
  test.each([
    ["the e-mail address", () => "OTHER@example.org"],
    ["a personal access token", () => world.people.other.token],
    ["the ePPN", () => "other@idp.example.org"],
  ])("R15 found by %s: the depositor owns the item, the other reads and replaces it, not more", async (_, value) => {
    logged.length = 0;
    const answer = await world.deposit("registered", cratePackage({ "svc:publishStatus": "private" }), {
      headers: { "on-behalf-of": value() },
    });
    expect(answer.status).toBe(201);
    const id = recidOf(answer);
    const { registered, other } = world.people;
    const item = await world.item(id);
    const parent = await world.store.items.parent(item.parentId);
    expect([parent?.owner, parent?.shared]).toEqual([registered.account.id, [other.account.id]]);
    const ids = { depositedBy: String(registered.account.id), depositedOnBehalfOf: String(other.account.id) };
    expect((answer.json.links as readonly object[])[0]).toMatchObject(ids);
    expect(((await world.status("admin", id)).json.links as readonly object[])[0]).toMatchObject(ids);
    expect((await world.status("other", id)).status).toBe(200);
    expect((await world.replace("other", id, cratePackage())).status).toBe(200);
    expect((await world.remove("other", id)).status).toBe(403);
    const response = JSON.stringify([logged, await world.store.events(`item:${id}`, 100)]);
    expect(logged.length).toBeGreaterThan(0);
    expect(response.toLowerCase()).not.toContain(value().toLowerCase());
    expect(answer.text.toLowerCase()).not.toContain(value().toLowerCase());
  });

  const OTHERS = { headers: { "on-behalf-of": "other@example.org" } };
  const firstLink = ({ json }: Answer) => (json.links as readonly Readonly<Record<string, unknown>>[])[0];
  const shared = async (id: number) => (await world.store.items.parent((await world.item(id)).parentId))?.shared;

  test("R13c R15 PUT shares the item and shows it as POST does, on behalf of the last caller", async () => {
    const { registered, other, curator } = world.people;
    const id = await deposited("registered");
    expect((await world.replace("other", id, cratePackage())).status).toBe(403);
    const answer = await world.replace("registered", id, cratePackage({ "svc:publishStatus": "private" }), OTHERS);
    const ids = { depositedBy: String(registered.account.id), depositedOnBehalfOf: String(other.account.id) };
    expect([answer.status, firstLink(answer)]).toEqual([200, expect.objectContaining(ids)]);
    expect(firstLink(await world.status("admin", id))).toMatchObject(ids);
    expect(await shared(id)).toEqual([other.account.id]);
    expect((await world.status("other", id)).status).toBe(200);
    expect((await world.replace("other", id, cratePackage())).status).toBe(200);
    expect((await world.remove("other", id)).status).toBe(403);
    const headers = { "on-behalf-of": "curator@example.org" };
    const again = await world.replace("registered", id, cratePackage(), { headers });
    expect(firstLink(again)).toMatchObject({ depositedOnBehalfOf: String(curator.account.id) });
    expect(await shared(id)).toEqual([other.account.id, curator.account.id]);
    const without = await world.replace("registered", id, cratePackage());
    expect(firstLink(without)).toMatchObject({ depositedOnBehalfOf: String(curator.account.id) });
    const own = await world.replace("registered", await deposited("registered"), cratePackage(), {
      headers: { "on-behalf-of": "registered@example.org" },
    });
    expect(await shared(recidOf(own))).toEqual([]);
  });

  test("R13c R15 a new version and a replacement through a workflow too; what waits is shared once it is approved", async () => {
    const { other } = world.people;
    const old = await deposited("registered");
    const upgraded = await world.replace("registered", old, cratePackage({ "svc:editMode": "Upgrade" }), OTHERS);
    expect(firstLink(upgraded)).toMatchObject({ depositedOnBehalfOf: String(other.account.id) });
    expect(await shared(recidOf(upgraded))).toEqual([other.account.id]);
    const workflow = await world.workflow();
    const who = await world.token("registered", undefined, { registrationType: 2, workflow });
    const id = await deposited("registered");
    const waits = await world.replace(who, id, cratePackage(), OTHERS);
    const onBehalf = { depositedOnBehalfOf: String(other.account.id) };
    expect([waits.status, firstLink(waits)]).toEqual([202, expect.objectContaining(onBehalf)]);
    expect(firstLink(await world.status("registered", id))).toMatchObject(onBehalf);
    expect([await shared(id), (await world.item(id)).depositedOnBehalfOf]).toEqual([[], null]);
    const open = await world.store.activities.openActivity(id);
    await world.activities.approve(await world.viewer("admin"), open?.id ?? "", { comment: "", index: null });
    const expected = [[other.account.id], other.account.id];
    expect([await shared(id), (await world.item(id)).depositedOnBehalfOf]).toEqual(expected);
    expect(firstLink(await world.status("other", id))).toMatchObject(onBehalf);
  });

  test("R13c R16 a thrown-out deposit that comes back on behalf of somebody is theirs to read", async () => {
    const workflow = await world.workflow();
    const who = await world.token("registered", undefined, { registrationType: 2, workflow });
    const id = recidOf(await world.deposit(who, cratePackage()));
    const open = (await world.store.activities.openActivity(id))?.id ?? "";
    const admin = await world.viewer("admin");
    await world.activities.throwOut(admin, open, "again");
    expect((await world.status("other", id)).status).toBe(404);
    expect((await world.replace(who, id, cratePackage(), OTHERS)).status).toBe(202);
    expect((await world.status("other", id)).status).toBe(200);
    await world.activities.approve(admin, open, { comment: "", index: null });
    expect(await shared(id)).toEqual([world.people.other.account.id]);
  });

  test("R2e R15 rights are those of the token's account, never of the account it deposits for", async () => {
    const headers = { "on-behalf-of": "admin@example.org" };
    const answer = await world.deposit("registered", into(INDEXES.closed), { headers });
    expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
    const general = await world.deposit("general", cratePackage(), { headers });
    expect(general.status).toBe(403);
    const id = await deposited("other");
    expect((await world.replace("registered", id, cratePackage(), { headers })).status).toBe(403);
    expect((await world.remove("registered", id, headers)).status).toBe(403);
  });

  test("message 19 R15 a token that was revoked, an account that is disabled: nobody", async () => {
    const { token, clientId } = await world.token("other");
    await world.revoke(clientId);
    const revoked = await world.deposit("registered", cratePackage(), { headers: { "on-behalf-of": token } });
    const { account } = world.people.curator;
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active: false }));
    const disabled = await world.deposit("registered", cratePackage(), {
      headers: { "on-behalf-of": "curator@example.org" },
    });
    await world.store.transact((tx) => tx.accounts.saveAccount(account));
    for (const { status, json } of [revoked, disabled]) {
      expect([status, json.error]).toEqual([400, "No user found by On-Behalf-Of."]);
    }
  });
});
