// Backup and restore through the command line (docs/disaster-recovery.md). One suite for SQLite and PostgreSQL.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { gunzipSync, gzipSync } from "node:zlib";
import { openStore } from "../../db/ark/store.ts";
import { rowsOf } from "../../db/engine/dialect.ts";
import { NEWEST_SCHEMA } from "../../db/engine/migrate.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { openRestoreTarget } from "../../db/operating/restore.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import { drawArk, mintedArk } from "../../src/ark/new-name.ts";
import { BETANUMERICS, formatArk } from "../../src/ark/syntax.ts";
import type { Random } from "../../src/shared/time/clock.ts";
import { allRows, everyKindOfName, findingsIn, servicesOn } from "../support/backups.ts";
import { aCall, systemCall } from "../support/callers.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

export type Place = { readonly url: string; readonly drop: () => Promise<void> };

/** The n-th name generated is always the same: two services with it assign the same ones. */
function repeating(): Random {
  let generated = 0;
  return {
    betanumerics(length) {
      let text = "";
      for (let rest = generated++; text.length < length; rest = Math.floor(rest / BETANUMERICS.length)) {
        text += BETANUMERICS.charAt(rest % BETANUMERICS.length);
      }
      return text;
    },
    bytes: (length) => new Uint8Array(length),
  };
}

/** How each index of a database is made, in the order of their names. */
async function indexesOf(url: string): Promise<readonly string[]> {
  const database = await openDatabase({ url });
  const found = await rowsOf<{ definition: string }>(
    { dialect: database.dialect, db: database.reader },
    {
      sqlite: "select sql as definition from sqlite_master where type = 'index' and sql is not null order by name",
      postgres: "select indexdef as definition from pg_indexes where schemaname = current_schema() order by indexname",
    },
  );
  await database.close();
  return found.map(({ definition }) => definition);
}

