// The names of a trie, in key order, alone or with newer changes merged in: what a new trie is built from without
// asking the database.
import type { TableEntry } from "../table.ts";
import { byteAt, HAS_CHILDREN, HAS_VALUE, LABEL_MASK, LONG_LABEL, readFixed, WIDTH_SHIFT } from "./trie-layout.ts";
import type { TrieReader } from "./trie-reader.ts";
import type { TrieBase } from "./trie-segments.ts";
import { readText } from "./trie-targets.ts";

export type NamedEntry = { readonly key: string; readonly entry: TableEntry };
/** A newer state of a name; null: it is no longer in the table. */
export type NamedChange = { readonly key: string; readonly entry: TableEntry | null };

type Frame = {
  readonly node: number;
  readonly key: string;
  readonly children: number;
  readonly count: number;
  next: number;
};

/** Every name in key order. Each step is short, so a caller may stop, do other work, and go on. */
export function* entriesOf(base: TrieBase): Generator<NamedEntry> {
  for (const reader of base.readers) {
    let isRepeated = true;
    for (const each of entriesIn(reader)) {
      if (isRepeated) isRepeated = each.key < reader.first;
      if (!isRepeated) yield each;
    }
  }
}

function* entriesIn(trie: TrieReader): Generator<NamedEntry> {
  const stack: Frame[] = [];
  let node = trie.root;
  let key = "";
  for (;;) {
    const { bytes } = trie;
    const head = byteAt(bytes, node);
    let at = node + 1;
    let length = head & LABEL_MASK;
    if (length === LONG_LABEL) {
      length = readFixed(bytes, at, 2);
      at += 2;
    }
    if (length > 0) key += readText(bytes, at, length, 1);
    at += length;
    const count = (head & HAS_CHILDREN) === 0 ? 0 : byteAt(bytes, at++);
    const width = ((head >> WIDTH_SHIFT) & 3) + 1;
    if ((head & HAS_VALUE) !== 0) yield { key, entry: trie.entryAt(at + count * (1 + width), key, key.length) };
    if (count > 0) stack.push({ node, key, children: at, count, next: 0 });
    let frame = stack.at(-1);
    while (frame !== undefined && frame.next === frame.count) {
      stack.pop();
      frame = stack.at(-1);
    }
    if (frame === undefined) return;
    key = frame.key + String.fromCharCode(byteAt(bytes, frame.children + frame.next));
    node = childOf(bytes, frame);
    frame.next++;
  }
}

function childOf(bytes: Uint8Array, frame: Frame): number {
  const width = ((byteAt(bytes, frame.node) >> WIDTH_SHIFT) & 3) + 1;
  return frame.node - readFixed(bytes, frame.children + frame.count + frame.next * width, width);
}

/** Names of a base with newer changes on top, both in key order. */
export function* mergeEntries(base: Iterable<NamedEntry>, changes: readonly NamedChange[]): Generator<NamedEntry> {
  let next = 0;
  for (const each of base) {
    let change = changes[next];
    while (change !== undefined && change.key < each.key) {
      if (change.entry !== null) yield { key: change.key, entry: change.entry };
      change = changes[++next];
    }
    if (change === undefined || change.key !== each.key) yield each;
  }
  for (const { key, entry } of changes.slice(next)) if (entry !== null) yield { key, entry };
}
