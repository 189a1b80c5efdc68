// Reads through the endpoints: query, list, history, stats, export, each within the caller's reach (specification 1,
// "Query"; A15 to A17, A19).
import { beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { ArkOut, ArkPageOut, BulkQueryOut, HistoryOut, StatsOut } from "../../plugins/ark/schemas.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { type Answer, type Json, solemnly } from "../support/world/names.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

let published = "";
let reserved = "";
let tombstoned = "";
let others = "";
const world = setUpWorld({ names: { bulkRows: 50 } });
beforeAll(async () => {
  published = await world.make("published", { title: 'Comma, "quote"\nand line', who: "=1+1", metadata: " padded " });
  reserved = await world.make("reserved", { title: "Second THING", url: "https://archive.example.org/x" });
  tombstoned = await world.make("tombstoned", { title: "Third" });
  await world.make("deleted");
  await world.make("purged");
  others = String((await world.send("org-b", "POST", "mint", { title: "Not yours" })).body.ark);
});

/** The name with its check character behind it. */
const checked = (key: string) => key + checkCharacter(key);
const rows = (answer: Answer): readonly Json[] => (Array.isArray(answer.body.data) ? answer.body.data : []);
const arksOf = (answer: Answer) => rows(answer).map((row) => row.ark);

describe("L20 L47 A17 query", () => {
  test("L20 L47 A17 in the order sent, one row a name, unknown and out of reach and withdrawn names left out", async () => {
    const gone = await world.make("deleted");
    const name = reserved.slice("ark:99999/".length);
    const hyphened = `99999/${name.replace("b1", "b-1")}`;
    const data = [tombstoned, "ark:99999/b1none", reserved, others, hyphened, gone, published];
    const answer = await world.send("org-a", "POST", "query", { data });
    expect(answer.status).toBe(200);
    expect(arksOf(answer)).toEqual([tombstoned, reserved, published]);
    expect(arksOf(await world.send("org-b", "POST", "query", { data }))).toEqual([others]);
    const expected = [tombstoned, reserved, others, published];
    expect(arksOf(await world.send("naan", "POST", "query", { data }))).toEqual(expected);
    expect(arksOf(await world.send("foreign", "POST", "query", { data }))).toEqual([]);
  });

  test("L14 A16 a record has every field of the schema, times in UTC, and nothing else", async () => {
    const answer = await world.send("org-a", "POST", "query", { data: [published] });
    expect(Value.Check(BulkQueryOut, answer.body)).toBe(true);
    expect(Object.keys(rows(answer)[0] ?? {}).sort()).toEqual(Object.keys(ArkOut.properties).sort());
    expect(rows(answer)[0]?.created_at).toBe("2026-11-20T10:00:00.000Z");
  });

  test("A17 strings that are not ARKs are a 422 that names each index", async () => {
    const answer = await world.send("org-a", "POST", "query", {
      data: [published, "nonsense", reserved, "ark:99999/%"],
    });
    expect(answer.status).toBe(422);
    const detail = answer.body.detail as readonly Json[];
    expect(detail.map((problem) => problem.loc)).toEqual([
      ["body", "data", 1],
      ["body", "data", 3],
    ]);
  });
});

describe("A15 list", () => {
  test("L11 A15 by key, paged, within reach, without withdrawn names", async () => {
    const whole = await world.send("org-a", "GET", "arks?limit=1000");
    expect(Value.Check(ArkPageOut, whole.body)).toBe(true);
    expect(whole.body.next).toBe(null);
    expect(arksOf(whole)).toEqual([...arksOf(whole)].sort());
    expect(arksOf(whole)).toContain(tombstoned);
    expect(arksOf(whole)).not.toContain(others);
    const paged: unknown[] = [];
    for (let after: unknown = ""; after !== null; ) {
      const page = await world.send("org-a", "GET", `arks?limit=2&after=${encodeURIComponent(String(after))}`);
      expect(rows(page).length).toBeLessThanOrEqual(2);
      paged.push(...arksOf(page));
      after = page.body.next;
    }
    expect(paged).toEqual(arksOf(whole));
    expect(arksOf(await world.send("org-b", "GET", "arks"))).toEqual([others]);
    expect(arksOf(await world.send("foreign", "GET", "arks"))).toEqual([]);
  });

  test("A15 filters: shoulder, state, updated_since, text in title or url", async () => {
    const list = async (query: string, who = "naan") => arksOf(await world.send(who, "GET", `arks?${query}`));
    expect(await list("shoulder=c2")).toEqual([others]);
    expect(await list("shoulder=99999/c2")).toEqual([others]);
    expect(await list("shoulder=88888/c2")).toEqual([]);
    expect(await list("shoulder=c2", "org-a")).toEqual([]);
    expect(await list("state=reserved")).toEqual([reserved]);
    expect(await list("state=tombstoned")).toEqual([tombstoned]);
    expect(await list("text=second%20thing")).toEqual([reserved]);
    expect(await list("text=ARCHIVE.example")).toEqual([reserved]);
    expect(await list("text=100%25")).toEqual([]);
    world.time.now = "2026-11-21T10:00:00.000Z";
    await world.send("org-a", "PATCH", "update", { ark: reserved, who: "Later" });
    expect(await list("updated_since=2026-11-21")).toEqual([reserved]);
    expect(await list("updated_since=2026-11-21T11:00:00%2B01:00")).toEqual([reserved]);
    expect(await list("updated_since=2026-11-21T10:00:00.001Z")).toEqual([]);
  });

  test("A29 A46 wrong and unknown filters are a 422 that names the field of the query", async () => {
    for (const [query, field] of [
      ["state=deleted", "state"],
      ["state=nonsense", "state"],
      ["limit=0", "limit"],
      ["limit=1001", "limit"],
      ["limit=ten", "limit"],
      ["updated_since=yesterday", "updated_since"],
      ["updated_since=2026-02-30", "updated_since"],
      ["shoulder=ark:%7B/b1", "shoulder"],
      ["sate=reserved", "sate"],
    ] as const) {
      const answer = await world.send("org-a", "GET", `arks?${query}`);
      expect(`${query} ${answer.status}`).toBe(`${query} 422`);
      expect(answer.body.detail).toMatchObject([{ loc: ["query", field] }]);
    }
    const after = await world.send("org-a", "GET", "arks?after=nonsense");
    expect(after.body).toMatchObject({ code: "SVC-1001" });
  });
});

describe("A17 history and stats", () => {
  test("A17 history has the shape promised, oldest first", async () => {
    const answer = await world.send("org-a", "GET", `history?ark=${encodeURIComponent(tombstoned)}`);
    expect(Value.Check(HistoryOut, answer.body)).toBe(true);
    expect(answer.body.ark).toBe(tombstoned);
    expect(rows(answer).map((entry) => entry.action)).toEqual(["mint", "tombstone"]);
    const missing = await world.send("org-a", "GET", "history");
    expect(missing.status).toBe(422);
    expect(missing.body.detail).toMatchObject([{ loc: ["query", "ark"], type: "missing" }]);
  });

  test("A17 stats count what is within reach", async () => {
    const fresh = await openWorld({ names: true });
    const held = await fresh.make("published");
    for (const state of ["reserved", "unpublished", "tombstoned", "deleted", "purged"] as const)
      await fresh.make(state);
    await fresh.send("org-b", "POST", "mint", {});
    await fresh.send("naan", "POST", "import", { ark: checked("99999/d9x"), reserve: true });
    const until = "2026-11-27T10:00:00Z";
    await fresh.send("org-a", "PUT", "hold", { ark: held, until, reason: "R" });
    await fresh.send("naan", "PUT", "hold", { shoulder: "c2", until, reason: "R" });
    await fresh.send("naan", "PUT", "hold", { naan: "99999", until, reason: "R" });
    const mine = await fresh.send("org-a", "GET", "stats");
    expect(Value.Check(StatsOut, mine.body)).toBe(true);
    const scope = { tier: "organisation", naan: "99999", organisation: "org-a", shoulder: null };
    const counts = { reserved: 0, active: 1, delegated: 1, retired: 1 };
    expect(mine.body).toMatchObject({ scope, withdrawn: { deleted: 1, purged: 1 }, shoulders: counts, holds: 1 });
    expect(mine.body).toMatchObject({ minted: { "24h": 6, "7d": 6, "30d": 6 } });
    const shoulders = mine.body.by_shoulder as readonly Json[];
    expect(shoulders.map((row) => row.shoulder).sort()).toEqual(["b1", "d9", "r7"]);
    const naan = await fresh.send("naan", "GET", "stats");
    const expected = { holds: 3, shoulders: { active: 2 }, scope: { tier: "naan", organisation: null } };
    expect(naan.body).toMatchObject(expected);
    fresh.time.now = "2026-11-25T10:00:00.000Z";
    expect((await fresh.send("org-b", "GET", "stats")).body).toMatchObject({
      arks: { published: 1 },
      minted: { "24h": 0, "7d": 1, "30d": 1 },
      holds: 1,
    });
    expect((await fresh.send("pinned", "GET", "stats")).body).toMatchObject({ arks: { published: 0 }, holds: 0 });
    fresh.time.now = "2026-12-25T10:00:00.000Z";
    expect((await fresh.send("naan", "GET", "stats")).body).toMatchObject({ holds: 0, minted: { "30d": 0 } });
    await fresh.store.close();
  });
});

/** Reads CSV by RFC 4180, plainly. */
function csvRows(text: string): string[][] {
  const found: string[][] = [[]];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g;
  for (const [, value = "", end] of text.matchAll(field)) {
    found.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end !== ",") found.push([]);
  }
  return found.slice(0, -1);
}

