// What the database promises of requests, on both (R37; specification 3, "States and transitions"): one review of a
// thing, one open request of a thing to a community, one open invitation of a person; ends are final; the timeline has
// no gap and no double.

import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import type { CommunityRequest } from "../../src/repository/store/requests.ts";
import { uuidOf } from "../../src/shared/hash/digests.ts";
import { onEachDatabase } from "../support/databases.ts";
import { rawDatabase } from "../support/filed-items.ts";
import { temporaryFolder } from "../support/processes.ts";
import { NOW } from "../support/seed.ts";
import { itemsWorld, type World } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";

const random = platformRandom();
const uuid = (): string => uuidOf(random.bytes(16));

/** On SQLite, however many there are. */
describe("what lists of what waits read", () => {
  const folder = temporaryFolder("request-lists");
  afterAll(() => folder.remove());

  test("R9b a page near the beginning is one walk for those who see much, and tasks are found among what waits", async () => {
    const url = join(folder.path, "requests.db");
    const world = await itemsWorld({ url });
    const account = (await world.person([3])).account?.id ?? 0;
    const { sql, close } = await rawDatabase(url);
    await sql(`with recursive n (n) as (values (1) union all select n + 1 from n where n < 1000)
      insert into request (uuid, type, status, title, searched, community_id, topic_item, topic_parent, account_id, linked,
        revision, events, created_at, updated_at, submitted_at)
      select 'request ' || n, 'community-submission', 'accepted', 'T', 't', '${world.community}', n, n, ${account}, 0,
        1, 0, '${NOW}', '${NOW}', '${NOW}' from n`);
    await close();
    const asked: string[] = [];
    const store = await openRepositoryStore({ url, onStatement: (text) => void asked.push(text) });
    const database = new DatabaseSync(url);
    const steps = (text: string) =>
      database
        .prepare(`explain query plan ${text}`)
        .all()
        .map(({ detail }) => String(detail));
    const page = async (who: number, curated: readonly string[]) => {
      asked.length = 0;
      const found = await store.requests.findRequests(
        { seenBy: { account: who, curated, managed: [] } },
        "newest",
        25,
        25,
      );
      return [found.length, asked.length];
    };
    expect(await page(0, [world.community])).toEqual([25, 1]);
    expect(steps(asked[0] ?? "").filter((step) => /TEMP B-TREE|SCAN|request_by_/.test(step))).toEqual([]);
    expect(await page(account, [])).toEqual([25, 1]);
    expect(await page(0, [])).toEqual([0, 2]);
    asked.length = 0;
    const counted = await store.requests.countRequests({
      seenBy: { account: 0, curated: [world.community], managed: [world.community] },
    });
    expect([counted.total, asked.length]).toEqual([1000, 5]);
    // From the index alone.
    expect(steps(asked[0] ?? "").filter((step) => /^S\w+ request/.test(step))).toEqual([
      expect.stringContaining("COVERING INDEX request_counts"),
    ]);
    asked.length = 0;
    const sight = { account: 0, everything: false, curated: [world.community], managed: [], owned: [] };
    await store.requests.countRequestTasks(sight);
    // Nothing waits.
    expect(await store.requests.requestTasks(sight, { after: null, limit: 25 })).toEqual([]);
    expect(asked.length).toBe(3);
    for (const text of asked) expect(steps(text).filter((step) => step.includes("request_by_community"))).toEqual([]);
    asked.length = 0;
    const reach = { account, everything: false, workflows: [], communities: [world.community] };
    await store.activities.countActivities({ seenBy: { reach, condition: "todo" } });
    // Of one item at a time, not of all that are filed in the communities.
    const filed = steps(asked[0] ?? "").filter((step) => /item_community/.test(step) && !/parent_id=\?/.test(step));
    expect(filed).toEqual([]);
    database.close();
    await store.close();
    await world.close();
  });
});

