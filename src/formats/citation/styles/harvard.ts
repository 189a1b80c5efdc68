// Harvard (Cite Them Right, 12th edition) as one line of plain text: the default style of citations.
import type { CslItem, CslName } from "../../csl/item.ts";
import { citationWords } from "../words.ts";
import {
  addressOf,
  closed,
  hasInitials,
  initials,
  isJapanese,
  monthAndDay,
  monthName,
  ordinal,
  pagesWithLabel,
  together,
  volumeAndIssue,
  years,
} from "./parts.ts";

/** Of more than three, the first is named. */
const MAX_NAMED = 3;

type Marks = {
  readonly and: string;
  readonly others: string;
  readonly noDate: string;
  readonly open: string;
  readonly close: string;
  /** American style puts full stop and comma inside the quotation. */
  readonly takesStops: boolean;
  readonly editor: (count: number) => string;
  readonly editedBy: string;
  readonly edition: (ordinal: string, number: string) => string;
  readonly in: string;
  readonly available: string;
};

const US: Marks = {
  and: " and ",
  others: " et al.",
  noDate: "no date",
  open: "“",
  close: "”",
  takesStops: true,
  editor: (count) => (count > 1 ? "(eds.)" : "(ed.)"),
  editedBy: "Edited by ",
  edition: (count) => `${count} ed`,
  in: "in ",
  available: "Available at: ",
};
const GB: Marks = {
  ...US,
  open: "‘",
  close: "’",
  takesStops: false,
  editor: (count) => (count > 1 ? "(eds)" : "(ed.)"),
  edition: (count) => `${count} edn`,
};
const JA: Marks = {
  ...US,
  and: "と",
  others: "ほか",
  noDate: "日付なし",
  open: "「",
  close: "」",
  takesStops: false,
  editor: () => "(編)",
  editedBy: "編集: ",
  edition: (_, number) => `第${number}版`,
  in: "",
  available: "入手先: ",
};

const marksOf = (locale: string): Marks => (isJapanese(locale) ? JA : /^en[-_]US$/i.test(locale) ? US : GB);

const whole = (name: CslName): string => ("literal" in name ? name.literal : together([name.family, name.given], ", "));
const listName = (name: CslName): string =>
  closed(name) ?? (hasInitials(name) ? `${name.family}, ${initials(name.given, "")}` : whole(name));
/** Names inside a reference: three and more with a comma before the last. */
function insideList(people: readonly CslName[], marks: Marks): string {
  const names = people.slice(0, MAX_NAMED + 1).map(inside);
  if (names.length !== MAX_NAMED || marks.and !== US.and) return nameList(names, marks);
  return `${names.slice(0, -1).join(", ")},${marks.and}${names.at(-1)}`;
}

const inside = (name: CslName): string =>
  closed(name) ?? (hasInitials(name) ? `${initials(name.given, "")} ${name.family}` : whole(name));

function nameList(names: readonly string[], { and, others }: Marks): string {
  const [first = ""] = names;
  if (names.length > MAX_NAMED) return first + others;
  return names.length < 2 ? first : `${names.slice(0, -1).join(", ")}${and}${names.at(-1)}`;
}

/** Works that are cited by a title in italics: without quotation marks. */
const WHOLE_WORKS: readonly string[] = ["book", "motion_picture", "report", "song", "thesis", "graphic"];
const PERIODICALS: readonly string[] = ["article-journal", "article-newspaper"];
const IN_BOOKS: readonly string[] = ["chapter", "paper-conference"];
const PAGED: readonly string[] = [
  "chapter",
  "paper-conference",
  "article-journal",
  "article",
  "article-newspaper",
  "book",
  "review",
  "report",
];

const END = /[.?!…。？！]$/;

function editionOf({ edition }: CslItem, marks: Marks): string {
  if (edition === undefined) return "";
  const count = ordinal(edition);
  return count === null ? edition : marks.edition(count, edition);
}

/**
 * One text of parts, each with the mark before it; a mark goes into the quotation before it, or is omitted after the
 * mark of a sentence.
 */
