// What a request asks of the database: at most N statements, on both databases, counted at the engine. Those that
// begin and end transactions do not count. Account, item and tree are read once and handed on; what decides a right
// is read again where something is written (R2g).
import { beforeAll, describe, expect, test } from "bun:test";
import { platformRandom } from "../../src/adapters/random.ts";
import { signIn } from "../../src/repository/people/sign-in.ts";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { RECORD, recordCalls } from "../support/record-calls.ts";
import { type Answer, INDEXES, type RepositoryWorld, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const BOUNDS = /^(?:begin|start transaction|commit|rollback|savepoint|release)\b/;
/** The search index looks there for what is new, whenever it likes, and once in each search. */
const FEED = /\bitem_change\b/;
/** Statements since the request began. */
const messages: string[] = [];
let fileName = "";
const JSON_TYPE = { "content-type": "application/json" };
const asJson = (body: object) => ({ headers: JSON_TYPE, body: JSON.stringify(body) });

type Request = {
  readonly what: string;
  readonly most: number;
  readonly status: number;
  /** Counted is the second time: what is kept from one request to the next is there. */
  readonly again?: true;
  /** Part of the answer. */
  readonly has?: string;
  readonly ask: (world: RepositoryWorld, item: number) => Promise<Answer>;
};

const page =
  (path: (item: number) => string, who: "registered" | null = null) =>
  (world: RepositoryWorld, item: number) =>
    world.ask(who, "GET", path(item));

/** A call of a tool by a guest. */
const byTool =
  (name: string, args: (item: number) => object) =>
  (world: RepositoryWorld, item: number): Promise<Answer> => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args(item) } };
    const accept = { accept: "application/json, text/event-stream" };
    return world.ask(null, "POST", "/mcp", { ...asJson(body), headers: { ...JSON_TYPE, ...accept } });
  };

/** A landing page for a user who signed in with a personal token, in a browser. */
async function inSession(world: RepositoryWorld, path: string): Promise<Answer> {
  const { store, parts } = world;
  const links = signIn({ store, clock: { now: () => world.time.now }, random: platformRandom(), oidc: null });
  const session = await links.withToken(world.people.registered.token, "192.0.2.1");
  if (session === null) throw new Error("The token signs nobody in");
  messages.length = 0;
  const name = parts.config.baseUrl?.startsWith("https:") === true ? "__Host-arkstone-session" : "arkstone-session";
  const answer = await world.ask(null, "GET", path, { headers: { cookie: `${name}=${session.token}` } });
  if (!messages.some((text) => text.includes("login_session"))) throw new Error("Nothing searched for the session");
  return answer;
}

