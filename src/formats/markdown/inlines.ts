// What is inside a paragraph of Markdown (CommonMark 0.31, section 6): code, emphasis, links, pictures, line ends. One
// pass finds the pieces, one matches their marks, one builds the tree.

export type Inline =
  | string
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "em" | "strong" | "strike"; readonly content: readonly Inline[] }
  | { readonly kind: "link"; readonly address: string; readonly content: readonly Inline[] }
  | { readonly kind: "picture"; readonly address: string; readonly text: string }
  | { readonly kind: "break" };

/** Addresses by label, in lower case. */
export type LinkTargets = ReadonlyMap<string, string>;

/** A longer text is shown as it is. */
const CHARACTERS_MOST = 50_000;
const ADDRESS_MOST = 2_000;
const LABEL_MOST = 200;
/** Emphasis inside emphasis; deeper marks are left out. */
const DEPTH_MOST = 12;

type Emphasis = "em" | "strong" | "strike";
type Open = { readonly kind: Emphasis } | { readonly kind: "link"; readonly address: string };

/** A piece of the text: what it is, then the elements that end and begin at it. */
type Piece = {
  text: string;
  node?: Inline;
  /** In the order in which they are written. */
  closing: number;
  opening: Open[];
};

/** A run of `*`, `_` or `~` that may begin or end emphasis. */
type Run = {
  readonly piece: Piece;
  readonly mark: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  left: number;
  readonly length: number;
};

type Bracket = { readonly piece: Piece; readonly isPicture: boolean; readonly at: number; readonly runs: number };

export function inlines(
  text: string,
  targets: LinkTargets,
): { readonly content: readonly Inline[]; readonly nodes: number } {
  if (text.length > CHARACTERS_MOST) return { content: [text], nodes: 1 };
  const pieces = new Pieces(text, targets).read();
  return { content: treeOf(pieces), nodes: pieces.length };
}

