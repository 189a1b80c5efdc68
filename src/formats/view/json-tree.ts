// JSON as a tree (Q.87), read by its text: numbers stay as they are written, no key is lost, no value becomes an object.
// What is not JSON is found by its structure; one pass, in parts.
import type { InParts } from "../../shared/time/event-loop.ts";
import { type DataNode, DEPTH_READ, TREE, TreeBuilder } from "./data-tree.ts";
import { cutText } from "./shown-text.ts";

const TOKEN =
  /[ \t\r\n]*(?:([[\]{},:])|"|(-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][-+]?\d{1,10})?|true|false|null)(?![\w.]))/y;
const TOKENS_PER_PART = 5_000;

/** What may follow. */
type Expected = "value" | "first-key" | "key" | "colon" | "first-value" | "next";
type Container = { readonly isList: boolean; index: number };

/** "not-json": it is something else; "too-deep": it nests more than is read. */
export type JsonTreeFault = "not-json" | "too-deep";

export function* jsonTree(text: string): InParts<DataNode | JsonTreeFault> {
  const reader = new JsonReader(text);
  for (let count = 1; ; count += 1) {
    const found = reader.step();
    if (found !== null) return found;
    if (count % TOKENS_PER_PART === 0) yield;
  }
}

class JsonReader {
  readonly #text: string;
  #at: number;
  #expected: Expected = "value";
  #label = "";
  readonly #open: Container[] = [];
  readonly #tree = new TreeBuilder({ label: "", kind: "list", value: "" });

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  /** Reads one token; what the whole comes to at its end, and null before. */
  step(): DataNode | JsonTreeFault | null {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    if (found === null) return this.#end();
    const [whole, mark, word] = found;
    this.#at += whole.length;
    if (mark !== undefined) return this.#mark(mark);
    if (word !== undefined) return this.#value(word, /^[a-z]/.test(word) ? "word" : "number");
    const text = this.#quoted();
    if (text === null) return "not-json";
    if (this.#expected !== "key" && this.#expected !== "first-key") return this.#value(text, "text");
    this.#label = readable(text);
    this.#expected = "colon";
    return null;
  }

  #end(): DataNode | JsonTreeFault {
    const isWhole = this.#open.length === 0 && this.#expected === "next" && this.#text.slice(this.#at).trim() === "";
    return isWhole ? (this.#tree.root.children[0] ?? "not-json") : "not-json";
  }

  /** The rest of a text in quotes; null where it does not end, or has a line end. */
  #quoted(): string | null {
    const start = this.#at;
    for (let end = this.#text.indexOf('"', start); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let escapes = 0;
      while (this.#text[end - 1 - escapes] === "\\" && end - 1 - escapes >= start) escapes += 1;
      if (escapes % 2 === 1) continue;
      this.#at = end + 1;
      return this.#text.slice(start, end);
    }
    return null;
  }

  #value(value: string, kind: DataNode["kind"]): JsonTreeFault | null {
    if (!this.#takesValue()) return "not-json";
    this.#tree.add({ label: this.#labelled(), kind, value: kind === "text" ? readable(value) : value });
    this.#expected = "next";
    return null;
  }

  #takesValue(): boolean {
    return this.#expected === "value" || this.#expected === "first-value";
  }

  /** The key of a value, or its number in a list. */
  #labelled(): string {
    const container = this.#open.at(-1);
    if (container?.isList !== true) return this.#label;
    container.index += 1;
    return String(container.index);
  }

  #mark(mark: string): JsonTreeFault | null {
    const container = this.#open.at(-1);
    if (mark === "{" || mark === "[") {
      if (!this.#takesValue()) return "not-json";
      if (this.#open.length >= DEPTH_READ) return "too-deep";
      const isList = mark === "[";
      this.#tree.enter({ label: this.#labelled(), kind: isList ? "list" : "object", value: "" });
      this.#open.push({ isList, index: 0 });
      this.#expected = isList ? "first-value" : "first-key";
      return null;
    }
    if (mark === ":") {
      if (this.#expected !== "colon") return "not-json";
      this.#expected = "value";
      return null;
    }
    if (container === undefined) return "not-json";
    if (mark === ",") {
      if (this.#expected !== "next") return "not-json";
      this.#expected = container.isList ? "value" : "key";
      return null;
    }
    const isEmpty = this.#expected === (container.isList ? "first-value" : "first-key");
    if ((mark === "]") !== container.isList || (!isEmpty && this.#expected !== "next")) return "not-json";
    this.#open.pop();
    this.#tree.leave();
    this.#expected = "next";
    return null;
  }
}

/** A text without its escapes, as far as it is shown. */
function readable(written: string): string {
  const { text, left } = cutText(written, TREE.characters);
  const shown = text.includes("\\") ? text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, unescaped) : text;
  return left === 0 ? shown : `${shown}…`;
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const unescaped = (_: string, code: string | undefined, character = ""): string =>
  code === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16));
