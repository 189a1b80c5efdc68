// What was computed for a text, kept for the texts that come again: up to twice a number of them, or of what they weigh.
// The older half is forgotten at once when the newer one is full, and what is asked for meanwhile moves to the newer one.

export class RecentValues<T> {
  readonly #most: number;
  readonly #weigh: (text: string) => number;
  #newer = new Map<string, T>();
  #older = new Map<string, T>();
  #weight = 0;

  /** `weigh`: what one text counts as; 1 where it is left out. */
  constructor(most: number, weigh: (text: string) => number = () => 1) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  get(text: string): T | undefined {
    const newer = this.#newer.get(text);
    if (newer !== undefined) return newer;
    const older = this.#older.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  set(text: string, value: T): T {
    if (this.#weight >= this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#weight = 0;
    }
    if (!this.#newer.has(text)) this.#weight += this.#weigh(text);
    this.#newer.set(text, value);
    return value;
  }
}
