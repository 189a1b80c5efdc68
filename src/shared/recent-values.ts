// What was computed for a text, kept for the texts that come again: up to twice a number of them. The older half is
// forgotten at once when the newer one is full, and what is asked for meanwhile moves to the newer one.

export class RecentValues<T> {
  readonly #most: number;
  #newer = new Map<string, T>();
  #older = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): T | undefined {
    const newer = this.#newer.get(text);
    if (newer !== undefined) return newer;
    const older = this.#older.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  set(text: string, value: T): T {
    if (this.#newer.size >= this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(text, value);
    return value;
  }
}
