// What happens to the index in Typesense when a process or a server disconnects in the middle (R34): the old answers go
// on, nothing is half there, and a server that has not read its documents again is not believed.
import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { jsonLog } from "../../../src/adapters/log.ts";
import type { TypesenseNeeds } from "../../../src/adapters/typesense/known-collections.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import {
  type IndexQuery,
  IndexUnavailable,
  type SearchIndex,
} from "../../../src/repository/search/index/index-port.ts";
import { indexDocument, SMALL_SCHEMA } from "../../support/search-documents.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { type StandIn, standIn } from "../../support/typesense/substitute.ts";

const ADMIN = "key-that-nobody-may-read";
const FIRST = { epoch: "e1", horizon: "1" };
const SECOND = { epoch: "e1", horizon: "2" };
const EVERYTHING: IndexQuery = {
  where: { kind: "and", of: [] },
  chosen: null,
  sort: [],
  after: null,
  offset: 0,
  limit: 1000,
  facets: [{ field: "subject", size: 5 }],
};

let servers: StandIn[] = [];
let lines: string[] = [];
/** What the database knows, whichever process asks. */
let collections = collectionsInMemory();
const log = jsonLog("debug", (line) => void lines.push(line));

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  const unseen = servers.flatMap((server) => server.unseen);
  servers = [];
  lines = [];
  collections = collectionsInMemory();
  expect(unseen).toEqual([]);
});

async function server(store?: StandIn["store"]): Promise<StandIn> {
  const made = await standIn({ adminKey: ADMIN, ...(store === undefined ? {} : { store }) });
  servers.push(made);
  return made;
}

const indexAt = (nodes: readonly Pick<StandIn, "url">[], given: Partial<TypesenseNeeds> = {}): Promise<SearchIndex> =>
  typesenseIndex({ urls: nodes.map(({ url }) => url), apiKey: ADMIN, name: "items", collections, log, ...given })(
    SMALL_SCHEMA,
  );

const document = (id: number, subject = "a") => indexDocument({ id, parentId: id, keys: { subject: [subject] } });

async function build(index: SearchIndex, ids: readonly number[], position = FIRST): Promise<void> {
  const building = await index.build();
  await building.add(ids.map((id) => document(id)));
  await building.finish(position);
}

const idsOf = async (index: SearchIndex): Promise<number[]> => (await index.query(EVERYTHING)).hits.map(({ id }) => id);

/** From its `count`-th request on the server is away; the client's waiting between tries is what these tests take. */
function awayAfter(one: StandIn, count: number): void {
  let left = count;
  one.before = () => {
    if (left-- <= 0) one.is = "loading";
  };
}

function backAgain(one: StandIn): void {
  one.before = () => {};
  one.is = "ready";
}

