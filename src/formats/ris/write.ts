// A record in RIS (application/x-research-info-systems), as reference managers take it: one tag and one value a line,
// in Unicode. The language is that of the title, as in BibTeX and CSL.
import type { Metadata } from "../../model/metadata/metadata.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { own } from "../../shared/objects.ts";
import { type CitedItem, citedOf } from "../citation/cited-item.ts";
import { type CslItem, type CslName, cslItem, oneLine } from "../csl/item.ts";
import { leftOutOfCitation } from "../csl/write.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";

/** By id of the vocabulary resourcetypes; all other types are `GEN`. */
const TYPES: Readonly<Record<string, string>> = {
  "publication-article": "JOUR",
  "publication-book": "BOOK",
  "publication-conferencepaper": "CPAPER",
  "publication-conferenceproceeding": "CONF",
  "publication-datamanagementplan": "RPRT",
  "publication-datapaper": "JOUR",
  "publication-deliverable": "RPRT",
  "publication-dissertation": "THES",
  "publication-journal": "JFULL",
  "publication-milestone": "RPRT",
  "publication-patent": "PAT",
  "publication-peerreview": "JOUR",
  "publication-preprint": "UNPB",
  "publication-proposal": "RPRT",
  "publication-report": "RPRT",
  "publication-section": "CHAP",
  "publication-softwaredocumentation": "RPRT",
  "publication-standard": "STAND",
  "publication-taxonomictreatment": "JOUR",
  "publication-technicalnote": "RPRT",
  "publication-thesis": "THES",
  "publication-workingpaper": "RPRT",
  audio: "SOUND",
  dataset: "DATA",
  image: "FIGURE",
  "image-diagram": "FIGURE",
  "image-drawing": "ART",
  "image-figure": "FIGURE",
  "image-other": "ART",
  "image-photo": "ART",
  "image-plot": "FIGURE",
  lesson: "SLIDE",
  presentation: "SLIDE",
  software: "COMP",
  "software-computationalnotebook": "COMP",
  video: "VIDEO",
  workflow: "COMP",
};

/** Types that the citation of a work without an entry in the vocabulary has by its label. */
const BY_CSL_TYPE: Readonly<Record<string, string>> = { map: "MAP", "article-newspaper": "NEWS" };

const risType = ({ type }: Metadata, item: CslItem): string =>
  own(BY_CSL_TYPE, item.type) ?? own(TYPES, type?.id ?? "") ?? "GEN";

/** A comma divides a name: names in one piece and family names lose theirs. */
const undivided = (name: string): string => oneLine(name.replace(/[,，]/g, " "));

/** "Family, Given", also in Japanese. */
function risName(name: CslName): string {
  if ("literal" in name) return undivided(name.literal);
  const family = undivided(name.family);
  return name.given === undefined ? family : `${family}, ${oneLine(name.given)}`;
}

/** `PY` is the year, `DA` the date as exactly as it is known; of an interval the first date. */
function datesOf({ issued }: CslItem): readonly Line[] {
  if (issued === undefined) return [];
  if ("literal" in issued) return [["DA", issued.literal]];
  const [year, ...days] = issued["date-parts"][0] ?? [];
  // RIS has four digits for a year, and none before the first.
  if (year === undefined || year < 0) return [];
  const written = String(year).padStart(4, "0");
  const exact = [written, ...days.map((part) => String(part).padStart(2, "0"))];
  return [
    ["PY", written],
    ["DA", days.length === 0 ? undefined : [...exact, "", ""].slice(0, 4).join("/")],
  ];
}

function pagesOf(item: CslItem, metadata: Metadata): readonly Line[] {
  const [container] = metadata.containers;
  if (item.page !== undefined) {
    return [
      ["SP", container?.pageStart],
      ["EP", container?.pageEnd],
    ];
  }
  return item.type === "book" ? [["SP", item["number-of-pages"]]] : [];
}

type Line = readonly [tag: string, value: string | undefined];

const tagged = (tag: string, values: readonly string[]): readonly Line[] => values.map((value) => [tag, value]);

function linesOf(item: CslItem, { metadata, repositoryName }: CitedItem): readonly Line[] {
  const notes = metadata.descriptions
    .filter(({ kind }) => kind.toLowerCase() === "other")
    .map(({ value, html }) => (html ? htmlToText(value) : value));
  const keywords = new Set(metadata.subjects.map(({ text }) => oneLine(text?.value ?? "")));
  return [
    ["TY", risType(metadata, item)],
    ...tagged("AU", (item.author ?? []).map(risName)),
    ...tagged("A2", (item.editor ?? []).map(risName)),
    ...tagged("A4", (item.translator ?? []).map(risName)),
    ["TI", item.title],
    ["T2", item["container-title"] ?? item["event-title"]],
    ...datesOf(item),
    ["VL", item.volume],
    ["IS", item.issue],
    ...pagesOf(item, metadata),
    ["ET", item.edition],
    ["M1", item.number],
    ["M3", item.type === "thesis" ? item.genre : undefined],
    ["PB", item.publisher],
    ["CY", item["publisher-place"]],
    ["SN", [item.ISBN, item.ISSN].filter((each) => each !== undefined).join(" ")],
    ["LA", item.language],
    ["DO", item.DOI],
    ["UR", item.URL],
    ["DB", repositoryName],
    ["ID", item.id],
    ...tagged("KW", [...keywords]),
    ["AB", item.abstract],
    ...tagged("N1", notes),
  ];
}

/** One record from `TY` to `ER`, in the language of the title where no reader is named. Lines end with CR LF. */
export function risEntry(id: string, cited: CitedItem, reader?: string): string {
  const lines = linesOf(cslItem(id, cited, reader), cited).flatMap(([tag, value]) => {
    const text = oneLine(value ?? "");
    return text === "" ? [] : [`${tag}  - ${text}\r\n`];
  });
  return `${lines.join("")}ER  - \r\n`;
}

export const writeRis = (record: ExportedRecord): WrittenExport => ({
  text: risEntry(String(record.id), citedOf(record)),
  leftOut: leftOutOfCitation(record),
});
