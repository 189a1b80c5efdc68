// Writes the trie in one pass over names in key order, as the database gives them: no object a name, nothing written
// twice. Only the nodes along the last name are open; a node is written as soon as the stream has left it.
import type { TableEntry } from "../table.ts";
import {
  ByteSink,
  byteAt,
  HAS_CHILDREN,
  HAS_VALUE,
  HEADER,
  HEADER_BYTES,
  KEY_MAX_BYTES,
  LAYOUT_MAGIC,
  LAYOUT_VERSION,
  LONG_LABEL,
  SEGMENT_BYTES,
  SEGMENT_UNIT,
  type Segments,
  WIDTH_SHIFT,
  writeHeader,
} from "./trie-layout.ts";
import { type TargetWriter, type Template, targetWriter } from "./trie-targets.ts";
import { writeValue } from "./trie-value.ts";

const CHILDREN_MAX = 128;
const RESERVE_MIN = 1 << 16;
/** What is written of a segment when no name is added to it any more. */
const RESERVE_END = 1 << 20;
/**
 * A guess above what a name takes, so that the buffer never has to be copied. Memory that is not written is not used.
 */
const BYTES_A_NAME = 64;

/** A node that may still get children. Reused from name to name. */
type OpenNode = {
  /** Characters of the key up to the end of its label. */
  depth: number;
  hasValue: boolean;
  readonly value: ByteSink;
  children: number;
  readonly characters: Uint8Array;
  readonly addresses: Float64Array;
};

export type BuilderOptions = {
  /** About how many names will come. Too few costs copies while building, too many nothing. */
  readonly expectedNames?: number;
  /** Bytes after which the next name begins another segment. */
  readonly segmentBytes?: number;
  /** Where the memory of a segment comes from; it is all zero. */
  readonly allocate?: Allocate;
};

type Allocate = (bytes: number) => SharedArrayBuffer;

export class TrieBuilder {
  readonly #segmentBytes: number;
  readonly #allocate: Allocate;
  readonly #done: SharedArrayBuffer[] = [];
  /** Bytes and names of the segments that are done. */
  #doneBytes = 0;
  #doneNames = 0;
  #sink: ByteSink;
  /** The first name of the segment; empty in the first segment. */
  #first = "";
  readonly #open: OpenNode[] = [];
  #openCount = 0;
  #last = "";
  #names = 0;
  #nodes = 0;
  readonly #targets: TargetWriter = targetWriter();

  constructor(options: BuilderOptions = {}) {
    this.#segmentBytes = options.segmentBytes ?? SEGMENT_BYTES;
    this.#allocate = options.allocate ?? ((bytes) => new SharedArrayBuffer(bytes));
    this.#sink = this.#begin(RESERVE_MIN + (options.expectedNames ?? 0) * BYTES_A_NAME);
  }

  #begin(reserve: number): ByteSink {
    const most = this.#segmentBytes + RESERVE_END;
    const sink = new ByteSink(Math.min(most, reserve), this.#allocate);
    sink.length = HEADER_BYTES;
    this.#openCount = 0;
    this.#last = "";
    this.#nodes = 0;
    this.#push(0);
    return sink;
  }

  get names(): number {
    return this.#names;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#doneBytes + this.#sink.length;
  }

