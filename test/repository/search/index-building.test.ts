// An index that is built by threads, which read the database themselves, and one whose build was interrupted (R34): the
// same documents in the same rows, and the same answers, as one that is built in one thread, which is the oracle.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openRepositoryStore } from "../../../db/repository/store.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { jsonLog } from "../../../src/adapters/log.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { documentThreads } from "../../../src/main/document-threads.ts";
import { startIndexThread } from "../../../src/main/index-thread.ts";
import { DocumentsReader } from "../../../src/repository/search/document/document-reading.ts";
import { differences } from "../../../src/repository/search/index/compare-documents.ts";
import type { DocumentThreads } from "../../../src/repository/search/index/document-threads.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { fileItems, prepareItems, rawDatabase } from "../../support/filed-items.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { standIn } from "../../support/typesense/substitute.ts";
import { aContent, aFile, RESTRICTED, TODAY, titled } from "../../support/world/items.ts";
import { searching, words } from "../../support/world/search.ts";
import { openWorld } from "../../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
/** Filed past the services: several pages of them for each thread. */
const FILED = 120;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const newFolder = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), "index-building-")));
  return folders.at(-1) ?? "";
};
const embedded = (folder: string) => openEmbeddedIndex({ folder, hold: holdLock, startThread: startIndexThread });

/** Versions, drafts, deleted and hidden items, files that were read, an embargo, and many plain ones. */
async function filledWorld(url: string) {
  const world = await openWorld({ items: { arks: false, url } });
  const owner = (await world.person([3])).account?.id ?? 0;
  const publish = async (title: string, more: Parameters<typeof aContent>[0] = {}): Promise<number> => {
    const content = aContent({ metadata: titled(title), ...more });
    return (await world.items.createAndPublish(WHO, { content, owner })).item.id;
  };
  const sha256 = "cd".repeat(32);
  await publish("Libraries of the north", { indexes: [1, 3] });
  const versioned = await publish("量子コンピュータの基礎", { indexes: [11] });
  const second = await world.items.newVersion(WHO, versioned, {
    content: aContent({ metadata: titled("Second version") }),
  });
  await publish("Hidden libraries", { access: RESTRICTED, indexes: [2] });
  await publish("Later libraries", { access: { ...RESTRICTED, embargoUntil: "2999-01-02" } });
  await publish("With a file", { files: [aFile("a.txt", { sha256 }), aFile("b.txt", { sha256, access: "login" })] });
  await world.store.transact((tx) =>
    tx.fullText.saveText({ sha256, state: "done", reason: "", reader: 1, at: world.time.now, text: "quantum 図書館" }),
  );
  const { sql, close } = await rawDatabase(url);
  await prepareItems(sql);
  await fileItems(sql, 1_000, FILED, (n) => (n % 3 === 0 ? [1] : n % 3 === 1 ? [3] : []));
  await sql("update item set state = 'deleted', deleted_at = updated_at where id in (1001, 1070)");
  await close();
  return { ...world, publish, versioned: second.item.id };
}

/** The rows of the file of an index, and the documents of each term. */
function rowsIn(folder: string) {
  const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".sqlite"));
  const database = new DatabaseSync(join(folder, name), { readOnly: true });
  database.exec("create virtual table temp.term using fts5vocab (main, word, instance)");
  const all = (query: string): unknown => database.prepare(query).all();
  const rows = {
    documents: all("select * from document order by slot"),
    keys: all("select * from facet_key order by number"),
    texts: all("select * from sort_text order by number"),
    terms: all("select term, doc from temp.term order by term, doc"),
    isWhole: all("select is_whole from meta"),
  };
  database.close();
  return rows;
}

const ranked = { where: words("libraries"), sort: [{ field: "sorttitle", descending: false }] };

