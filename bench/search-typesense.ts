// The yardstick of bench/search.ts (R34): the same documents and questions in the Typesense that SVC_TYPESENSE_URL
// names, over HTTP, under a separate name that is deleted afterwards. Prints its figures as JSON; CPU is that of this
// process alone.
import process from "node:process";
import { parseArgs } from "node:util";
import { TypesenseServer } from "../src/adapters/typesense/server.ts";
import { typesenseIndex } from "../src/adapters/typesense-index.ts";
import { FIELDS } from "../src/repository/search/document/document.ts";
import type { Condition, IndexQuery } from "../src/repository/search/index/index-port.ts";
import { parseQueryText } from "../src/repository/search/query/query-text.ts";
import { inField, textCondition } from "../src/repository/search/query/word-conditions.ts";
import { collectionsInMemory } from "../test/support/typesense/known-collections.ts";
import { median, quantile } from "./lib.ts";
import { BENCH_FACETS, BENCH_SCHEMA, benchDocument, twoWords, WIDE_WORD } from "./search-documents.ts";

const QUERIES = 400;
const WIDE_QUERIES = 30;
const CHANGES = 100;
const DOCUMENTS_AT_ONCE = 500;

const { documents: given } = parseArgs({ options: { documents: { type: "string", default: "100000" } } }).values;
const documents = Number(given);
const { SVC_TYPESENSE_URL: url = "", SVC_TYPESENSE_API_KEY: apiKey = "" } = process.env;
const urls = url.split(",");
const name = `bench${process.pid}`;
const log = { debug() {}, info() {}, warn: console.error, error: console.error };

const VISIBLE: readonly Condition[] = [
  { kind: "key", field: FIELDS.visibility, anyOf: ["a7", "sr0"] },
  { kind: "key", field: FIELDS.standing, anyOf: ["latest"] },
  { kind: "key", field: FIELDS.itemType, anyOf: ["30001", "30002"] },
];

/** As bench/search.ts asks the embedded engine. */
function asked(words: string): IndexQuery {
  const text = textCondition(parseQueryText(words, "q") ?? [], (tokens) => ({
    kind: "or",
    of: [inField(FIELDS.all)(tokens), inField(FIELDS.files)(tokens.map((token) => `f0z${token}`))],
  }));
  const facets = BENCH_FACETS.map((field) => ({ field, size: 20 }));
  return {
    where: { kind: "and", of: [...VISIBLE, text] },
    chosen: null,
    sort: [],
    after: null,
    offset: 0,
    limit: 20,
    facets,
  };
}

async function timed(what: string, count: number, ask: (number: number) => Promise<unknown>) {
  const walls: number[] = [];
  const { user, system } = process.cpuUsage();
  for (let number = 0; number < count; number++) {
    const before = performance.now();
    await ask(number);
    walls.push(performance.now() - before);
  }
  const used = process.cpuUsage({ user, system });
  return {
    [`Typesense, ${what}: p50 ms`]: median(walls),
    [`Typesense, ${what}: p95 ms`]: quantile(walls, 0.95),
    [`Typesense, ${what}: CPU ms of the asking process`]: (used.user + used.system) / 1000 / count,
  };
}

const index = await typesenseIndex({ urls, apiKey, name, collections: collectionsInMemory(), log })(BENCH_SCHEMA);
try {
  const building = await index.build();
  let seconds = 0;
  for (let id = 1; id <= documents; id += DOCUMENTS_AT_ONCE) {
    const count = Math.min(DOCUMENTS_AT_ONCE, documents - id + 1);
    const some = Array.from({ length: count }, (_, at) => benchDocument(id + at));
    const before = performance.now();
    await building.add(some);
    seconds += (performance.now() - before) / 1000;
  }
  await building.finish({ epoch: "bench", horizon: "0" });
  const change = (number: number) => {
    const document = benchDocument(1 + ((number * 7_919) % documents));
    return { parents: [document.parentId], documents: [document], position: { epoch: "bench", horizon: `${number}` } };
  };
  const figures = {
    "Typesense, build: documents/s": documents / seconds,
    ...(await timed("two words", QUERIES, (number) => index.query(asked(twoWords(number, documents))))),
    ...(await timed("wide", WIDE_QUERIES, () => index.query(asked(WIDE_WORD)))),
    ...(await timed("one change", CHANGES, (number) => index.apply(change(number)))),
  };
  console.log(JSON.stringify(figures));
} finally {
  await index.close();
  const server = new TypesenseServer({ urls, apiKey });
  for (const collection of await server.names()) if (collection.startsWith(name)) await server.drop(collection);
}
