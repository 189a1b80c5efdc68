// The second thread, which writes long documents and new files (R9a, R34): what it writes is answered as what the
// answering thread writes itself, which is the oracle; and when it ends, waiting callers receive an error and the next
// write starts another.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { type IndexWorker, IndexWriterThread, type StartIndexThread } from "../../../db/search/index-thread.ts";
import { startIndexThread } from "../../../src/main/index-thread.ts";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import type { IndexAnswer, IndexQuery, SearchIndex } from "../../../src/repository/search/index/index-port.ts";
import { rng } from "../../hostile/generate.ts";
import { indexDocument, SMALL_SCHEMA } from "../../support/search-documents.ts";

const POSITION = { epoch: "e1", horizon: "5" };
const folders: string[] = [];
const open = (startThread?: StartIndexThread): Promise<SearchIndex> => {
  const folder = mkdtempSync(join(tmpdir(), "index-thread-"));
  folders.push(folder);
  const needs = { folder: join(folder, "search"), hold: holdLock };
  return openEmbeddedIndex(startThread === undefined ? needs : { ...needs, startThread })(SMALL_SCHEMA);
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const words = (count: number, from: number): string =>
  Array.from({ length: count }, (_, at) => `word${from + at}`).join(" ");
const ofParent = (id: number, parentId: number, text: string, subject: string): SearchDocument =>
  indexDocument({
    id,
    parentId,
    digest: `${id} ${text.length} ${subject}`,
    texts: { all: text, title: text.slice(0, 20) },
    keys: { visibility: ["public"], subject: [subject] },
    sorts: { updated: id, title: text.slice(4, 8) },
  });

const asked = (where: IndexQuery["where"]): IndexQuery => ({
  where,
  chosen: null,
  sort: [{ field: "title", descending: true }],
  after: null,
  offset: 0,
  limit: 100,
  facets: [{ field: "subject", size: 10 }],
});
const token = (text: string) => asked({ kind: "token", field: "all", token: text });
const EVERYTHING = asked({ kind: "and", of: [] });

test("R9a batches of long and short documents are answered as if one thread had written them", async () => {
  const threads: IndexWorker[] = [];
  const threaded = await open((isBuilding) => {
    const thread = startIndexThread(isBuilding);
    threads.push(thread);
    return thread;
  });
  const here = await open();
  const dice = rng(7);
  const both = [threaded, here];
  for (const index of both) {
    const building = await index.build();
    for (let from = 1; from <= 40; from += 10)
      await building.add(Array.from({ length: 10 }, (_, at) => ofParent(from + at, from + at, words(9, at), `s${at}`)));
    await building.finish(POSITION);
  }
  for (let step = 0; step < 25; step += 1) {
    const parents = Array.from({ length: 1 + dice.int(4) }, () => 1 + dice.int(50));
    const documents = [...new Set(parents)]
      .filter(() => dice.chance(0.8))
      .map((id) => {
        const isLong = dice.chance(0.4);
        return ofParent(id, id, words(isLong ? 40_000 : 5, dice.int(20)), `s${dice.int(4)}`);
      });
    const position = { epoch: "e1", horizon: String(step) };
    for (const index of both) await index.apply({ parents, documents, position });
    for (const query of [
      EVERYTHING,
      token("word7"),
      token("word39000"),
      asked({ kind: "key", field: "subject", anyOf: ["s1"] }),
    ]) {
      const [one, other] = await Promise.all(both.map((index): Promise<IndexAnswer> => index.query(query)));
      expect(one).toEqual(other as IndexAnswer);
    }
    expect(await threaded.position()).toEqual(position);
    expect(await threaded.digests(0, 100)).toEqual(await here.digests(0, 100));
  }
  // One thread built, which ended then, and one did all the rest: no order started another.
  expect(threads.length).toBe(2);
  for (const index of both) await index.close();
}, 60_000);

test("R9a when the thread ends, waiting callers receive an error, nothing is half written, and the next write starts another", async () => {
  let started = 0;
  // The first one ends when it is to write.
  const index = await open((isBuilding) => {
    const thread = startIndexThread(isBuilding);
    if (isBuilding) return thread;
    started += 1;
    if (started > 1) return thread;
    const send = thread.postMessage.bind(thread);
    thread.postMessage = (message) => (message.order.what === "write" ? void thread.terminate() : send(message));
    return thread;
  });
  const building = await index.build();
  await building.add([ofParent(1, 1, "word1", "s1")]);
  await building.finish(POSITION);
  const long = ofParent(2, 2, words(60_000, 0), "s2");
  const batch = { parents: [1, 2], documents: [long], position: { epoch: "e1", horizon: "9" } };
  const failed = index.apply(batch).then(
    () => "written",
    (error: unknown) => String(error),
  );
  expect(await failed).toContain("ended");
  expect([(await index.query(EVERYTHING)).total, await index.position()]).toEqual([1, POSITION]);
  await index.apply(batch);
  expect([(await index.query(token("word59999"))).total, (await index.query(EVERYTHING)).total]).toEqual([1, 1]);
  expect(started).toBe(2);
  await index.close();
}, 60_000);

test("R34 an index that is built in the thread can be given up, and leaves no file behind", async () => {
  const index = await open(startIndexThread);
  const [folder = ""] = folders.slice(-1);
  const given = await index.build();
  await given.add([ofParent(1, 1, "word1", "s1")]);
  await given.abandon();
  await expect(given.add([ofParent(2, 2, "word2", "s1")])).rejects.toThrow("abandoned");
  const again = await index.build();
  await again.add([ofParent(3, 3, "word3", "s1")]);
  await again.finish(POSITION);
  expect((await index.query(EVERYTHING)).hits.map(({ id }) => id)).toEqual([3]);
  const databases = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".sqlite"));
  expect(databases.length).toBe(1);
  await index.close();
});

test("R34 a file that was begun keeps its thread, however long its first documents are waited for", async () => {
  let ended = 0;
  const startThread: StartIndexThread = (isBuilding) => {
    const thread = startIndexThread(isBuilding);
    thread.on("exit", () => {
      ended += 1;
    });
    return thread;
  };
  const folder = mkdtempSync(join(tmpdir(), "index-thread-"));
  folders.push(folder);
  const idleMs = 20;
  const thread = new IndexWriterThread(startThread, true, idleMs);
  const path = join(folder, "begun.sqlite");
  const file = await thread.create(path, SMALL_SCHEMA, POSITION);
  await sleep(20 * idleMs);
  await file.finish(POSITION);
  expect(ended).toBe(0);
  await thread.close();
});
