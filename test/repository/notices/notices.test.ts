// Notices by mail (R41, R45), the whole way: what people do over HTTP, the outbox, and a real SMTP server.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { OUTGOING_JOB } from "../../../src/model/notices/notice-rules.ts";
import { freshSetting } from "../../../src/repository/store/outgoing.ts";
import { addMilliseconds } from "../../../src/shared/time/instant.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { setUpWorld } from "../../support/world.ts";

/** A header as it is read: unfolded. */
const headerOf = (source: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, "im").exec(source)?.[1]?.replace(/\r\n[ \t]+/g, " ") ?? "";

/** The text part of a message, decoded. */
function textOf(source: string): string {
  const [, head = "", body = ""] =
    /content-type: text\/plain[^\r]*\r\n((?:[^\r]+\r\n)*)\r\n([\s\S]*?)\r\n--/i.exec(source) ?? [];
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replace(/%(?![0-9A-F]{2})/g, "%25"));
}

onEachDatabase((database) => {
  describe(`notices by mail (${database.name})`, () => {
    let server: MailServer = { url: "", received: [], next: [], refuseSender: null, close: async () => {} };
    const world = setUpWorld(async () => {
      server = await startMailServer();
      const env = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: "repository@library.example.org" };
      return { repository: { env }, requests: true, jobs: true, database } as const;
    });
    afterAll(() => server.close());
    beforeEach(() => {
      server.received.length = 0;
      server.next.length = 0;
      server.refuseSender = null;
    });

    const sendAll = () => world.runJob(OUTGOING_JOB);
    const later = (milliseconds: number): void => {
      world.time.now = addMilliseconds(world.time.now, milliseconds);
    };
    const mailOf = (who: keyof typeof world.people) => world.people[who].account.mail ?? "";
    const receivers = () => server.received.flatMap(({ to }) => to).toSorted();
    const states = async () =>
      (await world.store.outgoing.listOutgoing({ channel: "mail" }, null, 10)).map(({ state }) => state);
    async function submitted(more: object = {}) {
      const community = await world.community();
      const draft = await world.draft("registered", more);
      await world.ok(world.review("registered", draft, community.id), 200);
      const { id } = await world.ok<{ id: string }>(world.submit("registered", draft), 202);
      return { community, draft, id };
    }
    async function invited(who: "other" | "stranger"): Promise<void> {
      const { id } = await world.community();
      const members = [{ type: "user", id: String(world.people[who].account.id) }];
      await world.ok(
        world.send("manager", "POST", `/api/communities/${id}/invitations`, { members, role: "reader" }),
        204,
      );
    }

    test("R45 who decides about a submission is told of it, once, and nobody else", async () => {
      await submitted();
      await sendAll();
      await sendAll();
      expect(receivers()).toEqual([mailOf("curator"), mailOf("manager")].toSorted());
      const source = server.received[0]?.source ?? "";
      expect(headerOf(source, "From")).toBe("Arkstone <repository@library.example.org>");
      expect(headerOf(source, "Subject")).toBe("[Arkstone] Something waits for your decision");
      expect(headerOf(source, "Auto-Submitted")).toBe("auto-generated");
      expect(headerOf(source, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
      expect(textOf(source)).toContain("waits for your decision");
    });

    test("R45 who submitted is told that it was accepted or declined", async () => {
      for (const [action, subject] of [
        ["accept", "Your submission was accepted"],
        ["decline", "Your submission was declined"],
      ] as const) {
        const { id } = await submitted();
        await world.ok(world.act("curator", id, action), 200);
        await sendAll();
        // It no longer waits: those who decide are not told any more.
        expect(receivers()).toEqual([mailOf("registered")]);
        expect(headerOf(server.received[0]?.source ?? "", "Subject")).toBe(`[Arkstone] ${subject}`);
        server.received.length = 0;
      }
    });

    test("P.189 R45 an offer of a record reaches its receiver, the answer its owner; one that was cancelled reaches nobody", async () => {
      const draft = await world.draft("registered");
      const body = { receiver: { user: String(world.people.other.account.id) } };
      const offer = () =>
        world.ok<{ id: string }>(world.send("registered", "POST", `/api/records/${draft}/access/transfers`, body), 201);
      const act = (who: "registered" | "other", id: string, action: string) =>
        world.ok(world.send(who, "POST", `/api/transfers/${id}/actions/${action}`), 200);
      await act("registered", (await offer()).id, "cancel");
      await sendAll();
      expect(receivers()).toEqual([]);
      const { id } = await offer();
      await sendAll();
      expect(receivers()).toEqual([mailOf("other")]);
      const [offered] = server.received;
      expect(headerOf(offered?.source ?? "", "Subject")).toBe("[Arkstone] A record is offered to you");
      expect(textOf(offered?.source ?? "")).toContain(`/transfers/${id}`);
      await act("other", id, "accept");
      await sendAll();
      expect(receivers()).toEqual([mailOf("other"), mailOf("registered")].toSorted());
      const answer = server.received.find(({ to }) => to.includes(mailOf("registered")))?.source ?? "";
      expect(headerOf(answer, "Subject")).toBe("[Arkstone] Your offer of a record was accepted");
    });

    test("R45 an invited person is told, and a person with whom a record is shared", async () => {
      const community = await world.community();
      const members = [{ type: "user", id: String(world.people.other.account.id) }];
      await world.ok(
        world.send("manager", "POST", `/api/communities/${community.id}/invitations`, { members, role: "reader" }),
        204,
      );
      const draft = await world.draft();
      const grants = [
        { permission: "preview", subject: { type: "user", id: String(world.people.stranger.account.id) } },
      ];
      await world.ok(world.send("registered", "POST", `/api/records/${draft}/access/grants`, { grants }), 201);
      await sendAll();
      expect(receivers()).toEqual([mailOf("other"), mailOf("stranger")].toSorted());
      const invitation = server.received.find(({ to }) => to[0] === mailOf("other"))?.source ?? "";
      expect(textOf(invitation)).toContain("You are invited to join the community Reviewers");
    });

    test("R45 P.216 who may let a person join is told, and the person is told of the answer", async () => {
      const community = await world.community();
      const path = `/api/communities/${community.id}/membership-requests`;
      const { id } = await world.ok<{ id: string }>(world.send("other", "POST", path, { role: "owner" }), 201);
      await sendAll();
      expect(receivers()).toEqual([mailOf("manager")]);
      expect(textOf(server.received[0]?.source ?? "")).toContain("Somebody asks to join the community Reviewers");
      server.received.length = 0;
      await world.ok(world.act("manager", id, "accept"), 200);
      await sendAll();
      expect(receivers()).toEqual([mailOf("other")]);
      const answer = server.received[0]?.source ?? "";
      expect(textOf(answer)).toContain("You are a member of the community Reviewers");
      expect(answer).toContain("Your request to join was accepted");
    });

    test("R45 an owner is told once of an embargo that ends within 7 days, and of a withdrawal by somebody else", async () => {
      const until = "2026-11-27";
      const embargo = { active: true, until, reason: "" };
      const record = await world.published("registered", {
        access: { record: "public", files: "restricted", embargo },
      });
      const late = { active: true, until: "2026-11-28", reason: "" };
      await world.published("registered", { access: { record: "public", files: "restricted", embargo: late } });
      await world.runJob("notice_day");
      await world.runJob("notice_day");
      await sendAll();
      expect(receivers()).toEqual([mailOf("registered")]);
      expect(textOf(server.received[0]?.source ?? "")).toContain(`ends on ${until}`);
      server.received.length = 0;
      await world.runJob("notice_day");
      await world.ok(world.remove("admin", record, { "if-match": "*" }), 204);
      await sendAll();
      expect(server.received.map(({ source }) => headerOf(source, "Subject"))).toEqual([
        "[Arkstone] A record was withdrawn",
      ]);
      expect(receivers()).toEqual([mailOf("registered")]);
    });

    test("R45 nobody is told what they may not read any more when it is sent", async () => {
      const { community } = await submitted();
      const members = [{ type: "user", id: String(world.people.curator.account.id) }];
      await world.ok(world.send("manager", "DELETE", `/api/communities/${community.id}/members`, { members }), 204);
      await sendAll();
      expect(receivers()).toEqual([mailOf("manager")]);
    });

    test("R41 nothing that people wrote is in a header", async () => {
      const title = "Injected\r\nBcc: everybody@example.org \u202e";
      await submitted({ metadata: { ...metadataOf(title) } });
      await sendAll();
      const { source = "", to } = server.received.find((mail) => mail.to[0] === mailOf("curator")) ?? {};
      expect(to).toEqual([mailOf("curator")]);
      const head = source.slice(0, source.indexOf("\r\n\r\n"));
      expect(head).not.toContain("Injected");
      expect(head).not.toMatch(/^bcc:/im);
      expect(textOf(source)).toContain("“Injected");
      expect(textOf(source)).not.toContain("\u202e");
    });

    test("R45 each account chooses: never, at once in its language, or in a digest", async () => {
      const of = (who: "curator" | "manager", choices: Readonly<Record<string, string>>, language: string | null) => ({
        ...freshSetting(world.people[who].account.id, world.random),
        choices,
        language,
      });
      await world.store.transact(async (tx) => {
        await tx.outgoing.saveNoticeSetting(of("curator", { submitted: "never" }, null));
        await tx.outgoing.saveNoticeSetting(of("manager", {}, "ja"));
      });
      await submitted();
      await sendAll();
      expect(receivers()).toEqual([mailOf("manager")]);
      const source = server.received[0]?.source ?? "";
      expect(textOf(source)).toContain("あなたの判断を待っています");

      await world.store.transact((tx) => tx.outgoing.saveNoticeSetting(of("manager", { submitted: "digest" }, "en")));
      server.received.length = 0;
      await submitted();
      await submitted();
      await sendAll();
      expect(server.received).toEqual([]);
      expect((await states()).filter((state) => state === "digest")).toHaveLength(2);
      later(86_400_000);
      await sendAll();
      expect(receivers()).toEqual([mailOf("manager")]);
      expect(headerOf(server.received[0]?.source ?? "", "Subject")).toBe("[Arkstone] 2 notices");
      await world.store.transact(async (tx) => {
        for (const who of ["curator", "manager"] as const) await tx.outgoing.saveNoticeSetting(of(who, {}, null));
      });
    });

    test("R41 a message that was refused for now is tried again, one that was refused is not", async () => {
      await invited("other");
      server.next.push({ refuse: 451, text: "Try later" });
      await sendAll();
      expect(server.received).toEqual([]);
      expect((await states())[0]).toBe("waiting");
      later(10_000);
      await sendAll();
      expect(receivers()).toEqual([mailOf("other")]);
      await invited("stranger");
      server.next.push({ refuse: 550, text: "No such mailbox" });
      await sendAll();
      later(86_400_000);
      await sendAll();
      expect(receivers()).toEqual([mailOf("other")]);
      const [last] = await world.store.outgoing.listOutgoing({ channel: "mail" }, null, 1);
      expect(last).toMatchObject({ state: "failed", lastError: expect.stringContaining("No such mailbox") });
    });

    test("R41 while the server refuses the sender everything waits, and no tries are counted", async () => {
      await submitted();
      server.refuseSender = { refuse: 530, text: "Authentication required" };
      for (let day = 0; day < 3; day += 1) {
        await sendAll();
        later(86_400_000);
      }
      const waiting = await world.store.outgoing.listOutgoing({ channel: "mail", state: "waiting" }, null, 10);
      expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0]);
      expect(waiting.some(({ lastError }) => lastError.includes("Authentication required"))).toBe(true);
      server.refuseSender = null;
      await sendAll();
      expect(receivers()).toEqual([mailOf("curator"), mailOf("manager")].toSorted());
    });

    test("R41 a mail that is to be tried again gives way to a newer one of its subject", async () => {
      await invited("other");
      const meanwhile = async () => {
        const [entry] = await world.store.outgoing.listOutgoing({ channel: "mail", state: "handed" }, null, 1);
        if (entry === undefined) throw new Error("No mail is being sent");
        const { channel, subject, accountId, payload } = entry;
        const newer = { channel, subject, accountId, payload, state: "waiting" as const, runAt: world.time.now };
        await world.store.transact((tx) => tx.outgoing.addOutgoing([newer], world.time.now));
      };
      server.next.push({ refuse: 451, text: "Try later", meanwhile });
      expect(await sendAll()).toMatchObject({ state: "waiting", lastError: "" });
      expect((await states()).slice(0, 2)).toEqual(["sent", "dropped"]);
      expect(receivers()).toEqual([mailOf("other")]);
    });

    test("R45 who started a change of many items is told of its end, with a link to a page", async () => {
      const ended = [{ action: "bulk-change-end", subject: "bulk-change:abc", detail: {} }] as const;
      const viewer = await world.viewer("curator");
      await world.store.transact((tx) => tx.audit(viewer, world.time.now, ended));
      await sendAll();
      expect(receivers()).toEqual([mailOf("curator")]);
      const text = textOf(server.received[0]?.source ?? "");
      expect(text).toMatch(/^The change of many items that you started has ended\.\r?\nhttps?:\/\/[^/]+\/me\r?\n/);
    });

    test("R45 the answer to an invitation is not told in the words of submissions", async () => {
      for (const [who, action] of [
        ["other", "accept"],
        ["stranger", "decline"],
      ] as const) {
        await invited(who);
        await sendAll();
        server.received.length = 0;
        const [request] = await world.store.requests.findRequests(
          { types: ["community-invitation"], statuses: ["submitted"], receiver: world.people[who].account.id },
          "newest",
          0,
          1,
        );
        await world.ok(world.act(who, request?.id ?? "", action), 200);
        await sendAll();
        expect(receivers()).toEqual([]);
      }
    });

    test("R9b a change that causes a notice waits for no other one, which is still open", async () => {
      await sendAll();
      const cause = (subject: string) => [{ action: "bulk-change-end", subject, detail: {} }] as const;
      const job = async () => (await world.store.jobs.listJobs({ kind: OUTGOING_JOB }, null, 1))[0];
      expect((await job())?.runAt).not.toBe(world.time.now);
      const viewer = await world.viewer("curator");
      await world.store.transact(async (tx) => {
        await tx.audit(viewer, world.time.now, cause("bulk-change:one"));
        // SQLite has one writer at a time.
        if (database.name === "PostgreSQL") {
          await world.store.transact((other) => other.audit(viewer, world.time.now, cause("bulk-change:two")));
        }
      });
      expect(await job()).toMatchObject({ state: "waiting", runAt: world.time.now });
      await sendAll();
      expect(server.received).toHaveLength(database.name === "PostgreSQL" ? 2 : 1);
    });

    test("R41 a message whose answer was lost is not sent again, and is listed", async () => {
      await submitted();
      server.next.push("break");
      await sendAll();
      later(3_600_000);
      await sendAll();
      // Both were received once; of the first nobody knows.
      expect(receivers()).toEqual([mailOf("curator"), mailOf("manager")].toSorted());
      expect((await states()).slice(0, 2).toSorted()).toEqual(["sent", "uncertain"]);
    });
  });
});

const metadataOf = (title: string) => ({
  title,
  publication_date: "2026-01-01",
  resource_type: { id: "publication-article" },
  creators: [{ person_or_org: { type: "personal", family_name: "Sato", given_name: "Hana" } }],
});
