// R34: the substitute for a Typesense server answers what a real 29.0 server answered, exchange by exchange, state
// carried over.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { parseExact } from "../../support/typesense/exact-json.ts";
import { type Exchange, isRecorded, RECORDED, recordedExchanges } from "../../support/typesense/recorded.ts";
import { type StandIn, standIn } from "../../support/typesense/substitute.ts";

const ADMIN = "admin-key-of-the-recording";
const SEARCH = "fixture-search-key-0000000001";

function scopedKey(parameters: object): string {
  const text = JSON.stringify(parameters);
  const digest = createHmac("sha256", SEARCH).update(text).digest("base64");
  return Buffer.from(`${digest}${SEARCH.slice(0, 4)}${text}`).toString("base64");
}

/** The recording holds no keys; which one was sent is known by the name of the exchange. */
const KEYS: { readonly [name: string]: string } = {
  "server.bad-key": "no-such-key",
  "key.search-only-cannot-write.401": SEARCH,
  "key.search-only-other-collection.401": SEARCH,
  "key.search-only-can-search": SEARCH,
  "key.scoped-search": scopedKey({ filter_by: "public:=true" }),
  "key.scoped-limit-hits": scopedKey({ filter_by: "public:=true", limit_hits: 20 }),
};

/** The recording's writer rounded whole numbers past 2^53 in two requests; the answers tell what was sent. */
const SENT: { readonly [name: string]: string } = {
  "bigint.upsert": '{"id":"20","big":9007199254740993}',
  "bigint.overflow": '{"id":"20","big":18446744073709551615}',
};

/** What is left out of the comparison where, and why. */
const NOT_COMPARED: readonly { readonly names: string; readonly members: readonly string[]; readonly why: string }[] = [
  {
    names:
      "ja.toshokan ja.toshokan-facets ja.toshokan-prefix ja.compound ja.inner-word ja.inner-word2 ja.two-words ja.katakana ja.hiragana-of-katakana ja.phrase ja.no-space-sentence ja.homophone-kanji ja.reading",
    members: ["highlight", "highlights"],
    why: "On a field of locale ja the server marks words at the places of kana tokens",
  },
  {
    names: "ja.inner-word2 ja.two-words ja.no-space-sentence ja.highlight",
    members: ["text_match", "text_match_info"],
    why: "On a field of locale ja scores count kana, which the server cuts with the text around them",
  },
  {
    names: "ja.defaults",
    members: ["hits"],
    why: "Words that are left out of a query are left out kana by kana on a field of locale ja: total and facets are compared",
  },
  {
    names: "multi.union multi.union-facets",
    members: ["first_q"],
    why: "A union names the first words of a search sometimes only",
  },
];
const notCompared = (name: string): readonly string[] =>
  NOT_COMPARED.filter(({ names }) => names.split(" ").includes(name)).flatMap(({ members }) => members);

const VOLATILE: readonly string[] = ["search_time_ms", "created_at"];
const BY_THE_MACHINE: readonly string[] = ["server.metrics", "server.stats"];

type Counted = { readonly count: number; readonly value: string };
const isCounts = (value: unknown): value is Counted[] =>
  Array.isArray(value) && value.every((one) => typeof one?.count === "number" && typeof one?.value === "string");

/** Values of equal count have no order; only the number of the last ones is compared where a limit cuts. */
function withoutTies(counts: readonly Counted[], isCut: boolean): unknown {
  const least = counts.at(-1)?.count;
  return [...counts]
    .map((one) => (isCut && one.count === least ? { count: one.count } : one))
    .sort((a, b) => b.count - a.count || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function comparable(value: unknown, left: readonly string[], isCut: boolean): unknown {
  if (isCounts(value)) return withoutTies(value, isCut);
  if (Array.isArray(value)) return value.map((one) => comparable(one, left, isCut));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !left.includes(name));
  return Object.fromEntries(members.map(([name, one]) => [name, comparable(one, left, isCut)]));
}

function bodyOf({ name, request: { body } }: Exchange): string | null {
  const sent = SENT[name];
  if (sent !== undefined) return sent;
  if (typeof body === "string") return body;
  return body === null || body === undefined ? null : JSON.stringify(body);
}

async function replayed(server: StandIn, exchange: Exchange): Promise<Response> {
  const { request, name } = exchange;
  const headers = new Headers(request.headers);
  if (request.auth) headers.set("x-typesense-api-key", KEYS[name] ?? ADMIN);
  server.is = exchange.response.status === 503 ? "loading" : "ready";
  return fetch(`${server.url}${request.path}${request.search}`, {
    method: request.method,
    headers,
    body: request.method === "GET" ? null : bodyOf(exchange),
  });
}

/** Lines of JSON where the answer is such, else the one value. */
function read(text: string, type: string | null): unknown {
  return type?.startsWith("text/plain") === true ? text.split("\n").filter(Boolean).map(parseExact) : parseExact(text);
}

if (isRecorded) {
  describe("R34 the substitute for Typesense", () => {
    let server: StandIn;
    beforeAll(async () => {
      server = await standIn({ adminKey: ADMIN });
    });
    afterAll(() => server.stop());

    const exchanges = recordedExchanges();

    test("R34 every recorded exchange is here", () => expect(exchanges.length).toBe(314));

    test.each(exchanges.map((exchange) => [exchange.name, exchange] as const))(
      "R34 answers as recorded: %s",
      async (name, exchange) => {
        const { status, headers, text } = exchange.response;
        const answered = await replayed(server, exchange);
        const given = await answered.text();
        expect([answered.status, answered.status === status ? "" : given]).toEqual([status, ""]);
        if (headers?.["content-type"] !== undefined)
          expect(answered.headers.get("content-type")).toBe(headers["content-type"]);
        const type = answered.headers.get("content-type");
        const isCut =
          exchange.request.search.includes("max_facet_values=") || exchange.request.search.includes("facet_by=");
        const left = [...VOLATILE, ...notCompared(name)];
        const seen = comparable(read(text, type), left, isCut);
        const now = comparable(read(given, type), left, isCut);
        if (BY_THE_MACHINE.includes(name))
          expect(Object.keys(now as object).sort()).toEqual(Object.keys(seen as object).sort());
        else expect(now).toEqual(seen);
      },
    );
  });
} else {
  console.error(`${RECORDED} is missing: the substitute for Typesense is not compared with a real server`);
}
