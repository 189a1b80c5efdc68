// Texts of files on both databases (src/repository/store/full-text.ts, R35): kept by content, reported to the feed,
// gone with the last file.

import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import type { FileText, TextState } from "../../src/repository/store/full-text.ts";
import { onEachDatabase } from "../support/databases.ts";
import { rawDatabase } from "../support/filed-items.ts";
import { NOW } from "../support/seed.ts";
import { aContent, aFile } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";

const sha = (name: string): string => createHash("sha256").update(name).digest("hex");
const fileOf = (name: string, content = name) =>
  aFile(name, { storageKey: `key${sha(content).slice(0, 20)}`, sha256: sha(content) });
const textOf = (content: string, text: string, more: Partial<FileText> = {}): FileText => ({
  ...{ sha256: sha(content), state: "done", reason: "", reader: 1, at: NOW, text },
  ...more,
});

async function worldWith(url: string) {
  const world = await openWorld({ items: { url } });
  const { store } = world;
  let position = await store.changes.position();
  const ada = await world.person([3]);
  return {
    ...world,
    ada,
    save: (text: FileText) => store.transact((tx) => tx.fullText.saveText(text)),
    textOf: async (content: string) => (await store.fullText.fileTexts([sha(content)], 1_000)).get(sha(content)),
    publish: (...files: ReturnType<typeof fileOf>[]) =>
      world.items.createAndPublish(ada, { content: aContent({ files }) }),
    /** Parents that changed since the last question. */
    async changed(): Promise<readonly string[]> {
      const page = await store.changes.changes(position, 1_000);
      position = page.position;
      return [...new Set(page.changes.map(({ target }) => target))].toSorted();
    },
  };
}

