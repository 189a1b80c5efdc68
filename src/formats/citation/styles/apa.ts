// APA Style, 7th edition, as one line of plain text; in Japanese with the same elements in the same order, names and
// words as Japanese lists write them.
import type { CslItem, CslName } from "../../csl/item.ts";
import { type CitationWords, citationWords } from "../words.ts";
import {
  addressOf,
  betweenNames,
  closed,
  hasInitials,
  initials,
  isJapanese,
  monthAndDay,
  monthName,
  ordinal,
  pageRange,
  pagesWithLabel,
  sentence,
  sentences,
  together,
  volumeAndIssue,
  years,
} from "./parts.ts";

/** At most 20 creators are named; of more, the first 19 and the last. */
const MAX_NAMED = 20;

const whole = (name: CslName): string => ("literal" in name ? name.literal : together([name.family, name.given], ", "));

function listName(name: CslName): string {
  return closed(name) ?? (hasInitials(name) ? `${name.family}, ${initials(name.given, " ")}` : whole(name));
}

/** A name inside a reference: "I. Ed". */
function inside(name: CslName): string {
  return closed(name) ?? (hasInitials(name) ? `${initials(name.given, " ")} ${name.family}` : whole(name));
}

function nameList(people: readonly CslName[], language: string): string {
  const isLong = people.length > MAX_NAMED;
  const shown = isLong ? [...people.slice(0, MAX_NAMED - 1), ...people.slice(-1)] : people;
  const names = shown.map(listName);
  const between = betweenNames(language, names);
  const last = names.at(-1) ?? "";
  const others = names.slice(0, -1);
  if (between !== null) return together([...others, ...(isLong ? ["…"] : []), last], between);
  if (isLong) return `${others.join(", ")}, … ${last}`;
  return others.length === 0 ? last : `${others.join(", ")}, & ${last}`;
}

const insideList = (people: readonly CslName[]): string => {
  const names = people.map(inside);
  const last = names.at(-1) ?? "";
  if (names.length < 3) return names.join(" & ");
  return `${names.slice(0, -1).join(", ")}, & ${last}`;
};

/** Works that are cited with the day on which they appeared. */
const DATED: readonly string[] = ["document", "speech", "motion_picture", "song", "event", "article-newspaper"];

function dateOf(item: CslItem, language: string): string {
  const year = years(item);
  if (year === null) return "(n.d.)";
  const isDated =
    DATED.includes(item.type) || (item.type === "paper-conference" && item["container-title"] === undefined);
  const day = isDated && !isJapanese(language) ? monthAndDay(item) : null;
  return day === null ? `(${year})` : `(${year}, ${together([monthName(day[0]), day[1]?.toString()], " ")})`;
}

/** What follows the title in brackets: the kind of work. */
function bracketOf(item: CslItem, words: CitationWords): string {
  if (item.type === "thesis") return `[${words.thesis(item.genre ?? words.theses.other, item.publisher ?? "")}]`;
  const kind = item.genre ?? words.kinds[item.type];
  return kind === undefined ? "" : `[${kind}]`;
}

function editionOf({ edition }: CslItem, words: CitationWords): string {
  if (edition === undefined) return "";
  const count = ordinal(edition);
  return count === null ? edition : words.edition(count, edition);
}

const PERIODICALS: readonly string[] = ["article-journal", "article-newspaper", "review", "periodical"];

/** Whether the item is part of a journal. Proceedings without editors are cited as one. */
const isInJournal = ({ type, editor = [] }: CslItem): boolean =>
  PERIODICALS.includes(type) || (type === "paper-conference" && editor.length === 0);

const isInBook = (item: CslItem): boolean =>
  item["container-title"] !== undefined && item.type !== "thesis" && !isInJournal(item);

/** Version, edition, volume, pages: of the book the work is in, else of the work itself. */
function numbersOf(item: CslItem, words: CitationWords): string {
  const { version, volume, issue } = item;
  const numbers = [
    version === undefined ? "" : words.versionOf(version),
    editionOf(item, words),
    volume === undefined ? "" : words.volume(volume),
    issue === undefined ? "" : words.issue(issue),
    pagesWithLabel(item),
  ];
  return together(numbers, ", ");
}

function titleOf(item: CslItem, words: CitationWords): string {
  const { editor = [], author = [], title = words.untitled, type } = item;
  if (type === "review" && item.title !== undefined) return `[${words.reviewOf(title)}]`;
  if (isInBook(item) || (isInJournal(item) && item["container-title"] !== undefined))
    return together([title, bracketOf(item, words)], " ");
  const editors = author.length > 0 && editor.length > 0 ? words.editors(insideList(editor), editor.length) : "";
  const notes = together([editors, numbersOf(item, words)], "; ");
  return together([title, notes === "" ? "" : `(${notes})`, bracketOf(item, words)], " ");
}

function bookOf(item: CslItem, words: CitationWords): string {
  const { editor = [], author = [] } = item;
  const numbers = numbersOf(item, words);
  const by = author.length === 0 || editor.length === 0 ? "" : words.bookEditors(insideList(editor), editor.length);
  return `${words.inBookBy(by, item["container-title"] ?? "")}${numbers === "" ? "" : ` (${numbers})`}`;
}

/** Where the work appeared: the journal or book with its numbers, else who published it; and where it was presented. */
function sourcesOf(item: CslItem, words: CitationWords): readonly string[] {
  const { publisher = "", type } = item;
  const container = item["container-title"];
  const event = item["event-title"];
  const meeting = event === undefined ? "" : together([event, item["event-place"]], ", ");
  if (type === "thesis") return [item.archive ?? "", meeting];
  if (isInBook(item)) return [bookOf(item, words), publisher, type === "paper-conference" ? "" : meeting];
  if (container !== undefined) {
    const numbers = together([container, volumeAndIssue(item), pageRange(item)], ", ");
    return [numbers, type === "paper-conference" ? "" : meeting];
  }
  if (type === "paper-conference" && meeting !== "") return [meeting];
  const [only, second] = item.author ?? [];
  // An author who is also the publisher is named once.
  const isOwn = second === undefined && only !== undefined && whole(only) === publisher;
  return [isOwn ? "" : publisher, meeting];
}

/** `language` is that of the words the style adds. Never empty. */
export function apa(item: CslItem, language: string): string {
  const words = citationWords(language);
  const { author = [], editor = [] } = item;
  const isEdited = author.length === 0 && editor.length > 0;
  const people = isEdited ? editor : author;
  const names = nameList(people, language);
  const lead = isEdited ? `${names} ${words.editorMark(editor.length)}` : names;
  const date = dateOf(item, language);
  const title = titleOf(item, words);
  const isClosed = betweenNames(language, []) !== null;
  const shown = isClosed || people.length > MAX_NAMED ? lead : isEdited ? `${lead}.` : sentence(lead);
  const start = names === "" ? [sentence(title), `${date}.`] : [`${shown} ${date}.`, sentence(title)];
  return together([...start, sentences(sourcesOf(item, words)), addressOf(item)], " ");
}
