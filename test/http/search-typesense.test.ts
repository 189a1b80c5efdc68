// The repository with Typesense as its engine (R34): found at once by the writer, by other processes within a moment;
// while it is away searches are refused with that reason, and everything else works.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { GUEST } from "../../src/auth/account.ts";
import { type Search, searchOf } from "../../src/main/search.ts";
import type { Metadata } from "../../src/model/metadata/metadata.ts";
import { eventually } from "../support/eventually.ts";
import { type StandIn, standIn } from "../support/typesense/substitute.ts";
import { aContent, titled } from "../support/world/items.ts";
import { asked, words } from "../support/world/search.ts";
import { viewerOf } from "../support/world/seeded.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const ADMIN = "key-of-typesense";
let server: StandIn;
let other: Search;
let closeOther: () => Promise<void>;

beforeAll(async () => {
  server = await standIn({ adminKey: ADMIN });
});
const typesense = () => ({ SVC_TYPESENSE_URL: server.url, SVC_TYPESENSE_API_KEY: ADMIN });
const served = setUpWorld(() => ({
  served: { setUp: true, file: true, settings: { SVC_MINT_ITEM_ARKS: "off", ...typesense() } },
}));
beforeAll(async () => {
  const { config, clock, log } = served.parts;
  const store = await openRepositoryStore({ url: config.databaseUrl });
  other = searchOf({ config, store, clock: clock ?? { now: () => new Date().toISOString() }, log });
  closeOther = async () => {
    await other.close();
    await store.close();
  };
});
afterAll(async () => {
  await closeOther();
  await server.stop();
  expect(server.unseen).toEqual([]);
});

const get = (path: string): Promise<Response> =>
  Promise.resolve(served.handler(new Request(`http://localhost${path}`), { addressOf: () => "127.0.0.1" }));

async function publish(title: string, more: Partial<Metadata> = {}): Promise<number> {
  const owner = viewerOf(await served.account(`of-${title.length}-${title.codePointAt(0)}`, [3]));
  const [type] = await served.store.settings.itemTypes();
  const content = aContent({ itemType: type?.id ?? 0, metadata: titled(title, more) });
  return (await served.items.createAndPublish(owner, { content, owner: owner.account?.id ?? 0 })).item.id;
}

const found = async ({ finder }: Pick<Search, "finder">, text: string): Promise<number[]> =>
  (await finder.find(GUEST, asked({ where: words(text) }))).items.map(({ item: { id } }) => id);

const comesAbout = (search: Pick<Search, "finder">, text: string, ids: readonly number[]): Promise<unknown> =>
  eventually(`${text} is found as ${ids}`, async () => {
    const now = await found(search, text).catch(() => null);
    return JSON.stringify(now) === JSON.stringify(ids);
  });

test("R28a R48 facets of years and of access are those of the embedded index", async () => {
  await publish("Facet one", { publicationDate: "2001" });
  await publish("Facet two words", { publicationDate: "2010-05" });
  const counted = async (query: string) => {
    const answer = await get(`/api/opensearch/search?q=facet&${query}`);
    expect(answer.status).toBe(200);
    const { hits, aggregations } = (await answer.json()) as {
      readonly hits: { readonly total: number };
      readonly aggregations: Readonly<Record<string, { readonly buckets: readonly unknown[] }>>;
    };
    return [hits.total, aggregations.Access?.buckets, aggregations.Year?.buckets.length];
  };
  await publish("Facet three words", { publicationDate: "2020" });
  const all = [{ key: "metadata-only", doc_count: 3 }];
  await eventually("all are found", async () => (await counted(""))[0] === 3);
  expect(await counted("")).toEqual([3, all, 3]);
  expect(await counted("Access=metadata-only")).toEqual([3, all, 3]);
  expect(await counted("Access=open")).toEqual([0, all, 3]);
  expect(await counted("Year_from=2002&Year_to=2019")).toEqual([1, all, 3]);
  expect(await counted("Year_from=2002")).toEqual([2, all, 3]);
});

