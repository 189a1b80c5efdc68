// People register by a link that comes by mail (R33; SVC_REGISTRATION), the whole way: pages, the outbox, a real SMTP
// server.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Handler } from "../../plugins/http/frame.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { isInDomains, normalMail } from "../../src/auth/mail-address.ts";
import { readConfig, refuseForRole } from "../../src/config.ts";
import { registrationOf } from "../../src/main/repository/people-core.ts";
import { OUTGOING_JOB } from "../../src/model/notices/notice-rules.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { arkstone } from "../support/command-line.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { temporaryFolder } from "../support/processes.ts";
import { csrfIn, type Visitor, visitor } from "../support/world/pages.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const HOUR_MS = 3_600_000;
let strangers = 0;
/** A browser at an address that no other one has: limits are by address. */
function stranger(handler: Handler, lang = "en"): Visitor {
  strangers += 1;
  return visitor(handler, lang, `198.51.100.${strangers}`);
}

const json = (body: object) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe("mail addresses", () => {
  test.each([
    ["Ada@Example.ORG", "ada@example.org"],
    [" ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ ", "ada@example.org"],
    ["Jose\u0301@example.org", "jos\u00e9@example.org"],
    ["jos\u00e9@bücher.example", "jos\u00e9@xn--bcher-kva.example"],
    ["花子@例え.jp", "花子@xn--r8jz45g.jp"],
    ["a+b@x.example.org", "a+b@x.example.org"],
    // Cyrillic а among Latin letters.
    ["\u0430da@example.org", null],
    ["ad\u200Ba@example.org", null],
    ["a@b", null],
    ["a@127.0.0.1", null],
    ["a@[::1]", null],
    ["a b@example.org", null],
    ["a@example.org\r\nBcc: b@example.org", null],
    ["a,b@example.org", null],
    ['"a"@example.org', null],
    ["a@example.org>", null],
    [".a@example.org", null],
    ["@example.org", null],
    [`${"x".repeat(65)}@example.org`, null],
    ["\uD800@example.org", null],
  ])("P.194 %j has the normal form %j", (written, normal) => {
    expect(normalMail(written)).toBe(normal);
    if (normal !== null) expect(normalMail(normal)).toBe(normal);
  });

  test("P.194 a domain means itself, and what is below it only where that is stated", () => {
    const domains = ["example.org", "*.ac.example"];
    const all = [
      "a@example.org",
      "a@x.example.org",
      "a@u.ac.example",
      "a@ac.example",
      "a@notexample.org",
      "a@xac.example",
    ];
    expect(all.filter((mail) => isInDomains(mail, domains))).toEqual(["a@example.org", "a@u.ac.example"]);
  });
});

