// How alike the hits are that come first by the scores of the embedded index, and by an engine that finds and sorts but
// does not score, as Typesense (R27b): the same set of hits, and of the first ten how many are the same.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { embeddedIn, type FoundItem, findingWorld, withoutRanks } from "./finding-world.ts";
import type { FreshQuestion } from "./fresh-questions.ts";

const HITS = 10;

export type Comparison = {
  readonly questions: string;
  readonly name: string;
  /** Mean number of the first ten hits that both have; of fewer hits the share is counted. */
  readonly ofTen: number;
  readonly queries: number;
  /** Questions with other sets of hits: where an engine lists no words, typing errors are not corrected. */
  readonly others: number;
  /** Of the engine that does not score. */
  readonly answers: readonly { readonly ids: readonly number[]; readonly grades: FreshQuestion["grades"] }[];
};

export async function compareEngines(
  folder: string,
  items: readonly FoundItem[],
  sets: Readonly<Record<string, readonly FreshQuestion[]>>,
): Promise<readonly Comparison[]> {
  const apart = join(folder, "without-scores");
  mkdirSync(apart);
  const scoring = await findingWorld(folder, items);
  const sorting = await findingWorld(apart, items, withoutRanks(embeddedIn(apart)));
  const all: Comparison[] = [];
  for (const [questions, of] of Object.entries(sets)) {
    for (const [name, ask] of Object.entries(scoring.interfaces)) {
      const shares: number[] = [];
      const answers: { ids: readonly number[]; grades: FreshQuestion["grades"] }[] = [];
      let others = 0;
      for (const { text, grades } of of) {
        const left = await ask(text, HITS);
        const right = (await sorting.interfaces[name]?.(text, HITS)) ?? { ids: [], total: 0 };
        answers.push({ ids: right.ids, grades });
        if (left.total !== right.total) others += 1;
        else if (left.ids.length > 0) {
          shares.push(left.ids.filter((id) => right.ids.includes(id)).length / left.ids.length);
        }
      }
      const ofTen = (HITS * shares.reduce((sum, each) => sum + each, 0)) / shares.length;
      all.push({ questions, name, ofTen, queries: shares.length, others, answers });
    }
  }
  await scoring.close();
  await sorting.close();
  return all;
}