describe("tasks and requests of one account", () => {
  onEachDatabase((database) => {
    const COMMUNITIES = ["one", "two", "three", "four"];
    const waiting = async () => {
      const url = await database.url();
      const world = await itemsWorld({ url });
      const people = await Promise.all([3, 3, 3].map(() => world.person([3])));
      const accounts = people.map(({ account }) => account?.id ?? 0);
      const { sql, close } = await rawDatabase(url);
      const [row = {}] = await sql<Record<string, unknown>>(`select * from community where id = '${world.community}'`);
      const names = Object.keys(row);
      const literal = (value: unknown): string =>
        value === null
          ? "null"
          : typeof value === "number"
            ? String(value)
            : `'${String(value).replaceAll("'", "''")}'`;
      for (const id of [...COMMUNITIES, ...Array.from({ length: 120 }, (_, n) => `c${n}`)]) {
        const values = Object.values({ ...row, id, slug: `slug-${id}` }).map(literal);
        await sql(`insert into community (${names.join(", ")}) values (${values.join(", ")})`);
      }
      for (let n = 0; n < 120; n += 1) {
        const isInvitation = n % 3 === 0;
        const asks = isInvitation && n % 2 === 0 ? 1 : 0;
        const [maker, receiver] = [
          accounts[Math.floor(n / 3) % 3],
          isInvitation && asks === 0 ? accounts[(Math.floor(n / 3) + 1) % 3] : null,
        ];
        const at = new Date(Date.parse(NOW) + ((n * 37) % 60) * 1_000).toISOString();
        const unique = asks === 1 || receiver !== null ? `c${n}` : COMMUNITIES[n % 4];
        const community = asks === 1 && n % 4 === 0 ? COMMUNITIES[n % 4] : unique;
        await sql(`insert into request (uuid, type, asks_to_join, status, title, searched, community_id, topic_item,
            topic_parent, account_id, receiver_account, role, linked, revision, events, created_at, updated_at, submitted_at)
          select 'mixed ${n}', '${isInvitation ? "community-invitation" : "community-submission"}', ${asks},
            '${n % 5 === 0 ? "accepted" : "submitted"}', 'T', 't', '${community}', ${n}, ${n}, ${maker},
            ${receiver ?? "null"}, ${isInvitation ? `'${n % 4 === 0 ? "owner" : "reader"}'` : "null"}, 0, 1, 0, '${at}', '${at}', '${at}'
          where not exists (select 1 from request where asks_to_join = 1 and ${asks} = 1 and account_id = ${maker}
            and community_id = '${community}')`);
      }
      await close();
      return { world, url, accounts };
    };

    test("R9b the first tasks are those of the whole list, however few are asked for", async () => {
      const { world, accounts } = await waiting();
      const { requests } = world.store;
      for (const account of [...accounts, 0])
        for (const everything of [false, true])
          for (const [curated, managed, owned] of [
            [[], [], []],
            [["one", "two"], ["one", "four"], ["four"]],
            [COMMUNITIES, COMMUNITIES, COMMUNITIES],
          ] as const) {
            const sight = { account, everything, curated, managed, owned };
            const all = await requests.requestTasks(sight, { after: null, limit: 1_000 });
            expect(await requests.countRequestTasks(sight)).toBe(all.length);
            for (const limit of [1, 2, 7, Math.max(1, all.length)]) {
              const first = await requests.requestTasks(sight, { after: null, limit });
              expect(first.map(({ id }) => id)).toEqual(all.slice(0, limit).map(({ id }) => id));
              const last = first.at(-1);
              if (last === undefined) continue;
              const after = { since: last.submittedAt ?? "", id: last.number };
              const next = await requests.requestTasks(sight, { after, limit });
              expect(next.map(({ id }) => id)).toEqual(all.slice(limit, 2 * limit).map(({ id }) => id));
            }
          }
      await world.close();
    });

    test("R9b requests that one has made or received are found and counted without what else one may see", async () => {
      const { world, url, accounts } = await waiting();
      const asked: string[] = [];
      const store = await openRepositoryStore({ url, onStatement: (text) => void asked.push(text) });
      const [account = 0, other = 0] = accounts;
      const seenBy = { account, curated: COMMUNITIES, managed: COMMUNITIES };
      for (const own of [{ creator: account }, { receiver: account }]) {
        asked.length = 0;
        const found = await store.requests.findRequests({ ...own, seenBy }, "newest", 0, 1_000);
        const { total } = await store.requests.countRequests({ ...own, seenBy });
        expect(asked.length).toBe(2);
        for (const text of asked) expect(text).not.toContain("item_share");
        expect(total).toBe(found.length);
        expect(found.length).toBeGreaterThan(0);
        const plain = await store.requests.findRequests(own, "newest", 0, 1_000);
        expect(found).toEqual(plain);
      }
      // What others have made is seen as far as one may.
      const ofOther = await store.requests.findRequests(
        { creator: other, seenBy: { ...seenBy, curated: [], managed: [] } },
        "newest",
        0,
        1_000,
      );
      expect(ofOther.every(({ receiver }) => receiver === account)).toBe(true);
      await store.close();
      await world.close();
    });
  });
});

