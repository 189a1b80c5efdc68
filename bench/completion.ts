// What completion while typing costs (R27j): titles, people and subjects for every beginning that somebody types of titles
// and names, whole with the items of an SQLite database, for guests. bun bench/completion.ts [--items 100000]
// [--texts 150] [--folder FOLDER] [--index-only] [--filled] [--json FILE]; `--folder` keeps database and index for another
// run, `--index-only` leaves the database out, and from documents what completion does not read: a million are built in
// minutes. `--filled`: the folder is the data folder of a server that is stopped, and titles and names are of its items.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { holdLock } from "../db/engine/process-lock.ts";
import { openRepositoryStore } from "../db/repository/store.ts";
import { openEmbeddedIndex } from "../db/search/embedded-index.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { jsonLog } from "../src/adapters/log.ts";
import { GUEST } from "../src/auth/account.ts";
import { RECORD_FACETS } from "../src/repository/search/detail/record-schema.ts";
import { FIELDS, type SearchDocument } from "../src/repository/search/document/document.ts";
import { sortText } from "../src/repository/search/document/item-document.ts";
import { facetKey } from "../src/repository/search/document/keys.ts";
import { tokensOf } from "../src/repository/search/document/tokens.ts";
import { IndexFollower } from "../src/repository/search/index/index-follower.ts";
import { type CompletionNeeds, completion } from "../src/repository/search/query/completion.ts";
import { IndexFinder } from "../src/repository/search/query/index-finder.ts";
import { SORTS, TEXTS } from "../src/repository/search/settings/search-schema.ts";
import { fileBenchItems } from "./filed-items.ts";
import { idleShare, printTable, quantile, workFolder, writeJson } from "./lib.ts";
import { BENCH_SCHEMA, benchRecord, WIDE_WORD } from "./search-documents.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "100000" },
    texts: { type: "string", default: "150" },
    folder: { type: "string" },
    "index-only": { type: "boolean", default: false },
    filled: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const ITEMS = Number(values.items);
const TYPED_TEXTS = Number(values.texts);
/** Each look-up this often, for one takes less than the clock of the processor tells apart. */
const REPEATED = 10;
/** Characters that somebody types before they have found what they want. */
const TYPED = 12;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** What people type, key by key: titles from their beginning and from inside, people by either name. */
function typedTexts(works: readonly Work[]): readonly string[] {
  const texts = new Set<string>([..."abcdefghijklmnopqrstuvwxyz", WIDE_WORD]);
  for (const { title, first, last } of works) {
    for (const text of [title, title.slice(title.indexOf(" ") + 1), `${last} ${first}`]) {
      for (let end = 1; end <= Math.min(TYPED, text.length); end += 1) texts.add(text.slice(0, end));
    }
  }
  return [...texts];
}

type Work = { readonly title: string; readonly first: string; readonly last: string };

const benchWorks = (): readonly Work[] =>
  Array.from({ length: TYPED_TEXTS }, (_, at) => {
    const { title, people } = benchRecord(1 + ((at * 7919) % ITEMS));
    const [first = "", last = first] = (people[0] ?? "").split(" ");
    return { title, first, last };
  });

/** Titles and first creators of items from the first to the newest that guests see. */
async function filledWorks({ finder, store }: Whole): Promise<readonly Work[]> {
  const everything = { where: { kind: "and", of: [] }, chosen: null, sort: [], facets: [] } as const;
  const { items } = await finder.find(GUEST, { ...everything, page: { number: 1, size: 1 } });
  const newest = items[0]?.item.id ?? 0;
  const ids = Array.from({ length: TYPED_TEXTS * 4 }, (_, at) => Math.ceil(((at + 1) * newest) / (TYPED_TEXTS * 4)));
  const works = (await store.items.summariesOf(ids)).flatMap(({ content }): Work[] => {
    const { titles = [], creators = [] } = content?.metadata ?? {};
    const { family = "", given = "", full = "" } = creators[0]?.names[0] ?? {};
    const [title] = titles;
    return title === undefined ? [] : [{ title: title.value, first: given, last: family === "" ? full : family }];
  });
  return works.slice(0, TYPED_TEXTS);
}

type Figures = { readonly first: readonly number[]; readonly again: readonly number[]; readonly found: number };