describe("A15 export", () => {
  const get = (who: string, query: string, accept: string | null) => {
    const headers = { authorization: `Bearer ${who}`, ...(accept === null ? {} : { accept }) };
    return world.fetch(new Request(`http://ark.test/api/export${query}`, { headers }));
  };

  test("A15 NDJSON: one record a line, every name within reach, by key", async () => {
    const response = await get("org-a", "", null);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(response.headers.get("vary")).toBe("Accept");
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([...rows(await world.send("org-a", "GET", "arks?limit=1000"))]);
    for (const line of lines) expect(Value.Check(ArkOut, line)).toBe(true);
  });

  test("A15 CSV: a header line, RFC 4180 quoting, every field as stored but for what a spreadsheet would run", async () => {
    const response = await get("org-a", "", "text/csv");
    expect(response.headers.get("content-type")).toMatch(/^text\/csv;/);
    const [head = [], ...lines] = csvRows(await response.text());
    expect(head.slice(0, 4)).toEqual(["ark", "url", "title", "type"]);
    const records = lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index]])));
    const texts = { title: 'Comma, "quote"\nand line', who: "'=1+1", metadata: " padded " };
    const record = records.find((each) => each.ark === published);
    expect(record).toMatchObject({ ...texts, state: "published", hold_until: "" });
    expect(records.length).toBe(rows(await world.send("org-a", "GET", "arks?limit=1000")).length);
  });

  test("A15 Accept decides, with its weights; filters are those of the list", async () => {
    for (const [accept, type] of [
      ["*/*", "application/x-ndjson"],
      ["text/csv;q=0.5, application/x-ndjson;q=0.9", "application/x-ndjson"],
      ["text/csv;q=0.9, application/json;q=0.5", "text/csv"],
      ["TEXT/CSV", "text/csv"],
      ["text/csv, */*", "text/csv"],
      ["application/json", "application/x-ndjson"],
      ["text/html", "application/x-ndjson"],
      ["text/csv;q=0", "application/x-ndjson"],
      ["text/csv;q=nonsense", "application/x-ndjson"],
    ] as const) {
      expect((await get("org-a", "", accept)).headers.get("content-type")?.split(";")[0]).toBe(type);
    }
    const filtered = await (await get("org-a", "?state=tombstoned", null)).text();
    const lines = filtered.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).ark)).toEqual([tombstoned]);
    expect((await get("org-a", "?state=nonsense", null)).status).toBe(422);
    expect(await get("foreign", "", null).then((response) => response.text())).toBe("");
  });

  test("A15 an export of more than one page leaves nothing out and gives nothing twice", async () => {
    const fresh = await openWorld({ names: true });
    const data = Array.from({ length: 2500 }, () => ({}));
    await fresh.send("org-a", "POST", "mint/bulk", { data });
    const pages: number[] = [];
    const keys = new Set<string>();
    const call = { caller: fresh.callers["org-a"], address: "", readOnly: false };
    for await (const page of fresh.arkQueries.exportRows(call, {})) {
      pages.push(page.length);
      for (const record of page) keys.add(record.key);
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(Math.max(...pages)).toBeLessThanOrEqual(1000);
    expect(keys.size).toBe(2500);
    await fresh.store.close();
  });
});