describe("R34 an index in Typesense", () => {
  test("R34 a building that is cut off at any request leaves the old index or the whole new one, and goes at the next", async () => {
    const one = await server();
    await build(await indexAt([one]), [1, 2]);
    const atFirst = one.requests.length;
    await build(await indexAt([one]), [1, 2]);
    const requests = one.requests.length - atFirst;
    expect(requests).toBeGreaterThan(8);
    for (let cut = 0; cut < requests; cut++) {
      await build(await indexAt([one]), [1, 2]);
      awayAfter(one, cut);
      await build(await indexAt([one]), [3, 4], SECOND).then(
        () => {},
        (error) => expect(error).toBeInstanceOf(IndexUnavailable),
      );
      backAgain(one);
      const again = await indexAt([one]);
      const [ids, position] = [await idsOf(again), await again.position()];
      expect(position).toEqual(ids[0] === 2 ? FIRST : SECOND);
      expect([...ids]).toEqual(ids[0] === 2 ? [2, 1] : [4, 3]);
    }
    await build(await indexAt([one]), [5]);
    const left = one.store.collections().map(({ schema }) => schema.name.replace(/\d+/, "N"));
    expect(left.sort()).toEqual(["items_N", "items_N_labels", "items_state"]);
  }, 60_000);

  test("R34 a write that is cut off at any request is whole when it is sent again, and is never reported as written before it is", async () => {
    const one = await server();
    const batch = { parents: [1, 2, 3], documents: [document(1, "b"), document(3)], position: SECOND };
    await build(await indexAt([one]), [1, 2]);
    const atFirst = one.requests.length;
    await (await indexAt([one])).apply(batch);
    const requests = one.requests.length - atFirst;
    for (let cut = 0; cut < requests; cut++) {
      await build(await indexAt([one]), [1, 2]);
      awayAfter(one, cut);
      const written = await (await indexAt([one])).apply(batch).then(
        () => true,
        () => false,
      );
      backAgain(one);
      const again = await indexAt([one]);
      const isReported = (await again.position())?.horizon === SECOND.horizon;
      if (written) expect(isReported).toBe(true);
      if (isReported) expect(await idsOf(again)).toEqual([3, 1]);
      // What is gone is gone before anything new is there.
      if ((await idsOf(again)).includes(3)) expect(await idsOf(again)).not.toContain(2);
      await again.apply(batch);
      expect(await again.query(EVERYTHING)).toMatchObject({
        total: 2,
        facets: [
          [
            { key: "a", count: 1 },
            { key: "b", count: 1 },
          ],
        ],
      });
    }
  }, 60_000);

  test("R34 a server that answers before it has read its documents again is not believed, and given up after ten minutes", async () => {
    const one = await server();
    let now = 0;
    const index = await indexAt([one], { nowMs: () => now });
    await build(index, [1, 2, 3, 4]);
    const documents = one.store.collection("items");
    for (const shown of [0, 3]) {
      documents.showOnly(shown);
      await expect(index.query(EVERYTHING)).rejects.toThrow("has not read all");
      await expect(index.keysOf("visibility", "", 5)).rejects.toBeInstanceOf(IndexUnavailable);
      await expect(index.position()).rejects.toBeInstanceOf(IndexUnavailable);
      await expect((await indexAt([one])).query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
    }
    documents.showOnly(null);
    expect(await idsOf(index)).toEqual([4, 3, 2, 1]);
    expect(await index.position()).toEqual(FIRST);
    documents.showOnly(3);
    await expect(index.position()).rejects.toBeInstanceOf(IndexUnavailable);
    now += 600_001;
    expect(await index.position()).toBeNull();
    expect(lines.join("")).toContain("search.typesense_lost_documents");
  });

  test.each([
    ["with a snapshot", true],
    ["without one", false],
  ])(
    "R34 a server that starts %s and reads its log slowly is believed when it has read all of it",
    async (_, hasSnapshot) => {
      const one = await server();
      const index = await indexAt([one]);
      one.before = (_method, path) => {
        one.is = path === "/operations/snapshot" && !hasSnapshot ? "loading" : "ready";
      };
      const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (__, at) => from + at);
      await build(index, numbers(1, 20));
      const write = async (parents: readonly number[], subject: string | null, horizon: number): Promise<void> => {
        const documents = subject === null ? [] : parents.map((id) => document(id, subject));
        await index.apply({ parents, documents, position: { epoch: "e1", horizon: String(horizon) } });
      };
      // There are 32 documents on the way as well, and other ones than in the end.
      await write(numbers(21, 40), "b", 2);
      await write(numbers(5, 12), null, 3);
      await write(numbers(1, 4), "c", 4);
      const whole = await index.query(EVERYTHING);
      expect([whole.total, whole.facets[0]?.map(({ count }) => count)]).toEqual([32, [20, 8, 4]]);
      const last = { epoch: "e1", horizon: "4" };
      for (const write of [async () => {}, async () => index.apply({ parents: [13], documents: [], position: last })]) {
        // The last write of all wrote no document.
        await write();
        const complete = await index.query(EVERYTHING);
        for (const lines of [1, 2, 7]) {
          for (const asking of [index, await indexAt([one])]) {
            one.restart(lines);
            let refused = 0;
            while (one.isReplaying()) {
              const answers = await Promise.all([
                asking.query(EVERYTHING).catch((error: unknown) => error),
                asking.position().catch((error: unknown) => error),
              ]);
              for (const [at, expected] of [complete, last].entries()) {
                if (answers[at] instanceof IndexUnavailable) refused += 1;
                else expect(answers[at]).toEqual(expected);
              }
            }
            expect(refused).toBeGreaterThan(0);
            expect(await asking.query(EVERYTHING)).toEqual(complete);
            expect(await asking.position()).toEqual(last);
          }
        }
      }
      // Not even when it is empty.
      one.restart();
      await expect(index.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
      await expect((await indexAt([one])).position()).rejects.toBeInstanceOf(IndexUnavailable);
    },
  );

  test("R34 a write that the database does not know of yet does not lock the index", async () => {
    const one = await server();
    let now = 0;
    const nowMs = () => now;
    const index = await indexAt([one], { nowMs });
    await build(index, [1, 2]);
    const { save } = collections;
    let saves = 0;
    // The writer is killed after its last request to Typesense.
    const killed = {
      ...collections,
      save: async (each: Parameters<typeof save>[0]) => (saves++ === 0 ? save(each) : undefined),
    };
    const writer = await indexAt([one], { nowMs, collections: killed });
    await writer.apply({ parents: [3, 4], documents: [document(3), document(4)], position: SECOND });
    const next = await indexAt([one], { nowMs });
    expect(await next.position()).toEqual(SECOND);
    expect(await idsOf(next)).toEqual([4, 3, 2, 1]);
    now += 6000;
    expect(await next.position()).toEqual(SECOND);
    await next.apply({ parents: [1], documents: [], position: { epoch: "e1", horizon: "3" } });
    expect(await idsOf(next)).toEqual([4, 3, 2]);
    expect((await collections.all()).map(({ least, most, written }) => [least, most, written])).toEqual([[3, 3, 3]]);
  });

  test("R34 what killed builds left is removed by the next writer, and nothing that is not ours", async () => {
    const one = await server();
    const index = await indexAt([one]);
    await build(index, [1]);
    await (await indexAt([one])).build();
    for (const name of ["items_99", "items_2030_labels", "items_old"]) {
      one.store.create({ name, fields: [{ name: "title", type: "string" }] });
    }
    const names = () =>
      one.store
        .collections()
        .map(({ schema }) => schema.name)
        .sort();
    expect(names()).toContain("items_2");
    const next = await indexAt([one]);
    expect(await next.removeLeftovers?.()).toBe(true);
    const others = ["items_2030_labels", "items_99", "items_old", "items_state"];
    expect(names()).toEqual(["items_1", "items_1_labels", ...others].sort());
    expect(await next.removeLeftovers?.()).toBe(false);
    expect(await idsOf(next)).toEqual([1]);
    await build(next, [2]);
    expect(names()).toEqual(["items_2031", "items_2031_labels", ...others].sort());
    expect((await collections.all()).map(({ name, state }) => [name, state])).toEqual([["items_2031", "whole"]]);
  });

  test("R34 an index that an earlier version built is taken over, and its successor replaces it", async () => {
    const one = await server();
    await build(await indexAt([one]), [1, 2]);
    // It wrote nothing into the database.
    await collections.remove("items_1");
    const index = await indexAt([one]);
    expect(await index.position()).toEqual(FIRST);
    expect(await idsOf(index)).toEqual([2, 1]);
    await build(index, [3]);
    expect(await idsOf(index)).toEqual([3]);
    expect(
      one.store
        .collections()
        .map(({ schema }) => schema.name)
        .sort(),
    ).toEqual(["items_2", "items_2_labels", "items_state"]);
  });

  test("R34 fewer documents after a withdrawal are not a loss, for any process", async () => {
    const one = await server();
    const [left, right] = [await indexAt([one]), await indexAt([one])];
    await build(left, [1, 2, 3, 4]);
    expect(await idsOf(right)).toEqual([4, 3, 2, 1]);
    await left.apply({ parents: [2, 3, 4], documents: [], position: SECOND });
    expect(await idsOf(right)).toEqual([1]);
    expect(await right.position()).toEqual(SECOND);
    await build(left, [7], SECOND);
    expect(await idsOf(right)).toEqual([7]);
    expect(await right.query(EVERYTHING)).toMatchObject({ facets: [[{ key: "a", label: "Label of a", count: 1 }]] });
  });

  test("R34 a process that has read how far the index is knows every key, whichever process wrote it", async () => {
    const one = await server();
    const [left, right] = [await indexAt([one]), await indexAt([one])];
    const seen = (id: number, key: string) => indexDocument({ id, keys: { visibility: [key] } });
    await build(left, []);
    for (const number of [1, 2, 3]) {
      const position = { epoch: "e1", horizon: `${number + 1}` };
      await left.apply({ parents: [number], documents: [seen(number, `group${number}`)], position });
      expect(await right.position()).toEqual(position);
      expect((await right.keysOf("visibility", "group", 9)).length).toBe(number);
    }
  });

  test("R34 of several nodes those that are away or start are left out, and a write is there on all others", async () => {
    const one = await server();
    const two = await server(one.store);
    const three = await server(one.store);
    const index = await indexAt([one, two, three]);
    await build(index, [1]);
    await three.stop();
    servers = [one, two];
    two.is = "loading";
    for (let time = 0; time < 5; time++) expect(await idsOf(index)).toEqual([1]);
    two.is = "ready";
    await index.apply({ parents: [2], documents: [document(2)], position: SECOND });
    for (let time = 0; time < 5; time++) expect(await idsOf(index)).toEqual([2, 1]);
  });

  test("R34 a caller waits a few seconds at most while it is away, and receives that error", async () => {
    const one = await server();
    const index = await indexAt([one]);
    await build(index, [1]);
    one.is = "silent";
    const before = one.requests.length;
    await expect(index.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
    // Two tries, and one more where the runtime repeats a request whose connection was kept; the patience of a write would
    // be longer than this test may take.
    expect([2, 3]).toContain(one.requests.length - before);
    one.is = "ready";
    expect(await idsOf(index)).toEqual([1]);
  });

  test.each([500, 502])("R34 a server that answers %d is an index that is not there", async (status) => {
    const failing = createServer((_, response) => response.writeHead(status).end("{}")).listen(0, "127.0.0.1");
    try {
      await once(failing, "listening");
      const { port } = failing.address() as AddressInfo; // a TCP listener has a port
      const index = await indexAt([{ url: `http://127.0.0.1:${port}` }]);
      await expect(index.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
    } finally {
      failing.close();
    }
  });

  test("R34 a failing search inside an answer of 200, a collection that is gone and a lost alias are an index that is not there", async () => {
    const one = await server();
    let now = 0;
    const nowMs = () => now;
    const index = await indexAt([one], { nowMs });
    /** A server that has just started has no index either: it is waited for. */
    const becomesNone = async (other: SearchIndex): Promise<void> => {
      await expect(other.position()).rejects.toBeInstanceOf(IndexUnavailable);
      now += 59_000;
      await expect(other.position()).rejects.toBeInstanceOf(IndexUnavailable);
      now += 2_000;
      expect(await other.position()).toBeNull();
    };
    await build(index, [1]);
    one.store.drop("items_1");
    await expect(index.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
    await expect(index.apply({ parents: [1], documents: [], position: null })).rejects.toBeInstanceOf(IndexUnavailable);
    await becomesNone(await indexAt([one], { nowMs }));
    await build(index, [1]);
    expect(await idsOf(index)).toEqual([1]);
    one.store.dropAlias("items");
    const other = await indexAt([one], { nowMs });
    await becomesNone(other);
    await expect(other.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
  });

  test("R34 no error and no line of the log tells the key or what was asked", async () => {
    const one = await server();
    const errors: unknown[] = [];
    const caught = (work: Promise<unknown>) => work.catch((error) => void errors.push(error));
    const index = await indexAt([one]);
    await build(index, [1]);
    const where = { kind: "token", field: "all", token: "somethingprivate" } as const;
    await caught((await indexAt([one], { apiKey: "another-secret-key" })).query({ ...EVERYTHING, where }));
    one.is = "loading";
    await caught(index.query({ ...EVERYTHING, where }));
    one.is = "ready";
    one.store.drop("items_1");
    await caught(index.query({ ...EVERYTHING, where }));
    expect(errors.length).toBe(3);
    const texts = errors.map((error) => {
      expect(error).toBeInstanceOf(IndexUnavailable);
      return `${inspect(error)} ${JSON.stringify(error)}`;
    });
    for (const secret of [ADMIN, "another-secret-key", "somethingprivate"]) {
      expect([...texts, ...lines].join("\n")).not.toContain(secret);
    }
  });

  test("R34 searches go by POST, whatever their length, and one request answers a page with total and facets", async () => {
    const one = await server();
    const index = await indexAt([one]);
    await build(index, [1, 2]);
    await index.query(EVERYTHING);
    const before = one.requests.length;
    const anyOf = Array.from({ length: 3000 }, (_, number) => `key${number}`);
    await index.query({ ...EVERYTHING, chosen: { kind: "key", field: "subject", anyOf: [...anyOf, "a"] } });
    await index.query({ ...EVERYTHING, after: { sort: [], id: 2 } });
    expect(one.requests.slice(before)).toEqual(["POST /multi_search", "POST /multi_search"]);
    expect(one.requests.filter((line) => line.includes("/documents/search"))).toEqual([]);
  });

  test("R28 a facet of which very many values are counted is asked for apart, in the same request", async () => {
    const one = await server();
    const bodies: string[] = [];
    const front = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      bodies.push(body.toString());
      const { method = "GET", headers } = request;
      const answer = await fetch(one.url + request.url, {
        method,
        headers: headers as Record<string, string>,
        ...(method === "GET" ? {} : { body }),
      });
      response
        .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" })
        .end(await answer.text());
    });
    const port = await new Promise<number>((resolve) =>
      front.listen(0, "127.0.0.1", () => resolve((front.address() as AddressInfo).port)),
    );
    const given = { urls: [`http://127.0.0.1:${port}`], apiKey: ADMIN, name: "items", collections, log };
    try {
      const index = await typesenseIndex(given)(SMALL_SCHEMA);
      const building = await index.build();
      const keys = (at: number) => ({ subject: [`s${at % 3}`], language: [at % 2 === 0 ? "ja" : "en"] });
      await building.add(Array.from({ length: 12 }, (_, at) => indexDocument({ id: at + 1, keys: keys(at) })));
      await building.finish(FIRST);
      const facets = [
        { field: "language", size: 50_000 },
        { field: "subject", size: 2 },
      ];
      const chosen = { kind: "key", field: "language", anyOf: ["en"] } as const;
      for (const [more, total] of [
        [{}, 12],
        [{ chosen }, 6],
      ] as const) {
        bodies.length = 0;
        const answer = await index.query({ ...EVERYTHING, facets, ...more });
        expect(answer.total).toBe(total);
        expect(answer.facets.map((counts) => counts.map(({ key, count }) => [key, count]))).toEqual([
          [
            ["en", 6],
            ["ja", 6],
          ],
          [
            ["s0", 4],
            ["s1", 4],
          ],
        ]);
        const searches = bodies.flatMap((body) => JSON.parse(body || "{}").searches ?? []);
        const asked = searches.flatMap(({ facet_by: by, max_facet_values: most }) => (by ? [[by, most > 10_000]] : []));
        expect(asked.map(([, isLarge]) => isLarge)).toEqual([false, true]);
        expect(bodies.filter((body) => body.includes("facet_by"))).toHaveLength(1);
      }
    } finally {
      front.closeAllConnections();
      front.close();
    }
  });

  test("R28 a page sorted by three values asks for a few pages of hits, however many are found", async () => {
    const one = await server();
    const sorts = ["first", "second", "third"].map((name) => ({ name, type: "number" as const }));
    const index = await typesenseIndex({ urls: [one.url], apiKey: ADMIN, name: "items", collections, log })({
      ...SMALL_SCHEMA,
      sorts,
    });
    const building = await index.build();
    await building.add(
      Array.from({ length: 3000 }, (_, at) =>
        indexDocument({ id: at + 1, sorts: { first: at % 2, second: at % 3, third: at % 5 } }),
      ),
    );
    await building.finish(FIRST);
    const before = one.requests.length;
    const sort = sorts.map(({ name }) => ({ field: name, descending: false }));
    // first 0, second 0, third 0: every thirtieth item, of which the newest come first.
    const { hits, total } = await index.query({ ...EVERYTHING, sort, offset: 90, limit: 20 });
    expect(total).toBe(3000);
    expect(hits.map(({ id }) => id).slice(0, 11)).toEqual([271, 241, 211, 181, 151, 121, 91, 61, 31, 1, 2977]);
    expect(one.requests.length - before).toBeLessThan(10);
  });

  test("R34 a build sends full portions, several at once, and words of a key once; an import that fails fails the build", async () => {
    const one = await server();
    const index = await indexAt([one]);
    const documents = Array.from({ length: 2100 }, (_, at) => document(at + 1, at % 2 === 0 ? "a" : "b"));
    const addAll = async (building: Awaited<ReturnType<SearchIndex["build"]>>): Promise<void> => {
      // As the documents come: a few at a time.
      for (let at = 0; at < documents.length; at += 30) await building.add(documents.slice(at, at + 30));
    };
    const building = await index.build();
    await addAll(building);
    await building.finish(FIRST);
    const imports = one.requests.filter((line) => line.endsWith("/documents/import"));
    expect(imports.filter((line) => line.includes("items_1/")).length).toBe(6);
    expect(imports.filter((line) => line.includes("items_1_labels/")).length).toBe(1);
    expect((await index.query({ ...EVERYTHING, limit: 0 })).facets[0]).toEqual([
      { key: "a", label: "Label of a", count: 1050 },
      { key: "b", label: "Label of b", count: 1050 },
    ]);

    let left = 2;
    one.before = (_method, path) => {
      one.is = path === "/collections/items_2/documents/import" && left-- <= 0 ? "loading" : "ready";
    };
    const failing = await index.build();
    await expect(addAll(failing).then(() => failing.finish(SECOND))).rejects.toBeInstanceOf(IndexUnavailable);
    await failing.abandon();
    backAgain(one);
    expect(await index.position()).toEqual(FIRST);
    expect((await index.query({ ...EVERYTHING, limit: 0 })).total).toBe(2100);
  });

  test("R34 a building takes a snapshot, and goes on where the server cannot", async () => {
    const one = await server();
    await build(await indexAt([one]), [1]);
    expect(one.requests).toContain("POST /operations/snapshot");
    one.before = (_method, path) => {
      one.is = path === "/operations/snapshot" ? "loading" : "ready";
    };
    const index = await indexAt([one]);
    await build(index, [2]);
    expect(await idsOf(index)).toEqual([2]);
    expect(lines.join("")).toContain("search.typesense_snapshot_failed");
  });
});
