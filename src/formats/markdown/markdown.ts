// Markdown (CommonMark with the tables, tasks and strike-through of GitHub) as a tree (Q.85). Raw HTML is text, nothing
// is inserted anywhere: who shows the tree writes the markup. Linear, bounded in depth and in nodes, and in parts.
import type { InParts } from "../../shared/time/event-loop.ts";
import { type Inline, inlines, type LinkTargets } from "./inlines.ts";

export type { Inline } from "./inlines.ts";

type ListItem = {
  /** Of a task: whether it is done. */
  readonly checked: boolean | null;
  readonly blocks: readonly Block[];
};
export type Alignment = "left" | "center" | "right" | null;
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "list";
      readonly start: number | null;
      readonly isTight: boolean;
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: "table";
      readonly alignments: readonly Alignment[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: "rule" };

/** Nodes of a document; one with more is not shown. */
const NODES_MOST = 50_000;
/** Quotes and lists inside each other; what is deeper is a paragraph. */
const DEPTH_MOST = 12;
const COLUMNS_MOST = 100;

type Reading = { readonly targets: LinkTargets; nodes: number; readonly nodesMost: number };

/** The blocks of a document; null where it has more nodes than are shown. */
export function* parseMarkdown(text: string, nodesMost: number = NODES_MOST): InParts<readonly Block[] | null> {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll("\t", "    ")));
  yield;
  const front = frontMatter(lines);
  const { body, targets } = definitionsOf(lines.slice(front?.after ?? 0));
  yield;
  const reading: Reading = { targets, nodes: 0, nodesMost };
  const blocks = yield* blocksOf(body, reading, 0);
  if (blocks === null || front === null) return blocks;
  return [{ kind: "code", language: "yaml", text: front.text }, ...blocks];
}

const FRONT_LINES = 200;

/** Values before the document, between two lines `---`. */
function frontMatter(lines: readonly string[]): { readonly text: string; readonly after: number } | null {
  if (lines[0] !== "---" || !/^[\w-]+:/.test(lines[1] ?? "")) return null;
  const end = lines.slice(1, FRONT_LINES).findIndex((line) => line === "---" || line === "...");
  return end === -1 ? null : { text: lines.slice(1, end + 1).join("\n"), after: end + 2 };
}

