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

/** Sorted keys, each with its index, by their first character: what is sorted without yielding is a part of them. */
type Names = ReadonlyMap<string, readonly NamedIndex[]>;
type NamedIndex = readonly [key: string, id: IndexId];
type Reader = Pick<IndexReader, "treeRevision" | "indexesAfter">;

export class IndexNames {
  readonly #reader: Reader;
  #names: { readonly revision: number; readonly loaded: Promise<Names> } | null = null;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** At most `limit` indexes of which a word begins so, by their words. */
  async beginning(text: string, limit: number): Promise<readonly IndexId[]> {
    const key = nameKey(text);
    if (key === "") return [];
    const keys = (await this.#current()).get(key.charAt(0)) ?? [];
    const found = new Set<IndexId>();
    for (let at = firstFrom(keys, key); found.size < limit; at += 1) {
      const [named = "", id = 0] = keys[at] ?? [];
      if (!named.startsWith(key)) break;
      found.add(id);
    }
    return [...found];
  }

  /** Of many who ask after a change one reads the tree. */
  async #current(): Promise<Names> {
    const revision = await this.#reader.treeRevision();
    if (this.#names?.revision === revision) return await this.#names.loaded;
    const names = { revision, loaded: this.#load() };
    this.#names = names;
    try {
      return await names.loaded;
    } catch (error) {
      if (this.#names === names) this.#names = null;
      throw error;
    }
  }

  async #load(): Promise<Names> {
    const sorted = new Map<string, NamedIndex[]>();
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const page = await this.#reader.indexesAfter(after, PAGE_INDEXES);
      for (const { id, indexName, indexNameEnglish } of page) {
        for (const key of new Set([...wordKeys(indexName), ...wordKeys(indexNameEnglish)])) {
          const alike = sorted.get(key.charAt(0)) ?? [];
          sorted.set(key.charAt(0), alike);
          alike.push([key, id]);
        }
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_INDEXES) break;
      after = last.id;
      await yieldToEventLoop();
    }
    for (const alike of sorted.values()) {
      alike.sort(([one, oneId], [other, otherId]) => (one < other ? -1 : one > other ? 1 : oneId - otherId));
      await yieldToEventLoop();
    }
    return sorted;
  }
}

/** The rest of a name from each of its words on. */
function wordKeys(name: string): readonly string[] {
  const starts: number[] = [];
  for (let at = 0; at < name.length && starts.length < KEYS; at += 1) {
    const isStart = at === 0 || /[\s\p{P}\p{S}]/u.test(name.charAt(at - 1)) || UNSPACED.test(name.charAt(at));
    if (isStart) starts.push(at);
  }
  return [...new Set(starts.map((at) => nameKey(name.slice(at, at + KEY_CHARACTERS))))].filter((key) => key !== "");
}
const KEY_CHARACTERS = 100;

/** The first key that is not before this one. */
function firstFrom(keys: readonly NamedIndex[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle]?.[0] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
