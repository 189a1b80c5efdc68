// Whether people find what they mean (R27, R28): success among the first five, mean reciprocal rank and nDCG of the
// first ten, and CPU, by kind of query, for the search page and the records interface, over the judged set of this
// folder (finding/judged-set.ts) or over a public collection.
//   bench/finding.ts [--json FILE] [--misses KIND]    (KIND `any`: of all kinds)
//   bench/finding.ts --questions fresh      the questions of someone who had not seen the search (fresh-questions.ts)
//   bench/finding.ts --compare              by engines that do not score, as Typesense, and how many of the first ten of
//                                           the embedded index are among theirs (the set of hits must be the same)
//   bench/finding.ts --collection FOLDER    CISI or Cranfield (SMART format), or BEIR (corpus.jsonl, queries.jsonl, qrels)
// A public collection is compared with the BM25 of Lucene over the same words, computed here (finding/collections.ts).
import process from "node:process";
import { parseArgs } from "node:util";
import { type Collection, lucenesRanking, readCollection } from "./finding/collections.ts";
import { compareEngines } from "./finding/comparison.ts";
import { type Answer, type FindingWorld, findingWorld, type Interface } from "./finding/finding-world.ts";
import { type FreshQuestion, freshQuestions } from "./finding/fresh-questions.ts";
import { judgedSet } from "./finding/judged-set.ts";
import { idleShare, printTable, workFolder, writeJson } from "./lib.ts";

const HITS = 10;
const FIRST = 5;
const { values: options } = parseArgs({
  options: {
    json: { type: "string" },
    misses: { type: "string" },
    collection: { type: "string" },
    questions: { type: "string" },
    compare: { type: "boolean", default: false },
  },
});

type Figures = { readonly queries: number; success: number; reciprocal: number; ndcg: number; cpuMs: number };

/** Gains are the grades themselves, as trec_eval has them. */
const discounted = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);