const DEFINITION = /^ {0,3}\[([^\][]{1,200})\]: *<?([^\s<>]{1,2000})>?(?: +(?:"[^"]*"|'[^']*'|\([^()]*\)))? *$/;

/** Addresses that links name by a label (`[label]: address`), and the lines without them. */
function definitionsOf(lines: readonly string[]): { readonly body: readonly string[]; readonly targets: LinkTargets } {
  const targets = new Map<string, string>();
  let isCode = false;
  const body = lines.filter((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    const [, label, address] = isCode || !line.includes("]:") ? [] : (DEFINITION.exec(line.slice(0, 4_000)) ?? []);
    if (label === undefined || address === undefined || label.startsWith("^")) return true;
    if (!targets.has(label.toLowerCase())) targets.set(label.toLowerCase(), address);
    return false;
  });
  return { body, targets };
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const HEADING = /^ {0,3}(#{1,6})(?: |$)/;
const QUOTE = /^ {0,3}> ?/;
const MARKER = /^( {0,3})([-+*]|(\d{1,9})[.)])( {1,4}(?=\S)| |$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+) *$/;

const isBlank = (line: string): boolean => line.trim() === "";

/** A line that ends a paragraph before it. */
const isBlockStart = (line: string): boolean =>
  FENCE.test(line) || RULE.test(line) || HEADING.test(line) || QUOTE.test(line) || MARKER.test(line);

/** Of a list, only what begins with 1 or a mark and is not empty ends a paragraph. */
function interrupts(line: string): boolean {
  const marker = MARKER.exec(line);
  if (marker === null || RULE.test(line)) return isBlockStart(line);
  return (marker[3] === undefined || marker[3] === "1") && line.length > marker[0].length;
}

type Taken = { readonly block: Block; readonly next: number };

function* blocksOf(lines: readonly string[], reading: Reading, depth: number): InParts<readonly Block[] | null> {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (isBlank(line)) {
      at += 1;
      continue;
    }
    const isDeep = depth >= DEPTH_MOST;
    const taken: Taken | null =
      takeCode(lines, at) ??
      takeHeading(line, at, reading) ??
      (RULE.test(line) ? { block: { kind: "rule" }, next: at + 1 } : null) ??
      (isDeep ? null : yield* takeQuote(lines, at, reading, depth)) ??
      (isDeep ? null : yield* takeList(lines, at, reading, depth)) ??
      takeTable(lines, at, reading) ??
      takeParagraph(lines, at, reading);
    reading.nodes += 1;
    if (reading.nodes > reading.nodesMost) return null;
    blocks.push(taken.block);
    at = taken.next;
    yield;
  }
  return blocks;
}

function inlineOf(text: string, reading: Reading): readonly Inline[] {
  const { content, nodes } = inlines(text, reading.targets);
  reading.nodes += nodes;
  return content;
}

/** Code between fences, or indented by four. */
function takeCode(lines: readonly string[], at: number): Taken | null {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line)?.[1];
  if (fence === undefined) return line.startsWith("    ") ? takeIndented(lines, at) : null;
  const indent = line.length - line.trimStart().length;
  const mark = fence.charAt(0);
  let end = at + 1;
  while (end < lines.length && !closes(lines[end] ?? "", mark, fence.length)) end += 1;
  const text = lines.slice(at + 1, end).map((each) => withoutIndent(each, indent));
  const language =
    /^[\w+#.-]{1,40}/.exec(
      line
        .trimStart()
        .slice(fence.length)
        .trim()
        .replace(/^\{?\.?/, ""),
    )?.[0] ?? "";
  return { block: { kind: "code", language, text: text.join("\n") }, next: end + 1 };
}

function closes(line: string, mark: string, length: number): boolean {
  const text = line.trim();
  return text.length >= length && line.length - line.trimStart().length < 4 && text === mark.repeat(text.length);
}

function withoutIndent(line: string, indent: number): string {
  let from = 0;
  while (from < indent && line[from] === " ") from += 1;
  return line.slice(from);
}

function takeIndented(lines: readonly string[], at: number): Taken {
  let [end, last] = [at, at];
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    if (isBlank(line)) continue;
    if (!line.startsWith("    ")) break;
    last = end;
  }
  const text = lines.slice(at, last + 1).map((line) => line.slice(4));
  return { block: { kind: "code", language: "", text: text.join("\n") }, next: last + 1 };
}

function takeHeading(line: string, at: number, reading: Reading): Taken | null {
  const marks = HEADING.exec(line)?.[1];
  if (marks === undefined) return null;
  const text = line.trim().slice(marks.length).trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  const content = end === 0 || text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
  return { block: { kind: "heading", level: marks.length, content: inlineOf(content, reading) }, next: at + 1 };
}

function* takeQuote(lines: readonly string[], at: number, reading: Reading, depth: number): InParts<Taken | null> {
  if (!QUOTE.test(lines[at] ?? "")) return null;
  const inside: string[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const mark = QUOTE.exec(line)?.[0];
    // A paragraph goes on without the mark.
    const isLazy = mark === undefined && !isBlank(line) && !isBlank(inside.at(-1) ?? "") && !interrupts(line);
    if (mark === undefined && !isLazy) break;
    inside.push(line.slice(mark?.length ?? 0));
  }
  const blocks = yield* blocksOf(inside, reading, depth + 1);
  return { block: { kind: "quote", blocks: blocks ?? [] }, next: end };
}

const TASK = /^\[([ xX])\] +/;

function* takeList(lines: readonly string[], at: number, reading: Reading, depth: number): InParts<Taken | null> {
  const first = MARKER.exec(lines[at] ?? "");
  if (first === null) return null;
  const sort = sortOf(first);
  const items: ListItem[] = [];
  let isTight = true;
  let next = at;
  for (;;) {
    const marker = MARKER.exec(lines[next] ?? "");
    if (marker === null || sortOf(marker) !== sort || RULE.test(lines[next] ?? "")) break;
    const { inside, end, hasGap } = itemLines(lines, next, marker);
    const task = TASK.exec(inside[0] ?? "");
    if (task !== null) inside[0] = (inside[0] ?? "").slice(task[0].length);
    const blocks = yield* blocksOf(inside, reading, depth + 1);
    if (blocks === null || reading.nodes > reading.nodesMost) break;
    items.push({ checked: task === null ? null : task[1] !== " ", blocks });
    reading.nodes += 1;
    next = end;
    const following = MARKER.exec(lines[next] ?? "");
    const isLast = following === null || sortOf(following) !== sort;
    if (hasGap.inside || (hasGap.after && !isLast)) isTight = false;
  }
  const start = first[3] === undefined ? null : Number(first[3]);
  return { block: { kind: "list", start, isTight, items }, next: Math.max(next, at + 1) };
}

