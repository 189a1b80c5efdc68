// What searching costs (R27, R28, R34): the embedded engine alone, over generated documents in Japanese and English; in
// the same process and over the same words, a bare full text query of SQLite without facets. bench/search.ts
// [--documents N] [--json FILE]; runs on Bun and on Deno. Every part is a separate process: one builds, one starts with
// the files of the other and is queried. CPU is that of the whole process, threads included.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { holdLock } from "../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../db/search/embedded-index.ts";
import { FIELDS } from "../src/repository/search/document/document.ts";
import { wordsOfQuery } from "../src/repository/search/document/tokens.ts";
import { type Condition, type IndexQuery, SCORE, type SearchIndex } from "../src/repository/search/index/index-port.ts";
import { parseQueryText } from "../src/repository/search/query/query-text.ts";
import { NEWEST_WORK, rankingOf } from "../src/repository/search/query/ranking.ts";
import { inField, textCondition } from "../src/repository/search/query/word-conditions.ts";
import { KEYS, SORTS } from "../src/repository/search/settings/search-schema.ts";
import { median, printTable, quantile, vmHwmMiB, workFolder, writeJson } from "./lib.ts";
import { BENCH_FACETS, BENCH_SCHEMA, benchDocument, twoWords, WIDE_WORD } from "./search-documents.ts";

const QUERIES = 400;
const WIDE_QUERIES = 30;
const CHANGES = 300;
const DOCUMENTS_AT_ONCE = 500;

const options = parseArgs({
  options: {
    documents: { type: "string", default: "100000" },
    json: { type: "string" },
    part: { type: "string" },
    folder: { type: "string", default: "" },
  },
}).values;
const documents = Number(options.documents);

type Figures = Readonly<Record<string, number>>;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const openIndex = (): Promise<SearchIndex> =>
  openEmbeddedIndex({ folder: join(options.folder, "search"), hold: holdLock })(BENCH_SCHEMA);

/** Documents are made outside the time that counts. */
async function build(): Promise<Figures> {
  const index = await openIndex();
  const building = await index.build();
  const bare = new DatabaseSync(join(options.folder, "bare.sqlite"));
  bare.exec(
    "pragma journal_mode = memory; pragma synchronous = off; create virtual table word using fts5 (words); begin",
  );
  const insert = bare.prepare("insert into word (rowid, words) values (?, ?)");
  let [cpu, wall] = [0, 0];
  const timed = async (work: () => Promise<void>): Promise<void> => {
    const [cpuBefore, before] = [cpuMs(), performance.now()];
    await work();
    cpu += cpuMs() - cpuBefore;
    wall += performance.now() - before;
  };
  for (let id = 1; id <= documents; id += DOCUMENTS_AT_ONCE) {
    const some = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, documents - id + 1) }, (_, at) =>
      benchDocument(id + at),
    );
    await timed(() => building.add(some));
    for (const document of some) insert.run(document.id, document.texts[FIELDS.all] ?? "");
  }
  await timed(() => building.finish({ epoch: "bench", horizon: "0" }));
  bare.exec("commit; insert into word (word) values ('optimize')");
  bare.close();
  const { sizeBytes } = await index.status();
  const peakMiB = vmHwmMiB(process.pid);
  await index.close();
  return {
    "build: documents/s of CPU": (documents * 1000) / cpu,
    "build: documents/s": (documents * 1000) / wall,
    "build: peak MiB": peakMiB,
    "file: bytes a document": (sizeBytes ?? 0) / documents,
  };
}

const VISIBLE: readonly Condition[] = [
  { kind: "key", field: FIELDS.visibility, anyOf: ["a7", "sr0"] },
  { kind: "key", field: FIELDS.standing, anyOf: ["latest"] },
  { kind: "key", field: FIELDS.itemType, anyOf: ["30001", "30002"] },
];

const FACETS = BENCH_FACETS.map((field) => ({ field, size: 20 }));

/** As the records interface asks it: each word in the metadata or in files that all may read. */
function asked(words: string, more: Partial<IndexQuery> = {}): IndexQuery {
  const text = textCondition(parseQueryText(words, "q") ?? [], (tokens) => ({
    kind: "or",
    of: [inField(FIELDS.all)(tokens), inField(FIELDS.files)(tokens.map((token) => `f0z${token}`))],
  }));
  const where: Condition = { kind: "and", of: [...VISIBLE, text] };
  return { where, chosen: null, sort: [], after: null, offset: 0, limit: 20, facets: FACETS, ...more };
}

