// Where the CPU of an index build goes (R34), part by part in one thread, over a database that `bench/fill.ts` filled:
// reading rows, making documents, their rows of the index, sending them from thread to thread, and writing. Prints a
// digest of all rows as well: equal for versions that build the same index.
// bun bench/index-parts.ts --database sqlite:/tmp/fill-data/20k/arkstone.db [--parents 5000] [--rounds 3]
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { IndexFile } from "../db/search/building.ts";
import { rowMaking, rowsIn, rowsText } from "../db/search/document-row.ts";
import { termsOf } from "../db/search/terms.ts";
import type { SearchDocument } from "../src/repository/search/document/document.ts";
import { type DocumentReader, DocumentsReader } from "../src/repository/search/document/document-reading.ts";
import { searchSchema } from "../src/repository/search/settings/search-schema.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../src/repository/search/settings/shipped-settings.ts";
import { lowerQuartile, median, printTable, workFolder } from "./lib.ts";

const { values } = parseArgs({
  options: {
    database: { type: "string" },
    parents: { type: "string", default: "5000" },
    rounds: { type: "string", default: "3" },
  },
});
if (values.database === undefined) throw new Error("Usage: bun bench/index-parts.ts --database URL");
const PARENTS = Number(values.parents);
const PAGE = 250;
const PARTS = ["reading", "making", "row", "sending", "writing", "merge"] as const;
type Part = (typeof PARTS)[number];
type Costs = Record<Part, number>;

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function timed<T>(costs: Costs, part: Part, work: () => T | Promise<T>): Promise<T> {
  const before = cpuUs();
  const result = await work();
  costs[part] += cpuUs() - before;
  return result;
}

/** The reader, with what its questions cost counted as reading. */
function countedReader(reader: DocumentReader, costs: Costs): DocumentReader {
  const counted = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const found: unknown = Reflect.get(target, name, receiver);
        return typeof found === "function"
          ? (...given: unknown[]) => timed(costs, "reading", () => found.apply(target, given))
          : found;
      },
    });
  const { items, indexes, settings, fullText, usage } = reader;
  return {
    items: counted(items),
    indexes: counted(indexes),
    settings: counted(settings),
    fullText: counted(fullText),
    usage: counted(usage),
  };
}

const schema = searchSchema(SHIPPED_SEARCH_SETTINGS);
const terms = termsOf(schema);
const makeRow = rowMaking(schema, terms);

/** What an item of each page cost. */
const pages: Costs[] = [];

async function round(url: string): Promise<{ costs: Costs; documents: number; terms: number; digest: string }> {
  const costs: Costs = { reading: 0, making: 0, row: 0, sending: 0, writing: 0, merge: 0 };
  const store = await openRepositoryStore({ url, mustExist: true, poolSize: 1 });
  const folder = workFolder();
  const digest = createHash("sha256");
  let [documents, count] = [0, 0];
  let counted = { ...costs };
  try {
    const position = { epoch: "0", horizon: "0" };
    const file = IndexFile.open(join(folder.path, "0.sqlite"), { schema, terms }, position);
    const reader = new DocumentsReader(countedReader(store, costs), SHIPPED_SEARCH_SETTINGS, () => "2026-11-29");
    const read = reader.inOnePass();
    let last = -1;
    for (let left = PARENTS; left > 0; left -= PAGE) {
      const parents = await store.items.parentsAfter(last, Math.min(PAGE, left));
      last = parents.at(-1) ?? last;
      if (parents.length === 0) break;
      const made: SearchDocument[] = [];
      const before = costs.reading;
      await timed(costs, "making", async () => {
        for await (const slice of read(parents)) made.push(...slice.documents);
      });
      costs.making -= costs.reading - before;
      const rows = await timed(costs, "row", () => made.map(makeRow));
      const sent = await timed(costs, "sending", () => rowsIn(rowsText(rows)));
      await timed(costs, "writing", () => file.add(sent));
      digest.update(JSON.stringify(rows));
      documents += rows.length;
      pages.push(Object.fromEntries(PARTS.map((part) => [part, (costs[part] - counted[part]) / rows.length])) as Costs);
      counted = { ...costs };
      for (const each of rows) count += each.terms.split(" ").length;
    }
    await timed(costs, "merge", () => file.finish(position));
  } finally {
    await store.close();
    folder.remove();
  }
  return { costs, documents, terms: count, digest: digest.digest("hex").slice(0, 16) };
}

const all: Costs[] = [];
for (let at = 0; at < Number(values.rounds); at += 1) {
  const { costs, documents, terms: count, digest } = await round(values.database);
  const each = Object.fromEntries(PARTS.map((part) => [part, costs[part] / documents])) as Costs;
  all.push(each);
  const sum = PARTS.reduce((so, part) => so + each[part], 0);
  console.log(
    `round ${at + 1}: ${documents} documents, ${Math.round(count / documents)} terms each, rows ${digest}, ${Math.round(sum)} us; ` +
      PARTS.map((part) => `${part} ${Math.round(each[part])}`).join(", "),
  );
}
const columns = (part: Part) => ({
  "us of CPU an item": Math.round(median(all.map((each) => each[part]))),
  "lower quartile of pages": Math.round(lowerQuartile(pages.map((each) => each[part]))),
});
printTable(PARTS.map((part) => ({ name: part, ...columns(part) })));
