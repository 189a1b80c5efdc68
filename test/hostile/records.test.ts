// What strangers send to the interfaces of records (specification 3; R9): numbers, headers, queries and bodies of every
// kind are answered or refused in the shape of the interface, never with a 5xx.
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ARTICLE } from "../model/item-types/support.ts";
import { eventually } from "../support/eventually.ts";
import { aContent, aFile } from "../support/world/items.ts";
import { type Answer, INDEXES } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

let item = 0;
const COLUMNS = [{ name: { en: "Title" }, roCrateKey: "name" }];
const JSON_TYPE = { "content-type": "application/json" };

const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const content = aContent({ metadata: ARTICLE, files: [aFile("a.txt")], indexes: [INDEXES.open] });
  item = (await world.items.createAndPublish(await world.viewer("registered"), { content })).item.id;
  const ask = () =>
    world.ask(null, "POST", "/api/v1/records/list", { headers: JSON_TYPE, body: JSON.stringify(COLUMNS) });
  await eventually("lists are answered", async () => (await ask()).status === 200);
});

/** Characters that a client can put into a header. */
const headerText = fc.string({ unit: fc.constantFrom(..."abjen-ja;q=0.5*,W/\"'\\%1 \t.:(){}[]<>é"), maxLength: 200 });
const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "0",
    "-1",
    "1e9",
    "99999999999999999999",
    "%00",
    "%F0%9F",
    "%",
    "..",
    "__proto__",
    "constructor",
    "' or 1=1 --",
    "\ud800",
  ),
  fc.integer().map(String),
);
/** As browsers would write it, or as nobody would. */
const part = fc.oneof(
  anything.map((text) => encodeURIComponent(text.toWellFormed())),
  anything.map((text) => text.replace(/[^!-~]|[#?/\\]/g, "%")),
);
const headers = fc.record(
  {
    "accept-language": headerText,
    "if-none-match": headerText,
    "if-modified-since": fc.oneof(
      headerText,
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
    accept: headerText,
    range: headerText,
  },
  { requiredKeys: [] },
);
const PARAMETERS = [
  "q",
  "search_type",
  "pretty",
  "sort",
  "title",
  "creator",
  "iid",
  "type",
  "lang",
  "id",
  "id_attr",
  "page",
  "cursor",
  "size",
  "Subject",
];
const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...PARAMETERS), part), part), { maxLength: 6 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"));
const column = fc.record(
  {
    name: fc.oneof(
      fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 20 })),
      fc.jsonValue({ maxDepth: 2 }),
    ),
    roCrateKey: fc.oneof(
      fc.constantFrom("name", "creator", "subjectOf", "@id", "__proto__"),
      fc.jsonValue({ maxDepth: 1 }),
    ),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.array(column, { maxLength: 5 }).map((columns) => JSON.stringify(columns)),
  fc.jsonValue({ maxDepth: 5 }).map((json) => JSON.stringify(json)),
  fc.string({ unit: "binary", maxLength: 100 }),
);

function inShape(answer: Answer): void {
  expect(answer.status).toBeLessThan(500);
  if (answer.status < 400) return;
  expect([answer.json.code, answer.json.status, typeof answer.json.message]).toEqual([
    answer.status,
    answer.status,
    "string",
  ]);
}

describe("R9 the interfaces of records", () => {
  test("S3.2.14 S3.5.1 odd numbers under odd headers", async () => {
    const path = fc.oneof(
      part.map((id) => `/api/v1/records/${id}`),
      fc.constant(0).map(() => `/api/v1/records/${item}`),
      part.map((version) => `/api/${version}/records/1`),
      part.map((id) => `/items/schemaform/${id}`),
    );
    await fc.assert(
      fc.asyncProperty(path, query, headers, async (where, asked, sent) => {
        inShape(await world.ask(null, "GET", `${where}${asked === "" ? "" : `?${asked}`}`, { headers: sent }));
      }),
      { numRuns: 600 },
    );
  }, 120_000);

  test("S3.3.5 S3.3.11 odd columns of odd queries under odd headers", async () => {
    await fc.assert(
      fc.asyncProperty(query, headers, body, async (asked, sent, columns) => {
        const answer = await world.ask(null, "POST", `/api/v1/records/list?${asked}`, {
          headers: { ...JSON_TYPE, ...sent },
          body: columns,
        });
        inShape(answer);
        if (answer.status === 200) expect(answer.text.endsWith("\n")).toBe(true);
      }),
      { numRuns: 400 },
    );
  }, 120_000);
});
