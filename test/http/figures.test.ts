// Figures (R51): visits are replayed, and every sum agrees with a naive count of them, by month, for each record, version,
// file, person, community, index and the repository; what somebody may not see has no figures.
import { beforeAll, expect, test } from "bun:test";
import process from "node:process";
import { jsonLog } from "../../src/adapters/log.ts";
import { GUEST, type Viewer } from "../../src/auth/account.ts";
import { usageOf } from "../../src/main/process/usage.ts";
import type { Item } from "../../src/model/items/item.ts";
import { monthsBetween } from "../../src/model/months.ts";
import type { Usage } from "../../src/repository/statistics/counting.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { randomFrom } from "../support/random-from.ts";
import { anAgent } from "../support/world/authors.ts";
import { RESTRICTED, titled } from "../support/world/items.ts";
import { csrfIn } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const VISITS = process.env.ARKSTONE_SLOW === "1" ? 100_000 : 2_000;
const START = "2025-11-28T22:00:00.000Z";
const [FROM, TO] = ["2025-11", "2026-03"];
const BROWSERS = ["Mozilla/5.0 (X11; Linux) Firefox/128.0", "Mozilla/5.0 (Macintosh) Safari/605.1", "Googlebot/2.1"];
/** Japan's day and month begin nine hours earlier. */
const dayOf = (at: string): string => addMilliseconds(at, 9 * 3_600_000).slice(0, 10);

type Counts = { views: number; downloads: number; data_volume: number };
type Naive = Map<string, Counts>;
/** Where the visits of an item are counted besides itself. */
type Placed = { readonly item: Item; readonly groups: readonly string[]; readonly isPublic: boolean };

