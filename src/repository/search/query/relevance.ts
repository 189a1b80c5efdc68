// Hits by rank for an engine that does not rank by itself (specification 3, "sort"): a question is asked in parts, hits
// with all words in their title, then those with all words, then those with one in the title, then the others. Pages
// and cursors hold as they do elsewhere.
import type { Viewer } from "../../../auth/account.ts";
import type { Condition, RankedPlace, RankedWord } from "../index/index-port.ts";
import type { Finder, ItemQuery, SearchPage } from "./finder.ts";
import { checkWindow } from "./index-finder.ts";
import { allOf, anyOf } from "./query-text.ts";

type Question = Omit<ItemQuery, "page" | "facets" | "ranking">;

/** Words at most that decide which hits come first. */
const RANKED = 10;

export const relevantFirst = (finder: Finder): Finder => ({
  ranks: () => finder.ranks(),
  settings: () => finder.settings(),
  wordsOf: (field, prefix, after, limit) => finder.wordsOf(field, prefix, after, limit),
  complete: (viewer, questions) => finder.complete(viewer, questions),
  async find(viewer, finding) {
    const { ranking = [], ...rest } = finding;
    if (ranking.length === 0 || (await finder.ranks())) return await finder.find(viewer, finding);
    return await inParts(finder, viewer, rest, firstsOf(ranking));
  },
  async *each(viewer, finding, size) {
    const { ranking = [], ...question } = finding;
    const isInParts = ranking.length > 0 && !(await finder.ranks());
    if (!isInParts) yield* finder.each(viewer, finding, size);
    else for (const part of partsOf(question, firstsOf(ranking))) yield* finder.each(viewer, part, size);
  },
});

/** Hits with all words in the title first, then those with all words anywhere, then those with one in the title. */
function firstsOf(ranking: readonly RankedWord[]): readonly Condition[] {
  const words = ranking.filter(({ isCounted }) => isCounted).slice(0, RANKED);
  const within = ({ places }: RankedWord, isMeant: (place: RankedPlace) => boolean): Condition =>
    anyOf(places.filter(isMeant).map(({ of }) => of));
  const inTitle = words.map((word) => within(word, ({ isTitle }) => isTitle));
  if (inTitle.length < 2) return inTitle;
  return [allOf(inTitle), allOf(words.map((word) => within(word, () => true))), anyOf(inTitle)];
}

/** The matches of the first, of the rest the matches of the second, and so on; last all others. */
function partsOf<Q extends Question>(question: Q, firsts: readonly Condition[]): readonly Q[] {
  if (firsts.length === 0) return [question];
  const no = (condition: Condition): Condition => ({ kind: "not", of: condition });
  return [...firsts, null].map((condition, at) => {
    const before = firsts.slice(0, at).map(no);
    const of = [question.where, ...(condition === null ? [] : [condition]), ...before];
    return { ...question, where: { kind: "and", of } };
  });
}

/** A cursor is the number of a part, and the finder's own in it; none: its beginning. */
const CURSOR = /^([1-9])\.(.*)$/s;
const cursorOf = (part: number, cursor: string): string => `${part + 1}.${cursor}`;

async function inParts(
  finder: Finder,
  viewer: Viewer,
  finding: Omit<ItemQuery, "ranking">,
  firsts: readonly Condition[],
): Promise<SearchPage> {
  const { page, facets, ...question } = finding;
  checkWindow(page);
  const parts = partsOf(question, firsts);
  const ask = (part: number, wanted: ItemQuery["page"]): Promise<SearchPage> =>
    finder.find(viewer, { ...(parts[part] ?? question), page: wanted, facets: [], mayWait: false });
  // Total and facets are those of the whole.
  const whole = await finder.find(viewer, { ...question, page: { number: 1, size: 0 }, facets });
  const sent = "cursor" in page ? page.cursor : "";
  const [, number = "1", cursor = sent] = CURSOR.exec(sent) ?? [];
  const begin = Number(number) - 1;
  let offset = "cursor" in page ? 0 : "offset" in page ? page.offset : (page.number - 1) * page.size;
  const items: SearchPage["items"][number][] = [];
  const pageWith = (next: string | null): SearchPage => ({ total: whole.total, items, facets: whole.facets, next });
  for (let part = begin; part < parts.length; part += 1) {
    const size = page.size - items.length;
    const wanted = part === begin && cursor !== "" ? { cursor, size } : { offset, size };
    const found = await ask(part, wanted);
    // After a full page only whether there are more hits is asked.
    if (size === 0 && found.total > 0) return pageWith(cursorOf(part, ""));
    items.push(...found.items);
    if (found.next !== null) return pageWith(cursorOf(part, found.next));
    offset = Math.max(0, offset - found.total);
  }
  return pageWith(null);
}
