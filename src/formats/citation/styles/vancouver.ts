// Vancouver (NLM, Citing Medicine, 2nd edition) as one line of plain text, without the number a list gives it.
import type { CslItem, CslName, DateParts } from "../../csl/item.ts";
import { citationWords } from "../words.ts";
import {
  bareInitials,
  closed,
  hasInitials,
  monthAndDay,
  monthName,
  ordinal,
  pageRange,
  sentence,
  together,
  years,
} from "./parts.ts";

/** Of more than six, the first six are named. */
const MAX_NAMED = 6;

const whole = (name: CslName): string => ("literal" in name ? name.literal : together([name.family, name.given], " "));
const listName = (name: CslName): string =>
  closed(name) ?? (hasInitials(name) ? `${name.family} ${bareInitials(name.given)}` : whole(name));

function nameList(people: readonly CslName[]): string {
  const names = people.slice(0, MAX_NAMED).map(listName);
  return together([...names, people.length > MAX_NAMED ? "et al" : ""], ", ");
}

const editorsOf = ({ editor = [] }: CslItem): string =>
  editor.length === 0 ? "" : `${nameList(editor)}, editor${editor.length > 1 ? "s" : ""}`;

function editionOf({ edition }: CslItem): string {
  if (edition === undefined) return "";
  const count = ordinal(edition);
  return count === null ? edition : `${count} ed.`;
}

function dateOf(item: CslItem, isExact: boolean): string {
  const day = isExact ? monthAndDay(item) : null;
  return together([years(item) ?? "", day === null ? "" : monthName(day[0]).slice(0, 3), day?.[1]?.toString()], " ");
}

const PERIODICALS: readonly string[] = ["article-journal", "article-newspaper", "review", "periodical"];
const IN_BOOKS: readonly string[] = ["chapter", "paper-conference"];

/** "2015 Oct 1;12(3):34–57". */
function journalNumbers(item: CslItem): string {
  const { volume = "", issue } = item;
  const numbers = `${volume}${issue === undefined ? "" : `(${issue})`}`;
  const pages = pageRange(item);
  return together([dateOf(item, true), together([numbers, pages], ":")], ";");
}

const monthly = (item: CslItem): CslItem => {
  const { issued } = item;
  if (issued === undefined || "literal" in issued) return item;
  const parts = issued["date-parts"].map(([year, month]): DateParts => (month === undefined ? [year] : [year, month]));
  return { ...item, issued: { "date-parts": parts } };
};

function imprint(item: CslItem): string {
  const place = together([item["publisher-place"], item.publisher], ": ");
  // Reports are cited with the month, talks with the day.
  const exact = item.type === "report" ? monthly(item) : item;
  return together([place, dateOf(exact, item.type === "speech" || item.type === "report")], "; ");
}

/** Never empty. */
export function vancouver(item: CslItem, locale: string): string {
  const { author = [], editor = [], DOI, genre } = item;
  const isEdited = author.length === 0 && editor.length > 0;
  const names = isEdited ? editorsOf(item) : nameList(author);
  const title = item.title ?? citationWords(locale).untitled;
  const container = item["container-title"] ?? "";
  const isJournal = PERIODICALS.includes(item.type);
  // An article with a DOI is found by it; everything else is marked as read on the Internet.
  const isOnline = !(item.type === "article-journal" && container !== "" && DOI !== undefined);
  const online = isOnline ? "[Internet]" : "";
  const located = item.archive === undefined ? "" : `Located at: ${item.archive}`;
  const address = together([isOnline ? `Available from: ${item.URL}` : "", DOI === undefined ? "" : `doi:${DOI}`], " ");
  const kind = item.type === "thesis" && genre !== undefined ? `[${genre}]` : "";
  if (container === "") {
    const lead = together([title, kind, online], " ");
    const numbers = isJournal ? dateOf(item, true) : imprint(item);
    const secondary = isEdited ? "" : editorsOf(item);
    return together([...[names, lead, editionOf(item), secondary, numbers, located].map(sentence), address], " ");
  }
  if (isJournal) {
    const source = together([container, online], " ");
    return together([...[names, title, source, journalNumbers(item)].map(sentence), address], " ");
  }
  const pages = pageRange(item) === "" ? "" : `p. ${pageRange(item)}`;
  const editors = isEdited ? "" : editorsOf(item);
  const within = `${IN_BOOKS.includes(item.type) ? "In: " : ""}${editors === "" ? "" : `${editors}. `}${container}`;
  const source = together([within, online], " ");
  return together(
    [...[names, title, source, editionOf(item), imprint(item), pages, located].map(sentence), address],
    " ",
  );
}
