// Whether a query in Lucene's manner is true of an item (R27; reference 2.6), decided by walking over it: slow and
// obviously right. It is what compiled queries are held against. Items here have words of ASCII letters and digits
// only.
import type { LuceneQuery, PatternPart } from "../../src/repository/search/lucene/query.ts";
import { keyOfWord, keysOfWord } from "../../src/repository/search/words/stems.ts";

export type PlainItem = {
  readonly id: number;
  /** Texts of each member that is found by words, and all of them under "". */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** Values that are compared whole. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** First and last day of a date, as eight digits. */
  readonly days: Readonly<Record<string, readonly [number, number] | null>>;
};

/** Null: the query has no condition. */
export function isTrueOfItem(query: LuceneQuery, item: PlainItem, path = ""): boolean | null {
  switch (query.kind) {
    case "boost":
      return isTrueOfItem(query.of, item, path);
    case "field":
      return isTrueOfItem(query.of, item, query.path === "*" ? "" : query.path);
    case "exists":
      return has(item, query.path);
    case "all":
      return path === "" ? true : has(item, path);
    case "and": {
      const results = query.of.map((each) => isTrueOfItem(each, item, path)).filter((each) => each !== null);
      return results.length === 0 ? null : results.every(Boolean);
    }
    case "not": {
      const result = isTrueOfItem(query.of, item, path);
      return result === null ? null : !result;
    }
    case "group": {
      const results = query.clauses.flatMap(({ occur, of }) => {
        const isTrue = isTrueOfItem(of, item, path);
        return isTrue === null ? [] : [{ occur, isTrue }];
      });
      if (results.length === 0) return null;
      const of = (occur: string): boolean[] =>
        results.filter((each) => each.occur === occur).map(({ isTrue }) => isTrue);
      const [must, should] = [of("must"), of("should")];
      const isAsked = must.length > 0 ? must.every(Boolean) : should.length === 0 || should.some(Boolean);
      return isAsked && !of("not").some(Boolean);
    }
    default:
      return leaf(query, item, path);
  }
}

const has = ({ texts, values, days }: PlainItem, path: string): boolean =>
  (texts[path] ?? []).length > 0 || (values[path] ?? []).length > 0 || (days[path] ?? null) !== null;

