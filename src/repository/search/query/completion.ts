// Completion while typing (R27j): titles, people and subjects of items that the reader may see, in which every word that
// was typed is a word, and the last one the beginning of a word. The index names some items that have the tokens
// (bounded work, index-port.ts: complete); what is suggested is read from these items and compared with what was typed.
import type { Viewer } from "../../../auth/account.ts";
import { landingPath } from "../../../model/items/addresses.ts";
import type { ItemSummary } from "../../../model/items/summary.ts";
import type { Agent, AgentName, Metadata } from "../../../model/metadata/metadata.ts";
import { closedName, namesIn, nameText, titleIn } from "../../../model/metadata/reader-language.ts";
import { most } from "../../../shared/limits.ts";
import type { RepositoryReader } from "../../store/store.ts";
import { RECORD_FACETS } from "../detail/record-schema.ts";
import { sortText } from "../document/item-document.ts";
import { folded, searchedRun, spansOf, tokensOfSpan } from "../document/tokens.ts";
import type { CompletionQuery, Condition } from "../index/index-port.ts";
import { SORTS, TEXTS } from "../settings/search-schema.ts";
import { inHiragana, inKatakana } from "../words/kana.ts";
import type { Finder } from "./finder.ts";
import { allOf, anyOf } from "./query-text.ts";

/** In the order in which they are listed. `person`: a creator, who may be an organization. */
export const SUGGESTION_KINDS = ["title", "person", "subject"] as const;
type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

export type Suggestion = {
  readonly kind: SuggestionKind;
  readonly text: string;
  /** Where it leads to: the page of the item, or of a search. */
  readonly path: string;
};

export interface Completion {
  /**
   * At most `size`, those of a kind together. `language`: the reader's.
   * @throws unavailable until the index is built
   */
  suggest(viewer: Viewer, text: string, size: number, language: string): Promise<readonly Suggestion[]>;
}

export type CompletionNeeds = {
  readonly finder: Pick<Finder, "complete">;
  readonly store: Pick<RepositoryReader, "items">;
};

/** Items that are read for titles and for people, and those whose subjects are compared. */
const READ = { titles: 25, people: 25, subjects: 100 } as const;
/** Subjects of these items, the most frequent first. */
const SUBJECTS = 500;
/** Of all suggestions; titles have the rest. Where there are fewer of a kind, others take their places. */
const SHARES = { person: 0.3, subject: 0.2 } as const;

export const completion = ({ finder, store }: CompletionNeeds): Completion => ({
  async suggest(viewer, text, size, language) {
    const typed = typedText(text);
    if (typed === null) return [];
    const [titled, named, about] = await finder.complete(viewer, questionsOf(typed));
    const ids = [...(titled?.items ?? []), ...(named?.items ?? [])].map(({ item }) => item.id);
    const summaries = await store.items.summariesOf([...new Set(ids)]);
    const all = [
      ...titlesIn(summaries, typed, language),
      ...peopleIn(summaries, typed, language),
      ...subjectsIn(about?.labels ?? [], typed),
    ];
    return shared(ordered(all), size);
  },
});

// --- what was typed

type TypedWord = { readonly text: string; readonly isRun: boolean; readonly isWhole: boolean };
/** `start`: as titles are sorted, with kana as they were typed. */
export type TypedText = { readonly words: readonly TypedWord[]; readonly whole: string; readonly start: string };

/** Written alike for all that is compared: folded, kana as katakana. */
function written(text: string): string {
  const plain = folded(text);
  return HIRAGANA.test(plain) ? inKatakana(plain) : plain;
}
const HIRAGANA = /[\u3041-\u3096]/;

/** Null: there is nothing in it to search for, or it is too long to be the beginning of something. */
export function typedText(text: string): TypedText | null {
  if (text.length > most("completedCharacters")) return null;
  const plain = written(text.toWellFormed());
  const spans = spansOf(plain);
  const words = spans.map(({ text: word, from, isRun }, at) => ({
    text: isRun ? searchedRun(word) : word,
    isRun,
    isWhole: at < spans.length - 1 || from + word.length < plain.length,
  }));
  return words.length === 0 ? null : { words, whole: plain.trim(), start: folded(text.toWellFormed()).trim() };
}

/** The index is asked for these words, and these parts of a word; what it finds is compared with all of them. */
const WORDS = 12;
const PARTS = 8;

/** Candidates for titles, people and subjects. */
function questionsOf(typed: TypedText): readonly Omit<CompletionQuery, "where">[] {
  const words = (field: string): Condition => wordsCondition(field, typed);
  const begins = { sort: SORTS.title, text: sortText(typed.start) };
  const facet = { field: RECORD_FACETS.subject, size: SUBJECTS };
  return [
    { words: words(TEXTS.title), begins, limit: READ.titles, facet: null },
    { words: words(TEXTS.creator), begins: null, limit: READ.people, facet: null },
    { words: words(TEXTS.subject), begins: null, limit: READ.subjects, facet },
  ];
}

/** True of every item with these words, and of some others. */
export function wordsCondition(field: string, { words }: TypedText): Condition {
  const asked = [...words.slice(0, WORDS - 1), ...words.slice(WORDS - 1).slice(-1)];
  return allOf(asked.map((word) => wordCondition(field, word)));
}

/** True of every item with such a word, and of some others. */
function wordCondition(field: string, { text, isRun, isWhole }: TypedWord): Condition {
  const token = (one: string): Condition => ({ kind: "token", field, token: one });
  const tokens = tokensOfSpan({ text, isRun });
  if (isRun) return allOf(tellingParts(tokens).map((one) => anyOf(inBothKana(one).map(token))));
  const last = tokens.at(-1) ?? "";
  const end: Condition = isWhole ? token(last) : { kind: "prefix", field, prefix: last };
  return allOf([...tokens.slice(0, -1).slice(0, PARTS).map(token), end]);
}

