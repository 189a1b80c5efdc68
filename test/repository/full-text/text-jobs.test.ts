// The jobs that read the words of files (src/repository/full-text/text-jobs.ts; R35), over a storage in a folder and a
// reader in this thread.
import { afterAll, describe, expect, test } from "bun:test";
import { openLocalStorage } from "../../../src/adapters/storage-local.ts";
import { REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { finishedPass } from "../../../src/jobs/job.ts";
import { type JobKinds, jobRunner } from "../../../src/jobs/runner.ts";
import { textHere } from "../../../src/main/text-here.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import {
  idleTextJobs,
  TEXT_CATCH_UP_JOB,
  type TextLimits,
  textJobs,
} from "../../../src/repository/full-text/text-jobs.ts";
import { FULL_TEXT_JOB, TEXT_STATES } from "../../../src/repository/store/full-text.ts";
import { READER_VERSION, type TextOrder, type TextReading } from "../../../src/repository/store/text-reading.ts";
import { joined, streamOf } from "../../../src/shared/bytes/byte-streams.ts";
import { StorageProblem } from "../../../src/storage/limits.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { temporaryFolder } from "../../support/processes.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { docx, latinPdf, lockedPdf } from "../../support/text-files.ts";
import { aContent, aFile, itemsOn } from "../../support/world/items.ts";
import { openWorld } from "../../support/world.ts";

const folder = temporaryFolder("text-jobs");
const { storage } = await openLocalStorage({ folder: folder.path });
afterAll(() => folder.remove());

const LIMITS: TextLimits = { fileBytes: 100_000, fileCharacters: 10_000, itemCharacters: 20_000 };
const here = textHere(60);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function keep(name: string, bytes: Uint8Array, more: Partial<ItemFile> = {}): Promise<ItemFile> {
  const { key, sha256, sizeBytes } = await storage.put(streamOf(bytes));
  return aFile(name, { storageKey: key, sha256, sizeBytes, mediaType: "application/octet-stream", ...more });
}

/** Items, and the jobs that read their files. `storage` and `limits` may be others. */
async function textWorld(
  options: {
    readonly limits?: Partial<TextLimits>;
    readonly storage?: Pick<Storage, "read">;
    readonly on?: boolean;
  } = {},
) {
  const world = await openWorld({ items: true });
  const { store, time } = world;
  const items = itemsOn(store, time, { fullText: options.on ?? true });
  const read: TextOrder[] = [];
  const reading: TextReading = {
    async read(order, bytes) {
      read.push(order);
      return await here(order, await joined(bytes()));
    },
  };
  const clock = { now: () => time.now };
  const kinds = textJobs({
    ...{ store, reading, clock, log: quietLog },
    storage: options.storage ?? storage,
    limits: { ...LIMITS, ...options.limits },
  });
  const runner = jobRunner({ store, kinds, clock, log: quietLog, owner: "test" });
  const ada = await world.person([3]);
  return {
    ...{ ...world, items, ada, read, runner },
    publish: (files: readonly ItemFile[], settings = {}) =>
      items.createAndPublish(ada, { content: aContent({ files, settings }) }),
    enqueue: (kind: string) => store.transact((tx) => tx.jobs.enqueue({ kind, subject: "" }, time.now)),
    textOf: async ({ sha256 }: ItemFile) => (await store.fullText.fileTexts([sha256], 10_000)).get(sha256) ?? null,
    stateOf: async ({ sha256 }: ItemFile) => (await store.fullText.textMarks([sha256])).get(sha256)?.state ?? null,
    jobs: (kind = FULL_TEXT_JOB) => store.jobs.listJobs({ kind }, null, 10),
  };
}

