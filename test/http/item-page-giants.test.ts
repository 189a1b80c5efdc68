// The page of an item with very much of everything (R9a, R40): its bytes, its statements, and how long it keeps others
// waiting are limited, whatever the item has.
import { beforeAll, expect, test } from "bun:test";
import process from "node:process";
import { EXPORT_FORMATS } from "../../src/repository/exports/formats.ts";
import { belowInATry, onReferenceMachine } from "../support/calibration.ts";
import { person } from "../support/cited-items.ts";
import { png } from "../support/pictures.ts";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

let statements = 0;
const world = setUpWorld({ pages: { onStatement: () => (statements += 1) } });

const FILES = 10_000;
const AUTHORS = 5_000;
const VERSIONS = 200;
const ABSTRACT = 1024 * 1024;
/** Of the HTML of one page. */
const HTML_BYTES = 400_000;
const STATEMENTS = 80;
/** Of the page of one field, which has texts whole. */
const FIELD_BYTES = 1_200_000;
const PIECE_MS = 250;

let item = 0;
let before = 0;

beforeAll(async () => {
  const words = "The tide of the north coast was measured again. ";
  const abstract = words.repeat(Math.ceil(ABSTRACT / words.length)).slice(0, ABSTRACT);
  const creators = Array.from({ length: AUTHORS }, (_, at) =>
    person(`Family${at}`, `Given${at}`, {
      ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }],
      affiliations: [{ names: [{ value: `Institute ${at}`, lang: "en" }], ids: [] }],
    }),
  );
  const one = await world.file("one", "x");
  const picture = await world.file("one", png(4, 4), { mediaType: "image/png" });
  const files = Array.from({ length: FILES }, (_, at) =>
    at % 10 === 0 ? { ...picture, name: `run${at}.png` } : { ...one, name: `run${at}.csv` },
  );
  const { id, content } = await world.publish({ metadata: titled("Small") });
  if (content === null) throw new Error("It is published");
  item = id;
  for (let version = 2; version <= VERSIONS - 1; version += 1) {
    item = (await world.items.newVersion(world.owner, item, { content })).item.id;
  }
  before = item;
  const metadata = titled("Giant", {
    creators,
    descriptions: [{ value: abstract, kind: "Abstract", lang: "en", html: false }],
  });
  item = (await world.items.newVersion(world.owner, item, { content: { ...content, metadata, files } })).item.id;
});

/** The answer, its statements, and the most CPU of its thread between two turns of the event loop. */
async function watched(path: string) {
  let [isOver, worst, last] = [false, 0, process.threadCpuUsage()];
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    worst = Math.max(worst, (user + system) / 1000);
    last = process.threadCpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const asked = statements;
  const { status, text } = await world.visitor().get(path);
  isOver = true;
  return { status, text, statements: statements - asked, worstMs: onReferenceMachine(worst) };
}

test.each([
  ["the page", () => `/records/${item}`],
  ["its versions", () => `/records/${item}/versions`],
  ["the difference to the version before", () => `/records/${before}/compare/${item}`],
  ["its files", () => `/records/${item}/files`],
  ["its people", () => `/records/${item}/values/creators`],
  ["its descriptions", () => `/records/${item}/values/descriptions`],
])(
  "Q.47 of an item with 10,000 files, 5,000 authors, 1 MiB of abstract and 200 versions, %s is limited",
  async (_, path) => {
    const { status, text, statements: asked, worstMs } = await belowInATry(PIECE_MS, () => watched(path()));
    expect(status).toBe(200);
    expect(new TextEncoder().encode(text).length).toBeLessThan(
      path().endsWith("/descriptions") ? FIELD_BYTES : HTML_BYTES,
    );
    if (path().endsWith("/descriptions")) expect(text.split("The tide of").length).toBeGreaterThan(20_000);
    expect(asked).toBeLessThan(STATEMENTS);
    expect(worstMs).toBeLessThan(PIECE_MS);
  },
);

test("Q.47 the page shows the beginnings and links to the rest", async () => {
  const { text } = await watched(`/records/${item}`);
  for (const path of ["files", "values/creators", "values/descriptions", "versions"])
    expect(text).toContain(`href="/records/${item}/${path}"`);
  expect(text).toContain("and 4,990 others");
  expect(text).toContain("Show all 10,000 files");
  expect(text.match(/class="abstract"[^>]*>([^<]*)</)?.[1]?.length).toBeLessThan(5_100);
});

/** Documents that have everything of an item: their bytes follow from it, their work is in pieces. */
const DOCUMENT_BYTES = 16 * 1024 * 1024;
const PAGES = [
  ...["statistics", "statistics?part=version", "statistics?format=csv", "view/run9999.csv", "view/run10.png"],
  ...["files?page=50", "values/creators?page=50", "versions?page=20", "request-access"],
].map((path) => `/records/ITEM/${path}`);
const DOCUMENTS = [
  ...["/api/records/ITEM", "/api/records/ITEM/files", "/api/records/ITEM/versions", "/records/ITEM/export/linkset"],
  ...["/api/iiif/record:ITEM/manifest", "/search/export?q=Giant&format=csv", "/records/ITEM/export/linkset-text"],
];
/** The same at more addresses. */
const MORE =
  process.env.ARKSTONE_SLOW === "1"
    ? [
        ...EXPORT_FORMATS.map(({ id }) => `/records/ITEM/export/${id}`),
        ...["ris", "bibtex", "csl"].map((format) => `/search/export?q=Giant&format=${format}`),
        ...["/api/records?q=Giant", "/api/opensearch/search?q=Giant&format=atom"],
      ]
    : [];

test.each([
  ...["/", "/search?q=Giant", "/persons", ...PAGES].map((path) => [path, HTML_BYTES] as const),
  ...[...DOCUMENTS, ...MORE].map((path) => [path, DOCUMENT_BYTES] as const),
])("Q.241 with such an item %s is limited to %d bytes", async (path, bytes) => {
  const {
    status,
    text,
    statements: asked,
    worstMs,
  } = await belowInATry(PIECE_MS, () => watched(path.replace("ITEM", String(item))));
  expect(status).toBe(200);
  expect(new TextEncoder().encode(text).length).toBeLessThan(bytes);
  expect(asked).toBeLessThan(STATEMENTS);
  expect(worstMs).toBeLessThan(PIECE_MS);
});