/** `other` opens databases of the engine to restore into. */
export function describeBackingUp(title: string, open: () => Promise<Place>, other: () => Promise<Place>): void {
  describe(`backup and restore ${title}`, () => {
    const folder = temporaryFolder("backup");
    const file = (name: string) => join(folder.path, name);
    const places: Place[] = [];
    const place = async (opener = open): Promise<string> => {
      const opened = await opener();
      places.push(opened);
      return opened.url;
    };
    const on = (url: string, ...args: string[]) =>
      arkstone({ SVC_DATABASE_URL: url, SVC_DATA_DIR: file("data") }, args);
    /** Must succeed; reports what went wrong where it does not. */
    const well = async (where: string, ...args: string[]) => {
      const output = await on(where, ...args);
      expect([output.code, output.code === 0 ? "" : output.err]).toEqual([0, ""]);
      return output;
    };
    let url = "";
    let names: Awaited<ReturnType<typeof everyKindOfName>>;

    beforeAll(async () => {
      url = await place();
      names = await everyKindOfName(url);
      const output = await on(url, "backup", file("first.gz"));
      expect([output.err, output.code]).toEqual(["", 0]);
    });
    afterAll(async () => {
      for (const each of places) await each.drop();
      folder.remove();
    });

    test("a backup file is its owner's alone, is never written over, and leaves no other file", async () => {
      if (process.platform !== "win32") expect(statSync(file("first.gz")).mode & 0o777).toBe(0o600);
      const before = readFileSync(file("first.gz"));
      const output = await on(url, "backup", file("first.gz"));
      expect([output.code, output.err]).toEqual([1, expect.stringContaining("is never written over")]);
      expect(readFileSync(file("first.gz"))).toEqual(before);
      expect((await on(url, "backup", file("none/first.gz"))).err).toContain("Cannot write");
    });

    test("what is restored equals what was backed up, row by row, on the other engine as well", async () => {
      const restored = await place(other);
      const output = await on(url, "restore", file("first.gz"), "--database", restored, "--json");
      expect([output.code, output.err.includes("arkstone:")]).toEqual([0, false]);
      const answer = JSON.parse(output.out);
      expect(answer.unknown.names).toBe(null);
      expect(answer.unknown.from < answer.unknown.to).toBe(true);
      const [before, after] = [await allRows(url), await allRows(restored)];
      for (const [table, rows] of before) {
        // Restoring adds what it did itself, lengthens blades and begins an epoch.
        if (["shoulder", "service", "item_change"].includes(table)) continue;
        expect([table, after.get(table)?.slice(0, rows.length) ?? []]).toEqual([table, [...rows]]);
      }
      expect(after.get("ark")?.length).toBe(before.get("ark")?.length ?? -1);
      expect((await on(restored, "export")).out).toBe((await on(url, "export")).out);
      expect(await findingsIn(restored)).toEqual([]);
    });

    test("a restored feed has another epoch, and the database goes on: names are made and found", async () => {
      const restored = await place();
      await well(restored, "restore", file("first.gz"));
      const [was, is] = [await openReplica({ url }), await openReplica({ url: restored })];
      const position = await was.position();
      expect((await is.position()).epoch).not.toBe(position.epoch);
      expect(await is.changes(position)).toMatchObject({ changes: [] });
      const from = await is.position();
      const minted = (await on(restored, "ark", "mint", "--shoulder", "b1")).out.trim();
      expect(minted).toMatch(/^ark:99999\/b1.{10}$/);
      expect((await is.changes(from)).changes.map((change) => formatArk(change.target))).toContain(minted);
      expect(await findingsIn(restored)).toEqual([]);
      await was.close();
      await is.close();
    });

    test("no name minted after an older backup was restored equals one handed out since, though chance repeats itself", async () => {
      const source = await place();
      await everyKindOfName(source);
      await well(source, "backup", file("older.gz"));
      const mintOn = async (where: string) => {
        const store = await openStore({ url: where });
        const { minting } = servicesOn(store, repeating());
        const rows = Array.from({ length: 2000 }, () => ({ shoulder: "99999/b1" }));
        const { records } = await minting.mintBulk(systemCall(), rows);
        await store.close();
        return records.map((record) => record.key);
      };
      const lost = await mintOn(source);
      const luck = repeating();
      // Without longer blades the same names would come again.
      expect(drawArk(luck, { naan: "99999", shoulder: "b1" }, 8).key).toBe(lost[0] ?? "");
      const restored = await place();
      await well(restored, "restore", file("older.gz"));
      const known = new Set(lost);
      const again = await mintOn(restored);
      expect([again.length, again.filter((key) => known.has(key)).length]).toEqual([2000, 0]);
      expect(again.every((key) => key.length === (lost[0]?.length ?? 0) + 1)).toBe(true);
    });

    test("a shoulder that came to longer names than it makes itself makes longer ones than those", async () => {
      const source = await place();
      await everyKindOfName(source);
      const store = await openStore({ url: source });
      const { key } = mintedArk("99999", "b1", "bcdfghjkmnp");
      await servicesOn(store, repeating()).minting.importOne(systemCall(), { ark: formatArk(key) });
      await store.close();
      await well(source, "backup", file("longer.gz"));
      const restored = await place();
      await well(restored, "restore", file("longer.gz"));
      const minted = (await well(restored, "ark", "mint", "--shoulder", "b1")).out.trim();
      expect(minted).toMatch(/^ark:99999\/b1.{13}$/);
    });

    test("A11 names of a newer list are entered as withdrawn with reason and history, and never assigned again", async () => {
      const store = await openStore({ url });
      const { minting } = servicesOn(store);
      const call = aCall({ organisationId: 1 });
      const late = (await minting.mint(call, { url: "https://example.org/late" })).record.key;
      const hidden = (await minting.mint(call, { reserve: true })).record.key;
      await store.close();
      for (const format of ["ndjson", "csv"]) {
        writeFileSync(file(`newer.${format}`), (await on(url, "export", "--format", format)).out);
        const restored = await place();
        const newer = ["--newer-names", file(`newer.${format}`), "--json"];
        const output = await on(restored, "restore", file("first.gz"), ...newer);
        expect(output.code).toBe(0);
        const expected = { unknown: { names: 2 }, newer_names: { withdrawn: 2, left_out: 0 } };
        expect(JSON.parse(output.out)).toMatchObject(expected);
        const answer = JSON.parse((await on(restored, "ark", "show", late, "--json")).out);
        expect(answer.state).toBe("deleted");
        const history = JSON.parse((await on(restored, "ark", "history", late, "--json")).out).data;
        expect(history.map((entry: { action: string }) => entry.action)).toEqual(["restore"]);
        expect(history[0].reason).toContain("Listed after the backup of");
        const taken = await openStore({ url: restored });
        const records = await taken.arks([late, hidden]);
        // What was public once is never passed over; what never was is as if it had not been.
        expect(records.get(late)?.firstPublishedAt).not.toBe(null);
        expect(records.get(hidden)?.firstPublishedAt).toBe(null);
        await taken.close();
        writeFileSync(file("again.csv"), `ark\n${late}\n`);
        expect((await on(restored, "import", file("again.csv"))).err).toContain("SVC-1014");
        expect(await findingsIn(restored)).toEqual([]);
      }
    });

    test("A51 a newer export imported after the restore brings the names the backup does not know, as they were", async () => {
      const exported = (await on(url, "export")).out;
      writeFileSync(file("whole.ndjson"), exported);
      const restored = await place();
      await well(restored, "restore", file("first.gz"));
      const known = JSON.parse((await on(restored, "stats", "--json")).out).arks;
      const output = await well(restored, "import", file("whole.ndjson"), "--json");
      expect(JSON.parse(output.out)).toMatchObject({ created: 2, bad: 0, differing: 0 });
      const now = JSON.parse((await on(restored, "stats", "--json")).out).arks;
      expect([now.published - known.published, now.reserved - known.reserved]).toEqual([1, 1]);
      expect(await findingsIn(restored)).toEqual([]);
    });

    test("a list of one ARK a line is read; what fits no shoulder is reported, what is not an ARK stops everything", async () => {
      const restored = await place();
      const above = drawArk(repeating(), { naan: "99999", shoulder: "c2" }, 8).key;
      writeFileSync(
        file("names.txt"),
        `ark:${above}\nark:99999/zz9abc\nark:99999/b1wrong\n${formatArk(names.published)}\n`,
      );
      writeFileSync(file("bad.txt"), `ark:${above}\nnot an ark\n`);
      const refused = await on(restored, "restore", file("first.gz"), "--newer-names", file("bad.txt"));
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("Line 2: not an ark: Not an ARK")]);
      const output = await on(restored, "restore", file("first.gz"), "--newer-names", file("names.txt"));
      expect(output.code).toBe(0);
      expect(output.out).toContain("3 names of the 4 in the newer list");
      expect(output.out).toContain("Entered as withdrawn: 1 name");
      expect(output.err).toContain("ark:99999/zz9abc: is under no shoulder of the backup");
      expect(output.err).toContain("ark:99999/b1wrong: its check character is wrong");
    });

    test("a database that holds anything takes no restore", async () => {
      const before = await allRows(url);
      const output = await on(url, "restore", file("first.gz"));
      expect([output.code, output.err]).toEqual([1, expect.stringContaining("The database is not empty")]);
      expect(output.err).toContain("create a new database");
      expect(await allRows(url)).toEqual(before);
    });

    test("a file that is foreign, cut off or changed is refused before anything is written", async () => {
      const whole = readFileSync(file("first.gz"));
      const text = gunzipSync(whole).toString("utf8");
      const lines = text.trimEnd().split("\n");
      const without = [...lines.slice(0, -2), ...lines.slice(-1)].join("\n");
      const cases: readonly (readonly [string, Uint8Array, string])[] = [
        ["empty", new Uint8Array(), "is cut off"],
        ["foreign", new TextEncoder().encode("ark,title\nx,y\n"), "is not a backup of Arkstone"],
        ["zipped", gzipSync("hello\n"), "is not a backup of Arkstone"],
        ["half", whole.subarray(0, whole.length / 2), "is cut off"],
        ["last", whole.subarray(0, whole.length - 1), "is cut off"],
        ["changed", gzipSync(text.replace("example.org/published", "example.org/publishes")), "its checksum is wrong"],
        ["header", gzipSync(text.replace('"program":"', '"program":"x')), "its checksum is wrong"],
        ["short", gzipSync(`${without}\n`), "rows are missing"],
        ["longer", gzipSync(`${text}${lines[1]}\n`), "something follows its end"],
        ["endless", gzipSync(lines.slice(0, -1).join("\n")), "is cut off"],
        ["future", gzipSync(text.replace('"arkstone_backup":1', '"arkstone_backup":9')), "use a newer program"],
      ];
      const target = await place();
      for (const [name, bytes, words] of cases) {
        writeFileSync(file(`${name}.gz`), bytes);
        const output = await on(target, "restore", file(`${name}.gz`));
        expect([name, output.code, output.err]).toEqual([name, 1, expect.stringContaining(words)]);
      }
      // Not even the tables are there.
      if (!target.startsWith("postgres")) expect(existsSync(target)).toBe(false);
      const status = await on(target, "migrate", "--status", "--json");
      if (target.startsWith("postgres")) expect(JSON.parse(status.out).applied).toEqual([]);
      else expect([status.code, JSON.parse(status.err).code]).toEqual([1, "no_database"]);
      expect((await on(target, "restore", file("nothing.gz"))).err).toContain("Cannot read");
    });

    test("a restore that was cut off is refused by every service and by backup, and can be run again", async () => {
      const target = await place();
      const half = await openRestoreTarget(target);
      await half.prepare(NEWEST_SCHEMA, "the backup of yesterday");
      const cut = half.transact(async (tx) => {
        const columns = ["naan", "authoritative", "name", "policy", "policy_url", "redirect", "minter"];
        await tx.load({ table: "naan", columns, rows: 1 }, [["99999", 1, "", "", "", "", ""]]);
        throw new Error("the power failed");
      });
      await expect(cut).rejects.toThrow("the power failed");
      await half.close();
      await expect(openStore({ url: target })).rejects.toThrow(
        "A restore of the backup of yesterday into this database has not ended",
      );
      const output = await on(target, "ark", "mint", "--shoulder", "b1");
      expect([output.code, output.err]).toEqual([1, expect.stringContaining("has not ended")]);
      const replica = await openReplica({ url: target });
      await expect(replica.position()).rejects.toThrow("no feed epoch");
      await replica.close();
      expect((await on(target, "backup", file("half.gz"))).err).toContain("a restore that was cut off");
      expect((await findingsIn(target)).map(({ kind }) => kind)).toEqual(["feed"]);
      await well(target, "restore", file("first.gz"));
      expect(await findingsIn(target)).toEqual([]);
    });

    test("R9b indexes of a large table are made behind its rows, and are those of a new database", async () => {
      const [filled, empty] = [await place(), await place()];
      const target = await openRestoreTarget(filled);
      await target.prepare(NEWEST_SCHEMA, "a large backup");
      const columns = "subject id views unique_views downloads unique_downloads data_volume used_on".split(" ");
      const rows = Array.from({ length: 10_000 }, (_, id) => ["item", id, 4, 3, 2, 1, 0, "2026-11-30"]);
      await target.transact(async (tx) => {
        await tx.load({ table: "usage_total", columns, rows: rows.length }, rows);
        await tx.load({ table: "service", columns: ["key", "value"], rows: 1 }, [["kept", "1"]]);
        await tx.loaded();
        await tx.settle();
      });
      await target.close();
      await well(empty, "migrate");
      expect(await indexesOf(filled)).toEqual(await indexesOf(empty));
      expect((await allRows(filled)).get("usage_total")).toHaveLength(rows.length);
    });

    test("a backup taken while names are made is one moment: every name has its history, its audit and its receipt", async () => {
      const source = await place();
      await everyKindOfName(source);
      const store = await openStore({ url: source });
      const { minting } = servicesOn(store);
      const call = aCall({ organisationId: 1 });
      const batch = (from: number, rows: number) =>
        minting.mintBulk(
          call,
          Array.from({ length: rows }, (_, row) => ({ request_id: `r${from}-${row}`, url: "https://example.org/" })),
        );
      await batch(0, 3000);
      let stop = false;
      let batches = 0;
      const writer = (async () => {
        while (!stop) {
          await batch(++batches, 20);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      })();
      const output = await on(source, "backup", file("busy.gz"), "--json");
      const during = batches;
      stop = true;
      await writer;
      await store.close();
      expect([output.code, during > 1]).toEqual([0, true]);
      const restored = await place(other);
      await well(restored, "restore", file("busy.gz"));
      expect(await findingsIn(restored)).toEqual([]);
      const rows = await allRows(restored);
      const there = rows.get("ark")?.length ?? 0;
      expect(there).toBe(JSON.parse(output.out).names);
      expect([there >= 3000, (there - 8) % 20]).toEqual([true, 0]);
    });
  });
}