/** The last part, and those without kana, which are rarer. */
function tellingParts(parts: readonly string[]): readonly string[] {
  if (parts.length <= PARTS) return parts;
  const hasKana = (part: string): boolean => KANA.test(part);
  const before = [...parts.slice(0, -1)].sort((one, other) => Number(hasKana(one)) - Number(hasKana(other)));
  return [...before.slice(0, PARTS - 1), ...parts.slice(-1)];
}
const KANA = /[\u30a1-\u30faー]/;

/** One character or two, each in hiragana and in katakana. */
function inBothKana(token: string): readonly string[] {
  let all: readonly string[] = [""];
  for (const character of token) {
    const ways = [...new Set([character, inHiragana(character)])];
    all = all.flatMap((before) => ways.map((way) => before + way));
  }
  return all;
}

type ComparedWord = { readonly text: string; readonly isRun: boolean };

const wordsIn = (texts: readonly string[]): readonly ComparedWord[] => texts.flatMap((text) => spansOf(written(text)));

/** A text without spaces between words has a word anywhere in it. */
const hasWord = (words: readonly ComparedWord[], { text, isRun, isWhole }: TypedWord): boolean =>
  words.some((word) => {
    if (word.isRun !== isRun) return false;
    if (isRun) return word.text.includes(text);
    return isWhole ? word.text === text : word.text.startsWith(text);
  });

export const hasAll = (texts: readonly string[], { words }: TypedText): boolean => {
  const compared = wordsIn(texts);
  return words.every((word) => hasWord(compared, word));
};

// --- what is suggested

type Found = Suggestion & { readonly begins: boolean; readonly count: number };

const beginsWith = (text: string, { whole }: TypedText): boolean => written(text).startsWith(whole);
const searchPath = (name: string, value: string): string => `/search?${new URLSearchParams([[name, value]])}`;
/** How another text is read: `ja-Kana`, `ja-Latn`. Nobody is shown it instead of that text. */
const isReading = (lang: string | undefined): boolean => /[-_](?:kana|hira|hrkt|latn)\b/i.test(lang ?? "");

function titlesIn(summaries: readonly ItemSummary[], typed: TypedText, language: string): readonly Found[] {
  return summaries.flatMap(({ id, content }) => {
    const having = (content?.metadata.titles ?? []).filter(({ value }) => hasAll([value], typed));
    if (content === null || having.length === 0) return [];
    const main = titleIn(content.metadata, language);
    const first = having.find((title) => title === main) ?? having[0];
    const title = having.find(({ value }) => beginsWith(value, typed)) ?? first;
    if (title === undefined) return [];
    const text = (isReading(title.lang) ? (main ?? title) : title).value;
    return [{ kind: "title" as const, text, path: landingPath(id), begins: beginsWith(title.value, typed), count: 0 }];
  });
}

function peopleIn(summaries: readonly ItemSummary[], typed: TypedText, language: string): readonly Found[] {
  const creators = summaries.flatMap(({ content }) => (content?.metadata ?? NOBODY).creators);
  return creators.flatMap(({ kind, names, alternatives }) => {
    const writings = (name: AgentName): readonly string[] =>
      [name.full ?? "", name.family ?? "", name.given ?? "", closedName(name, kind)].filter((text) => text !== "");
    const others = alternatives.map(({ value }) => value);
    if (!hasAll([...names.flatMap(writings), ...others], typed)) return [];
    const named = namesIn(names, language);
    const name = named.find((each) => !isReading(each.lang) && hasAll(writings(each), typed)) ?? named[0];
    const text = name === undefined ? others[0] : nameText(name, kind);
    if (text === undefined) return [];
    const path = searchPath("creator", text);
    return [{ kind: "person" as const, text, path, begins: beginsWith(text, typed), count: 1 }];
  });
}
const NOBODY: Pick<Metadata, "creators"> & { readonly creators: readonly Agent[] } = { creators: [] };

function subjectsIn(labels: readonly string[], typed: TypedText): readonly Found[] {
  return labels.flatMap((text, at) => {
    if (!hasAll([text], typed)) return [];
    const path = searchPath("q", `subject:"${text.replace(QUOTES, " ")}"`);
    return [{ kind: "subject" as const, text, path, begins: beginsWith(text, typed), count: labels.length - at }];
  });
}
const QUOTES = /["“”„]/g;

/** Equal texts of a kind once; those that begin so first, then the frequent ones, then as they came. */
function ordered(all: readonly Found[]): readonly Found[] {
  const known = new Map<string, Found>();
  for (const each of all) {
    const name = `${each.kind} ${written(each.text)}`;
    const before = known.get(name);
    known.set(name, before === undefined ? each : { ...before, count: before.count + each.count });
  }
  return [...known.values()].sort((one, other) => Number(other.begins) - Number(one.begins) || other.count - one.count);
}

function shared(all: readonly Found[], size: number): readonly Suggestion[] {
  const [people, subjects] = [SHARES.person, SHARES.subject].map((share) => Math.max(1, Math.round(size * share)));
  const shares = { title: Math.max(1, size - (people ?? 0) - (subjects ?? 0)), person: people, subject: subjects };
  const first = SUGGESTION_KINDS.flatMap((kind) => all.filter((one) => one.kind === kind).slice(0, shares[kind]));
  const taken = new Set([...first, ...all].slice(0, size));
  return SUGGESTION_KINDS.flatMap((kind) =>
    all.filter((each) => each.kind === kind && taken.has(each)).map(({ text, path }) => ({ kind, text, path })),
  );
}
