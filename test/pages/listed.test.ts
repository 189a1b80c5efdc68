// Lists read what they show (R9a): the metadata of every item is made unreadable behind the service's back, and lists
// and files are as before.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Job } from "../../src/jobs/job.ts";
import type { Item } from "../../src/model/items/item.ts";
import { itemJobs, SUMMARY_JOB } from "../../src/repository/items/jobs.ts";
import { onEachDatabase } from "../support/databases.ts";
import { rawDatabase } from "../support/filed-items.ts";
import { anAgent } from "../support/world/authors.ts";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const LIST_PATHS = ["/", "/index/7", "/index/7/feed", "/sitemap.xml", "/sitemap/0"];
const FILES = Array.from({ length: 300 }, (_, at) => `file ${at}.txt`);
const AUTHORS = Array.from({ length: 300 }, (_, at) =>
  anAgent({ kind: "personal", names: [{ family: `Author${at}`, given: "A" }] }),
);

const JOB: Job = {
  id: 1,
  kind: SUMMARY_JOB,
  subject: "",
  payload: null,
  state: "running",
  attempts: 1,
  runAt: "2026-01-01T00:00:00.000Z",
  leaseOwner: null,
  leaseUntil: null,
  lastError: "",
  progress: "",
  createdAt: "2026-01-01T00:00:00.000Z",
  doneAt: null,
};

describe("lists read what they show", () => {
  onEachDatabase((database) => {
    const statements: { readonly text: string; readonly parameters: readonly unknown[] }[] = [];
    const onStatement = (text: string, parameters: readonly unknown[]): void =>
      void statements.push({ text, parameters });
    const world = setUpWorld(async () => ({ pages: { url: await database.url(), onStatement } }));
    let raw: Awaited<ReturnType<typeof rawDatabase>>;
    let item: Item;
    beforeAll(async () => {
      raw = await rawDatabase(world.config.databaseUrl);
      await world.index({ id: 7, rssStatus: true });
      const bytes = await world.file("bytes", "Hello");
      const files = FILES.map((each, number) => ({
        ...bytes,
        name: each,
        ...(number === 2 ? { access: "closed" as const } : {}),
      }));
      const metadata = titled("Much of everything", {
        creators: AUTHORS,
        descriptions: [{ value: "words ".repeat(100_000), kind: "Abstract", html: false }],
      });
      item = await world.publish({ metadata, files, indexes: [7] });
      await world.publish({
        metadata: titled("Not yet"),
        files: [{ ...bytes, access: "date", accessDate: "2199-01-01" }],
        indexes: [7],
      });
    });
    afterAll(() => raw.close());
    const jobs = () =>
      itemJobs({
        store: world.store,
        clock: { now: () => world.time.now },
        timeZone: "UTC",
        items: world.items,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      });
    const fill = () =>
      jobs()[SUMMARY_JOB]?.run(JOB, { signal: new AbortController().signal, progress: async () => {} });
    /** What the lists show, and the first file. */
    const asked = async (): Promise<readonly string[]> => {
      const pages = await Promise.all(LIST_PATHS.map((path) => world.visitor().get(path)));
      expect(pages.map(({ status }) => status)).toEqual(LIST_PATHS.map(() => 200));
      return pages.map(({ text }) => text);
    };
    /** Metadata nobody can read, and back. */
    const unreadable = async (work: () => Promise<void>): Promise<void> => {
      await raw.sql("update item set metadata = '{' || metadata where metadata is not null");
      try {
        await work();
      } finally {
        await raw.sql("update item set metadata = substr(metadata, 2) where metadata is not null");
      }
    };

    test("R9a front page, index, feed and site map read no item's metadata", async () => {
      const before = await asked();
      expect(before[0]).toContain("Much of everything");
      expect(before[0]).toContain("Author0, A");
      expect(before[0]).not.toContain("Author5, A");
      expect(before[1]).toContain("Partly open");
      expect(before[1]).toContain("Under embargo until");
      expect(before[2]?.length).toBeLessThan(20_000);
      expect(before[4]).toContain(`/records/${item.id}</loc>`);
      await unreadable(async () => expect(await asked()).toEqual(before));
    });

    test("Q.305 a site map asks for items between its own numbers, not for older ones", async () => {
      statements.length = 0;
      expect((await world.visitor().get("/sitemap/3")).text).not.toContain("<url>");
      const [list, ...more] = statements.filter(({ text }) => /from "item" as "i"/.test(text));
      expect(more).toEqual([]);
      expect(list?.text).toMatch(/"i"."id" >= \S+ .*"i"."id" < /);
      expect(list?.parameters).toEqual(expect.arrayContaining([30_000, 40_000]));
      expect((await world.visitor().get("/sitemap/0")).text).toContain(`/records/${item.id}</loc>`);
    });

    test("R9a a file is found without its item's metadata and without its other files", async () => {
      await unreadable(async () => {
        await raw.sql(
          `update file_set_entry set properties = '{' || properties where name <> 'file 1.txt' and name <> 'file 2.txt'`,
        );
        const { status, text } = await world.visitor().get(`/records/${item.id}/files/file%201.txt`);
        expect([status, text]).toEqual([200, "Hello"]);
        expect((await world.visitor().get(`/records/${item.id}/files/file%202.txt`)).status).toBe(403);
        expect((await world.visitor().get(`/records/${item.id}/files/nothing`)).status).toBe(404);
        expect((await world.visitor().get(`/records/${item.parentId}/files/file%201.txt`)).status).toBe(200);
        await raw.sql(
          `update file_set_entry set properties = substr(properties, 2) where name <> 'file 1.txt' and name <> 'file 2.txt'`,
        );
      });
    });

    test("R9a items without a summary, or with that of another revision, are listed as they are, and the job fills it in", async () => {
      const before = await asked();
      await raw.sql("delete from item_summary");
      expect(await asked()).toEqual(before);
      await raw.sql(`insert into item_summary (item_id, revision, content) values (${item.id}, 77, '{}')`);
      expect(await asked()).toEqual(before);
      await raw.sql("delete from item_summary where revision = 77");
      await fill();
      expect(
        (await raw.sql<{ n: number }>("select count(*) as n from item_summary")).map(({ n }) => Number(n)),
      ).toEqual([2]);
      await unreadable(async () => expect(await asked()).toEqual(before));
    });

    test("R9a R2b what was destroyed is in no list, before the job and after it", async () => {
      const gone = await world.publish({ metadata: titled("Must be forgotten") });
      expect((await asked())[0]).toContain("Must be forgotten");
      await world.store.transact((tx) => tx.items.erase(gone.id, null, null, world.time.now));
      expect((await asked())[0]).not.toContain("Must be forgotten");
      await fill();
      expect((await asked())[0]).not.toContain("Must be forgotten");
      expect(await raw.sql("select 1 as found from item_summary where content like '%forgotten%'")).toEqual([]);
    });

    test("R9a R25 an item that lost its index is listed without being read again", async () => {
      await world.index({ id: 8 });
      const filed = await world.publish({ metadata: titled("Will be private"), indexes: [7, 8] });
      const by = { action: "index.delete", at: world.time.now, by: null };
      await world.store.transact((tx) => tx.indexes.unfile([8], by));
      const [row] = await raw.sql<{ same: number }>(
        `select count(*) as same from item i join item_summary s on s.item_id = i.id and s.revision = i.revision where i.id = ${filed.id}`,
      );
      expect(Number(row?.same)).toBe(1);
    });
  });
});
