// The MLA Handbook, 9th edition, as one line of plain text: the entry of a list of works cited.
import type { CslItem, CslName } from "../../csl/item.ts";
import { citationWords } from "../words.ts";
import {
  abbreviatedDate,
  addressOf,
  editionText,
  isWholeWork,
  kindText,
  leadingPeople,
  pagesWithLabel,
  quoted,
  sentences,
  sortedName,
  spokenName,
  together,
  years,
} from "./parts.ts";

const MONTHS = ["Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec."];
/** Works that are dated by the year. */
const YEARLY: readonly string[] = ["book", "chapter", "thesis"];

/** Two are named; of more, the first. */
function nameList(people: readonly CslName[], first: (name: CslName) => string): string {
  const [one, two] = people;
  if (one === undefined) return "";
  if (people.length > 2) return `${first(one)}, et al.`;
  if (two === undefined) return first(one);
  return `${first(one)}${first(one) === spokenName(one) ? "" : ","} and ${spokenName(two)}`;
}

const editedBy = ({ author = [], editor = [] }: CslItem): string =>
  author.length === 0 || editor.length === 0
    ? ""
    : `edited by ${nameList(editor, spokenName).replace(", et al.", " et al.")}`;

/** Other people, version, number, publisher, date, pages: the elements of a container in their order. */
function elementsOf(item: CslItem): readonly string[] {
  const { type, volume, issue, version, publisher } = item;
  const event = together([item["event-title"], item["event-place"]], ", ");
  const date = YEARLY.includes(type) ? (years(item) ?? "") : abbreviatedDate(item, MONTHS, "day first");
  return [
    item["container-title"] ?? "",
    editedBy(item),
    editionText(item),
    version === undefined ? "" : `version ${version}`,
    volume === undefined ? "" : `vol. ${volume}`,
    issue === undefined ? "" : `no. ${issue}`,
    type === "thesis" ? "" : (publisher ?? ""),
    item["container-title"] === undefined ? event : "",
    type === "thesis" ? "" : date,
    pagesWithLabel(item),
  ];
}

/** The words of the style are English in every language. Never empty. */
export function mla(item: CslItem): string {
  const { people, isEdited } = leadingPeople(item);
  const named = nameList(people, sortedName);
  const names = isEdited ? `${named}, ${people.length > 1 ? "editors" : "editor"}` : named;
  const isQuoted = item.title !== undefined && !isWholeWork(item) && item.type !== "thesis";
  const title = isQuoted ? quoted(item.title ?? "", ".") : (item.title ?? citationWords("en").untitled);
  const elements = together(elementsOf(item), ", ");
  const isThesis = item.type === "thesis";
  const thesis = isThesis ? [years(item) ?? "", together([item.publisher, item.genre], ", ")] : [];
  const source = isThesis || elements === "" ? elements : elements.charAt(0).toUpperCase() + elements.slice(1);
  return sentences([
    names,
    title,
    ...thesis,
    together([source, addressOf(item)], ", "),
    kindText(item, citationWords("en").kinds),
  ]);
}
