// Reading vocabularies (R6a, R37; specification 3, tools list_vocabulary_types and list_vocabulary): the types, entries
// of one by words, by what somebody has begun to write, or by id. Nobody has to sign in for it. The records interface
// and the tools ask here.

import { bareIdentifier, identifierKey, isAlive, nameKey } from "../../model/agents/author.ts";
import { RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { queryTokens, suggestTokens, tagToken, titleKeyOf } from "../search/document/vocabulary-keys.ts";
import type { AuthorReader } from "../store/authors.ts";
import type { VocabularyOrder, VocabularyReader } from "../store/vocabularies.ts";
import { hasIdentifier, isCalled, nameItem } from "./names.ts";
import { isOwnShape, OWN_SHAPES, type VocabularyItem, vocabularyItem } from "./vocabulary-shapes.ts";

type VocabularyType = { readonly id: string; readonly count: number; readonly isCustom: boolean };

/** A query of one vocabulary. `suggest` and `q` exclude each other. */
export type VocabularySearch = {
  readonly q?: string | undefined;
  readonly suggest?: string | undefined;
  readonly tags?: string | undefined;
  readonly sort?: string | undefined;
  readonly page?: number;
  readonly size?: number;
};

export type FoundVocabulary = {
  readonly total: number;
  readonly items: readonly VocabularyItem[];
  readonly sort: string;
  readonly page: number;
  readonly size: number;
};

export interface VocabularyReading {
  /** By name. */
  types(): Promise<readonly VocabularyType[]>;
  /** @throws Refusal `not_found` for a type that is not there, `invalid` */
  search(type: string, search: VocabularySearch): Promise<FoundVocabulary>;
  /** @throws Refusal `not_found`, `gone` */
  item(type: string, id: string): Promise<VocabularyItem>;
}

type Needs = {
  readonly vocabularies: Pick<
    VocabularyReader,
    "hasVocabulary" | "vocabularyCounts" | "findVocabulary" | "storedVocabularyEntry"
  >;
  readonly authors: Pick<AuthorReader, "author" | "authors" | "findAuthors" | "namesBeginning" | "countAuthors">;
  readonly clock: Clock;
};

export const VOCABULARY_PAGE = 25;
/** Entries of one page, and as far as pages go. */
const VOCABULARY_PAGE_MAX = 1_000;
const WINDOW = 10_000;
/**
 * Most entries that are read: for the beginning of one word, for the rarest of several, and for the rarest word of a
 * query.
 */
const CANDIDATES = { one: 150, several: 1_000, query: 5_000 } as const;
/** Most persons read for the beginning of a name. */
const PERSONS = 200;
/** A count of many is that of a minute ago at the most. */
const CACHED_COUNT_MS = 60_000;
const ORDERS: Readonly<Record<string, VocabularyOrder>> = {
  bestmatch: "bestmatch",
  title: "title",
  name: "title",
  subject: "title",
  newest: "newest",
  oldest: "oldest",
};
const ORCID = /^\d{4}-?\d{4}-?\d{4}-?\d{3}[\dXx]$/;

/** The number of persons, counted again after some time. */
class PersonCount {
  readonly #needs: Pick<Needs, "authors" | "clock">;
  #cached = { count: 0, until: 0 };

  constructor(needs: Pick<Needs, "authors" | "clock">) {
    this.#needs = needs;
  }

  async read(): Promise<number> {
    const { authors, clock } = this.#needs;
    const now = Date.parse(clock.now());
    if (now >= this.#cached.until) this.#cached = { count: await authors.countAuthors(), until: now + CACHED_COUNT_MS };
    return this.#cached.count;
  }
}

type ReadingNeeds = Needs & { readonly persons: PersonCount };

export function vocabularyReading(own: Needs): VocabularyReading {
  const needs: ReadingNeeds = { ...own, persons: new PersonCount(own) };
  return {
    types: () => listTypes(needs),
    search: (type, sent) => searchVocabulary(needs, type, sent),
    item: (type, id) => readItem(needs, type, id),
  };
}

async function findPersons(needs: ReadingNeeds, search: EntryQuery): Promise<Omit<FoundVocabulary, keyof EntryQuery>> {
  const { text, page, size } = search;
  const from = (page - 1) * size;
  if (text === "") {
    const nobody = { names: [], identifier: null, number: null, community: null };
    const found = await needs.authors.findAuthors(nobody, size, from);
    return { total: await needs.persons.read(), items: found.flatMap((author) => nameItem(author) ?? []) };
  }
  const bare = bareIdentifier(text);
  const byIdentifier = ORCID.test(bare)
    ? await needs.authors.findAuthors(
        { names: [], identifier: identifierKey("ORCID", bare), number: null, community: null },
        PERSONS,
        0,
      )
    : [];
  const key = nameKey(text);
  const found = [...byIdentifier, ...(key === "" ? [] : await needs.authors.namesBeginning(key, PERSONS))];
  const shown = [...new Map(found.map((author) => [author.id, author])).values()]
    .filter(({ content }) => isCalled(content, text))
    .flatMap((author) => nameItem(author) ?? []);
  return { total: shown.length, items: shown.slice(from, from + size) };
}

async function readPerson(needs: ReadingNeeds, id: string): Promise<VocabularyItem> {
  const isNumber = /^\d{1,15}$/.test(id) && !ORCID.test(id);
  let author = isNumber || !ORCID.test(id) ? await needs.authors.author(isNumber ? Number(id) : id) : null;
  if (author === null && ORCID.test(id)) {
    const query = { names: [], identifier: identifierKey("ORCID", id), number: null, community: null };
    author =
      (await needs.authors.findAuthors(query, PERSONS, 0)).find(({ content }) => hasIdentifier(content, id)) ?? null;
  }
  if (author !== null && author.mergedInto !== null) author = await needs.authors.author(author.mergedInto);
  if (author === null) throw unknown();
  if (!isAlive(author)) throw new Refusal("gone", RECORD_SENTENCES.gone);
  const item = nameItem(author);
  if (item === null) throw unknown();
  return item;
}

async function requireType(needs: ReadingNeeds, type: string): Promise<void> {
  if (isOwnShape(type) || (await needs.vocabularies.hasVocabulary(type))) return;
  throw new Refusal("not_found", RECORD_SENTENCES.notFound);
}

async function listTypes(needs: ReadingNeeds): Promise<readonly VocabularyType[]> {
  const counts = new Map((await needs.vocabularies.vocabularyCounts()).map(({ type, count }) => [type, count]));
  for (const type of OWN_SHAPES) if (!counts.has(type)) counts.set(type, 0);
  counts.set("names", await needs.persons.read());
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, count]) => ({ id, count, isCustom: isOwnShape(id) }));
}