/** Items of one list have the same mark; numbers count by what follows them. */
const sortOf = ([, , mark = ""]: RegExpExecArray): string => mark.slice(-1);

/** The lines of an item without its indent, and where the next begins. */
function itemLines(lines: readonly string[], at: number, marker: RegExpExecArray) {
  const [whole, before = "", mark = ""] = marker;
  const line = lines[at] ?? "";
  const indent = line.length > whole.length ? whole.length : before.length + mark.length + 1;
  const inside = [line.slice(whole.length)];
  const hasGap = { inside: false, after: false };
  let [end, blanks] = [at + 1, 0];
  for (; end < lines.length; end += 1) {
    const each = lines[end] ?? "";
    if (isBlank(each)) {
      blanks += 1;
      continue;
    }
    const isInside = each.startsWith(" ".repeat(indent));
    if (!isInside && (blanks > 0 || isBlockStart(each))) break;
    if (blanks > 0) hasGap.inside = true;
    for (; blanks > 0; blanks -= 1) inside.push("");
    inside.push(isInside ? each.slice(indent) : each.trimStart());
  }
  hasGap.after = blanks > 0;
  return { inside, end, hasGap };
}

function takeTable(lines: readonly string[], at: number, reading: Reading): Taken | null {
  const head = lines[at] ?? "";
  if (!head.includes("|")) return null;
  const alignments = alignmentsOf(lines[at + 1] ?? "");
  const names = cellsOf(head);
  if (alignments === null || alignments.length !== names.length || names.length > COLUMNS_MOST) return null;
  const rows: (readonly (readonly Inline[])[])[] = [];
  let next = at + 2;
  for (; next < lines.length && reading.nodes <= reading.nodesMost; next += 1) {
    const line = lines[next] ?? "";
    if (isBlank(line) || isBlockStart(line)) break;
    const cells = cellsOf(line);
    reading.nodes += alignments.length;
    rows.push(alignments.map((_, column) => inlineOf(cells[column] ?? "", reading)));
  }
  return { block: { kind: "table", alignments, head: names.map((name) => inlineOf(name, reading)), rows }, next };
}

function alignmentsOf(line: string): readonly Alignment[] | null {
  if (!line.includes("-") || !/^[ |:-]+$/.test(line)) return null;
  const cells = cellsOf(line);
  if (cells.some((cell) => !/^:?-+:?$/.test(cell))) return null;
  return cells.map((cell) => {
    if (!cell.endsWith(":")) return cell.startsWith(":") ? "left" : null;
    return cell.startsWith(":") ? "center" : "right";
  });
}

/** The cells of a row; a bar after a backslash is part of its cell. */
function cellsOf(line: string): readonly string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = "";
  for (let at = text.startsWith("|") ? 1 : 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\" && text[at + 1] === "|") {
      cell += "|";
      at += 1;
    } else if (character === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += character;
  }
  if (!text.endsWith("|") || cell.trim() !== "") cells.push(cell.trim());
  return cells;
}

/** A paragraph; underlined, it is a heading. */
function takeParagraph(lines: readonly string[], at: number, reading: Reading): Taken {
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    if (UNDERLINE.test(line)) {
      const content = inlineOf(joinedLines(lines.slice(at, end)), reading);
      return { block: { kind: "heading", level: line.trim().startsWith("=") ? 1 : 2, content }, next: end + 1 };
    }
    if (isBlank(line) || interrupts(line)) break;
  }
  return { block: { kind: "paragraph", content: inlineOf(joinedLines(lines.slice(at, end)), reading) }, next: end };
}

const joinedLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimStart())
    .join("\n")
    .trimEnd();