const MARKS = "\\`*_~[]!<\n&h";
const ESCAPED = /[!-/:-@[-`{-~]/;

class Pieces {
  readonly #text: string;
  readonly #targets: LinkTargets;
  readonly #pieces: Piece[] = [];
  #runs: Run[] = [];
  readonly #brackets: Bracket[] = [];
  #at = 0;
  /** Where runs of backticks begin, by their length; null: not counted yet. */
  #ticks: Map<number, number[]> | null = null;

  constructor(text: string, targets: LinkTargets) {
    this.#text = text;
    this.#targets = targets;
  }

  read(): readonly Piece[] {
    const text = this.#text;
    while (this.#at < text.length) {
      let end = this.#at;
      while (end < text.length && !MARKS.includes(text.charAt(end))) end += 1;
      if (end > this.#at) this.#put(text.slice(this.#at, end));
      this.#at = end;
      if (end < text.length) this.#mark(text.charAt(end));
    }
    matchRuns(this.#runs);
    return this.#pieces;
  }

  #put(text: string, node?: Inline): Piece {
    const piece: Piece = { text, closing: 0, opening: [], ...(node === undefined ? {} : { node }) };
    this.#pieces.push(piece);
    return piece;
  }

  #mark(character: string): void {
    if (character === "\\") this.#escape();
    else if (character === "`") this.#code();
    else if ("*_~".includes(character)) this.#run(character);
    else if (character === "!" || character === "[") this.#openBracket();
    else if (character === "]") this.#closeBracket();
    else if (character === "\n") this.#lineEnd();
    else if (character === "&") this.#reference();
    else this.#autolink();
  }

  #plain(length = 1): void {
    this.#put(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
  }

  #escape(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "\n") {
      this.#put("", { kind: "break" });
      this.#at += 2;
    } else if (ESCAPED.test(next)) {
      this.#put(next);
      this.#at += 2;
    } else this.#plain();
  }

  #code(): void {
    const length = lengthOfRun(this.#text, this.#at);
    this.#ticks ??= backticks(this.#text);
    const ends = this.#ticks.get(length) ?? [];
    while ((ends.at(-1) ?? Number.POSITIVE_INFINITY) <= this.#at) ends.pop();
    const end = ends.at(-1);
    if (end === undefined) {
      this.#plain(length);
      return;
    }
    const inside = this.#text.slice(this.#at + length, end).replaceAll("\n", " ");
    const isPadded = inside.startsWith(" ") && inside.endsWith(" ") && inside.trim() !== "";
    this.#put("", { kind: "code", text: isPadded ? inside.slice(1, -1) : inside });
    this.#at = end + length;
  }

  /** CommonMark 6.2: by what is next to a run it opens, closes, or is text. */
  #run(mark: string): void {
    const length = lengthOfRun(this.#text, this.#at);
    const [before, after] = [this.#text.charAt(this.#at - 1), this.#text.charAt(this.#at + length)];
    const piece = this.#put(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
    if (mark === "~" && length > 2) return;
    const isLeft = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before));
    const isRight = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after));
    const isWord = mark === "_";
    const canOpen = isLeft && (!isWord || !isRight || isPunctuation(before));
    const canClose = isRight && (!isWord || !isLeft || isPunctuation(after));
    if (canOpen || canClose) this.#runs.push({ piece, mark, canOpen, canClose, left: length, length });
  }

  #openBracket(): void {
    const isPicture = this.#text.startsWith("![", this.#at);
    const isBracket = isPicture || this.#text[this.#at] === "[";
    const length = isPicture ? 2 : 1;
    const piece = this.#put(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
    if (isBracket) this.#brackets.push({ piece, isPicture, at: this.#at, runs: this.#runs.length });
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    if (bracket === undefined) {
      this.#plain();
      return;
    }
    const inside = this.#text.slice(bracket.at, Math.min(this.#at, bracket.at + LABEL_MOST + 1));
    const found = addressAfter(this.#text, this.#at + 1) ?? this.#labelled(inside);
    if (found === null) {
      this.#plain();
      return;
    }
    matchRuns(this.#runs.slice(bracket.runs));
    this.#runs = this.#runs.slice(0, bracket.runs);
    if (bracket.isPicture) this.#picture(bracket, found.address);
    else {
      bracket.piece.text = "";
      bracket.piece.opening.push({ kind: "link", address: found.address });
      this.#put("").closing = 1;
      // No link is inside a link.
      this.#brackets.length = 0;
    }
    this.#at = found.end;
  }

  /** A picture has only text. */
  #picture({ piece }: Bracket, address: string): void {
    const from = this.#pieces.lastIndexOf(piece);
    const inside = this.#pieces.splice(from).slice(1);
    const text = inside.map(({ text: plain, node }) =>
      typeof node === "object" && "text" in node ? node.text : plain,
    );
    this.#put("", { kind: "picture", address, text: text.join("") });
  }

  /** `[label]` or `[text][label]` with an address elsewhere in the document. */
  #labelled(inside: string): { readonly address: string; readonly end: number } | null {
    const next = this.#at + 1;
    if (this.#targets.size === 0) return null;
    const after = this.#text[next] === "[" ? this.#text.slice(next, next + LABEL_MOST) : "";
    const close = after.includes("]") ? next + after.indexOf("]") : -1;
    const label = close === -1 ? "" : this.#text.slice(next + 1, close);
    const address = this.#targets.get((label === "" ? inside : label).toLowerCase());
    if (address === undefined) return null;
    return { address, end: close === -1 ? next : close + 1 };
  }

  #lineEnd(): void {
    const last = this.#pieces.at(-1);
    const isHard = last !== undefined && last.node === undefined && last.text.endsWith("  ");
    if (last !== undefined && last.node === undefined) last.text = last.text.trimEnd();
    if (isHard) this.#put("", { kind: "break" });
    else this.#put("\n");
    this.#at += 1;
  }

  #reference(): void {
    REFERENCE.lastIndex = this.#at;
    const [whole, name = ""] = REFERENCE.exec(this.#text) ?? [];
    const character = whole === undefined ? undefined : NAMED[name];
    if (whole === undefined || character === undefined) {
      this.#plain();
      return;
    }
    this.#put(character);
    this.#at += whole.length;
  }

  /** `<https://…>`, or an address as it is. */
  #autolink(): void {
    const isAngled = this.#text[this.#at] === "<";
    const isInside = this.#brackets.length > 0 || /\w/.test(this.#text.charAt(this.#at - 1));
    const pattern = isAngled ? ANGLED : BARE;
    pattern.lastIndex = this.#at;
    const found = !isAngled && isInside ? null : pattern.exec(this.#text);
    if (found === null) {
      this.#plain();
      return;
    }
    const shown = isAngled ? (found[1] ?? "") : found[0].replace(/[.,:;!?'"*_~]{1,20}$/, "");
    const address = isAngled && !shown.includes(":") ? `mailto:${shown}` : shown;
    this.#put("", { kind: "link", address, content: [shown] });
    this.#at += isAngled ? found[0].length : shown.length;
  }
}

const REFERENCE = /&(amp|lt|gt|quot|nbsp|copy|hellip|mdash|ndash|rarr|larr|times);/y;
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00A0", copy: "©", hellip: "…" },
  ...{ mdash: "—", ndash: "–", rarr: "→", larr: "←", times: "×" },
};
const ANGLED = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w.-]{1,255})>/y;
const BARE = /https?:\/\/[^\s<>()[\]`|]{1,2000}/y;

const isSpace = (character: string): boolean => character === "" || /\s/.test(character);
const isPunctuation = (character: string): boolean => /[\p{P}\p{S}]/u.test(character);

function lengthOfRun(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

/** Where runs of backticks begin, by their length; the first is the last of its list. */
function backticks(text: string): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (let at = text.indexOf("`"); at !== -1; ) {
    const length = lengthOfRun(text, at);
    const places = found.get(length) ?? [];
    places.push(at);
    found.set(length, places);
    at = text.indexOf("`", at + length);
  }
  for (const places of found.values()) places.reverse();
  return found;
}

