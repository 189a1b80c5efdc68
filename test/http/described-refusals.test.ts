// Every operation of the repository, provoked in the ways that all of them share: no token, a token that is none, one
// without rights, a host that is none, a body that is no JSON or too long or too slow, ids of nothing and of what was
// deleted, too many requests, a database that fails or is away. Each answer must be as described, and what is described
// as common to all must occur (R9, R32). Conditions, conflicts, forms and tools are in described-reads, -changes, -pages
// and -tools; other refusals of single operations occur in the tests of their features. `check` fails with what no test
// saw (test/described.ts).
import { beforeAll, expect, test } from "bun:test";
import type { RepositoryParts } from "../../src/main/repository/serving.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import {
  type Ask,
  askAt,
  HARVEST,
  JSON_HEADERS,
  provoke,
  ROWS,
  type Row,
  takesForm,
  takesJson,
  withOwn,
  withSomeBody,
} from "../support/described-operations.ts";
import { aContent } from "../support/world/items.ts";
import { INDEXES, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const FOR_PROGRAMS = ROWS.filter(({ path }) => /^\/(?:api\/(?!openapi|docs|redoc)|sword)/.test(path));
/** Answered without asking a table, or a token. */
const ALONE = /^\/(?:healthz|readyz|metrics|schemas|robots|\.well-known|oauth|mcp)|^\/api\/(?:openapi|docs|redoc)/;
const ASKING = ROWS.filter(({ path }) => !ALONE.test(path));

const world = setUpWorld({ repository: {} });
/** What addresses name, by the first part of the path; nothing has the others. */
const known = { deleted: 0, community: "" };

beforeAll(async () => {
  const owner = await world.viewer("registered");
  const make = async () =>
    (await world.items.createAndPublish(owner, { content: { ...aContent({}), indexes: [INDEXES.open] } })).item.id;
  known.deleted = await make();
  await world.items.remove(await world.viewer("system"), known.deleted);
  const body = { slug: "gone", metadata: { title: "Gone" }, access: { visibility: "public" } };
  const sent = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const { json } = await world.ask("manager", "POST", "/api/communities", sent);
  known.community = String(json.id);
  await world.ask("manager", "DELETE", `/api/communities/${known.community}`);
});

/** An address with ids that nothing has; `record`: the number of one. */
const withIds = (path: string, record: string | number = "987654"): string =>
  path
    .replace("/communities/{id}", `/communities/${record === "987654" ? record : known.community}`)
    .replace("/iiif/{uuid}/manifest", `/iiif/record:${record}/manifest`)
    .replace("/iiif/{uuid}", `/iiif/record:${record}:map.jpg`)
    .replace(/\{(?:id|recid|record)\}/g, String(record))
    .replace(/\{([^}]+)\}/g, (_part, name: string) =>
      /uuid|request|comment/i.test(name) ? crypto.randomUUID() : "987654",
    );

/** Asks as somebody, of the world or of one under other settings. */
function as(
  who: Who,
  { handler = world.handler, record }: { handler?: typeof world.handler; record?: number } = {},
): Ask {
  const token = who === null ? null : typeof who === "string" ? world.people[who].token : who.token;
  // What OAI-PMH answers from tables.
  const query = ({ path, method }: Row): string => (path === "/oai" && method === "GET" ? `?${HARVEST}` : "");
  return askAt(handler, token, (row) => `${withIds(row.path, record)}${query(row)}`);
}

test("R32 there is something to provoke", () => {
  expect([FOR_PROGRAMS.length > 150, ASKING.length > FOR_PROGRAMS.length]).toEqual([true, true]);
});

test("R9 R32 no token, and one that is none, are refused as described by every operation that needs one", async () => {
  const none = await provoke(ROWS, as({ token: "svc_none_0123456789abcdef" }), 401);
  const guest = await provoke(ROWS, as(null), 401);
  expect([...none.faults, ...guest.faults]).toEqual([]);
  const isApi = (id: string): boolean => FOR_PROGRAMS.some(({ operationId }) => operationId === id);
  expect(none.unmet.filter((id) => guest.unmet.includes(id) && isApi(id))).toEqual([]);
});

test("A15 R32 a host that is none is refused as described, by every operation", async () => {
  const given = () => ({ headers: { host: "a b" } });
  expect(await provoke(ROWS, as("system"), 400, given)).toEqual({ faults: [], unmet: [] });
  expect(ROWS.filter(({ statuses }) => !statuses.includes(400)).map(({ operationId }) => operationId)).toEqual([]);
});

test("R32 guests, users without rights and administrators get what is described, whatever they send", async () => {
  for (const who of [null, "other", "admin", "system"] as const) {
    for (const body of [undefined, "{", "{}", "[]", '{"id":7,"metadata":7,"files":7,"members":[{}]}']) {
      const given = (row: Row) => {
        if (body === undefined) return withSomeBody(row);
        return takesJson(row) ? { body, headers: JSON_HEADERS } : null;
      };
      expect([who, body, (await provoke(ROWS, as(who), 0, given)).faults]).toEqual([who, body, []]);
    }
  }
});

test("R32 what is not there, or no longer, is 404 to every deletion that describes it", async () => {
  const rows = withOwn(404).filter(({ method }) => method === "DELETE");
  await provoke(rows, as("system"), 404);
  expect(await provoke(rows, as("system"), 404)).toEqual({ faults: [], unmet: [] });
});

