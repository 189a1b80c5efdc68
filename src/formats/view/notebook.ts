// Jupyter notebooks (nbformat 3 and 4) as cells with their outputs (Q.88): text and pictures of pixels. HTML, SVG and
// scripts of outputs are named and left out.
import { jsonExcess } from "../../shared/json/read.ts";
import type { InParts } from "../../shared/time/event-loop.ts";
import { type Block, parseMarkdown } from "../markdown/markdown.ts";
import { cutText } from "./shown-text.ts";

type NotebookPicture = {
  readonly kind: "picture";
  readonly mediaType: string;
  readonly base64: string;
  readonly text: string;
};
export type NotebookOutput =
  | { readonly kind: "text" | "error"; readonly text: string; readonly left: number }
  | NotebookPicture
  /** Media types of what is not shown. */
  | { readonly kind: "left-out"; readonly types: readonly string[] };
export type NotebookCell =
  | { readonly kind: "markdown"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "code" | "raw";
      readonly source: string;
      readonly left: number;
      /** The number of its run; null: it was not run. */
      readonly run: number | null;
      readonly outputs: readonly NotebookOutput[];
      readonly outputsLeft: number;
    };
export type Notebook = {
  readonly language: string;
  readonly cells: readonly NotebookCell[];
  readonly page: number;
  readonly pages: number;
  readonly count: number;
};

const BOUNDS = { deepest: 200, values: 500_000, members: Number.POSITIVE_INFINITY } as const;
const CELLS_PER_PAGE = 50;
const CELL = { sourceCharacters: 20_000, outputs: 20, outputCharacters: 10_000, markdownNodes: 2_000 } as const;
/** Characters of texts, and of pictures, on one page. */
const PAGE = { characters: 400_000, pictureCharacters: 8_000_000 } as const;

type Members = Readonly<Record<string, unknown>>;
type Budget = { characters: number; pictures: number };

/** One page of a notebook. "not-notebook": it is something else; "too-complex": it has more than is read. */
export function* notebookPage(text: string, asked: number): InParts<Notebook | "not-notebook" | "too-complex"> {
  if (jsonExcess(text, BOUNDS) !== null) return "too-complex";
  yield;
  const found = membersOf(parsed(text));
  yield;
  const cells = cellsOf(found);
  if (cells === null) return "not-notebook";
  const pages = Math.max(1, Math.ceil(cells.length / CELLS_PER_PAGE));
  const page = Math.min(asked, pages);
  const budget: Budget = { characters: PAGE.characters, pictures: PAGE.pictureCharacters };
  const shown: NotebookCell[] = [];
  for (const cell of cells.slice((page - 1) * CELLS_PER_PAGE, page * CELLS_PER_PAGE)) {
    shown.push(yield* cellOf(membersOf(cell), budget));
    yield;
  }
  return { language: languageOf(found), cells: shown, page, pages, count: cells.length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const wordOf = (value: unknown): string => (typeof value === "string" ? value : "");
/** Texts are written whole or by lines. */
const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : listOf(value)
        .filter((line) => typeof line === "string")
        .join("");

/** Cells of version 4, or of the worksheets of version 3; null for what is not a notebook. */
function cellsOf(notebook: Members): readonly unknown[] | null {
  if (typeof notebook.nbformat !== "number") return null;
  if (Array.isArray(notebook.cells)) return notebook.cells;
  if (!Array.isArray(notebook.worksheets)) return null;
  return notebook.worksheets.flatMap((sheet: unknown) => listOf(membersOf(sheet).cells));
}

function languageOf({ metadata }: Members): string {
  const { language_info: info, kernelspec } = membersOf(metadata);
  const name = wordOf(membersOf(kernelspec).display_name) || wordOf(membersOf(info).name);
  return cutText(name, 100).text;
}

function* cellOf(cell: Members, budget: Budget): InParts<NotebookCell> {
  const source = textOf(cell.source ?? cell.input);
  const isCode = cell.cell_type === "code";
  if (cell.cell_type === "markdown" || cell.cell_type === "heading") {
    const marks = cell.cell_type === "heading" ? `${"#".repeat(Number(cell.level) === 1 ? 1 : 2)} ` : "";
    const { text, left } = spend(marks + source, CELL.sourceCharacters, budget);
    const blocks = left > 0 ? null : yield* parseMarkdown(text, CELL.markdownNodes);
    if (blocks !== null) return { kind: "markdown", blocks };
    return { kind: "raw", source: text, left, run: null, outputs: [], outputsLeft: 0 };
  }
  const { text, left } = spend(source, CELL.sourceCharacters, budget);
  const run = cell.execution_count ?? cell.prompt_number;
  const outputs = isCode ? listOf(cell.outputs) : [];
  return {
    kind: isCode ? "code" : "raw",
    source: text,
    left,
    run: typeof run === "number" ? run : null,
    outputs: outputs.slice(0, CELL.outputs).map((output) => outputOf(membersOf(output), budget)),
    outputsLeft: Math.max(0, outputs.length - CELL.outputs),
  };
}

/** The beginning of a text, as far as the page has room for it. */
function spend(text: string, most: number, budget: Budget): { readonly text: string; readonly left: number } {
  const found = cutText(text, Math.min(most, budget.characters));
  budget.characters -= found.text.length;
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals
const COLOURS = /\u001B\[[0-9;]{0,20}[A-Za-z]/g;

function outputOf(output: Members, budget: Budget): NotebookOutput {
  const kind = wordOf(output.output_type);
  if (kind === "stream") return written("text", textOf(output.text), budget);
  if (kind === "error" || kind === "pyerr") {
    const trace = listOf(output.traceback)
      .filter((line) => typeof line === "string")
      .join("\n");
    return written("error", trace || `${wordOf(output.ename)}: ${wordOf(output.evalue)}`, budget);
  }
  return dataOf(isMembers(output.data) ? output.data : oldData(output), budget);
}

function written(kind: "text" | "error", text: string, budget: Budget): NotebookOutput {
  return {
    kind,
    ...spend(text.slice(0, 10 * CELL.outputCharacters).replace(COLOURS, ""), CELL.outputCharacters, budget),
  };
}

/** Names of data in version 3. */
const OLD: Readonly<Record<string, string>> = {
  text: "text/plain",
  png: "image/png",
  jpeg: "image/jpeg",
  html: "text/html",
  svg: "image/svg+xml",
};

const oldData = (output: Members): Members =>
  Object.fromEntries(Object.entries(OLD).flatMap(([name, type]) => (name in output ? [[type, output[name]]] : [])));

/** A picture, otherwise the text; of all other media types the names. */
function dataOf(data: Members, budget: Budget): NotebookOutput {
  const text = textOf(data["text/plain"]);
  for (const mediaType of ["image/png", "image/jpeg"]) {
    const base64 = textOf(data[mediaType]).replaceAll("\n", "");
    if (!isPicture(mediaType, base64) || base64.length > budget.pictures) continue;
    budget.pictures -= base64.length;
    return { kind: "picture", mediaType, base64, text: cutText(text, 200).text };
  }
  if (text !== "") return written("text", text, budget);
  return {
    kind: "left-out",
    types: Object.keys(data)
      .slice(0, 5)
      .map((type) => cutText(type, 100).text),
  };
}

/** The first bytes of a PNG and of a JPEG. */
const BEGINNINGS: Readonly<Record<string, string>> = { "image/png": "iVBORw0KGgo", "image/jpeg": "/9j/" };

const isPicture = (mediaType: string, base64: string): boolean =>
  base64.startsWith(BEGINNINGS[mediaType] ?? " ") && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
