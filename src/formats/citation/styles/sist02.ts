// SIST 02-2007 (Standards for Information of Science and Technology, Japan) as one line of plain text: years of the
// Western calendar, Japanese authors joined by a comma, others by a semicolon.
import type { CslItem, CslName } from "../../csl/item.ts";
import { citationWords } from "../words.ts";
import {
  addressOf,
  closed,
  editionText,
  isJapanese,
  leadingPeople,
  sentences,
  sortedName,
  together,
  years,
} from "./parts.ts";

/** Of more than ten, the first is named. */
const MAX_NAMED = 10;

type Words = {
  readonly others: string;
  readonly editor: (names: string) => string;
  readonly edition: (item: CslItem) => string;
  readonly version: (label: string) => string;
  readonly noDate: string;
};

const EN: Words = {
  others: "et al.",
  editor: (names) => `${names}, ed.`,
  edition: editionText,
  version: (label) => `version ${label}`,
  noDate: "[n.d.]",
};
const JA: Words = {
  others: "ほか",
  editor: (names) => `${names}編`,
  edition: ({ edition = "" }) => (/^\d{1,6}$/.test(edition) ? `第${edition}版` : edition),
  version: (label) => `バージョン ${label}`,
  noDate: "[出版年不明]",
};

function nameList(people: readonly CslName[], { others }: Words): string {
  const named = people.length > MAX_NAMED ? people.slice(0, 1) : people;
  const between = named.every((name) => closed(name) !== null) ? ", " : "; ";
  return together([named.map(sortedName).join(between), people.length > MAX_NAMED ? others : ""], " ");
}

const pagesOf = ({ page = "" }: CslItem): string => (page === "" ? "" : `p. ${page}`);
const countOf = (item: CslItem): string =>
  /^\d+$/.test(item["number-of-pages"] ?? "") ? `${item["number-of-pages"]}p` : "";
const imprintOf = (item: CslItem): string => together([item["publisher-place"], item.publisher], ": ");

const numbersOf = ({ volume, issue }: CslItem): readonly string[] => [
  volume === undefined ? "" : `vol. ${volume}`,
  issue === undefined ? "" : `no. ${issue}`,
];

const QUOTED: readonly string[] = ["chapter", "paper-conference"];

/** What follows the title, sentence by sentence. */
function sourceOf(item: CslItem, words: Words, locale: string, date: string): readonly string[] {
  const { type, genre, number, version, author = [], editor = [] } = item;
  const container = item["container-title"] ?? "";
  const editors = author.length === 0 || editor.length === 0 ? "" : words.editor(nameList(editor, words));
  const edition = words.edition(item);
  const event = together([item["event-title"], item["event-place"]], ", ");
  if (type === "thesis") return [together([item.publisher, date, countOf(item), genre], ", ")];
  if (container !== "" && QUOTED.includes(type)) {
    const imprint = [edition, imprintOf(item), date, ...numbersOf(item).slice(0, 1), pagesOf(item)];
    return [container, editors, event, together(imprint, ", ")];
  }
  if (container !== "") return [container, together([date, ...numbersOf(item), pagesOf(item)], ", ")];
  const kind = genre ?? citationWords(locale).kinds[type] ?? "";
  const imprint = [
    edition,
    version === undefined ? "" : words.version(version),
    imprintOf(item),
    date,
    countOf(item),
    together([kind, number], " "),
  ];
  return [editors, event, together(imprint, ", ")];
}

/** `locale` is the language of the words the style adds. Never empty. */
export function sist02(item: CslItem, locale: string): string {
  const words = isJapanese(locale) ? JA : EN;
  const { people, isEdited } = leadingPeople(item);
  const named = nameList(people, words);
  const stated = item.title ?? citationWords(locale).untitled;
  const title = QUOTED.includes(item.type) && item["container-title"] !== undefined ? `“${stated}”` : stated;
  const date = years(item) ?? words.noDate;
  const parts = [isEdited ? words.editor(named) : named, title, ...sourceOf(item, words, locale, date)];
  return together([sentences(parts), addressOf(item)], " ");
}
