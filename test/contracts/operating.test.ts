// What an operator does to a database: provisioning, importing files, moving targets. One suite for SQLite and
// PostgreSQL.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { secretMaker } from "../../src/ark/credentials.ts";
import { rowOfObject } from "../../src/ark/import-row.ts";
import { type ImportIn, targetProblem } from "../../src/ark/inputs.ts";
import { lifecycle } from "../../src/ark/lifecycle.ts";
import { minting } from "../../src/ark/minting.ts";
import { mintedArk } from "../../src/ark/new-name.ts";
import { ProvisioningRefusal, provision, setUpEmpty } from "../../src/ark/provisioning/apply.ts";
import { retarget } from "../../src/ark/retarget.ts";
import type { Store } from "../../src/ark/store.ts";
import { OPERATOR } from "../../src/auth/caller.ts";
import { type ImportOptions, importFile, inBatches, type RowIssue, rowBytes } from "../../src/operating/import-file.ts";
import type { Row } from "../../src/shared/text/text-lines.ts";
import { onEachDatabase } from "../support/databases.ts";
import { historyOf } from "../support/name-history.ts";
import { errorOf } from "../support/refusals.ts";

const random = platformRandom();
const clock = { now: () => new Date().toISOString() };
const FILE = {
  naans: [
    { naan: "99999", name: "Example" },
    { naan: "88888", authoritative: false, redirect: "https://delegate.example.org" },
  ],
  organisations: [{ naan: "99999", name: "org-a", default_shoulder: "b1" }],
  shoulders: [
    { naan: "99999", shoulder: "b1", organisation: "org-a" },
    { naan: "99999", shoulder: "q2", organisation: "org-a", checked: false },
    { naan: "99999", shoulder: "r7", organisation: "org-a", status: "retired" },
  ],
  credentials: [
    { client_id: "ops", tier: "organisation", naan: "99999", organisation: "org-a", api_keys: 1, client_secrets: 1 },
  ],
};

test("Q.284 rows in the order of names end a batch at 10,000, others at their bytes or at the rows asked for", async () => {
  const names = Array.from({ length: 25_000 }, (_, index) => `ark:99999/b1${String(index).padStart(6, "0")}`);
  const sizesOf = async (arks: readonly string[], size: Parameters<typeof inBatches>[1]) => {
    const rows = arks.map((ark, index) => ({ line: index + 1, value: { ark } }));
    const wrong = { line: rows.length + 1, wrong: "is not valid UTF-8" };
    const lists = (async function* () {
      yield [...rows.slice(0, 9_000), wrong];
      yield rows.slice(9_000);
    })();
    const sizes: number[] = [];
    for await (const batch of inBatches(lists, size)) sizes.push(batch.length);
    return sizes;
  };
  expect(await sizesOf(names, { batchRows: 100_000 })).toEqual([10_000, 10_000, 5_001]);
  expect(await sizesOf(names, { batchRows: 8_000 })).toEqual([8_000, 8_000, 8_000, 1_001]);
  const reversed = names.toReversed();
  expect(await sizesOf(reversed, { batchRows: 100_000 })).toEqual([25_001]);
  expect(await sizesOf(reversed, { batchRows: 20_000 })).toEqual([20_000, 5_001]);
  const [one] = reversed.map((ark) => rowBytes({ line: 1, value: { ark } }));
  expect(await sizesOf(reversed, { batchRows: 100_000, batchBytes: 15_000 * (one ?? 0) + 100 })).toEqual([
    15_000, 10_001,
  ]);
});

