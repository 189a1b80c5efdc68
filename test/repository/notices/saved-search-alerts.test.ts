// Alerts of saved searches (issue 26), the whole way: the search over HTTP, the jobs, and a real SMTP server.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { OUTGOING_JOB } from "../../../src/model/notices/notice-rules.ts";
import { ALERT_JOB } from "../../../src/repository/saved-searches/alert-jobs.ts";
import type { AlertFrequency } from "../../../src/repository/store/saved-searches.ts";
import { addMilliseconds } from "../../../src/shared/time/instant.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { setUpWorld } from "../../support/world.ts";

const DAY_MS = 86_400_000;

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
  describe(`alerts of saved searches (${database.name})`, () => {
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
    });

    const later = (milliseconds: number): void => {
      world.time.now = addMilliseconds(world.time.now, milliseconds);
    };
    const { access } = aContent();
    const publish = async (title: string, more: object = {}) =>
      (
        await world.items.createAndPublish(await world.viewer("registered"), {
          content: aContent({ metadata: titled(title), ...more }),
        })
      ).item;
    async function save(query: string, frequency: AlertFrequency = "daily", name = "My search"): Promise<string> {
      const body = { name, query, frequency };
      return (await world.ok<{ id: string }>(world.send("other", "POST", "/api/user/saved-searches", body), 201)).id;
    }
    /** Titles of the messages that are sent now. */
    async function sent(): Promise<readonly (readonly string[])[]> {
      server.received.length = 0;
      await world.runJob(ALERT_JOB);
      await world.runJob(OUTGOING_JOB);
      return server.received.map(({ source }) => {
        const lines = textOf(source).split(/\r?\n/);
        return lines.filter((_, at) => /^http.*\/records\/\d+$/.test(lines[at + 1] ?? "")).toSorted();
      });
    }

    test("Q.28 new items are sent each day, each once, and not what was there before or is hidden", async () => {
      await publish("Heron before");
      const id = await save("q=heron", "daily", "鷺 <b>");
      later(1_000);
      await publish("Heron one");
      await publish("Heron two");
      await publish("Crane");
      await publish("Heron hidden", { access: { ...access, record: "restricted" } });
      expect(await sent()).toEqual([]);
      later(DAY_MS);
      expect(await sent()).toEqual([["Heron one", "Heron two"]]);
      const source = server.received[0]?.source ?? "";
      expect(server.received[0]?.to).toEqual([world.people.other.account.mail ?? ""]);
      expect(source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
      expect(source).toMatch(/^List-Unsubscribe:\s+<[^>]*\/account\/searches\/stop\?search=/m);
      expect(source).toMatch(/^Subject: \[Arkstone\] New items of a saved search/m);
      expect(textOf(source)).toContain("New items of your saved search “鷺 <b>”:");
      expect(await sent()).toEqual([]);
      later(DAY_MS);
      await publish("Heron three");
      expect(await sent()).toEqual([["Heron three"]]);
      later(DAY_MS);
      expect(await sent()).toEqual([]);
      await world.store.transact((tx) => tx.savedSearches.deleteSavedSearch(id));
    });

    test("Q.28 a kill between finding and sending repeats nothing and loses nothing", async () => {
      const id = await save("q=kingfisher");
      later(1_000);
      await publish("Kingfisher");
      later(DAY_MS);
      // The alert ran and the process ended before the outbox did; then the same alert is due again.
      await world.runJob(ALERT_JOB);
      const search = await world.store.savedSearches.savedSearch(id);
      if (search === null) throw new Error("It is there");
      await world.store.transact((tx) => tx.savedSearches.saveSavedSearch({ ...search, nextRunAt: world.time.now }));
      expect(await sent()).toEqual([["Kingfisher"]]);
      // The mail server is away: the message waits and is sent once.
      await publish("Kingfisher again");
      later(DAY_MS);
      server.next.push({ refuse: 451, text: "Try later" });
      expect(await sent()).toEqual([]);
      later(DAY_MS);
      expect((await sent()).flat()).toEqual(["Kingfisher again"]);
      later(DAY_MS);
      expect(await sent()).toEqual([]);
      await world.store.transact((tx) => tx.savedSearches.deleteSavedSearch(id));
    });

    test("Q.28 rights at the time of sending decide; what is hidden then is sent when it can be read", async () => {
      const id = await save("q=osprey");
      later(1_000);
      const item = await publish("Osprey");
      await publish("Osprey open");
      later(DAY_MS);
      await world.runJob(ALERT_JOB);
      const change = async (record: "public" | "restricted") => {
        const viewer = await world.viewer("registered");
        const content = aContent({ metadata: titled("Osprey"), access: { ...access, record } });
        await world.items.revise(viewer, item.id, { content });
      };
      await change("restricted");
      expect(await sent()).toEqual([["Osprey open"]]);
      later(DAY_MS);
      expect(await sent()).toEqual([]);
      await change("public");
      later(DAY_MS);
      expect(await sent()).toEqual([["Osprey"]]);
      later(DAY_MS);
      expect(await sent()).toEqual([]);
      await world.store.transact((tx) => tx.savedSearches.deleteSavedSearch(id));
    });

    // Thousands of statements that are the same on both databases.
    test.skipIf(database.name === "PostgreSQL")(
      "Q.28 a message has at most 50 items, the others are in the next one",
      async () => {
        const id = await save("q=swallow");
        later(1_000);
        for (let i = 0; i < 53; i += 1) await publish(`Swallow ${i}`);
        later(DAY_MS);
        const [first = []] = await sent();
        expect([first.length, textOf(server.received[0]?.source ?? "").includes("There are more")]).toEqual([50, true]);
        later(DAY_MS);
        const [second = []] = await sent();
        expect([second.length, new Set([...first, ...second]).size]).toEqual([3, 53]);
        await world.store.transact((tx) => tx.savedSearches.deleteSavedSearch(id));
      },
    );

    test("Q.28 weekly mails come after seven days", async () => {
      const id = await save("q=dipper", "weekly");
      later(1_000);
      await publish("Dipper");
      for (const day of [2, 5]) {
        later((day === 2 ? 2 : 3) * DAY_MS);
        expect([day, await sent()]).toEqual([day, []]);
      }
      later(2 * DAY_MS);
      expect(await sent()).toEqual([["Dipper"]]);
      await world.store.transact((tx) => tx.savedSearches.deleteSavedSearch(id));
    });

    test("Q.29 nothing is sent to a disabled account, and a closed one has no searches", async () => {
      await save("q=plover", "daily", "Plovers");
      later(1_000);
      await publish("Plover");
      later(DAY_MS);
      const { account } = world.people.other;
      const setActive = (active: boolean) =>
        world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active }));
      await setActive(false);
      expect(await sent()).toEqual([]);
      await setActive(true);
      later(DAY_MS);
      expect(await sent()).toEqual([["Plover"]]);
      const exported = JSON.stringify(
        (await world.store.personalData.personalRows("saved_searches", account.id, null)).rows,
      );
      expect([exported.includes("Plovers"), exported.includes("feed_hash")]).toEqual([true, false]);
      await world.store.transact((tx) => tx.personalData.forgetAccess(account.id));
      expect(await world.store.savedSearches.savedSearchesOf(account.id)).toEqual([]);
    });
  });
});