onEachDatabase("registration", (database) => {
  let server: MailServer = { url: "", received: [], next: [], refuseSender: null, close: async () => {} };
  const world = setUpWorld(async () => {
    server = await startMailServer();
    const mail = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: "repository@library.example.org" };
    const env = { ...mail, SVC_REGISTRATION: "univ.example,*.ac.example" };
    return { repository: { env }, jobs: true, database } as const;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.received.length = 0;
    server.next.length = 0;
    // The limits of the last test are over.
    world.time.now = addMilliseconds(world.time.now, HOUR_MS);
  });
  const sendAll = () => world.runJob(OUTGOING_JOB);
  const textOf = (source = ""): string => source.replace(/=\r\n/g, "").replace(/=3D/g, "=");
  const linkIn = (source: string | undefined): string =>
    /(\/account\/register\/[\w-]{43})/.exec(textOf(source))?.[1] ?? "";

  async function ask(mail: string, name = "Hanako", browser: Visitor = stranger(world.handler)) {
    const form = await browser.get("/account/register");
    return await browser.post("/account/register", { csrf: csrfIn(form.text), mail, name });
  }
  /** The link that was sent to an address. */
  async function linkFor(mail: string): Promise<string> {
    expect((await ask(mail)).status).toBe(303);
    await sendAll();
    return linkIn(server.received.at(-1)?.source);
  }
  async function confirm(link: string, name = "Hanako", browser: Visitor = stranger(world.handler)) {
    const page = await browser.get(link);
    return { page, answer: await browser.post(link, { csrf: csrfIn(page.text), name }), browser };
  }

  test("P.194 a form, a mail, a link: the account is there, signed in, in its language, and the link is used up", async () => {
    const browser = stranger(world.handler, "ja");
    expect((await browser.get("/account/login")).text).toContain('href="/account/register"');
    const asked = await ask(" Hanako@Univ.Example ", "山田 花子", browser);
    expect([asked.status, asked.headers.get("location")]).toEqual([303, "/account/register/sent"]);
    expect((await browser.get("/account/register/sent")).text).toContain("メールをご確認ください");
    await sendAll();
    const [message] = server.received;
    expect(message?.to).toEqual(["hanako@univ.example"]);
    // Nothing that the person wrote is in it.
    expect(message?.source).not.toMatch(/^Subject:.*花子/m);
    const link = linkIn(message?.source);
    expect(await world.store.accounts.accountByMail("hanako@univ.example")).toBeNull();
    // Opening it uses nothing up, and the database has no secret.
    expect((await stranger(world.handler).get(link)).text).toContain("hanako@univ.example");
    const secret = link.slice(link.lastIndexOf("/") + 1);
    const entries = await world.store.outgoing.listOutgoing({}, null, 50);
    expect(JSON.stringify(entries)).not.toContain(secret);
    const { page, answer } = await confirm(link, "", browser);
    expect([page.text.includes("山田 花子"), answer.status, answer.text.includes('href="#name"')]).toEqual([
      true,
      400,
      true,
    ]);
    const done = await confirm(link, "山田 花子", browser);
    expect([done.answer.status, done.answer.headers.get("location")]).toEqual([303, "/account"]);
    const account = await world.store.accounts.accountByMail("HANAKO@univ.example");
    expect(account).toMatchObject({ mail: "hanako@univ.example", name: "山田 花子", roles: [3], active: true });
    expect((await browser.get("/account")).text).toContain('<html lang="ja">');
    expect((await stranger(world.handler).get(link)).status).toBe(404);
    expect(
      (await browser.post(link, { csrf: csrfIn((await browser.get("/account/login")).text), name: "x" })).status,
    ).toBe(404);
  });

  test("P.195 only the mailbox of an address learns whether it has an account", async () => {
    const known = world.people.registered.account.mail ?? "";
    await world.store.transact(async (tx) => {
      const account = await tx.accounts.account(world.people.registered.account.id);
      if (account !== null) await tx.accounts.saveAccount({ ...account, mail: "known@univ.example" });
    });
    expect(known).not.toBe("");
    const [one, other] = [await ask("known@univ.example"), await ask("unknown@univ.example")];
    const seen = ({ status, text, headers }: typeof one) => [status, text, headers.get("location")];
    expect(seen(one)).toEqual(seen(other));
    await sendAll();
    const sourceTo = (mail: string) => server.received.find(({ to }) => to.includes(mail))?.source ?? "";
    expect([linkIn(sourceTo("known@univ.example")), linkIn(sourceTo("unknown@univ.example")).length > 40]).toEqual([
      "",
      true,
    ]);
    expect(sourceTo("known@univ.example")).toContain("You have an account already");
  });

  test("P.194 other domains, mixed scripts and hidden signs are refused at the field; what was typed stays", async () => {
    for (const mail of [
      "a@example.com",
      "a@x.univ.example",
      "a@ac.example",
      "\u0430da@univ.example",
      "a@univ.example\r\nBcc: x@univ.example",
      "",
      "a\u200B@univ.example",
    ]) {
      const answer = await ask(mail, "Typed");
      expect([mail, answer.status, answer.text.includes('href="#mail"')]).toEqual([mail, 400, true]);
      expect(answer.text).toContain('value="Typed"');
    }
    expect((await ask("a@u.ac.example", "")).text).toContain('href="#name"');
    await sendAll();
    expect(server.received).toEqual([]);
    const browser = stranger(world.handler);
    expect((await browser.post("/account/register", { csrf: "none", mail: "a@univ.example", name: "A" })).status).toBe(
      403,
    );
  });

  test("P.194 a link ends after a day, and one address is one account however it is written", async () => {
    const [first, second] = [await linkFor("Twice@univ.example"), await linkFor("ｔｗｉｃｅ@univ.example")];
    expect(first).not.toBe(second);
    const late = await linkFor("late@univ.example");
    const both = await Promise.all([confirm(first), confirm(second)]);
    expect(both.map(({ answer }) => answer.status).sort()).toEqual([303, 404]);
    world.time.now = addMilliseconds(world.time.now, 24 * HOUR_MS);
    expect((await stranger(world.handler).get(late)).status).toBe(404);
    expect(await world.store.accounts.accountByMail("late@univ.example")).toBeNull();
    const [account] = (await world.store.accounts.listAccounts(0, 500)).filter(
      ({ mail }) => mail === "twice@univ.example",
    );
    expect(account).toBeDefined();
    await expect(
      world.store.transact(async (tx) =>
        tx.accounts.saveAccount({
          ...(account ?? world.people.other.account),
          id: 0,
          eppn: null,
          mail: "TWICE@Univ.Example",
        }),
      ),
    ).resolves.toBeNull();
  });

  test("P.196 an address receives three links a day, a client sends five forms a minute", async () => {
    for (let at = 0; at < 4; at += 1) {
      expect((await ask("often@univ.example")).status).toBe(303);
      world.time.now = addMilliseconds(world.time.now, 60_000);
      await sendAll();
    }
    expect(server.received.filter(({ to }) => to.includes("often@univ.example"))).toHaveLength(3);
    const statuses: number[] = [];
    const browser = stranger(world.handler);
    for (let at = 0; at < 7; at += 1) statuses.push((await ask(`many${at}@univ.example`, "Many", browser)).status);
    expect([statuses.filter((status) => status === 303).length >= 5, statuses.at(-1)]).toEqual([true, 429]);
    await sendAll();
  });

  test("P.196 a link whose mail may have arrived is not sent again; one that was refused for now is, with another secret", async () => {
    server.next.push("break");
    await ask("broken@univ.example");
    await sendAll();
    await sendAll();
    expect(server.received).toHaveLength(1);
    const [entry] = await world.store.outgoing.listOutgoing({ state: "uncertain" }, null, 1);
    expect(entry?.subject).toMatch(/^registration:\d+$/);
    // The mail did arrive: its link works.
    expect((await confirm(linkIn(server.received[0]?.source))).answer.status).toBe(303);
    server.received.length = 0;
    server.next.push({ refuse: 451, text: "later" });
    await ask("later@univ.example");
    await sendAll();
    expect(server.received).toHaveLength(0);
    world.time.now = addMilliseconds(world.time.now, HOUR_MS);
    await sendAll();
    expect(server.received.map(({ to }) => to)).toEqual([["later@univ.example"]]);
  });

  test("P.197 an administrator invites an address of any domain; nobody else does, and nobody who has an account", async () => {
    const invite = (who: "system" | "registered", body: object) =>
      world.ask(who, "POST", "/api/v1/admin/invitations", json(body));
    expect((await invite("registered", { mail: "g@elsewhere.example" })).status).toBe(403);
    expect((await invite("system", { mail: "none" })).status).toBe(400);
    expect((await invite("system", { mail: world.people.other.account.mail })).status).toBe(409);
    const answer = await invite("system", { mail: "Grace@Elsewhere.example", name: "Grace", roles: [3, 4] });
    expect([answer.status, answer.json.mail]).toEqual([201, "grace@elsewhere.example"]);
    await sendAll();
    expect(server.received[0]?.source).toContain("You are invited to make an account");
    world.time.now = addMilliseconds(world.time.now, 13 * 24 * HOUR_MS);
    const { page, answer: done } = await confirm(linkIn(server.received[0]?.source), "Grace Hopper");
    expect([page.text.includes('value="Grace"'), done.status]).toEqual([true, 303]);
    const account = await world.store.accounts.accountByMail("grace@elsewhere.example");
    expect(account).toMatchObject({ name: "Grace Hopper", roles: [3, 4] });
  });

  test("P.197 R2g an invitation ends with the rights of the administrator who made it", async () => {
    const { account } = world.people.system;
    const body = { mail: "late@elsewhere.example", roles: [1] };
    const invited = await world.ask("system", "POST", "/api/v1/admin/invitations", json(body));
    expect(invited.status).toBe(201);
    await sendAll();
    const link = linkIn(server.received.at(-1)?.source);
    const stored = await world.store.accounts.account(account.id);
    if (stored === null) throw new Error("The account is stored");
    const save = (change: object) => world.store.transact((tx) => tx.accounts.saveAccount({ ...stored, ...change }));
    for (const change of [{ roles: [2, 3] }, { active: false }]) {
      await save(change);
      expect((await confirm(link, "Late")).answer.status).toBe(404);
      expect(await world.store.accounts.accountByMail("late@elsewhere.example")).toBeNull();
    }
    await save({});
    expect((await confirm(link, "Late")).answer.status).toBe(303);
  });

  test("P.194 whom a provider vouches for gets an account where the domain may register, once, and not when it was disabled", async () => {
    const clock = { now: () => world.time.now };
    const { config } = world.parts;
    const service = registrationOf({ store: world.store, config, clock, random: platformRandom() });
    const made = (mail: string) => world.store.transact((tx) => service.fromProvider(tx, mail));
    expect(await made("oidc@elsewhere.example")).toBeNull();
    expect(await made("oidc@univ.example")).toMatchObject({ mail: "oidc@univ.example", name: "oidc", roles: [3] });
    expect(await made("OIDC@univ.example")).toBeNull();
  });
});