/** The same, best matches first. */
function ranked(words: string): IndexQuery {
  const readable = (of: Condition): Condition =>
    of.kind === "token" && of.field === FIELDS.files ? { ...of, token: `f0z${of.token}` } : of;
  const ranking = rankingOf(words.split(" ")).map((word) => ({
    ...word,
    places: word.places.map((place) => ({ ...place, of: readable(place.of) })),
  }));
  const sort = [{ field: SCORE, descending: true }, NEWEST_WORK];
  return asked(words, { sort, ranking: { words: ranking, among: { kind: "and", of: VISIBLE }, weights: null } });
}

/** As the records interface asks it. */
function rankedAny(words: string): IndexQuery {
  const any = words.split(" ").flatMap((word) => {
    const tokens = wordsOfQuery(word);
    return tokens.length === 0 ? [] : [inField(FIELDS.all)(tokens)];
  });
  return { ...ranked(words), where: { kind: "and", of: [...VISIBLE, { kind: "or", of: any }] } };
}

type Timing = { readonly cpu: number; readonly p50: number; readonly p95: number };

/** CPU at the median over groups, for one question is below what the clock of the processor tells apart. */
async function time(count: number, ask: (number: number) => unknown): Promise<Timing> {
  const walls: number[] = [];
  const cpus: number[] = [];
  const group = Math.max(1, Math.floor(count / 20));
  for (let from = 0; from < count; from += group) {
    const before = cpuMs();
    for (let number = from; number < Math.min(count, from + group); number += 1) {
      const start = performance.now();
      await ask(number);
      walls.push(performance.now() - start);
    }
    cpus.push((cpuMs() - before) / group);
  }
  return { cpu: median(cpus), p50: median(walls), p95: quantile(walls, 0.95) };
}

async function ask(): Promise<Figures> {
  const [cpuBefore, before] = [cpuMs(), performance.now()];
  const index = await openIndex();
  const opened = { "open: CPU s": (cpuMs() - cpuBefore) / 1000, "open: s": (performance.now() - before) / 1000 };
  const figures: Record<string, number> = { ...opened };
  const note = (name: string, { cpu, p50, p95 }: Timing): void => {
    figures[`${name}: CPU ms`] = cpu;
    figures[`${name}: p50 ms`] = p50;
    figures[`${name}: p95 ms`] = p95;
  };
  const queries = Array.from({ length: QUERIES }, (_, number) => twoWords(number, documents));
  let hits = 0;
  const two = async (number: number): Promise<void> => {
    hits += (await index.query(asked(queries[number] ?? ""))).total;
  };
  note("two words, first time", await time(QUERIES, two));
  figures["two words: hits"] = hits / QUERIES;
  note("two words", await time(QUERIES, two));
  const best = (number: number) => index.query(ranked(queries[number] ?? ""));
  note("two words, ranked, first time", await time(QUERIES, best));
  note("two words, ranked", await time(QUERIES, best));
  const question = (number: number): string => queries.slice(number, number + 4).join(" ");
  note("any of eight words, ranked", await time(WIDE_QUERIES, (number) => index.query(rankedAny(question(number)))));

  const first = await index.query(asked(WIDE_WORD));
  const [wideFacet] = first.facets[4] ?? [];
  figures["wide: hits"] = first.total;
  const chosen: Condition = { kind: "key", field: BENCH_FACETS[4] ?? "", anyOf: [wideFacet?.key ?? ""] };
  const deep = await index.query(asked(WIDE_WORD, { limit: 1, offset: Math.floor(first.total / 2), facets: [] }));
  const sort = [{ field: SORTS.title, descending: false }];
  const sorted = await index.query(
    asked(WIDE_WORD, { sort, limit: 1, offset: Math.floor(first.total / 2), facets: [] }),
  );
  const after = (answer: typeof deep) => ({ after: answer.hits[0] ?? null });
  note("wide", await time(WIDE_QUERIES, () => index.query(asked(WIDE_WORD))));
  note("wide, ranked", await time(WIDE_QUERIES, () => index.query(ranked(WIDE_WORD))));
  note("wide, facet chosen", await time(WIDE_QUERIES, () => index.query(asked(WIDE_WORD, { chosen }))));
  note("wide, deep cursor", await time(WIDE_QUERIES, () => index.query(asked(WIDE_WORD, after(deep)))));
  note("wide by title", await time(WIDE_QUERIES, () => index.query(asked(WIDE_WORD, { sort }))));
  note(
    "wide by title, deep",
    await time(WIDE_QUERIES, () => index.query(asked(WIDE_WORD, { sort, ...after(sorted) }))),
  );
  const everything = { ...asked(WIDE_WORD), where: { kind: "and", of: VISIBLE } as const };
  note("everything", await time(WIDE_QUERIES, () => index.query(everything)));
  const { "wide: CPU ms": wide = 1 } = figures;
  figures["facet chosen / first page"] = (figures["wide, facet chosen: CPU ms"] ?? 0) / wide;
  figures["deep cursor / first page"] = (figures["wide, deep cursor: CPU ms"] ?? 0) / wide;

  note("prefix", await time(WIDE_QUERIES, (number) => index.query(prefixQuery(queries[number] ?? ""))));
  const change = (number: number) => {
    const document = benchDocument(1 + ((number * 7_919) % documents));
    return { parents: [document.parentId], documents: [document], position: { epoch: "bench", horizon: `${number}` } };
  };
  const changes = Array.from({ length: CHANGES }, (_, number) => change(number));
  note("one change", await time(CHANGES, (number) => index.apply(changes[number] ?? change(0))));
  Object.assign(figures, await strangest(index));
  figures["peak MiB"] = vmHwmMiB(process.pid);
  await index.close();
  note("bare FTS5, no facets", await bare(queries));
  return figures;
}

