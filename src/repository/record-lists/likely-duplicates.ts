// Records that may describe the same work as a draft (issue 25): with one of its identifiers, or with a very similar
// title of about the same year. Found in the search index, among what the caller may find there; three questions and a
// few records, whatever is asked, and by words that few documents have. Nothing is prevented by it.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import type { QueryReader } from "../../model/input/list-parameters.ts";
import { identifierText } from "../../model/metadata/duplicate-keys.ts";
import { type Ident, type Metadata, mainTitle, publicationDate } from "../../model/metadata/metadata.ts";
import { closedName } from "../../model/metadata/reader-language.ts";
import { type ComparedTitle, comparedTitle, titleLikeness, VERY_SIMILAR } from "../../model/metadata/similar-titles.ts";
import type { ItemId, ParentId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { manyOf, wordOf } from "../../shared/shapes.ts";
import { mayEditRecord } from "../records/record-reading.ts";
import { keyOf } from "../search/document/keys.ts";
import { folded, spansOf, tokensOfSpan, WORD_CHARACTERS } from "../search/document/tokens.ts";
import type { Condition } from "../search/index/index-port.ts";
import { havingOf } from "../search/index/scoring.ts";
import { affordable } from "../search/query/affordable-words.ts";
import type { Finder, ItemQuery, SearchPage } from "../search/query/finder.ts";
import { allOf, anyOf, twoOf } from "../search/query/query-text.ts";
import { titleWord } from "../search/query/ranking.ts";
import { otherThan } from "../search/query/similar.ts";
import { isStopWord } from "../search/query/stop-words.ts";
import { KEYS, TEXTS } from "../search/settings/search-schema.ts";
import { identifierNames } from "../search/words/identifiers.ts";
import type { RepositoryReader } from "../store/store.ts";

/** Records that are named, and candidates whose titles are compared. */
const NAMED = 5;
const CANDIDATES = 20;
/** Identifiers, titles, and words of a title that are asked for; words by which is ranked; characters of a title that are read. */
const IDENTIFIERS = 20;
const TITLES = 3;
const WORDS = 8;
const RANKED = 64;
const TITLE_READ = 500;
const AUTHORS = 3;

const REASONS = ["identifier", "title"] as const;

export type DuplicateQuestion = {
  readonly titles: readonly string[];
  readonly identifiers: readonly Ident[];
  /** Year of publication; null: not known. */
  readonly year: number | null;
  /** The record that is described: its versions are not duplicates of it. */
  readonly of: ItemId | null;
};

export type LikelyDuplicate = {
  readonly id: ItemId;
  readonly title: string;
  readonly authors: readonly string[];
  readonly year: number | null;
  readonly reason: (typeof REASONS)[number];
  readonly isDraft: boolean;
};

export interface LikelyDuplicates {
  /** Those with an identifier first. @throws Refusal `unavailable` until the index is built */
  likely(viewer: Viewer, question: DuplicateQuestion): Promise<readonly LikelyDuplicate[]>;
  /** The same of a draft; none while nothing can be searched. */
  ofDraft(viewer: Viewer, id: ItemId, metadata: Metadata): Promise<readonly LikelyDuplicate[]>;
}

type Needs = { readonly finder: Pick<Finder, "find">; readonly store: Pick<RepositoryReader, "items"> };

export const likelyDuplicates = ({ finder, store }: Needs): LikelyDuplicates => {
  type Asked = Pick<ItemQuery, "where" | "ranking" | "mayWait" | "isRough">;

  function find(viewer: Viewer, { where, ...asked }: Asked, except: ParentId | null, size = CANDIDATES) {
    const others = othersThan(except);
    return finder.find(viewer, {
      ...{ where: allOf([where, ...others]), chosen: null, sort: [], facets: [], standing: "latest-and-drafts" },
      ...asked,
      page: { number: 1, size },
    });
  }

  /** Records with words of the titles in theirs: words that few have, where there are enough of them. */
  async function titled(viewer: Viewer, titles: readonly string[], mayWait: boolean, except: ParentId | null) {
    const words = titles.filter((title) => comparedTitle(title) !== null).map(wordsOf);
    const asked = [...new Set(words.flatMap((each) => each.asked))];
    if (asked.length === 0) return [];
    const others = othersThan(except);
    const weighed = { where: allOf([]), ranking: asked.map((word) => titleWord(word, others)), isRough: true, mayWait };
    const { total, weights } = await find(viewer, weighed, except, 0);
    const having = (word: string): number | null => {
      const weight = weights?.[asked.indexOf(word)];
      return weight === undefined ? null : havingOf(weight, total);
    };
    const where = anyOf(words.map((each) => askedOf(each.asked, having)));
    // By all words: those that were asked for do not tell a title from a shorter one, or one of a series.
    const ranking = [...new Set(words.flatMap((each) => each.all))].slice(0, RANKED).map((word) => titleWord(word));
    return (await find(viewer, { where, ranking, mayWait: false }, except)).items;
  }

  /** What is found of these, by number; of a draft what it holds now. */
  async function described(hits: SearchPage["items"]): Promise<ReadonlyMap<ItemId, Metadata>> {
    const drafts = hits.filter(({ item }) => item.state === "draft").map(({ item }) => item.id);
    const summaries = await store.items.summariesOf(
      hits.map(({ item }) => item.id).filter((id) => !drafts.includes(id)),
    );
    const found = new Map(summaries.flatMap(({ id, content }) => (content === null ? [] : [[id, content.metadata]])));
    for (const id of drafts) {
      const draft = await store.items.draft(id);
      if (draft !== null) found.set(id, draft.content.metadata);
    }
    return found;
  }

  async function likely(viewer: Viewer, { titles, identifiers, year, of }: DuplicateQuestion) {
    const own = of === null ? null : await store.items.outline(of);
    // What the caller may not edit is not known to be theirs: nothing is left out for it.
    const except = own !== null && mayEditRecord(viewer, own.parent) ? own.parent.id : null;
    const named = identifiedBy(identifiers);
    const asked = titles.slice(0, TITLES);
    const identified = named === null ? [] : (await find(viewer, { where: named, mayWait: true }, except)).items;
    const alike = await titled(viewer, asked, named === null, except);
    const known = new Set(identified.map(({ item }) => item.id));
    const hits = [...identified, ...alike.filter(({ item }) => !known.has(item.id))];
    const metadata = await described(hits);
    const compared = asked.flatMap((title) => comparedTitle(title) ?? []);
    return hits
      .flatMap(({ item }): readonly LikelyDuplicate[] => {
        const found = metadata.get(item.id);
        const reason = known.has(item.id) ? "identifier" : "title";
        if (found === undefined || (reason === "title" && !isAlike(found, compared, year))) return [];
        return [{ id: item.id, ...lineOf(found), reason, isDraft: item.state === "draft" }];
      })
      .slice(0, NAMED);
  }

  return {
    likely,
    async ofDraft(viewer, id, metadata) {
      const titles = metadata.titles.map(({ value }) => value);
      try {
        return await likely(viewer, { titles, identifiers: metadata.identifiers, year: yearOf(metadata), of: id });
      } catch (error) {
        if (isRefusal(error, "unavailable")) return [];
        throw error;
      }
    },
  };
};

/** Null: nothing of them is like an identifier. */
function identifiedBy(identifiers: readonly Ident[]): Condition | null {
  const names = identifiers.slice(0, IDENTIFIERS).flatMap((ident) => {
    const text = identifierText(ident);
    return [...(text === null ? [] : [text]), ...identifierNames(ident.value)];
  });
  return names.length === 0
    ? null
    : { kind: "key", field: KEYS.identifier, anyOf: [...new Set(names)].map((name) => keyOf(name)) };
}

const inTitle = (token: string): Condition => ({ kind: "token", field: TEXTS.title, token });

const othersThan = (parent: ParentId | null): readonly Condition[] => (parent === null ? [] : [otherThan(parent)]);

/**
 * Two of the words that few documents have, or either where there are two; two of all words where there are fewer. Words
 * that none has tell nothing: they may be mistyped. `having`: how many have a word, about; null: it is not known.
 */
function askedOf(words: readonly string[], having: (word: string) => number | null): Condition {
  const rated = words.map((word) => ({ word, having: having(word) }));
  const known = rated.flatMap(({ word, having: many }) =>
    many === null || many >= SOME ? [{ word, having: many ?? 0 }] : [],
  );
  const few = affordable(known.toSorted((one, other) => one.having - other.having)).map(({ word }) => word);
  const has = (few.length < 2 ? words : few).map(inTitle);
  return anyOf(few.length === 2 ? has : twoOf(has));
}
const SOME = 0.5;

/** `asked`: the longest ones, by which records are found; `all`: by which they are ranked. */
function wordsOf(title: string): { readonly asked: readonly string[]; readonly all: readonly string[] } {
  const spans = spansOf(folded(title.slice(0, TITLE_READ).toWellFormed()));
  const words = spans.filter(({ text, isRun }) => !isRun && text.length <= WORD_CHARACTERS).map(({ text }) => text);
  const telling = words.filter((word) => !isStopWord(word));
  const some = [...new Set(telling.length === 0 ? words : telling)];
  const longest = some.toSorted((one, other) => other.length - one.length);
  // Pairs of characters from the whole of a text without spaces.
  const pairs = [...new Set(spans.filter(({ isRun }) => isRun).flatMap(tokensOfSpan))];
  const step = Math.max(1, Math.ceil(pairs.length / WORDS));
  const asked = [...longest.slice(0, WORDS), ...pairs.filter((_, at) => at % step === 0)].slice(0, WORDS);
  return { asked, all: [...some, ...pairs] };
}

/** A year apart: preprints, and articles that appear online first. */
const YEARS_APART = 1;

function isAlike(found: Metadata, titles: readonly ComparedTitle[], year: number | null): boolean {
  const there = yearOf(found);
  if (year !== null && there !== null && Math.abs(year - there) > YEARS_APART) return false;
  return found.titles.some(({ value }) => {
    const other = comparedTitle(value);
    return other !== null && titles.some((title) => titleLikeness(title, other) >= VERY_SIMILAR);
  });
}

function yearOf(metadata: Metadata): number | null {
  const year = /^\d{4}/.exec(publicationDate(metadata) ?? "")?.[0];
  return year === undefined ? null : Number(year);
}

const lineOf = (metadata: Metadata) => ({
  title: mainTitle(metadata),
  authors: metadata.creators
    .slice(0, AUTHORS)
    .flatMap(({ kind, names: [name] }) => (name === undefined ? [] : [name.full ?? closedName(name, kind)])),
  year: yearOf(metadata),
});

// --- over HTTP

const QUERY_CHARACTERS = 1_000;

/** What somebody types. */
export const DUPLICATES_QUERY: QueryReader<DuplicateQuestion> = {
  parameters: [
    { name: "title", description: "A title", schema: Type.String() },
    { name: "identifier", description: "An identifier in any form", schema: Type.String() },
    { name: "year", description: "Year of publication", schema: Type.Integer() },
    {
      name: "record",
      description: "Described record: its versions are left out for those who may edit it",
      schema: Type.Integer({ minimum: 1 }),
    },
  ],
  read(parameters) {
    const text = (name: string): string => (parameters.get(name) ?? "").slice(0, QUERY_CHARACTERS).trim();
    const number = (name: string, form: RegExp): number | null => (form.test(text(name)) ? Number(text(name)) : null);
    const [title, value] = [text("title"), text("identifier")];
    return {
      titles: title === "" ? [] : [title],
      identifiers: value === "" ? [] : [{ scheme: "", value }],
      year: number("year", /^\d{4}$/),
      of: number("record", /^[1-9]\d{0,14}$/),
    };
  },
};

const DuplicateShape = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    authors: manyOf(Type.String()),
    year: Type.Union([Type.Integer(), Type.Null()]),
    is_draft: Type.Boolean(),
    reason: wordOf(REASONS),
  },
  { $id: "LikelyDuplicate" },
);
export const DuplicatesShape = Type.Object(
  { hits: manyOf(DuplicateShape), total: Type.Integer() },
  { $id: "LikelyDuplicates" },
);

/** The page of the record, or the preview of the draft. */
export const duplicatePath = ({ id }: Pick<LikelyDuplicate, "id">): string => `/records/${id}`;

export function duplicatesJson(found: readonly LikelyDuplicate[]): Static<typeof DuplicatesShape> {
  const hits = found.map(({ id, authors, isDraft, ...rest }) => ({
    ...{ ...rest, id: String(id), authors: [...authors], is_draft: isDraft },
  }));
  return { hits, total: hits.length };
}
