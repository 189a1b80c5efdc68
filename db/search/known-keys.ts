// The keys of one field in their order, with their numbers: those that begin alike are found without going through the others.
import type { Key } from "../../src/repository/search/document/document.ts";

export class KnownKeys {
  readonly #numbers = new Map<Key, number>();
  /** Sorted but for those that came in since it was last asked. */
  #sorted: Key[] = [];
  #isSorted = true;

  add(key: Key, number: number): void {
    this.#numbers.set(key, number);
    this.#sorted.push(key);
    this.#isSorted = false;
  }

  /** At most `limit` keys that begin so and are in use. */
  from(prefix: string, limit: number, isUsed: (number: number) => boolean): Key[] {
    if (!this.#isSorted) this.#sorted.sort();
    this.#isSorted = true;
    const keys: Key[] = [];
    for (let at = this.#firstFrom(prefix); at < this.#sorted.length && keys.length < limit; at += 1) {
      const key = this.#sorted[at] ?? "";
      if (!key.startsWith(prefix)) break;
      if (isUsed(this.#numbers.get(key) ?? 0)) keys.push(key);
    }
    return keys;
  }

  #firstFrom(prefix: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
