// Documents of kept terms after changes (R27): they are right when they are asked for, and a change costs no more where
// more is kept.
import { expect, test } from "bun:test";
import { followOne, KeptPostings, type Posting } from "../../../db/search/kept-postings.ts";
import { bitsOf, listOf } from "../../../db/search/slot-set.ts";
import { rng } from "../../hostile/generate.ts";

const MANY = 1_000;
let compared = 0;

function termPosting(term: string, slots: readonly number[]): Posting {
  const matches: Posting["matches"] = (terms) => {
    compared += 1;
    return terms.has(term);
  };
  return { slots: Int32Array.from(slots), matches };
}

const slotsOf = (kept: KeptPostings, name: string): readonly number[] | null => {
  const posting = kept.get(name);
  return posting === null ? null : [...listOf(posting.slots)];
};

test("Q.314 a change is compared with no kept term until that is asked for, and then is followed", () => {
  const kept = new KeptPostings(1_000_000);
  for (let at = 0; at < MANY; at += 1) kept.keep(`t${at}`, termPosting(`t${at}`, [1, 2]), false);
  compared = 0;
  kept.follow({ slot: 2, terms: new Set(["t7", "t9"]) });
  kept.follow({ slot: 3, terms: new Set(["t7"]) });
  kept.follow({ slot: 1, terms: null });
  kept.follow({ slot: 3, terms: new Set(["t8"]) });
  expect(compared).toBe(0);
  expect([slotsOf(kept, "t7"), slotsOf(kept, "t8"), slotsOf(kept, "t9")]).toEqual([[2], [3], [2]]);
  expect(compared).toBe(9);
  kept.follow({ slot: 4, terms: new Set(["t7"]) });
  expect([slotsOf(kept, "t7"), slotsOf(kept, "t10")]).toEqual([[2, 4], []]);
});

test("Q.314 changes that wait are followed together before they are many, also those of very long documents", () => {
  const kept = new KeptPostings(1_000_000);
  kept.keep("a", termPosting("a", []), false);
  kept.keep("a ", { slots: Int32Array.of(1), matches: () => true }, true);
  compared = 0;
  for (let slot = 1; slot < 256; slot += 1) kept.follow({ slot, terms: new Set(["a"]) });
  expect(compared).toBe(0);
  kept.follow({ slot: 256, terms: new Set(["b"]) });
  expect(compared).toBe(256);
  expect([slotsOf(kept, "a")?.length, slotsOf(kept, "a ")]).toEqual([255, null]);
  compared = 0;
  kept.follow({ slot: 1, terms: new Set(Array.from({ length: 70_000 }, (_, at) => `w${at}`)) });
  expect([compared, slotsOf(kept, "a")?.length]).toEqual([1, 254]);
});

test("Q.314 what was not asked for the longest goes first, by its bytes after changes", () => {
  const kept = new KeptPostings(40);
  for (const name of ["a", "b", "c"]) kept.keep(name, termPosting(name, [1, 2, 3]), false);
  expect([slotsOf(kept, "a"), kept.size]).toEqual([[1, 2, 3], 3]);
  kept.follow({ slot: 9, terms: new Set(["a"]) });
  expect(slotsOf(kept, "a")).toEqual([1, 2, 3, 9]);
  kept.keep("d", termPosting("d", [1]), false);
  expect([slotsOf(kept, "b"), slotsOf(kept, "a")?.length, kept.size]).toEqual([null, 4, 3]);
});

test("Q.314 at random: what is kept, and what a question holds, is what a plain look at all documents finds", () => {
  const random = rng(314);
  const TERMS = ["a", "ab", "abc", "b", "bc", "c"];
  for (let run = 0; run < 20; run += 1) {
    const kept = new KeptPostings(random.pick([200, 2_000, 1_000_000]));
    const documents = new Map<number, ReadonlySet<string>>();
    const held: { readonly name: string; readonly posting: Posting }[] = [];
    const matching = (name: string): Posting["matches"] =>
      name.endsWith(" ")
        ? (terms) => [...terms].some((term) => term.startsWith(name.slice(0, -1)))
        : (terms) => terms.has(name);
    const truth = (name: string): readonly number[] =>
      [...documents]
        .flatMap(([slot, terms]) => (matching(name)(terms) ? [slot] : []))
        .toSorted((one, two) => one - two);
    for (let step = 0; step < 1_500; step += 1) {
      const name = random.pick(TERMS) + random.pick(["", " "]);
      if (random.chance(0.7)) {
        const slot = random.int(random.pick([40, 5_000]));
        const terms = random.chance(0.2) ? null : new Set(TERMS.filter(() => random.chance(0.3)));
        if (terms === null) documents.delete(slot);
        else documents.set(slot, terms);
        const change = { slot, terms };
        for (const { posting } of held) followOne(posting, change);
        kept.follow(change);
      } else if (random.chance(0.1)) held.length = 0;
      else {
        const known = kept.get(name);
        const list = Int32Array.from(truth(name));
        const slots = random.chance(0.5) ? list : bitsOf(list, 6_000);
        const posting = known ?? { slots, matches: matching(name) };
        if (known === null) kept.keep(name, posting, name.endsWith(" "));
        expect([...listOf(posting.slots)]).toEqual([...truth(name)]);
        held.push({ name, posting });
      }
    }
    for (const { name, posting } of held) expect([...listOf(posting.slots)]).toEqual([...truth(name)]);
    for (const name of TERMS.flatMap((term) => [term, `${term} `])) {
      if (kept.has(name)) expect(slotsOf(kept, name)).toEqual(truth(name));
    }
  }
});