async function measured(suggest: Suggest, texts: readonly string[]): Promise<Figures> {
  const [first, again]: [number[], number[]] = [[], []];
  let found = 0;
  for (const text of texts) {
    const begun = cpuMs();
    found += Number((await suggest(text)).length > 0);
    first.push(cpuMs() - begun);
    const before = cpuMs();
    for (let round = 0; round < REPEATED; round += 1) await suggest(text);
    again.push((cpuMs() - before) / REPEATED);
  }
  return { first, again, found };
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

type Suggest = (text: string) => Promise<readonly unknown[]>;
type Opened = {
  readonly suggest: Suggest;
  readonly works: () => Promise<readonly Work[]>;
  readonly close: () => Promise<void>;
};
type Whole = { readonly finder: IndexFinder; readonly store: Awaited<ReturnType<typeof openRepositoryStore>> };

async function openWhole(folder: string): Promise<Opened> {
  const path = join(folder, "arkstone.db");
  if (!existsSync(path)) await fileBenchItems(`sqlite:${path}`, ITEMS);
  const store = await openRepositoryStore({ url: `sqlite:${path}` });
  const log = jsonLog("warn", (line) => void process.stderr.write(line));
  const open = openEmbeddedIndex({ folder: join(folder, "search"), hold: holdLock });
  const needs = { store, clock: systemClock, timeZone: "UTC" };
  const follower = new IndexFollower({ ...needs, open, log, waitMs: 1_000 });
  await follower.start();
  while (follower.metrics().state !== "following") await Bun.sleep(200);
  const finder = new IndexFinder({ ...needs, follower });
  const { suggest } = completion({ finder, store });
  const close = async (): Promise<void> => {
    await follower.stop();
    await store.close();
  };
  const works = async () => (values.filled ? await filledWorks({ finder, store }) : benchWorks());
  return { suggest: (text) => suggest(GUEST, text, 10, "en"), works, close };
}

/** Title, people and subjects of a record; one in twenty is not public. */
function documentOf(id: number): SearchDocument {
  const { title, people, subjects } = benchRecord(id);
  const words = (...texts: readonly string[]): string => [...new Set(texts.flatMap(tokensOf))].join(" ");
  const nothing = BENCH_SCHEMA.sorts.map(({ name, type }) => [name, type === "text" ? "" : 0] as const);
  return {
    ...{ id, parentId: id, digest: `d${id}`, numbers: {} },
    texts: { [TEXTS.title]: words(title), [TEXTS.creator]: words(...people), [TEXTS.subject]: words(...subjects) },
    keys: {
      [FIELDS.visibility]: [id % 20 === 0 ? "sr0ie" : "sr0"],
      [FIELDS.standing]: ["latest"],
      [RECORD_FACETS.subject]: [...new Set(subjects.map(facetKey))],
    },
    labels: Object.fromEntries(subjects.map((subject) => [facetKey(subject), subject])),
    sorts: { ...Object.fromEntries(nothing), [SORTS.title]: sortText(title) },
  };
}

/** What the index names is not read: that costs the same however many there are. */
async function openAlone(folder: string): Promise<Opened> {
  const index = await openEmbeddedIndex({ folder: join(folder, "search"), hold: holdLock })(BENCH_SCHEMA);
  if ((await index.position()) === null) {
    const building = await index.build();
    for (let id = 1; id <= ITEMS; id += DOCUMENTS_AT_ONCE) {
      const size = Math.min(DOCUMENTS_AT_ONCE, ITEMS - id + 1);
      await building.add(Array.from({ length: size }, (_, at) => documentOf(id + at)));
    }
    await building.finish({ epoch: "bench", horizon: "0" });
  }
  const key = (field: string, ...anyOf: readonly string[]) => ({ kind: "key", field, anyOf }) as const;
  const where = { kind: "and", of: [key(FIELDS.visibility, "sr0"), key(FIELDS.standing, "latest")] } as const;
  const { suggest } = completion({
    finder: {
      complete: async (_viewer, questions) => {
        const answers = await Promise.all(questions.map((question) => index.complete({ ...question, where })));
        found = answers.some(({ ids }) => ids.length > 0);
        return answers.map(({ labels }) => ({ items: [], labels }));
      },
    },
    store: { items: { summariesOf: async () => [] } as unknown as CompletionNeeds["store"]["items"] },
  });
  let found = false;
  return {
    works: async () => benchWorks(),
    close: () => index.close(),
    suggest: async (text) => {
      const suggestions = await suggest(GUEST, text, 10, "en");
      return found ? [text] : suggestions;
    },
  };
}
const DOCUMENTS_AT_ONCE = 1_000;

async function main(): Promise<void> {
  const idle = await idleShare();
  const work = values.folder === undefined ? workFolder() : null;
  const folder = work?.path ?? values.folder ?? "";
  const { suggest, works, close } = await (values["index-only"] ? openAlone(folder) : openWhole(folder));
  try {
    const texts = typedTexts(await works());
    await suggest("warm");
    const groups = { "1 character": 1, "2 characters": 2, "3 characters": 3, "4 and more": 4, all: 0 };
    const variants = [];
    for (const [name, size] of Object.entries(groups)) {
      const some = size === 0 ? texts : texts.filter((text) => Math.min([...text].length, 4) === size);
      const { first, again, found } = await measured(suggest, some);
      variants.push({
        name,
        "look-ups": some.length,
        "with suggestions": found,
        "p50 ms CPU": rounded(quantile(again, 0.5)),
        "p99 ms CPU": rounded(quantile(again, 0.99)),
        "highest ms CPU": rounded(Math.max(...again)),
        "first time, p99 ms CPU": rounded(quantile(first, 0.99)),
      });
    }
    printTable(variants);
    process.stdout.write(`${ITEMS} items; the machine was ${Math.round(idle * 100)}% idle\n`);
    writeJson(values.json, "completion", variants, { items: ITEMS, idle });
  } finally {
    await close();
    work?.remove();
  }
}

await main();
