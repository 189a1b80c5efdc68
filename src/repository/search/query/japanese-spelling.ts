// Words of texts without spaces that few items have (R27f): the nearest loan word by the keys of katakana words, and
// family names that are read in the same way, where metadata have readings. Bounded: a few lookups and a few items.
import type { Viewer } from "../../../auth/account.ts";
import type { Metadata } from "../../../model/metadata/metadata.ts";
import type { ItemReader } from "../../store/items.ts";
import { FIELDS } from "../document/document.ts";
import { folded } from "../document/tokens.ts";
import type { Condition } from "../index/index-port.ts";
import { isNear } from "../lucene/nearness.ts";
import { TEXTS } from "../settings/search-schema.ts";
import { IS_HIRAGANA, IS_KATAKANA, inKatakana, katakanaKey } from "../words/kana.ts";
import { formToken } from "../words/word-forms.ts";
import type { Finder } from "./finder.ts";
import { type Marks, marked } from "./marking.ts";
import { inField, textCondition } from "./word-conditions.ts";

export type JapaneseSpellingNeeds = {
  readonly finder: Pick<Finder, "find" | "wordsOf">;
  readonly viewer: Viewer;
  readonly items: Pick<ItemReader, "summariesOf">;
};

/** Letters of a key that is compared: every shorter one is near to many. */
const KEY_LETTERS = 4;
/** The beginning that is taken as right, and keys of the index that begin so. */
const BEGINNING = 1;
const KEYS_READ = 2_000;
/** The nearest keys that are counted. */
const COUNTED = 4;
/** Items whose names are read, of a name that few have, and of those that are read in the same way. */
const NAMED = 5;
const READ_ALIKE = 30;
const FAMILY = /^\p{sc=Han}{2,6}$/u;

/** A word that at least `least` items have; null: there is none. */
export async function nearestRun(needs: JapaneseSpellingNeeds, run: string, least: number): Promise<string | null> {
  return IS_KATAKANA.test(run) ? await nearestKatakana(needs, run, least) : await readAlike(needs, run, least);
}

async function found({ finder, viewer }: JapaneseSpellingNeeds, where: Condition, size: number) {
  const page = { number: 1, size };
  return await finder.find(viewer, { where, chosen: null, sort: [], page, facets: [], mayWait: false });
}

async function nearestKatakana(needs: JapaneseSpellingNeeds, run: string, least: number): Promise<string | null> {
  const key = katakanaKey(run);
  if (key === null || key.length < KEY_LETTERS) return null;
  const tokens = await needs.finder.wordsOf(FIELDS.all, formToken(key.slice(0, BEGINNING)), "", KEYS_READ);
  const mark = formToken("").length;
  const near = (tokens ?? []).filter((token) => token.slice(mark) !== key && isNear(key, token.slice(mark), 1));
  let best: { readonly token: string; readonly count: number } | null = null;
  for (const token of near.slice(0, COUNTED)) {
    const { total: count } = await found(needs, inField(FIELDS.all)([token]), 0);
    if (count >= least && count > (best?.count ?? 0)) best = { token, count };
  }
  return best === null ? null : await writtenAs(needs, best.token);
}

/** The word as an item has it: a key leaves out what is written in several ways. */
async function writtenAs(needs: JapaneseSpellingNeeds, token: string): Promise<string | null> {
  const { items } = await found(needs, inField(FIELDS.all)([token]), NAMED);
  const marks: Marks = {
    words: [],
    tokens: new Map([[token, [{ word: 0, isForm: true, field: null }]]]),
    runs: [],
    phrases: [],
  };
  for (const { content } of await needs.items.summariesOf(items.map(({ item }) => item.id))) {
    const { titles = [], descriptions = [] } = content?.metadata ?? {};
    for (const { value } of [...titles, ...descriptions]) {
      const part = marked(value, marks).find((each) => each.found);
      if (part !== undefined) return part.text;
    }
  }
  return null;
}

type PersonName = { readonly written: readonly string[]; readonly reading: string | null };

/** Family names of the creators of an item: as they are written, and how they are read. */
function familiesOf(creators: Metadata["creators"]): readonly PersonName[] {
  return creators.map(({ names, alternatives }) => {
    const texts = [
      ...names.map(({ family, full }) => family ?? full ?? ""),
      ...alternatives.map(({ value }) => value),
    ].map((text) => folded(text).split(/[\s,、]/u, 1)[0] ?? "");
    const reading = texts.find((text) => IS_HIRAGANA.test(text) || IS_KATAKANA.test(text));
    return {
      written: texts.filter((text) => FAMILY.test(text)),
      reading: reading === undefined ? null : inKatakana(reading),
    };
  });
}

async function peopleWith(needs: JapaneseSpellingNeeds, name: string, size: number): Promise<readonly PersonName[]> {
  const { items } = await found(needs, textCondition([[name]], inField(TEXTS.creator)), size);
  const summaries = await needs.items.summariesOf(items.map(({ item }) => item.id));
  return summaries.flatMap(({ content }) => familiesOf(content?.metadata.creators ?? []));
}

async function readAlike(needs: JapaneseSpellingNeeds, run: string, least: number): Promise<string | null> {
  if (!FAMILY.test(run)) return null;
  const own = (await peopleWith(needs, run, NAMED)).find(({ written }) => written.includes(run));
  const reading = own?.reading ?? null;
  if (reading === null) return null;
  const counts = new Map<string, number>();
  for (const person of await peopleWith(needs, reading, READ_ALIKE)) {
    const other = person.reading === reading ? person.written.find((name) => name !== run) : undefined;
    if (other !== undefined) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, one], [, more]) => more - one);
  if (first === undefined) return null;
  const [name] = first;
  return (await found(needs, textCondition([[name]], inField(TEXTS.creator)), 0)).total >= least ? name : null;
}