/** Items are in English. */
function isFormOf(word: string): (other: string) => boolean {
  const keys = keysOfWord(word);
  return (other) => keys.includes(other) || keys.includes(keyOfWord(other, "en"));
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

function leaf(query: LuceneQuery, item: PlainItem, path: string): boolean | null {
  if (Object.hasOwn(item.days, path)) return onDays(query, item.days[path] ?? null);
  if (Object.hasOwn(item.values, path)) return (item.values[path] ?? []).some((value) => isValue(query, value));
  if (!Object.hasOwn(item.texts, path)) return false;
  const words = new Set((item.texts[path] ?? []).flatMap(wordsIn));
  const some = (matches: (word: string) => boolean): boolean => [...words].some(matches);
  switch (query.kind) {
    case "word": {
      const asked = wordsIn(query.text);
      const isQuoted = query.text.startsWith('"');
      return asked.length === 0 ? null : asked.every((word) => words.has(word) || (!isQuoted && some(isFormOf(word))));
    }
    case "phrase": {
      const asked = wordsIn(query.text);
      if (asked.length === 0) return null;
      if (!asked.every((word) => words.has(word))) return false;
      // Words of a member, and their order somewhere in the item.
      if ((query.slop ?? 0) > 0) return true;
      const pairs = (item.texts[""] ?? []).flatMap((text) => {
        const all = wordsIn(text);
        return all.slice(1).map((word, at) => `${all[at]} ${word}`);
      });
      return asked.slice(1).every((word, at) => pairs.includes(`${asked[at]} ${word}`));
    }
    case "pattern": {
      const expression = patternExpression(query.parts);
      return some((word) => expression.test(word));
    }
    case "regex": {
      const expression = new RegExp(`^(?:${query.source})$`, "i");
      return some((word) => expression.test(word));
    }
    case "fuzzy": {
      const asked = wordsIn(query.text);
      if (asked.length === 0) return null;
      return asked.every((word) => some((other) => isFuzzy(word, other, query.edits)));
    }
    case "range":
      return some((word) => isWithin(word, query));
    default:
      return false;
  }
}

function isValue(query: LuceneQuery, written: string): boolean {
  const value = written.toLowerCase();
  switch (query.kind) {
    case "word":
    case "phrase":
      return query.text.toLowerCase() === value;
    case "pattern":
      return patternExpression(query.parts).test(value);
    case "regex":
      return new RegExp(`^(?:${query.source})$`, "i").test(value);
    case "fuzzy":
      return isFuzzy(query.text.toLowerCase(), value, query.edits);
    case "range":
      return isWithin(value, query);
    default:
      return false;
  }
}

const patternExpression = (parts: readonly PatternPart[]): RegExp => {
  const written = parts.map((part) => {
    if (part.kind === "letters") return part.text.replace(/[^a-z0-9]/gi, "\\$&");
    return part.kind === "many" ? ".*" : ".";
  });
  return new RegExp(`^${written.join("")}$`, "i");
};

const isWithin = (word: string, { from, to }: LuceneQuery & { readonly kind: "range" }): boolean => {
  const [least, most] = [from.value?.toLowerCase() ?? "", to.value?.toLowerCase() ?? null];
  return (
    (from.included ? word >= least : word > least) && (most === null || (to.included ? word <= most : word < most))
  );
};

/** The first letter is right, and at most this many edits: each edit is tried. */
function isFuzzy(word: string, other: string, edits: number | null): boolean {
  const most = edits ?? (word.length < 3 ? 0 : word.length < 6 ? 1 : 2);
  return most === 0 ? word === other : word[0] === other[0] && isReached(word, other, most);
}

function isReached(word: string, other: string, left: number): boolean {
  if (word === other) return true;
  if (left === 0 || Math.abs(word.length - other.length) > left) return false;
  let at = 0;
  while (at < word.length && word[at] === other[at]) at += 1;
  const [rest, otherRest] = [word.slice(at), other.slice(at)];
  const swapped = rest.length > 1 ? `${rest[1]}${rest[0]}` : "";
  return (
    isReached(rest.slice(1), otherRest.slice(1), left - 1) ||
    isReached(rest.slice(1), otherRest, left - 1) ||
    isReached(rest, otherRest.slice(1), left - 1) ||
    (swapped !== "" && otherRest.startsWith(swapped) && isReached(rest.slice(2), otherRest.slice(2), left - 1))
  );
}

function onDays(query: LuceneQuery, days: readonly [number, number] | null): boolean {
  if (days === null) return false;
  const [first, last] = days;
  const span = (text: string): readonly [number, number] | null => {
    const [, year, month = null, day = null] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
    if (year === undefined) return null;
    const end =
      month === null ? "1231" : `${month}${day ?? new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()}`;
    return [Number(`${year}${month ?? "01"}${day ?? "01"}`), Number(`${year}${end}`)];
  };
  if (query.kind === "word" || query.kind === "phrase") {
    const asked = span(query.text);
    return asked !== null && first <= asked[1] && last >= asked[0];
  }
  if (query.kind !== "range") return false;
  const [from, to] = [query.from, query.to].map(({ value }) => (value === null ? null : span(value)));
  if ((from === null && query.from.value !== null) || (to === null && query.to.value !== null)) return false;
  const least = from === null || from === undefined ? 0 : query.from.included ? from[0] : from[1] + 1;
  const most = to === null || to === undefined ? 99_999_999 : query.to.included ? to[1] : to[0] - 1;
  return least <= most && first <= most && last >= least;
}