  /**
   * Adds the next name.
   *
   * @throws RangeError when its key does not come after the last one in byte order, or is not a key.
   */
  add(key: string, entry: TableEntry): void {
    const common = commonLength(this.#last, key);
    if (this.#names > 0 && !comesAfter(key, this.#last, common)) {
      throw new RangeError(`Cannot add ${JSON.stringify(key)} after ${JSON.stringify(this.#last)}: not in byte order`);
    }
    checkCharacters(key, common);
    if (this.#sink.length < this.#segmentBytes) this.#closeBelow(common);
    else this.#cut(key, common);
    const node = this.#push(key.length);
    node.hasValue = true;
    writeValue(node.value, key, entry, this.#targets);
    this.#last = key;
    this.#names++;
  }

  /** Closes every node and returns the whole table. The builder cannot be used again. */
  finish(): Segments {
    this.#end();
    return this.#done;
  }

  /** Begins another segment with this name; those above it, which are open, are written there again. */
  #cut(key: string, common: number): void {
    const above = this.#open
      .slice(0, this.#openCount)
      .filter((node) => node.hasValue && node.depth <= common)
      .map(({ depth, value }) => ({ depth, bytes: value.bytes.slice(0, value.length) }));
    this.#end();
    this.#sink = this.#begin(this.#segmentBytes + RESERVE_END);
    this.#first = key;
    for (const { depth, bytes } of above) {
      const node = this.#push(depth);
      node.hasValue = true;
      node.value.pushBytes(bytes);
      this.#last = key.slice(0, depth);
    }
  }

  /** Closes every node and stores the segment. */
  #end(): void {
    this.#closeBelow(0);
    const root = this.#write(this.#top(), 0);
    const sink = this.#sink;
    const templates = sink.length;
    writeTemplates(sink, this.#targets.templates);
    const first = sink.length;
    sink.ensure(8 + this.#first.length + SEGMENT_UNIT);
    sink.pushVarint(this.#first.length);
    for (let index = 0; index < this.#first.length; index++) sink.push(this.#first.charCodeAt(index));
    while (sink.length % SEGMENT_UNIT !== 0) sink.push(0);
    const { buffer } = sink.bytes;
    if (!(buffer instanceof SharedArrayBuffer)) throw new TypeError("A table must be in shared memory");
    const words = new Uint32Array(buffer, 0, HEADER_BYTES / 4);
    words[HEADER.magic] = LAYOUT_MAGIC;
    words[HEADER.version] = LAYOUT_VERSION;
    writeHeader(words, HEADER.used, sink.length);
    writeHeader(words, HEADER.names, this.#names - this.#doneNames);
    writeHeader(words, HEADER.root, root);
    writeHeader(words, HEADER.templates, templates);
    writeHeader(words, HEADER.nodes, this.#nodes);
    writeHeader(words, HEADER.first, first);
    this.#done.push(buffer);
    this.#doneBytes += sink.length;
    this.#doneNames = this.#names;
    // Nothing more is written: the end of a reserve that was never touched is not counted.
    sink.length = 0;
  }

  #top(): OpenNode {
    const node = this.#open[this.#openCount - 1];
    if (node === undefined) throw new TypeError("The root is always open");
    return node;
  }

  #push(depth: number): OpenNode {
    let node = this.#open[this.#openCount];
    if (node === undefined) {
      node = {
        depth,
        hasValue: false,
        value: new ByteSink(128),
        children: 0,
        characters: new Uint8Array(CHILDREN_MAX),
        addresses: new Float64Array(CHILDREN_MAX),
      };
      this.#open[this.#openCount] = node;
    }
    node.depth = depth;
    node.hasValue = false;
    node.value.length = 0;
    node.children = 0;
    this.#openCount++;
    return node;
  }

  /**
   * Writes the open nodes that end below this depth of the last key, and opens one exactly there when a label has to be
   * split.
   */
  #closeBelow(depth: number): void {
    while (this.#top().depth > depth) {
      const node = this.#top();
      const parentDepth = Math.max(depth, this.#open[this.#openCount - 2]?.depth ?? 0);
      const address = this.#write(node, parentDepth + 1);
      this.#openCount--;
      const parent = this.#top().depth === parentDepth ? this.#top() : this.#push(parentDepth);
      parent.characters[parent.children] = this.#last.charCodeAt(parentDepth);
      parent.addresses[parent.children] = address;
      parent.children++;
    }
  }

  /** Writes one node whose label is the last key from `labelFrom` to the depth of the node. */
  #write(node: OpenNode, labelFrom: number): number {
    const sink = this.#sink;
    const address = sink.length;
    const label = Math.max(0, node.depth - labelFrom);
    const width = widthOf(address - (node.addresses[0] ?? 0));
    sink.ensure(4 + label + node.children * (1 + width) + node.value.length);
    let head = Math.min(label, LONG_LABEL);
    if (node.children > 0) head |= HAS_CHILDREN | ((width - 1) << WIDTH_SHIFT);
    if (node.hasValue) head |= HAS_VALUE;
    sink.push(head);
    if (label >= LONG_LABEL) sink.pushFixed(label, 2);
    for (let index = labelFrom; index < node.depth; index++) sink.push(this.#last.charCodeAt(index));
    if (node.children > 0) {
      sink.push(node.children);
      for (let index = 0; index < node.children; index++) sink.push(byteAt(node.characters, index));
      for (let index = 0; index < node.children; index++) {
        sink.pushFixed(address - (node.addresses[index] ?? 0), width);
      }
    }
    sink.pushAll(node.value);
    this.#nodes++;
    return address;
  }
}

function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

function comesAfter(key: string, last: string, common: number): boolean {
  return common < key.length && (common === last.length || key.charCodeAt(common) > last.charCodeAt(common));
}

/** Keys are visible ASCII: one byte a character. What the name before had in common is known to be. */
function checkCharacters(key: string, from: number): void {
  if (key === "" || key.length > KEY_MAX_BYTES) throw new RangeError(`Cannot add a key of ${key.length} bytes`);
  for (let index = from; index < key.length; index++) {
    const code = key.charCodeAt(index);
    if (code < 33 || code > 126) throw new RangeError(`Cannot add ${JSON.stringify(key)}: not in the grammar of names`);
  }
}

function widthOf(delta: number): number {
  if (delta < 0x100) return 1;
  if (delta < 0x1_0000) return 2;
  return delta < 0x100_0000 ? 3 : 4;
}

/** Two bytes a character: templates are few, and any string may be one. */
function writeTemplates(sink: ByteSink, templates: readonly Template[]): void {
  const write = (text: string): void => {
    sink.ensure(8 + 2 * text.length);
    sink.pushVarint(text.length);
    for (let index = 0; index < text.length; index++) sink.pushFixed(text.charCodeAt(index), 2);
  };
  sink.ensure(8);
  sink.pushVarint(templates.length);
  for (const each of templates) {
    write(each.prefix);
    write(each.suffix);
  }
}