describe("R34 a repository that searches in Typesense", () => {
  test("R34 what was published is found at once, and by another process; what is gone is not shown by any", async () => {
    const search = served.parts.search;
    if (search === undefined) throw new Error("the world has a search");
    const id = await publish("図書館の潮流");
    expect(await found(search, "書館 潮流")).toEqual([id]);
    // It does not write, and waits for the one that does.
    expect(await found(other, "書館 潮流")).toEqual([id]);
    const again = await publish("図書館の潮流、続き");
    expect(await found(other, "書館 続き")).toEqual([again]);
    const owner = viewerOf(await served.account("remover", [1]));
    await served.items.remove(owner, id);
    expect(await found(search, "潮流")).toEqual([again]);
    expect(await found(other, "潮流")).toEqual([again]);
    // One alias, one index behind it, whichever asked first.
    expect(server.store.aliases().map(([name]) => name)).toEqual(["arkstone"]);
  });

  test("R34 one process writes; when it ends the other one goes on where it stopped", async () => {
    const search = served.parts.search;
    if (search === undefined) throw new Error("the world has a search");
    const writer = server.requests.filter((line) => line.startsWith("POST /collections/arkstone_1/documents/import"));
    expect(writer.length).toBeGreaterThan(0);
    await search.close();
    const id = await publish("Maps of Kyoto");
    await comesAbout(other, "kyoto", [id]);
  });

  test("R34 while Typesense is away a search is refused with 503, and everything else works", async () => {
    const id = await publish("Letters of the Edo period");
    server.is = "loading";
    const answers = await Promise.all([
      other.finder.find(GUEST, asked({ where: words("letters") })).catch((error) => error),
      get("/"),
      get(`/records/${id}`),
      get("/readyz"),
    ]);
    const [refused, ...pages] = answers;
    expect(refused).toMatchObject({ kind: "unavailable", headers: { "Retry-After": "5" } });
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    const written = await publish("Written while search was away");
    server.is = "ready";
    await comesAbout(other, "written away", [written]);
    expect(await found(other, "letters")).toEqual([id]);
  });

  test("R34 a process that starts while Typesense is away takes up the index that is there, and makes no other", async () => {
    const { config, clock, log } = served.parts;
    const before = server.store.alias("arkstone");
    server.is = "loading";
    const late = searchOf({ config, store: served.store, clock: clock ?? served.clock, log });
    await expect(late.finder.find(GUEST, asked({ where: words("letters") }))).rejects.toMatchObject({
      kind: "unavailable",
    });
    server.is = "ready";
    await eventually("it is found", async () => (await found(late, "letters").catch(() => [])).length === 1);
    expect(server.store.alias("arkstone")).toBe(before);
    await late.close();
  });

  test("R34 an operator's word rebuilds it, once, and every process answers from the new one", async () => {
    const before = server.store.alias("arkstone");
    await served.store.changes.requestRebuild(new Date().toISOString());
    await eventually("another collection answers", () => server.store.alias("arkstone") !== before);
    const made = server.store.alias("arkstone");
    const id = await publish("Found in the new one");
    expect(await found(other, "found new")).toEqual([id]);
    expect((await found(other, "letters")).length).toBe(1);
    expect(server.store.alias("arkstone")).toBe(made);
    const isLeft = (): boolean => server.store.collections().some(({ schema }) => schema.name === before);
    await eventually("the old one is dropped", () => !isLeft());
  });

  test("R34 with a key that Typesense refuses /readyz names the setting, and everything but searching works", async () => {
    const settings = {
      SVC_MINT_ITEM_ARKS: "off",
      SVC_TYPESENSE_URL: server.url,
      SVC_TYPESENSE_API_KEY: "key-of-somebody-else",
    };
    const refused = await openWorld({ served: { setUp: true, file: true, settings } });
    try {
      const at = (path: string): Promise<Response> =>
        Promise.resolve(refused.handler(new Request(`http://localhost${path}`), { addressOf: () => "127.0.0.1" }));
      expect((await at("/search?q=letters")).status).toBe(503);
      const ready = await at("/readyz");
      expect(ready.status).toBe(200);
      const { degraded } = (await ready.json()) as { readonly degraded: readonly string[] };
      const address = new URL(server.url).host;
      expect(degraded.filter((line) => line.includes("SVC_TYPESENSE_API_KEY"))).toEqual([
        `Searching is not possible or not up to date: Typesense at ${address} refuses the key in SVC_TYPESENSE_API_KEY`,
      ]);
      expect(JSON.stringify(degraded)).not.toContain("key-of-somebody-else");
      expect((await at("/")).status).toBe(200);
      expect(JSON.stringify(await (await get("/readyz")).json())).not.toContain("SVC_TYPESENSE");
    } finally {
      await refused.close();
    }
  });

  test("R34 a Typesense that starts again and reads its log slowly gives no part of an answer, by any interface", async () => {
    const slow = await standIn({ adminKey: ADMIN });
    const settings = { SVC_MINT_ITEM_ARKS: "off", SVC_TYPESENSE_URL: slow.url, SVC_TYPESENSE_API_KEY: ADMIN };
    const restarted = await openWorld({ served: { setUp: true, file: true, settings } });
    try {
      const at = (path: string): Promise<Response> =>
        Promise.resolve(restarted.handler(new Request(`http://localhost${path}`), { addressOf: () => "127.0.0.1" }));
      const owner = viewerOf(await restarted.account("depositor", [3]));
      const administrator = viewerOf(await restarted.account("administrator", [1]));
      const [type] = await restarted.store.settings.itemTypes();
      const ids: number[] = [];
      const totalOf = async (path: string): Promise<[number, number]> => {
        const answer = await at(path);
        const body = (await answer.json()) as {
          readonly hits?: { readonly total: number };
          readonly total_results?: number;
        };
        return [answer.status, body.hits?.total ?? body.total_results ?? -1];
      };
      const paths = ["/api/records?q=report", "/api/v1/records?q=report", "/api/records?q=report&sort=newest&size=2"];
      for (let number = 1; number <= 24; number += 1) {
        const content = aContent({ itemType: type?.id ?? 0, metadata: titled(`Report number ${number}`) });
        ids.push((await restarted.items.createAndPublish(owner, { content, owner: owner.account?.id ?? 0 })).item.id);
        // Each comes by itself, and some leave again: there were as many on the way.
        if (number % 8 === 0) await restarted.items.remove(administrator, ids[number - 3] ?? 0);
        if (number % 4 === 0) expect((await at("/api/records?q=report")).status).toBe(200);
      }
      const complete = await Promise.all(paths.map(totalOf));
      expect(complete[0]).toEqual([200, 21]);
      let refused = 0;
      slow.restart(0.1);
      while (slow.isReplaying()) {
        for (const [place, path] of paths.entries()) {
          const answer = await totalOf(path);
          if (answer[0] === 503) refused += 1;
          else expect(answer).toEqual(complete[place] ?? [0, 0]);
        }
      }
      expect(refused).toBeGreaterThan(3);
      await eventually("it is believed again", async () => (await totalOf(paths[0] ?? ""))[0] === 200);
      expect(await Promise.all(paths.map(totalOf))).toEqual(complete);
      expect(slow.store.alias("arkstone")).toBe("arkstone_1");
    } finally {
      await restarted.close();
      await slow.stop();
    }
    expect(slow.unseen).toEqual([]);
  });

  test("R34 what a killed process was building is removed and built by the next one that writes", async () => {
    const own = await standIn({ adminKey: ADMIN });
    const settings = { SVC_MINT_ITEM_ARKS: "off", SVC_TYPESENSE_URL: own.url, SVC_TYPESENSE_API_KEY: ADMIN };
    const killed = await openWorld({ served: { setUp: true, file: true, settings } });
    const names = (): string[] => [...own.store.collections().map(({ schema }) => schema.name)].sort();
    try {
      const search = killed.parts.search;
      if (search === undefined) throw new Error("the world has a search");
      await search.start();
      await eventually("it is built", () => names().includes("arkstone_1") && own.store.aliases().length === 1);
      await search.close();
      for (const name of ["arkstone_2", "arkstone_2_labels", "arkstone_7_labels"]) {
        own.store.create({ name, fields: [{ name: "key", type: "string" }] });
      }
      const sizes = { least: 0, most: null, labels: 0, written: 0 };
      const building = { name: "arkstone_2", state: "building", schema: "", ...sizes, seal: null } as const;
      await killed.store.transact((tx) => tx.searchWriting.saveSearchCollection(building));
      const { config, clock, log } = killed.parts;
      const next = searchOf({ config, store: killed.store, clock: clock ?? killed.clock, log });
      await next.start();
      await eventually("another one answers", () => own.store.alias("arkstone") !== "arkstone_1");
      await eventually("the others are removed", () => !names().some((name) => /^arkstone_1(?:_|$)/.test(name)));
      expect(names()).toEqual(["arkstone_7_labels", "arkstone_8", "arkstone_8_labels", "arkstone_state"]);
      await next.close();
    } finally {
      await killed.close();
      await own.stop();
    }
    expect(own.unseen).toEqual([]);
  });
});