describe("texts of files", () => {
  onEachDatabase((database) => {
    test("R35 a text is kept by content, and given in bulk, each up to a number of characters", async () => {
      const { store, save, publish, textOf: read, close } = await worldWith(await database.url());
      await publish(fileOf("a.txt"), fileOf("b.txt"), fileOf("c.txt"));
      expect(await save(textOf("a.txt", "図書館の本"))).toBe(true);
      await save(textOf("b.txt", "", { state: "encrypted", reason: "It opens with a password only" }));
      const all = ["a.txt", "b.txt", "c.txt"].map(sha);
      expect(await store.fullText.fileTexts([...all, ...all], 3)).toEqual(new Map([[sha("a.txt"), "図書館"]]));
      const marks = await store.fullText.textMarks(all);
      expect(
        [...marks.values()].map(({ state, reason, characters }) => [state, reason, characters]).toSorted(),
      ).toEqual([
        ["done", "", 5],
        ["encrypted", "It opens with a password only", 0],
      ]);
      expect(await store.fullText.countTexts()).toEqual([
        { state: "done", count: 1 },
        { state: "encrypted", count: 1 },
      ]);
      await save(textOf("a.txt", "other", { reader: 2 }));
      expect(await read("a.txt")).toBe("other");
      await close();
    });

    test("R35 R34 every item that shows the content is in the feed when its text comes, is another one, or comes again with none", async () => {
      const { save, publish, changed, close } = await worldWith(await database.url());
      const [one, two] = [await publish(fileOf("a.txt")), await publish(fileOf("b.txt", "a.txt"))];
      const both = [one, two].map(({ item }) => String(item.parentId)).toSorted();
      await publish(fileOf("c.txt"));
      await changed();
      await save(textOf("a.txt", "words"));
      expect(await changed()).toEqual(both);
      await save(textOf("a.txt", "words", { reader: 2 }));
      expect(await changed()).toEqual([]);
      await save(textOf("a.txt", "other words"));
      expect(await changed()).toEqual(both);
      await save(textOf("c.txt", "", { state: "empty" }));
      expect(await changed()).toEqual([]);
      await close();
    });

    test("R35 R2b an erased file takes its text with it, unless another item has the same content", async () => {
      const { store, items, save, publish, textOf: read, close } = await worldWith(await database.url());
      const [one, two] = [await publish(fileOf("a.txt"), fileOf("b.txt")), await publish(fileOf("copy.txt", "a.txt"))];
      for (const each of ["a.txt", "b.txt"]) await save(textOf(each, `words of ${each}`));
      const erase = (id: number, file: string | null) => items.erase(REPOSITORY_OPERATOR, id, { revision: null, file });
      await erase(one.item.id, null);
      expect([await read("a.txt"), await read("b.txt")]).toEqual(["words of a.txt", undefined]);
      await erase(two.item.id, "copy.txt");
      expect(await read("a.txt")).toBeUndefined();
      expect(await store.fullText.countTexts()).toEqual([]);
      expect(await save(textOf("a.txt", "too late"))).toBe(false);
      expect(await read("a.txt")).toBeUndefined();
      await close();
    });

    test("R35 R2b the text of what one revision alone names goes with that revision", async () => {
      const { items, ada, save, publish, textOf: read, close } = await worldWith(await database.url());
      const { item } = await publish(fileOf("old.txt"));
      await items.revise(ada, item.id, { content: aContent({ files: [fileOf("new.txt")] }) });
      for (const each of ["old.txt", "new.txt"]) await save(textOf(each, "words"));
      await items.erase(REPOSITORY_OPERATOR, item.id, { revision: 1, file: null });
      expect([await read("old.txt"), await read("new.txt")]).toEqual([undefined, "words"]);
      await close();
    });

    test("R35 of all contents those that were never read, or by an older reader, page by page; files that are kept out are none", async () => {
      const { store, save, publish, items, ada, close } = await worldWith(await database.url());
      const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
      await publish(...names.slice(0, 3).map((each) => fileOf(each)));
      const hidden = aContent({ files: [fileOf("d.txt")], settings: { textExtraction: { "d.txt": false } } });
      const { item } = await items.createAndPublish(ada, { content: hidden });
      await save(textOf("a.txt", "old", { reader: 1 }));
      await save(textOf("b.txt", "new", { reader: 2 }));
      const lacking: string[] = [];
      for (let after: string | null = ""; after !== null; ) {
        const page: Awaited<ReturnType<typeof store.fullText.lackingTexts>> = await store.fullText.lackingTexts(
          after,
          2,
          2,
        );
        lacking.push(...page.sha256s);
        after = page.last;
      }
      expect(lacking.toSorted()).toEqual(["a.txt", "c.txt", "d.txt"].map(sha).toSorted());
      const files = await store.fullText.textFiles(lacking);
      expect(files.map(({ name, itemId }) => [name, itemId]).toSorted()).toEqual([
        ["a.txt", item.id - 2],
        ["c.txt", item.id - 2],
      ]);
      await close();
    });

    test("R35 what could not be read is listed with its file and item, and is read again at a word", async () => {
      const { store, save, publish, close } = await worldWith(await database.url());
      const { item } = await publish(fileOf("a.pdf"), fileOf("b.pdf"), fileOf("c.pdf"));
      await save(textOf("a.pdf", "", { state: "timed-out", reason: "Reading it took longer than 60 s" }));
      await save(textOf("b.pdf", "", { state: "encrypted" }));
      await save(textOf("c.pdf", "words"));
      const list = await store.fullText.listTexts(["timed-out", "encrypted"], "", 10);
      expect(list.map(({ state, file, itemId }) => [state, file, itemId]).toSorted()).toEqual([
        ["encrypted", "b.pdf", item.id],
        ["timed-out", "a.pdf", item.id],
      ]);
      const retry = (states: readonly TextState[], sha256: string | null) =>
        store.transact((tx) => tx.fullText.retryTexts(states, sha256));
      expect(await retry(["timed-out"], null)).toBe(1);
      expect(await retry(["timed-out"], null)).toBe(0);
      expect(await retry(["encrypted", "done"], sha("b.pdf"))).toBe(1);
      expect((await store.fullText.lackingTexts("", 1, 10)).sha256s.toSorted()).toEqual(
        ["a.pdf", "b.pdf"].map(sha).toSorted(),
      );
      await close();
    });

    test("R35 texts that no file has any more are deleted, some at a time", async () => {
      const url = await database.url();
      const { store, save, publish, textOf: read, close } = await worldWith(url);
      await publish(...["a.txt", "b.txt", "c.txt"].map((each) => fileOf(each)));
      for (const each of ["a.txt", "b.txt", "c.txt"]) await save(textOf(each, "words"));
      const raw = await rawDatabase(url);
      await raw.sql(
        `insert into file_text (sha256, state, reason, characters, reader, at, text) values ('${sha("stray")}', 'done', '', 5, 1, '${NOW}', 'stray')`,
      );
      await raw.close();
      expect(await read("stray")).toBe("stray");
      let pages = 0;
      for (let after: string | null = ""; after !== null; pages += 1) {
        const from: string = after;
        after = await store.transact((tx) => tx.fullText.dropStrayTexts(from, 2));
      }
      const expected = [3, "words", "words", undefined];
      expect([pages, await read("a.txt"), await read("c.txt"), await read("stray")]).toEqual(expected);
      await close();
    });
  });
});