describe("operating", () => {
  onEachDatabase((database) => {
    let store: Store;
    const needs = () => ({ store, clock, random, secrets: secretMaker({ random }) });
    const apply = (file: unknown) => provision(needs(), file);
    const refusalOf = async (file: unknown): Promise<string> => {
      const error = await apply(file).catch((caught: unknown) => caught);
      return error instanceof ProvisioningRefusal ? error.message : `not refused: ${String(error)}`;
    };

    beforeAll(async () => {
      store = await openStore({ url: await database.url() });
    });
    afterAll(async () => {
      await store.close();
    });

    describe("provisioning", () => {
      test("a dry run changes nothing, and a file whose secrets cannot be kept changes nothing", async () => {
        const plan = await provision(needs(), FILE, { dryRun: true });
        expect(plan.plan.steps.length).toBe(9);
        const keep = () => Promise.reject(new Error("disk full"));
        await expect(provision(needs(), FILE, { keep })).rejects.toThrow("disk full");
        expect(await store.naans()).toEqual([]);
        expect(await store.credentials()).toEqual([]);
      });

      test("an empty database is set up once, however many ask at the same time", async () => {
        const empty = await openStore({ url: await database.url() });
        try {
          const both = await Promise.all([1, 2, 3, 4, 5, 6].map(() => setUpEmpty({ ...needs(), store: empty })));
          expect(both.filter((made) => made !== null).length).toBe(1);
          expect((await empty.credentials()).length).toBe(1);
        } finally {
          await empty.close();
        }
      });

      test("A23 applying a file makes everything in it, keeps hashes of secrets only, and applying it again changes nothing", async () => {
        const { secrets } = await apply(FILE);
        const { api_keys, client_secrets } = secrets.ops ?? { api_keys: [], client_secrets: [] };
        expect([api_keys.length, client_secrets.length]).toEqual([1, 1]);
        const id = api_keys[0]?.split("_")[1] ?? "";
        const found = await store.credentialBySecret(id);
        expect(found?.credential.clientId).toBe("ops");
        expect(JSON.stringify(found)).not.toContain(api_keys[0]?.split("_").slice(2).join("_"));
        const again = await apply(FILE);
        expect([again.plan.steps, again.secrets]).toEqual([[], {}]);
      });

      test("A6 a shoulder cannot be revived, a NAAN with shoulders cannot become foreign, and nothing else of such a file is done", async () => {
        const revived = { shoulders: [{ naan: "99999", shoulder: "r7", status: "active" }] };
        expect(await refusalOf({ ...revived, naans: [{ naan: "77777" }] })).toContain("retired is final");
        expect((await store.naans()).map((naan) => naan.naan)).toEqual(["88888", "99999"]);
        expect(await refusalOf({ naans: [{ naan: "99999", authoritative: false }] })).toContain(
          "cannot be made foreign",
        );
      });

      test("a shoulder moves to another organisation and its names go with it", async () => {
        const naan = "99999";
        await apply({
          organisations: [{ naan, name: "org-b" }],
          shoulders: [{ naan, shoulder: "k4", organisation: "org-a" }],
        });
        await apply({ shoulders: [{ naan, shoulder: "k4", organisation: "org-b" }] });
        const organisations = await store.organisations();
        const moved = (await store.shoulders()).find((shoulder) => shoulder.shoulder === "k4");
        expect(organisations.find(({ id }) => id === moved?.organisationId)?.name).toBe("org-b");
      });

      test("A4 A6 the names that are there decide: no check characters over unchecked names, no shoulder over names of another", async () => {
        await apply({ shoulders: [{ naan: "99999", shoulder: "", organisation: "org-a", import_only: true }] });
        const { importBulk } = minting({ ...needs(), limits: { bulkRows: 100 } });
        await importBulk(OPERATOR, [{ ark: "99999/q2wrong" }, { ark: "99999/z5old" }]);
        const checked = { naan: "99999", shoulder: "q2", checked: true };
        expect(await refusalOf({ shoulders: [checked] })).toContain("ark:99999/q2wrong has no fitting check character");
        const below = { naan: "99999", shoulder: "z5", organisation: "org-a" };
        expect(await refusalOf({ shoulders: [below] })).toContain("such as ark:99999/z5old");
      });

      test("A6 a NAAN with names cannot become foreign, also when every one of them was withdrawn", async () => {
        const naan = "66666";
        await apply({
          naans: [{ naan, name: "Ours" }],
          organisations: [{ naan, name: "org-c" }],
          shoulders: [{ naan, shoulder: "b9", organisation: "org-c", checked: false }],
        });
        const foreign = { naans: [{ naan, authoritative: false }] };
        expect(await refusalOf(foreign)).toContain("it has shoulders here");
        const limits = { bulkRows: 100, holdMaxDays: 90 };
        await minting({ ...needs(), limits }).importBulk(OPERATOR, [{ ark: "66666/b9x" }]);
        const named = "names were assigned under it, such as ark:66666/b9x";
        expect(await refusalOf(foreign)).toContain(named);
        const withdrawn = { ark: "66666/b9x", reason: "A test", confirm: "ark:66666/b9x" };
        await lifecycle({ ...needs(), limits }).purge(OPERATOR, withdrawn);
        expect(await refusalOf(foreign)).toContain(named);
      });

      test("A27 A42 holds are set on NAAN, shoulder and name, and every change is in the history of its subject", async () => {
        const until = new Date(Date.now() + 86_400_000).toISOString();
        const reason = "Under review";
        const holds = [
          { naan: "99999", until, reason },
          { naan: "99999", shoulder: "b1", until, reason },
          { ark: "99999/z5old", until, reason },
        ];
        expect((await apply({ holds })).plan.steps.length).toBe(3);
        expect((await apply({ holds })).plan.steps).toEqual([]);
        const record = (await store.arks(["99999/z5old"])).get("99999/z5old");
        expect([record?.holdUntil, record?.holdReason]).toEqual([until, reason]);
        expect((await historyOf(store, "99999/z5old")).map((entry) => entry.action)).toEqual(["import", "hold"]);
        expect((await store.shoulders()).find((one) => one.shoulder === "b1")?.holdUntil).toBe(until);
        expect((await store.naans()).find((one) => one.naan === "99999")?.holdReason).toBe(reason);
      });
    });

    describe("importing a file", () => {
      let issues: RowIssue[] = [];
      beforeEach(() => {
        issues = [];
      });
      const name = () => `ark:${mintedArk("99999", "b1", random.betanumerics(8)).key}`;
      const rowsOf = (objects: readonly object[]): AsyncIterable<Row<ImportIn>[]> => {
        const rows = objects.map((object, index) => ({ line: index + 1, ...rowOfObject({ ...object }) }));
        return (async function* () {
          yield rows;
        })();
      };
      const importing = (objects: readonly object[], options: Partial<ImportOptions> = {}) =>
        importFile(needs(), OPERATOR, rowsOf(objects), {
          batchRows: 2,
          skipBad: false,
          onIssues: (list) => void issues.push(...list),
          onProgress: () => {},
          isInterrupted: () => false,
          ...options,
        });

      test("A15 L3 an import that was cut off goes on where it stopped, and nothing is made twice", async () => {
        const objects = Array.from({ length: 7 }, (_, index) => ({
          ark: name(),
          url: `https://example.org/\${name}/${index}`,
        }));
        let asked = 0;
        const cut = await importing(objects, { isInterrupted: () => ++asked > 2 });
        expect([cut.end, cut.created, cut.line]).toEqual(["interrupted", 4, 4]);
        const rest = await importing(objects);
        expect([rest.end, rest.created, rest.alreadyThere]).toEqual(["done", 3, 4]);
        expect(issues).toEqual([]);
      });

      /** Rows one by one; `messages` receives each one, and the end of the reading. */
      async function* answerOf(
        names: readonly string[],
        messages: string[],
        end?: Error,
      ): AsyncGenerator<Row<ImportIn>[]> {
        try {
          for (const [index, ark] of names.entries()) {
            messages.push(`read ${index + 1}`);
            yield [{ line: index + 1, ...rowOfObject({ ark }) }];
          }
          if (end !== undefined) throw end;
        } finally {
          messages.push("no more");
        }
      }
      const telling = (messages: string[]): Pick<Store, "transact"> & Store => ({
        ...store,
        transact: (work, size) =>
          store.transact((tx) => {
            messages.push("begin");
            return work({
              ...tx,
              async insertArks(rows) {
                messages.push(`write ${rows.length}`);
                const written = await tx.insertArks(rows);
                // Until what is read meanwhile has begun; behind the last batch there is nothing.
                const isReading = () => messages.includes("no more") || messages.at(-1)?.startsWith("read") === true;
                while (!isReading()) await new Promise((resolve) => setTimeout(resolve, 1));
                return written;
              },
            });
          }, size),
      });
      const options: ImportOptions = {
        batchRows: 2,
        skipBad: false,
        onIssues: (list) => void issues.push(...list),
        onProgress: () => {},
        isInterrupted: () => false,
      };

      test("A15 the next batch is read while the rows of this one are written, not sooner, and no further", async () => {
        const messages: string[] = [];
        const names = Array.from({ length: 5 }, name);
        const result = await importFile(
          { ...needs(), store: telling(messages) },
          OPERATOR,
          answerOf(names, messages),
          options,
        );
        expect([result.end, result.created]).toEqual(["done", 5]);
        expect(messages).toEqual([
          ...["read 1", "read 2", "begin", "write 2", "read 3", "read 4", "begin", "write 2", "read 5", "no more"],
          ...["begin", "write 1"],
        ]);
      });

      test("A15 what cannot be read is thrown behind the rows before it, which are stored; a stop ends the reading", async () => {
        const messages: string[] = [];
        const names = Array.from({ length: 4 }, name);
        const torn = () =>
          importFile(needs(), OPERATOR, answerOf(names.slice(0, 2), messages, new RangeError("torn off")), options);
        expect(await errorOf(torn)).toMatchObject({ message: "torn off" });
        const keys = names.map((ark) => ark.slice("ark:".length));
        expect([...(await store.arks(keys)).keys()].toSorted()).toEqual(keys.slice(0, 2).toSorted());
        const again: string[] = [];
        let asked = 0;
        const stopped = await importFile(needs(), OPERATOR, answerOf(names, again), {
          ...options,
          isInterrupted: () => ++asked > 1,
        });
        expect([stopped.end, stopped.alreadyThere, again.at(-1)]).toEqual(["interrupted", 2, "no more"]);
      });

      /** The keys that each transaction writes, statement by statement. */
      const watching = (written: string[][][]): Store => ({
        ...store,
        transact: (work, size) =>
          store.transact((tx) => {
            const statements: string[][] = [];
            written.push(statements);
            return work({
              ...tx,
              record(actor, at, changes) {
                statements.push(changes.map(({ target }) => target));
                return tx.record(actor, at, changes);
              },
            });
          }, size),
      });

      test("Q.284 a transaction ends before its rows exceed their bytes; a larger row has one to itself", async () => {
        const title = "x".repeat(1000);
        const objects = [1, 1, 1, 5, 1, 1].map((titles) => ({ ark: name(), title: title.repeat(titles) }));
        const rows = objects.map((object, index) => ({ line: index + 1, value: object }));
        const [first] = rows;
        if (first === undefined) throw new RangeError("No row");
        const batchBytes = 2 * rowBytes(first) + 100;
        expect(rowBytes(first)).toBeGreaterThan(2 * title.length);
        const written: string[][][] = [];
        const needed = { ...needs(), store: watching(written) };
        const sizes = { batchRows: 100, batchBytes };
        const result = await importFile(needed, OPERATOR, rowsOf(objects), { ...options, ...sizes });
        expect([result.end, result.created, result.line]).toEqual(["done", 6, 6]);
        expect(written.map((statements) => statements.flat().length)).toEqual([2, 1, 1, 2]);
      });

      test("Q.285 a batch is written by name, in parts; bad rows and receipts are those of the file's order", async () => {
        const objects = Array.from({ length: 10_100 }, (_, index) => ({
          ark: name(),
          url: `https://example.org/${index}`,
          // The first and the last row, whatever their names, ask under one request_id.
          ...([0, 10_099].includes(index) ? { request_id: "shared" } : {}),
        }));
        const wrong = objects.map((object, index) =>
          [7, 9_000].includes(index) ? { ark: `ark:99999/b1wrong${index}` } : object,
        );
        const refused = await importing(wrong, { batchRows: 20_000 });
        expect([refused.end, refused.created, refused.line]).toEqual(["bad-rows", 0, 0]);
        expect(issues.map(({ line, code }) => `${line} ${code}`)).toEqual([
          "8 SVC-1012",
          "9001 SVC-1012",
          "10100 SVC-1507",
        ]);
        const keys = objects.map(({ ark }) => ark.slice("ark:".length));
        expect((await store.arks(keys)).size).toBe(0);
        issues = [];
        const written: string[][][] = [];
        const needed = { ...needs(), store: watching(written) };
        const sizes = { batchRows: 20_000, skipBad: true };
        const result = await importFile(needed, OPERATOR, rowsOf(objects), { ...options, ...sizes });
        expect([result.end, result.created, result.bad]).toEqual(["done", 10_099, 1]);
        expect(issues.map(({ line, code, ark }) => `${line} ${code} ${ark}`)).toEqual([
          `10100 SVC-1507 ${objects[10_099]?.ark}`,
        ]);
        const inOrder = keys.slice(1, -1).toSorted();
        expect(written[0]?.map((statement) => statement.length)).toEqual([5_000, 5_000, 98, 1]);
        expect(written[0]?.flat()).toEqual([...inOrder, keys[0] ?? ""]);
        const histories = await store.histories(keys);
        expect(histories.size).toBe(10_099);
      });

      test("Q.285 rows that share a request_id are answered alike wherever the parts of a batch end", async () => {
        // 400 rows alone, then groups of three, of which one or more go over the end of each part.
        const objects = Array.from({ length: 12_100 }, (_, index) => ({
          ark: name(),
          ...(index < 400 ? {} : { request_id: `group-${index % 3_900}` }),
        }));
        const sizes = { batchRows: 20_000, skipBad: true };
        const result = await importFile(needs(), OPERATOR, rowsOf(objects), { ...options, ...sizes });
        const firstOf = new Map<string, string>();
        const expected = objects.flatMap(({ ark, request_id = ark }, index) => {
          const first = firstOf.get(request_id);
          if (first !== undefined) return [`${index + 1} its request_id belongs to ${first}`];
          firstOf.set(request_id, ark);
          return [];
        });
        expect(expected.length).toBeGreaterThan(7_000);
        expect([result.created, result.bad]).toEqual([firstOf.size, expected.length]);
        expect(issues.map(({ line, reason }) => `${line} ${reason}`)).toEqual(expected);
      }, 60_000);

      test("A15 a transaction whose second part fails writes nothing more, and nothing of it stays", async () => {
        const objects = Array.from({ length: 15_001 }, () => ({ ark: name() }));
        const calls: string[] = [];
        const failing: Store = {
          ...store,
          transact: (work, size) =>
            store.transact((tx) => {
              return work({
                ...tx,
                insertArks(rows) {
                  calls.push("insert");
                  return tx.insertArks(rows);
                },
                async record(actor, at, changes) {
                  calls.push("record");
                  if (calls.filter((each) => each === "record").length > 1) throw new RangeError("The disk is gone");
                  await tx.record(actor, at, changes);
                },
              });
            }, size),
        };
        const torn = () =>
          importFile({ ...needs(), store: failing }, OPERATOR, rowsOf(objects), { ...options, batchRows: 20_000 });
        expect(await errorOf(torn)).toMatchObject({ message: "The disk is gone" });
        expect([calls[0], calls.at(-1), calls.filter((each) => each === "record").length]).toEqual([
          "insert",
          "record",
          2,
        ]);
        expect((await store.arks(objects.map(({ ark }) => ark.slice("ark:".length)))).size).toBe(0);
      });

      test("bad rows stop the import before anything of their batch is written, each with its line and reason", async () => {
        const good = name();
        const bad = [{ ark: good }, { ark: name() }, { ark: name() }, { ark: "ark:99999/b1wrong" }];
        const result = await importing(bad);
        expect([result.end, result.created, result.line]).toEqual(["bad-rows", 2, 2]);
        expect(issues).toEqual([
          { line: 4, kind: "bad", code: "SVC-1012", ark: "ark:99999/b1wrong", reason: "The check character is wrong" },
        ]);
      });

      test("with skipBad every bad row is reported and the others go in", async () => {
        const twin = name();
        const bad = [{ ark: "no ark" }, { ark: name(), url: "javascript:alert(1)" }, { ark: name(), reserved: true }];
        const rows = [
          ...[{ ark: "77777/x" }, { ark: "ark:99999/r7abc" }],
          ...["One", "One", "Another"].map((title) => ({ ark: twin, title })),
          ...[...bad, { title: "nameless" }],
        ];
        const result = await importing(rows, { skipBad: true, batchRows: 100 });
        expect([result.end, result.created, result.alreadyThere, result.bad]).toEqual(["done", 1, 1, 7]);
        expect(issues.map(({ line, code, reason }) => `${line} ${code} ${reason}`)).toEqual([
          "1 SVC-1308 This NAAN is not ours to assign under",
          "2 SVC-1307 The shoulder takes no imports",
          "5 SVC-1019 differs from line 3, the same ARK",
          "6 SVC-1001 Not an ARK",
          "7  url must not use the scheme javascript",
          '8  unknown field "reserved"',
          "9  has no ark",
        ]);
      });

      test("a row whose name is there with other content is reported and left alone; a withdrawn name is never taken", async () => {
        const [kept, gone] = [name(), name()];
        await importing([
          { ark: kept, title: "First" },
          { ark: gone, reserve: true },
        ]);
        const names = lifecycle({ ...needs(), limits: { bulkRows: 10, holdMaxDays: 90 } });
        await names.delete(OPERATOR, { ark: gone });
        const result = await importing([{ ark: kept, title: "Second" }, { ark: gone }], { skipBad: true });
        expect([result.differing, result.bad]).toEqual([1, 1]);
        expect(issues.map(({ code, reason }) => `${code} ${reason}`)).toEqual([
          "SVC-1005 is there already with another title",
          "SVC-1014 This name was withdrawn and is never assigned again",
        ]);
      });

      test("A13 a request_id that belongs to another name is a bad row", async () => {
        await importing([{ ark: name(), request_id: "batch-1-row-1" }]);
        await importing([{ ark: name(), request_id: "batch-1-row-1" }], { skipBad: true });
        expect(issues.map(({ code }) => code)).toEqual(["SVC-1507"]);
      });
    });

    describe("moving targets", () => {
      const input = { naan: "99999", shoulder: "q2", batchRows: 3, dryRun: false };
      const watch = { onProgress: () => {}, isInterrupted: () => false, targetProblem };
      const urls = async () => {
        const filter = { reach: { kind: "system" }, shoulder: "q2", text: "move.example" } as const;
        return (await store.listArks(filter, "", 100)).map((record) => record.url);
      };

      test("A15 targets move in batches, history kept; cut off and run again every one has moved once", async () => {
        const { importBulk } = minting({ ...needs(), limits: { bulkRows: 100 } });
        const key = (index: number) => `99999/q2move${index}`;
        await importBulk(
          OPERATOR,
          Array.from({ length: 8 }, (_, index) => ({ ark: key(index), url: `https://move.example/${index}` })),
        );
        const names = lifecycle({ ...needs(), limits: { bulkRows: 10, holdMaxDays: 90 } });
        await names.tombstone(OPERATOR, { ark: key(7), url: "https://move.example/gone" });
        // The new prefix begins with the old one: only the history shows what has moved already.
        const move = { ...input, from: "https://move.example/", to: "https://move.example/new/" };
        let asked = 0;
        const cut = await retarget(needs(), OPERATOR, move, { ...watch, isInterrupted: () => ++asked > 1 });
        expect(cut.end).toBe("interrupted");
        const dry = await retarget(needs(), OPERATOR, { ...move, dryRun: true }, watch);
        const rest = await retarget(needs(), OPERATOR, move, watch);
        expect([cut.moved + rest.moved, dry.moved, rest.end]).toEqual([7, rest.moved, "done"]);
        const expected = [0, 1, 2, 3, 4, 5, 6].map((index) => `https://move.example/new/${index}`);
        expect((await urls()).sort()).toEqual(["https://move.example/gone", ...expected]);
        const [, last] = await historyOf(store, key(0));
        expect([last?.action, last?.beforeUrl, last?.afterUrl]).toEqual([
          "retarget",
          "https://move.example/0",
          "https://move.example/new/0",
        ]);
        expect((await retarget(needs(), OPERATOR, move, watch)).moved).toBe(0);
      });
    });
  });
});