const RELATED = 'id="related"';
const REQUESTS: readonly Request[] = [
  {
    what: "a small deposit, published directly with an ARK",
    most: 30,
    status: 201,
    ask: (world) => world.deposit("registered", cratePackage()),
  },
  {
    what: "a replacement by a package",
    most: 40,
    status: 200,
    ask: (world, item) => world.replace("registered", item, cratePackage()),
  },
  {
    what: "an edit of the tree",
    most: 10,
    status: 200,
    ask: (world) => {
      const body = JSON.stringify({ index: { index_name: "変更", index_name_english: "Changed" } });
      return world.ask("system", "PUT", `/api/v1/tree/index/${INDEXES.below}`, { headers: JSON_TYPE, body });
    },
  },
  {
    what: "one file for a token",
    most: 5,
    status: 200,
    ask: (world, item) => world.ask("registered", "GET", `/records/${item}/files/${fileName}`),
  },
  { what: "a detail for a guest", most: 7, status: 200, ask: page((item) => `/api/v1/records/${item}`) },
  { what: "a record for a guest", most: 6, status: 200, ask: page((item) => `/api/records/${item}`) },
  {
    what: "a record for a guest, again",
    most: 2,
    status: 200,
    again: true,
    ask: page((item) => `/api/records/${item}`),
  },
  {
    what: "a new draft",
    most: 13,
    status: 201,
    ask: (world) => world.ask("registered", "POST", "/api/records", asJson(RECORD)),
  },
  {
    what: "a draft, published with an ARK",
    most: 29,
    status: 202,
    ask: async (world) => {
      const id = await recordCalls(world).create("registered");
      messages.length = 0;
      return await world.ask("registered", "POST", `/api/records/${id}/draft/actions/publish`);
    },
  },
  { what: "the form of an item type", most: 1, status: 200, ask: page(() => "/items/schemaform/1") },
  { what: "a status document", most: 8, status: 200, ask: (world, item) => world.status("registered", item) },
  // The first search begins to follow the feed of changes, in parallel with all requests: these are last.
  // The third is for the names of the indexes that are counted.
  // Counts of the first view are kept for five minutes.
  { what: "the front page for a guest, again", most: 4, status: 200, again: true, ask: page(() => "/") },
  {
    what: "the page of an index for a guest, again",
    most: 6,
    status: 200,
    again: true,
    ask: page(() => `/index/${INDEXES.open}`),
  },
  { what: "a search for a guest", most: 3, status: 200, again: true, ask: page(() => "/api/v1/records?sort=wtl") },
  {
    what: "a page of hits that have the words in their lines",
    most: 4,
    status: 200,
    again: true,
    ask: page(() => "/search?q=tides+naha"),
  },
  { what: "a search by a tool", most: 6, status: 200, again: true, ask: byTool("search_records", () => ({})) },
  {
    what: "a record by a tool",
    most: 5,
    status: 200,
    again: true,
    ask: byTool("get_record", (item) => ({ recid: String(item) })),
  },
  {
    what: "a feed for a guest",
    most: 4,
    status: 200,
    again: true,
    ask: page(() => "/api/opensearch/search?format=atom"),
  },
  {
    what: "a landing page for a guest, with related items",
    most: 12,
    ...{ status: 200, again: true, has: RELATED },
    ask: page((item) => `/records/${item}`),
  },
  {
    what: "a landing page for a token, with related items",
    most: 13,
    ...{ status: 200, again: true, has: RELATED },
    ask: page((item) => `/records/${item}`, "registered"),
  },
  {
    what: "a landing page for a session, with related items",
    most: 13,
    ...{ status: 200, again: true, has: RELATED },
    ask: (world, item) => inSession(world, `/records/${item}`),
  },
  {
    what: "P.185 a page with the count of what waits, which was counted within half a minute",
    ...{ most: 2, status: 200, again: true, has: '/me">My work' },
    ask: (world) => inSession(world, "/account/notices"),
  },
  {
    what: "the similar records of one for a guest",
    most: 8,
    status: 200,
    again: true,
    ask: page((item) => `/api/records/${item}/similar`),
  },
];

describe("statements of a request", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: { onStatement: (text) => messages.push(text) }, database });
    let item = 0;
    beforeAll(async () => {
      item = recidOf(await world.deposit("registered", cratePackage()));
      fileName = encodeURIComponent((await world.item(item)).content?.files[0]?.name ?? "");
    });

    test.each(REQUESTS.map((each) => [each.what, each] as const))(
      "%s",
      async (what, { most, status, again, has = "", ask }) => {
        if (again === true) await ask(world, item);
        messages.length = 0;
        const answer = await ask(world, item);
        const statements = messages.filter((text) => !BOUNDS.test(text) && !FEED.test(text));
        expect([answer.status, statements.length > 0, answer.text.includes(has)]).toEqual([status, true, true]);
        if (statements.length <= most) return;
        const list = statements.map((text, at) => `${at + 1}. ${text.replace(/\s+/g, " ").slice(0, 200)}`);
        throw new Error(`${what}: ${statements.length} statements, at most ${most}:\n${list.join("\n")}`);
      },
    );
  });
});