describe("L40 A19 read_only", () => {
  const REQUESTS: readonly (readonly [string, string, (ark: string) => Json | undefined])[] = [
    ["POST", "mint", () => ({})],
    ["POST", "mint/bulk", () => ({ data: [{}] })],
    ["POST", "register", (ark) => ({ ark, qualifier: "/p" })],
    ["POST", "import", () => ({ ark: checked("99999/d9read") })],
    ["POST", "import/bulk", () => ({ data: [] })],
    ["PUT", "update", (ark) => ({ ark })],
    ["PATCH", "update", (ark) => ({ ark })],
    ["PUT", "update/bulk", (ark) => ({ data: [{ ark }] })],
    ["PATCH", "update/bulk", (ark) => ({ data: [{ ark }] })],
    ["PUT", "tombstone", (ark) => ({ ark })],
    ["POST", "publish", (ark) => ({ ark })],
    ["POST", "publish/bulk", (ark) => ({ data: [ark] })],
    ["POST", "unpublish", solemnly],
    ["POST", "unpublish/bulk", (ark) => ({ data: [ark], reason: "R", confirm: 1 })],
    ["PUT", "hold", (ark) => ({ ark, until: "2026-12-01T00:00:00Z", reason: "R" })],
    ["PUT", "hold/release", (ark) => ({ ark })],
    ["POST", "delete", solemnly],
    ["POST", "delete/bulk", () => ({ data: [] })],
    ["POST", "purge", solemnly],
    ["POST", "query", (ark) => ({ data: [ark] })],
    ["GET", "arks", () => undefined],
    ["GET", "stats", () => undefined],
  ];

  test("L40 A19 read_only is accepted everywhere, changes nothing on a write, and a bad value is 422", async () => {
    for (const [method, path, body] of REQUESTS) {
      const ark = await world.make(path === "delete" ? "unpublished" : "published");
      const bad = await world.send("org-a", method, `${path}?read_only=maybe`, body(ark));
      expect(`${path} ${bad.status}`).toBe(`${path} 422`);
      expect(bad.body.detail).toMatchObject([{ loc: ["query", "read_only"] }]);
      const good = await world.send("org-a", method, `${path}?read_only=true`, body(ark));
      expect(`${path} ${good.status < 300}`).toBe(`${path} true`);
    }
    const ark = encodeURIComponent(published);
    expect((await world.send("org-a", "GET", `history?ark=${ark}&read_only=true`)).status).toBe(200);
    expect((await world.send("org-a", "GET", `history?ark=${ark}&read_only=2`)).status).toBe(422);
    const exported = (value: string) =>
      world.fetch(
        new Request(`http://ark.test/api/export?read_only=${value}`, { headers: { authorization: "Bearer org-a" } }),
      );
    expect((await exported("false")).status).toBe(200);
    expect((await exported("x")).status).toBe(422);
  });
});
