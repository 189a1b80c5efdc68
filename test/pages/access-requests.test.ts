// Requests for closed files (Q.60 to Q.69), on both databases: the whole way of an account and of a guest over the
// interface and the pages, a real SMTP server, each right with who lacks it, and everything that ends a right.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { GUEST } from "../../src/auth/account.ts";
import type { ItemContent } from "../../src/model/items/item.ts";
import { OUTGOING_JOB } from "../../src/model/notices/notice-rules.ts";
import { EXPIRY_JOB } from "../../src/repository/requests/request-jobs.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { bodyOf, closedFiles, linkIn, PURPOSE, tokenIn } from "../support/world/closed-files.ts";
import { csrfIn, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const DAY_MS = 86_400_000;

onEachDatabase((database) => {
  describe(`requests for closed files (${database.name})`, () => {
    let server: MailServer = { url: "", received: [], next: [], refuseSender: null, close: async () => {} };
    const world = setUpWorld(async () => {
      server = await startMailServer();
      const env = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: "repository@library.example.org" };
      return { repository: { env }, recordFiles: true, jobs: true, database } as const;
    });
    afterAll(() => server.close());
    let guests = 0;
    beforeEach(async () => {
      await world.runJob(OUTGOING_JOB);
      server.received.length = 0;
      world.time.now = addMilliseconds(world.time.now, 2 * DAY_MS);
      guests += 1;
    });
    const stranger = (lang = "en") => visitor(world.handler, lang, `198.51.100.${guests}`);
    const { call, status, closedRecord, ask, act, download } = closedFiles(world);
    const patched = async (id: number, change: (before: ItemContent) => ItemContent) => {
      const owner = await world.viewer("registered");
      const work = async (before: ItemContent) => change(before);
      await world.store.transact((tx) => world.items.patch(tx, owner, id, { action: "edit" }, work));
    };
    const sendAll = () => world.runJob(OUTGOING_JOB);
    test("Q.60 Q.61 an account asks, the owner accepts: the closed files of all versions open, and nothing else", async () => {
      const [id, alone] = [await closedRecord(), await closedRecord("Other tides")];
      expect((await download("other", id)).status).toBe(403);
      const made = await ask("other", id, { consent_to_share_personal_data: true });
      expect([made.status, made.json.status, Object.keys(made.json.links.actions)]).toEqual([
        200,
        "submitted",
        ["cancel"],
      ]);
      const request = made.json.id;
      // Who may not know of it, and who may not decide.
      for (const who of ["general", null] as const) {
        const refused = who === null ? 401 : 404;
        expect(await status(who, "GET", `/api/requests/${request}`)).toBe(refused);
        expect((await act(who, request, "accept")).status).toBe(refused);
        expect(await status(who, "GET", `/api/records/${id}/access/requests`)).toBe(who === null ? 401 : 403);
        expect(await status(who, "GET", `/api/records/${id}/access`)).toBe(who === null ? 401 : 403);
      }
      expect((await act("other", request, "accept")).status).toBe(403);
      expect((await act("registered", request, "cancel")).status).toBe(403);
      expect((await act("registered", request, "keep")).status).toBe(400);
      const seen = await call("registered", "GET", `/api/requests/${request}`);
      expect(seen.json).toMatchObject({
        created_by: { user: String(world.people.other.account.id) },
        payload: { message: PURPOSE },
      });
      const decided = await act("registered", request, "accept", { payload: { content: "Please cite it" } });
      expect([decided.status, decided.json.status, decided.json.payload.answer]).toEqual([
        200,
        "accepted",
        "Please cite it",
      ]);
      expect([(await download("other", id)).text, (await download("general", id)).status]).toEqual([
        "bytes of closed.txt",
        403,
      ]);
      expect((await download("other", alone)).status).toBe(403);
      // Drafts and the right to share stay closed.
      expect(await status("registered", "POST", `/api/records/${id}/draft`)).toBe(201);
      expect(await status("other", "GET", `/api/records/${id}/draft`)).toBe(404);
      expect(await status("other", "GET", `/api/records/${id}/access/links`)).toBe(403);
      expect((await act("registered", request, "decline")).status).toBe(400);
      expect(await status("other", "DELETE", `/api/records/${id}/access/requests/${request}`)).toBe(403);
      expect(await status("registered", "DELETE", `/api/records/${alone}/access/requests/${request}`)).toBe(404);
      expect(await status("registered", "DELETE", `/api/records/${id}/access/requests/${request}`)).toBe(204);
      expect((await download("other", id)).status).toBe(403);
    });

    test("Q.62 a right ends on its day; without a day after those of the settings, and never after a year", async () => {
      const id = await closedRecord();
      const request = (await ask("other", id)).json.id;
      const today = world.time.now.slice(0, 10);
      const dayIn = (days: number) => addMilliseconds(`${today}T00:00:00.000Z`, days * DAY_MS).slice(0, 10);
      for (const day of [dayIn(-2), dayIn(400), "soon"]) {
        const wrong = await act("registered", request, "accept", { expires_at: day });
        expect([day, wrong.status, wrong.text.includes("expires_at")]).toEqual([day, 400, true]);
      }
      const settings = { secret_link_expiration: 7 };
      expect(await status("other", "PUT", `/api/records/${id}/access`, settings)).toBe(403);
      expect(await status("registered", "PUT", `/api/records/${id}/access`, { secret_link_expiration: 999 })).toBe(400);
      expect(await status("registered", "PUT", `/api/records/${id}/access`, settings)).toBe(200);
      const { json } = await act("registered", request, "accept");
      expect(json.expires_at).toBe(dayIn(7));
      expect((await download("other", id)).status).toBe(200);
      world.time.now = addMilliseconds(world.time.now, 6 * DAY_MS);
      expect((await download("other", id)).status).toBe(200);
      world.time.now = addMilliseconds(world.time.now, 2 * DAY_MS);
      expect((await download("other", id)).status).toBe(403);
      // After it one may ask again.
      expect((await ask("other", id)).status).toBe(200);
    });

    test("Q.63 of requests at once one is made, and of decisions at once one", async () => {
      const id = await closedRecord();
      const made = await Promise.all([ask("other", id), ask("other", id), ask("other", id)]);
      expect(made.map((each) => each.status).sort()).toEqual([200, 400, 400]);
      const request = made.find((each) => each.status === 200)?.json.id ?? "";
      const decided = await Promise.all(
        ["accept", "decline", "accept"].map((each) => act("registered", request, each)),
      );
      expect(decided.map((each) => each.status).sort()).toEqual([200, 400, 400]);
      const after = (await call("other", "GET", `/api/requests/${request}`)).json.status;
      expect((await download("other", id)).status).toBe(after === "accepted" ? 200 : 403);
    });

    test("Q.64 Q.66 a guest confirms the address, then the owner receives it; the answer is a personal link, whose use is counted", async () => {
      const id = await closedRecord();
      const browser = stranger();
      const page = await browser.get(`/records/${id}`);
      expect(page.text).toContain(`href="/records/${id}/request-access"`);
      expect(page.text).toContain("Its owner decides who may read it.");
      const form = await browser.get(`/records/${id}/request-access`);
      expect([form.status, form.text.includes("closed.txt"), form.text.includes("open.txt")]).toEqual([
        200,
        true,
        false,
      ]);
      const typed = { message: PURPOSE, mail: "Ada@Example.org", name: "Ada Guest", consent: "true" };
      const wrong = await browser.post(`/records/${id}/request-access`, {
        ...typed,
        csrf: csrfIn(form.text),
        mail: "ada",
      });
      expect([wrong.status, wrong.text.includes('href="#mail"'), wrong.text.includes("Ada Guest")]).toEqual([
        400,
        true,
        true,
      ]);
      expect((await browser.post(`/records/${id}/request-access`, { ...typed, csrf: "x" })).status).toBe(403);
      const sent = await browser.post(`/records/${id}/request-access`, { ...typed, csrf: csrfIn(form.text) });
      expect([sent.status, sent.headers.get("location")]).toEqual([303, `/records/${id}/request-access/sent`]);
      expect((await browser.get(`/records/${id}/request-access/sent`)).text).toContain("Check your mail");
      expect((await browser.get("/records/none/request-access/sent")).status).toBe(404);
      const { parentId } = (await world.items.readable(GUEST, id)).item;
      const latest = await browser.get(`/records/${parentId}/request-access`);
      expect([latest.status, latest.headers.get("location")]).toEqual([302, `/records/${id}/request-access`]);
      await sendAll();
      // Only the address has a mail, and it holds nothing that anybody wrote.
      expect(server.received.map(({ to }) => to)).toEqual([["ada@example.org"]]);
      expect(server.received[0]?.source).not.toMatch(/Ada Guest|tides|floods/);
      const list = async () => (await call("registered", "GET", `/api/records/${id}/access/requests`)).text;
      expect(await list()).toContain('"total":0');
      const link = linkIn(server.received[0]?.source);
      const confirm = await browser.get(link);
      expect(await list()).toContain('"total":0');
      expect((await browser.post(link, { csrf: csrfIn(confirm.text), do: "confirm" })).status).toBe(303);
      expect((await browser.get(link)).text).toContain("Waiting");
      server.received.length = 0;
      await sendAll();
      expect(server.received.flatMap(({ to }) => to)).toEqual([world.people.registered.account.mail ?? ""]);
      // The owner decides on a page.
      const owner = visitor(world.handler);
      await owner.signIn(world.people.registered.token);
      const work = await owner.get("/me");
      const [, address = ""] = /href="(\/access-requests\/[\w-]{36})"/.exec(work.text) ?? [];
      const shown = await owner.get(address);
      for (const word of ["Ada Guest, ada@example.org", "To compare tides &amp; floods"])
        expect(shown.text).toContain(word);
      const past = await owner.post(address, {
        csrf: csrfIn(shown.text),
        do: "accept",
        answer: "Welcome",
        last_day: "2001-01-01",
      });
      expect([past.status, past.text.includes('href="#last_day"'), past.text.includes("Welcome")]).toEqual([
        400,
        true,
        true,
      ]);
      const done = await owner.post(address, { csrf: csrfIn(shown.text), do: "accept", answer: "Welcome" });
      expect([done.status, (await owner.get(done.headers.get("location") ?? "")).text.includes("Accepted")]).toEqual([
        303,
        true,
      ]);
      server.received.length = 0;
      await sendAll();
      expect(server.received.flatMap(({ to }) => to)).toEqual(["ada@example.org"]);
      const token = tokenIn(server.received[0]?.source);
      expect(bodyOf(server.received[0]?.source)).toContain("Welcome");
      // Of the secret nothing is stored.
      expect(JSON.stringify(await world.store.outgoing.listOutgoing({}, null, 50))).not.toContain(token);
      const guest = stranger();
      const opened = await guest.get(`/records/${id}?token=${token}`);
      expect(opened.status).toBe(303);
      const landing = await guest.get(`/records/${id}`);
      expect(landing.text).toContain("This link is personal");
      expect((await guest.get(`/records/${id}/files/closed.txt`)).text).toBe("bytes of closed.txt");
      expect((await stranger().get(`/records/${id}/files/closed.txt`)).status).toBe(403);
      const share = await owner.get(`/records/${id}/share`);
      expect(share.text).toContain("Used once, last on");
      expect(share.text).not.toContain("198.51.100");
      const [, request = ""] = /\/access-requests\/([\w-]{36})$/.exec(address) ?? [];
      const revoked = await owner.post(`/records/${id}/access-requests`, {
        csrf: csrfIn(share.text),
        do: "revoke",
        request,
      });
      expect(revoked.headers.get("location")).toBe(`/records/${id}/share?done=revoked`);
      expect((await guest.get(`/records/${id}/files/closed.txt`)).status).toBe(403);
    });

    test("Q.62 Q.263 the link that answers a request keeps its end and permission; revoked as a link, the right has ended", async () => {
      const id = await closedRecord();
      const email = `link${guests}@example.org`;
      /** The request of the guest, confirmed and accepted. */
      const accepted = async (): Promise<string> => {
        expect((await ask(null, id, { email })).status).toBe(200);
        await sendAll();
        const browser = stranger();
        const link = linkIn(server.received.find(({ to }) => to[0] === email)?.source);
        const csrf = csrfIn((await browser.get(link)).text);
        expect((await browser.post(link, { csrf, do: "confirm" })).status).toBe(303);
        const parent = (await world.store.items.item(id))?.parentId ?? 0;
        const request = (await world.store.accessRequests.liveAccessRequest(parent, email, "2000-01-01"))?.id ?? "";
        expect((await act("registered", request, "accept")).status).toBe(200);
        server.received.length = 0;
        return request;
      };
      const request = await accepted();
      const links = async () => {
        const { json } = await world.json("registered", "GET", `/api/records/${id}/access/links`);
        return (json.hits as { readonly hits: readonly { readonly id: string; readonly expires_at: string }[] }).hits;
      };
      const [before] = await links();
      const path = `/api/records/${id}/access/links/${before?.id}`;
      for (const [field, value] of [
        ["expires_at", null],
        ["expires_at", "2999-01-01"],
        ["permission", "manage"],
      ] as const) {
        const { status: code, text } = await call("registered", "PATCH", path, { [field]: value });
        expect([field, code, text.includes(`"${field}"`)]).toEqual([field, 400, true]);
      }
      const described = { description: "A guest", permission: "view", expires_at: before?.expires_at };
      expect(await status("registered", "PATCH", path, described)).toBe(200);
      expect((await links())[0]?.expires_at).toBe(before?.expires_at ?? "-");
      expect((await world.store.accessRequests.accessRequest(request))?.revokedAt).toBe(null);
      expect(await status("registered", "DELETE", path)).toBe(204);
      expect((await world.store.accessRequests.accessRequest(request))?.revokedAt).toBe(world.time.now);
      // The guest may ask again, and is sent a mail again.
      expect(await accepted()).not.toBe(request);
    });

    test("Q.65 Q.262 the answer to a guest is the same whatever is known of the address, and mails to it are limited", async () => {
      const ids = [];
      for (let at = 0; at < 4; at += 1) ids.push(await closedRecord(`Tides ${at}`));
      const [first = 0] = ids;
      const [known = "", fresh] = [world.people.other.account.mail ?? "", `bob${guests}@example.org`];
      const answers = [];
      for (const email of [known, fresh]) {
        const { status: code, text } = await ask(null, first, { email });
        answers.push([code, text]);
      }
      expect(answers[0]).toEqual([200, answers[1]?.[1] ?? ""]);
      expect(answers[1]?.[0]).toBe(200);
      const missing = await ask(null, first);
      expect([missing.status, missing.text.includes('"email"')]).toEqual([400, true]);
      const browser = stranger();
      for (const id of ids) {
        const form = await browser.get(`/records/${id}/request-access`);
        const typed = { csrf: csrfIn(form.text), message: PURPOSE, mail: fresh };
        const sent = await browser.post(`/records/${id}/request-access`, typed);
        expect([sent.status, sent.headers.get("location")]).toEqual([303, `/records/${id}/request-access/sent`]);
      }
      await sendAll();
      expect(server.received.filter(({ to }) => to[0] === fresh)).toHaveLength(3);
      // Those that are not mailed count against the limit of the record as well, which would tell them apart otherwise.
      const since = addMilliseconds(world.time.now, -DAY_MS);
      const counted = ids.map(async (id) => {
        const parent = (await world.store.items.item(id))?.parentId ?? 0;
        return (await world.store.accessRequests.countAccessRequests(parent, "", since)).ofRecord;
      });
      expect(await Promise.all(counted)).toEqual([3, 1, 1, 1]);
      // One client sends five a minute.
      const many = [];
      for (let at = 0; at < 6; at += 1) many.push((await ask(null, first, { email: `g${at}@example.org` })).status);
      expect(many.at(-1)).toBe(429);
    });

    test("Q.67 without consent the owner sees the purpose and no name, and nothing of it is public", async () => {
      const id = await closedRecord();
      const { json } = await ask("other", id);
      const seen = await call("registered", "GET", `/api/requests/${json.id}`);
      expect([seen.json.created_by, seen.json.payload.message]).toEqual([null, PURPOSE]);
      const { mail, name } = world.people.other.account;
      const owner = visitor(world.handler);
      await owner.signIn(world.people.registered.token);
      const page = await owner.get(`/access-requests/${json.id}`);
      expect(page.text).toContain("does not consent to be named");
      for (const path of [
        `/records/${id}`,
        `/api/records/${id}`,
        `/api/v1/records/${id}`,
        `/records/${id}/export/json`,
      ]) {
        const text = (await world.ask("general", "GET", path)).text;
        expect([path, text.includes(json.id), text.includes("compare tides")]).toEqual([path, false, false]);
      }
      const events = JSON.stringify(await world.store.events(`item:${id}`, 50));
      expect(events).toContain("item.request-access");
      for (const secret of [mail ?? "-", PURPOSE]) expect(events).not.toContain(secret);
      if (name !== "") expect(page.text).not.toContain(name);
      expect((await act("registered", json.id, "decline")).json.status).toBe("declined");
      await sendAll();
      expect(server.received.flatMap(({ to }) => to)).toContain(mail ?? "");
    });

    test("Q.68 a request ends with a word when its files open, or its record is hidden or withdrawn", async () => {
      const [open, hidden, gone, kept] = [
        await closedRecord(),
        await closedRecord(),
        await closedRecord(),
        await closedRecord(),
      ];
      const requests = [];
      for (const id of [open, hidden, gone, kept]) requests.push((await ask("other", id)).json.id);
      const owner = await world.viewer("registered");
      await patched(open, (before) => ({
        ...before,
        files: before.files.map((file) => ({ ...file, access: "open" as const })),
      }));
      await patched(hidden, (before) => ({
        ...before,
        access: { ...before.access, record: "restricted" as const },
      }));
      await world.items.remove(owner, gone, { reason: null, note: "" });
      const late = await act("registered", requests[0] ?? "", "accept");
      expect([late.status, late.text.includes("open to the person")]).toEqual([400, true]);
      await world.runJob(EXPIRY_JOB);
      const found = [];
      for (const id of requests) found.push(await world.store.accessRequests.accessRequest(id));
      expect(found.map((each) => [each?.status, each?.endedBecause])).toEqual([
        ["expired", "open"],
        ["expired", "hidden"],
        ["expired", "gone"],
        ["submitted", ""],
      ]);
    });

    test("Q.68 Q.267 R45 the mail to a guest names no record that guests may not read any more", async () => {
      const [hidden, open] = [await closedRecord("Secret tides"), await closedRecord("Open tides")];
      for (const id of [hidden, open]) {
        const email = `hid${guests}-${id}@example.org`;
        const browser = stranger();
        const form = `/records/${id}/request-access`;
        const csrf = csrfIn((await browser.get(form)).text);
        expect((await browser.post(form, { csrf, message: PURPOSE, mail: email })).status).toBe(303);
        await sendAll();
        const link = linkIn(server.received.find(({ to }) => to[0] === email)?.source);
        await browser.post(link, { csrf: csrfIn((await browser.get(link)).text), do: "confirm" });
      }
      await patched(hidden, (before) => ({ ...before, access: { ...before.access, record: "restricted" as const } }));
      await patched(open, (before) => ({
        ...before,
        files: before.files.map((file) => ({ ...file, access: "open" as const })),
      }));
      await world.runJob(EXPIRY_JOB);
      server.received.length = 0;
      await sendAll();
      const mailOf = (id: number) =>
        bodyOf(server.received.find(({ to }) => to[0] === `hid${guests}-${id}@example.org`)?.source);
      expect([mailOf(hidden).includes("Secret tides"), mailOf(hidden).includes(`/records/${hidden}`)]).toEqual([
        false,
        true,
      ]);
      expect(mailOf(open)).toContain("Open tides");
    });

    test("Q.69 the right ends with the account of who gave it, and where the record is hidden", async () => {
      const id = await closedRecord();
      await world.json("registered", "POST", `/api/records/${id}/access/grants`, {
        grants: [{ subject: { type: "user", id: String(world.people.manager.account.id) }, permission: "manage" }],
      });
      const request = (await ask("other", id)).json.id;
      expect((await act("manager", request, "accept")).status).toBe(200);
      expect((await download("other", id)).status).toBe(200);
      const setActive = (active: boolean) =>
        world.store.transact(async (tx) => {
          const account = await tx.accounts.account(world.people.manager.account.id);
          if (account !== null) await tx.accounts.saveAccount({ ...account, active });
        });
      await setActive(false);
      expect((await download("other", id)).status).toBe(403);
      await setActive(true);
      expect((await download("other", id)).status).toBe(200);
      await patched(id, (before) => ({
        ...before,
        access: { ...before.access, record: "restricted" as const },
      }));
      expect((await download("other", id)).status).toBe(403);
    });
  });
});