test("R2c R32 what was deleted is refused as described", async () => {
  for (const who of [null, "registered", "manager", "system"] as const) {
    const { faults } = await provoke(ROWS, as(who, { record: known.deleted }), 410);
    expect([who, faults]).toEqual([who, []]);
  }
});

test("R9a R32 a body that is too long is refused as described", async () => {
  const { handler } = world.under({ SVC_BODY_LIMIT: "1 KiB" });
  const body = JSON.stringify({ title: "x".repeat(2_000) });
  const given = (row: Row) => (takesJson(row) ? { body, headers: JSON_HEADERS } : null);
  const { faults, unmet } = await provoke(FOR_PROGRAMS, as("system", { handler }), 413, given);
  expect([faults, unmet.filter((id) => FOR_PROGRAMS.some((row) => row.operationId === id && takesJson(row)))]).toEqual([
    [],
    [],
  ]);
});

test("R9a R32 a body that comes too slowly is refused as described", async () => {
  const ask = as("system", world.under({ SVC_CLIENT_SECONDS: "1" }));
  const slow = ROWS.filter((row) => takesJson(row) || takesForm(row) || row.operationId === "updateCommunityLogo");
  const answers = await Promise.all(slow.map((row) => ask(row, { ...withSomeBody(row), body: new ReadableStream() })));
  expect(answers.filter(({ status }) => status === 408).length).toBeGreaterThan(30);
});

test("R9 R32 too many requests are refused as described", async () => {
  const ask = as("system", world.under({ SVC_RATE_PER_MINUTE: "1", SVC_OAI_RATE_PER_MINUTE: "1" }));
  const often: Ask = async (row, given) => {
    for (let more = 3; more > 0; more -= 1) await (await ask(row, given)).body?.cancel();
    return await ask(row, given);
  };
  expect(await provoke(ASKING, often, 429)).toEqual({ faults: [], unmet: [] });
});

/** Probes and figures are answered however busy the service is. */
const LIMITED = ROWS.filter(({ path }) => !/^\/(?:healthz|readyz|metrics)$/.test(path));

test("R9 A15 R32 more requests than one address may send are refused as described, by every operation", async () => {
  const ask = as("system", world.under({ SVC_ADDRESS_RATE_PER_MINUTE: "1" }));
  await provoke(LIMITED.slice(0, 1), ask, 0);
  expect(await provoke(LIMITED, ask, 429)).toEqual({ faults: [], unmet: [] });
  expect(LIMITED.filter(({ statuses }) => !statuses.includes(429))).toEqual([]);
});

test("A15 R32 more requests at once than are answered are refused as described, by every operation", async () => {
  const ask = as("system", world.under({ SVC_MAX_IN_FLIGHT: "1" }));
  const [waiting] = ROWS.filter(takesJson);
  if (waiting === undefined) throw new Error("No operation takes JSON");
  const [reading, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    reading.resolve();
    await over.promise;
    controller.close();
  };
  // Read when somebody asks for it, not before.
  const first = ask(waiting, { headers: JSON_HEADERS, body: new ReadableStream({ pull }, { highWaterMark: 0 }) });
  await reading.promise;
  expect(await provoke(LIMITED, ask, 503)).toEqual({ faults: [], unmet: [] });
  expect(LIMITED.filter(({ statuses }) => !statuses.includes(503))).toEqual([]);
  over.resolve();
  await first;
});

test("R9 R32 an error before any interface is reached is 500, as described, by every operation", async () => {
  const handler: typeof world.handler = (request, peer) => world.handler(failingOnce(request), peer);
  expect(await provoke(ROWS, as("system", { handler }), 500)).toEqual({ faults: [], unmet: [] });
});

/** The first to read its host fails. */
function failingOnce(request: Request): Request {
  const get = request.headers.get.bind(request.headers);
  let hasFailed = false;
  request.headers.get = (name) => {
    if (name !== "host" || hasFailed) return get(name);
    hasFailed = true;
    throw new TypeError("a bug");
  };
  return request;
}

/** Every call of the store fails so. */
const failing =
  (thrown: () => Error) =>
  (parts: RepositoryParts): RepositoryParts => {
    const broken = (): never => {
      throw thrown();
    };
    const calls = (part: object): object =>
      new Proxy(part, {
        get: (inner, key) => {
          const member: unknown = Reflect.get(inner, key);
          if (typeof member === "function") return broken;
          return typeof member === "object" && member !== null ? calls(member) : member;
        },
      });
    return { ...parts, store: calls(parts.store) as RepositoryParts["store"] };
  };

test.each([
  [500, () => new TypeError("a bug")],
  [503, () => new Refusal("unavailable", "The database does not answer", { headers: { "retry-after": "5" } })],
] as const)("R9 R32 a store that fails is %p, as described", async (status, thrown) => {
  const ask = as("system", world.under({}, failing(thrown)));
  expect(await provoke(ASKING, ask, status)).toEqual({ faults: [], unmet: [] });
});

test("A15 R32 while nothing can be written the repository is not ready, as described", async () => {
  const unwritable = ({ store, ...parts }: RepositoryParts): RepositoryParts => {
    const arks = Object.create(store.arks, { writeProblem: { value: async () => "The database is read-only" } });
    return { ...parts, store: Object.create(store, { arks: { value: arks } }) };
  };
  const rows = ROWS.filter(({ operationId }) => operationId === "readyz");
  const { faults, unmet } = await provoke(rows, as(null, world.under({}, unwritable)), 503);
  expect([rows.length, faults, unmet]).toEqual([1, [], []]);
});
