// Requests for closed files (Q.70 to Q.76), on both databases, where a day begins before that of UTC: who decides and
// receives the request, what ends a right, how long guests are known, what is refused, and that nothing is public.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { OUTGOING_JOB } from "../../src/model/notices/notice-rules.ts";
import { EXPIRY_JOB } from "../../src/repository/requests/request-jobs.ts";
import type { AccessRequest } from "../../src/repository/store/access-requests.ts";
import { most } from "../../src/shared/limits.ts";
import { addMilliseconds, type Instant } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { closedFiles, linkIn, PURPOSE, tokenIn } from "../support/world/closed-files.ts";
import { csrfIn, visitor } from "../support/world/pages.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const DAY_MS = 86_400_000;

onEachDatabase((database) => {
  describe(`rights to closed files (${database.name})`, () => {
    let server: MailServer = { url: "", received: [], next: [], refuseSender: null, close: async () => {} };
    const world = setUpWorld(async () => {
      server = await startMailServer();
      const env = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: "repository@library.example.org" };
      const zone = { SVC_TIME_ZONE: "Asia/Tokyo" };
      return { repository: { env: { ...env, ...zone } }, recordFiles: true, jobs: true, database } as const;
    });
    afterAll(() => server.close());
    let [guests, addresses] = [0, 100];
    beforeEach(async () => {
      await world.runJob(OUTGOING_JOB);
      server.received.length = 0;
      // 19:00 in Tokyo.
      const later = addMilliseconds(world.time.now, 2 * DAY_MS);
      world.time.now = `${later.slice(0, 10)}T10:00:00.000Z`;
      guests += 1;
    });
    const { call, closedRecord, ask, act, download } = closedFiles(world);
    const stranger = () => visitor(world.handler, "en", `203.0.113.${guests}`);
    const idOf = (who: "other" | "manager" | "curator" | "general" | "registered"): number =>
      world.people[who].account.id;
    const mailOf = (who: "manager" | "curator" | "general" | "registered" | "other"): string =>
      world.people[who].account.mail ?? "";
    /** To whom mail was sent since the last call. */
    const receivers = async (): Promise<readonly string[]> => {
      server.received.length = 0;
      await world.runJob(OUTGOING_JOB);
      return server.received.flatMap(({ to }) => to).sort();
    };
    const grant = (id: number, type: "user" | "role", subject: number, permission: string) =>
      call("registered", "POST", `/api/records/${id}/access/grants`, {
        grants: [{ subject: { type, id: String(subject) }, permission }],
      });
    const include = async (id: number): Promise<void> => {
      const parent = (await world.store.items.item(id))?.parentId ?? 0;
      await world.store.transact((tx) => tx.items.setCommunities(parent, [COMMUNITY]));
    };
    /** Each from another address of the net: of one client few are taken. */
    async function asGuest(id: number, more: object): Promise<number> {
      addresses += 1;
      const body = JSON.stringify({ message: PURPOSE, ...more });
      const headers = { "content-type": "application/json" };
      const sent = { body, headers, address: `203.0.113.${addresses}` };
      return (await world.ask(null, "POST", `/api/records/${id}/access/request`, sent)).status;
    }
    /** A guest asks and confirms; the way of the link, and the id of the request. */
    async function confirmedGuest(id: number, mail = `guest${guests}@example.org`, more: object = {}) {
      await receivers();
      const sent = { email: mail, full_name: "Ada Guest", consent_to_share_personal_data: true, ...more };
      expect(await asGuest(id, sent)).toBe(200);
      await receivers();
      const link = linkIn(server.received[0]?.source);
      const browser = stranger();
      const page = await browser.get(link);
      expect((await browser.post(link, { csrf: csrfIn(page.text), do: "confirm" })).status).toBe(303);
      const parent = (await world.store.items.item(id))?.parentId ?? 0;
      const found = await world.store.accessRequests.accessRequestsOf(parent, 9);
      const request = found.find((each) => each.mail === mail && each.status === "submitted")?.id ?? "";
      return { link, browser, request, parent };
    }

    test("Q.70 the owner, those with a grant to manage, their groups and managers of its community receive the request and decide", async () => {
      const [alone, shared] = [await closedRecord(), await closedRecord()];
      await grant(shared, "user", idOf("other"), "view");
      const name = `Tides ${guests}`;
      await world.store.transact((tx) => tx.accounts.insertGroup(name, world.time.now));
      const group = (await world.store.accounts.groups()).find((each) => each.name === name)?.id ?? 0;
      await world.store.transact((tx) => tx.accounts.setGroupMembers(group, [idOf("general")]));
      expect((await grant(shared, "role", group, "manage")).status).toBe(201);
      await include(shared);
      await receivers();
      const first = (await ask("curator", alone)).json.id;
      expect(await receivers()).toEqual([mailOf("registered")]);
      const second = (await ask("approver", shared)).json.id;
      expect(await receivers()).toEqual([mailOf("general"), mailOf("manager"), mailOf("registered")].sort());
      for (const [who, seen] of [
        ["registered", [first, second]],
        ["manager", [second]],
        ["general", [second]],
        ["curator", []],
        ["other", []],
      ] as const) {
        const browser = visitor(world.handler);
        await browser.signIn(world.people[who].token);
        const { text } = await browser.get("/me?tab=tasks");
        expect([who, [first, second].filter((id) => text.includes(`/access-requests/${id}`))]).toEqual([
          who,
          [...seen],
        ]);
        const { text: listed } = await call(who, "GET", "/api/user/access-requests?shared_with_me=true");
        expect([who, [first, second].filter((id) => listed.includes(id))]).toEqual([who, [...seen]]);
        // The head of the page and the tab count the same.
        const [, heading = "0"] = /href="\/me">[^<(]*(?:\((\d+)\))?</.exec(text) ?? [];
        const [, tab = "0"] = /href="\/me\?tab=tasks"[^>]*>[^<(]*(?:\((\d+)\))?</.exec(text) ?? [];
        expect([who, heading, tab]).toEqual([who, String(seen.length), String(seen.length)]);
      }
      // The page says who decides, in its language; curators do not.
      const named = async (id: number, lang: string) => (await visitor(world.handler, lang).get(`/records/${id}`)).text;
      const { title } = (await world.store.communities.community(COMMUNITY)) ?? { title: { en: "", ja: "" } };
      expect(await named(alone, "en")).toContain("Its owner decides who may read it.");
      expect(await named(shared, "en")).toContain(
        `those who manage the community “${title.en}”, decide who may read it`,
      );
      expect(await named(shared, "ja")).toContain(`コミュニティ「${title.ja || title.en}」の管理者が判断します`);
      expect((await act("other", second, "accept")).status).toBe(404);
      expect((await act("general", second, "accept")).status).toBe(200);
      expect((await act("manager", first, "decline")).status).toBe(404);
    });

    test("Q.71 the right of an account and of a guest end with the same day, that of the repository", async () => {
      const id = await closedRecord();
      const account = (await ask("other", id)).json.id;
      const { request } = await confirmedGuest(id);
      const day = world.time.now.slice(0, 10);
      for (const each of [account, request])
        expect((await act("registered", each, "accept", { expires_at: day })).json.expires_at).toBe(day);
      await receivers();
      const token = tokenIn(server.received.find(({ to }) => to[0]?.startsWith("guest"))?.source);
      const read = async () => [
        (await download("other", id)).status,
        (await world.ask(null, "GET", `/api/records/${id}/files/closed.txt/content?token=${token}`)).status,
      ];
      // Midnight in Tokyo is 15:00 in UTC.
      world.time.now = `${day}T14:59:59.000Z`;
      expect(await read()).toEqual([200, 200]);
      world.time.now = `${day}T15:00:00.000Z`;
      expect(await read()).toEqual([403, 403]);
    });

    test("Q.72 name, address and link of a guest are deleted some time after the end, and unconfirmed requests after a day", async () => {
      const id = await closedRecord();
      const [declined, accepted, waiting] = [
        await confirmedGuest(id, `a${guests}@example.org`),
        await confirmedGuest(id, `b${guests}@example.org`),
        await confirmedGuest(id, `c${guests}@example.org`),
      ];
      expect((await act("registered", declined.request, "decline")).status).toBe(200);
      const last = addMilliseconds(world.time.now, 9 * DAY_MS).slice(0, 10);
      expect((await act("registered", accepted.request, "accept", { expires_at: last })).status).toBe(200);
      expect(await asGuest(id, { email: `never${guests}@example.org` })).toBe(200);
      // That of a guest who never confirmed is not listed: whether a limit of the record counts it tells of it.
      const unconfirmed = async () =>
        (await world.store.accessRequests.countAccessRequests(declined.parent, `never${guests}@example.org`, ""))
          .ofPerson;
      const known = async () => {
        const found = [];
        for (const { request } of [declined, accepted, waiting]) {
          const each = await world.store.accessRequests.accessRequest(request);
          found.push([each?.mail.slice(0, 1), each?.name, each?.message]);
        }
        return found;
      };
      const links = async () => (await world.store.accessLinks.linksOf(declined.parent)).length;
      const after = async (days: number) => {
        world.time.now = addMilliseconds(world.time.now, days * DAY_MS);
        await world.runJob(EXPIRY_JOB);
      };
      const whole = (mail: string) => [mail, "Ada Guest", PURPOSE];
      await world.runJob(EXPIRY_JOB);
      expect(await unconfirmed()).toBe(1);
      await after(2);
      expect(await unconfirmed()).toBe(0);
      expect(await known()).toEqual([whole("a"), whole("b"), whole("c")]);
      await after(most("guestDays") - 1);
      expect(await known()).toEqual([["", "", PURPOSE], whole("b"), whole("c")]);
      expect(await links()).toBe(1);
      expect((await declined.browser.get(declined.link)).status).toBe(404);
      await after(10);
      expect(await known()).toEqual([["", "", PURPOSE], ["", "", PURPOSE], whole("c")]);
      expect(await links()).toBe(0);
      const shown = await call("registered", "GET", `/api/requests/${accepted.request}`);
      expect([shown.status, shown.json.created_by, shown.json.payload.message]).toEqual([200, null, PURPOSE]);
    });

    /** Requests of the last hour, as they are stored. */
    async function stored(id: number, count: number, each: (at: number) => Partial<AccessRequest>): Promise<void> {
      const parent = (await world.store.items.item(id))?.parentId ?? 0;
      const at = addMilliseconds(world.time.now, -3_600_000);
      await world.store.transact(async (tx) => {
        for (let made = 0; made < count; made += 1) {
          const request = { ...aRequest(parent, id, at), id: crypto.randomUUID(), ...each(made) };
          expect(await tx.accessRequests.insertAccessRequest(request)).toBe(true);
        }
      });
    }

    test("Q.65 requests of an account in a day, of guests for a record in a day, and those that wait are limited", async () => {
      const [one, open] = [await closedRecord(), await closedRecord()];
      const account = { type: "user-access-request" as const, account: idOf("curator") };
      await stored(open, most("accessRequestsOfAccount"), () => ({ ...account, status: "declined" }));
      const refused = await ask("curator", one);
      expect([refused.status, refused.text.includes("ask again tomorrow")]).toEqual([400, true]);
      await stored(one, most("guestRequestsOfRecord"), (at) => ({ status: "declined", mail: `m${at}@example.org` }));
      expect(await asGuest(one, { email: `late${guests}@example.org` })).toBe(400);
      expect((await ask("approver", one)).status).toBe(200);
      await stored(one, most("accessRequestsWaiting") - 1, (at) => ({ mail: `w${at}@example.org` }));
      expect((await ask("other", one)).status).toBe(400);
      world.time.now = addMilliseconds(world.time.now, DAY_MS);
      expect((await ask("curator", open)).status).toBe(200);
      expect((await ask("other", one)).status).toBe(400);
    });

    test("Q.63 of two guests' requests with one address that are confirmed at once one waits", async () => {
      const id = await closedRecord();
      const mail = `twice${guests}@example.org`;
      const links = [];
      for (let made = 0; made < 2; made += 1) {
        expect(await asGuest(id, { email: mail })).toBe(200);
        await receivers();
        links.push(linkIn(server.received[0]?.source));
      }
      const browsers = [stranger(), stranger()];
      const forms = await Promise.all(links.map((link, at) => browsers[at]?.get(link)));
      const sent = await Promise.all(
        links.map((link, at) => browsers[at]?.post(link, { csrf: csrfIn(forms[at]?.text ?? ""), do: "confirm" })),
      );
      expect(sent.map((each) => each?.status)).toEqual([303, 303]);
      const parent = (await world.store.items.item(id))?.parentId ?? 0;
      const found = await world.store.accessRequests.accessRequestsOf(parent, 9);
      expect(found.map((each) => each.status).sort()).toEqual(["cancelled", "submitted"]);
      // The database holds it too, whatever the rules do.
      const inserted = await Promise.allSettled(
        [1, 2].map(() =>
          world.store.transact((tx) =>
            tx.accessRequests.insertAccessRequest({
              ...aRequest(parent, id, world.time.now),
              ...{ id: crypto.randomUUID(), type: "user-access-request", account: idOf("other") },
            }),
          ),
        ),
      );
      expect(inserted.map((each) => each.status === "fulfilled" && each.value).sort()).toEqual([false, true]);
    });

    test("Q.73 requests that are off are refused, and conditions must be accepted", async () => {
      const id = await closedRecord();
      const set = (body: object) => call("registered", "PUT", `/api/records/${id}/access`, body);
      const conditions = { accept_conditions_text: "Cite <the> tides" };
      const after = (await set(conditions)).json as unknown as { parent: { access: { settings: object } } };
      expect(after.parent.access.settings).toMatchObject({ ...conditions, allow_user_requests: true });
      const browser = visitor(world.handler);
      await browser.signIn(world.people.other.token);
      const path = `/records/${id}/request-access`;
      const form = await browser.get(path);
      expect(form.text).toContain("Cite &lt;the&gt; tides");
      const typed = { csrf: csrfIn(form.text), message: PURPOSE };
      const without = await browser.post(path, typed);
      expect([without.status, without.text.includes('href="#accept"')]).toEqual([400, true]);
      expect((await set({ allow_user_requests: false })).status).toBe(200);
      expect((await ask("other", id)).status).toBe(403);
      expect((await browser.get(path)).text).toContain("This item takes no requests");
      expect((await stranger().get(path)).status).toBe(200);
      expect((await set({ allow_guest_requests: false })).status).toBe(200);
      expect(await asGuest(id, { email: "late@example.org" })).toBe(403);
      expect((await stranger().get(`/records/${id}`)).text).not.toContain(path);
      await set({ allow_user_requests: true });
      expect(await asGuest(id, { email: "late@example.org" })).toBe(401);
      expect((await browser.post(path, { ...typed, accept: "true" })).status).toBe(303);
    });

    test("Q.61 Q.74 a download that runs ends well when its right is revoked, and the right ends with the requester's account", async () => {
      const id = await closedRecord("Large tides", "x".repeat(2_000_000));
      const request = (await ask("other", id)).json.id;
      await act("registered", request, "accept");
      const url = `http://repo.example.org/api/records/${id}/files/closed.txt/content`;
      const authorization = `Bearer ${world.people.other.token}`;
      const running = await world.handler(new Request(url, { headers: { authorization } }), {
        addressOf: () => "192.0.2.9",
      });
      const reader = running.body?.getReader();
      let bytes = (await reader?.read())?.value?.length ?? 0;
      const revoke = `/api/records/${id}/access/requests/${request}`;
      expect((await call("registered", "DELETE", revoke)).status).toBe(204);
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        bytes += part.value.length;
      expect(bytes).toBe(2_000_000);
      expect((await download("other", id)).status).toBe(403);
      const again = (await ask("other", id)).json.id;
      await act("registered", again, "accept");
      expect((await download("other", id)).status).toBe(200);
      const setActive = (active: boolean) =>
        world.store.transact(async (tx) => {
          const account = await tx.accounts.account(idOf("other"));
          if (account !== null) await tx.accounts.saveAccount({ ...account, active });
        });
      await setActive(false);
      expect((await download("other", id)).status).toBe(401);
      await setActive(true);
      // What closing an account does of it.
      await world.store.transact((tx) => tx.personalData.forgetAccess(idOf("general")));
      const general = (await ask("general", id)).json.id;
      await act("registered", general, "accept");
      expect((await download("general", id)).status).toBe(200);
      await world.store.transact((tx) => tx.personalData.forgetAccess(idOf("general")));
      const ended = await world.store.accessRequests.accessRequest(general);
      expect([ended?.message, ended?.revokedAt === null]).toEqual(["", false]);
      expect((await download("general", id)).status).toBe(403);
    });

    test("Q.67 Q.75 nothing of requests is in what others receive, and a right does not outlive its record", async () => {
      const id = await closedRecord("Quiet tides");
      const { request } = await confirmedGuest(id, `quiet${guests}@example.org`);
      const own = (await ask("other", id)).json.id;
      for (const each of [request, own])
        expect((await act("registered", each, "accept", { payload: { content: "Secret word" } })).status).toBe(200);
      const paths = [
        ...[`/records/${id}`, `/records/${id}/files`, `/search?q=tides`, "/", "/index/1", "/sitemap.xml"],
        ...[`/api/records/${id}`, `/api/records?q=tides`, `/api/records/${id}/files`, `/api/v1/records/${id}`],
        ...["json", "bibtex", "jpcoar", "datacite", "ro-crate"].map((name) => `/records/${id}/export/${name}`),
        ...["oai?verb=ListRecords&metadataPrefix=oai_dc", "oai?verb=ListRecords&metadataPrefix=jpcoar_2.0"].map(
          (name) => `/${name}`,
        ),
        ...["/api/opensearch/search?q=tides&format=atom", `/records/${id}/linkset.json`],
      ];
      const statuses = [];
      for (const path of paths)
        for (const who of ["approver", null] as const) {
          const { text, status } = await world.ask(who, "GET", path);
          statuses.push(status);
          const found = [request, own, PURPOSE, "tides &amp; floods", "Ada Guest", "quiet1", "Secret word"].filter(
            (word) => text.includes(word),
          );
          expect([path, who, found]).toEqual([path, who, []]);
        }
      expect(statuses.filter((each) => each === 200).length).toBeGreaterThan(20);
      expect((await call("approver", "GET", `/api/records/${id}/revisions`)).status).toBe(403);
      expect((await download("other", id)).status).toBe(200);
      await world.items.remove(await world.viewer("admin"), id, { reason: null, note: "" });
      expect((await download("other", id)).status).toBe(410);
    });

    test("Q.76 without mail guests are asked to sign in, and cannot be allowed to ask", async () => {
      const quiet = await openWorld({ repository: true, recordFiles: true, database });
      const files = closedFiles(quiet);
      const id = await files.closedRecord();
      expect((await files.ask(null, id, { email: "ada@example.org" })).status).toBe(401);
      const form = await visitor(quiet.handler).get(`/records/${id}/request-access`);
      expect([form.status, form.headers.get("location")?.startsWith("/account/login")]).toEqual([303, true]);
      const path = `/api/records/${id}/access`;
      const refused = await files.call("registered", "PUT", path, { allow_guest_requests: true });
      expect([refused.status, refused.text.includes('"allow_guest_requests"')]).toEqual([400, true]);
      const owner = visitor(quiet.handler);
      await owner.signIn(quiet.people.registered.token);
      expect((await owner.get(`/records/${id}/share`)).text).toContain("Guests cannot ask: no mail server is set up.");
      expect((await files.ask("other", id)).status).toBe(200);
    });
  });
});

/** A guest's that waits. */
const aRequest = (parent: number, item: number, at: Instant): Omit<AccessRequest, "id"> => ({
  ...{ parent, item, type: "guest-access-request", status: "submitted", title: "Tides", message: PURPOSE, answer: "" },
  ...{ account: null, mail: "ada@example.org", name: "", language: "en", hasConsent: false, hash: null },
  ...{ decidedBy: null, endsOn: null, revokedAt: null, endedBecause: "", createdAt: at, updatedAt: at },
});