/** The most expensive queries that guests may send: their time, and the longest time without yielding. */
async function strangest(index: SearchIndex): Promise<Figures> {
  const prefix = (text: string): Condition => ({ kind: "prefix", field: FIELDS.all, prefix: text });
  const words = Array.from({ length: 100 }, (_, at) => asked(twoWords(at, documents)).where);
  const keys = Array.from({ length: 5_000 }, (_, at) => `${at * 3}`);
  const asks: Readonly<Record<string, Condition>> = {
    "a letter's beginning": prefix("s"),
    "every beginning": prefix(""),
    "a hundred times two words": { kind: "or", of: words },
    "5,000 keys": { kind: "key", field: KEYS.number, anyOf: keys },
    "not a broad word": { kind: "not", of: { kind: "token", field: FIELDS.all, token: WIDE_WORD } },
  };
  const figures: Record<string, number> = {};
  for (const [name, where] of Object.entries(asks)) {
    let [longest, last] = [0, cpuMs()];
    let isDone = false;
    const before = last;
    const answered = index.query({ ...asked(WIDE_WORD), where }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      longest = Math.max(longest, cpuMs() - last);
      last = cpuMs();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await answered;
    figures[`${name}: CPU ms`] = cpuMs() - before;
    figures[`${name}: held at most, CPU ms`] = Math.max(longest, cpuMs() - last);
  }
  return figures;
}

const prefixQuery = (words: string): IndexQuery => ({
  ...asked(WIDE_WORD),
  where: { kind: "and", of: [...VISIBLE, { kind: "prefix", field: FIELDS.all, prefix: words.slice(0, 3) }] },
});

/** Total and twenty numbers by SQLite's own tables, over the same tokens. */
async function bare(queries: readonly string[]): Promise<Timing> {
  const database = new DatabaseSync(join(options.folder, "bare.sqlite"), { readOnly: true });
  const total = database.prepare("select count(*) from word where word match ?");
  const page = database.prepare("select rowid from word where word match ? order by rowid desc limit 20");
  const timing = await time(queries.length, (number) => {
    const tokens = (queries[number] ?? "").split(" ").flatMap((word) => wordsOfQuery(word));
    const match = tokens.map((token) => `"${token}"`).join(" ");
    total.get(match);
    page.all(match);
  });
  database.close();
  return timing;
}

/** A separate process for each part: memory is then that of the part. */
function part(name: string, folder: string): Figures {
  return figuresOf(import.meta.filename, ["--part", name, "--folder", folder]);
}

function figuresOf(file: string, more: readonly string[] = []): Figures {
  const runtime = typeof Bun === "undefined" ? ["run", "--allow-all", "--no-check"] : [];
  const order = [...runtime, file, ...more, "--documents", `${documents}`];
  const output = execFileSync(process.execPath, order, { encoding: "utf8", maxBuffer: 2 ** 20 });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

if (options.part === "build") console.log(JSON.stringify(await build()));
else if (options.part === "ask") console.log(JSON.stringify(await ask()));
else {
  const folder = workFolder();
  try {
    const figures = {
      ...part("build", folder.path),
      ...part("ask", folder.path),
      ...((process.env.SVC_TYPESENSE_URL ?? "") === ""
        ? {}
        : figuresOf(join(import.meta.dirname, "search-typesense.ts"))),
    };
    printTable(Object.entries(figures).map(([what, value]) => ({ what, value: Number(value.toPrecision(4)) })));
    if (options.json !== undefined) writeJson(options.json, "search", [{ name: `${documents} documents`, ...figures }]);
  } finally {
    folder.remove();
  }
}
