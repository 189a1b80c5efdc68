// Suggestions for fields of a form (R42, P.140, P.141): people, organizations, funders, awards, subjects, licences,
// languages, journals, indexes and communities by what somebody has begun to type, and what of an item each of them is.
// Nothing is found that the viewer may not see (R2h); each look-up reads a limited number of rows.
import { guestWithout, isAdministrator, type Viewer } from "../../auth/account.ts";
import { mayBrowseIndex } from "../../model/access/visibility.ts";
import { type Author, bareIdentifier, identifierKey, isAlive, nameKey } from "../../model/agents/author.ts";
import type { IndexNode } from "../../model/indexes/index-node.ts";
import type { SuggestionSource } from "../../model/item-types/suggestion-sources.ts";
import { inLanguage } from "../../model/metadata/reader-language.ts";
import { may } from "../../model/rights/policy.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { searchedText } from "../../shared/text/text.ts";
import type { Day } from "../../shared/time/day.ts";
import { suggestTokens, titleKeyOf } from "../search/document/vocabulary-keys.ts";
import type { JournalCompletion } from "../search/query/journal-completion.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";
import { isCalled } from "../vocabularies/names.ts";
import { IndexNames } from "./index-names.ts";
import { awardsOf, entryWords, licensesOf, orgsOf, subjectsOf } from "./suggested-entries.ts";
import { agentOf, personWords } from "./suggested-people.ts";

type FieldSuggestion = {
  readonly kind: SuggestionSource;
  /** Names it for `values`. */
  readonly id: string;
  readonly text: string;
  /** What tells suggestions with one text apart; "": nothing. */
  readonly hint: string;
};

type Asked = {
  readonly viewer: Viewer;
  /** The reader's. */
  readonly language: string;
  /** Only indexes that the viewer may file into, and communities that they may submit to. */
  readonly isToDeposit?: boolean;
};

export interface FieldSuggestions {
  /** At most `size`. A text that is too long or has no words has none. */
  find(source: SuggestionSource, text: string, size: number, asked: Asked): Promise<readonly FieldSuggestion[]>;
  /**
   * The element of the metadata that a suggestion is, in several wordings of its schemes
   * (src/model/item-types/suggested-fields.ts: SuggestedValues).
   *
   * @throws Refusal `not_found`
   */
  values(source: SuggestionSource, id: string, asked: Asked): Promise<readonly unknown[]>;
}

export type FieldSuggestionsNeeds = {
  readonly store: Pick<RepositoryReader, "authors" | "communities" | "indexes">;
  readonly journals: JournalCompletion;
  readonly today: () => Day;
};

type Found = Omit<FieldSuggestion, "kind">;
type Source = {
  readonly find: (text: string, size: number, asked: Asked) => Promise<readonly Found[]>;
  readonly values: (id: string, asked: Asked) => Promise<readonly unknown[]>;
};

/** Rows that are read for the beginning of a name, and for words of an entry. */
const PERSONS = 60;
const ENTRIES = { one: 150, several: 1_000 } as const;
/** Indexes whose right to be browsed is checked. */
const INDEXES = 200;
/** Communities of which the right to submit is checked. */
const COMMUNITIES = 200;
const ID_CHARACTERS = 500;

export const fieldSuggestions = (needs: FieldSuggestionsNeeds): FieldSuggestions => {
  const entries = (type: string, values: Source["values"]): Source => ({
    find: (text, size, asked) => findEntries(needs, type, text, size, asked),
    values,
  });
  const entry = (type: string, id: string): Promise<VocabularyEntry> => readEntry(needs, type, id);
  const sources: Readonly<Record<SuggestionSource, Source>> = {
    people: peopleSource(needs),
    affiliations: entries("affiliations", async (id) => orgsOf(await entry("affiliations", id))),
    funders: entries("funders", async (id) => orgsOf(await entry("funders", id))),
    awards: entries("awards", async (id) => {
      const award = await entry("awards", id);
      const { funder } = award.props;
      return awardsOf(
        award,
        funder === undefined ? null : await needs.store.communities.vocabularyEntry("funders", funder),
      );
    }),
    subjects: entries("subjects", async (id, { language }) => subjectsOf(await entry("subjects", id), language)),
    licenses: entries("licenses", async (id, { language }) => licensesOf(await entry("licenses", id), language)),
    languages: entries("languages", async (id) => [(await entry("languages", id)).id]),
    journals: journalSource(needs),
    indexes: indexSource(needs),
    communities: communitySource(needs),
  };
  return {
    async find(source, text, size, asked) {
      const typed = text.toWellFormed().replaceAll("\0", "").trim();
      if (typed === "" || typed.length > most("completedCharacters")) return [];
      return (await sources[source].find(typed, size, asked)).slice(0, size).map((each) => ({ kind: source, ...each }));
    },
    async values(source, id, asked) {
      if (id === "" || id.length > ID_CHARACTERS || id.includes("\0") || !id.isWellFormed()) throw unknown();
      return await sources[source].values(id, asked);
    },
  };
};

const unknown = (): Refusal => new Refusal("not_found", "The suggestion does not exist, or no longer");

// --- people

const ORCID = /^\d{4}-?\d{4}-?\d{4}-?\d{3}[\dXx]$/;
const DIGITS = /^[1-9]\d{0,14}$/;

