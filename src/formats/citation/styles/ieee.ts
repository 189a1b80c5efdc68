// The IEEE Reference Guide (2023) as one line of plain text, without the number a list gives it. A DOI is written as its
// address.
import type { CslItem, CslName } from "../../csl/item.ts";
import { citationWords } from "../words.ts";
import {
  abbreviatedDate,
  addressOf,
  closed,
  editionText,
  hasInitials,
  initials,
  kindText,
  leadingPeople,
  monthAndDay,
  pagesWithLabel,
  quoted,
  sentence,
  spokenName,
  together,
  years,
} from "./parts.ts";

/** Of more than six, the first is named. */
const MAX_NAMED = 6;
const MONTHS = ["Jan.", "Feb.", "Mar.", "Apr.", "May", "Jun.", "Jul.", "Aug.", "Sep.", "Oct.", "Nov.", "Dec."];

const listName = (name: CslName): string =>
  closed(name) ?? (hasInitials(name) ? `${initials(name.given, " ")} ${name.family}` : spokenName(name));

function nameList(people: readonly CslName[]): string {
  const names = people.slice(0, MAX_NAMED).map(listName);
  const [first = ""] = names;
  if (people.length > MAX_NAMED) return `${first} et al.`;
  if (names.length < 3) return names.join(" and ");
  return `${names.slice(0, -1).join(", ")}, and ${names.at(-1)}`;
}

const editors = (people: readonly CslName[]): string =>
  people.length === 0 ? "" : `${nameList(people)}, ${people.length > 1 ? "Eds." : "Ed."}`;

const imprintOf = (item: CslItem): string => together([item["publisher-place"], item.publisher], ": ");

function withinBook(item: CslItem): readonly string[] {
  const { author = [], editor = [], volume } = item;
  return [
    `in ${item["container-title"]}`,
    volume === undefined ? "" : `vol. ${volume}`,
    editionText(item),
    author.length === 0 ? "" : editors(editor),
    item["event-place"] ?? "",
    imprintOf(item),
    years(item) ?? "",
    pagesWithLabel(item),
  ];
}

/** Issues of journals are dated by the month. */
const monthOf = (item: CslItem): string => {
  const [month] = monthAndDay(item) ?? [];
  return together([month === undefined ? "" : MONTHS[month - 1], years(item) ?? ""], " ");
};

/** What follows a title that ends with a comma. */
function sourceOf(item: CslItem): readonly string[] {
  const { type, volume, issue, genre, publisher, number } = item;
  const container = item["container-title"];
  const date = abbreviatedDate(item, MONTHS, "month first");
  if (type === "thesis") return [genre ?? "", publisher ?? "", item["publisher-place"] ?? "", years(item) ?? ""];
  if (container !== undefined && ["chapter", "paper-conference"].includes(type)) return withinBook(item);
  if (container !== undefined) {
    const numbers = [
      volume === undefined ? "" : `vol. ${volume}`,
      issue === undefined ? "" : `no. ${issue}`,
      pagesWithLabel(item),
    ];
    return [container, ...numbers, monthOf(item)];
  }
  const event = together([item["event-title"], item["event-place"]], ", ");
  if (type === "paper-conference" && event !== "") return [`presented at ${event}`, date];
  return [event, publisher ?? "", item["publisher-place"] ?? "", together([genre, number], " "), date];
}

/** Data, software and other works: title, version, kind, who published them, when. */
function workOf(item: CslItem): string {
  const version = item.version === undefined ? "" : `Version ${item.version}`;
  const kind = kindText(item, citationWords("en").kinds);
  const date = abbreviatedDate(item, MONTHS, "month first");
  return together([version, kind, together([item.publisher, date], ", ")].map(sentence), " ");
}

const LISTED: readonly string[] = ["thesis", "report", "paper-conference", "speech", "chapter"];

/** The words of the style are English in every language. Never empty. */
export function ieee(item: CslItem): string {
  const { people, isEdited } = leadingPeople(item);
  const names = isEdited ? editors(people) : nameList(people);
  const title = item.title ?? citationWords("en").untitled;
  const online = `[Online]. Available: ${addressOf(item)}`;
  if (item.type === "book") {
    const edited = isEdited ? "" : editors(item.editor ?? []);
    const book = together([names, title, edited, editionText(item)], ", ");
    return together([sentence(book), sentence(together([imprintOf(item), years(item) ?? ""], ", ")), online], " ");
  }
  if (item["container-title"] !== undefined || LISTED.includes(item.type)) {
    const source = together(sourceOf(item), ", ");
    const mark = source === "" ? "." : ",";
    return together([together([names, quoted(title, mark)], ", "), sentence(source), online], " ");
  }
  return together([together([names, quoted(title, ".")], ", "), workOf(item), online], " ");
}