const PARENTHESES_MOST = 8;

/** `(address "title")` at a place of the text. */
function addressAfter(text: string, at: number): { readonly address: string; readonly end: number } | null {
  if (text[at] !== "(") return null;
  let from = at + 1;
  while (/[ \n]/.test(text.charAt(from)) && from < at + 10) from += 1;
  const isAngled = text[from] === "<";
  let [end, depth] = [isAngled ? from + 1 : from, 0];
  for (; end < text.length && end - from < ADDRESS_MOST; end += 1) {
    const character = text.charAt(end);
    if (character === "\n" || (isAngled ? character === ">" : character === " ")) break;
    if (isAngled) continue;
    if (character === "(" && ++depth > PARENTHESES_MOST) return null;
    if (character === ")" && --depth < 0) break;
  }
  const address = text.slice(isAngled ? from + 1 : from, end);
  TITLE.lastIndex = isAngled ? end + 1 : end;
  const rest = TITLE.exec(text);
  return rest === null ? null : { address, end: TITLE.lastIndex };
}

const TITLE = /[ \n]{0,10}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\))?[ \n]{0,10}\)/y;

/**
 * The algorithm of the appendix of CommonMark: each closing run takes the nearest opening one. Where one kind of run
 * found none is remembered, so that no run is compared twice.
 */
function matchRuns(runs: readonly Run[]): void {
  const open: Run[] = [];
  const bottoms = new Map<string, number>();
  for (const run of runs) {
    const kind = `${run.mark}${run.canOpen}${run.length % 3}`;
    while (run.canClose && run.left > 0) {
      const found = nearest(open, run, bottoms.get(kind) ?? 0);
      if (found === -1) {
        bottoms.set(kind, open.length);
        break;
      }
      pair(open[found], run);
      // What is between the two stays text.
      open.length = (open[found]?.left ?? 0) > 0 ? found + 1 : found;
      for (const [each, bottom] of bottoms) if (bottom > open.length) bottoms.set(each, open.length);
    }
    if (run.canOpen && run.left > 0) open.push(run);
  }
}

function nearest(open: readonly Run[], run: Run, bottom: number): number {
  for (let at = open.length - 1; at >= bottom; at -= 1) {
    const each = open[at];
    if (each === undefined || each.mark !== run.mark) continue;
    if (run.mark === "~" && each.length !== run.length) continue;
    const isOdd = (each.canClose || run.canOpen) && (each.length + run.length) % 3 === 0;
    if (run.mark === "~" || !isOdd || (each.length % 3 === 0 && run.length % 3 === 0)) return at;
  }
  return -1;
}

function pair(opener: Run | undefined, closer: Run): void {
  if (opener === undefined) return;
  const used = closer.mark === "~" ? closer.left : Math.min(2, opener.left, closer.left);
  const kind = closer.mark === "~" ? "strike" : used === 2 ? "strong" : "em";
  for (const run of [opener, closer]) {
    run.left -= used;
    run.piece.text = run.mark.repeat(run.left);
  }
  // The mark next to the text is taken first, so the outer element is written before the inner one.
  opener.piece.opening.unshift({ kind });
  closer.piece.closing += 1;
}

type Element = { readonly open: Open | null; readonly content: Inline[] };

/** Marks that open are written after what is left of their run, those that close before it. */
function treeOf(pieces: readonly Piece[]): readonly Inline[] {
  const root: Element = { open: null, content: [] };
  const stack: Element[] = [root];
  const top = (): Element => stack.at(-1) ?? root;
  let tooDeep = 0;
  for (const { text, node, closing, opening } of pieces) {
    for (let each = 0; each < closing; each += 1) {
      if (tooDeep > 0) tooDeep -= 1;
      else close(stack, top());
    }
    if (node !== undefined) top().content.push(node);
    else if (text !== "") putText(top().content, text);
    for (const open of opening) {
      if (stack.length > DEPTH_MOST) tooDeep += 1;
      else stack.push({ open, content: [] });
    }
  }
  while (stack.length > 1) close(stack, top());
  return root.content;
}

function close(stack: Element[], { open, content }: Element): void {
  if (open === null) return;
  stack.pop();
  stack.at(-1)?.content.push({ ...open, content });
}

function putText(content: Inline[], text: string): void {
  const last = content.at(-1);
  if (typeof last === "string") content[content.length - 1] = last + text;
  else content.push(text);
}