/** Of the first ten hits. `success`: an item of the best grade that any item has is among the first five. */
function judge(ids: readonly number[], grades: ReadonlyMap<number, number>): Omit<Figures, "queries" | "cpuMs"> {
  const ideal = [...grades.values()].sort((a, b) => b - a);
  const [best = 0] = ideal;
  const got = ids.slice(0, HITS).map((id) => grades.get(id) ?? 0);
  const at = best === 0 ? -1 : got.indexOf(best);
  return {
    success: at >= 0 && at < FIRST ? 1 : 0,
    reciprocal: at < 0 ? 0 : 1 / (at + 1),
    ndcg: ideal.length === 0 ? 0 : discounted(got) / discounted(ideal.slice(0, HITS)),
  };
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function measure(ask: Interface, queries: readonly FreshQuestion[]): Promise<ReadonlyMap<string, Figures>> {
  const byKind = new Map<string, FreshQuestion[]>();
  for (const query of queries) byKind.set(query.kind, [...(byKind.get(query.kind) ?? []), query]);
  const figures = new Map<string, Figures>();
  for (const [kind, of] of byKind) {
    const all = { queries: of.length, success: 0, reciprocal: 0, ndcg: 0, cpuMs: 0 };
    const answers: Answer[] = [];
    // Code that runs for the first time is slower.
    for (const { text } of of) await ask(text, HITS);
    const before = cpuMs();
    for (const { text } of of) answers.push(await ask(text, HITS));
    all.cpuMs = (cpuMs() - before) / of.length;
    for (const [at, { grades, text }] of of.entries()) {
      const one = judge(answers[at]?.ids ?? [], grades);
      all.success += one.success / of.length;
      all.reciprocal += one.reciprocal / of.length;
      all.ndcg += one.ndcg / of.length;
      if ((options.misses === kind || options.misses === "any") && one.success === 0)
        console.log(`missed: ${text} (${answers[at]?.total} hits)`);
    }
    figures.set(kind, all);
  }
  return figures;
}

function whole(figures: ReadonlyMap<string, Figures>): Figures {
  const all = [...figures.values()];
  const queries = all.reduce((sum, each) => sum + each.queries, 0);
  const mean = (of: (one: Figures) => number): number =>
    all.reduce((sum, one) => sum + of(one) * one.queries, 0) / queries;
  return {
    queries,
    success: mean(({ success }) => success),
    reciprocal: mean(({ reciprocal }) => reciprocal),
    ndcg: mean(({ ndcg }) => ndcg),
    cpuMs: mean((one) => one.cpuMs),
  };
}

const shown = (value: number): string => value.toFixed(3);

async function ofJudgedSet(folder: string): Promise<object> {
  const { items, queries: judged } = judgedSet();
  const queries = options.questions === "fresh" ? freshQuestions(items) : judged;
  const world = await findingWorld(folder, items);
  const results: Record<string, object> = {};
  for (const [name, ask] of Object.entries(world.interfaces)) {
    const figures = await measure(ask, queries);
    const rows = [...figures, ["all", whole(figures)] as const];
    console.log(`\n${name}`);
    printTable(
      rows.map(([kind, one]) => ({
        kind,
        queries: String(one.queries),
        "success@5": shown(one.success),
        MRR: shown(one.reciprocal),
        "nDCG@10": shown(one.ndcg),
        "CPU ms": shown(one.cpuMs),
      })),
    );
    results[name] = Object.fromEntries(rows);
  }
  await world.close();
  return results;
}

async function compared(folder: string): Promise<object> {
  const { items, queries } = judgedSet();
  const rows: Record<string, string>[] = [];
  const sets = { judged: queries, fresh: freshQuestions(items) };
  for (const { questions, name, ofTen, queries: count, others, answers } of await compareEngines(folder, items, sets)) {
    const successes = answers.map(({ ids, grades }) => judge(ids, grades).success);
    const success = successes.reduce((sum, each) => sum + each, 0) / successes.length;
    rows.push({
      ...{ questions, interface: name, "success@5 without scores": shown(success), "of ten": ofTen.toFixed(2) },
      ...{ compared: String(count), "other sets": String(others) },
    });
  }
  printTable(rows);
  return rows;
}

async function ofCollection(folder: string, path: string): Promise<object> {
  const collection = readCollection(path);
  const world = await findingWorld(folder, collection.items);
  const lucene = lucenesRanking(collection);
  const rows = [
    ["BM25 as Lucene has it", ndcgOf(collection, (text) => lucene(text, HITS))] as const,
    ...(await measured(world, collection)),
  ];
  printTable(rows.map(([ranking, ndcg]) => ({ ranking, "nDCG@10": shown(ndcg) })));
  await world.close();
  return Object.fromEntries(rows);
}

async function measured(world: FindingWorld, collection: Collection): Promise<readonly (readonly [string, number])[]> {
  const rows: (readonly [string, number])[] = [];
  for (const [name, ask] of Object.entries(world.interfaces)) {
    const answers = new Map<string, readonly number[]>();
    for (const { text } of collection.queries) answers.set(text, (await ask(text, HITS)).ids);
    rows.push([name, ndcgOf(collection, (text) => answers.get(text) ?? [])]);
  }
  return rows;
}

const ndcgOf = ({ queries }: Collection, ask: (text: string) => readonly number[]): number =>
  queries.reduce((sum, { text, grades }) => sum + judge(ask(text), grades).ndcg, 0) / queries.length;

console.log(`idle share of the machine: ${shown(await idleShare())}`);
const folder = workFolder();
try {
  const { collection } = options;
  const results = options.compare
    ? await compared(folder.path)
    : collection === undefined
      ? await ofJudgedSet(folder.path)
      : await ofCollection(folder.path, collection);
  if (options.json !== undefined) writeJson(options.json, "finding", [results]);
} finally {
  folder.remove();
}