onEachDatabase("Q.294 an index built by threads", (database) => {
  test("Q.294 it is row for row the one that is built in one thread, also where its build was interrupted", async () => {
    const url = await database.url();
    const world = await filledWorld(url);
    const threads: DocumentThreads = { ...documentThreads(url), count: 2, parentsAtOnce: 25, pagesBefore: 0 };
    const [plainFolder, threadsFolder, brokenFolder] = [newFolder(), newFolder(), newFolder()];

    const plain = await searching(world, embedded(plainFolder), { threads: null });
    await plain.follower.settled();
    const made: string[] = [];
    const counted: DocumentThreads = {
      ...threads,
      start: (...given) => {
        made.push(given[1]);
        return threads.start(...given);
      },
    };
    const threaded = await searching(world, embedded(threadsFolder), { threads: counted });
    await threaded.follower.settled();
    expect(made).toEqual(["rows", "rows"]);

    // The first process is stopped while its threads are at work.
    let asked = 0;
    const stopping: DocumentThreads = {
      ...threads,
      start: (...given) => {
        const thread = threads.start(...given);
        return {
          ...thread,
          async *make(...page) {
            asked += 1;
            const mayGoOn = asked < 3;
            yield* thread.make(...page);
            if (!mayGoOn) void first.follower.stop();
          },
        };
      },
    };
    const first = await searching(world, embedded(brokenFolder), { threads: stopping, waitMs: 0 });
    await first.follower.settled();
    while (first.follower.metrics().state === "building") await sleep(5);
    await first.close();
    const [left] = readdirSync(brokenFolder).filter((name) => name.endsWith(".sqlite"));
    const begun = new DatabaseSync(join(brokenFolder, left ?? ""), { readOnly: true });
    const { filled_to: filledTo, is_whole: isWhole } = begun.prepare("select * from meta").get() ?? {};
    begun.close();
    expect([Number(filledTo) > 0, isWhole]).toEqual([true, 0]);
    const second = await searching(world, embedded(brokenFolder), { threads });
    await second.follower.settled();
    expect(readdirSync(brokenFolder)).toContain(left ?? "");

    const answers = await plain.find(GUEST, ranked);
    expect(answers.total).toBeGreaterThan(0);
    for (const each of [threaded, second]) {
      expect(await each.find(GUEST, ranked)).toEqual(answers);
      expect(await each.ids(WHO)).toEqual(await plain.ids(WHO));
    }
    for (const each of [plain, threaded, second]) await each.close();
    const rows = rowsIn(plainFolder);
    expect(rows.documents).toHaveLength(FILED - 2 + 6);
    expect(rowsIn(threadsFolder)).toEqual(rows);
    expect(rowsIn(brokenFolder)).toEqual(rows);
    await world.close();
  });

  test("Q.294 where a thread fails, the build goes on without threads", async () => {
    const url = await database.url();
    const world = await filledWorld(url);
    let isFailed = false;
    const threads = documentThreads(url);
    const failing: DocumentThreads = {
      ...threads,
      count: 1,
      parentsAtOnce: 25,
      pagesBefore: 1,
      start: (...given) => ({
        ...threads.start(...given),
        async *make() {
          isFailed = true;
          yield* [];
          throw new Error("The thread ended");
        },
      }),
    };
    const search = await searching(world, embedded(newFolder()), { threads: failing, pollMs: 10 });
    await search.follower.settled();
    while (search.follower.metrics().state !== "following") await sleep(10);
    expect(isFailed).toBe(true);
    expect((await search.follower.answering().index.status()).documents).toBe(FILED - 2 + 6);
    await search.close();
    await world.close();
  });

  test("Q.294 where the threads do not reach the database, the build goes on without them, and none of them stays", async () => {
    const url = await database.url();
    const world = await filledWorld(url);
    const away = documentThreads(`${url}-away`);
    let [started, ended] = [0, 0];
    const threads: DocumentThreads = {
      ...away,
      ...{ count: 2, parentsAtOnce: 25, pagesBefore: 1 },
      start: (...given) => {
        const thread = away.start(...given);
        started += 1;
        return {
          ...thread,
          async close() {
            await thread.close();
            ended += 1;
          },
        };
      },
    };
    const search = await searching(world, embedded(newFolder()), { threads, pollMs: 10 });
    await search.follower.settled();
    while (search.follower.metrics().state !== "following") await sleep(10);
    expect([started, ended]).toEqual([2, 2]);
    expect((await search.follower.answering().index.status()).documents).toBe(FILED - 2 + 6);
    await search.close();
    await world.close();
  });

  test("Q.296 a shared index in Typesense that threads make lines for is the one that one thread makes", async () => {
    const url = await database.url();
    const world = await filledWorld(url);
    const threads: DocumentThreads = { ...documentThreads(url), count: 2, parentsAtOnce: 25, pagesBefore: 0 };
    const found = [];
    for (const each of [null, threads]) {
      const server = await standIn({ adminKey: "key" });
      const log = jsonLog("error", () => {});
      const collections = collectionsInMemory();
      const open = typesenseIndex({ urls: [server.url], apiKey: "key", name: "items", collections, log });
      const search = await searching(world, open, { threads: each });
      await search.follower.settled();
      const { index } = search.follower.answering();
      found.push([await index.digests(-1, 1_000), await search.ids(WHO), await search.find(GUEST, ranked)]);
      await search.close();
      await server.stop();
    }
    expect(found[0]?.[0]).toHaveLength(FILED - 2 + 6);
    expect(found[1]).toEqual(found[0]);
    await world.close();
  });

  test("Q.297 statements that read items for an index do not rise with their number", async () => {
    const url = await database.url();
    const world = await filledWorld(url);
    let statements = 0;
    const store = await openRepositoryStore({
      url,
      onStatement: () => {
        statements += 1;
      },
    });
    const parents = await store.items.parentsAfter(-1, 1_000);
    const costOf = async (some: readonly number[]): Promise<number> => {
      const read = new DocumentsReader(store, SHIPPED_SEARCH_SETTINGS, () => TODAY).inOnePass();
      const before = statements;
      for await (const { documents } of read(some)) expect(documents.length).toBeGreaterThan(0);
      return statements - before;
    };
    const [few, many] = [await costOf(parents.slice(0, 12)), await costOf(parents)];
    expect(parents.length).toBeGreaterThan(100);
    expect(many).toBeLessThanOrEqual(few);
    expect(many).toBeLessThanOrEqual(10);
    await store.close();
    await world.close();
  });

  test("Q.294 what changes while it is built is in it afterwards", async () => {
    const url = await database.url();
    const world = await filledWorld(url);
    const threads = documentThreads(url);
    let isChanged = false;
    const changing: DocumentThreads = {
      ...threads,
      count: 2,
      parentsAtOnce: 25,
      pagesBefore: 0,
      start: (...given) => {
        const thread = threads.start(...given);
        return {
          ...thread,
          async *make(...page) {
            for await (const each of thread.make(...page)) {
              // What was made of the first page is written after this.
              if (!isChanged) {
                isChanged = true;
                const content = aContent({ metadata: titled("Third version") });
                await world.items.newVersion(WHO, world.versioned, { content });
                await world.publish("Published meanwhile");
              }
              yield each;
            }
          },
        };
      },
    };
    const search = await searching(world, embedded(newFolder()), { threads: changing });
    await search.follower.settled();
    expect((await search.find(GUEST, { where: words("third version") })).total).toBe(1);
    expect((await search.find(GUEST, { where: words("meanwhile") })).total).toBe(1);
    const reading = new DocumentsReader(world.store, SHIPPED_SEARCH_SETTINGS, () => TODAY);
    const { index } = search.follower.answering();
    for await (const { found } of differences({ items: world.store.items, reading, index })) expect(found).toEqual([]);
    await search.close();
    await world.close();
  });
});