describe("requests", () => {
  onEachDatabase((database) => {
    async function opened(work: (world: World, account: number) => Promise<void>): Promise<void> {
      const world = await openWorld({ items: true, database });
      await work(world, (await world.person([3])).account?.id ?? 0);
    }
    const aRequest = (world: World, account: number, more: Partial<CommunityRequest> = {}) => ({
      ...{ id: uuid(), type: "community-submission" as const, status: "created" as const, title: "Tides ＡＢＣ" },
      ...{
        community: world.community,
        item: 11,
        parent: 10,
        creator: account,
        receiver: null,
        role: null,
        holder: null,
      },
      ...{ linked: true, revision: 1, events: 0, createdAt: NOW, updatedAt: NOW, submittedAt: null },
      ...more,
    });
    const insert = (world: World, request: Omit<CommunityRequest, "number">) =>
      world.store.transact((tx) => tx.requests.insertRequest(request));

    test("S3.6.134: what was inserted is read, changed and counted; one that was not submitted is in no list", async () => {
      await opened(async (world, account) => {
        const { requests } = world.store;
        const made = await insert(world, aRequest(world, account));
        if (made === null) throw new Error("The request was not made");
        expect(await requests.request(made.id)).toEqual(made);
        expect((await requests.countRequests({})).total).toBe(0);
        const submitted = { ...made, status: "submitted" as const, submittedAt: NOW };
        await world.store.transact((tx) => tx.requests.saveRequest(submitted));
        expect(await requests.request(made.id)).toEqual({ ...submitted, revision: 2 });
        const words = (text: string) => ({ sought: { kind: "contains" as const, field: "words", text } });
        expect((await requests.countRequests(words("abc"))).total).toBe(1);
        expect((await requests.countRequests(words("a%c"))).total).toBe(0);
        const sight = (more: object) => ({ seenBy: { account: 0, curated: [], managed: [], ...more } });
        expect((await requests.countRequests(sight({}))).total).toBe(0);
        expect((await requests.countRequests(sight({ account }))).total).toBe(1);
        expect((await requests.countRequests(sight({ curated: [world.community] }))).total).toBe(1);
        expect((await requests.countRequests(sight({ managed: [world.community] }))).total).toBe(0);
      });
    });

    describe("lists of those who see much, or little of much", () => {
      const MANY = 700;

      /** Of two communities in turns, made by two accounts in turns of three; the first is also of the other's record. */
      async function many(work: (world: World, accounts: readonly number[], other: string) => Promise<void>) {
        await opened(async (world, account) => {
          const another = (await world.person([3])).account?.id ?? 0;
          const other = uuid();
          const c1 = await world.store.communities.community(world.community);
          if (c1 === null) throw new Error("There is no community");
          await world.store.transact((tx) =>
            tx.communities.saveCommunity({ ...c1, id: other, slug: "c2", rootIndex: 2 }),
          );
          for (let n = 0; n < MANY; n += 1) {
            await insert(
              world,
              aRequest(world, n % 3 === 0 ? another : account, {
                ...{ type: "community-inclusion", status: n % 5 === 0 ? "accepted" : "submitted", linked: false },
                ...{ community: n % 2 === 0 ? world.community : other, parent: n + 100, submittedAt: NOW },
              }),
            );
          }
          await work(world, [account, another], other);
        });
      }

      test("R9b each page of each sort is that of all that the person may see, and so are the counts", async () => {
        await many(async ({ store: { requests }, community }, [account = 0, another = 0], other) => {
          const all = await requests.findRequests({}, "oldest", 0, MANY);
          expect(all.length).toBe(MANY);
          for (const [curated, who] of [
            [[], another],
            [[community], another],
            [[community, other], account],
            [[other], 0],
            [[], 0],
          ] as const) {
            const filter = { seenBy: { account: who, curated, managed: [] } };
            const visible = all.filter(
              ({ creator, community: of }) => creator === who || curated.some((id) => id === of),
            );
            expect((await requests.countRequests(filter)).total).toBe(visible.length);
            for (const sort of ["newest", "oldest"] as const) {
              const expected = sort === "oldest" ? visible : visible.toReversed();
              for (const offset of [0, 40, 180, 480, 690]) {
                const found = await requests.findRequests(filter, sort, offset, 20);
                expect(found.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 20).map(({ id }) => id));
              }
            }
          }
        });
      });
    });

    const onlyOne: readonly (readonly [string, Partial<CommunityRequest>])[] = [
      ["review of a thing", {}],
      ["open request of a thing to a community", { type: "community-inclusion", status: "submitted", linked: false }],
      [
        "open invitation of a person",
        { type: "community-invitation", status: "submitted", linked: false, item: null, parent: null },
      ],
      [
        "open request of a person to join",
        { type: "community-membership-request", status: "submitted", linked: false, item: null, parent: null },
      ],
    ];
    test.each(onlyOne)(
      "S3.6.126 S3.6.139 S3.6.125 P.216: of twenty who insert one %s at once one does",
      async (_, more) => {
        await opened(async (world, account) => {
          const receiver = more.type === "community-invitation" ? account : null;
          const inserted = await Promise.all(
            Array.from({ length: 20 }, () => insert(world, aRequest(world, account, { ...more, receiver }))),
          );
          const [first] = inserted.filter((each) => each !== null);
          expect([inserted.filter((each) => each !== null).length, first === undefined]).toEqual([1, false]);
          if (first === undefined) return;
          const ended = { ...first, status: "declined" as const, linked: false };
          await world.store.transact(async (tx) => {
            await tx.requests.saveRequest({ ...first, status: "submitted" });
            await tx.requests.saveRequest(ended);
          });
          expect(await insert(world, aRequest(world, account, { ...more, receiver }))).not.toBeNull();
        });
      },
    );

    test("S3.6.134: what has ended stays so, whatever a program writes; only what was never submitted is removed", async () => {
      await opened(async (world, account) => {
        for (const end of ["accepted", "declined", "cancelled", "expired"] as const) {
          const made = await insert(world, aRequest(world, account, { status: "submitted", linked: false }));
          if (made === null) throw new Error("The request was not made");
          await world.store.transact((tx) => tx.requests.saveRequest({ ...made, status: end }));
          for (const status of ["submitted", end === "accepted" ? "declined" : "accepted"] as const) {
            const again = world.store.transact((tx) => tx.requests.saveRequest({ ...made, status }));
            await expect(again).rejects.toThrow();
          }
          await world.store.transact((tx) => tx.requests.deleteRequest(made.number));
          expect((await world.store.requests.request(made.id))?.status).toBe(end);
        }
      });
    });

    test("P.217: tasks of a person are those they may accept, in the order of their age, each on one page", async () => {
      await opened(async (world, account) => {
        const other = (await world.person([3])).account?.id ?? 0;
        const at = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
        const open = (n: number, more: Partial<CommunityRequest>) =>
          insert(world, aRequest(world, other, { status: "submitted", linked: false, submittedAt: at(n), ...more }));
        const thing = (n: number) => ({ item: n, parent: n });
        const persons = { item: null, parent: null };
        const [late = 0, early = 0, invited = 0, joining = 0] = [
          await open(5, thing(21)),
          await open(1, { type: "community-inclusion", ...thing(22), holder: other }),
          await open(2, { type: "community-invitation", receiver: account, ...persons }),
          await open(3, { type: "community-membership-request", role: "reader", ...persons }),
        ].map((each) => each?.number ?? 0);
        await open(1, { creator: account, ...thing(23) });
        await insert(world, aRequest(world, other, { status: "declined", linked: false, submittedAt: at(1) }));
        const { requests } = world.store;
        const none = { account, curated: [], managed: [], owned: [], everything: false };
        const tasks = async (sight: object, part: object = {}) => {
          const found = await requests.requestTasks({ ...none, ...sight }, { after: null, limit: 10, ...part });
          return found.map(({ number }) => number);
        };
        const here = [world.community];
        expect(await tasks({})).toEqual([invited]);
        expect(await tasks({ curated: here })).toEqual([early, invited, late]);
        expect(await tasks({ curated: here, managed: here })).toEqual([early, invited, joining, late]);
        const third = (await world.person([3])).account?.id ?? 0;
        const role = "owner" as const;
        const owner = await open(4, { type: "community-membership-request", role, creator: third, ...persons });
        expect(await tasks({ managed: here })).toEqual([invited, joining]);
        expect(await tasks({ managed: here, owned: here })).toEqual([invited, joining, owner?.number ?? 0]);
        await world.store.transact(async (tx) => {
          if (owner !== null) await tx.requests.saveRequest({ ...owner, status: "cancelled" });
        });
        expect(await tasks({ everything: true })).toEqual([early, invited, joining, late]);
        expect(await tasks({ everything: true }, { isFree: true })).toEqual([invited, joining, late]);
        const all = { ...none, everything: true };
        expect([await requests.countRequestTasks(all), await requests.countRequestTasks(none)]).toEqual([4, 1]);
        const after = { since: at(2), id: invited };
        expect(await tasks({ everything: true }, { after, limit: 1 })).toEqual([joining]);
      });
    });

    test("S3.6.136: entries of a timeline that come at once are one after the other", async () => {
      await opened(async (world, account) => {
        const made = await insert(world, aRequest(world, account, { status: "submitted" }));
        if (made === null) throw new Error("The request was not made");
        const entry = { request: made.number, kind: "comment" as const, account, event: "", createdAt: NOW };
        await Promise.all(
          Array.from({ length: 30 }, (_, n) =>
            world.store.transact((tx) => tx.requests.addEvent({ ...entry, id: uuid(), content: `c${n}` })),
          ),
        );
        const { requests } = world.store;
        const all = await requests.timeline(made.number, "oldest", 0, 100);
        expect(all.map(({ position }) => position)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
        expect(await requests.timeline(made.number, "newest", 1, 2)).toEqual([...all].reverse().slice(1, 3));
        expect([await requests.countEvents(made.number), (await requests.request(made.id))?.events]).toEqual([30, 30]);
        const last = all.at(-1);
        expect((await requests.lastComments([made.number])).get(made.number)).toEqual(last);
        if (last === undefined) return;
        await world.store.transact((tx) => tx.requests.saveEvent({ ...last, kind: "log", event: "comment_deleted" }));
        expect((await requests.lastComments([made.number])).get(made.number)?.position).toBe(29);
        expect(await requests.countComments([made.number, made.number + 1])).toEqual(new Map([[made.number, 29]]));
        expect(await requests.event(last.id)).toMatchObject({ kind: "log", revision: 2 });
      });
    });
  });
});
