// Why a record is a hit, and how a query was understood, in words for models (R30): a model that knows why can tell a
// good hit from a chance one, and ask better.
import { isObject, memberOf } from "../../shared/objects.ts";
import type { ToolSearchResult } from "../record-lists/record-lists.ts";
import { NAME_KIND, textKind, titleKind } from "../search/detail/hit-reasons.ts";
import { wordsOfQuery } from "../search/document/tokens.ts";
import { type MarkedText, type Marks, marked, marksOf, type Part, snippet } from "../search/query/marking.ts";
import { isStopWord } from "../search/query/stop-words.ts";

/** Characters of a description that are searched for the words, and that are shown around them. */
const DESCRIPTION_READ = 20_000;
const AROUND = 160;
const NAMES_READ = 50;
const WORDS_SHOWN = 8;

type Metadata = Readonly<Record<string, unknown>>;

/** The words of a query that explain it: stop words do not, unless there are no others. */
export function reasonMarks(words: readonly string[], nearest: ReadonlyMap<string, string> = new Map()): Marks {
  const meant = words.filter((word) => !wordsOfQuery(word).every(isStopWord));
  const taken = meant.length === 0 ? words : meant;
  return marksOf(
    taken.map((text) => {
      const also = nearest.get(text);
      const word = { text, field: null, isPhrase: /\s/.test(text.trim()) };
      return also === undefined ? word : { ...word, also };
    }),
  );
}

/** In which members of its metadata the words are, the most telling first, and which of them are other forms. */
export function reasonOf(metadata: Metadata, marks: Marks): string {
  const others = new Map<number, string>();
  const written = new Set<number>();
  const foundIn = (text: string, kind: MarkedText): readonly string[] =>
    noted(marked(text, marks, kind)).flatMap((part) => (part.found ? [part.text.toLowerCase()] : []));
  function noted(parts: readonly Part[]): readonly Part[] {
    for (const { text, wordOf = [], formOf = [] } of parts) {
      for (const word of wordOf) written.add(word);
      for (const word of formOf) others.set(word, others.get(word) ?? text);
    }
    return parts;
  }
  const wordsIn = (name: string, texts: readonly string[], kind: MarkedText): readonly string[] => {
    const found = new Set(texts.flatMap((text) => foundIn(text, kind)));
    return found.size === 0 ? [] : [`${name}: ${[...found].slice(0, WORDS_SHOWN).join(", ")}`];
  };
  const around = (name: string, text: string): readonly string[] => {
    const parts = noted(snippet(text.slice(0, DESCRIPTION_READ).toWellFormed(), marks, AROUND, textKind(undefined)));
    return parts.some(({ found }) => found) ? [`${name}: ${parts.map((part) => part.text).join("")}`] : [];
  };
  const title = [textOf(metadata.title), ...textsOf(metadata.additional_titles, ["title"])];
  const reasons = [
    ...wordsIn("title", title, titleKind(undefined)),
    ...wordsIn("creators", textsOf(metadata.creators, ["person_or_org", "name"]), NAME_KIND),
    ...wordsIn("subjects", textsOf(metadata.subjects, ["subject"]), { isShort: true }),
    ...around("description", textOf(metadata.description)),
    ...[...others].flatMap(([word, form]) => {
      const asked = marks.words[word];
      if (written.has(word) || asked === undefined) return [];
      const { text, also } = asked;
      return [also === undefined ? `"${form}" is another form of "${text}"` : `"${form}" is near to "${text}"`];
    }),
  ];
  return reasons.length === 0 ? "other metadata, the text of a file, or another form of a word" : reasons.join("; ");
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function textsOf(list: unknown, path: readonly string[]): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, NAMES_READ).map((one: unknown) => {
    const value = path.reduce<unknown>((at, name) => (isObject(at) ? memberOf(at, name) : undefined), one);
    return textOf(value);
  });
}

type Understood = Pick<ToolSearchResult, "mode" | "effective" | "words" | "sort" | "isWidened" | "nearest">;

/** One sentence on what was searched for. */
export function understoodAs({ mode, effective, words, sort, isWidened, nearest }: Understood): string {
  const order = sort === "bestmatch" ? "best matches first" : `in the order ${sort}`;
  if (effective === "") return `All records, ${order}.`;
  const shown = words.slice(0, WORDS_SHOWN).map((word) => `"${word}"`);
  const more = words.length > shown.length ? ", …" : "";
  if (mode === "words") {
    return `Not a query expression, so taken as words: records with any of ${shown.join(", ")}${more}, ${order}.${followed(nearest)}`;
  }
  const isOfWords = words.length > 1 && words.join(" ") === effective;
  const what = isOfWords
    ? `Records with any of ${shown.join(", ")}${more}; those with more of them first`
    : `Records that match ${effective}`;
  return `${what}, ${order}.${isWidened ? " Few have it as it is written: records with parts of it follow." : ""}${followed(nearest)}`;
}

/** A sentence on the records with the nearest words. */
function followed(nearest: Understood["nearest"]): string {
  if (nearest === null) return "";
  const [typed, meant] = [[...nearest.words.keys()], [...nearest.words.values()]].map((words) =>
    words.map((word) => `"${word}"`).join(", "),
  );
  return nearest.typedTotal === 0
    ? ` No record has ${typed}: these have ${meant}.`
    : ` Few have ${typed}: records with ${meant} follow.`;
}

/** What to try where nothing was found, or little with words that few records have. */
export function triesFor({
  total,
  words,
  meant,
  nearest,
}: Pick<ToolSearchResult, "total" | "words" | "meant" | "nearest">): readonly string[] {
  const tries = meant === null ? [] : [`the nearest words that records have: ${meant}`];
  for (const typed of nearest?.words.keys() ?? []) tries.push(`exactly the word as it is written: "${typed}"`);
  return total > 0 ? tries : [...tries, ...otherTries(words)];
}

const otherTries = (words: readonly string[]): readonly string[] => [
  ...(words.length > 1 ? ["fewer words, or more general ones"] : ["another word for the same, or a more general one"]),
  "another spelling, or the language of the records",
  "the beginning of a word (fisher*) or a similar word (fisherie~)",
  "facets=true with an empty query: the subjects, types and languages there are",
];
