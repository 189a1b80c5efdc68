// Hits by rank for an engine that does not rank by itself (specification 3, "sort"): a question is asked in classes of
// hits, those first that have the words that weigh most (hit-classes.ts). Pages and cursors hold as they do elsewhere.
import type { Viewer } from "../../../auth/account.ts";
import type { RankedWord } from "../index/index-port.ts";
import { weightOf } from "../index/scoring.ts";
import { SORTS } from "../settings/search-schema.ts";
import type { Finder, ItemQuery, SearchPage } from "./finder.ts";
import { classesOf, countedWords, leadingOf } from "./hit-classes.ts";
import { checkWindow } from "./index-finder.ts";
import { allOf } from "./query-text.ts";

type Question = Omit<ItemQuery, "page" | "facets" | "ranking">;

export const relevantFirst = (finder: Finder): Finder => ({
  ranks: () => finder.ranks(),
  settings: () => finder.settings(),
  wordsOf: (field, prefix, after, limit) => finder.wordsOf(field, prefix, after, limit),
  complete: (viewer, questions) => finder.complete(viewer, questions),
  async find(viewer, finding) {
    const { ranking = [], ...rest } = finding;
    // Where only weights are asked for there are none.
    if (ranking.length === 0 || rest.isRough === true || (await finder.ranks()))
      return await finder.find(viewer, finding);
    return await inParts(finder, viewer, rest, ranking);
  },
  async *each(viewer, finding, size) {
    const { ranking = [], ...question } = finding;
    if (ranking.length === 0 || (await finder.ranks())) return yield* finder.each(viewer, finding, size);
    const weights = await weightsOf(finder, viewer, question, ranking);
    for (const part of partsOf(question, ranking, weights)) yield* finder.each(viewer, part, size);
  },
});

/** What the counted words weigh among the items that the viewer may see; a single word is compared with no other. */
async function weightsOf(
  finder: Finder,
  viewer: Viewer,
  question: Question,
  ranking: readonly RankedWord[],
): Promise<readonly number[]> {
  const words = countedWords(ranking);
  if (words.length < 2) return words.map(() => 1);
  const countOf = async (where: ItemQuery["where"], waiting: Pick<ItemQuery, "mayWait">): Promise<number> => {
    const page = { number: 1, size: 0 };
    const asked = { ...question, ...waiting, where, chosen: null, sort: [], page, facets: [] };
    return (await finder.find(viewer, asked)).total;
  };
  const all = await countOf(allOf([]), {});
  const weights: number[] = [];
  for (const { anywhere } of words) {
    const having = await countOf(anywhere, { mayWait: false });
    weights.push(having === 0 ? 0 : weightOf(having, all));
  }
  return weights;
}

/** Questions of which each hit answers one, the best matches first; in each the shorter texts first. */
function partsOf<Q extends Question>(
  question: Q,
  ranking: readonly RankedWord[],
  weights: readonly number[],
): readonly Q[] {
  const sort = [{ field: SORTS.length, descending: false }, ...question.sort];
  const classes = classesOf(countedWords(ranking), weights, leadingOf(ranking));
  return classes.map((of) => ({ ...question, sort, where: { kind: "and", of: [question.where, of] } }));
}

/** A cursor is the number of a part, what words weighed for the first page, and the finder's own cursor in the part. */
const CURSOR = /^([1-9]\d{0,2});([\d.,]*);(.*)$/s;
const cursorOf = (part: number, weights: readonly number[], cursor: string): string =>
  `${part + 1};${weights.join()};${cursor}`;

async function inParts(
  finder: Finder,
  viewer: Viewer,
  finding: Omit<ItemQuery, "ranking">,
  ranking: readonly RankedWord[],
): Promise<SearchPage> {
  const { page, facets, ...question } = finding;
  checkWindow(page);
  const sent = "cursor" in page ? page.cursor : "";
  const [, number = "1", weighed = "", cursor = sent] = CURSOR.exec(sent) ?? [];
  // Total and facets are those of the whole.
  const whole = await finder.find(viewer, { ...question, page: { number: 1, size: 0 }, facets });
  const weights =
    weighed === ""
      ? await weightsOf(finder, viewer, question, ranking)
      : weighed.split(",").map((each) => Number(each));
  const parts = partsOf(question, ranking, weights);
  const ask = (part: number, wanted: ItemQuery["page"]): Promise<SearchPage> =>
    finder.find(viewer, { ...(parts[part] ?? question), page: wanted, facets: [], mayWait: false });
  const begin = Number(number) - 1;
  let offset = "cursor" in page ? 0 : "offset" in page ? page.offset : (page.number - 1) * page.size;
  let left = begin === 0 && cursor === "" ? whole.total : Number.POSITIVE_INFINITY;
  const items: SearchPage["items"][number][] = [];
  const pageWith = (next: string | null): SearchPage => ({ total: whole.total, items, facets: whole.facets, next });
  for (let part = begin; part < parts.length && left > 0; part += 1) {
    const size = page.size - items.length;
    const wanted = part === begin && cursor !== "" ? { cursor, size } : { offset, size };
    const found = await ask(part, wanted);
    left -= found.total;
    // After a full page only whether there are more hits is asked.
    if (size === 0 && found.total > 0) return pageWith(cursorOf(part, weights, ""));
    items.push(...found.items);
    if (found.next !== null) return pageWith(cursorOf(part, weights, found.next));
    offset = Math.max(0, offset - found.total);
  }
  return pageWith(null);
}
