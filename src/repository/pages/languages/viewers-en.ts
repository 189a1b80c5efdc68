// English texts of the pages that show files (R49).
import { viewerPartsEn } from "./viewer-parts-en.ts";
import { viewersMediaEn } from "./viewers-media-en.ts";

const { format: number } = new Intl.NumberFormat("en-GB");

export const viewersEn = {
  view: "View",
  heading: (name: string) => `View of ${name}`,
  download: "Download the file",
  as: "Show as",
  /** By the kind of viewer. */
  kinds: {
    ...viewersMediaEn.viewers,
    ...viewerPartsEn.kinds,
    markdown: "Document",
    workbook: "Sheets",
    table: "Table",
    notebook: "Notebook",
    json: "JSON",
    xml: "XML",
    text: "Text",
  },
  notShown: "This file is not shown here",
  reasons: {
    none: "There is no viewer for files of this kind.",
    empty: "The file is empty.",
    "too-large": (limit: string) => `It is larger than the ${limit} that this viewer reads.`,
    "too-complex": "It has more parts, or nests deeper, than this viewer reads.",
    "wrong-content": "Its content is not of the kind that its name or media type states.",
    encrypted: "It is encrypted.",
    unsupported: "It is of a kind that browsers cannot show.",
    "too-many-pixels": "It has more pixels than a browser shows without trouble.",
    "no-degrees": "Its coordinates are not degrees of longitude and latitude.",
    "no-places": "It has no places that a map could show.",
  },
  canDownload: "You can download it.",
  table: {
    label: "Rows of the table",
    row: "Row",
    rows: (first: number, last: number, count: number, isCut: boolean) =>
      isCut
        ? `Rows ${number(first)} to ${number(last)}; the beginning of the table is shown.`
        : `Rows ${number(first)} to ${number(last)} of ${number(count)}.`,
    columnsLeft: (columns: number) => `${number(columns)} more columns are not shown.`,
    sheets: "Sheets",
    columns: "Columns, by the rows that are shown",
    column: "Column",
    type: "Type",
    types: {
      integer: "Whole number",
      number: "Number",
      date: "Date",
      boolean: "Yes or no",
      text: "Text",
      mixed: "Mixed",
      empty: "Empty",
    },
    filled: "Values",
    range: "Range",
    between: (least: string, most: string) => `${least} to ${most}`,
  },
  notebook: {
    cells: (count: number) => (count === 1 ? "1 cell" : `${number(count)} cells`),
    code: (run: number | null) => (run === null ? "Code, not run" : `Code, run ${number(run)}`),
    cut: (characters: number) => `… ${number(characters)} more characters`,
    picture: "Picture made by the code",
    leftOut: (types: string) => `An output is not shown here (${types}).`,
    outputsLeft: (count: number) => `${number(count)} more outputs are not shown.`,
  },
  data: {
    members: (count: number) => (count === 1 ? "1 member" : `${number(count)} members`),
    entries: (count: number) => (count === 1 ? "1 entry" : `${number(count)} entries`),
    more: (count: number) => `… ${number(count)} more are not shown`,
  },
  text: {
    lines: (first: number, last: number, count: number) =>
      `Lines ${number(first)} to ${number(last)} of ${number(count)}`,
    begins: (size: string) => `Only the first ${size} of the file are shown.`,
    cut: (characters: number) => `… ${number(characters)} more characters in this line`,
    label: "Content of the file",
  },
  media: viewersMediaEn,
};