function peopleSource({ store: { authors }, today }: FieldSuggestionsNeeds): Source {
  async function named(text: string): Promise<readonly Author[]> {
    const bare = bareIdentifier(text);
    if (ORCID.test(bare)) {
      const identifier = identifierKey("ORCID", bare);
      return await authors.findAuthors({ names: [], identifier, number: null, community: null }, PERSONS, 0);
    }
    const key = nameKey(text);
    return key === "" ? [] : await authors.namesBeginning(key, PERSONS);
  }
  return {
    async find(text, size, { language }) {
      const found = (await named(text)).filter(({ content }) => isCalled(content, text)).slice(0, size);
      return found.flatMap(({ id, content }) => {
        const agent = agentOf(content, [], today());
        return agent === null ? [] : [{ id: String(id), ...personWords(agent, language) }];
      });
    },
    async values(id) {
      const found = DIGITS.test(id) ? await authors.author(Number(id)) : null;
      const author = found?.mergedInto == null ? found : await authors.author(found.mergedInto);
      const choices = author === null ? [] : await authors.authorChoices();
      const agent = author === null || !isAlive(author) ? null : agentOf(author.content, choices, today());
      if (agent === null) throw unknown();
      return [agent];
    },
  };
}

// --- vocabularies

async function findEntries(
  { store }: FieldSuggestionsNeeds,
  type: string,
  text: string,
  size: number,
  { language }: Asked,
): Promise<readonly Found[]> {
  const tokens = suggestTokens(text);
  if (tokens.length === 0) return [];
  const { entries } = await store.communities.findVocabulary({
    ...{ type, tokens, beginning: titleKeyOf(text), order: "bestmatch" as const, limit: size, offset: 0 },
    candidates: tokens.length === 1 ? ENTRIES.one : ENTRIES.several,
  });
  return entries.map((entry) => ({ id: entry.id, ...entryWords(entry, language) }));
}

async function readEntry({ store }: FieldSuggestionsNeeds, type: string, id: string): Promise<VocabularyEntry> {
  const entry = await store.communities.vocabularyEntry(type, id);
  if (entry === null) throw unknown();
  return entry;
}

// --- journals, indexes, communities

function journalSource({ journals }: FieldSuggestionsNeeds): Source {
  return {
    async find(text, _size, { viewer, language }) {
      return (await journals(viewer, text)).flatMap(({ titles, ids }) => {
        const id = titles[0]?.value ?? "";
        const hint = ids.map(({ scheme, value }) => `${scheme} ${value}`).join(" · ");
        return id === "" ? [] : [{ id, text: inLanguage(titles, language)[0]?.value ?? id, hint }];
      });
    },
    async values(id, { viewer }) {
      const journal = (await journals(viewer, id)).find(({ titles }) => titles[0]?.value === id);
      if (journal === undefined) throw unknown();
      return [journal];
    },
  };
}

type Lineage = readonly IndexNode[];

function indexSource({ store: { indexes }, today }: FieldSuggestionsNeeds): Source {
  const names = new IndexNames(indexes);
  async function seen(ids: readonly number[], { viewer, language, isToDeposit = false }: Asked) {
    const lineages = await indexes.lineages(ids);
    const reader = guestWithout(viewer, ["index:read"]);
    const maySee = (lineage: Lineage): boolean =>
      mayBrowseIndex(reader, lineage, today()) || (isToDeposit && may(reader, "item.file", lineage));
    return ids.flatMap((id): readonly Found[] => {
      const lineage = lineages.get(id) ?? [];
      if (!(isToDeposit ? may(reader, "item.file", lineage) : mayBrowseIndex(reader, lineage, today()))) return [];
      const nameOf = ({ indexName: ja, indexNameEnglish: en }: Lineage[number]): string =>
        language === "ja" ? ja || en : en || ja;
      const [own, ...above] = lineage;
      // Indexes above one that the viewer administers may be hidden.
      const known = above.filter((_, at) => maySee(lineage.slice(at + 1)));
      return own === undefined
        ? []
        : [{ id: String(id), text: nameOf(own), hint: known.reverse().map(nameOf).join(" / ") }];
    });
  }
  return {
    find: async (text, _size, asked) => await seen(await names.beginning(text, INDEXES), asked),
    async values(id, asked) {
      const [found] = DIGITS.test(id) ? await seen([Number(id)], asked) : [];
      if (found === undefined) throw unknown();
      return [found.text];
    },
  };
}

function communitySource({ store: { communities } }: FieldSuggestionsNeeds): Source {
  const asReader = (viewer: Viewer): Viewer => guestWithout(viewer, ["user:activity"]);
  const seenBy = (viewer: Viewer) =>
    isAdministrator(viewer) ? {} : { seen: viewer.memberships.map(({ communityId }) => communityId) };
  return {
    async find(text, size, { viewer, language, isToDeposit = false }) {
      const sought = { kind: "contains", field: "words", text: searchedText(text) } as const;
      const limit = isToDeposit ? COMMUNITIES : size;
      const all = { ...seenBy(asReader(viewer)), sought, exact: text };
      const found = await communities.findCommunities(all, "bestmatch", 0, limit);
      const open = isToDeposit ? found.filter((each) => may(asReader(viewer), "community.submit", each)) : found;
      return open.map(({ id, slug, title: { en, ja } }) => ({
        ...{ id, text: language === "ja" ? ja || en : en || ja, hint: slug },
      }));
    },
    async values(id, { viewer, language }) {
      const community = await communities.community(id);
      if (community === null || !may(asReader(viewer), "community.see", community)) throw unknown();
      const { en, ja } = community.title;
      return [language === "ja" ? ja || en : en || ja];
    },
  };
}