async function searchVocabulary(needs: ReadingNeeds, type: string, sent: VocabularySearch): Promise<FoundVocabulary> {
  if (type.includes("\0")) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
  const asked = readSearch(type, sent);
  const { isSuggest, text, tags, sort, page, size } = asked;
  if (type === "names") return { ...(await findPersons(needs, asked)), sort, page, size };
  const tokens = [...(isSuggest ? suggestTokens(text) : queryTokens(text)), ...tags.map(tagToken)];
  // A query without words matches nothing, except the query of everything.
  if (tokens.length === 0 && text !== "" && text !== "*") {
    await requireType(needs, type);
    return { total: 0, items: [], sort, page, size };
  }
  const several = tokens.length === 1 ? CANDIDATES.one : CANDIDATES.several;
  const { total, entries } = await needs.vocabularies.findVocabulary({
    type,
    tokens,
    beginning: titleKeyOf(text.replace(/\*$/, "")),
    order: ORDERS[sort] ?? "bestmatch",
    candidates: isSuggest ? several : CANDIDATES.query,
    limit: size,
    offset: (page - 1) * size,
  });
  if (total === 0) await requireType(needs, type);
  return { total, items: entries.map(vocabularyItem), sort, page, size };
}

async function readItem(needs: ReadingNeeds, type: string, id: string): Promise<VocabularyItem> {
  // What a database cannot hold is the name of nothing.
  if (`${type}${id}`.includes("\0")) throw unknown();
  if (type === "names") return await readPerson(needs, id);
  const entry = await needs.vocabularies.storedVocabularyEntry(type, id);
  if (entry === null) throw unknown();
  return vocabularyItem(entry);
}

const unknown = (): Refusal => new Refusal("not_found", RECORD_SENTENCES.unknown);
const wrongQuery = (): Refusal => new Refusal("invalid", RECORD_SENTENCES.query);

type EntryQuery = {
  readonly isSuggest: boolean;
  /** What was written, or is being written; "" for nothing. */
  readonly text: string;
  readonly tags: readonly string[];
  readonly sort: string;
  readonly page: number;
  readonly size: number;
};

/** The name of an order that the address of the shape has; the common one is called `title`. */
const OWN_ORDER: Readonly<Record<string, string>> = {
  affiliations: "name",
  funders: "name",
  names: "name",
  subjects: "subject",
};

function readSearch(type: string, sent: VocabularySearch): EntryQuery {
  const { q = "", suggest = "", page = 1 } = sent;
  // A longer page is cut as existing repositories cut it; the links of the answer lead to the rest.
  const size = Math.min(sent.size ?? VOCABULARY_PAGE, VOCABULARY_PAGE_MAX);
  if (q !== "" && suggest !== "") throw wrongQuery();
  if (page * size > WINDOW) throw wrongQuery();
  const text = (suggest === "" ? q : suggest).trim();
  const byName = OWN_ORDER[type] ?? "title";
  const sort = sent.sort ?? (text === "" || text === "*" ? byName : "bestmatch");
  if (!Object.hasOwn(ORDERS, sort)) throw wrongQuery();
  const tags = (sent.tags ?? "")
    .split(",")
    .filter((tag) => tag !== "")
    .slice(0, 10);
  return { isSuggest: suggest !== "", text, tags, sort, page, size };
}