onEachDatabase("figures", (database) => {
  const world = setUpWorld(async () => ({ pages: { url: await database.url() } }));
  const naive: Naive = new Map();
  const placed: Placed[] = [];
  const people: number[] = [];
  let community = "";

  beforeAll(async () => {
    const { store, admin, token, visitor } = world;
    await world.index({ id: 7 });
    await world.index({ id: 8, parent: 7 });
    await world.index({ id: 9 });
    await world.index({ id: 10, publicState: false });
    const browser = visitor();
    await browser.signIn(await token(admin));
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get("/authors/new")).text)?.[1] ?? "";
    for (const name of ["Ito", "Sato"]) {
      const fields = { csrf, "n.0.language": "en", "n.0.familyName": name, "n.0.show": "true" };
      const { headers } = await browser.post("/authors/new/edit", fields);
      people.push(Number(/\d+$/.exec(headers.get("location") ?? "")?.[0]));
    }
    const made = await browser.send("/api/communities", {
      method: "POST",
      body: JSON.stringify({ slug: "tides", metadata: { title: "Tides" }, access: {} }),
      headers: { authorization: `Bearer ${await token(admin)}` },
    });
    community = JSON.parse(made.text).id;
    const [ito = 0, sato = 0] = people;
    const publish = async (title: string, authors: readonly number[], indexes: readonly number[], isPublic = true) => {
      const files = [await world.file("a.csv", "1,2,3"), await world.file("b.txt", "x".repeat(70))];
      const metadata = titled(title, { creators: authors.map((authorId) => anAgent({ authorId })) });
      const access = isPublic ? {} : { access: RESTRICTED };
      const item = await world.publish({ metadata, files, indexes: [...indexes], ...access });
      const above = indexes.includes(8) ? [7] : [];
      const groups = [...authors.map((id) => `person ${id}`), ...[...indexes, ...above].map((id) => `index ${id}`)];
      placed.push({ item, groups: isPublic ? ["repository ", ...groups] : [], isPublic });
    };
    await publish("Of one", [ito], [8]);
    await publish("Of both", [ito, sato], [8, 9]);
    await publish("Of nobody", [], []);
    await publish("Restricted", [ito], [7], false);
    const [, both] = placed;
    await store.transact((tx) => tx.items.setCommunities(both?.item.parentId ?? 0, [community]));
    if (both !== undefined) placed[1] = { ...both, groups: [...both.groups, `community ${community}`] };
    await replay();
  });

  const add = (key: string, month: string, counts: Partial<Counts>): void => {
    for (const each of [`${key}|${month}`, `${key}|`]) {
      const before = naive.get(each) ?? { views: 0, downloads: 0, data_volume: 0 };
      naive.set(each, {
        views: before.views + (counts.views ?? 0),
        downloads: before.downloads + (counts.downloads ?? 0),
        data_volume: before.data_volume + (counts.data_volume ?? 0),
      });
    }
  };

  /** Visits of four months, in their order: of people, robots and owners, twice within half a minute, in parts. */
  async function replay(): Promise<void> {
    const time = { now: START };
    const log = jsonLog("error", () => {});
    const counters: Usage[] = [1, 2].map(() =>
      usageOf({ store: world.store, clock: { now: () => time.now }, dayOf }, log),
    );
    const random = randomFrom(51);
    const last = new Map<string, number>();
    const step = Math.floor((100 * 86_400_000) / VISITS);
    for (let at = 0; at < VISITS; at++) {
      time.now = addMilliseconds(time.now, random.below(step * 2) < step / 4 ? 9_000 : random.below(step * 2));
      const { item, groups, isPublic } = placed[random.below(placed.length)] ?? never();
      const who = random.below(12);
      const userAgent = BROWSERS[random.below(8) === 0 ? 2 : who % 2] ?? "";
      const isOwn = random.below(15) === 0;
      const file =
        [null, null, { name: "a.csv", sizeBytes: 5 }, { name: "b.txt", sizeBytes: 70 }][random.below(4)] ?? null;
      const [method, status, firstByte] =
        (
          [
            ["GET", 200, 0],
            ["GET", 200, 0],
            ["GET", 206, 100],
            ["HEAD", 200, 0],
            ["GET", 304, 0],
            ["GET", 404, 0],
          ] as const
        )[random.below(6)] ?? never();
      const visit = { method, status, address: `198.51.100.${who}`, userAgent, purpose: "", firstByte };
      const counter = counters[who % 2] ?? never();
      const record = { id: item.id, parentId: item.parentId, isOwn, isPublic };
      if (file === null) counter.view(visit, record);
      else counter.download(visit, record, file);
      if (random.below(100) === 0) await Promise.all(counters.map((each) => each.flush()));
      // The same by hand.
      if (isOwn || method !== "GET" || userAgent.includes("bot") || status === 404 || firstByte > 0) continue;
      const act = `${dayOf(time.now)} ${who} ${userAgent} ${item.id} ${file?.name ?? ""}`;
      const [now, before] = [Date.parse(time.now), last.get(act)];
      last.set(act, now);
      if (before !== undefined && now - before <= 30_000) continue;
      const month = dayOf(time.now).slice(0, 7);
      const counts = file === null ? { views: 1 } : { downloads: 1, data_volume: status === 304 ? 0 : file.sizeBytes };
      for (const key of [`record ${item.id}`, `version ${item.id}`, ...groups]) add(key, month, counts);
      if (file !== null) add(`file ${item.id} ${file.name}`, month, counts);
    }
    await Promise.all(counters.map((each) => each.close()));
  }

  const owner = async () => ({ authorization: `Bearer ${await world.token(world.owner)}` });
  const figures = async (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
    await world.visitor().get(`/api/statistics?${new URLSearchParams(query)}`, headers);

  test("Q.180 Q.181 R51 every sum of replayed visits agrees with a naive count, month by month, and the months with the total", async () => {
    const keys = [...new Set([...naive.keys()].map((key) => key.split("|")[0] ?? ""))];
    expect(keys.filter((key) => key.startsWith("index "))).toHaveLength(3);
    let compared = 0;
    for (const key of keys) {
      const [, of = "", id = "", file = ""] = /^(\w+) (\S*)(?: (.*))?$/.exec(key) ?? [];
      const { text } = await figures({ of, id, file, from: FROM, to: TO }, await owner());
      const answer = JSON.parse(text) as {
        readonly total: Counts;
        readonly months: readonly ({ month: string } & Counts)[];
      };
      expect([key, answer.months.map(({ month }) => month)]).toEqual([key, [...monthsBetween(FROM, TO)]]);
      expect([key, answer.total]).toEqual([key, naive.get(`${key}|`) ?? never()]);
      for (const { month, ...counts } of answer.months) {
        const expected = naive.get(`${key}|${month}`) ?? { views: 0, downloads: 0, data_volume: 0 };
        expect([key, month, counts]).toEqual([key, month, expected]);
        compared++;
      }
    }
    expect([compared > 60, (naive.get("repository |")?.views ?? 0) > 100]).toEqual([true, true]);
  });

  test("Q.182 R2h what a guest may not see has no figures for them, and is in no sum", async () => {
    const hidden = placed[3]?.item.id ?? 0;
    for (const [of, id] of [
      ["record", `${hidden}`],
      ["version", `${hidden}`],
      ["index", "10"],
      ["person", "999"],
      ["community", "none"],
    ]) {
      const { status } = await figures({ of: of ?? "", id: id ?? "" });
      expect([of, [403, 404].includes(status)]).toEqual([of, true]);
    }
    expect((await figures({ of: "record", id: `${hidden}` }, await owner())).status).toBe(200);
    for (const query of [
      { from: "2026-13" },
      { to: "now" },
      { from: "2026-03", to: "2026-01" },
      { from: "1000-01" },
      { of: "planet" },
    ]) {
      const { status, text } = await figures(query as Record<string, string>);
      expect([JSON.stringify(query), status, text.length > 20]).toEqual([JSON.stringify(query), 400, true]);
    }
    const file = { of: "file", id: `${placed[0]?.item.id}`, file: "none.txt" };
    expect((await figures(file)).status).toBe(404);
  });

  test("Q.182 Q.265 R6d a token that reads items has the figures of the communities that guests see", async () => {
    const made = await world.visitor().send("/api/communities", {
      method: "POST",
      body: JSON.stringify({ slug: "closed", metadata: { title: "Closed" }, access: { visibility: "restricted" } }),
      headers: { authorization: `Bearer ${await world.token(world.admin)}` },
    });
    expect(made.status).toBe(201);
    const asking = async (scopes: readonly string[], id: string) => {
      const authorization = `Bearer ${await world.token(world.admin, scopes)}`;
      const page = await world.visitor().get(`/communities/${id}/statistics`, { authorization, accept: "text/html" });
      return [(await figures({ of: "community", id }, { authorization })).status, page.status];
    };
    expect(await asking(["item:read"], "closed")).toEqual([404, 404]);
    expect(await asking(["item:read"], "tides")).toEqual([200, 200]);
    expect(await asking(["item:read", "user:activity"], "closed")).toEqual([200, 200]);
  });

  test("Q.183 R51 pages show bars and the same numbers as a table and as CSV, with what they mean and until when", async () => {
    const id = placed[1]?.item.id ?? 0;
    const total = naive.get(`record ${id}|`) ?? never();
    const period = `from=${FROM}&to=${TO}`;
    const { status, text } = await world.visitor().get(`/records/${id}/statistics?${period}`, { accept: "text/html" });
    expect(status).toBe(200);
    const number = new Intl.NumberFormat("en-GB");
    for (const part of ["Counted until", "Robots", '<svg class="bars"', number.format(total.views), "2025-12"]) {
      expect([part, text.includes(part)]).toEqual([part, true]);
    }
    const csv = /href="([^"]+format=csv)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const answer = await world.visitor().get(csv);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.text.trimEnd().split("\r\n").at(-1)).toBe(
      `total,${total.views},${total.downloads},${total.data_volume}`,
    );
    const version = (await world.visitor("ja").get(`/records/${id}/statistics?part=version&${period}`)).text;
    expect([version.includes("利用統計"), version.includes("b.txt")]).toEqual([true, true]);
    for (const path of [
      "/statistics",
      "/index/7/statistics",
      `/authors/${people[0]}/statistics`,
      "/communities/tides/statistics",
    ]) {
      const page = await world.visitor().get(`${path}?${period}`, { accept: "text/html" });
      expect([path, page.status, page.text.includes('class="bars"')]).toEqual([path, 200, true]);
    }
    expect((await world.visitor().get("/statistics?from=x", { accept: "text/html" })).status).toBe(400);
    expect((await world.visitor().get("/index/10/statistics", { accept: "text/html" })).status).toBe(404);
    for (const of of [`records/${id}`, `authors/${people[0]}`, "communities/tides", "index/7"]) {
      const refused = await world.visitor().get(`/${of}/statistics?from=x`, { accept: "text/html" });
      expect([of, refused.status]).toEqual([of, 400]);
    }
  });

  test("Q.182 what was deleted has no figures any more", async () => {
    const browser = world.visitor();
    await browser.signIn(await world.token(world.admin));
    const csrf = csrfIn((await browser.get("/authors/new")).text);
    const fields = { csrf, "n.0.language": "en", "n.0.familyName": "Kato", "n.0.show": "true" };
    const { headers } = await browser.post("/authors/new/edit", fields);
    const person = /\d+$/.exec(headers.get("location") ?? "")?.[0] ?? "";
    expect((await browser.post(`/authors/${person}/delete`, { csrf, sure: "yes" })).status).toBe(303);
    const authorization = `Bearer ${await world.token(world.admin)}`;
    const made = await world.visitor().send("/api/communities", {
      method: "POST",
      body: JSON.stringify({ slug: "ebb", metadata: { title: "Ebb" }, access: {} }),
      headers: { authorization },
    });
    expect(made.status).toBe(201);
    const removed = await world
      .visitor()
      .send("/api/communities/ebb", { method: "DELETE", headers: { authorization } });
    expect(removed.status).toBe(204);
    for (const [of, id, path] of [
      ["person", person, `/authors/${person}/statistics`],
      ["community", JSON.parse(made.text).id, "/communities/ebb/statistics"],
    ]) {
      const page = await world.visitor().get(path, { accept: "text/html" });
      expect([of, (await figures({ of, id })).status, page.status]).toEqual([of, 410, 410]);
    }
  });

  test("Q.184 R51 visits of accounts with a role count nowhere; those of other accounts and of guests do", async () => {
    const { item } = placed[0] ?? never();
    const countOf = async (viewer: Viewer) => (await world.items.readable(viewer, item.id)).visited;
    const plain = await world.account("plain", []);
    const second: Viewer = { ...GUEST, account: plain };
    expect([world.admin.account?.roles.length === 0, plain.roles]).toEqual([false, []]);
    for (const [viewer, isOwn] of [
      [world.admin, true],
      [world.owner, true],
      [second, false],
      [GUEST, false],
    ] as const) {
      expect(await countOf(viewer)).toEqual({ id: item.id, parentId: item.parentId, isOwn, isPublic: true });
    }
    const hidden = placed[3] ?? never();
    expect((await world.items.readable(world.owner, hidden.item.id)).visited.isPublic).toBe(false);
  });
});

function never(): never {
  throw new Error("This cannot be");
}
