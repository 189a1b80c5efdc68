// The Chicago Manual of Style, 18th edition, as one line of plain text: the entry of a list of references (author-date)
// and that of a bibliography (notes and bibliography).
import type { CslItem, CslName } from "../../csl/item.ts";
import { citationWords } from "../words.ts";
import {
  addressOf,
  editionText,
  isWholeWork,
  kindText,
  leadingPeople,
  pageRange,
  quoted,
  sentence,
  sentences,
  sortedName,
  spokenName,
  together,
  years,
} from "./parts.ts";

/** Of more than six, the first three are named. */
const MAX_NAMED = 6;
const FIRST_NAMED = 3;

/** A comma is before "and" also where there are two, if the first is in its sorted form. */
function nameList(people: readonly CslName[], first: (name: CslName) => string): string {
  const isLong = people.length > MAX_NAMED;
  const names = people
    .slice(0, isLong ? FIRST_NAMED : MAX_NAMED)
    .map((name, at) => (at === 0 ? first(name) : spokenName(name)));
  if (isLong) return `${names.join(", ")}, et al.`;
  const last = names.at(-1) ?? "";
  if (names.length < 2) return last;
  const comma = names.length > 2 || names[0] !== people.slice(0, 1).map(spokenName)[0] ? "," : "";
  return `${names.slice(0, -1).join(", ")}${comma} and ${last}`;
}

const editedBy = ({ author = [], editor = [] }: CslItem, words: string): string =>
  author.length === 0 || editor.length === 0 ? "" : `${words} ${nameList(editor, spokenName)}`;

const PERIODICALS: readonly string[] = ["article-journal", "article-newspaper", "review"];

/** Author-date: `12 (3): 34–57`; notes: `12, no. 3 (2015): 34–57`. */
function journalOf(item: CslItem, date: string | null): string {
  const { volume, issue } = item;
  const isBare = date !== null || volume === undefined;
  const number = issue === undefined ? "" : isBare ? `no. ${issue}` : `(${issue})`;
  const lead = together([item["container-title"], volume], " ");
  const numbered = together([lead, number], isBare ? ", " : " ");
  const dated = date === null || date === "" ? numbered : `${numbered} (${date})`;
  return together([dated, pageRange(item)], numbered === item["container-title"] ? ", " : ": ");
}

/** Where it appeared; `date`: for the end of the source, null where it follows the names. */
function sourceOf(item: CslItem, date: string | null): readonly string[] {
  const { type, publisher, version, genre, number, editor = [] } = item;
  const container = item["container-title"];
  const event = together([item["event-title"], item["event-place"]], ", ");
  const imprint = together([publisher, date ?? ""], ", ");
  if (type === "thesis") return [together([genre, publisher, date ?? ""], ", ")];
  if (container !== undefined && !["chapter", "paper-conference"].includes(type)) return [journalOf(item, date)];
  if (container !== undefined) {
    const editors = editor.length === 0 ? "" : editedBy(item, "edited by");
    const volume = item.volume === undefined ? "" : `vol. ${item.volume}`;
    return [together([`In ${container}`, volume, editors, pageRange(item)], ", "), editionText(item), imprint];
  }
  const presented = type === "paper-conference" && event !== "" ? `Paper presented at ${event}` : event;
  const kind = kindText(item, citationWords("en").kinds);
  return [
    editionText(item),
    editedBy(item, "Edited by"),
    version === undefined ? "" : `Version ${version}`,
    type === "paper-conference" ? together([presented, date ?? ""], ", ") : presented,
    together([kind, number], " "),
    type === "paper-conference" && presented !== "" ? (publisher ?? "") : imprint,
  ];
}

function chicago(item: CslItem, isDateFirst: boolean): string {
  const { people, isEdited } = leadingPeople(item);
  const named = nameList(people, sortedName);
  const names = isEdited ? `${named}, ${people.length > 1 ? "eds." : "ed."}` : named;
  const date = years(item) ?? "n.d.";
  const isQuoted = item.title !== undefined && (PERIODICALS.includes(item.type) || !isWholeWork(item));
  const title = isQuoted ? quoted(item.title ?? "", ".") : (item.title ?? citationWords("en").untitled);
  const lead = isDateFirst ? (names === "" ? [title, date] : [names, date, title]) : [names, title];
  return sentence(together([sentences([...lead, ...sourceOf(item, isDateFirst ? null : date)]), addressOf(item)], " "));
}

/** The words of the style are English in every language. Never empty. */
export const chicagoAuthorDate = (item: CslItem): string => chicago(item, true);
export const chicagoNotes = (item: CslItem): string => chicago(item, false);
