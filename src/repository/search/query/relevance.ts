// What comes first (specification 3, "sort"; the sort key `relevance`): a question is asked in parts, hits with the
// words in their title, then the others. Scores of engines differ from one another and from day to day; parts are the
// same everywhere, and pages and cursors hold.
import type { Viewer } from "../../../auth/account.ts";
import type { Condition } from "../index/index-port.ts";
import type { Finder, ItemQuery, SearchPage } from "./finder.ts";
import { checkWindow } from "./index-finder.ts";

type Question = Omit<ItemQuery, "page" | "facets" | "first">;

export const relevantFirst = (finder: Finder): Finder => ({
  settings: () => finder.settings(),
  wordsOf: (field, prefix, after, limit) => finder.wordsOf(field, prefix, after, limit),
  async find(viewer, { first, ...finding }) {
    const firsts = listed(first);
    if (firsts.length === 0) return await finder.find(viewer, finding);
    return await inParts(finder, viewer, finding, firsts);
  },
  async *each(viewer, { first, ...question }, size) {
    for (const part of partsOf(question, listed(first))) yield* finder.each(viewer, part, size);
  },
});

function listed(first: ItemQuery["first"]): readonly Condition[] {
  if (first === undefined) return [];
  return "kind" in first ? [first] : first;
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
  finding: Omit<ItemQuery, "first">,
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
