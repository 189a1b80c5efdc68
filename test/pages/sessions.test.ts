// What a session and the tokens made in it belong to (R6c): to what signed in. They end with it, and never outlive or
// outrank it, unless a person signed in by link or at a provider.
import { describe, expect, test } from "bun:test";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES, type Viewer } from "../../src/auth/account.ts";
import { accountTokens } from "../../src/repository/people/account-tokens.ts";
import { CHAIN_MAX } from "../../src/repository/people/current-viewer.ts";
import { signIn } from "../../src/repository/people/sign-in.ts";
import { sha256Hex } from "../../src/shared/hash/digests.ts";
import { onEachDatabase } from "../support/databases.ts";
import { tokensAlone } from "../support/verbs-alone.ts";
import { csrfIn, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const END = "2027-01-31T23:59:59.999Z";

describe("sessions", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ pages: true, database });

    const tokens = () => {
      const clock = { now: () => world.time.now };
      return tokensAlone(accountTokens({ clock, random: platformRandom() }), { store: world.store, clock });
    };
    const idOf = (viewer: Viewer): number => viewer.account?.id ?? 0;

    async function tokenOf(viewer: Viewer, expiresAt: string | null = null) {
      const tokenRequest = {
        accountId: idOf(viewer),
        kind: "personal",
        name: "test",
        scopes: REPOSITORY_SCOPES,
      } as const;
      const { client, text } = await tokens().make(REPOSITORY_OPERATOR, { ...tokenRequest, expiresAt });
      return { clientId: client.clientId, text };
    }

    /** A browser that signed in with this token. */
    async function browserOf(text: string): Promise<Visitor> {
      const browser = world.visitor();
      expect((await browser.signIn(text, "/index")).status).toBe(303);
      return browser;
    }

    const isSignedIn = async (browser: Visitor): Promise<boolean> => (await browser.get("/")).text.includes("Sign out");

    /** Makes a token on the page; the whole page comes back, and the token where one was made. */
    async function make(browser: Visitor, fields: Readonly<Record<string, string>> = {}) {
      const csrf = csrfIn((await browser.get("/account/tokens")).text);
      const page = await browser.post("/account/tokens", { csrf, name: "made", "scope:item:read": "on", ...fields });
      return { page, text: /svc_[0-9a-z]+_[A-Za-z0-9_-]{43}/.exec(page.text)?.[0] ?? "" };
    }

    const everything = Object.fromEntries(REPOSITORY_SCOPES.map((scope) => [`scope:${scope}`, "on"]));

    const clientOf = async (text: string) => {
      const [, id = ""] = text.split("_");
      const found = await world.store.accounts.secret(id);
      if (found === null) throw new Error("There is no such token");
      return found.client;
    };

    /** The status of a call with a token. */
    const used = async (text: string): Promise<number> =>
      (await world.visitor().get("/sword/service-document", { authorization: `Bearer ${text}` })).status;

    test("R6c a session ends with the token that signed in: revoked, ended, or its secret alone", async () => {
      const person = await world.person("person-1", [3]);
      const began = world.time.now;
      const [one, two, three, other] = await Promise.all([
        tokenOf(person),
        tokenOf(person, END),
        tokenOf(person),
        tokenOf(person),
      ]);
      const browsers = [];
      for (const { text } of [one, two, three, other]) browsers.push(await browserOf(text));
      expect(await Promise.all(browsers.map(isSignedIn))).toEqual([true, true, true, true]);
      await tokens().revoke(REPOSITORY_OPERATOR, one.clientId);
      await world.store.transact(async (tx) => {
        const ending = await tx.accounts.client(two.clientId);
        if (ending !== null) await tx.accounts.saveClient({ ...ending, expiresAt: began });
        for (const { id } of await tx.accounts.secretsOf(three.clientId)) await tx.accounts.revokeSecret(id, began);
      });
      expect(await Promise.all(browsers.map(isSignedIn))).toEqual([false, false, false, true]);
    });

    test("R6c a token made in a session that a token signed in ends with that token, at the latest", async () => {
      const person = await world.person("person-2", [3]);
      const origin = await tokenOf(person, END);
      const browser = await browserOf(origin.text);
      const unlimited = await make(browser);
      const sooner = await make(browser, { last_day: "2026-12-24" });
      const later = await make(browser, { last_day: "2027-02-01" });
      expect((await clientOf(unlimited.text)).expiresAt).toBe(END);
      expect((await clientOf(sooner.text)).expiresAt).toBe("2026-12-24T23:59:59.999Z");
      expect([later.page.status, later.text]).toEqual([400, ""]);
      expect(later.page.text).toContain(END);
      expect(await used(unlimited.text)).toBe(200);
      await tokens().revoke(REPOSITORY_OPERATOR, origin.clientId);
      expect([await used(unlimited.text), await used(sooner.text)]).toEqual([403, 403]);
      expect((await clientOf(unlimited.text)).active).toBe(false);
    });

    test("R6c it ends also when the token that signed in ends by its day, or its secret is revoked", async () => {
      const person = await world.person("person-3", [3]);
      const origin = await tokenOf(person);
      const made = await make(await browserOf(origin.text), everything);
      const again = await make(await browserOf(made.text), everything);
      expect([await used(made.text), await used(again.text)]).toEqual([200, 200]);
      await world.store.transact(async (tx) => {
        for (const { id } of await tx.accounts.secretsOf(origin.clientId)) {
          await tx.accounts.revokeSecret(id, world.time.now);
        }
      });
      expect([await used(made.text), await used(again.text)]).toEqual([403, 403]);
      expect(await world.visitor().signIn(again.text)).toMatchObject({ status: 403 });
    });

    test("R6c tokens do not beget tokens without end", async () => {
      const person = await world.person("person-4", [3]);
      let { text } = await tokenOf(person);
      let made = 0;
      for (; made < CHAIN_MAX + 5; made += 1) {
        const next = await make(await browserOf(text), everything);
        if (next.text === "") {
          expect([next.page.status, next.page.text.includes("sign in by a link")]).toEqual([400, true]);
          break;
        }
        text = next.text;
        expect(await used(text)).toBe(200);
      }
      expect(made).toBeLessThan(CHAIN_MAX);
      expect(made).toBeGreaterThan(2);
    });

    test("R6c R33 a person who signed in by link makes tokens that stand by themselves, and no token ends that session", async () => {
      const person = await world.person("person-5", [3]);
      const { text: mine, clientId } = await tokenOf(person);
      const clock = { now: () => world.time.now };
      const links = signIn({ store: world.store, clock, random: platformRandom(), oidc: null });
      const { token } = await links.makeLink(REPOSITORY_OPERATOR, idOf(person));
      const browser = world.visitor();
      const form = await browser.get(`/account/login/${token}`);
      await browser.post(`/account/login/${token}`, { csrf: csrfIn(form.text) });
      const made = await make(browser);
      const { madeWith, expiresAt } = await clientOf(made.text);
      expect([madeWith, expiresAt]).toEqual([null, null]);
      await tokens().revoke(REPOSITORY_OPERATOR, clientId);
      expect([await used(mine), await used(made.text), await isSignedIn(browser)]).toEqual([403, 200, true]);
    });

    test("R6c R2g a token that was revoked while the form was being sent makes no token and revokes none", async () => {
      const person = await world.person("person-6", [3]);
      const origin = await tokenOf(person);
      const browser = await browserOf(origin.text);
      const csrf = csrfIn((await browser.get("/account/tokens")).text);
      const other = await tokenOf(person);
      const before = await world.store.accounts.clientsOf(idOf(person));
      const slow = (path: string, fields: string) =>
        browser.send(path, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: new ReadableStream({
            async pull(controller) {
              await tokens().revoke(REPOSITORY_OPERATOR, origin.clientId);
              controller.enqueue(new TextEncoder().encode(`csrf=${csrf}&${fields}`));
              controller.close();
            },
          }),
          duplex: "half",
        } as RequestInit & { readonly headers: Record<string, string> }); // the types do not know `duplex`
      const made = await slow("/account/tokens", "name=late&scope:item:read=on");
      expect(made.status).toBe(401);
      const revoked = await slow("/account/tokens/revoke", `token_id=${other.clientId}`);
      expect(revoked.status).toBe(401);
      expect((await world.store.accounts.clientsOf(idOf(person))).length).toBe(before.length);
      expect(await used(other.text)).toBe(200);
    });

    test("R6c a session of a program without a record of what signed in counts as none", async () => {
      const person = await world.person("person-7", [3]);
      const browser = await browserOf((await tokenOf(person)).text);
      const hash = sha256Hex(browser.cookies.get("arkstone-session") ?? "");
      const session = await world.store.accounts.session(hash);
      if (session === null) throw new Error("There is no session");
      expect(session.way).toBe("token");
      await world.store.transact(async (tx) => {
        await tx.accounts.deleteSession(hash);
        await tx.accounts.insertSession({ ...session, way: null });
      });
      expect(await isSignedIn(browser)).toBe(false);
    });
  });
});