describe("without registration by domain", () => {
  test("P.194 registration without a mail server stops the start, and names what is missing", () => {
    const start = (env: Readonly<Record<string, string>>) => () => refuseForRole(readConfig(env), "repository");
    const missing = "SVC_SMTP_URL is missing: SVC_REGISTRATION is set, and links to register are sent by mail";
    expect(start({ SVC_REGISTRATION: "univ.example" })).toThrow(missing);
    expect(start({ SVC_REGISTRATION: "invitation" })).toThrow(missing);
    expect(start({ SVC_REGISTRATION: "off" })).not.toThrow();
    expect(start({ SVC_REGISTRATION: "everybody" })).toThrow("SVC_REGISTRATION");
    expect(readConfig({ SVC_REGISTRATION: "*.Univ.Example, 例え.jp" }).registration).toEqual([
      "*.univ.example",
      "xn--r8jz45g.jp",
    ]);
  });

  test("P.194 off: there is no page and nobody is invited; by invitation: the page states that", async () => {
    const off = await openWorld({ repository: true });
    const guest = visitor(off.handler);
    for (const path of ["/account/register", "/account/register/sent", `/account/register/${"A".repeat(43)}`]) {
      expect([path, (await guest.get(path)).status]).toEqual([path, 404]);
    }
    expect((await guest.get("/account/login")).text).not.toContain("/account/register");
    expect((await guest.post("/account/register", { mail: "a@univ.example" })).status).toBe(404);
    const refused = await off.ask("system", "POST", "/api/v1/admin/invitations", json({ mail: "a@univ.example" }));
    expect(refused.status).toBe(409);
    const env = { SVC_SMTP_URL: "smtp://127.0.0.1:1", SVC_MAIL_FROM: "a@example.org", SVC_REGISTRATION: "invitation" };
    const invited = await openWorld({ repository: { env } });
    const page = await visitor(invited.handler).get("/account/register");
    expect([page.status, page.text.includes("Accounts are made by invitation")]).toEqual([200, true]);
    const form = await visitor(invited.handler).get("/account/login");
    expect(form.text).not.toContain('href="/account/register"');
  });
});

test("P.197 `arkstone user invite` puts an invitation into the outbox, where registration allows it", async () => {
  const folder = temporaryFolder("cli-invite");
  const mail = { SVC_SMTP_URL: "smtp://127.0.0.1:1", SVC_MAIL_FROM: "a@example.org" };
  const env = { SVC_DATA_DIR: folder.path, ...mail, SVC_REGISTRATION: "invitation" };
  try {
    expect((await arkstone(env, ["migrate"])).code).toBe(0);
    const invited = await arkstone(env, ["user", "invite", "Grace@Example.org", "--role", "registered", "--json"]);
    expect([invited.code, JSON.parse(invited.out).mail]).toEqual([0, "grace@example.org"]);
    expect((await arkstone(env, ["mail", "list"])).out).toContain("registration:1");
    expect((await arkstone(env, ["user", "invite", "none"])).err).toContain('"none" is not a mail address');
    const off = await arkstone({ ...env, SVC_REGISTRATION: "off" }, ["user", "invite", "a@example.org"]);
    expect([off.code === 0, off.err.includes("SVC_REGISTRATION is off")]).toEqual([false, true]);
  } finally {
    folder.remove();
  }
});
