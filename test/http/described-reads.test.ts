// What is there, read again: every operation that states them answers 304 to a reader that has the answer, 206 and 416
// to ranges, and 400 to a query that is too long (R9, R29, R32). A new part of an address needs its id in `ids`.
import { beforeAll, expect, test } from "bun:test";
import { most } from "../../src/shared/limits.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import {
  type Ask,
  askAt,
  hasQuery,
  JSON_HEADERS,
  provoke,
  ROWS,
  type Row,
  withOwn,
} from "../support/described-operations.ts";
import { jpeg } from "../support/pictures.ts";
import { NOW } from "../support/seed.ts";
import { INDEXES, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, recordFiles: true, authors: true });

/** Ids for the parts of an address, by what comes before them. */
let ids: readonly (readonly [RegExp, string | number])[] = [];

beforeAll(async () => {
  const { workflow, token, deposit, store } = world;
  const approved = await token("registered", undefined, { registrationType: 2, workflow: await workflow() });
  const waiting = recidOf(await deposit(approved, cratePackage()));
  const activity = (await store.items.claims(waiting, NOW)).activityId ?? "";
  const draft = await world.draft("registered");
  const record = recidOf(await deposit("registered", cratePackage()));
  await world.upload("registered", draft, "a.txt", "abc");
  const author = await world.author({ authorNameInfo: [{ familyName: "Doe", firstName: "Ada", language: "en" }] });
  const review = { type: "community-submission", receiver: { community: "c1" } };
  const { json } = await world.json("registered", "PUT", `/api/records/${draft}/draft/review`, review);
  const entry = { id: "one", title: { en: "One", ja: "" }, props: {} };
  const types = ["affiliations", "awards", "funders", "subjects"];
  const entries = types.map((type) => ({ type, ...entry }));
  await store.transact((tx) => tx.communities.putVocabulary(entries, NOW));
  await world.ask("system", "PUT", "/api/communities/c1/logo", { body: "GIF89a" });
  const page = { body: JSON.stringify({ title: "Rivers", content: "Of *all* rivers" }), headers: JSON_HEADERS };
  for (const slug of ["about", "policy", "contact", "help", "rivers"]) {
    await world.ask("system", "PUT", `/api/pages/${slug}`, page);
  }
  const pictured = await world.draft("registered");
  await world.upload("registered", pictured, "map.jpg", jpeg(30, 20));
  await world.json("registered", "POST", `/api/records/${pictured}/draft/actions/publish`);
  ids = [
    [/\{uuid\}(?=\/manifest)/, `record:${pictured}`],
    [/\{uuid\}.*\{quality\}/, `record:${pictured}:map.jpg/full/max/0/default.jpg`],
    [/\{uuid\}/, `record:${pictured}:map.jpg`],
    [/\{activity_id\}/, activity],
    [/(?<=\/requests\/)\{id\}/, String(json.id)],
    [/(?<=\/authors\/|\/names\/)\{\w+\}/, author.id],
    [/(?<=\/index\/|\/tree\/)\{\w+\}/, INDEXES.open],
    [/(?<=\/communities\/)\{(?:id|community)\}/, "c1"],
    [/(?<=\/vocabularies\/)\{type\}\/\{id\}/, "languages/eng"],
    [/(?<=\/vocabularies\/)\{type\}/, "languages"],
    [/(?<=\/(?:affiliations|awards|funders|subjects)\/)\{id\}/, "one"],
    [/\{slug\}/, "rivers"],
    [/\{item_type_id\}/, 1],
    [/\{\w*id\}(?=\/draft)/, draft],
    [/\{(?:id|recid|record_id|other)\}/g, record],
    [/\{key\}/, "a.txt"],
    [/\{revision\}/, 1],
    [/\{file\}/, "Record.json"],
    [/\{field\}/, "creators"],
    [/\{format\}/, "bibtex"],
  ];
});

const addressOf = ({ path }: Row): string =>
  ids.reduce((written, [part, id]) => written.replace(part, String(id)), path);
const ask: Ask = (row, given) => askAt(world.handler, world.people.system.token, addressOf)(row, given);

/** What a row needs to be answered. */
const COLUMNS = { body: JSON.stringify([{ name: { en: "Title" }, roCrateKey: "name" }]), headers: JSON_HEADERS };
const sent = ({ operationId }: Row) => (operationId === "listRecords" ? { ...COLUMNS, query: "?q=x" } : {});

test("R29 R32 a reader that has the answer gets 304 from every operation that describes it", async () => {
  const again: Ask = async (row, given) => {
    const first = await ask(row, given);
    await first.body?.cancel();
    const etag = first.headers.get("etag");
    if (etag === null) throw new Error(`${row.operationId} answers ${first.status} without an ETag`);
    return await ask(row, { ...given, headers: { ...given.headers, "if-none-match": etag } });
  };
  expect(await provoke(withOwn(304), again, 304, sent)).toEqual({ faults: [], unmet: [] });
});

test.each([
  ["bytes=0-0", 206],
  ["bytes=999999-", 416],
])("R29 R32 the range %s is answered %p, by every operation that describes it", async (range, status) => {
  expect(await provoke(withOwn(status), ask, status, () => ({ headers: { range } }))).toEqual({
    faults: [],
    unmet: [],
  });
});

test("R32 the shapes that the description names are there", async () => {
  const rows = ROWS.filter(({ operationId }) => operationId === "shapeSchema");
  expect([rows.length, await provoke(rows, ask, 200)]).toEqual([1, { faults: [], unmet: [] }]);
});

test("R9a R32 more parameters than any interface has are refused by every operation that has some", async () => {
  const rows = ROWS.filter((row) => row.method === "GET" && row.path.startsWith("/api/") && hasQuery(row));
  const query = `?${"a&".repeat(most("queryParameters") + 1)}`;
  expect(await provoke(rows, ask, 400, () => ({ query }))).toEqual({ faults: [], unmet: [] });
  expect(rows.length).toBeGreaterThan(30);
});
