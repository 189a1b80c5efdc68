// What comes first (specification 3, "sort"; the sort key `relevance`): a question is asked in two halves, hits with the words in their title, then
// the others. Scores of engines differ from one another and from day to day; two halves are the same everywhere, and pages and cursors hold.
import type { Viewer } from "../../auth/account.ts";
import type { Finder, Finding, Found } from "./find.ts";
import type { Condition } from "./index-port.ts";

/** Cursors of the first half and of the second begin so; what follows is the finder's own. */
const HALVES = { first: "1.", second: "2." } as const;

type Question = Omit<Finding, "page" | "facets" | "first">;

export const relevantFirst = (finder: Finder): Finder => ({
  settings: () => finder.settings(),
  async find(viewer, { first, ...finding }) {
    if (first === undefined) return await finder.find(viewer, finding);
    return await inHalves(finder, viewer, finding, first);
  },
  async *each(viewer, { first, ...question }, size) {
    if (first === undefined) return yield* finder.each(viewer, question, size);
    const [front, back] = halvesOf(question, first);
    yield* finder.each(viewer, front, size);
    yield* finder.each(viewer, back, size);
  },
});

function halvesOf<Q extends Question>(question: Q, first: Condition): readonly [Q, Q] {
  const both = (condition: Condition): Q => ({ ...question, where: { kind: "and", of: [question.where, condition] } });
  return [both(first), both({ kind: "not", of: first })];
}

async function inHalves(
  finder: Finder,
  viewer: Viewer,
  finding: Omit<Finding, "first">,
  first: Condition,
): Promise<Found> {
  const { page, facets, ...question } = finding;
  const [front, back] = halvesOf(question, first);
  const ask = (half: Question, wanted: Finding["page"]): Promise<Found> =>
    finder.find(viewer, { ...half, page: wanted, facets: [] });
  // Total and facets are those of the whole.
  const whole = await finder.find(viewer, { ...question, page: { number: 1, size: 0 }, facets });
  const { total } = whole;
  if ("cursor" in page && page.cursor.startsWith(HALVES.second)) {
    const cursor = page.cursor.slice(HALVES.second.length);
    const found = await ask(back, cursor === "" ? { number: 1, size: page.size } : { cursor, size: page.size });
    return { ...found, total, facets: whole.facets, next: inHalf("second", found.next) };
  }
  const wanted =
    "cursor" in page
      ? { ...page, cursor: page.cursor.startsWith(HALVES.first) ? page.cursor.slice(HALVES.first.length) : page.cursor }
      : page;
  const inFront = await ask(front, wanted);
  const left = page.size - inFront.items.length;
  if (left === 0 || inFront.next !== null) {
    // What is behind the last of the first half is the second.
    const next = inFront.next === null ? HALVES.second : inHalf("first", inFront.next);
    return {
      ...inFront,
      total,
      facets: whole.facets,
      next: inFront.next === null && inFront.total >= total ? null : next,
    };
  }
  const begin = "cursor" in wanted ? 0 : Math.max(0, offsetOf(wanted) - inFront.total);
  const behind = await ask(back, { offset: begin, size: left });
  return {
    total,
    items: [...inFront.items, ...behind.items],
    facets: whole.facets,
    next: inHalf("second", behind.next),
  };
}

const inHalf = (half: keyof typeof HALVES, next: string | null): string | null =>
  next === null ? null : `${HALVES[half]}${next}`;

const offsetOf = (page: Exclude<Finding["page"], { readonly cursor: string }>): number =>
  "offset" in page ? page.offset : (page.number - 1) * page.size;
