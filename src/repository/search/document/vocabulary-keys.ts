// What an entry of a vocabulary is found by, and what is searched for (R6a, R37): its id, its titles and names in the
// tokens of searches, so that width, case and accents do not matter. Pure.
import type { TokenQuery } from "../../store/vocabularies.ts";
import { folded, tokenSet, wordsOfQuery } from "./tokens.ts";

/** What the database stores with an entry. */
export type VocabularyKeys = {
  /** The title as lists are ordered by it. */
  readonly titleKey: string;
  /** Every token between spaces. */
  readonly searchText: string;
  readonly tokens: readonly string[];
};

type Entry = {
  readonly id: string;
  readonly title: { readonly en: string; readonly ja: string };
  readonly props: Readonly<Record<string, string>>;
};

/** Names and numbers among what is known of an entry; nobody searches for addresses and words of other lists. */
const SEARCHED = ["names", "acronym", "alpha_2", "number", "country"] as const;
const LIMITS = { characters: 4_000, tokens: 200 };
const TITLE_KEY = 100;
/** Words of a query that are read. */
const SOUGHT = 12;
const QUERY_CHARACTERS = 200;
/** What no token begins with: tags of an entry are found by themselves only. */
const TAG = "#";

export function vocabularyKeys({ id, title, props }: Entry): VocabularyKeys {
  const texts = [id, title.en, title.ja, ...SEARCHED.map((name) => props[name] ?? "")];
  const tokens = [...tokenSet(texts, LIMITS), ...tagsOf(props).map((tag) => TAG + tag)];
  return { titleKey: titleKeyOf(title.en === "" ? title.ja : title.en), searchText: ` ${tokens.join(" ")} `, tokens };
}

export const tagsOf = (props: Entry["props"]): readonly string[] =>
  (props.tags ?? "").split(" ").filter((tag) => tag !== "");

const CONTROLS = /\p{Cc}/gu;

/** Cut where no character is parted. */
export function titleKeyOf(title: string): string {
  return folded(
    title
      .slice(0, 2 * TITLE_KEY)
      .toWellFormed()
      .replace(CONTROLS, " "),
  )
    .slice(0, TITLE_KEY)
    .toWellFormed();
}

/** Every word begins one of the entry's: what people type while they choose. */
export function suggestTokens(text: string): readonly TokenQuery[] {
  return soughtIn(text.slice(0, QUERY_CHARACTERS)).map((token) => ({ token, isPrefix: true }));
}

/**
 * A member of an entry before a word, as queries of other repositories have it; it names a place, but words are
 * searched for everywhere.
 */
const MEMBER = /^(?:id|title|name|subject|props|tags|number|acronym|identifiers)(?:\.[a-z_.0-9]+)?:(?=.)/i;

/** Every word is one of the entry's; one that ends with an asterisk begins one. `*` alone is everything. */
export function queryTokens(text: string): readonly TokenQuery[] {
  const words = text.slice(0, QUERY_CHARACTERS).split(/[\s()"]+/);
  return words
    .map((word) => word.replace(MEMBER, ""))
    .filter((word) => word !== "AND" && word !== "OR")
    .flatMap((word) => {
      const tokens = soughtIn(word);
      return tokens.map((token, at) => ({ token, isPrefix: word.endsWith("*") && at === tokens.length - 1 }));
    })
    .slice(0, SOUGHT);
}

export const tagToken = (tag: string): TokenQuery => ({ token: TAG + tag.slice(0, 100), isPrefix: false });

const soughtIn = (text: string): readonly string[] => wordsOfQuery(text).slice(0, SOUGHT);