describe("R35 reading the words of an item's files", () => {
  test("R35 R8 a revision that brings files enqueues the job in its transaction; the same bytes are read once", async () => {
    const world = await textWorld();
    const [pdf, text] = [await keep("a.pdf", latinPdf(["Of names"])), await keep("b.txt", utf8("図書館"))];
    const { item } = await world.publish([pdf, text]);
    expect((await world.jobs()).map(({ subject, state }) => [subject, state])).toEqual([[String(item.id), "waiting"]]);
    await world.runner.runDue();
    expect([await world.textOf(pdf), await world.textOf(text)]).toEqual(["Of names", "図書館"]);
    expect((await world.jobs()).map(({ state }) => state)).toEqual(["done"]);
    await world.publish([{ ...pdf, name: "copy.pdf" }]);
    await world.runner.runDue();
    expect(world.read.length).toBe(2);
    // Nothing new came with this one.
    const before = (await world.jobs()).length;
    await world.items.revise(world.ada, item.id, { content: aContent({ files: [pdf, text] }) });
    expect((await world.jobs()).length).toBe(before);
  });

  test("R35 switched off nothing is enqueued", async () => {
    const world = await textWorld({ on: false });
    await world.publish([await keep("a.txt", utf8("words"))]);
    expect(await world.jobs()).toEqual([]);
    await world.close();
  });

  test("R35 a file that the item keeps out is not read, until it no longer does", async () => {
    const world = await textWorld();
    const [open, hidden] = [await keep("open.txt", utf8("open words")), await keep("hidden.txt", utf8("hidden words"))];
    const files = [open, hidden];
    const { item } = await world.publish(files, { textExtraction: { "hidden.txt": false, "open.txt": true } });
    await world.runner.runDue();
    expect([await world.textOf(open), await world.textOf(hidden)]).toEqual(["open words", null]);
    await world.enqueue(TEXT_CATCH_UP_JOB);
    await world.runner.runDue();
    expect(await world.textOf(hidden)).toBeNull();
    await world.items.revise(world.ada, item.id, { content: aContent({ files }) });
    await world.runner.runDue();
    expect(await world.textOf(hidden)).toBe("hidden words");
    await world.close();
  });

  test("R35 what cannot be read is marked with its reason, reported by the job, and not tried again", async () => {
    const world = await textWorld();
    const files = [
      await keep("locked.pdf", lockedPdf()),
      await keep("broken.docx", (await docx("<w:p/>")).slice(0, 100)),
      await keep("large.pdf", new Uint8Array([...latinPdf(["words"]), ...new Uint8Array(100_000)])),
      await keep("scan.pdf", latinPdf([])),
      await keep("picture.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0])),
      await keep("nothing.txt", new Uint8Array(0)),
      aFile("gone.txt", { sha256: "cd".repeat(32), storageKey: "ab".repeat(32), sizeBytes: 5 }),
    ];
    const { item } = await world.publish(files);
    await world.runner.runDue();
    expect(await Promise.all(files.map(world.stateOf))).toEqual([
      "encrypted",
      "unreadable",
      "too-large",
      "empty",
      "unsupported",
      "empty",
      "unreadable",
    ]);
    const [job] = await world.jobs();
    expect([job?.state, job?.attempts]).toEqual(["done", 1]);
    expect(job?.progress).toContain("locked.pdf: encrypted (It opens with a password only)");
    expect(job?.progress).toContain("large.pdf: too-large (It has ");
    expect(job?.progress).not.toContain("scan.pdf");
    const read = world.read.length;
    await world.enqueue(TEXT_CATCH_UP_JOB);
    await world.runner.runDue();
    expect(world.read.length).toBe(read);
    await world.items.erase(REPOSITORY_OPERATOR, item.id, { revision: null, file: null });
    expect((await world.jobs()).map(({ progress }) => progress)).toEqual([""]);
    await world.close();
  });

  test("R35 of a long text the beginning is read, and no more bytes than that takes", async () => {
    const world = await textWorld({ limits: { fileCharacters: 1_000 } });
    const long = await keep("long.csv", utf8("図書館,本\n".repeat(20_000)));
    await world.publish([long]);
    await world.runner.runDue();
    expect((await world.textOf(long))?.length).toBe(1_000);
    expect(world.read.map(({ sizeBytes, isCut }) => [sizeBytes, isCut])).toEqual([[4_000, true]]);
    await world.close();
  });

  test("R35 an item has no more characters than are kept of one; the files behind are marked", async () => {
    const world = await textWorld({ limits: { itemCharacters: 15 } });
    const files = [
      await keep("1.txt", utf8("0123456789")),
      await keep("2.txt", utf8("abcdefghij")),
      await keep("3.txt", utf8("KLMNOPQRST")),
    ];
    await world.publish(files);
    await world.runner.runDue();
    expect(await Promise.all(files.map(world.textOf))).toEqual(["0123456789", "abcde", null]);
    expect(await Promise.all(files.map(world.stateOf))).toEqual(["done", "done", "too-large"]);
    await world.close();
  });

  test("R35 R8 a storage that is away is waited for: nothing is marked", async () => {
    let isAway = true;
    const away: Pick<Storage, "read"> = {
      read: (...asked) => {
        if (isAway) throw new StorageProblem("unavailable", "The store does not answer");
        return storage.read(...asked);
      },
    };
    const world = await textWorld({ storage: away });
    const file = await keep("late.txt", utf8("late words"));
    await world.publish([file]);
    await world.runner.runDue();
    const [job] = await world.jobs();
    expect([job?.state, job?.lastError, await world.stateOf(file)]).toEqual([
      "waiting",
      "The store does not answer",
      null,
    ]);
    isAway = false;
    world.time.now = "2026-11-21T10:00:00.000Z";
    await world.runner.runDue();
    expect(await world.textOf(file)).toBe("late words");
    await world.close();
  });

  test("R35 an item that was erased while its files were read leaves no text behind", async () => {
    const file = await keep("a.txt", utf8("words that must go"));
    const world: Awaited<ReturnType<typeof textWorld>> = await textWorld({
      storage: {
        read: async (...asked) => {
          await world.items.erase(REPOSITORY_OPERATOR, erased, { revision: null, file: null });
          return await storage.read(...asked);
        },
      },
    });
    const erased = (await world.publish([file])).item.id;
    await world.runner.runDue();
    expect(world.read.length).toBe(1);
    expect(await world.store.fullText.countTexts()).toEqual([]);
    await world.close();
  });
});

describe("R35 catching up", () => {
  test("R35 everything that was never read, or by an older reader, is read, some items at a time; then it rests for a day", async () => {
    const world = await textWorld({ on: false });
    const files: ItemFile[] = [];
    for (let at = 0; at < 230; at += 1) {
      const file = await keep(`${at}.txt`, utf8(`words ${at}`));
      files.push(file);
      await world.publish([file]);
    }
    await world.enqueue(TEXT_CATCH_UP_JOB);
    await world.runner.runDue();
    expect(await world.store.fullText.countTexts()).toEqual([{ state: "done", count: 230 }]);
    const [job] = await world.jobs(TEXT_CATCH_UP_JOB);
    const { epoch } = await world.store.changes.position();
    const finished = finishedPass(`${READER_VERSION} ${epoch}`, world.time.now);
    expect([job?.state, job?.payload, (job?.runAt ?? "") > world.time.now]).toEqual(["waiting", finished, true]);
    await world.store.transact((tx) => tx.fullText.retryTexts(TEXT_STATES, files[0]?.sha256 ?? ""));
    world.time.now = "2026-11-22T10:00:00.000Z";
    await world.runner.runDue();
    expect(world.read.length).toBe(231);
    await world.close();
  }, 60_000);

  test("Q.320 R35 a start within a day of a search that came to its end searches nothing, but where texts were switched off meanwhile", async () => {
    const world = await textWorld();
    const { store, time } = world;
    let searched = 0;
    const fullText = {
      ...store.fullText,
      lackingTexts: async (...given: Parameters<typeof store.fullText.lackingTexts>) => {
        searched += 1;
        return await store.fullText.lackingTexts(...given);
      },
    };
    const clock = { now: () => time.now };
    const needs = { store: { ...store, fullText }, reading: { read: here }, storage, log: quietLog, limits: LIMITS };
    const on = textJobs({ ...needs, clock } as unknown as Parameters<typeof textJobs>[0]);
    const start = async (kinds: JobKinds, at: string) => {
      time.now = at;
      await world.enqueue(TEXT_CATCH_UP_JOB);
      searched = 0;
      await jobRunner({ store, kinds, clock, log: quietLog, owner: at }).runDue();
      const [job] = await world.jobs(TEXT_CATCH_UP_JOB);
      return [searched, job?.runAt];
    };
    expect(await start(on, "2026-11-01T10:00:00.000Z")).toEqual([1, "2026-11-02T10:00:00.000Z"]);
    expect(await start(on, "2026-11-01T16:00:00.000Z")).toEqual([0, "2026-11-02T10:00:00.000Z"]);
    expect(await start(on, "2026-11-02T11:00:00.000Z")).toEqual([1, "2026-11-03T11:00:00.000Z"]);
    expect(await start(idleTextJobs({ store, clock }), "2026-11-02T12:00:00.000Z")).toEqual([
      0,
      "2026-11-03T12:00:00.000Z",
    ]);
    expect(await start(on, "2026-11-02T13:00:00.000Z")).toEqual([1, "2026-11-03T13:00:00.000Z"]);
    const { epoch } = await store.changes.position();
    const finishedBefore = async (of: string, at: string) => {
      const payload = finishedPass(of, at);
      await store.transact((tx) =>
        tx.jobs.enqueue({ kind: TEXT_CATCH_UP_JOB, subject: "", payload, runAt: time.now }, time.now),
      );
    };
    // Another version of the reader, the database of a backup, and a clock that was ahead.
    await finishedBefore(`0 ${epoch}`, time.now);
    expect(await start(on, "2026-11-02T14:00:00.000Z")).toEqual([1, "2026-11-03T14:00:00.000Z"]);
    await finishedBefore(`${READER_VERSION} another`, time.now);
    expect(await start(on, "2026-11-02T15:00:00.000Z")).toEqual([1, "2026-11-03T15:00:00.000Z"]);
    await finishedBefore(`${READER_VERSION} ${epoch}`, "2031-01-01T00:00:00.000Z");
    expect(await start(on, "2026-11-02T16:00:00.000Z")).toEqual([1, "2026-11-03T16:00:00.000Z"]);
    await world.close();
  });

  test("R9a R35 between two pages of what may lack its text, other work of the process has its turn", async () => {
    const world = await textWorld();
    const pages = 20;
    const { store } = world;
    let [page, turns] = [0, 0];
    const fullText = {
      ...store.fullText,
      // As a database in this process: there at once.
      lackingTexts: async () => {
        page += 1;
        return { sha256s: [], last: page < pages ? String(page) : null };
      },
    };
    const kinds = textJobs({
      ...{ store: { ...store, fullText }, reading: { read: here }, storage, log: quietLog, limits: LIMITS },
      clock: { now: () => world.time.now },
    } as unknown as Parameters<typeof textJobs>[0]);
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await world.enqueue(TEXT_CATCH_UP_JOB);
    await jobRunner({ store, kinds, clock: { now: () => world.time.now }, log: quietLog, owner: "pages" }).runDue();
    isOver = true;
    expect(page).toBe(pages);
    expect(turns).toBeGreaterThanOrEqual(pages);
    await world.close();
  });
});
