// Questions that find few items are asked less strictly (R27c): items with some of the words follow those with all.
import type { Finder, ItemQuery, SearchPage } from "./finder.ts";
import { firstOf } from "./typed-first.ts";

export const widening = (finder: Finder): Finder => ({
  ranks: () => finder.ranks(),
  settings: () => finder.settings(),
  wordsOf: (field, prefix, after, limit) => finder.wordsOf(field, prefix, after, limit),
  complete: (viewer, questions) => finder.complete(viewer, questions),
  each: (viewer, question, size) => finder.each(viewer, question, size),
  async find(viewer, { wider, ...finding }) {
    if (wider === undefined) return await finder.find(viewer, finding);
    const ask = async (more: Partial<ItemQuery>): Promise<SearchPage> =>
      await finder.find(viewer, { ...finding, ...more });
    // What is chosen of facets, and how far a reader has come, do not decide how a question is understood.
    const isCounted = finding.chosen !== null || "cursor" in finding.page;
    const first = isCounted
      ? await ask({ chosen: null, page: { number: 1, size: 0 }, facets: [], ranking: [] })
      : await ask({});
    if (first.total >= wider.below) return isCounted ? await ask({ mayWait: false }) : first;
    const { where, ranking } = wider;
    const more = first.total === 0 ? ranking : [...ranking, firstOf(finding.where)];
    return { ...(await ask({ where, ranking: more, mayWait: false })), isWidened: true };
  },
});