function joinParts(parts: readonly (readonly [mark: string, text: string])[], marks: Marks): string {
  let written = "";
  for (const [mark, text] of parts) {
    if (text === "") continue;
    if (written === "") {
      written = text;
      continue;
    }
    const stop = mark.trimEnd();
    const isQuoted = written.endsWith(marks.close);
    const inner = isQuoted ? written.slice(0, -1) : written;
    if (stop === "") written += mark + text;
    else if (stop === "." && END.test(inner)) written += mark.slice(stop.length) + text;
    else if (isQuoted && marks.takesStops) written = `${inner}${stop}${marks.close}${mark.slice(stop.length)}${text}`;
    else written += mark + text;
  }
  return written;
}

function titleOf(item: CslItem, marks: Marks, untitled: string): string {
  const title = item.title ?? untitled;
  if (item.title === undefined) return title;
  if (WHOLE_WORKS.includes(item.type))
    return joinParts(
      [
        ["", title],
        [". ", editionOf(item, marks)],
      ],
      marks,
    );
  return `${marks.open}${title}${marks.close}`;
}

function editorsIn(item: CslItem, marks: Marks): string {
  const { editor = [], type } = item;
  if (!IN_BOOKS.includes(type) || editor.length === 0) return "";
  return `${marks.in}${insideList(editor, marks)} ${marks.editor(editor.length)}`;
}

function publisherOf(item: CslItem): string {
  const { type, publisher = "", genre, number } = item;
  if (type === "thesis") return together([genre, publisher], ". ");
  if (PERIODICALS.includes(type)) return "";
  const placed = together([item["publisher-place"], publisher], ": ");
  return type === "report" ? together([together([genre, number], " "), placed], ". ") : placed;
}

function dayOf(item: CslItem, locale: string): string {
  const day = ["article-newspaper", "speech"].includes(item.type) ? monthAndDay(item) : null;
  if (day === null) return "";
  const [month, date] = day;
  return isJapanese(locale)
    ? `${month}月${date === null ? "" : `${date}日`}`
    : together([date?.toString(), monthName(month)], " ");
}

/** `locale`: `en-US` has American quotation marks, other English British ones. Never empty. */
export function harvard(item: CslItem, locale: string): string {
  const marks = marksOf(locale);
  const { author = [], editor = [] } = item;
  const isEdited = author.length === 0 && editor.length > 0;
  const people = isEdited ? editor : author;
  const names =
    nameList(people.slice(0, MAX_NAMED + 1).map(listName), marks) + (isEdited ? ` ${marks.editor(editor.length)}` : "");
  const title = titleOf(item, marks, citationWords(locale).untitled);
  const isLedByTitle = people.length === 0;
  const year = `(${years(item) ?? marks.noDate})`;
  const container = item["container-title"] ?? "";
  const isWithin = !WHOLE_WORKS.includes(item.type) && container !== "";
  // An article in a journal without volume and pages has not yet appeared in an issue.
  const isAhead =
    ["article", "article-journal"].includes(item.type) && item.volume === undefined && item.page === undefined;
  const journal = container !== "" && isAhead ? `${container} [Preprint]` : container;
  const place = [isEdited ? "" : editorsIn(item, marks), journal, isWithin ? editionOf(item, marks) : ""] as const;
  const within = joinParts(
    [
      ["", together([place[0], place[1]], " ")],
      [". ", place[2]],
    ],
    marks,
  );
  const secondary =
    !isEdited && !IN_BOOKS.includes(item.type) && editor.length > 0 ? marks.editedBy + insideList(editor, marks) : "";
  const body = joinParts(
    [
      ["", `${isLedByTitle ? title : names} ${year}`],
      [" ", isLedByTitle ? "" : title],
      [isLedByTitle ? " " : ", ", within],
      [". ", secondary],
      [". ", publisherOf(item)],
      [", ", item.type === "article-journal" ? volumeAndIssue(item) : ""],
      [", ", dayOf(item, locale)],
      [", ", PAGED.includes(item.type) ? pagesWithLabel(item) : ""],
      [". ", marks.available + addressOf(item)],
    ],
    marks,
  );
  return `${body}.`;
}
