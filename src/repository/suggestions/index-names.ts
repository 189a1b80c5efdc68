// Live indexes by the beginnings of the words of their names (R42, P.141). The names are read again when the tree has
// changed; a look-up is a search in sorted keys.
import { nameKey } from "../../model/agents/author.ts";
import type { IndexId } from "../../shared/ids.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { IndexReader } from "../store/indexes.ts";

/** Indexes of one read while names are loaded. */
const PAGE_INDEXES = 2_000;
/** Beginnings of words of one name. */
const KEYS = 40;
/** A name without spaces has a word at each of its characters. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u;

type Names = { readonly revision: number; readonly keys: readonly string[]; readonly ids: readonly IndexId[] };
type Reader = Pick<IndexReader, "treeRevision" | "indexesAfter">;

export class IndexNames {
  readonly #reader: Reader;
  #names: Promise<Names> | null = null;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** At most `limit` indexes of which a word begins so, by their words. */
  async beginning(text: string, limit: number): Promise<readonly IndexId[]> {
    const key = nameKey(text);
    if (key === "") return [];
    const { keys, ids } = await this.#current();
    const found = new Set<IndexId>();
    for (let at = firstFrom(keys, key); keys[at]?.startsWith(key) === true && found.size < limit; at += 1) {
      const id = ids[at];
      if (id !== undefined) found.add(id);
    }
    return [...found];
  }

  async #current(): Promise<Names> {
    const revision = await this.#reader.treeRevision();
    const known = await this.#names;
    if (known?.revision === revision && this.#names !== null) return known;
    this.#names = this.#load(revision);
    try {
      return await this.#names;
    } catch (error) {
      this.#names = null;
      throw error;
    }
  }

  async #load(revision: number): Promise<Names> {
    const all: (readonly [key: string, id: IndexId])[] = [];
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const page = await this.#reader.indexesAfter(after, PAGE_INDEXES);
      for (const { id, indexName, indexNameEnglish } of page) {
        for (const key of new Set([...wordKeys(indexName), ...wordKeys(indexNameEnglish)])) all.push([key, id]);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_INDEXES) break;
      after = last.id;
      await yieldToEventLoop();
    }
    all.sort(([one, oneId], [other, otherId]) => (one < other ? -1 : one > other ? 1 : oneId - otherId));
    return { revision, keys: all.map(([key]) => key), ids: all.map(([, id]) => id) };
  }
}

/** The rest of a name from each of its words on. */
export function wordKeys(name: string): readonly string[] {
  const starts: number[] = [];
  for (let at = 0; at < name.length && starts.length < KEYS; at += 1) {
    const isStart = at === 0 || /[\s\p{P}\p{S}]/u.test(name.charAt(at - 1)) || UNSPACED.test(name.charAt(at));
    if (isStart) starts.push(at);
  }
  return [...new Set(starts.map((at) => nameKey(name.slice(at, at + KEY_CHARACTERS))))].filter((key) => key !== "");
}
const KEY_CHARACTERS = 100;

/** The first key that is not before this one. */
function firstFrom(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
