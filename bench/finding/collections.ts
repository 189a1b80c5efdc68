// Public judged collections from a folder: SMART format (Cranfield: cran.all.1400, cran.qry, cranqrel; CISI: CISI.ALL,
// CISI.QRY, CISI.REL) and BEIR (corpus.jsonl, queries.jsonl, qrels/test.tsv). Their data is never part of the project.
// With them the BM25 of Lucene, over title and text as one field, as the figure to compare with.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stemmer } from "@orama/stemmers/english";
import { EMPTY_METADATA } from "../../src/model/metadata/metadata.ts";
import { tokensOf } from "../../src/repository/search/document/tokens.ts";
import type { FoundItem } from "./finding-world.ts";

type CollectionQuery = { readonly text: string; readonly grades: ReadonlyMap<number, number> };
export type Collection = { readonly items: readonly FoundItem[]; readonly queries: readonly CollectionQuery[] };

/** @throws Error for a folder without one of the formats */
export function readCollection(folder: string): Collection {
  if (existsSync(join(folder, "corpus.jsonl"))) return readBeir(folder);
  const files = readdirSync(folder);
  const named = (pattern: RegExp): string => {
    const name = files.find((file) => pattern.test(file));
    if (name === undefined) throw new Error(`Cannot read ${folder}: no file matches ${pattern}`);
    return readFileSync(join(folder, name), "utf8");
  };
  const isCranfield = files.some((file) => /^cran/i.test(file));
  const grades = readJudgements(named(/qrel$|\.rel$/i), isCranfield);
  const queries = [...smartRecords(named(/\.qry$/i))].map(({ number, parts }, at) => ({
    text: (parts.get("W") ?? "").trim(),
    // Queries of Cranfield are judged by their place in the file, not by their number.
    grades: grades.get(isCranfield ? at + 1 : number) ?? new Map<number, number>(),
  }));
  const items = [...smartRecords(named(/\.all/i))].map(({ number, parts }) =>
    itemOf(number, parts.get("T") ?? "", parts.get("W") ?? "", (parts.get("A") ?? "").split("\n")),
  );
  return { items, queries: queries.filter((query) => query.grades.size > 0) };
}

type SmartRecord = { readonly number: number; readonly parts: ReadonlyMap<string, string> };

function* smartRecords(text: string): Generator<SmartRecord> {
  for (const record of text.split(/^\.I /m).slice(1)) {
    const [number = "", ...rest] = record.split("\n");
    const parts = new Map<string, string>();
    let name = "";
    for (const line of rest) {
      const mark = /^\.([A-Z])\s*$/.exec(line)?.[1];
      if (mark !== undefined) name = mark;
      else parts.set(name, `${parts.get(name) ?? ""}${line}\n`);
    }
    yield { number: Number(number), parts };
  }
}

/** Cranfield grades from 1, the best, to 4; -1 and 5 are not relevant. CISI names what is relevant. */
function readJudgements(text: string, isCranfield: boolean): ReadonlyMap<number, Map<number, number>> {
  const all = new Map<number, Map<number, number>>();
  for (const line of text.split("\n")) {
    const [query, item, code = 1] = line.trim().split(/\s+/).map(Number);
    if (query === undefined || item === undefined || Number.isNaN(query)) continue;
    const grade = isCranfield ? (code >= 1 && code <= 4 ? 5 - code : 0) : 1;
    if (grade === 0) continue;
    const grades = all.get(query) ?? new Map<number, number>();
    all.set(query, grades.set(item, grade));
  }
  return all;
}

function readBeir(folder: string): Collection {
  const lines = (file: string): readonly string[] =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line !== "");
  const numbers = new Map<string, number>();
  const items = lines("corpus.jsonl").map((line, at) => {
    const { _id, title, text }: { _id: string; title?: string; text: string } = JSON.parse(line);
    numbers.set(_id, at + 1);
    return itemOf(at + 1, title ?? "", text, []);
  });
  const judged = new Map<string, Map<number, number>>();
  for (const line of lines(join("qrels", "test.tsv")).slice(1)) {
    const [query = "", item = "", grade = "0"] = line.split("\t");
    const grades = judged.get(query) ?? new Map<number, number>();
    if (Number(grade) > 0) judged.set(query, grades.set(numbers.get(item) ?? 0, Number(grade)));
  }
  const queries = lines("queries.jsonl").flatMap((line) => {
    const { _id, text }: { _id: string; text: string } = JSON.parse(line);
    const grades = judged.get(_id);
    return grades === undefined ? [] : [{ text, grades }];
  });
  return { items, queries };
}

function itemOf(id: number, title: string, text: string, authors: readonly string[]): FoundItem {
  const plain = (value: string): string => value.replace(/\s+/g, " ").trim();
  const people = authors.map(plain).filter((name) => name !== "");
  return {
    id,
    ark: null,
    metadata: {
      ...EMPTY_METADATA,
      type: { id: "publication-article" },
      titles: [{ value: plain(title), lang: "en", kind: "main" }],
      creators: people.map((full) => ({
        ...{ kind: "personal" as const, names: [{ full }] },
        ...{ alternatives: [], ids: [], emails: [], affiliations: [] },
      })),
      descriptions: [{ value: plain(text), lang: "en", kind: "Abstract", html: false }],
      languages: ["eng"],
    },
  };
}

/** Lucene's defaults. */
const [K1, B] = [1.2, 0.75];

/** The stop words of Lucene's English analyzer. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(
    " ",
  ),
);

/** What Lucene's BM25Similarity ranks first, with stems and stop words as its analyzer of English has them. */
export function lucenesRanking({ items }: Collection): (query: string, size: number) => readonly number[] {
  const words = (text: string): readonly string[] =>
    tokensOf(text).flatMap((word) => (STOP_WORDS.has(word) ? [] : [stemmer(word)]));
  const postings = new Map<string, Map<number, number>>();
  const lengths = new Map<number, number>();
  for (const { id, metadata } of items) {
    const all = words([...metadata.titles, ...metadata.descriptions].map(({ value }) => value).join(" "));
    lengths.set(id, all.length);
    for (const word of all) {
      const counts = postings.get(word) ?? new Map<number, number>();
      postings.set(word, counts.set(id, (counts.get(id) ?? 0) + 1));
    }
  }
  const mean = [...lengths.values()].reduce((sum, length) => sum + length, 0) / items.length;
  return (query, size) => {
    const scores = new Map<number, number>();
    for (const word of words(query)) {
      const counts = postings.get(word);
      if (counts === undefined) continue;
      const idf = Math.log(1 + (items.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [id, count] of counts) {
        const norm = K1 * (1 - B + (B * (lengths.get(id) ?? 0)) / mean);
        scores.set(id, (scores.get(id) ?? 0) + (idf * count) / (count + norm));
      }
    }
    const sorted = [...scores].sort(([id, score], [other, than]) => than - score || id - other);
    return sorted.slice(0, size).map(([id]) => id);
  };
}
