// Statistics of use through the interfaces (R39): pages and files are counted, shown on the page and in the record,
// kept without anybody's address, added up by several processes, exported, and followed by searches once a day.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonLog } from "../../src/adapters/log.ts";
import { usageOf } from "../../src/main/process/usage.ts";
import type { Usage } from "../../src/repository/statistics/counting.ts";
import { USAGE_JOB } from "../../src/repository/statistics/usage-jobs.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage, freshTitle } from "../support/deposit-requests.ts";
import type { Json } from "../support/world/names.ts";
import { type Answer, type RepositoryWorld, recidOf, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";
import { zip } from "../support/zip-writer.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const ADDRESS = "203.0.113.77";
const DAY_MS = 86_400_000;
const dayOf = (at: string): string => at.slice(0, 10);

onEachDatabase("statistics", (database) => {
  let usage: Usage;
  const lines: string[] = [];
  const log = jsonLog("debug", (line) => void lines.push(line));
  const world = setUpWorld({
    repository: {
      parts(plain) {
        usage = counting(plain.store, plain.clock);
        return { ...plain, usage };
      },
    },
    jobs: true,
    database,
  });

  const counting = (store: RepositoryWorld["store"], clock = world.clock): Usage =>
    usageOf({ store, clock, dayOf }, log);

  async function published(): Promise<{ readonly id: number; readonly file: string; readonly name: string }> {
    const id = recidOf(await world.deposit("registered", cratePackage({ name: freshTitle() })));
    const [file] = (await world.item(id)).content?.files ?? [];
    const name = file?.name ?? "";
    return { id, name, file: `/records/${id}/files/${encodeURIComponent(name)}` };
  }
  const visit = (
    path: string,
    who: Who = null,
    headers: Readonly<Record<string, string>> = {},
    address = ADDRESS,
  ): Promise<Answer> => world.ask(who, "GET", path, { headers: { "user-agent": BROWSER, ...headers }, address });
  const later = (ms = 60_000): void => {
    world.time.now = addMilliseconds(world.time.now, ms);
  };
  const statsOf = async (id: number): Promise<Json> => {
    await usage.flush();
    later();
    return (await visit(`/api/records/${id}`)).json.stats as Json;
  };
  const NOTHING = { views: 0, unique_views: 0, downloads: 0, unique_downloads: 0, data_volume: 0 };

  test("Q.84 a view of a file is neither a view of its item nor a download", async () => {
    const { id, file } = await published();
    const view = file.replace("/files/", "/view/");
    expect([(await visit(view)).status, (await visit(`${view}/content`)).status]).toEqual([200, 200]);
    expect((await statsOf(id)).this_version).toEqual(NOTHING);
    expect((await visit(file)).status).toBe(200);
    expect((await statsOf(id)).this_version).toMatchObject({ views: 0, downloads: 1 });
  });

  test("Q.107 a file out of a ZIP archive is a download of the archive, with its own bytes", async () => {
    const inner = zip([
      { name: "one.txt", bytes: "1234" },
      { name: "two.txt", bytes: "12345678" },
    ]);
    const crate = cratePackage({ name: freshTitle() }, [{ path: "inner.zip", bytes: inner }]);
    const id = recidOf(await world.deposit("registered", crate));
    const name = (await world.item(id)).content?.files.find((file) => file.name.includes("inner.zip"))?.name ?? "";
    const entry = `/records/${id}/view/${encodeURIComponent(name)}/entry?n=`;
    expect([(await visit(`${entry}1`)).status, (await visit(`${entry}9`)).status]).toEqual([200, 404]);
    later();
    expect((await visit(`${entry}2`)).status).toBe(200);
    expect((await statsOf(id)).this_version).toMatchObject({ views: 0, downloads: 2, data_volume: 12 });
  });

  test("S3.6.246 views of the page and downloads by page, interface and archive are in stats of the record, of this version and of all", async () => {
    const { id, file, name } = await published();
    expect(await statsOf(id)).toEqual({ this_version: NOTHING, all_versions: NOTHING } as never);
    const size = ((await world.item(id)).content?.files ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect((await visit(`/records/${id}`, null, { accept: "text/html" })).status).toBe(200);
    expect((await visit(file)).status).toBe(200);
    later();
    expect((await visit(`/api/records/${id}/files/${encodeURIComponent(name)}/content`)).status).toBe(200);
    expect((await visit(`/records/${id}`, null, { accept: "text/html" }, "203.0.113.78")).status).toBe(200);
    later();
    expect((await visit(`/api/records/${id}/files-archive`)).status).toBe(200);
    const files = (await world.item(id)).content?.files.length ?? 0;
    const { this_version: mine, all_versions: all } = await statsOf(id);
    expect(mine).toMatchObject({ views: 2, unique_views: 2, downloads: 2 + files, unique_downloads: 1 });
    expect((mine as Json).data_volume).toBeGreaterThanOrEqual(size);
    expect(all).toEqual(mine as never);
    const listed = await visit(`/api/records?q=id:${id}`);
    const { hits } = listed.json.hits as { readonly hits: readonly { readonly stats: Json }[] };
    expect(hits.map(({ stats }) => stats.this_version)).toEqual([mine]);
  });

  test("S3.6.246 robots, owners, administrators, HEAD, prefetching and later parts of files count nothing through the interfaces", async () => {
    const { id, file } = await published();
    const html = { accept: "text/html" };
    await visit(`/records/${id}`, null, { ...html, "user-agent": "Googlebot/2.1" });
    await visit(`/records/${id}`, "registered", html);
    await visit(`/records/${id}`, "admin", html);
    for (const name of ["sec-purpose", "purpose", "x-purpose", "x-moz"]) {
      await visit(`/records/${id}`, null, { ...html, [name]: "prefetch" });
    }
    await world.ask(null, "HEAD", `/records/${id}`, { headers: { "user-agent": BROWSER } });
    await visit(file, null, { range: "bytes=1-" });
    await visit(file, "system");
    await visit(`/records/${id}/files`, null, html);
    expect(await statsOf(id)).toEqual({ this_version: NOTHING, all_versions: NOTHING } as never);
    expect((await visit(file, null, { range: "bytes=0-0" })).status).toBe(206);
    expect((await statsOf(id)).this_version).toMatchObject({ downloads: 1 });
  });

  test("S3.6.240 each version has its counts, all versions have the sum, and a visitor of both is one of all", async () => {
    const { id, file } = await published();
    const other = await published();
    const next = String((await world.ask("registered", "POST", `/api/records/${id}/versions`)).json.id);
    const { metadata } = (await visit(`/api/records/${id}`)).json;
    const body = JSON.stringify({
      metadata: { ...(metadata as Json), publication_date: "2026" },
      files: { enabled: false },
    });
    const headers = { "content-type": "application/json" };
    await world.ask("registered", "PUT", `/api/records/${next}/draft`, { headers, body });
    const answer = await world.ask("registered", "POST", `/api/records/${next}/draft/actions/publish`);
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    const html = { accept: "text/html" };
    for (const [path, address] of [
      [`/records/${id}`, "203.0.113.1"],
      [`/records/${next}`, "203.0.113.1"],
      [`/records/${next}`, "203.0.113.2"],
      [file, "203.0.113.2"],
      [file, "203.0.113.3"],
      [`/records/${other.id}`, "203.0.113.4"],
    ] as const) {
      expect([path, (await visit(path, null, html, address)).status]).toEqual([path, 200]);
    }
    const size = (await world.item(id)).content?.files[0]?.sizeBytes ?? 0;
    const all = { views: 3, unique_views: 2, downloads: 2, unique_downloads: 2, data_volume: 2 * size };
    expect(await statsOf(id)).toEqual({
      this_version: { ...all, views: 1, unique_views: 1 },
      all_versions: all,
    } as never);
    expect(await statsOf(Number(next))).toEqual({
      this_version: { ...NOTHING, views: 2, unique_views: 2 },
      all_versions: all,
    } as never);
    expect((await statsOf(other.id)).all_versions).toEqual({ ...NOTHING, views: 1, unique_views: 1 } as never);
  });

  test("S3.6.243 R51 owners and accounts with a role count nothing at any interface; others count there, signed in or not", async () => {
    const [mine, second] = [await published(), await published()];
    const interfaces = ({ id, file, name }: typeof mine) => {
      const files = [
        `/api/records/${id}/files/${encodeURIComponent(name)}/content`,
        `/api/records/${id}/files-archive`,
      ];
      return [`/records/${id}`, file, ...files];
    };
    const visitAll = async (who: Who): Promise<void> => {
      for (const path of [...interfaces(mine), ...interfaces(second)]) {
        expect([who, path, (await visit(path, who, { accept: "text/html, */*" })).status]).toEqual([who, path, 200]);
        later();
      }
    };
    for (const who of ["registered", "admin", "system", "other", "manager"] as const) await visitAll(who);
    const counted = async () => {
      const found = [await statsOf(mine.id), await statsOf(second.id)];
      return found.map((stats) => stats.this_version as typeof NOTHING);
    };
    expect(await counted()).toEqual([NOTHING, NOTHING]);
    const files = ((await world.item(mine.id)).content?.files ?? []).length;
    for (const [at, who] of (["general", null] as const).entries()) {
      await visitAll(who);
      for (const { views, downloads } of await counted()) {
        expect([who, views, downloads]).toEqual([who, at + 1, (at + 1) * (2 + files)]);
      }
    }
  });

  test("S3.6.246 the page shows it in English and Japanese", async () => {
    const { id } = await published();
    const { parentId } = await world.item(id);
    const day = { day: "2026-11-20", file: "", uniqueViews: 1, uniqueDownloads: 1, dataVolume: 5 };
    await world.store.transact((tx) =>
      tx.usage.addUsage([
        { ...day, subject: "item", id, views: 1_234, downloads: 5 },
        { ...day, subject: "parent", id: parentId, views: 2_000, downloads: 7 },
      ]),
    );
    const page = (language: string) =>
      world.ask("registered", "GET", `/records/${id}`, {
        headers: { accept: "text/html", "accept-language": language },
      });
    expect((await page("en")).text).toContain("Views: 2,000. Downloads of files: 7. Of this version: 1,234 and 5.");
    expect((await page("ja")).text).toContain("閲覧 2,000 回、ファイルのダウンロード 7 回。");
  });

  test("S3.6.247 several processes add up, and what one counted twice on a day is in one row", async () => {
    const { id } = await published();
    const { parentId } = await world.item(id);
    const other = counting(world.store);
    const record = { id, parentId, isOwn: false, isPublic: true };
    const by = { method: "GET", status: 200, userAgent: BROWSER, purpose: "", firstByte: 0 };
    const before = (await world.store.usage.usageTotals()).views;
    for (const [at, process] of [usage, other, usage, other].entries()) {
      process.view({ ...by, address: `198.51.100.${at}` }, record);
      if (at % 2 === 1) await Promise.all([usage.flush(), other.flush()]);
    }
    const stats = await world.store.usage.usageStats([{ id, parentId }]);
    expect(stats.get(id)?.thisVersion).toMatchObject({ views: 4, uniqueViews: 4 });
    expect((await world.store.usage.usageTotals()).views).toBe(before + 4);
    const month = dayOf(world.time.now).slice(0, 7);
    const rows = await world.store.usage.usageByMonth(month, month, { month, item: id - 1, file: "\u{10ffff}" }, 1);
    expect(rows).toMatchObject([{ month, item: id, file: "", views: 4 }]);
    expect(await world.store.usage.usageByMonth("2020-01", "2020-12", null, 10)).toEqual([]);
  });

  test("S3.6.248 no address and no hash of a visitor is in the database or in the log, on the day itself or later", async () => {
    const { id } = await published();
    const address = "203.0.113.199";
    await visit(`/records/${id}`, null, { accept: "text/html", "user-agent": `${BROWSER} Peculiar/9` }, address);
    await usage.flush();
    const { store } = world;
    const rows = await store.usage.usageByMonth("2026-01", "2026-12", null, 1_000);
    expect(rows.some(({ item }) => item === id)).toBe(true);
    if (database.name === "SQLite") {
      const kept = readdirSync(world.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString("latin1"));
      expect(kept.some((text) => text.includes("usage_day"))).toBe(true);
      for (const text of kept) expect([text.includes(address), text.includes("Peculiar/9")]).toEqual([false, false]);
    }
    expect(lines.join("\n")).not.toContain(address);
    // A row has a day, whose counts these are, and the counts.
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(
      ["dataVolume", "downloads", "file", "item", "month", "uniqueDownloads", "uniqueViews", "views"].sort(),
    );
  });

  test("S3.6.249 once a day searches learn what was used, and order by it", async () => {
    later(4 * DAY_MS);
    const [little, much, old] = [await published(), await published(), await published()];
    later();
    const fresh = await published();
    const first = async (sort: string): Promise<readonly string[]> => {
      const { hits } = (await visit(`/api/records?sort=${sort}&size=2`)).json.hits as {
        readonly hits: readonly Json[];
      };
      return hits.map(({ id }) => String(id));
    };
    // The index has all four before anything is used.
    expect((await first("newest"))[0]).toBe(String(fresh.id));
    const many = { views: 50_000, uniqueViews: 40_000, downloads: 90, uniqueDownloads: 80, dataVolume: 1 };
    const few = { ...many, views: 51_000, uniqueViews: 39_000, downloads: 89, uniqueDownloads: 99 };
    const use = async ({ id }: { readonly id: number }, counts: typeof many, day: string) => {
      const { parentId } = await world.item(id);
      await world.store.transact((tx) =>
        tx.usage.addUsage([{ day, subject: "parent", id: parentId, file: "", ...counts }]),
      );
    };
    const before = (days: number): string => dayOf(addMilliseconds(world.time.now, -days * DAY_MS));
    await use(little, few, before(2));
    await use(much, many, before(0));
    await use(old, { ...many, uniqueViews: 60_000 }, before(3));
    const { state, progress } = await world.runJob(USAGE_JOB);
    expect([state, progress, world.jobKinds[USAGE_JOB]?.everyMs]).toEqual(["waiting", "2 records notified", DAY_MS]);
    expect(await first("mostviewed")).toEqual([String(much.id), String(little.id)]);
    expect(await first("mostdownloaded")).toEqual([String(little.id), String(much.id)]);
  });

  test("S3.6.247 counts of several days, versions and files that are written together add up, in pages of months and by the last day", async () => {
    const [one, other] = [await published(), await published()];
    const parents = [(await world.item(one.id)).parentId, (await world.item(other.id)).parentId];
    const [parent = 0, otherParent = 0] = parents;
    const row = (day: string, subject: "item" | "parent", id: number, views: number, file = "") => ({
      ...{ day, subject, id, file, views, uniqueViews: 1, downloads: 2, uniqueDownloads: 1, dataVolume: 10 },
    });
    const add = (...rows: readonly ReturnType<typeof row>[]) => world.store.transact((tx) => tx.usage.addUsage(rows));
    await add(row("2031-01-30", "parent", parent, 1), row("2031-01-30", "item", one.id, 1));
    await add(
      row("2031-01-31", "item", one.id, 3),
      row("2031-02-01", "item", one.id, 4),
      row("2031-02-01", "item", one.id, 0, "a.csv"),
      row("2031-02-01", "item", one.id, 0, "b.csv"),
      row("2031-02-28", "item", other.id, 5),
      row("2031-01-31", "parent", parent, 3),
      row("2031-02-01", "parent", parent, 4),
      row("2031-02-28", "parent", otherParent, 5),
    );
    // An earlier day, written last.
    await add(row("2031-01-29", "parent", parent, 2), row("2031-01-29", "item", one.id, 2));
    const usage = world.store.usage;
    const stats = await usage.usageStats([
      { id: one.id, parentId: parent },
      { id: other.id, parentId: otherParent },
    ]);
    const sums = (views: number, days: number) => ({
      ...{ views, uniqueViews: days, downloads: 2 * days, uniqueDownloads: days, dataVolume: 10 * days },
    });
    expect([...stats]).toEqual([
      [one.id, { thisVersion: sums(10, 4), allVersions: sums(10, 4) }],
      [other.id, { thisVersion: sums(5, 1), allVersions: sums(5, 1) }],
    ]);
    const months: unknown[] = [];
    for (let after: Parameters<typeof usage.usageByMonth>[2] = null; ; ) {
      const page = await usage.usageByMonth("2031-01", "2031-02", after, 2);
      months.push(...page.map(({ month, item, file, views }) => [month, item, file, views]));
      const last = page.at(-1);
      if (last === undefined) break;
      after = last;
    }
    const february = [
      [one.id, "", 4],
      [one.id, "a.csv", 0],
      [one.id, "b.csv", 0],
      [other.id, "", 5],
    ] as const;
    expect(months).toEqual([["2031-01", one.id, "", 6], ...february.map((row) => ["2031-02", ...row])]);
    const since = (day: string, after: number, limit = 10) => usage.parentsUsedSince(day, after, limit);
    expect([
      ...[await since("2031-01-31", 0), await since("2031-02-01", 0), await since("2031-02-02", 0)],
      ...[await since("2031-01-31", parent), await since("2031-01-31", 0, 1), await since("2031-03-01", 0)],
    ]).toEqual([[parent, otherParent], [parent, otherParent], [otherParent], [otherParent], [parent], []]);
  });
});
